// Products of integers: tiles of a few rows and two vectors of columns stay in registers. XLA adds them up one by one.
#include "integer_product.h"

#include <type_traits>

#include "vectors.h"

namespace mycelium {
namespace {

constexpr int kTile = 4;  // rows

template <class Number>
struct Lanes {
  using Word = std::make_unsigned_t<Number>;  // which wraps around
  static constexpr int kCount = kWidth * 4 / sizeof(Number);
  typedef Word Type __attribute__((vector_size(kWidth * 4), aligned(sizeof(Word)), may_alias));
};

template <class Number, int R>
void tile(int64_t columns, int64_t depth, const Number* x, const Number* y, Number* z) {
  using V = typename Lanes<Number>::Type;
  constexpr int kCount = Lanes<Number>::kCount;
  V sums[R][2] = {};
  for (int64_t k = 0; k < depth; ++k) {
    const V first = *reinterpret_cast<const V*>(y + k * columns), second = *reinterpret_cast<const V*>(y + k * columns + kCount);
#pragma GCC unroll 4
    for (int r = 0; r < R; ++r) {
      const auto factor = static_cast<typename Lanes<Number>::Word>(x[r * depth + k]);
      sums[r][0] += factor * first, sums[r][1] += factor * second;
    }
  }
  for (int r = 0; r < R; ++r) {
    *reinterpret_cast<V*>(z + r * columns) = sums[r][0];
    *reinterpret_cast<V*>(z + r * columns + kCount) = sums[r][1];
  }
}

// The columns that do not fill two vectors.
template <class Number>
void rest(int64_t from, int64_t rows, int64_t columns, int64_t depth, const Number* x, const Number* y, Number* z) {
  using Word = typename Lanes<Number>::Word;
  for (int64_t i = 0; i < rows; ++i)
    for (int64_t j = from; j < columns; ++j) {
      Word sum = 0;
      for (int64_t k = 0; k < depth; ++k) sum += static_cast<Word>(x[i * depth + k]) * static_cast<Word>(y[k * columns + j]);
      z[i * columns + j] = static_cast<Number>(sum);
    }
}

}  // namespace

template <class Number>
void integer_product(int64_t batch, int64_t rows, int64_t columns, int64_t depth, const Number* x, const Number* y, Number* z,
                     const Threads& threads) {
  constexpr int64_t kPanel = 2 * Lanes<Number>::kCount;
  constexpr int64_t kTogether = 16 * kTile;  // rows of a piece of work
  const int64_t strips = (rows + kTogether - 1) / kTogether, whole = columns / kPanel * kPanel;
  threads.run(batch * strips, 0.3 * batch * rows * columns * depth, [&](int64_t piece) {
    const int64_t number = piece / strips, first = piece % strips * kTogether, last = std::min(rows, first + kTogether);
    const Number* right = y + number * depth * columns;
    const Number* left = x + number * rows * depth;
    Number* to = z + number * rows * columns;
    for (int64_t j = 0; j < whole; j += kPanel) {
      int64_t i = first;
      for (; i + kTile <= last; i += kTile) tile<Number, kTile>(columns, depth, left + i * depth, right + j, to + i * columns + j);
      for (; i < last; ++i) tile<Number, 1>(columns, depth, left + i * depth, right + j, to + i * columns + j);
    }
    rest(whole, last - first, columns, depth, left + first * depth, right, to + first * columns);
  });
}
template void integer_product<int32_t>(int64_t, int64_t, int64_t, int64_t, const int32_t*, const int32_t*, int32_t*, const Threads&);
template void integer_product<int64_t>(int64_t, int64_t, int64_t, int64_t, const int64_t*, const int64_t*, int64_t*, const Threads&);

}  // namespace mycelium
