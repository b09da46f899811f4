// The gradient to an input of few channels. Computed pixel by pixel, most of a vector would stay empty; so each gradient
// is spread over the row of the kernel around it instead, whose floats are neighbours in memory.
#include "convolution.h"

namespace mycelium {
namespace {

constexpr int kMostVectors = 4;  // of a row of the kernel
constexpr int kRowsTogether = 3;  // rows of gradients: they touch different rows of the input, so none waits for another

// rows[p][...] += sum over outputs of gradient * weights, for P rows and V vectors of which the last has `lanes` floats.
template <int P, int V>
void spread_tile(const float* const* gradients, int64_t outputs, const float* weights, float* const* rows, Mask lanes) {
  Vector sums[P][V] = {};
  for (int64_t output = 0; output < outputs; ++output, weights += V * kWidth) {
    Vector factors[V];
#pragma GCC unroll 4
    for (int v = 0; v < V; ++v) factors[v] = load(weights + v * kWidth);
#pragma GCC unroll 3
    for (int p = 0; p < P; ++p) {
      const Vector value = all(gradients[p][output]);
#pragma GCC unroll 4
      for (int v = 0; v < V; ++v) sums[p][v] += value * factors[v];
    }
  }
#pragma GCC unroll 3
  for (int p = 0; p < P; ++p) {
    sums[p][V - 1] = lanes ? sums[p][V - 1] : Vector{};  // infinity times nothing is not nothing
#pragma GCC unroll 4
    for (int v = 0; v < V; ++v) store(rows[p] + v * kWidth, load(rows[p] + v * kWidth) + sums[p][v]);
  }
}

using Tile = void (*)(const float* const*, int64_t, const float*, float* const*, Mask);
template <int V>
constexpr Tile kTiles[kRowsTogether] = {spread_tile<1, V>, spread_tile<2, V>, spread_tile<3, V>};
const Tile* tiles_of(int64_t vectors) {
  const Tile* found[kMostVectors] = {kTiles<1>, kTiles<2>, kTiles<3>, kTiles<4>};
  return found[vectors - 1];
}

// Weights as the tiles read them: row by row of the kernel, in it output by output.
void pack_rows(const Convolution& shape, int64_t room, const float* weights, float* packed) {
  std::memset(packed, 0, shape.kernel_h * shape.outputs * room * sizeof(float));
  for (int64_t output = 0; output < shape.outputs; ++output)
    for (int64_t channel = 0; channel < shape.channels; ++channel)
      for (int64_t i = 0; i < shape.kernel_h; ++i)
        for (int64_t j = 0; j < shape.kernel_w; ++j)
          packed[(i * shape.outputs + output) * room + j * shape.channels + channel] = *weights++;
}

}  // namespace

bool few_channels(const Convolution& shape) {
  return shape.groups == 1 && shape.pad_top >= 0 && shape.pad_left >= 0 && shape.channels < kWidth && shape.outputs >= kWidth && shape.dilation_w == 1 &&
         shape.kernel_w > 1 && shape.kernel_w * shape.channels <= kMostVectors * kWidth;
}

void few_channels_input_gradient(const Convolution& shape, const float* dy, const float* weights, float* dx, const Threads& threads) {
  thread_local Scratch packed_scratch;
  const int64_t run = shape.kernel_w * shape.channels, vectors = (run + kWidth - 1) / kWidth, room = vectors * kWidth;
  float* packed = packed_scratch.floats(shape.kernel_h * shape.outputs * room);
  pack_rows(shape, room, weights, packed);
  const Tile* tiles = tiles_of(vectors);
  Mask lanes;
  for (int lane = 0; lane < kWidth; ++lane) lanes[lane] = room - kWidth + lane < run ? -1 : 0;
  const int64_t slab_rows = (shape.out_h - 1) * shape.stride_h + (shape.kernel_h - 1) * shape.dilation_h + 1;
  const int64_t slab_columns = (shape.out_w - 1) * shape.stride_w + shape.kernel_w, pitch = slab_columns * shape.channels;
  threads.run(shape.batch, shape.operations(), [&](int64_t image) {
    thread_local Scratch slab_scratch;
    float* slab = slab_scratch.floats(slab_rows * pitch + kLanes);
    std::memset(slab, 0, (slab_rows * pitch + kLanes) * sizeof(float));
    const float* from = dy + image * shape.out_h * shape.out_w * shape.outputs;
    for (int64_t i = 0; i < shape.kernel_h; ++i)
      for (int64_t column = 0; column < shape.out_w; ++column)
        for (int64_t row = 0; row < shape.out_h; row += kRowsTogether) {
          const int64_t count = std::min<int64_t>(kRowsTogether, shape.out_h - row);
          const float* gradients[kRowsTogether];
          float* rows[kRowsTogether];
          for (int64_t p = 0; p < count; ++p) {
            gradients[p] = from + ((row + p) * shape.out_w + column) * shape.outputs;
            rows[p] = slab + ((row + p) * shape.stride_h + i * shape.dilation_h) * pitch + column * shape.stride_w * shape.channels;
          }
          tiles[count - 1](gradients, shape.outputs, packed + i * shape.outputs * room, rows, lanes);
        }
    // The slab is the padded image as far as the windows reach; what they do not reach has no gradient.
    float* to = dx + image * shape.height * shape.width * shape.channels;
    const int64_t columns = std::max<int64_t>(0, std::min(shape.width, slab_columns - shape.pad_left));
    for (int64_t row = 0; row < shape.height; ++row, to += shape.width * shape.channels) {
      const int64_t reached = row + shape.pad_top < slab_rows ? columns : 0;
      if (reached > 0)
        std::memcpy(to, slab + (row + shape.pad_top) * pitch + shape.pad_left * shape.channels, reached * shape.channels * sizeof(float));
      std::memset(to + reached * shape.channels, 0, (shape.width - reached) * shape.channels * sizeof(float));
    }
  });
}

}  // namespace mycelium
