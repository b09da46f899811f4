// Numbers of 16 bits, one at a time: what they are in float32, and what float32 is rounded to.
#pragma once

#include <cmath>
#include <cstdint>
#include <cstring>

#ifdef __F16C__
#include <immintrin.h>
#endif

namespace mycelium {

enum class Half { kFloat16, kBfloat16 };

inline float widened_bfloat(uint16_t bits) {
  const uint32_t wide = uint32_t{bits} << 16;
  float value;
  std::memcpy(&value, &wide, sizeof(value));
  return value;
}

inline float widened_half(uint16_t bits) {
  const int exponent = bits >> 10 & 31, digits = bits & 1023;
  const float sign = bits & 0x8000 ? -1.0f : 1.0f;
  if (exponent == 31) return digits != 0 ? NAN : sign * INFINITY;
  return sign * (exponent == 0 ? std::ldexp(static_cast<float>(digits), -24) : std::ldexp(static_cast<float>(digits + 1024), exponent - 25));
}

inline uint16_t rounded(float value, Half kind) {
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

// Such a number itself, that is computed with in float32 and rounded each time.
template <Half kind>
struct HalfNumber {
  uint16_t bits = 0;
  HalfNumber() = default;
#ifdef __F16C__
  operator float() const { return kind == Half::kBfloat16 ? widened_bfloat(bits) : _cvtsh_ss(bits); }
  explicit HalfNumber(float value)
      : bits(kind == Half::kBfloat16 ? rounded(value, kind) : static_cast<uint16_t>(_cvtss_sh(value, _MM_FROUND_TO_NEAREST_INT))) {}
#else
  operator float() const { return kind == Half::kBfloat16 ? widened_bfloat(bits) : widened_half(bits); }
  explicit HalfNumber(float value) : bits(rounded(value, kind)) {}
#endif
};
using Bfloat = HalfNumber<Half::kBfloat16>;
using Float16Bits = HalfNumber<Half::kFloat16>;

}  // namespace mycelium
