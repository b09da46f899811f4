// Sums along an axis: of integers, truth values, float64, and of halves in float32.
#include "reductions.h"

#include <cmath>
#include <vector>

#include "halves.h"
#include "vectors.h"

namespace mycelium {
namespace {

constexpr int64_t kStrip = 128;  // elements behind the axis that are added together
constexpr int64_t kWide = 512;   // elements behind the axis of which the extremes are kept together
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
  Vector vector(int64_t at) const {
#if defined(__AVX512F__) && MYCELIUM_LANES == 16
    const __m512i wide = _mm512_cvtepu16_epi32(_mm256_loadu_si256(reinterpret_cast<const __m256i*>(x + at)));
    return _mm512_castsi512_ps(_mm512_slli_epi32(wide, 16));
#elif defined(__AVX2__) && MYCELIUM_LANES == 8
    const __m256i wide = _mm256_cvtepu16_epi32(_mm_loadu_si128(reinterpret_cast<const __m128i*>(x + at)));
    return _mm256_castsi256_ps(_mm256_slli_epi32(wide, 16));
#else
    float parts[kWidth];
    for (int i = 0; i < kWidth; ++i) parts[i] = widened(x[at + i]);
    return load(parts);
#endif
  }
  void read(int64_t at, int64_t count, float* to) const {
    int64_t i = 0;
    for (; i + kWidth <= count; i += kWidth) store(to + i, vector(at + i));
    for (; i < count; ++i) to[i] = widened(x[at + i]);
  }
  static float widened(uint16_t bits) { return widened_bfloat(bits); }
};

struct Float16 {
  static constexpr bool kDirect = false;
  const uint16_t* x;
  Vector vector(int64_t at) const {
#if defined(__AVX512F__) && MYCELIUM_LANES == 16
    return _mm512_cvtph_ps(_mm256_loadu_si256(reinterpret_cast<const __m256i*>(x + at)));
#elif defined(__F16C__) && MYCELIUM_LANES == 8
    return _mm256_cvtph_ps(_mm_loadu_si128(reinterpret_cast<const __m128i*>(x + at)));
#else
    float parts[kWidth];
    for (int i = 0; i < kWidth; ++i) parts[i] = widened(x[at + i]);
    return load(parts);
#endif
  }
  void read(int64_t at, int64_t count, float* to) const {
    int64_t i = 0;
    for (; i + kWidth <= count; i += kWidth) store(to + i, vector(at + i));
    for (; i < count; ++i) to[i] = widened(x[at + i]);
  }
  static float widened(uint16_t bits) { return widened_half(bits); }
};

// What many lanes hold becomes one: halves are joined, then quarters, ...
template <int64_t lanes, class Number, class Join>
inline __attribute__((always_inline)) void join_lanes(Number* found, Join join) {
  if constexpr (lanes > 1) {
    constexpr int64_t kHalf = lanes / 2;
    Number joined[kHalf];
    for (int64_t k = 0; k < kHalf; ++k) joined[k] = join(found[k], found[k + kHalf]);
    for (int64_t k = 0; k < kHalf; ++k) found[k] = joined[k];
    join_lanes<kHalf>(found, join);
  }
}

// The sum of a run of elements: element k goes to sum k % kGroup, and these are added in pairs.
template <class Sum, class Read>
Sum sum_of_run(const Read& given, int64_t start, int64_t count) {
  const Read read = given;  // of this function alone: what is written below cannot change where it reads
  Sum sums[kGroup] = {}, values[kGroup];
  int64_t i = 0;
  if constexpr (Read::kDirect) {
    for (; i + kGroup <= count; i += kGroup)
      for (int k = 0; k < kGroup; ++k) sums[k] += static_cast<Sum>(read.x[start + i + k]);
  } else {
    Vector together[kGroup / kWidth] = {};
    for (; i + kGroup <= count; i += kGroup)
#pragma GCC unroll 4
      for (int k = 0; k < kGroup / kWidth; ++k) together[k] += read.vector(start + i + k * kWidth);
    for (int k = 0; k < kGroup / kWidth; ++k) store(sums + k * kWidth, together[k]);
  }
  read.read(start + i, count - i, values);
  for (int k = 0; i + k < count; ++k) sums[k] += values[k];
  join_lanes<kGroup>(sums, [](Sum a, Sum b) __attribute__((always_inline)) { return a + b; });
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
void sum_along(const AlongAxis& shape, Half kind, const uint16_t* x, float* y, const Threads& threads) {
  const auto write = [&](int64_t i, float sum) { y[i] = sum; };
  if (kind == Half::kBfloat16) return sum_rows<float>(shape, Bfloat16{x}, write, threads);
  sum_rows<float>(shape, Float16{x}, write, threads);
}
void sum_along(const AlongAxis& shape, Half kind, const uint16_t* x, uint16_t* y, const Threads& threads) {
  const auto write = [&](int64_t i, float sum) { y[i] = rounded(sum, kind); };
  if (kind == Half::kBfloat16) return sum_rows<float>(shape, Bfloat16{x}, write, threads);
  sum_rows<float>(shape, Float16{x}, write, threads);
}

// The largest or smallest of elements that `read` gives as Numbers. What comes first stays unless something is better, so a NaN
// counts only where it comes first; `begin` is where that is, seen from a row's own first.
template <class Number, bool Largest, class Read, class Write>
static void extremes(const AlongAxis& shape, const Read& read, Write write, const Threads& threads, int64_t begin = 0) {
  const auto better = [](Number a, Number b) __attribute__((always_inline)) { return Largest ? (b > a ? b : a) : (b < a ? b : a); };
  // A row: as many extremes side by side as `lanes` says, short rows have few.
  const auto of_row = [better, begin, length = shape.length, read](auto lanes, int64_t from) {  // copies: what is written cannot change them
    constexpr int64_t kSide = decltype(lanes)::value;
    Number found[kSide], values[kSide];
    read.read(from + begin, 1, values);
    std::fill(found, found + kSide, Number{values[0]});
    int64_t j = 0;
    for (; j + kSide <= length; j += kSide) {
      if constexpr (Read::kDirect) {
        for (int64_t k = 0; k < kSide; ++k) found[k] = better(found[k], read.x[from + j + k]);
      } else {
        read.read(from + j, kSide, values);
        for (int64_t k = 0; k < kSide; ++k) found[k] = better(found[k], values[k]);
      }
    }
    read.read(from + j, length - j, values);
    for (int64_t k = 0; k < length - j; ++k) found[k] = better(found[k], values[k]);
    join_lanes<kSide>(found, better);
    return found[0];
  };
  const int64_t strips = (shape.inner + kWide - 1) / kWide;
  const int64_t together = shape.inner > 1 ? 1 : std::max<int64_t>(1, 16384 / shape.length);
  const int64_t blocks = (shape.outer + together - 1) / together;
  threads.run(blocks * strips, 1.0 * shape.count(), [&](int64_t piece) {
    Number found[kWide], values[kWide];
    const int64_t start = piece % strips * kWide, count = std::min<int64_t>(kWide, shape.inner - start), first = piece / strips * together;
    for (int64_t outer = first; outer < std::min(shape.outer, first + together); ++outer) {
      const int64_t from = outer * shape.length * shape.inner;
      if (shape.inner > 1) {
        read.read(from + start, count, found);
        for (int64_t j = 1; j < shape.length; ++j) {
          if constexpr (Read::kDirect) {
            const Number* own = read.x + from + j * shape.inner + start;
            for (int64_t i = 0; i < count; ++i) found[i] = better(found[i], own[i]);
          } else {
            read.read(from + j * shape.inner + start, count, values);
            for (int64_t i = 0; i < count; ++i) found[i] = better(found[i], values[i]);
          }
        }
        for (int64_t i = 0; i < count; ++i) write(outer * shape.inner + start + i, found[i]);
        continue;
      }
      write(outer, shape.length < 4 * kStrip ? of_row(std::integral_constant<int64_t, kStrip / 4>{}, from) : of_row(std::integral_constant<int64_t, kStrip>{}, from));
    }
  });
}

// Long rows are cut: the extremes of the parts first.
template <class Number, class Read, class Write>
static void extremes_of_parts(const AlongAxis& shape, bool largest, const Read& read, Write write, const Threads& threads) {
  const auto by = [&](const AlongAxis& parts, const auto& from, auto to) {
    if (largest) extremes<Number, true>(parts, from, to, threads);
    else extremes<Number, false>(parts, from, to, threads);
  };
  if (shape.inner > 1 || shape.length <= kLongest) return by(shape, read, write);
  const int64_t parts = (shape.length + kLongest - 1) / kLongest;
  for (int64_t row = 0; row < shape.outer; ++row) {
    std::vector<Number> found(parts);
    threads.run(parts, 1.0 * shape.length, [&](int64_t part) {
      const int64_t start = part * kLongest, count = std::min(kLongest, shape.length - start);
      const Read own{read.x + row * shape.length + start};
      const auto keep = [&](int64_t, Number value) { found[part] = value; };
      if (largest) extremes<Number, true>({1, count, 1}, own, keep, Threads(), -start);
      else extremes<Number, false>({1, count, 1}, own, keep, Threads(), -start);
    });
    by({1, parts, 1}, Plain<Number, Number>{found.data()}, [&](int64_t, Number value) { write(row, value); });
  }
}

template <class Number>
void extreme_along(const AlongAxis& shape, bool largest, const Number* x, Number* y, const Threads& threads) {
  extremes_of_parts<Number>(shape, largest, Plain<Number, Number>{x}, [&](int64_t i, Number value) { y[i] = value; }, threads);
}
template void extreme_along<int8_t>(const AlongAxis&, bool, const int8_t*, int8_t*, const Threads&);
template void extreme_along<uint8_t>(const AlongAxis&, bool, const uint8_t*, uint8_t*, const Threads&);
template void extreme_along<int32_t>(const AlongAxis&, bool, const int32_t*, int32_t*, const Threads&);
template void extreme_along<int64_t>(const AlongAxis&, bool, const int64_t*, int64_t*, const Threads&);
template void extreme_along<float>(const AlongAxis&, bool, const float*, float*, const Threads&);
template void extreme_along<double>(const AlongAxis&, bool, const double*, double*, const Threads&);
void extreme_along(const AlongAxis& shape, bool largest, Half kind, const uint16_t* x, uint16_t* y, const Threads& threads) {
  const auto write = [&](int64_t i, float value) { y[i] = rounded(value, kind); };
  if (kind == Half::kBfloat16) return extremes_of_parts<float>(shape, largest, Bfloat16{x}, write, threads);
  extremes_of_parts<float>(shape, largest, Float16{x}, write, threads);
}

}  // namespace mycelium
