// Products of a few rows with a large matrix: its elements are read once, in order, at the speed of the memory.
#include "product.h"
#include "vectors.h"

namespace mycelium {
namespace {

constexpr int64_t kColumns = 512;  // that one piece computes: what a thread reads at a time lies side by side
constexpr int kTogether = 4;       // rows of the matrix at once

// z[n] = x . y[n] for R rows of x and kTogether rows of y, each `depth` long.
template <int R>
void dots(int64_t depth, const float* x, const float* y, float* z, int64_t pitch, int64_t rows_of_y) {
  Vector sums[R][kTogether] = {};
  const float* lines[kTogether];
  for (int n = 0; n < kTogether; ++n) lines[n] = y + std::min<int64_t>(n, rows_of_y - 1) * depth;
  int64_t k = 0;
  for (; k + kWidth <= depth; k += kWidth) {
    Vector factors[kTogether];
#pragma GCC unroll 4
    for (int n = 0; n < kTogether; ++n) factors[n] = load(lines[n] + k);
#pragma GCC unroll 2
    for (int r = 0; r < R; ++r) {
      const Vector value = load(x + r * depth + k);
#pragma GCC unroll 4
      for (int n = 0; n < kTogether; ++n) add_product(sums[r][n], value, factors[n]);
    }
  }
  for (int r = 0; r < R; ++r)
    for (int n = 0; n < std::min<int64_t>(kTogether, rows_of_y); ++n) {
      float total = 0;
      for (int lane = 0; lane < kWidth; ++lane) total += sums[r][n][lane];
      for (int64_t rest = k; rest < depth; ++rest) total += x[r * depth + rest] * lines[n][rest];
      z[r * pitch + n] = total;
    }
}

// x . y along one row: a single stream is what the processor foresees best.
float dot(int64_t depth, const float* x, const float* y) {
  constexpr int kChains = 4;  // an addition waits for the one before it
  Vector sums[kChains] = {};
  int64_t k = 0;
  for (; k + kChains * kWidth <= depth; k += kChains * kWidth) {
#pragma GCC unroll 4
    for (int i = 0; i < kChains; ++i) add_product(sums[i], load(x + k + i * kWidth), load(y + k + i * kWidth));
  }
  const Vector all_sums = (sums[0] + sums[1]) + (sums[2] + sums[3]);
  float total = 0;
  for (int lane = 0; lane < kWidth; ++lane) total += all_sums[lane];
  for (; k < depth; ++k) total += x[k] * y[k];
  return total;
}

// A row of x is so long that sums of 8 chains suffice; two rows share what is read of y.
void columns_of_dots(const Product& shape, const float* x, const float* y, float* z, int64_t first, int64_t last) {
  if (shape.rows == 1) {
    for (int64_t n = first; n < last; ++n) z[n] = dot(shape.depth, x, y + n * shape.depth);
    return;
  }
  for (int64_t n = first; n < last; n += kTogether) {
    const int64_t left = std::min<int64_t>(kTogether, last - n);
    int64_t r = 0;
    for (; r + 2 <= shape.rows; r += 2) dots<2>(shape.depth, x + r * shape.depth, y + n * shape.depth, z + r * shape.columns + n, shape.columns, left);
    if (r < shape.rows) dots<1>(shape.depth, x + r * shape.depth, y + n * shape.depth, z + r * shape.columns + n, shape.columns, left);
  }
}

// z += x[k] * y[k] for four k at once, over some columns.
void columns_of_sums(const Product& shape, const float* x, const float* y, float* z, int64_t first, int64_t last) {
  for (int64_t r = 0; r < shape.rows; ++r) std::memset(z + r * shape.columns + first, 0, (last - first) * sizeof(float));
  for (int64_t k = 0; k < shape.depth; k += kTogether) {
    const int64_t steps = std::min<int64_t>(kTogether, shape.depth - k);
    const float* lines[kTogether];
    for (int i = 0; i < kTogether; ++i) lines[i] = y + (k + std::min<int64_t>(i, steps - 1)) * shape.columns;
    for (int64_t r = 0; r < shape.rows; ++r) {
      float values[kTogether];
      for (int i = 0; i < kTogether; ++i) values[i] = i < steps ? x[r * shape.depth + k + i] : 0.0f;
      if (steps < kTogether) {  // not a product with 0: there may be an infinity
        for (int i = 0; i < steps; ++i)
          for (int64_t n = first; n < last; ++n) z[r * shape.columns + n] += values[i] * lines[i][n];
        continue;
      }
      float* to = z + r * shape.columns;
      int64_t n = first;
      for (; n + kWidth <= last; n += kWidth) {
        Vector sum = load(to + n);
#pragma GCC unroll 4
        for (int i = 0; i < kTogether; ++i) add_product(sum, all(values[i]), load(lines[i] + n));
        store(to + n, sum);
      }
      for (; n < last; ++n)
        for (int i = 0; i < kTogether; ++i) to[n] += values[i] * lines[i][n];
    }
  }
}

}  // namespace

void multiply_few_rows(const Product& shape, const float* x, const float* y, float* z, const Threads& threads) {
  const int64_t wide = shape.y_turned ? std::max<int64_t>(kTogether, (1 << 18) / shape.depth / kTogether * kTogether) : kColumns;
  // Memory is what takes the time: 8 operations for each number of the matrix, however few the rows are.
  const double operations = 8.0 * shape.columns * shape.depth;
  threads.run((shape.columns + wide - 1) / wide, operations, [&](int64_t piece) {
    const int64_t first = piece * wide;
    (shape.y_turned ? columns_of_dots : columns_of_sums)(shape, x, y, z, first, std::min(shape.columns, first + wide));
  });
}

}  // namespace mycelium
