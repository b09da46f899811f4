// Both matrices are copied into the order in which the innermost loop reads them; it then runs at the processor's full speed.
#include "product.h"

#include "packing.h"

namespace mycelium {
namespace {

constexpr int64_t kTile = kManyRegisters ? 12 : 6;  // rows of a tile; it has kLanes columns: 12 sums in 16 registers, 24 in 32
constexpr int64_t kDepth = 512;       // steps of a tile at once
constexpr int64_t kBlock = 96;  // rows of x: with so many steps they stay in the second cache
constexpr int64_t kPacked = 1 << 22;  // floats of y arranged at once
constexpr int64_t kTogether = 8, kSteps = 64;  // panels that one thread arranges, and steps of each in turn

// A matrix of which element (i, j) lies at i * row + j * column.
struct Matrix {
  const float* first;
  int64_t row, column;
  const float* at(int64_t i, int64_t j) const { return first + i * row + j * column; }
};

// z[i][...] (+)= sum over depth of x[i] * y, for kTile rows and kLanes columns. Not inlined: the sums must stay in registers.
template <bool Add>
__attribute__((noinline)) void tile(int64_t depth, const float* x, const float* y, float* z, int64_t pitch) {
  Vector sums[kTile][2];
#pragma GCC unroll 12
  for (int i = 0; i < kTile; ++i) sums[i][0] = sums[i][1] = all(0.0f), __builtin_prefetch(z + i * pitch), __builtin_prefetch(z + i * pitch + kLanes - 1);
#pragma GCC unroll 4
  for (int64_t k = 0; k < depth; ++k, x += kTile, y += kLanes) {
    __builtin_prefetch(y + 8 * kLanes);
    const Vector first = load(y), second = load(y + kWidth);
#pragma GCC unroll 12
    for (int i = 0; i < kTile; ++i) {
      const Vector value = all(x[i]);
      add_product(sums[i][0], value, first);
      add_product(sums[i][1], value, second);
    }
  }
#pragma GCC unroll 12
  for (int i = 0; i < kTile; ++i, z += pitch) {
    store(z, Add ? load(z) + sums[i][0] : sums[i][0]);
    store(z + kWidth, Add ? load(z + kWidth) + sums[i][1] : sums[i][1]);
  }
}

// The same at an edge: only some rows and columns are there.
void part_of_tile(int64_t depth, const float* x, const float* y, float* z, int64_t pitch, int64_t rows, int64_t columns, bool add) {
  alignas(sizeof(Vector)) float whole[kTile * kLanes];
  tile<false>(depth, x, y, whole, kLanes);
  for (int64_t i = 0; i < rows; ++i)
    for (int64_t j = 0; j < columns; ++j) z[i * pitch + j] = whole[i * kLanes + j] + (add ? z[i * pitch + j] : 0.0f);
}

// `count` vectors of length `depth` side by side, step by step; there is room for `Room`, the rest is zero.
// Vector i starts at from + i * apart; its elements are `step` floats apart. One of the two is 1.
template <int64_t Room>
void pack(const float* from, int64_t count, int64_t apart, int64_t step, int64_t depth, float* to) {
  if (count == Room) return apart == 1 ? pack_rows<Room>(from, step, depth, to) : pack_columns<Room>(from, apart, depth, to);
  for (int64_t k = 0; k < depth; ++k)
    for (int64_t i = 0; i < Room; ++i) to[k * Room + i] = i < count ? from[i * apart + k * step] : 0.0f;
}

int64_t panels_in(int64_t columns) { return (columns + kLanes - 1) / kLanes; }

// Some columns of y, some steps of all panels before the next ones: rows are read in long pieces.
void pack_panels(const Matrix& y, int64_t start, int64_t columns, int64_t depth, float* to) {
  for (int64_t k = 0; k < depth; k += kSteps) {
    const int64_t steps = std::min(kSteps, depth - k);
    for (int64_t column = 0; column < columns; column += kLanes)
      pack<kLanes>(y.at(k, start + column), std::min<int64_t>(kLanes, columns - column), y.column, y.row, steps,
                   to + column * depth + k * kLanes);
  }
}

// Some rows with some panels of y: z += x @ y for as much of y as is packed.
void block(const Matrix& x, int64_t rows, int64_t depth, const float* packed, int64_t columns, float* z, int64_t pitch) {
  thread_local Scratch scratch;
  float* left = scratch.floats((kBlock + kTile) * kDepth);
  const int64_t panels = panels_in(columns);
  for (int64_t k = 0; k < depth; k += kDepth) {
    const int64_t steps = std::min(kDepth, depth - k);
    for (int64_t i = 0; i < rows; i += kTile)
      pack<kTile>(x.at(i, k), std::min(kTile, rows - i), x.row, x.column, steps, left + i * steps);
    for (int64_t panel = 0; panel < panels; ++panel) {
      const float* right = packed + (panel * depth + k) * kLanes;
      const int64_t width = std::min<int64_t>(kLanes, columns - panel * kLanes);
      for (int64_t i = 0; i < rows; i += kTile) {
        float* to = z + i * pitch + panel * kLanes;
        if (rows - i < kTile || width < kLanes)
          part_of_tile(steps, left + i * steps, right, to, pitch, std::min(kTile, rows - i), width, k > 0);
        else
          (k > 0 ? tile<true> : tile<false>)(steps, left + i * steps, right, to, pitch);
      }
    }
  }
}

// One product, by all threads.
void multiply_one(const Product& shape, const float* from_x, const float* from_y, float* z, const Threads& threads) {
  thread_local Scratch scratch;
  const Matrix x = shape.x_turned ? Matrix{from_x, 1, shape.rows} : Matrix{from_x, shape.depth, 1};
  const Matrix y = shape.y_turned ? Matrix{from_y, 1, shape.depth} : Matrix{from_y, shape.columns, 1};
  const int64_t together = std::max<int64_t>(1, kPacked / (shape.depth * kLanes)) * kLanes;
  for (int64_t start = 0; start < shape.columns; start += together) {
    const int64_t columns = std::min(together, shape.columns - start), panels = panels_in(columns);
    float* packed = scratch.floats(panels * kLanes * shape.depth);
    threads.run((panels + kTogether - 1) / kTogether, 4.0 * columns * shape.depth, [&](int64_t i) {
      const int64_t first = i * kTogether * kLanes;
      pack_panels(y, start + first, std::min(kTogether * kLanes, columns - first), shape.depth, packed + first * shape.depth);
    });
    // Pieces are blocks of rows; where those are few, columns are divided too, and then rows once more.
    const double operations = 2.0 * shape.rows * columns * shape.depth;
    const int64_t busy = threads.worthwhile(operations);
    int64_t blocks = (shape.rows + kBlock - 1) / kBlock;
    const int64_t sides = std::max<int64_t>(1, std::min((4 * busy + blocks - 1) / blocks, panels / 4));
    if (busy > 1 && blocks * sides < 2 * busy)
      blocks = std::max<int64_t>(1, std::min((2 * busy + sides - 1) / sides, shape.rows / (2 * kTile)));
    const int64_t rows = ((shape.rows + blocks - 1) / blocks + kTile - 1) / kTile * kTile;
    const int64_t side = (panels + sides - 1) / sides;  // panels
    threads.run(blocks * sides, operations, [&](int64_t i) {
      const int64_t row = i / sides * rows, panel = i % sides * side;
      if (row >= shape.rows || panel >= panels) return;
      block({x.at(row, 0), x.row, x.column}, std::min(rows, shape.rows - row), shape.depth, packed + panel * kLanes * shape.depth,
            std::min(side * kLanes, columns - panel * kLanes), z + row * shape.columns + start + panel * kLanes, shape.columns);
    });
  }
}

}  // namespace

void multiply(const Product& shape, const float* x, const float* y, float* z, const Threads& threads) {
  Product one = shape;
  one.batch = 1;
  const auto single = [&](int64_t i, const Threads& by) {
    const auto by_kind = one.rows <= kFewRows && !one.x_turned ? multiply_few_rows : multiply_one;
    by_kind(one, x + i * shape.rows * shape.depth, y + i * shape.depth * shape.columns, z + i * shape.rows * shape.columns, by);
  };
  if (shape.batch >= threads.worthwhile(shape.operations()))
    threads.run(shape.batch, shape.operations(), [&](int64_t i) { single(i, Threads()); });
  else
    for (int64_t i = 0; i < shape.batch; ++i) single(i, threads);
}

}  // namespace mycelium
