// Sequences of a batch do not meet: each thread takes some of them through all steps, and no step waits for another thread.
#include "recurrent.h"

#include "activations.h"
#include "tiles.h"

namespace mycelium {
namespace {

// Weights as the tiles read them: for a product of rows with a matrix whose element (depth, column) lies at
// depth * depth_step + column * column_step.
class Packed {
 public:
  Packed(const float* weights, int64_t depth, int64_t columns, int64_t depth_step, int64_t column_step, Scratch& scratch)
      : depth_(depth), panels_(panels_of(columns)), packed_(scratch.floats(depth * (columns + kLanes))) {
    float* to = packed_;
    for (const Panel& panel : panels_)
      for (int64_t i = 0; i < depth; ++i, to += panel.room())
        for (int64_t lane = 0; lane < panel.room(); ++lane)
          to[lane] = lane < panel.channels ? weights[i * depth_step + (panel.start + lane) * column_step] : 0;
  }
  // results[row] = rows[row] @ matrix
  void multiply(const std::vector<const float*>& rows, const std::vector<float*>& results) const {
    static const int64_t kFirst = 0;
    const float* from = packed_;
    for (const Panel& panel : panels_) {
      const auto tiles = panel.wide() ? pixel_tiles<kWideTile, 2> : pixel_tiles<kNarrowTile, 1>;
      tiles(rows.data(), rows.size(), &kFirst, 1, depth_, from, results.data(), panel.start, panel.last_lanes());
      from += depth_ * panel.room();
    }
  }

