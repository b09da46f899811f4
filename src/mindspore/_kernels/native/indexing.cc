// Indices: how far they are outside, and slices that are read or written at them.
#include "indexing.h"

#include <cstring>
#include <type_traits>
#include <vector>

#include "halves.h"
#include "vectors.h"

namespace mycelium {
namespace {

constexpr int64_t kPart = 1 << 15;  // rows of indices that one thread looks at
constexpr int kSide = 16;           // rows that are compared side by side

// The farthest of some rows of indices, as unsigned distances from the first that is allowed.
template <int Axes, class Index>
void farthest_of(int64_t count, const int64_t* firsts, const Index* indices, std::make_unsigned_t<Index>* found) {
  using Word = std::make_unsigned_t<Index>;
  constexpr int kLanesOfAll = Axes * kSide;
  Word low[kLanesOfAll], most[kLanesOfAll] = {};
  for (int k = 0; k < kLanesOfAll; ++k) low[k] = static_cast<Word>(firsts[k % Axes]);
  int64_t i = 0;
  for (; i + kSide <= count; i += kSide)
    for (int k = 0; k < kLanesOfAll; ++k) {
      const Word far = static_cast<Word>(indices[i * Axes + k]) - low[k];
      most[k] = far > most[k] ? far : most[k];
    }
  for (int64_t k = 0; k < (count - i) * Axes; ++k) most[k] = std::max<Word>(most[k], static_cast<Word>(indices[i * Axes + k]) - low[k]);
  for (int k = 0; k < kLanesOfAll; ++k) found[k % Axes] = std::max(found[k % Axes], most[k]);
}

template <class Index>
void farthest_of(int64_t count, int64_t axes, const int64_t* firsts, const Index* indices, std::make_unsigned_t<Index>* found) {
  if (axes == 1) return farthest_of<1>(count, firsts, indices, found);
  if (axes == 2) return farthest_of<2>(count, firsts, indices, found);
  if (axes == 3) return farthest_of<3>(count, firsts, indices, found);
  using Word = std::make_unsigned_t<Index>;
  for (int64_t i = 0; i < count * axes; ++i)
    found[i % axes] = std::max<Word>(found[i % axes], static_cast<Word>(indices[i]) - static_cast<Word>(firsts[i % axes]));
}

// Where a slice begins; `outside` says whether an index had to be clamped.
template <class Index>
inline int64_t start_of(const Slices& shape, const Index* own, bool& outside) {
  int64_t at = 0;
  for (int64_t k = 0; k < shape.axes; ++k) {
    const int64_t index = own[k], inside = index < 0 ? 0 : std::min(index, shape.limits[k]);
    outside |= index != inside;
    at += inside * shape.strides[k];
  }
  return at;
}

// Single elements of one array: the commonest form.
template <class Word, class Index>
void read_elements(const Slices& shape, const Word* x, const Index* indices, const uint8_t* inside, Word* y, int64_t first, int64_t last) {
  bool outside = false;
  if (shape.axes == 1) {
    const int64_t limit = shape.limits[0], stride = shape.strides[0];
    for (int64_t j = first; j < last; ++j) {
      const int64_t index = indices[j];
      const Word value = x[(index < 0 ? 0 : index < limit ? index : limit) * stride];
      y[j] = inside == nullptr || inside[j] ? value : Word{0};
    }
    return;
  }
  for (int64_t j = first; j < last; ++j) {
    const Word value = x[start_of(shape, indices + j * shape.axes, outside)];
    y[j] = inside == nullptr || inside[j] ? value : Word{0};
  }
}

template <class Word>
inline void copy_run(const Word* from, int64_t run, Word* to) {
  if (run * sizeof(Word) >= 256) std::memcpy(to, from, run * sizeof(Word));
  else for (int64_t i = 0; i < run; ++i) to[i] = from[i];
}

template <class Word, class Index>
void read_words(const Slices& shape, const Word* x, const Index* indices, const uint8_t* inside, Word* y, const Threads& threads) {
  const int64_t together = std::max<int64_t>(1, (1 << 14) / std::max<int64_t>(1, shape.run));
  const int64_t pieces = (shape.count + together - 1) / together;
  const double operations = 1.0 * shape.outer * shape.count * (shape.run + 3);
  threads.run(shape.outer * pieces, operations, [&](int64_t piece) {
    const int64_t outer = piece / pieces, first = piece % pieces * together, last = std::min(shape.count, first + together);
    const Word* from = x + outer * shape.pitch;
    Word* to = y + outer * shape.count * shape.run;
    const int64_t before = shape.own ? outer * shape.count : 0;  // rows of indices
    const Index* own = indices + before * shape.axes;
    const uint8_t* there = inside == nullptr ? nullptr : inside + before;
    if (shape.run == 1) return read_elements(shape, from, own, there, to, first, last);
    bool outside = false;
    for (int64_t j = first; j < last; ++j) {
      if (there != nullptr && !there[j]) std::memset(to + j * shape.run, 0, shape.run * sizeof(Word));
      else copy_run(from + start_of(shape, own + j * shape.axes, outside), shape.run, to + j * shape.run);
    }
  });
}

template <Joined how, class Number>
inline Number joined(Number old, Number more) {
  if constexpr (how == Joined::kSet) return more;
  else if constexpr (how == Joined::kAdd) return static_cast<Number>(old + more);
  // NaN wins, as in XLA's maximum and minimum
  else if constexpr (how == Joined::kLargest) return more != more || more > old ? more : old;
  else return more != more || more < old ? more : old;
}

template <Joined how, class Number, class Index>
void write_all(const Slices& shape, const Number* y, const Index* indices, Number* x, const Threads& threads) {
  // Parts of the array that do not meet: only these are divided, so that slices stay in order.
  threads.run(shape.outer, 1.0 * shape.outer * shape.count * (shape.run + 3), [&](int64_t outer) {
    Number* to = x + outer * shape.pitch;
    const Number* from = y + outer * shape.count * shape.run;
    const Index* own = indices + (shape.own ? outer * shape.count * shape.axes : 0);
    if (shape.run == 1 && shape.axes == 1) {  // single elements: the commonest form
      const uint64_t limit = shape.limits[0];
      const int64_t stride = shape.strides[0];
      for (int64_t j = 0; j < shape.count; ++j) {
        const int64_t index = own[j];
        if (static_cast<uint64_t>(index) > limit) continue;
        Number& element = to[index * stride];
        element = joined<how>(element, from[j]);
      }
      return;
    }
    for (int64_t j = 0; j < shape.count; ++j, from += shape.run, own += shape.axes) {
      bool outside = false;
      Number* slice = to + start_of(shape, own, outside);
      if (outside) continue;
      if (how == Joined::kSet && shape.run * sizeof(Number) >= 256) std::memcpy(slice, from, shape.run * sizeof(Number));
      else for (int64_t i = 0; i < shape.run; ++i) slice[i] = joined<how>(slice[i], from[i]);
    }
  });
}

}  // namespace

template <class Index>
void farthest_outside(int64_t count, int64_t axes, const int64_t* firsts, const Index* indices, Index* worst, const Threads& threads) {
  using Word = std::make_unsigned_t<Index>;
  const int64_t parts = std::max<int64_t>(1, (count + kPart - 1) / kPart);
  std::vector<Word> found(parts * axes, 0);
  threads.run(parts, 0.5 * count * axes, [&](int64_t part) {
    const int64_t start = part * kPart;
    farthest_of(std::min(kPart, count - start), axes, firsts, indices + start * axes, found.data() + part * axes);
  });
  for (int64_t k = 0; k < axes; ++k) {
    for (int64_t part = 1; part < parts; ++part) found[k] = std::max(found[k], found[part * axes + k]);
    worst[k] = static_cast<Index>(found[k] + static_cast<Word>(firsts[k]));
  }
}
template void farthest_outside<int32_t>(int64_t, int64_t, const int64_t*, const int32_t*, int32_t*, const Threads&);
template void farthest_outside<int64_t>(int64_t, int64_t, const int64_t*, const int64_t*, int64_t*, const Threads&);

template <class Index>
void read_slices(const Slices& shape, int64_t bytes, const void* x, const Index* indices, const uint8_t* inside, void* y, const Threads& threads) {
  const auto by = [&](auto word) {
    using Word = decltype(word);
    read_words(shape, static_cast<const Word*>(x), indices, inside, static_cast<Word*>(y), threads);
  };
  if (bytes == 1) return by(uint8_t{});
  if (bytes == 2) return by(uint16_t{});
  if (bytes == 4) return by(uint32_t{});
  by(uint64_t{});
}
template void read_slices<int32_t>(const Slices&, int64_t, const void*, const int32_t*, const uint8_t*, void*, const Threads&);
template void read_slices<int64_t>(const Slices&, int64_t, const void*, const int64_t*, const uint8_t*, void*, const Threads&);

template <class Number, class Index>
void write_slices(const Slices& shape, Joined how, const Number* y, const Index* indices, Number* x, const Threads& threads) {
  if (how == Joined::kSet) return write_all<Joined::kSet>(shape, y, indices, x, threads);
  if (how == Joined::kAdd) return write_all<Joined::kAdd>(shape, y, indices, x, threads);
  if (how == Joined::kLargest) return write_all<Joined::kLargest>(shape, y, indices, x, threads);
  write_all<Joined::kSmallest>(shape, y, indices, x, threads);
}
#define MYCELIUM_WRITTEN(Number) \
  template void write_slices<Number, int32_t>(const Slices&, Joined, const Number*, const int32_t*, Number*, const Threads&); \
  template void write_slices<Number, int64_t>(const Slices&, Joined, const Number*, const int64_t*, Number*, const Threads&);
MYCELIUM_WRITTEN(uint8_t)
MYCELIUM_WRITTEN(uint16_t)
MYCELIUM_WRITTEN(Bfloat)
MYCELIUM_WRITTEN(Float16Bits)
MYCELIUM_WRITTEN(float)
MYCELIUM_WRITTEN(double)
MYCELIUM_WRITTEN(int32_t)
MYCELIUM_WRITTEN(int64_t)

}  // namespace mycelium
