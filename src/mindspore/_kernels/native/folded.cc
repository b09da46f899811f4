// Sums and extremes of floats along an axis: of many columns, of few columns, and of short rows.
#include "folded.h"

#include <utility>

#include "vectors.h"

namespace mycelium {
namespace {

constexpr int64_t kStrip = 2048;  // columns of which four rows at a time are joined: their results stay in the first cache
constexpr int64_t kPiece = 16384;  // elements that are worth a piece of work

struct Sum {
  static constexpr float kFirst = 0.0f;
  template <class Number>
  static inline __attribute__((always_inline)) Number join(Number a, Number b) {
    return a + b;
  }
};
struct Largest {
  static constexpr float kFirst = -__builtin_inff();
  template <class Number>
  static inline __attribute__((always_inline)) Number join(Number a, Number b) {
    return (b > a) | (b != b) ? b : a;  // a NaN stays: nothing is larger
  }
};
struct Smallest {
  static constexpr float kFirst = __builtin_inff();
  template <class Number>
  static inline __attribute__((always_inline)) Number join(Number a, Number b) {
    return (b < a) | (b != b) ? b : a;
  }
};

// The rows of some columns, four at a time; `y` has what was found so far.
template <class Op>
void fold_columns(int64_t rows, int64_t step, int64_t columns, const float* x, float* y) {
  const auto each = [&](const float* row, auto join_rows) __attribute__((always_inline)) {
    for (int64_t i = 0; i < columns; i += kWidth) {
      const int64_t count = std::min<int64_t>(kWidth, columns - i);
      if (count == kWidth) store(y + i, join_rows(row + i, y + i, [](const float* from) __attribute__((always_inline)) { return load(from); }));
      else store_part(y + i, join_rows(row + i, y + i, [count](const float* from) __attribute__((always_inline)) { return load_part(from, count); }), count);
    }
  };
  const auto first = [](const float* row, const float*, auto read) __attribute__((always_inline)) { return read(row); };
  const auto one = [](const float* row, const float* found, auto read) __attribute__((always_inline)) { return Op::join(read(found), read(row)); };
  const auto four = [step](const float* row, const float* found, auto read) __attribute__((always_inline)) {
    const Vector front = Op::join(read(row), read(row + step)), back = Op::join(read(row + 2 * step), read(row + 3 * step));
    return Op::join(read(found), Op::join(front, back));
  };
  each(x, first);
  int64_t j = 1;
  for (; j + 4 <= rows; j += 4) each(x + j * step, four);
  for (; j < rows; ++j) each(x + j * step, one);
}

// Few columns, as many as some vectors hold: even and odd rows apart, so that one need not wait for the other.
template <class Op, int vectors>
void fold_vectors(int64_t rows, int64_t columns, const float* x, float* y) {
  const int64_t rest = columns - (vectors - 1) * kWidth;
  Vector even[vectors], odd[vectors];
  for (int k = 0; k < vectors; ++k) even[k] = odd[k] = all(Op::kFirst);
  const auto add = [&](Vector(&found)[vectors], const float* row) __attribute__((always_inline)) {
    for (int k = 0; k + 1 < vectors; ++k) found[k] = Op::join(found[k], load(row + k * kWidth));
    found[vectors - 1] = Op::join(found[vectors - 1], load_part(row + (vectors - 1) * kWidth, rest));
  };
  int64_t j = 0;
  for (; j + 2 <= rows; j += 2) add(even, x + j * columns), add(odd, x + (j + 1) * columns);
  if (j < rows) add(even, x + j * columns);
  for (int k = 0; k < vectors; ++k) store_part(y + k * kWidth, Op::join(even[k], odd[k]), k + 1 < vectors ? kWidth : rest);
}

// Fewer columns than a vector holds. All elements of many rows lie one after the other: so many vectors as there are columns
// have the same columns in the same lanes again, and are many rows themselves.
template <class Op, int columns>
void fold_lanes(int64_t rows, const float* x, float* y) {
  if (rows <= 2 * kWidth) return fold_vectors<Op, 1>(rows, columns, x, y);
  float together[(kWidth + 1) * columns];
  Vector lanes[columns];
  for (int k = 0; k < columns; ++k) lanes[k] = load(x + k * kWidth);
  int64_t j = kWidth;
  for (; j + kWidth <= rows; j += kWidth)
    for (int k = 0; k < columns; ++k) lanes[k] = Op::join(lanes[k], load(x + j * columns + k * kWidth));
  for (int k = 0; k < columns; ++k) store(together + k * kWidth, lanes[k]);
  int64_t known = kWidth;
  if (j < rows) fold_vectors<Op, 1>(rows - j, columns, x + j * columns, together + known++ * columns);
  fold_vectors<Op, 1>(known, columns, together, y);
}

// Rows of which as many as a vector has lanes are folded together: each into a vector, and these are turned.
template <class Op>
void fold_rows(int64_t rows, int64_t length, const float* x, float* y) {
  const int64_t lanes = std::min<int64_t>(length, kWidth);
  for (int64_t first = 0; first < rows; first += kWidth) {
    const int64_t count = std::min<int64_t>(kWidth, rows - first);
    Vector found[kWidth] = {};
    for (int64_t row = 0; row < count; ++row) {
      const float* from = x + (first + row) * length;
      Vector own = load_part(from, lanes);
      int64_t j = kWidth;
      if (length >= 8 * kWidth) {  // four chains: none waits for another
        Vector chains[3] = {load(from + kWidth), load(from + 2 * kWidth), load(from + 3 * kWidth)};
        for (j = 4 * kWidth; j + 4 * kWidth <= length; j += 4 * kWidth) {
          own = Op::join(own, load(from + j));
          for (int k = 0; k < 3; ++k) chains[k] = Op::join(chains[k], load(from + j + (k + 1) * kWidth));
        }
        own = Op::join(Op::join(own, chains[0]), Op::join(chains[1], chains[2]));
      }
      for (; j + kWidth <= length; j += kWidth) own = Op::join(own, load(from + j));
      for (; j < length; ++j) own[0] = Op::join(float{own[0]}, from[j]);
      found[row] = own;
    }
    turn(found);
    Vector joined = found[0];
    for (int64_t lane = 1; lane < lanes; ++lane) joined = Op::join(joined, found[lane]);
    store_part(y + first, joined, count);
  }
}

template <class Op, int... columns>
bool fold_few(std::integer_sequence<int, columns...>, const AlongAxis& shape, const float* x, float* y) {
  return ((shape.inner == columns + 2 && (fold_lanes<Op, columns + 2>(shape.length, x, y), true)) || ...);
}

template <class Op>
void fold_one(const AlongAxis& shape, const float* x, float* y) {
  if (shape.inner < kWidth) fold_few<Op>(std::make_integer_sequence<int, kWidth - 2>{}, shape, x, y);
  else if (shape.inner <= kWidth) fold_vectors<Op, 1>(shape.length, shape.inner, x, y);
  else if (shape.inner <= 2 * kWidth) fold_vectors<Op, 2>(shape.length, shape.inner, x, y);
  else if (shape.inner <= 3 * kWidth) fold_vectors<Op, 3>(shape.length, shape.inner, x, y);
  else fold_vectors<Op, 4>(shape.length, shape.inner, x, y);
}

template <class Op>
void fold(const AlongAxis& shape, const float* x, float* y, const Threads& threads) {
  const double operations = 1.0 * shape.count();
  const int64_t own = shape.length * shape.inner;
  if (shape.inner > 4 * kWidth) {
    const int64_t strips = (shape.inner + kStrip - 1) / kStrip;
    threads.run(shape.outer * strips, operations, [&](int64_t piece) {
      const int64_t outer = piece / strips, start = piece % strips * kStrip;
      fold_columns<Op>(shape.length, shape.inner, std::min(kStrip, shape.inner - start), x + outer * own + start, y + outer * shape.inner + start);
    });
    return;
  }
  const int64_t together = std::max<int64_t>(kWidth, kPiece / own);
  threads.run((shape.outer + together - 1) / together, operations, [&](int64_t piece) {
    const int64_t first = piece * together, end = std::min(shape.outer, first + together);
    if (shape.inner == 1) return fold_rows<Op>(end - first, shape.length, x + first * shape.length, y + first);
    for (int64_t outer = first; outer < end; ++outer) fold_one<Op>(shape, x + outer * own, y + outer * shape.inner);
  });
}

}  // namespace

void fold_along(const AlongAxis& shape, Fold kind, const float* x, float* y, const Threads& threads) {
  if (kind == Fold::kSum) return fold<Sum>(shape, x, y, threads);
  if (kind == Fold::kLargest) return fold<Largest>(shape, x, y, threads);
  fold<Smallest>(shape, x, y, threads);
}

}  // namespace mycelium