 private:
  int64_t depth_;
  std::vector<Panel> panels_;
  float* packed_;
};

// Calls work(place, count) for every vector of a row; the last one may have fewer than kWidth floats.
template <class Work>
inline void vectors_of(int64_t size, Work work) {
  for (int64_t i = 0; i < size; i += kWidth) work(i, std::min<int64_t>(kWidth, size - i));
}

// What one step of one sequence reads and writes: pointers to rows.
struct Row {
  const float *share, *bias, *product;  // of all gates
  float *h, *c;                         // states, changed in place
  float *opened, *extra;                // kept, or null
  int64_t hidden, extra_step;           // extra_step: from the first kept row to the second
};

template <Cell cell>
inline void step(const Row& row) {
  const int64_t hidden = row.hidden;
  vectors_of(hidden, [&](int64_t i, int64_t count) {
    const auto of = [&](const float* from, int gate) { return load_part(from + gate * hidden + i, count); };
    const auto sum = [&](int gate) { return of(row.share, gate) + of(row.product, gate) + of(row.bias, gate); };
    const auto keep = [&](float* to, Vector value) { if (row.opened != nullptr) store_part(to + i, value, count); };
    const Vector h = of(row.h, 0);
    Vector next;
    if constexpr (cell == Cell::kTanh || cell == Cell::kReLU) {
      const Vector total = sum(0);
      next = cell == Cell::kTanh ? tanh(total) : relu(total);
      keep(row.opened, next);
    } else if constexpr (cell == Cell::kGru) {
      const Vector reset = sigmoid(sum(0)), update = sigmoid(sum(1)), share = of(row.product, 2) + of(row.bias, 2);
      const Vector fresh = tanh(of(row.share, 2) + reset * share);
      next = fresh + update * (h - fresh);
      keep(row.opened, reset), keep(row.opened + hidden, update), keep(row.opened + 2 * hidden, fresh);
      keep(row.extra, share), keep(row.extra + row.extra_step, h - fresh);
    } else {
      const Vector entry = sigmoid(sum(0)), forget = sigmoid(sum(1)), fresh = tanh(sum(2)), out = sigmoid(sum(3));
      const Vector before = of(row.c, 0), memory = forget * before + entry * fresh, shown = tanh(memory);
      next = out * shown;
      store_part(row.c + i, memory, count);
      keep(row.opened, entry), keep(row.opened + hidden, forget), keep(row.opened + 2 * hidden, fresh);
      keep(row.opened + 3 * hidden, out), keep(row.extra, before), keep(row.extra + row.extra_step, shown);
    }
    store_part(row.h + i, next, count);
  });
}

// One step back: `h` and `c` come as gradients of the states after the step and become what reaches the states before it
// past the weights; what goes through the weights is added later.
struct BackRow {
  const float *opened, *extra, *output;
  float *h, *c, *share, *hidden_share;
  int64_t hidden, extra_step;
};

template <Cell cell>
inline void step_back(const BackRow& row) {
  const int64_t hidden = row.hidden;
  const Vector one = all(1.0f);
  vectors_of(hidden, [&](int64_t i, int64_t count) {
    const auto of = [&](const float* from, int gate) { return load_part(from + gate * hidden + i, count); };
    const auto give = [&](float* to, int gate, Vector value) { store_part(to + gate * hidden + i, value, count); };
    const Vector h = of(row.h, 0) + of(row.output, 0);
    Vector past = all(0.0f);
    if constexpr (cell == Cell::kTanh) {
      const Vector y = of(row.opened, 0);
      give(row.share, 0, h * (one - y * y));
    } else if constexpr (cell == Cell::kReLU) {
      give(row.share, 0, of(row.opened, 0) > all(0.0f) ? h : all(0.0f));
    } else if constexpr (cell == Cell::kGru) {
      const Vector reset = of(row.opened, 0), update = of(row.opened, 1), fresh = of(row.opened, 2);
      const Vector share = load_part(row.extra + i, count), change = load_part(row.extra + row.extra_step + i, count);
      const Vector by_fresh = h * (one - update) * (one - fresh * fresh);
      const Vector by_reset = by_fresh * share * reset * (one - reset), by_update = h * change * update * (one - update);
      give(row.share, 0, by_reset), give(row.share, 1, by_update), give(row.share, 2, by_fresh);
      give(row.hidden_share, 0, by_reset), give(row.hidden_share, 1, by_update), give(row.hidden_share, 2, by_fresh * reset);
      past = h * update;
    } else {
      const Vector entry = of(row.opened, 0), forget = of(row.opened, 1), fresh = of(row.opened, 2), out = of(row.opened, 3);
      const Vector before = load_part(row.extra + i, count), shown = load_part(row.extra + row.extra_step + i, count);
      const Vector memory = of(row.c, 0) + h * out * (one - shown * shown);
      give(row.share, 0, memory * fresh * entry * (one - entry)), give(row.share, 1, memory * before * forget * (one - forget));
      give(row.share, 2, memory * entry * (one - fresh * fresh)), give(row.share, 3, h * shown * out * (one - out));
      store_part(row.c + i, memory * forget, count);
    }
    store_part(row.h + i, past, count);
  });
}

// Rows of a piece: as many as give every thread work, in whole tiles.
int64_t rows_of_piece(const Recurrence& shape, const Threads& threads) {
  const int64_t busy = threads.worthwhile(shape.operations()), share = (shape.batch + busy - 1) / busy;
  return (share + kWideTile - 1) / kWideTile * kWideTile;
}

template <class Work>
void in_pieces(const Recurrence& shape, const Threads& threads, Work work) {
  const int64_t rows = rows_of_piece(shape, threads), pieces = (shape.batch + rows - 1) / rows;
  threads.run(pieces, shape.operations(), [&](int64_t piece) { work(piece * rows, std::min(shape.batch, (piece + 1) * rows)); });
}

void copy(float* to, const float* from, int64_t count) { std::memcpy(to, from, count * sizeof(float)); }
void clear(float* to, int64_t count) { std::memset(to, 0, count * sizeof(float)); }

// Beyond the end of a sequence nothing is kept.
void clear_kept(const Recurrence& shape, const RecurrentForward& on, int64_t place) {
  clear(on.opened + place * shape.gates(), shape.gates());
  if (gates_of(shape.cell) == 1) return;
  clear(on.extra + place * shape.hidden, shape.hidden);
  clear(on.extra + (shape.steps * shape.batch + place) * shape.hidden, shape.hidden);
}

template <Cell cell>
void forward(const Recurrence& shape, const RecurrentForward& on, const Threads& threads) {
  thread_local Scratch packed_scratch;
  const int64_t hidden = shape.hidden, gates = shape.gates(), plane = shape.batch * hidden;
  const Packed packed(on.weights, hidden, gates, 1, hidden, packed_scratch);
  copy(on.last_h, on.h, plane);
  if (cell == Cell::kLstm) copy(on.last_c, on.c, plane);
  in_pieces(shape, threads, [&](int64_t first, int64_t last) {
    thread_local Scratch product_scratch;
    float* products = product_scratch.floats((last - first) * gates);
    std::vector<const float*> rows;
    std::vector<float*> results;
    for (int64_t i = first; i < last; ++i) rows.push_back(on.last_h + i * hidden), results.push_back(products + (i - first) * gates);
    for (int64_t turn = 0; turn < shape.steps; ++turn) {
      const int64_t time = shape.reverse ? shape.steps - 1 - turn : turn;
      packed.multiply(rows, results);
      for (int64_t i = first; i < last; ++i) {
        const int64_t place = time * shape.batch + i;
        float* output = on.outputs + place * hidden;
        if (time >= on.lengths[i]) {
          clear(output, hidden);
          if (shape.kept) clear_kept(shape, on, place);
          continue;
        }
        step<cell>({on.shares + place * gates, on.bias, results[i - first], on.last_h + i * hidden, on.last_c + i * hidden,
                    shape.kept ? on.opened + place * gates : nullptr, on.extra + place * hidden, hidden, shape.steps * plane});
        copy(output, on.last_h + i * hidden, hidden);
      }
    }
  });
}

template <Cell cell>
void backward(const Recurrence& shape, const RecurrentBackward& on, const Threads& threads) {
  thread_local Scratch packed_scratch;
  const int64_t hidden = shape.hidden, gates = shape.gates(), plane = shape.batch * hidden;
  const Packed packed(on.weights, gates, hidden, hidden, 1, packed_scratch);
  float* through = cell == Cell::kGru ? on.hidden_shares : on.shares;  // what the weights take back to the hidden state
  copy(on.h, on.last_h, plane);
  if (cell == Cell::kLstm) copy(on.c, on.last_c, plane);
  in_pieces(shape, threads, [&](int64_t first, int64_t last) {
    thread_local Scratch product_scratch;
    float* products = product_scratch.floats((last - first) * hidden);
    std::vector<const float*> rows(last - first);
    std::vector<float*> results;
    for (int64_t i = first; i < last; ++i) results.push_back(products + (i - first) * hidden);
    for (int64_t turn = shape.steps - 1; turn >= 0; --turn) {
      const int64_t time = shape.reverse ? shape.steps - 1 - turn : turn;
      for (int64_t i = first; i < last; ++i) {
        const int64_t place = time * shape.batch + i;
        rows[i - first] = through + place * gates;
        if (time >= on.lengths[i]) {
          clear(on.shares + place * gates, gates);
          if (cell == Cell::kGru) clear(on.hidden_shares + place * gates, gates);
          continue;
        }
        step_back<cell>({on.opened + place * gates, on.extra + place * hidden, on.outputs + place * hidden, on.h + i * hidden,
                         on.c + i * hidden, on.shares + place * gates, on.hidden_shares + place * gates, hidden,
                         shape.steps * plane});
      }
      packed.multiply(rows, results);
      float* h = on.h + first * hidden;
      vectors_of((last - first) * hidden, [&](int64_t i, int64_t count) {
        store_part(h + i, load_part(h + i, count) + load_part(products + i, count), count);
      });
    }
  });
}

// Calls work with the kind of cell as a constant.
template <class Work>
void by_kind(Cell cell, Work work) {
  switch (cell) {
    case Cell::kTanh: return work(std::integral_constant<Cell, Cell::kTanh>());
    case Cell::kReLU: return work(std::integral_constant<Cell, Cell::kReLU>());
    case Cell::kGru: return work(std::integral_constant<Cell, Cell::kGru>());
    case Cell::kLstm: return work(std::integral_constant<Cell, Cell::kLstm>());
  }
}

}  // namespace

void recur(const Recurrence& shape, const RecurrentForward& on, const Threads& threads) {
  by_kind(shape.cell, [&](auto cell) { forward<cell()>(shape, on, threads); });
}

void recur_back(const Recurrence& shape, const RecurrentBackward& on, const Threads& threads) {
  by_kind(shape.cell, [&](auto cell) { backward<cell()>(shape, on, threads); });
}

}  // namespace mycelium
