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

// A place as an unsigned number: no length is as large as one that is not there.
template <bool Wraps, class Index>
inline uint64_t place_of(Index place, int64_t length) {
  const int64_t own = place;
  return static_cast<uint64_t>(Wraps && own < 0 ? own + length : own);
}

template <bool Wraps, class Word, class Index>
void take_words(const AlongAxis& x, int64_t count, const Word* from, const Index* places, Word* y, const Threads& threads) {
  const uint64_t length = x.length;
  in_parts(x, count, threads, [&](int64_t outer, int64_t start, int64_t end) {
    const Word* source = from + outer * x.length * x.inner;
    if (x.inner == 1) {
      const Index* own = places + outer * count;
      for (int64_t j = 0; j < count; ++j) {
        const uint64_t place = place_of<Wraps>(own[j], x.length);
        y[outer * count + j] = place < length ? source[place] : Word{0};
      }
      return;
    }
    for (int64_t j = 0; j < count; ++j) {
      const int64_t row = (outer * count + j) * x.inner;
      for (int64_t i = start; i < end; ++i) {
        const uint64_t place = place_of<Wraps>(places[row + i], x.length);
        y[row + i] = place < length ? source[place * x.inner + i] : Word{0};
      }
    }
  });
}

template <bool Wraps, class Index>
void add_floats(const AlongAxis& x, int64_t count, const float* y, const Index* places, float* to, const Threads& threads) {
  const uint64_t length = x.length;
  in_parts(x, count, threads, [&](int64_t outer, int64_t start, int64_t end) {
    float* target = to + outer * x.length * x.inner;
    if (x.inner == 1) {
      const Index* own = places + outer * count;
      std::memset(target, 0, x.length * sizeof(float));
      for (int64_t j = 0; j < count; ++j) {
        const uint64_t place = place_of<Wraps>(own[j], x.length);
        if (place < length) target[place] += y[outer * count + j];
      }
      return;
    }
    for (int64_t k = 0; k < x.length; ++k) std::memset(target + k * x.inner + start, 0, (end - start) * sizeof(float));
    for (int64_t j = 0; j < count; ++j) {
      const int64_t row = (outer * count + j) * x.inner;
      for (int64_t i = start; i < end; ++i) {
        const uint64_t place = place_of<Wraps>(places[row + i], x.length);
        if (place < length) target[place * x.inner + i] += y[row + i];
      }
    }
  });
}

}  // namespace

template <class Index>
void take_along(const AlongAxis& x, int64_t count, int64_t bytes, bool wraps, const void* from, const Index* places, void* y,
                const Threads& threads) {
  const auto by = [&](auto word) {
    using Word = decltype(word);
    (wraps ? take_words<true, Word, Index> : take_words<false, Word, Index>)(
        x, count, static_cast<const Word*>(from), places, static_cast<Word*>(y), threads);
  };
  if (bytes == 1) return by(uint8_t{});
  if (bytes == 2) return by(uint16_t{});
  if (bytes == 4) return by(uint32_t{});
  by(uint64_t{});
}
template void take_along<int32_t>(const AlongAxis&, int64_t, int64_t, bool, const void*, const int32_t*, void*, const Threads&);
template void take_along<int64_t>(const AlongAxis&, int64_t, int64_t, bool, const void*, const int64_t*, void*, const Threads&);

template <class Index>
void add_along(const AlongAxis& x, int64_t count, bool wraps, const float* y, const Index* places, float* to, const Threads& threads) {
  (wraps ? add_floats<true, Index> : add_floats<false, Index>)(x, count, y, places, to, threads);
}
template void add_along<int32_t>(const AlongAxis&, int64_t, bool, const float*, const int32_t*, float*, const Threads&);
template void add_along<int64_t>(const AlongAxis&, int64_t, bool, const float*, const int64_t*, float*, const Threads&);

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
