// Random bits of the counter-based generator Threefry-2x32 with 20 rounds: the bits of element i depend on the key and i alone, so
// they are the same on every device and for every number of threads.
#include "random_bits.h"

#include "vectors.h"

namespace mycelium {
namespace {

typedef uint32_t Words __attribute__((vector_size(kWidth * sizeof(uint32_t))));

constexpr int kTogether = 4;  // vectors at once: a round waits for the one before it
constexpr int64_t kBlock = kTogether * kWidth, kPiece = 512 * kBlock;

template <int Turn>
inline __attribute__((always_inline)) void round(Words (&x)[kTogether], Words (&y)[kTogether]) {
#pragma GCC unroll 4
  for (int v = 0; v < kTogether; ++v) {
    x[v] += y[v];
    y[v] = (y[v] << Turn) | (y[v] >> (32 - Turn));
    y[v] ^= x[v];
  }
}

// Both words of the counters `first`, `first` + 1, ..., as many as are treated together.
inline __attribute__((always_inline)) void block(Key key, uint64_t first, Words (&x)[kTogether], Words (&y)[kTogether]) {
  const uint32_t keys[3] = {key.first, key.second, key.first ^ key.second ^ 0x1BD11BDAu};
  Words steps;
  for (int lane = 0; lane < kWidth; ++lane) steps[lane] = lane;
#pragma GCC unroll 4
  for (int v = 0; v < kTogether; ++v) {
    const uint64_t start = first + static_cast<uint64_t>(v) * kWidth;  // a multiple of the vectors' width: no carry between lanes
    x[v] = static_cast<uint32_t>(start >> 32) + keys[0] - Words{};
    y[v] = steps + (static_cast<uint32_t>(start) + keys[1]);
  }
  const auto inject = [&](uint32_t number) __attribute__((always_inline)) {
    const uint32_t a = keys[number % 3], b = keys[(number + 1) % 3] + number;
#pragma GCC unroll 4
    for (int v = 0; v < kTogether; ++v) x[v] += a, y[v] += b;
  };
  round<13>(x, y), round<15>(x, y), round<26>(x, y), round<6>(x, y), inject(1);
  round<17>(x, y), round<29>(x, y), round<16>(x, y), round<24>(x, y), inject(2);
  round<13>(x, y), round<15>(x, y), round<26>(x, y), round<6>(x, y), inject(3);
  round<17>(x, y), round<29>(x, y), round<16>(x, y), round<24>(x, y), inject(4);
  round<13>(x, y), round<15>(x, y), round<26>(x, y), round<6>(x, y), inject(5);
}

// The words of all counters below `count`, block by block: work(first, how many, x, y).
template <class Work>
void in_blocks(int64_t count, double operations, const Threads& threads, Work work) {
  threads.run((count + kPiece - 1) / kPiece, operations * count, [&](int64_t piece) {
    for (int64_t i = piece * kPiece; i < std::min(count, (piece + 1) * kPiece); i += kBlock) work(i, std::min(kBlock, count - i));
  });
}

// What is written, whole or, at the end, in part.
template <class Number>
inline void put(const Number (&numbers)[kBlock], int64_t count, Number* to) {
  std::memcpy(to, numbers, (count == kBlock ? kBlock : count) * sizeof(Number));
}

inline void words_of(Key key, int64_t first, uint32_t (&high)[kBlock], uint32_t (&low)[kBlock]) {
  Words x[kTogether], y[kTogether];
  block(key, first, x, y);
  std::memcpy(high, x, sizeof(x)), std::memcpy(low, y, sizeof(y));
}

// One of the keys that a key is split into: the words of a counter.
Key part_of(Key key, int lane) {
  uint32_t high[kBlock], low[kBlock];
  words_of(key, 0, high, low);
  return {high[lane], low[lane]};
}

// x % divisor by a multiplication, for divisors from 2 to 2^30.
class Remainder {
 public:
  explicit Remainder(uint64_t divisor) : divisor_(divisor), inverse_(~uint64_t{0} / divisor) {}
  uint64_t operator()(uint64_t x) const {
    const uint64_t quotient = static_cast<uint64_t>((static_cast<unsigned __int128>(x) * inverse_) >> 64);  // or 1 too few
    const uint64_t rest = x - quotient * divisor_;
    return rest >= divisor_ ? rest - divisor_ : rest;
  }

