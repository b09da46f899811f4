// Sums along an axis: of integers, truth values, float64, and of halves in float32.
#include "reductions.h"

#include <cmath>
#include <vector>

#include "vectors.h"

namespace mycelium {
namespace {

constexpr int64_t kStrip = 128;  // elements behind the axis that are added together
constexpr int64_t kLongest = 1 << 15;  // elements of a row that one thread adds up

constexpr int kGroup = 32;  // elements that are read at once

template <class Sum, class Number>
struct Plain {
  static constexpr bool kDirect = true;
  const Number* x;
  void read(int64_t at, int64_t count, Sum* to) const {
    for (int64_t i = 0; i < count; ++i) to[i] = static_cast<Sum>(x[at + i]);
  }
};

struct Bfloat16 {
  static constexpr bool kDirect = false;
  const uint16_t* x;
  void read(int64_t at, int64_t count, float* to) const {
    for (int64_t i = 0; i < count; ++i) {
      const uint32_t wide = uint32_t{x[at + i]} << 16;
      std::memcpy(to + i, &wide, sizeof(wide));
    }
  }
};

struct Float16 {
  static constexpr bool kDirect = false;
  const uint16_t* x;
  void read(int64_t at, int64_t count, float* to) const {
    int64_t i = 0;
#ifdef __F16C__
#ifdef __AVX512F__  // halves of vectors, stored, could not be read again as whole ones
    for (; i + 16 <= count; i += 16)
      _mm512_storeu_ps(to + i, _mm512_cvtph_ps(_mm256_loadu_si256(reinterpret_cast<const __m256i*>(x + at + i))));
#endif
    for (; i + 8 <= count; i += 8)
      _mm256_storeu_ps(to + i, _mm256_cvtph_ps(_mm_loadu_si128(reinterpret_cast<const __m128i*>(x + at + i))));
#endif
    for (; i < count; ++i) to[i] = widened(x[at + i]);
  }
  static float widened(uint16_t bits) {
    const int exponent = bits >> 10 & 31, digits = bits & 1023;
    const float sign = bits & 0x8000 ? -1.0f : 1.0f;
    if (exponent == 31) return digits != 0 ? NAN : sign * INFINITY;
    return sign * (exponent == 0 ? std::ldexp(static_cast<float>(digits), -24) : std::ldexp(static_cast<float>(digits + 1024), exponent - 25));
  }
};

uint16_t rounded(float value, Half kind) {
  uint32_t bits;
  std::memcpy(&bits, &value, sizeof(bits));
  if (kind == Half::kBfloat16) {
    if (value != value) return 0x7fc0 | (bits >> 16 & 0x8000);
    return (bits + 0x7fff + (bits >> 16 & 1)) >> 16;
  }
  const uint32_t sign = bits >> 16 & 0x8000, size = bits & 0x7fffffff;
  if (size > 0x7f800000) return sign | 0x7e00;
  if (size >= 0x477ff000) return sign | 0x7c00;  // rounds to 2^16 or more
  if (size < 0x38800000) {  // below the normal numbers: an addition rounds
    float scaled;
    std::memcpy(&scaled, &size, sizeof(scaled));
    scaled += 0.5f;
    uint32_t found;
    std::memcpy(&found, &scaled, sizeof(found));
    return sign | (found - 0x3f000000);
  }
  return sign | ((size + 0xfff + (size >> 13 & 1) - 0x38000000) >> 13);
}

// The sum of a run of elements: element k goes to sum k % kGroup, and these are added in pairs.
template <class Sum, class Read>
Sum sum_of_run(const Read& read, int64_t start, int64_t count) {
  Sum sums[kGroup] = {}, values[kGroup];
  int64_t i = 0;
  for (; i + kGroup <= count; i += kGroup) {
    if constexpr (Read::kDirect) {
      for (int k = 0; k < kGroup; ++k) sums[k] += static_cast<Sum>(read.x[start + i + k]);
      continue;
    }
    read.read(start + i, kGroup, values);
    for (int k = 0; k < kGroup; ++k) sums[k] += values[k];
  }
  read.read(start + i, count - i, values);
  for (int k = 0; i + k < count; ++k) sums[k] += values[k];
  for (int half = kGroup / 2; half > 0; half /= 2)
    for (int k = 0; k < half; ++k) sums[k] += sums[k + half];
  return sums[0];
}

template <class Sum, class Read, class Write>
void sum_rows(const AlongAxis& shape, const Read& read, Write write, const Threads& threads) {
  if (shape.inner == 1 && shape.length > kLongest) {  // parts of a row, added in order
    const int64_t parts = (shape.length + kLongest - 1) / kLongest;
    std::vector<Sum> sums(shape.outer * parts);
    threads.run(shape.outer * parts, 1.0 * shape.count(), [&](int64_t piece) {
      const int64_t row = piece / parts, start = piece % parts * kLongest;
      sums[piece] = sum_of_run<Sum>(read, row * shape.length + start, std::min(kLongest, shape.length - start));
    });
    for (int64_t row = 0; row < shape.outer; ++row) {
      Sum total = 0;
      for (int64_t part = 0; part < parts; ++part) total += sums[row * parts + part];
      write(row, total);
    }
    return;
  }
  if (shape.inner == 1) {
    const int64_t together = std::max<int64_t>(1, 16384 / shape.length);
    threads.run((shape.outer + together - 1) / together, 1.0 * shape.count(), [&](int64_t piece) {
      for (int64_t row = piece * together; row < std::min(shape.outer, (piece + 1) * together); ++row)
        write(row, sum_of_run<Sum>(read, row * shape.length, shape.length));
    });
    return;
  }
  const int64_t strips = (shape.inner + kStrip - 1) / kStrip;
  threads.run(shape.outer * strips, 1.0 * shape.count(), [&](int64_t piece) {
    const int64_t outer = piece / strips, start = piece % strips * kStrip, count = std::min(kStrip, shape.inner - start);
    Sum sums[kStrip] = {}, values[kStrip];
    const auto add = [&](int64_t many) __attribute__((always_inline)) {
      for (int64_t j = 0; j < shape.length; ++j) {
        read.read((outer * shape.length + j) * shape.inner + start, many, values);
        for (int64_t i = 0; i < many; ++i) sums[i] += values[i];
      }
    };
    if (count == kStrip) add(kStrip);
    else add(count);
    for (int64_t i = 0; i < count; ++i) write(outer * shape.inner + start + i, sums[i]);
  });
}

}  // namespace

void sum_along(const AlongAxis& shape, const int32_t* x, int64_t* y, const Threads& threads) {
  sum_rows<int64_t>(shape, Plain<int64_t, int32_t>{x}, [&](int64_t i, int64_t sum) { y[i] = sum; }, threads);
}
void sum_along(const AlongAxis& shape, const int64_t* x, int64_t* y, const Threads& threads) {
  sum_rows<int64_t>(shape, Plain<int64_t, int64_t>{x}, [&](int64_t i, int64_t sum) { y[i] = sum; }, threads);
}
void sum_along(const AlongAxis& shape, const uint8_t* x, int64_t* y, const Threads& threads) {
  if (shape.length < int64_t{1} << 31)  // 32 bits hold the number of true elements
    return sum_rows<uint32_t>(shape, Plain<uint32_t, uint8_t>{x}, [&](int64_t i, uint32_t sum) { y[i] = sum; }, threads);
  sum_rows<int64_t>(shape, Plain<int64_t, uint8_t>{x}, [&](int64_t i, int64_t sum) { y[i] = sum; }, threads);
}
void sum_along(const AlongAxis& shape, const double* x, double* y, const Threads& threads) {
  sum_rows<double>(shape, Plain<double, double>{x}, [&](int64_t i, double sum) { y[i] = sum; }, threads);
}
void sum_along(const AlongAxis& shape, Half kind, const uint16_t* x, uint16_t* y, const Threads& threads) {
  const auto write = [&](int64_t i, float sum) { y[i] = rounded(sum, kind); };
  if (kind == Half::kBfloat16) return sum_rows<float>(shape, Bfloat16{x}, write, threads);
  sum_rows<float>(shape, Float16{x}, write, threads);
}

template <class Number, bool Largest>
static void extremes(const AlongAxis& shape, const Number* x, Number* y, const Threads& threads) {
  const auto better = [](Number a, Number b) __attribute__((always_inline)) { return Largest ? (a > b ? a : b) : (a < b ? a : b); };
  const int64_t together = shape.inner > 1 ? 1 : std::max<int64_t>(1, 16384 / shape.length);
  threads.run((shape.outer + together - 1) / together, 1.0 * shape.count(), [&](int64_t piece) {
    for (int64_t outer = piece * together; outer < std::min(shape.outer, (piece + 1) * together); ++outer) {
      const Number* from = x + outer * shape.length * shape.inner;
      Number* to = y + outer * shape.inner;
      if (shape.inner > 1) {
        std::copy(from, from + shape.inner, to);
        for (int64_t j = 1; j < shape.length; ++j)
          for (int64_t i = 0; i < shape.inner; ++i) to[i] = better(to[i], from[j * shape.inner + i]);
        continue;
      }
      Number lanes[kStrip], found = from[0];
      std::fill(lanes, lanes + kStrip, found);
      int64_t j = 0;
      for (; j + kStrip <= shape.length; j += kStrip)
        for (int64_t k = 0; k < kStrip; ++k) lanes[k] = better(lanes[k], from[j + k]);
      for (int64_t k = 0; k < kStrip; ++k) found = better(found, lanes[k]);
      for (; j < shape.length; ++j) found = better(found, from[j]);
      *to = found;
    }
  });
}

template <class Number>
void extreme_along(const AlongAxis& shape, bool largest, const Number* x, Number* y, const Threads& threads) {
  (largest ? extremes<Number, true> : extremes<Number, false>)(shape, x, y, threads);
}
template void extreme_along<int8_t>(const AlongAxis&, bool, const int8_t*, int8_t*, const Threads&);
template void extreme_along<uint8_t>(const AlongAxis&, bool, const uint8_t*, uint8_t*, const Threads&);
template void extreme_along<int32_t>(const AlongAxis&, bool, const int32_t*, int32_t*, const Threads&);
template void extreme_along<int64_t>(const AlongAxis&, bool, const int64_t*, int64_t*, const Threads&);

}  // namespace mycelium
