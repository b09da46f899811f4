// The cross entropy of scores against classes, of a row while it lies in the cache: XLA writes the scores less the largest one,
// and those of the classes among zeros, into arrays of the scores' size before it adds them up.
#include "entropy.h"

#include <cmath>
#include <limits>

#include "vectors.h"

namespace mycelium {
namespace {

constexpr float kNothing = -std::numeric_limits<float>::infinity();
constexpr float kLeast = -87.0f;  // the exponential of less is taken for 0
constexpr int64_t kPiece = 1 << 14;

// The exponential of x <= 0: a power of 2, as bits, times a polynomial of what is left. Not a number stays that.
inline __attribute__((always_inline)) Vector exponential(Vector x) {
  const Vector bounded = x < all(kLeast) ? all(kLeast) : x;
  const Vector shifted = bounded * all(1.44269504f) + all(kRound), turns = shifted - all(kRound);
  Vector r = bounded - turns * all(0.693359375f);
  r = r - turns * all(-2.12194440e-4f);
  Vector p = r * all(1.9875691500e-4f) + all(1.3981999507e-3f);
  p = p * r + all(8.3334519073e-3f);
  p = p * r + all(4.1665795894e-2f);
  p = p * r + all(1.6666665459e-1f);
  p = p * r + all(5.0000001201e-1f);
  p = p * r * r + r + all(1.0f);
  const Vector power = floats_of((bits_of(shifted) - bits_of(all(kRound)) + 127) << 23);
  return x < all(kLeast) ? Vector{} : p * power;
}

inline Vector larger(Vector a, Vector b) { return a > b ? a : b; }

// The first `count` floats, and -infinity behind them.
inline Vector load_scores(const float* from, int64_t count) {
  if (count >= kWidth) return load(from);
  alignas(sizeof(Vector)) float parts[kWidth];
  for (int i = 0; i < kWidth; ++i) parts[i] = i < count ? from[i] : kNothing;
  return load(parts);
}

template <class Join>
float joined(Vector lanes, Join join) {
  alignas(sizeof(Vector)) float parts[kWidth];
  store(parts, lanes);
  for (int half = kWidth / 2; half > 0; half /= 2)
    for (int i = 0; i < half; ++i) parts[i] = join(parts[i], parts[i + half]);
  return parts[0];
}

float largest_of_row(const float* x, int64_t length) {
  Vector most[2] = {all(kNothing), all(kNothing)};
  int64_t j = 0;
  for (; j + 2 * kWidth <= length; j += 2 * kWidth)
    for (int k = 0; k < 2; ++k) most[k] = larger(load(x + j + k * kWidth), most[k]);
  for (; j < length; j += kWidth) most[0] = larger(load_scores(x + j, length - j), most[0]);
  return joined(larger(most[0], most[1]), [](float a, float b) { return a > b ? a : b; });
}

float sum_of_exponentials(const float* x, int64_t length, float largest) {
  Vector sums[2] = {};
  int64_t j = 0;
  for (; j + 2 * kWidth <= length; j += 2 * kWidth)
    for (int k = 0; k < 2; ++k) sums[k] += exponential(load(x + j + k * kWidth) - all(largest));
  for (; j < length; j += kWidth) {
    const int64_t count = std::min<int64_t>(kWidth, length - j);
    Vector found = exponential(load_scores(x + j, count) - all(largest));
    if (count < kWidth) {  // where the largest is -infinity, what was filled in is not a number
      alignas(sizeof(Vector)) float parts[kWidth] = {};
      store_part(parts, found, count);
      found = load(parts);
    }
    sums[0] += found;
  }
  return joined(sums[0] + sums[1], [](float a, float b) { return a + b; });
}

}  // namespace

void class_entropy(const AlongAxis& shape, const float* x, const int32_t* classes, float* entropy, float* largest, float* logarithms,
                   const Threads& threads) {
  const int64_t inner = shape.inner, length = shape.length;
  const auto finish = [&](int64_t outer, int64_t i) {
    const int64_t at = outer * inner + i;
    const uint32_t place = classes[at];
    const bool there = place < static_cast<uint64_t>(length);
    entropy[at] = there ? logarithms[at] - (x[(outer * length + place) * inner + i] - largest[at]) : 0.0f;
  };
  if (inner == 1) {
    const int64_t together = std::max<int64_t>(1, kPiece / length), pieces = (shape.outer + together - 1) / together;
    threads.run(pieces, 4.0 * shape.count(), [&](int64_t piece) {
      for (int64_t row = piece * together; row < std::min(shape.outer, (piece + 1) * together); ++row) {
        largest[row] = largest_of_row(x + row * length, length);
        logarithms[row] = std::log(sum_of_exponentials(x + row * length, length, largest[row]));
        finish(row, 0);
      }
    });
    return;
  }
  const int64_t strips = (inner + kWidth - 1) / kWidth;
  const int64_t together = std::max<int64_t>(1, kPiece / (length * kWidth)), pieces = (shape.outer * strips + together - 1) / together;
  threads.run(pieces, 4.0 * shape.count(), [&](int64_t piece) {
    for (int64_t one = piece * together; one < std::min(shape.outer * strips, (piece + 1) * together); ++one) {
      const int64_t outer = one / strips, start = one % strips * kWidth, count = std::min<int64_t>(kWidth, inner - start);
      const float* from = x + outer * length * inner + start;
      Vector most = all(kNothing), sums = {};
      for (int64_t j = 0; j < length; ++j) most = larger(load_part(from + j * inner, count), most);
      for (int64_t j = 0; j < length; ++j) sums += exponential(load_part(from + j * inner, count) - most);
      store_part(largest + outer * inner + start, most, count);
      alignas(sizeof(Vector)) float parts[kWidth];
      store(parts, sums);
      for (int64_t i = 0; i < count; ++i) {
        logarithms[outer * inner + start + i] = std::log(parts[i]);
        finish(outer, start + i);
      }
    }
  });
}

void class_entropy_slopes(const AlongAxis& shape, const float* x, const int32_t* classes, const float* largest, const float* logarithms,
                          const float* whole, const float* own, float* y, const Threads& threads) {
  const int64_t inner = shape.inner, length = shape.length;
  const auto finish = [&](int64_t outer, int64_t i) {
    const uint32_t place = classes[outer * inner + i];
    if (place < static_cast<uint64_t>(length)) y[(outer * length + place) * inner + i] -= own[outer * inner + i];
  };
  if (inner == 1) {
    const int64_t together = std::max<int64_t>(1, kPiece / length), pieces = (shape.outer + together - 1) / together;
    threads.run(pieces, 3.0 * shape.count(), [&](int64_t piece) {
      for (int64_t row = piece * together; row < std::min(shape.outer, (piece + 1) * together); ++row) {
        const Vector most = all(largest[row]), logarithm = all(logarithms[row]), scale = all(whole[row]);
        for (int64_t j = 0; j < length; j += kWidth) {
          const int64_t count = std::min<int64_t>(kWidth, length - j), at = row * length + j;
          store_part(y + at, exponential((load_part(x + at, count) - most) - logarithm) * scale, count);
        }
        finish(row, 0);
      }
    });
    return;
  }
  const int64_t strips = (inner + kWidth - 1) / kWidth;
  const int64_t together = std::max<int64_t>(1, kPiece / (length * kWidth)), pieces = (shape.outer * strips + together - 1) / together;
  threads.run(pieces, 3.0 * shape.count(), [&](int64_t piece) {
    for (int64_t one = piece * together; one < std::min(shape.outer * strips, (piece + 1) * together); ++one) {
      const int64_t outer = one / strips, start = one % strips * kWidth, count = std::min<int64_t>(kWidth, inner - start);
      const int64_t row = outer * inner + start, first = outer * length * inner + start;
      const Vector most = load_part(largest + row, count), logarithm = load_part(logarithms + row, count), scale = load_part(whole + row, count);
      for (int64_t j = 0; j < length; ++j) {
        const int64_t at = first + j * inner;
        store_part(y + at, exponential((load_part(x + at, count) - most) - logarithm) * scale, count);
      }
      for (int64_t i = 0; i < count; ++i) finish(outer, start + i);
    }
  });
}

}  // namespace mycelium
