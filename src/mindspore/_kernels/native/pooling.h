#pragma once

#include "geometry.h"

namespace mycelium {

// Windows over images that lie in memory as (batch, height, width, channels).
struct Pooling {
  int64_t batch, height, width, channels, out_h, out_w;
  int64_t kernel_h, kernel_w, stride_h, stride_w, pad_top, pad_left;
};

// With `relu` the windows are over max(x, 0), and the gradient is that of both.
void max_pool(const Pooling& shape, bool relu, const float* x, float* y, const Threads& threads);
void max_pool_gradient(const Pooling& shape, bool relu, const float* x, const float* dy, float* dx, const Threads& threads);

// Of every channel of `pixels` pixels: mean and variance; sum of t and sum of (x - centre) * t.
void channel_moments(int64_t pixels, int64_t channels, const float* x, float* mean, float* variance, const Threads& threads);
void channel_sums(int64_t pixels, int64_t channels, const float* x, const float* centre, const float* t, float* sums,
                  float* products, const Threads& threads);

}  // namespace mycelium
