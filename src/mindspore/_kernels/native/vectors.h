// Vectors of floats, in the compiler's own notation: AVX2, AVX-512 or NEON, as the compiler was told.
#pragma once

#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <new>
#include <utility>

#include <unistd.h>

#ifdef __AVX2__
#include <immintrin.h>
#endif

namespace mycelium {

#ifndef MYCELIUM_LANES  // a test asks for 16 of them where there is no AVX-512: the compiler splits such vectors
#ifdef __AVX512F__
#define MYCELIUM_LANES 16
#else
#define MYCELIUM_LANES 8
#endif
#endif

constexpr int kWidth = MYCELIUM_LANES;  // floats of a vector
static_assert(kWidth == 8 || kWidth == 16, "written for vectors of 8 or 16 floats");
constexpr bool kManyRegisters = kWidth == 16;  // AVX-512 has 32 of them, AVX2 has 16
constexpr int kLanes = 2 * kWidth;  // channels that one tile computes together
typedef float Vector __attribute__((vector_size(kWidth * sizeof(float))));
typedef float UnalignedVector __attribute__((vector_size(kWidth * sizeof(float)), aligned(4), may_alias));
typedef int32_t Mask __attribute__((vector_size(kWidth * sizeof(float))));

inline Vector load(const float* from) { return *reinterpret_cast<const UnalignedVector*>(from); }
inline void store(float* to, Vector value) { *reinterpret_cast<UnalignedVector*>(to) = value; }
inline Vector all(float v) { return v - Vector{}; }  // not 0 + v: that is an addition where v may be -0
inline Mask bits_of(Vector v) { return reinterpret_cast<const Mask&>(v); }
inline Vector floats_of(Mask bits) { return reinterpret_cast<const Vector&>(bits); }
constexpr float kRound = 12582912.0f;  // 1.5 * 2^23: added, the last digit is that of ones
// sum += a * b. Left to itself, the compiler keeps the product's register instead of the sum's and then moves sums around.
inline void add_product(Vector& sum, Vector a, Vector b) {
#if defined(__AVX512F__) && MYCELIUM_LANES == 16
  asm("vfmadd231ps %2, %1, %0" : "+v"(sum) : "v"(a), "v"(b));
#elif defined(__AVX2__) && MYCELIUM_LANES == 8
  asm("vfmadd231ps %2, %1, %0" : "+x"(sum) : "x"(a), "x"(b));
#else
  sum += a * b;
#endif
}
// The first `count` floats of a vector; nothing beside them is touched.
inline void store_part(float* to, Vector value, int64_t count) {
  if (count >= kWidth) return store(to, value);
#if defined(__AVX512F__) && MYCELIUM_LANES == 16
  return _mm512_mask_storeu_ps(to, static_cast<__mmask16>((1u << count) - 1), value);
#endif
  alignas(sizeof(Vector)) float parts[kWidth];
  *reinterpret_cast<Vector*>(parts) = value;
  const float* from = parts;
  if (count & 8) std::memcpy(to, from, 32), to += 8, from += 8;
  if (count & 4) std::memcpy(to, from, 16), to += 4, from += 4;
  if (count & 2) std::memcpy(to, from, 8), to += 2, from += 2;
  if (count & 1) *to = *from;
}
inline Vector load_part(const float* from, int64_t count) {
  if (count >= kWidth) return load(from);
#if defined(__AVX512F__) && MYCELIUM_LANES == 16
  return _mm512_maskz_loadu_ps(static_cast<__mmask16>((1u << count) - 1), from);
#elif defined(__AVX2__) && MYCELIUM_LANES == 8
  static const int32_t kMasks[2 * kWidth] = {-1, -1, -1, -1, -1, -1, -1, -1};
  return _mm256_maskload_ps(from, _mm256_loadu_si256(reinterpret_cast<const __m256i*>(kMasks + kWidth - count)));
#else
  float parts[kWidth] = {};
  for (int64_t i = 0; i < count; ++i) parts[i] = from[i];
  return load(parts);
#endif
}

// Where the lanes of a row come from when two rows exchange blocks of `size` floats: the second row counts from kWidth on.
template <int size, bool second, int... lane>
constexpr Mask exchange_blocks(std::integer_sequence<int, lane...>) {
  return Mask{(second ? (lane & size ? kWidth + lane : lane + size) : (lane & size ? kWidth + lane - size : lane))...};
}

// Halves of the matrix are exchanged, then quarters, ...
template <int size>
inline __attribute__((always_inline)) void turn_blocks(Vector (&rows)[kWidth]) {
  if constexpr (size > 0) {
    constexpr std::make_integer_sequence<int, kWidth> kAll{};
    constexpr Mask kFirst = exchange_blocks<size, false>(kAll), kSecond = exchange_blocks<size, true>(kAll);
#pragma GCC unroll 16
    for (int i = 0; i < kWidth; ++i) {
      if (i & size) continue;
      const Vector upper = rows[i], lower = rows[i + size];
      rows[i] = __builtin_shuffle(upper, lower, kFirst);
      rows[i + size] = __builtin_shuffle(upper, lower, kSecond);
    }
    turn_blocks<size / 2>(rows);
  }
}

// Rows become columns.
inline __attribute__((always_inline)) void turn(Vector (&rows)[kWidth]) { turn_blocks<kWidth / 2>(rows); }

// Memory that a thread keeps from call to call: asking the system each time costs more than many a convolution.
class Scratch {
 public:
  ~Scratch() { std::free(memory_); }
  float* floats(int64_t count) {
    if (count > room_) {
      if (count > most_floats()) throw std::bad_alloc();  // the system would promise it, and kill the process at its use
      std::free(memory_);
      room_ = count + count / 8;
      memory_ = static_cast<float*>(std::aligned_alloc(64, (room_ * sizeof(float) + 63) / 64 * 64));
      if (memory_ == nullptr) room_ = 0;
      if (memory_ == nullptr) throw std::bad_alloc();
    }
    return memory_;
  }

 private:
  // As many as the machine's memory holds.
  static int64_t most_floats() {
    static const int64_t most = sysconf(_SC_PHYS_PAGES) * (sysconf(_SC_PAGESIZE) / static_cast<int64_t>(sizeof(float)));
    return most;
  }

  float* memory_ = nullptr;
  int64_t room_ = 0;
};

}  // namespace mycelium