 private:
  uint64_t divisor_, inverse_;
};

}  // namespace

void random_bits(Key key, int64_t count, uint32_t* to, const Threads& threads) {
  in_blocks(count, 4, threads, [&](int64_t i, int64_t length) {
    Words x[kTogether], y[kTogether];
    block(key, i, x, y);
    uint32_t bits[kBlock];
#pragma GCC unroll 4
    for (int v = 0; v < kTogether; ++v) x[v] ^= y[v];
    std::memcpy(bits, x, sizeof(x));
    put(bits, length, to + i);
  });
}

void random_bits(Key key, int64_t count, uint64_t* to, const Threads& threads) {
  in_blocks(count, 5, threads, [&](int64_t i, int64_t length) {
    uint32_t high[kBlock], low[kBlock];
    words_of(key, i, high, low);
    uint64_t bits[kBlock];
    for (int64_t k = 0; k < kBlock; ++k) bits[k] = uint64_t{high[k]} << 32 | low[k];
    put(bits, length, to + i);
  });
}

namespace {

// Offsets of a block of numbers, from the words of both keys.
template <class Number, class Offset>
void fill(Key key, int64_t low, int64_t count, Number* to, const Threads& threads, Offset offset) {
  const Key upper = part_of(key, 0), lower = part_of(key, 1);
  in_blocks(count, 12, threads, [&](int64_t i, int64_t length) {
    uint32_t a[kBlock], b[kBlock], c[kBlock], d[kBlock];
    words_of(upper, i, a, b), words_of(lower, i, c, d);
    uint64_t offsets[kBlock];
    offset(a, b, c, d, offsets);
    Number numbers[kBlock];
    for (int64_t k = 0; k < kBlock; ++k) numbers[k] = static_cast<Number>(static_cast<uint64_t>(low) + offsets[k]);
    put(numbers, length, to + i);
  });
}

// As unsigned numbers of the results' width: products may wrap around.
template <class Unsigned>
Unsigned offset_of(Unsigned upper, Unsigned lower, Unsigned factor, Unsigned span) {
  return span == 0 ? lower : (upper % span * factor + lower % span) % span;
}
template <class Unsigned>
Unsigned factor_of(Unsigned span) {
  if (span == 0) return 0;
  const Unsigned half = (Unsigned{1} << (4 * sizeof(Unsigned))) % span;
  return static_cast<Unsigned>(half * half) % span;
}

}  // namespace

// 128 random bits modulo a span below 2^30: four words times what 2^96, 2^64, 2^32 and 1 leave, a sum below 2^64.
void random_integers(Key key, int64_t low, uint64_t span, int64_t count, int64_t* to, const Threads& threads) {
  if (span < 2 || span > uint64_t{1} << 30) {
    const uint64_t factor = factor_of(span);
    return fill(key, low, count, to, threads, [&](const uint32_t* a, const uint32_t* b, const uint32_t* c, const uint32_t* d, uint64_t* y) {
      for (int64_t k = 0; k < kBlock; ++k) y[k] = offset_of(uint64_t{a[k]} << 32 | b[k], uint64_t{c[k]} << 32 | d[k], factor, span);
    });
  }
  const Remainder rest(span);
  const uint64_t f1 = rest(uint64_t{1} << 32), f2 = rest(f1 * f1), f3 = rest(f2 * f1);
  fill(key, low, count, to, threads, [&](const uint32_t* a, const uint32_t* b, const uint32_t* c, const uint32_t* d, uint64_t* y) {
    for (int64_t k = 0; k < kBlock; ++k) y[k] = a[k] * f3 + b[k] * f2 + c[k] * f1 + d[k];
    for (int64_t k = 0; k < kBlock; ++k) y[k] = rest(y[k]);
  });
}

// 64 random bits modulo a span; beyond 2^16 the product wraps around and leaves the lower ones alone.
void random_integers(Key key, int64_t low, uint64_t span, int64_t count, int32_t* to, const Threads& threads) {
  if (span < 2 || span > 1 << 16) {
    const uint32_t narrow = static_cast<uint32_t>(span), factor = factor_of(narrow);
    return fill(key, low, count, to, threads, [&](const uint32_t* a, const uint32_t* b, const uint32_t* c, const uint32_t* d, uint64_t* y) {
      for (int64_t k = 0; k < kBlock; ++k) y[k] = offset_of(a[k] ^ b[k], c[k] ^ d[k], factor, narrow);
    });
  }
  const Remainder rest(span);
  const uint64_t factor = rest(uint64_t{1} << 32);
  fill(key, low, count, to, threads, [&](const uint32_t* a, const uint32_t* b, const uint32_t* c, const uint32_t* d, uint64_t* y) {
    for (int64_t k = 0; k < kBlock; ++k) y[k] = (a[k] ^ b[k]) * factor + (c[k] ^ d[k]);
    for (int64_t k = 0; k < kBlock; ++k) y[k] = rest(y[k]);
  });
}

}  // namespace mycelium
