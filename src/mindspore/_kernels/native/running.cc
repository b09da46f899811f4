// What runs along an axis step by step: extremes, products, linear recurrences, logarithms of sums.
#include <cmath>

#include "reductions.h"
#include "vectors.h"

namespace mycelium {
namespace {

constexpr int64_t kStrip = 64;  // places behind the axis that are taken along it together
constexpr int64_t kRows = 8;    // rows that are taken along together: a step waits for the one before it

// Calls step(place of the element, place of the one before it or -1, lane) along the axis, for all lanes of a strip at every step.
template <class Step>
void along(const AlongAxis& shape, bool backward, double operations, const Threads& threads, Step step) {
  const bool rows = shape.inner == 1;
  const int64_t width = rows ? kRows : kStrip, lanes = rows ? shape.outer : shape.inner;
  const int64_t strips = (lanes + width - 1) / width, blocks = rows ? 1 : shape.outer;
  const int64_t across = rows ? shape.length : 1, onward = (backward ? -1 : 1) * (rows ? 1 : shape.inner);
  threads.run(blocks * strips, operations * shape.count(), [&](int64_t piece) {
    const int64_t block = piece / strips, lane = piece % strips * width, count = std::min(width, lanes - lane);
    int64_t at = block * shape.length * shape.inner + lane * across + (backward ? -(shape.length - 1) * onward : 0);
    for (int64_t i = 0; i < count; ++i) step(at + i * across, int64_t{-1}, int64_t{0});
    for (int64_t j = 1; j < shape.length; ++j) {
      at += onward;
      for (int64_t i = 0; i < count; ++i) step(at + i * across, at + i * across - onward, j);
    }
  });
}

}  // namespace

// Rows, some at a time: what was found so far stays in registers.
template <class Number, class GoesOn>
static void running_extreme_of_rows(const AlongAxis& shape, const Number* x, Number* y, int32_t* places, const Threads& threads, GoesOn goes_on) {
  threads.run((shape.outer + kRows - 1) / kRows, 4.0 * shape.count(), [&](int64_t piece) {
    const int64_t first = piece * kRows, count = std::min(kRows, shape.outer - first), length = shape.length;
    const auto go = [&](auto rows, int64_t start) __attribute__((always_inline)) {
      constexpr int kTogether = decltype(rows)::value;
      const int64_t at = (first + start) * length;
      Number best[kTogether];
      int32_t where[kTogether] = {};
      for (int row = 0; row < kTogether; ++row) best[row] = x[at + row * length];
      for (int64_t j = 0; j < length; ++j) {
#pragma GCC unroll 8
        for (int row = 0; row < kTogether; ++row) {
          const Number next = x[at + row * length + j];
          const bool own = goes_on(next, best[row]) | (next != next);
          best[row] = own ? next : best[row];
          where[row] = own ? static_cast<int32_t>(j) : where[row];
          y[at + row * length + j] = best[row];
          places[at + row * length + j] = where[row];
        }
      }
    };
    int64_t row = 0;
    for (; row + 4 <= count; row += 4) go(std::integral_constant<int, 4>{}, row);
    for (; row < count; ++row) go(std::integral_constant<int, 1>{}, row);
  });
}

template <class Number>
void running_extreme(const AlongAxis& shape, bool largest, const Number* x, Number* y, int32_t* places, const Threads& threads) {
  const auto run = [&](auto goes_on) {
    if (shape.inner == 1) return running_extreme_of_rows(shape, x, y, places, threads, goes_on);
    along(shape, false, 4, threads, [&](int64_t at, int64_t before, int64_t j) {
      const bool own = before < 0 || goes_on(x[at], y[before]) || x[at] != x[at];
      y[at] = own ? x[at] : y[before];
      places[at] = own ? static_cast<int32_t>(j) : places[before];
    });
  };
  // what stood there may be NaN: then nothing compares
  if (largest) run([](Number next, Number best) { return next >= best; });
  else run([](Number next, Number best) { return next <= best; });
}

template void running_extreme<float>(const AlongAxis&, bool, const float*, float*, int32_t*, const Threads&);
template void running_extreme<double>(const AlongAxis&, bool, const double*, double*, int32_t*, const Threads&);
template void running_extreme<int32_t>(const AlongAxis&, bool, const int32_t*, int32_t*, int32_t*, const Threads&);
template void running_extreme<int64_t>(const AlongAxis&, bool, const int64_t*, int64_t*, int32_t*, const Threads&);

void linear_recurrence(const AlongAxis& shape, bool backward, const float* a, const float* b, float* y, const Threads& threads) {
  along(shape, backward, 3, threads, [&](int64_t at, int64_t before, int64_t) {
    y[at] = before < 0 ? b[at] : std::fma(a[at], y[before], b[at]);
  });
}

void running_product(const AlongAxis& shape, bool backward, const float* x, float* y, const Threads& threads) {
  along(shape, backward, 3, threads, [&](int64_t at, int64_t before, int64_t) { y[at] = before < 0 ? x[at] : y[before] * x[at]; });
}

void running_log_sum(const AlongAxis& shape, bool backward, const float* x, float* y, const Threads& threads) {
  along(shape, backward, 40, threads, [&](int64_t at, int64_t before, int64_t) {
    if (before < 0) {
      y[at] = x[at];
      return;
    }
    const float larger = std::fmax(y[before], x[at]), gap = -std::fabs(y[before] - x[at]);
    y[at] = std::isnan(y[before]) || std::isnan(x[at]) ? NAN : std::isinf(larger) ? larger : larger + std::log1p(std::exp(gap));
  });
}

}  // namespace mycelium
