// Distances: differences of a few rows at a time with vectors of other rows, which are turned first so that sums need no adding up.
#include "distances.h"

#include <vector>

#include "vectors.h"

namespace mycelium {
namespace {

constexpr int kTile = 6;  // rows of x whose sums with two vectors of rows of y stay in registers

inline Vector size_of(Vector v) {
  const Mask bits = reinterpret_cast<const Mask&>(v) & 0x7fffffff;
  return reinterpret_cast<const Vector&>(bits);
}

template <Norm N>
inline __attribute__((always_inline)) void add(Vector& sum, Vector gap) {
  if (N == Norm::kSquare) add_product(sum, gap, gap);
  if (N == Norm::kAbsolute) sum += size_of(gap);
  if (N == Norm::kLargest) {
    const Mask size = bits_of(size_of(gap)), largest = bits_of(sum);  // ordered as the sizes are, NaN above infinity
    sum = floats_of(size > largest ? size : largest);
  }
}

// R rows of x against two vectors of rows of y, whose elements k lie side by side in `packed`.
template <Norm N, int R>
void tile(int64_t depth, const float* x, const float* packed, float (*out)[kLanes]) {
  Vector sums[R][2] = {};
  for (int64_t k = 0; k < depth; ++k) {
    const Vector first = load(packed + k * kLanes), second = load(packed + k * kLanes + kWidth);
#pragma GCC unroll 8
    for (int r = 0; r < R; ++r) {
      const Vector value = all(x[r * depth + k]);
      add<N>(sums[r][0], value - first), add<N>(sums[r][1], value - second);
    }
  }
  for (int r = 0; r < R; ++r) store(out[r], sums[r][0]), store(out[r] + kWidth, sums[r][1]);
}

template <Norm N>
void tiles(int64_t rows, int64_t columns, int64_t depth, const float* x, const float* packed, int64_t first, float* z) {
  const int64_t lanes = std::min<int64_t>(kLanes, columns - first);
  float out[kTile][kLanes];
  for (int64_t i = 0; i < rows; i += kTile) {
    const int64_t many = std::min<int64_t>(kTile, rows - i);
    if (many == kTile) tile<N, kTile>(depth, x + i * depth, packed, out);
    else
      for (int64_t r = 0; r < many; ++r) tile<N, 1>(depth, x + (i + r) * depth, packed, out + r);
    for (int64_t r = 0; r < many; ++r) std::memcpy(z + (i + r) * columns + first, out[r], lanes * sizeof(float));
  }
}

}  // namespace

void distances(int64_t batch, int64_t rows, int64_t columns, int64_t depth, Norm norm, const float* x, const float* y, float* z,
               const Threads& threads) {
  const int64_t panels = (columns + kLanes - 1) / kLanes;
  threads.run(batch * panels, 0.2 * batch * rows * columns * depth, [&](int64_t piece) {
    const int64_t number = piece / panels, first = piece % panels * kLanes, count = std::min<int64_t>(kLanes, columns - first);
    std::vector<float> packed(depth * kLanes);
    for (int64_t j = 0; j < count; ++j)
      for (int64_t k = 0; k < depth; ++k) packed[k * kLanes + j] = y[(number * columns + first + j) * depth + k];
    const auto run = norm == Norm::kSquare ? tiles<Norm::kSquare> : norm == Norm::kAbsolute ? tiles<Norm::kAbsolute> : tiles<Norm::kLargest>;
    run(rows, columns, depth, x + number * rows * depth, packed.data(), first, z + number * rows * columns);
  });
}

}  // namespace mycelium
