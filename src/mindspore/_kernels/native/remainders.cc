// Remainders in float64: a quotient below 2^29 times a float32 is exact there, and so is what it leaves. The C library, which XLA calls
// for each number, is asked for larger quotients alone.
#include "remainders.h"

#include <cmath>

namespace mycelium {
namespace {

constexpr int64_t kPiece = 1 << 14, kBlock = 256;
constexpr double kFar = 1 << 29;

void block(int64_t count, const float* x, const float* y, float* z) {
  int32_t far = 0;
  for (int64_t i = 0; i < count; ++i) {
    const double a = x[i], b = y[i], quotient = a / b;
    double rest = a - __builtin_trunc(quotient) * b;
    const double size = __builtin_fabs(b);
    rest += rest * a < 0 ? __builtin_copysign(size, a) : 0;  // the quotient was rounded up
    z[i] = __builtin_copysignf(static_cast<float>(rest), x[i]);
    far |= !(__builtin_fabs(quotient) < kFar && rest == rest);
  }
  if (far == 0) return;
  for (int64_t i = 0; i < count; ++i)
    if (!(std::fabs(static_cast<double>(x[i]) / y[i]) < kFar) || z[i] != z[i]) z[i] = std::fmod(x[i], y[i]);
}

}  // namespace

void remainders(int64_t count, const float* x, const float* y, float* z, const Threads& threads) {
  threads.run((count + kPiece - 1) / kPiece, 4.0 * count, [&](int64_t piece) {
    const int64_t start = piece * kPiece, end = std::min(count, start + kPiece);
    for (int64_t at = start; at < end; at += kBlock) block(std::min(kBlock, end - at), x + at, y + at, z + at);
  });
}

}  // namespace mycelium
