// Vectors of floats, in the compiler's own notation: AVX2, AVX-512 or NEON, as the compiler was told.
#pragma once

#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <new>

#include <unistd.h>

#ifdef __AVX2__
#include <immintrin.h>
#endif

namespace mycelium {

constexpr int kWidth = 8;           // floats of a vector
constexpr int kLanes = 2 * kWidth;  // channels that one tile computes together
typedef float Vector __attribute__((vector_size(kWidth * sizeof(float))));
typedef float UnalignedVector __attribute__((vector_size(kWidth * sizeof(float)), aligned(4), may_alias));
typedef int32_t Mask __attribute__((vector_size(kWidth * sizeof(float))));

inline Vector load(const float* from) { return *reinterpret_cast<const UnalignedVector*>(from); }
inline void store(float* to, Vector value) { *reinterpret_cast<UnalignedVector*>(to) = value; }
inline Vector all(float v) { return Vector{v, v, v, v, v, v, v, v}; }  // not 0 + v: that would be an addition
// sum += a * b. Left to itself, the compiler keeps the product's register instead of the sum's and then moves sums around.
inline void add_product(Vector& sum, Vector a, Vector b) {
#ifdef __AVX2__
  asm("vfmadd231ps %2, %1, %0" : "+x"(sum) : "x"(a), "x"(b));
#else
  sum += a * b;
#endif
}
// The first `count` floats of a vector; nothing beside them is touched.
inline void store_part(float* to, Vector value, int64_t count) {
  if (count >= kWidth) return store(to, value);
  alignas(sizeof(Vector)) float parts[kWidth];
  *reinterpret_cast<Vector*>(parts) = value;
  const float* from = parts;
  if (count & 4) std::memcpy(to, from, 16), to += 4, from += 4;
  if (count & 2) std::memcpy(to, from, 8), to += 2, from += 2;
  if (count & 1) *to = *from;
}
inline Vector load_part(const float* from, int64_t count) {
  if (count >= kWidth) return load(from);
#ifdef __AVX2__
  static const int32_t kMasks[2 * kWidth] = {-1, -1, -1, -1, -1, -1, -1, -1};
  return _mm256_maskload_ps(from, _mm256_loadu_si256(reinterpret_cast<const __m256i*>(kMasks + kWidth - count)));
#else
  float parts[kWidth] = {};
  for (int64_t i = 0; i < count; ++i) parts[i] = from[i];
  return load(parts);
#endif
}

// Rows become columns.
inline void turn(Vector (&rows)[kWidth]) {
  static_assert(kWidth == 8, "written for vectors of 8 floats");
  constexpr Mask kFirst{0, 8, 1, 9, 4, 12, 5, 13}, kSecond{2, 10, 3, 11, 6, 14, 7, 15};
  constexpr Mask kLow{0, 1, 8, 9, 4, 5, 12, 13}, kHigh{2, 3, 10, 11, 6, 7, 14, 15};
  constexpr Mask kFront{0, 1, 2, 3, 8, 9, 10, 11}, kBack{4, 5, 6, 7, 12, 13, 14, 15};
  Vector pairs[kWidth], fours[kWidth];
#pragma GCC unroll 4
  for (int i = 0; i < kWidth; i += 2) {
    pairs[i] = __builtin_shuffle(rows[i], rows[i + 1], kFirst);
    pairs[i + 1] = __builtin_shuffle(rows[i], rows[i + 1], kSecond);
  }
#pragma GCC unroll 2
  for (int i = 0; i < kWidth; i += 4) {
    fours[i] = __builtin_shuffle(pairs[i], pairs[i + 2], kLow);
    fours[i + 1] = __builtin_shuffle(pairs[i], pairs[i + 2], kHigh);
    fours[i + 2] = __builtin_shuffle(pairs[i + 1], pairs[i + 3], kLow);
    fours[i + 3] = __builtin_shuffle(pairs[i + 1], pairs[i + 3], kHigh);
  }
#pragma GCC unroll 4
  for (int i = 0; i < kWidth / 2; ++i) {
    rows[i] = __builtin_shuffle(fours[i], fours[i + 4], kFront);
    rows[i + 4] = __builtin_shuffle(fours[i], fours[i + 4], kBack);
  }
}

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
