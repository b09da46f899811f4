// The innermost loops: a tile of sums stays in registers while products are added to it.
#pragma once

#include "geometry.h"

namespace mycelium {

// Pixels (or weights) of a tile with two vectors of channels: 12 sums fill AVX2's registers, 24 those of AVX-512.
constexpr int kWideTile = kManyRegisters ? 12 : 6;
constexpr int kNarrowTile = kManyRegisters ? 16 : 8;  // of a tile with one vector: enough sums to hide how long an addition takes

// For P pixels and V vectors of channels: results[p][channel...] = sum over segments and floats of pixel * weight.
// `weights` holds the V vectors of every float in turn; the last vector has `lanes` channels.
template <int P, int V>
inline __attribute__((always_inline)) void pixel_tile(const float* const* pixels, const int64_t* offsets, int64_t segments,
                                                      int64_t run, const float* weights, float* const* results,
                                                      int64_t channel, int64_t lanes) {
  Vector sums[P][V] = {};
  const float* inputs[P];
  for (int64_t segment = 0; segment < segments; ++segment) {
    for (int p = 0; p < P; ++p) inputs[p] = pixels[p] + offsets[segment];
    for (int64_t i = 0; i < run; ++i, weights += V * kWidth) {
      Vector factors[V];
#pragma GCC unroll 2
      for (int v = 0; v < V; ++v) factors[v] = load(weights + v * kWidth);
#pragma GCC unroll 16
      for (int p = 0; p < P; ++p) {
        const Vector value = all(inputs[p][i]);
#pragma GCC unroll 2
        for (int v = 0; v < V; ++v) sums[p][v] += value * factors[v];
      }
    }
  }
#pragma GCC unroll 16
  for (int p = 0; p < P; ++p) {
    float* to = results[p] + channel;
    if (V == 2) store(to, sums[p][0]);
    store_part(to + (V - 1) * kWidth, sums[p][V - 1], lanes);
  }
}

// Any number of pixels, tile by tile.
template <int P, int V>
void pixel_tiles(const float* const* pixels, int64_t count, const int64_t* offsets, int64_t segments, int64_t run,
                 const float* weights, float* const* results, int64_t channel, int64_t lanes) {
  for (; count >= P; count -= P, pixels += P, results += P)
    pixel_tile<P, V>(pixels, offsets, segments, run, weights, results, channel, lanes);
  if constexpr (P > 1) {
    if (count > 0) pixel_tiles<P - 1, V>(pixels, count, offsets, segments, run, weights, results, channel, lanes);
  }
}

// For R floats and V vectors of channels: sums[r] += sum over pixels of float * gradient. The floats of pixel p lie at
// inputs + places[p], or one pixel's after the other's where there are no places; `gradients` has V vectors per pixel.
// Small tiles take two pixels at a time: an addition waits for the one before it.
template <int R, int V, bool Placed>
void weight_tile(const float* inputs, const int64_t* places, const float* gradients, int64_t pixels, float* sums, int64_t pitch) {
  constexpr int kTogether = R * V < 8 ? 2 : 1;
  Vector totals[kTogether][R][V] = {};
  for (int r = 0; r < R; ++r)
    for (int v = 0; v < V; ++v) totals[0][r][v] = load(sums + r * pitch + v * kWidth);
  const auto add = [&](int place) __attribute__((always_inline)) {
    const float* floats = Placed ? inputs + *places++ : inputs;
    Vector factors[V];
#pragma GCC unroll 2
    for (int v = 0; v < V; ++v) factors[v] = load(gradients + v * kWidth);
#pragma GCC unroll 16
    for (int r = 0; r < R; ++r) {
      const Vector value = all(floats[r]);
#pragma GCC unroll 2
      for (int v = 0; v < V; ++v) totals[place][r][v] += value * factors[v];
    }
    if (!Placed) inputs += R;
    gradients += V * kWidth;
  };
  int64_t p = 0;
  for (; p + kTogether <= pixels; p += kTogether) {
#pragma GCC unroll 2
    for (int place = 0; place < kTogether; ++place) add(place);
  }
  for (; p < pixels; ++p) add(0);
  for (int r = 0; r < R; ++r)
    for (int v = 0; v < V; ++v) {
      if (kTogether == 2) totals[0][r][v] += totals[kTogether - 1][r][v];
      store(sums + r * pitch + v * kWidth, totals[0][r][v]);
    }
}

// Channels in panels of kLanes; a last panel of at most kWidth is a narrow one.
struct Panel {
  int64_t start, channels;
  bool wide() const { return channels > kWidth; }
  int64_t room() const { return wide() ? kLanes : kWidth; }
  int64_t last_lanes() const { return wide() ? channels - kWidth : channels; }
};
inline std::vector<Panel> panels_of(int64_t channels) {
  std::vector<Panel> panels;
  for (int64_t start = 0; start < channels; start += kLanes)
    panels.push_back({start, std::min<int64_t>(kLanes, channels - start)});
  return panels;
}

}  // namespace mycelium
