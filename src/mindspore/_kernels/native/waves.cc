// Sines, cosines and tangents in vectors: the angle less the nearest multiple of pi / 2, then a polynomial of it. XLA calls the C
// library for each number; here it is asked for angles beyond 2^16 alone.
#include "waves.h"

#include <cmath>

#include "vectors.h"

namespace mycelium {
namespace {

constexpr int64_t kPiece = 1 << 14;
constexpr float kFar = 65536;

// pi / 2 in parts, the first two with zeros at the end: their products with small whole numbers are exact.
constexpr float kPart1 = 1.5703125f, kPart2 = 4.837512969970703125e-4f, kPart3 = 7.549790126404332e-08f, kPart4 = -1.7151245100058819e-15f;

template <Wave W>
inline __attribute__((always_inline)) Vector wave_of(Vector x) {
  const Vector shifted = x * all(0.63661977236758134f) + all(kRound), turns = shifted - all(kRound);
  Vector r = x - turns * all(kPart1);
  r = r - turns * all(kPart2);
  r = r - turns * all(kPart3);
  r = r - turns * all(kPart4);
  const Vector s = r * r;
  Vector sine = s * all(2.718121e-6f) + all(-1.9839334e-4f);
  sine = sine * s + all(8.3333293e-3f);
  sine = sine * s + all(-1.6666667e-1f);
  sine = sine * s * r + r;
  Vector cosine = s * all(2.4433157e-5f) + all(-1.3887316e-3f);
  cosine = cosine * s + all(4.1666646e-2f);
  cosine = cosine * s + all(-0.5f);
  cosine = cosine * s + all(1.0f);
  const Mask quarter = bits_of(shifted) + (W == Wave::kCosine ? 1 : 0);  // its two last digits count
  const Mask odd = -(quarter & 1);
  const Vector first = floats_of((bits_of(cosine) & odd) | (bits_of(sine) & ~odd));
  if (W == Wave::kTangent) {
    const Vector second = floats_of(((bits_of(sine) & odd) | (bits_of(cosine) & ~odd)) ^ (odd & static_cast<int32_t>(0x80000000)));
    return first / second;
  }
  return floats_of(bits_of(first) ^ ((quarter & 2) << 30));
}

float by_library(Wave wave, float x) { return wave == Wave::kSine ? std::sin(x) : wave == Wave::kCosine ? std::cos(x) : std::tan(x); }

template <Wave W>
void run(int64_t count, const float* x, float* y) {
  float furthest = 0;
  for (int64_t i = 0; i < count; ++i) {
    const float size = __builtin_fabsf(x[i]);
    furthest = size > furthest ? size : furthest;
  }
  int64_t i = 0;
  for (; i + kWidth <= count; i += kWidth) store(y + i, wave_of<W>(load(x + i)));
  if (i < count) {
    float rest[kWidth] = {};
    std::memcpy(rest, x + i, (count - i) * sizeof(float));
    store(rest, wave_of<W>(load(rest)));
    std::memcpy(y + i, rest, (count - i) * sizeof(float));
  }
  if (furthest <= kFar) return;  // NaN is NaN either way
  for (i = 0; i < count; ++i)
    if (!(std::fabs(x[i]) <= kFar)) y[i] = by_library(W, x[i]);
}

}  // namespace

void waves(Wave wave, int64_t count, const float* x, float* y, const Threads& threads) {
  const auto one = wave == Wave::kSine ? run<Wave::kSine> : wave == Wave::kCosine ? run<Wave::kCosine> : run<Wave::kTangent>;
  threads.run((count + kPiece - 1) / kPiece, 4.0 * count, [&](int64_t piece) {
    const int64_t start = piece * kPiece;
    for (int64_t at = start; at < std::min(count, start + kPiece); at += 256) one(std::min<int64_t>(256, count - at), x + at, y + at);
  });
}

}  // namespace mycelium
