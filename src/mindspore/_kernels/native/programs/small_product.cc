#include "small_product.h"

#include <algorithm>
#include <cstring>
#include <vector>

// The same source for every processor; the loader picks.
#if defined(__x86_64__) && defined(__linux__) && defined(__GNUC__) && !defined(__clang__)
#define MYCELIUM_FOR_EVERY_PROCESSOR __attribute__((target_clones("avx512f", "fma", "default")))
#else
#define MYCELIUM_FOR_EVERY_PROCESSOR
#endif
#define MYCELIUM_INSIDE inline __attribute__((always_inline))

namespace mycelium {
namespace {

constexpr int kLanes = 16;
constexpr int kRows = 6;  // with 16 columns, what fits into the registers of AVX2
constexpr int kWide = 4;  // vectors of columns for one or two rows
constexpr int64_t kNear = 2048;  // floats of a panel on the stack
typedef float Lanes __attribute__((vector_size(kLanes * sizeof(float)), aligned(4), may_alias));

// Sums for some rows and some vectors of columns, whose rows of b lie `b_row` apart; of the last vector `last` columns exist.
template <int rows, int vectors>
MYCELIUM_INSIDE void tile(const SmallProduct& s, const float* a, const float* b, int64_t b_row, float* c, int64_t last) {
  Lanes sums[rows][vectors] = {};
  for (int64_t k = 0; k < s.depth; ++k) {
    const Lanes* row = reinterpret_cast<const Lanes*>(b + k * b_row);
    for (int r = 0; r < rows; ++r)
      for (int v = 0; v < vectors; ++v) sums[r][v] += a[r * s.a_row + k * s.a_column] * row[v];
  }
  for (int r = 0; r < rows; ++r)
    for (int v = 0; v < vectors; ++v) {
      float* to = c + r * s.c_row + v * kLanes;
      if (v < vectors - 1 || last == kLanes) *reinterpret_cast<Lanes*>(to) = sums[r][v];
      else std::memcpy(to, &sums[r][v], last * sizeof(float));
    }
}

MYCELIUM_INSIDE void panel(const SmallProduct& s, const float* a, const float* b, int64_t b_row, float* c, int64_t columns) {
  int64_t r = 0;
  for (; r + kRows <= s.rows; r += kRows) tile<kRows, 1>(s, a + r * s.a_row, b, b_row, c + r * s.c_row, columns);
  a += r * s.a_row, c += r * s.c_row;
  switch (s.rows - r) {
    case 1: return tile<1, 1>(s, a, b, b_row, c, columns);
    case 2: return tile<2, 1>(s, a, b, b_row, c, columns);
    case 3: return tile<3, 1>(s, a, b, b_row, c, columns);
    case 4: return tile<4, 1>(s, a, b, b_row, c, columns);
    case 5: return tile<5, 1>(s, a, b, b_row, c, columns);
  }
}

// One row, whose columns of b are read as they lie: nothing is copied.
MYCELIUM_INSIDE float sum_of_products(const float* a, const float* b, int64_t count) {
  Lanes sums[2] = {};
  int64_t k = 0;
  for (; k + 2 * kLanes <= count; k += 2 * kLanes)
    for (int i = 0; i < 2; ++i)
      sums[i] += *reinterpret_cast<const Lanes*>(a + k + i * kLanes) * *reinterpret_cast<const Lanes*>(b + k + i * kLanes);
  sums[0] += sums[1];
  float sum = 0;
  for (int i = 0; i < kLanes; ++i) sum += sums[0][i];
  for (; k < count; ++k) sum += a[k] * b[k];
  return sum;
}

}  // namespace

MYCELIUM_FOR_EVERY_PROCESSOR
void multiply(const SmallProduct& s, const float* a, const float* b, float* c) {
  if (s.rows <= 2 && s.a_column == 1 && s.b_row == 1) {
    for (int64_t r = 0; r < s.rows; ++r)
      for (int64_t j = 0; j < s.columns; ++j) c[r * s.c_row + j] = sum_of_products(a + r * s.a_row, b + j * s.b_column, s.depth);
    return;
  }
  float near[kNear];
  std::vector<float> far;
  float* packed = near;
  if (s.depth * kLanes > kNear) far.resize(s.depth * kLanes), packed = far.data();
  int64_t j = 0;
  if (s.rows <= 2 && s.b_column == 1)  // rows of b are read once, several vectors at a time
    for (; j + kWide * kLanes <= s.columns; j += kWide * kLanes) {
      if (s.rows == 2) tile<2, kWide>(s, a, b + j, s.b_row, c + j, kLanes);
      else tile<1, kWide>(s, a, b + j, s.b_row, c + j, kLanes);
    }
  for (; j < s.columns; j += kLanes) {
    const int64_t columns = std::min<int64_t>(kLanes, s.columns - j);
    const float* from = b + j * s.b_column;
    int64_t row = s.b_row;
    if (s.b_column != 1 || columns < kLanes) {  // into order, with zeros behind
      if (columns < kLanes) std::memset(packed, 0, s.depth * kLanes * sizeof(float));
      for (int64_t n = 0; n < columns; ++n)
        for (int64_t k = 0; k < s.depth; ++k) packed[k * kLanes + n] = from[k * s.b_row + n * s.b_column];
      from = packed, row = kLanes;
    }
    panel(s, a, from, row, c + j, columns);
  }
}

}  // namespace mycelium
