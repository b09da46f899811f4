// Sorting by digits: a row is distributed by its lowest digit, then by the next, each time in the order found.
#include <cmath>
#include <cstring>
#include <type_traits>
#include <vector>

#include "arrays.h"

namespace mycelium {
namespace {

constexpr int64_t kShort = 64;    // rows up to this length are sorted by comparisons
constexpr int64_t kLong = 16384;  // longer ones have digits of 11 bits, three of which make a number

// Unsigned numbers in the order of the elements: 0 and -0 are equal, all NaN are equal and last.
inline uint32_t ordered(float value) {
  uint32_t bits;
  std::memcpy(&bits, &value, sizeof bits);
  bits = value == 0 ? 0 : value != value ? 0x7fc00000u : bits;
  return bits ^ (static_cast<uint32_t>(static_cast<int32_t>(bits) >> 31) | 0x80000000u);
}
inline uint32_t ordered(int32_t value) { return static_cast<uint32_t>(value) ^ 0x80000000u; }

inline uint64_t ordered(double value) {
  uint64_t bits;
  std::memcpy(&bits, &value, sizeof bits);
  bits = value == 0 ? 0 : value != value ? 0x7ff8000000000000u : bits;
  return bits ^ (static_cast<uint64_t>(static_cast<int64_t>(bits) >> 63) | uint64_t{1} << 63);
}
inline uint64_t ordered(int64_t value) { return static_cast<uint64_t>(value) ^ uint64_t{1} << 63; }

// An element and its place, no two of which are equal: those of 32 bits as one number, of which the upper half is the element.
struct Pair32 {
  using Key = uint32_t;
  uint64_t both;
  Pair32() = default;
  Pair32(Key key, int64_t place) : both(static_cast<uint64_t>(key) << 32 | static_cast<uint32_t>(place)) {}
  Key key() const { return static_cast<Key>(both >> 32); }
  int32_t place() const { return static_cast<int32_t>(both); }
  bool operator<(const Pair32& other) const { return both < other.both; }
};
struct Pair64 {
  using Key = uint64_t;
  Key own;
  int64_t at;
  Pair64() = default;
  Pair64(Key key, int64_t place) : own(key), at(place) {}
  Key key() const { return own; }
  int32_t place() const { return static_cast<int32_t>(at); }
  bool operator<(const Pair64& other) const { return own != other.own ? own < other.own : at < other.at; }
};
template <class Number>
using PairOf = std::conditional_t<sizeof(Number) == 4, Pair32, Pair64>;

template <int Bits, class Pair>
Pair* by_digits(Pair* from, Pair* other, int64_t length) {
  constexpr int kDigits = (8 * sizeof(typename Pair::Key) + Bits - 1) / Bits;
  constexpr int64_t kValues = int64_t{1} << Bits;
  std::vector<uint32_t> counts(kDigits * kValues, 0);
  const auto digit = [](const Pair& pair, int place) { return (pair.key() >> (place * Bits)) & (kValues - 1); };
  for (int64_t i = 0; i < length; ++i)
    for (int place = 0; place < kDigits; ++place) ++counts[place * kValues + digit(from[i], place)];
  for (int place = 0; place < kDigits; ++place) {
    uint32_t* starts = counts.data() + place * kValues;
    if (starts[digit(from[0], place)] == static_cast<uint32_t>(length)) continue;  // the same everywhere
    uint32_t sum = 0;
    for (int64_t value = 0; value < kValues; ++value) {
      const uint32_t count = starts[value];
      starts[value] = sum;
      sum += count;
    }
    for (int64_t i = 0; i < length; ++i) other[starts[digit(from[i], place)]++] = from[i];
    std::swap(from, other);
  }
  return from;
}

constexpr int64_t kBlock = 64;

// Whether one of kBlock elements may be better than the edge. A vector's worth of comparisons at a time.
template <bool Largest, class Number>
bool any_as_good(const Number* x, Number edge) {
  int32_t behind = -1;
  for (int64_t i = 0; i < kBlock; ++i) behind &= -static_cast<int32_t>(Largest ? x[i] <= edge : x[i] >= edge);
  return behind == 0;
}

}  // namespace

template <class Number>
void sort_rows(int64_t rows, int64_t length, bool descending, const Number* x, Number* values, int32_t* places, const Threads& threads) {
  const int64_t together = std::max<int64_t>(1, 4096 / length);
  using Pair = PairOf<Number>;
  const typename Pair::Key turned = descending ? ~typename Pair::Key{0} : 0;
  threads.run((rows + together - 1) / together, 40.0 * rows * length, [&](int64_t piece) {
    thread_local std::vector<Pair> pairs;
    pairs.resize(2 * length);
    for (int64_t row = piece * together; row < std::min(rows, (piece + 1) * together); ++row) {
      const Number* from = x + row * length;
      for (int64_t i = 0; i < length; ++i) pairs[i] = Pair(ordered(from[i]) ^ turned, i);
      Pair* sorted = pairs.data();
      if (length <= kShort) std::sort(sorted, sorted + length);
      else sorted = (length > kLong ? by_digits<11, Pair> : by_digits<8, Pair>)(sorted, sorted + length, length);
      for (int64_t i = 0; i < length; ++i) {
        const int32_t place = sorted[i].place();
        places[row * length + i] = place;
        values[row * length + i] = from[place];
      }
    }
  });
}
template void sort_rows<float>(int64_t, int64_t, bool, const float*, float*, int32_t*, const Threads&);
template void sort_rows<int32_t>(int64_t, int64_t, bool, const int32_t*, int32_t*, int32_t*, const Threads&);
template void sort_rows<double>(int64_t, int64_t, bool, const double*, double*, int32_t*, const Threads&);
template void sort_rows<int64_t>(int64_t, int64_t, bool, const int64_t*, int64_t*, int32_t*, const Threads&);

// Elements that are not behind all that were kept so far are collected; now and then all but the best are dropped.
template <class Number>
void top_of_rows(int64_t rows, int64_t length, int64_t count, bool largest, const Number* x, Number* values, int32_t* places,
                 const Threads& threads) {
  using Pair = PairOf<Number>;
  using Key = typename Pair::Key;
  const Key turned = largest ? ~Key{0} : 0;  // the best come first
  const size_t most = std::max<int64_t>(4 * count, 256) + kBlock;
  const int64_t together = std::max<int64_t>(1, 16384 / length);
  threads.run((rows + together - 1) / together, 4.0 * rows * length, [&](int64_t piece) {
    std::vector<Pair> kept;
    kept.reserve(most);
    for (int64_t row = piece * together; row < std::min(rows, (piece + 1) * together); ++row) {
      const Number* from = x + row * length;
      kept.clear();
      Key worst = ~Key{0};
      Number edge{};  // the worst that was kept
      bool bounded = false;
      for (int64_t start = 0; start < length; start += kBlock) {
        const int64_t size = std::min(kBlock, length - start);
        if (bounded && size == kBlock && !(largest ? any_as_good<true, Number> : any_as_good<false, Number>)(from + start, edge)) continue;
        for (int64_t i = start; i < start + size; ++i) {
          const Key key = ordered(from[i]) ^ turned;
          if (key < worst || kept.size() < static_cast<size_t>(count)) kept.push_back(Pair(key, i));
        }
        if (kept.size() + kBlock > most) {
          std::nth_element(kept.begin(), kept.begin() + (count - 1), kept.end());
          kept.resize(count);
          worst = kept[count - 1].key();
          edge = from[kept[count - 1].place()];
          bounded = true;
        }
      }
      std::partial_sort(kept.begin(), kept.begin() + count, kept.end());
      for (int64_t i = 0; i < count; ++i) {
        const int32_t place = kept[i].place();
        places[row * count + i] = place;
        values[row * count + i] = from[place];
      }
    }
  });
}

template void top_of_rows<float>(int64_t, int64_t, int64_t, bool, const float*, float*, int32_t*, const Threads&);
template void top_of_rows<int32_t>(int64_t, int64_t, int64_t, bool, const int32_t*, int32_t*, int32_t*, const Threads&);
template void top_of_rows<double>(int64_t, int64_t, int64_t, bool, const double*, double*, int32_t*, const Threads&);
template void top_of_rows<int64_t>(int64_t, int64_t, int64_t, bool, const int64_t*, int64_t*, int32_t*, const Threads&);

}  // namespace mycelium
