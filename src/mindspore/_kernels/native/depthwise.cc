// Convolutions in which every channel has a kernel of its own: vectors run along the channels.
#include "convolution.h"

namespace mycelium {
namespace {

// Weights as (place in the kernel, channel), so that neighbouring channels are neighbours.
std::vector<float> by_place(const Convolution& shape, const float* weights) {
  std::vector<float> found(shape.taps() * shape.channels + kWidth);
  for (int64_t channel = 0; channel < shape.channels; ++channel)
    for (int64_t tap = 0; tap < shape.taps(); ++tap) found[tap * shape.channels + channel] = weights[channel * shape.taps() + tap];
  return found;
}

// One row of pixels for one vector of channels; T places of the kernel are kept in registers.
template <int T>
void row_of_vectors(const float* first, int64_t step, int64_t columns, const int64_t* offsets, int64_t taps,
                    const float* weights, int64_t channels, float* to, int64_t to_step, int64_t lanes) {
  Vector factors[T];
  for (int t = 0; t < T; ++t) factors[t] = load_part(weights + t * channels, lanes);
  for (int64_t j = 0; j < columns; ++j, first += step, to += to_step) {
    Vector sum = {};
#pragma GCC unroll 9
    for (int t = 0; t < T; ++t) sum += load_part(first + offsets[t], lanes) * factors[t];
    for (int64_t t = T; t < taps; ++t) sum += load_part(first + offsets[t], lanes) * load_part(weights + t * channels, lanes);
    store_part(to, sum, lanes);
  }
}

struct Phase {
  int64_t start, count, step;  // results along one axis
  int64_t first, reach;        // of the source: first neighbour of the first result, how far neighbours reach
  int64_t source_step;
  std::vector<std::pair<int64_t, int64_t>> taps;  // (neighbour from the first on, place in the kernel)
};

void compute(const Convolution& shape, const Phase& vertical, const Phase& horizontal, int64_t source_h, int64_t source_w,
             int64_t result_h, int64_t result_w, const float* from, const float* weights, float* to, const Threads& threads) {
  const int64_t channels = shape.channels, taps = vertical.taps.size() * horizontal.taps.size();
  std::vector<float> packed(taps * channels + kWidth);
  for (size_t i = 0, at = 0; i < vertical.taps.size(); ++i)
    for (size_t j = 0; j < horizontal.taps.size(); ++j, ++at)
      std::memcpy(&packed[at * channels], weights + (vertical.taps[i].second * shape.kernel_w + horizontal.taps[j].second) * channels,
                  channels * sizeof(float));
  const int64_t block = std::max<int64_t>(1, std::min<int64_t>(vertical.count, 32768 / std::max<int64_t>(1, horizontal.count * channels)));
  const int64_t blocks = (vertical.count + block - 1) / block;
  const double operations = 4.0 * shape.batch * vertical.count * horizontal.count * channels * taps;
  threads.run(shape.batch * blocks, operations, [&](int64_t piece) {
    thread_local Scratch scratch;
    const int64_t image = piece / blocks, row = piece % blocks * block, rows = std::min(block, vertical.count - row);
    const Slab slab = padded_rows(from + image * source_h * source_w * channels, source_h, source_w, channels,
                                  vertical.first + row * vertical.source_step, (rows - 1) * vertical.source_step + vertical.reach,
                                  horizontal.first, (horizontal.count - 1) * horizontal.source_step + horizontal.reach, scratch);
    std::vector<int64_t> offsets;
    for (const auto& [i, _] : vertical.taps)
      for (const auto& [j, __] : horizontal.taps) offsets.push_back(i * slab.pitch + j * channels);
    for (int64_t channel = 0; channel < channels; channel += kWidth) {
      const int64_t lanes = std::min<int64_t>(kWidth, channels - channel);
      for (int64_t i = 0; i < rows; ++i) {
        const float* first = slab.first + i * vertical.source_step * slab.pitch + channel;
        float* line = to + ((image * result_h + vertical.start + (row + i) * vertical.step) * result_w + horizontal.start) * channels + channel;
        const auto run = taps >= 9 ? row_of_vectors<9> : taps >= 4 ? row_of_vectors<4> : row_of_vectors<1>;
        run(first, horizontal.source_step * channels, horizontal.count, offsets.data(), taps, &packed[channel], channels, line,
            horizontal.step * channels, lanes);
      }
    }
  });
}

Phase forward_phase(int64_t results, int64_t kernel, int64_t stride, int64_t pad, int64_t dilation) {
  Phase phase{0, results, 1, -pad, (kernel - 1) * dilation + 1, stride, {}};
  for (int64_t k = 0; k < kernel; ++k) phase.taps.emplace_back(k * dilation, k);
  return phase;
}

Phase backward_phase(int64_t start, int64_t inputs, int64_t kernel, int64_t stride, int64_t pad, int64_t dilation) {
  Phase phase{start, (inputs - start + stride - 1) / stride, stride, 0, 0, 1, {}};
  for (int64_t k = kernel - 1; k >= 0; --k)
    if ((start + pad - k * dilation) % stride == 0) phase.taps.emplace_back((start + pad - k * dilation) / stride, k);
  if (phase.taps.empty()) return phase;
  phase.first = phase.taps[0].first;
  phase.reach = phase.taps.back().first - phase.first + 1;
  for (auto& tap : phase.taps) tap.first -= phase.first;
  return phase;
}

}  // namespace

void depthwise_convolve(const Convolution& shape, const float* x, const float* weights, float* y, const Threads& threads) {
  compute(shape, forward_phase(shape.out_h, shape.kernel_h, shape.stride_h, shape.pad_top, shape.dilation_h),
          forward_phase(shape.out_w, shape.kernel_w, shape.stride_w, shape.pad_left, shape.dilation_w), shape.height, shape.width,
          shape.out_h, shape.out_w, x, by_place(shape, weights).data(), y, threads);
}

void depthwise_input_gradient(const Convolution& shape, const float* dy, const float* weights, float* dx, const Threads& threads) {
  const std::vector<float> packed = by_place(shape, weights);
  std::memset(dx, 0, shape.batch * shape.height * shape.width * shape.channels * sizeof(float));
  for (int64_t a = 0; a < std::min(shape.stride_h, shape.height); ++a)
    for (int64_t b = 0; b < std::min(shape.stride_w, shape.width); ++b) {
      const Phase vertical = backward_phase(a, shape.height, shape.kernel_h, shape.stride_h, shape.pad_top, shape.dilation_h);
      const Phase horizontal = backward_phase(b, shape.width, shape.kernel_w, shape.stride_w, shape.pad_left, shape.dilation_w);
      if (vertical.taps.empty() || horizontal.taps.empty()) continue;
      compute(shape, vertical, horizontal, shape.out_h, shape.out_w, shape.height, shape.width, dy, packed.data(), dx, threads);
    }
}

void depthwise_weight_gradient(const Convolution& shape, const float* x, const float* dy, float* dw, const Threads& threads) {
  const int64_t channels = shape.channels, taps = shape.taps(), rows = shape.batch * shape.out_h;
  const int64_t parts = parts_of_sum(2 * shape.operations(), rows);
  const int64_t vectors = (channels + kWidth - 1) / kWidth, floats = taps * vectors * kWidth;
  std::vector<float> sums(parts * floats);
  threads.run(parts, 2 * shape.operations(), [&](int64_t part) {
    thread_local Scratch scratch;
    float* own = &sums[part * floats];
    const int64_t last = rows * (part + 1) / parts;
    for (int64_t at = rows * part / parts; at < last;) {
      const int64_t image = at / shape.out_h, row = at % shape.out_h;
      const int64_t count = std::min({std::max<int64_t>(1, 32768 / (shape.out_w * channels)), shape.out_h - row, last - at});
      const Slab slab = padded_rows(x + image * shape.height * shape.width * channels, shape.height, shape.width, channels,
                                    row * shape.stride_h - shape.pad_top, (count - 1) * shape.stride_h + (shape.kernel_h - 1) * shape.dilation_h + 1,
                                    -shape.pad_left, (shape.out_w - 1) * shape.stride_w + (shape.kernel_w - 1) * shape.dilation_w + 1, scratch);
      for (int64_t channel = 0; channel < channels; channel += kWidth) {
        const int64_t lanes = std::min<int64_t>(kWidth, channels - channel);
        for (int64_t tap_row = 0; tap_row < shape.kernel_h; ++tap_row)
          for (int64_t tap_column = 0; tap_column < shape.kernel_w; tap_column += 3) {
            const int64_t together = std::min<int64_t>(3, shape.kernel_w - tap_column);
            float* place = own + ((tap_row * shape.kernel_w + tap_column) * vectors) * kWidth + channel;
            Vector totals[3] = {};
            for (int64_t i = 0; i < count; ++i) {
              const float* input = slab.first + (i * shape.stride_h + tap_row * shape.dilation_h) * slab.pitch +
                                   tap_column * shape.dilation_w * channels + channel;
              const float* gradient = dy + (at + i) * shape.out_w * channels + channel;
              const int64_t next = shape.dilation_w * channels;
              for (int64_t j = 0; j < shape.out_w; ++j, input += shape.stride_w * channels, gradient += channels) {
                const Vector factor = load_part(gradient, lanes);
                for (int64_t t = 0; t < together; ++t) totals[t] += load_part(input + t * next, lanes) * factor;
              }
            }
            for (int64_t t = 0; t < together; ++t) store(place + t * vectors * kWidth, load(place + t * vectors * kWidth) + totals[t]);
          }
      }
      at += count;
    }
  });
  for (int64_t channel = 0; channel < channels; ++channel)
    for (int64_t tap = 0; tap < taps; ++tap) {
      float sum = 0;
      for (int64_t part = 0; part < parts; ++part) sum += sums[part * floats + tap * vectors * kWidth + channel];
      dw[channel * taps + tap] = sum;
    }
}

}  // namespace mycelium
