// Running sums of the weights, and in them the place of a random share of their total.
#include "drawing.h"

#include <vector>

namespace mycelium {
namespace {

constexpr int64_t kParts = 8;  // of a row, that are summed side by side: each addition waits for the one before it

// Running sums in float64. They never fall, and stay where they are at a weight of 0.
void running_sums(const float* weights, int64_t length, double* sums) {
  const int64_t part = length / kParts;
  double own[kParts] = {};
  for (int64_t i = 0; i < part; ++i)
    for (int64_t k = 0; k < kParts; ++k) sums[k * part + i] = own[k] += weights[k * part + i];
  double before = 0;
  for (int64_t k = 0; k < kParts; ++k) {
    for (int64_t i = 0; i < part; ++i) sums[k * part + i] += before;
    before += own[k];
  }
  for (int64_t i = kParts * part; i < length; ++i) sums[i] = before += weights[i];
}

}  // namespace

void draw_places(int64_t rows, int64_t length, int64_t count, const float* weights, const uint64_t* bits, int32_t* places,
                 const Threads& threads) {
  threads.run(rows, 2.0 * rows * length + 100.0 * rows * count, [&](int64_t row) {
    thread_local std::vector<double> sums;
    sums.resize(length);
    running_sums(weights + row * length, length, sums.data());
    const double total = sums[length - 1];
    const int64_t last = std::lower_bound(sums.begin(), sums.end(), total) - sums.begin();  // where the total is reached
    for (int64_t i = row * count; i < (row + 1) * count; ++i) {
      const double wanted = static_cast<double>(bits[i] >> 11) * 0x1p-53 * total;
      const int64_t place = std::upper_bound(sums.begin(), sums.end(), wanted) - sums.begin();
      places[i] = static_cast<int32_t>(std::max<int64_t>(0, std::min({place, last, length - 1})));
    }
  });
}

}  // namespace mycelium
