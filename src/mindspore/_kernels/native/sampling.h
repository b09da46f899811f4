// Images sampled between their pixels.
#pragma once

#include "parallel.h"

namespace mycelium {

// Images (batch, channels, height, width), sampled at `count` positions each.
struct Sampling {
  int64_t batch, channels, height, width, count;
  double operations() const { return 8.0 * batch * channels * count; }
};

// y[n, c, p], between the four pixels around (down[n, p], right[n, p]); pixels outside are 0.
void sample(const Sampling& shape, const float* x, const float* down, const float* right, float* y, const Threads& threads);
// The way back to the images: x gets what its pixels have given, in order, so that bits do not depend on threads.
void sample_spread(const Sampling& shape, const float* y, const float* down, const float* right, float* x, const Threads& threads);
// The way back to the positions: the sum over channels of y times the slope of what was read there.
void sample_slopes(const Sampling& shape, const float* x, const float* down, const float* right, const float* y, float* to_down,
                   float* to_right, const Threads& threads);

}  // namespace mycelium
