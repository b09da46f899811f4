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

// Whether one of kBlock elements is not behind the edge. A vector's worth of comparisons at a time.
template <class Key>
bool any_as_good(const Key* keys, Key edge) {
  Key least = keys[0];
  for (int64_t i = 1; i < kBlock; ++i) least = std::min(least, keys[i]);
  return least <= edge;
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

// The best of every so many elements of a row, all over: the count-th best of those is behind at most so many elements of the
// row, usually few more than are wanted. Only these are collected and put in order.
template <class Number>
void top_of_rows(int64_t rows, int64_t length, int64_t count, bool largest, const Number* x, Number* values, int32_t* places,
                 const Threads& threads) {
  using Pair = PairOf<Number>;
  using Key = typename Pair::Key;
  const Key turned = largest ? ~Key{0} : 0;  // the best come first
  const int64_t groups = std::max<int64_t>(kBlock, (4 * count + kBlock - 1) / kBlock * kBlock);
  const int64_t together = std::max<int64_t>(1, 16384 / length);
  threads.run((rows + together - 1) / together, 4.0 * rows * length, [&](int64_t piece) {
    std::vector<Key> keys(length), best(groups);
    std::vector<Pair> kept;
    for (int64_t row = piece * together; row < std::min(rows, (piece + 1) * together); ++row) {
      const Number* from = x + row * length;
      for (int64_t i = 0; i < length; ++i) keys[i] = ordered(from[i]) ^ turned;
      Key edge = ~Key{0};
      if (length >= 2 * groups) {
        std::copy(keys.begin(), keys.begin() + groups, best.begin());
        for (int64_t start = groups; start + groups <= length; start += groups)
          for (int64_t i = 0; i < groups; ++i) best[i] = std::min(best[i], keys[start + i]);
        std::nth_element(best.begin(), best.begin() + (count - 1), best.end());
        edge = best[count - 1];
      }
      kept.clear();
      int64_t start = 0;
      for (; start + kBlock <= length; start += kBlock) {
        if (!any_as_good(keys.data() + start, edge)) continue;
        for (int64_t i = start; i < start + kBlock; ++i)
          if (keys[i] <= edge) kept.push_back(Pair(keys[i], i));
      }
      for (int64_t i = start; i < length; ++i)
        if (keys[i] <= edge) kept.push_back(Pair(keys[i], i));
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
