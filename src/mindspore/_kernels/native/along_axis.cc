// Elements picked along an axis and the way back, and running sums.
#include "arrays.h"

#include "vectors.h"

namespace mycelium {
namespace {

constexpr int64_t kStrip = 512;  // elements behind the axis that are treated together

// Work on parts of an array that do not meet: some of what lies before the axis, or a strip of what lies behind it.
template <class Work>
void in_parts(const AlongAxis& shape, int64_t count, const Threads& threads, Work work) {
  const int64_t strips = (shape.inner + kStrip - 1) / kStrip;
  const int64_t together = std::max<int64_t>(1, 16384 / (std::max(count, shape.length) * std::min(shape.inner, kStrip)));
  const int64_t pieces = (shape.outer + together - 1) / together;
  threads.run(pieces * strips, 4.0 * shape.outer * std::max(count, shape.length) * shape.inner, [&](int64_t piece) {
    const int64_t first = piece / strips * together, start = piece % strips * kStrip;
    for (int64_t outer = first; outer < std::min(shape.outer, first + together); ++outer)
      work(outer, start, std::min(shape.inner, start + kStrip));
  });
}

}  // namespace

void take_along(const AlongAxis& x, int64_t count, const float* from, const int32_t* places, float* y, const Threads& threads) {
  const uint32_t length = static_cast<uint32_t>(x.length);
  in_parts(x, count, threads, [&](int64_t outer, int64_t start, int64_t end) {
    const float* source = from + outer * x.length * x.inner;
    if (x.inner == 1) {
      const int32_t* own = places + outer * count;
      for (int64_t j = 0; j < count; ++j) y[outer * count + j] = static_cast<uint32_t>(own[j]) < length ? source[own[j]] : 0.0f;
      return;
    }
    for (int64_t j = 0; j < count; ++j) {
      const int64_t row = (outer * count + j) * x.inner;
      for (int64_t i = start; i < end; ++i) {
        const uint32_t place = places[row + i];
        y[row + i] = place < length ? source[place * x.inner + i] : 0.0f;
      }
    }
  });
}

void add_along(const AlongAxis& x, int64_t count, const float* y, const int32_t* places, float* to, const Threads& threads) {
  const uint32_t length = static_cast<uint32_t>(x.length);
  in_parts(x, count, threads, [&](int64_t outer, int64_t start, int64_t end) {
    float* target = to + outer * x.length * x.inner;
    if (x.inner == 1) {
      const int32_t* own = places + outer * count;
      std::memset(target, 0, x.length * sizeof(float));
      for (int64_t j = 0; j < count; ++j)
        if (static_cast<uint32_t>(own[j]) < length) target[own[j]] += y[outer * count + j];
      return;
    }
    for (int64_t k = 0; k < x.length; ++k) std::memset(target + k * x.inner + start, 0, (end - start) * sizeof(float));
    for (int64_t j = 0; j < count; ++j) {
      const int64_t row = (outer * count + j) * x.inner;
      for (int64_t i = start; i < end; ++i) {
        const uint32_t place = places[row + i];
        if (place < length) target[place * x.inner + i] += y[row + i];
      }
    }
  });
}

// Along a row: sums of vectors' elements step by step, on top of what came before.
template <class Number>
static void running_sum_of_row(int64_t length, bool backward, const Number* x, Number* y) {
  Number sum = 0;
  if (backward)
    for (int64_t i = length - 1; i >= 0; --i) y[i] = sum += x[i];
  else
    for (int64_t i = 0; i < length; ++i) y[i] = sum += x[i];
}

// Four rows at once: each addition waits for the one before it in its row alone.
template <class Number>
static void running_sum_of_rows(int64_t length, bool backward, const Number* x, Number* y) {
  Number sums[4] = {};
  for (int64_t i = 0; i < length; ++i) {
    const int64_t at = backward ? length - 1 - i : i;
    for (int row = 0; row < 4; ++row) y[row * length + at] = sums[row] += x[row * length + at];
  }
}

template <class Number>
void running_sum(const AlongAxis& shape, bool backward, const Number* x, Number* y, const Threads& threads) {
  if (shape.inner == 1) {
    constexpr int64_t kRows = 4;
    threads.run((shape.outer + kRows - 1) / kRows, 4.0 * shape.count(), [&](int64_t piece) {
      const int64_t first = piece * kRows, at = first * shape.length;
      if (first + kRows <= shape.outer) return running_sum_of_rows(shape.length, backward, x + at, y + at);
      for (int64_t row = first; row < shape.outer; ++row)
        running_sum_of_row(shape.length, backward, x + row * shape.length, y + row * shape.length);
    });
    return;
  }
  in_parts(shape, shape.length, threads, [&](int64_t outer, int64_t start, int64_t end) {
    const int64_t step = backward ? -shape.inner : shape.inner;
    int64_t at = (outer * shape.length + (backward ? shape.length - 1 : 0)) * shape.inner;
    for (int64_t i = start; i < end; ++i) y[at + i] = x[at + i];
    for (int64_t j = 1; j < shape.length; ++j) {
      at += step;
      for (int64_t i = start; i < end; ++i) y[at + i] = y[at - step + i] + x[at + i];
    }
  });
}

template void running_sum<float>(const AlongAxis&, bool, const float*, float*, const Threads&);
template void running_sum<double>(const AlongAxis&, bool, const double*, double*, const Threads&);
template void running_sum<int32_t>(const AlongAxis&, bool, const int32_t*, int32_t*, const Threads&);
template void running_sum<int64_t>(const AlongAxis&, bool, const int64_t*, int64_t*, const Threads&);

}  // namespace mycelium
