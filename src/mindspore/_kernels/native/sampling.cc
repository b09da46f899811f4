// Images sampled between their pixels: the pixels around some positions and their weights are found once, for all channels.
#include "sampling.h"

#include <cmath>
#include <cstring>

namespace mycelium {
namespace {

constexpr int64_t kStrip = 256;  // positions that are treated together
constexpr int64_t kPlanes = 8;   // channels that one thread gives back to at a time

// The four pixels around each position, and how far it is beyond the first of them.
struct Around {
  int32_t pixels[4][kStrip];  // of a plane; -1 is outside
  float below[kStrip], beyond[kStrip];

  void find(const Sampling& shape, const float* down, const float* right, int64_t count) {
    for (int64_t i = 0; i < count; ++i) {
      const float top = std::floor(down[i]), left = std::floor(right[i]);
      below[i] = down[i] - top, beyond[i] = right[i] - left;
      // far outside (or NaN) nothing is read, and the position need not be a number that an index can be
      const bool near = top >= -1 && top < shape.height && left >= -1 && left < shape.width;
      const int32_t y = near ? static_cast<int32_t>(top) : -2, x = near ? static_cast<int32_t>(left) : -2;
      for (int k = 0; k < 4; ++k) {
        const int32_t row = y + k / 2, column = x + k % 2;
        const bool inside = row >= 0 && row < shape.height && column >= 0 && column < shape.width;
        pixels[k][i] = inside ? static_cast<int32_t>(row * shape.width + column) : -1;
      }
    }
  }
  float at(const float* plane, int k, int64_t i) const { return pixels[k][i] >= 0 ? plane[pixels[k][i]] : 0.0f; }
};

int64_t strips_of(const Sampling& shape) { return (shape.count + kStrip - 1) / kStrip; }

}  // namespace

void sample(const Sampling& shape, const float* x, const float* down, const float* right, float* y, const Threads& threads) {
  const int64_t strips = strips_of(shape), pixels = shape.height * shape.width;
  threads.run(shape.batch * strips, shape.operations(), [&](int64_t piece) {
    const int64_t image = piece / strips, start = piece % strips * kStrip, count = std::min(kStrip, shape.count - start);
    Around around;
    around.find(shape, down + image * shape.count + start, right + image * shape.count + start, count);
    float weights[4][kStrip];
    for (int64_t i = 0; i < count; ++i) {
      const float below = around.below[i], beyond = around.beyond[i];
      weights[0][i] = (1 - below) * (1 - beyond), weights[1][i] = (1 - below) * beyond;
      weights[2][i] = below * (1 - beyond), weights[3][i] = below * beyond;
    }
    for (int64_t c = 0; c < shape.channels; ++c) {
      const float* plane = x + (image * shape.channels + c) * pixels;
      float* to = y + (image * shape.channels + c) * shape.count + start;
      for (int64_t i = 0; i < count; ++i)
        to[i] = weights[0][i] * around.at(plane, 0, i) + weights[1][i] * around.at(plane, 1, i) +
                weights[2][i] * around.at(plane, 2, i) + weights[3][i] * around.at(plane, 3, i);
    }
  });
}

void sample_spread(const Sampling& shape, const float* y, const float* down, const float* right, float* x, const Threads& threads) {
  const int64_t groups = (shape.channels + kPlanes - 1) / kPlanes, pixels = shape.height * shape.width;
  threads.run(shape.batch * groups, shape.operations(), [&](int64_t piece) {
    const int64_t image = piece / groups, first = piece % groups * kPlanes, planes = std::min(kPlanes, shape.channels - first);
    float* to = x + (image * shape.channels + first) * pixels;
    const float* from = y + (image * shape.channels + first) * shape.count;
    std::memset(to, 0, planes * pixels * sizeof(float));
    Around around;
    for (int64_t start = 0; start < shape.count; start += kStrip) {
      const int64_t count = std::min(kStrip, shape.count - start);
      around.find(shape, down + image * shape.count + start, right + image * shape.count + start, count);
      for (int64_t c = 0; c < planes; ++c) {
        float* plane = to + c * pixels;
        const float* own = from + c * shape.count + start;
        for (int64_t i = 0; i < count; ++i) {
          const float below = around.below[i], beyond = around.beyond[i];
          const float upper = own[i] * (1 - below), lower = own[i] * below;
          if (around.pixels[0][i] >= 0) plane[around.pixels[0][i]] += upper * (1 - beyond);
          if (around.pixels[1][i] >= 0) plane[around.pixels[1][i]] += upper * beyond;
          if (around.pixels[2][i] >= 0) plane[around.pixels[2][i]] += lower * (1 - beyond);
          if (around.pixels[3][i] >= 0) plane[around.pixels[3][i]] += lower * beyond;
        }
      }
    }
  });
}

void sample_slopes(const Sampling& shape, const float* x, const float* down, const float* right, const float* y, float* to_down,
                   float* to_right, const Threads& threads) {
  const int64_t strips = strips_of(shape), pixels = shape.height * shape.width;
  threads.run(shape.batch * strips, shape.operations(), [&](int64_t piece) {
    const int64_t image = piece / strips, start = piece % strips * kStrip, count = std::min(kStrip, shape.count - start);
    Around around;
    around.find(shape, down + image * shape.count + start, right + image * shape.count + start, count);
    float sums[2][kStrip] = {};
    for (int64_t c = 0; c < shape.channels; ++c) {
      const float* plane = x + (image * shape.channels + c) * pixels;
      const float* own = y + (image * shape.channels + c) * shape.count + start;
      for (int64_t i = 0; i < count; ++i) {
        const float below = around.below[i], beyond = around.beyond[i];
        const float a = around.at(plane, 0, i), b = around.at(plane, 1, i), d = around.at(plane, 2, i), e = around.at(plane, 3, i);
        sums[0][i] += own[i] * ((d - a) * (1 - beyond) + (e - b) * beyond);
        sums[1][i] += own[i] * ((b - a) * (1 - below) + (e - d) * below);
      }
    }
    std::memcpy(to_down + image * shape.count + start, sums[0], count * sizeof(float));
    std::memcpy(to_right + image * shape.count + start, sums[1], count * sizeof(float));
  });
}

}  // namespace mycelium
