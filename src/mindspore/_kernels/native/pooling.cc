// The largest element of windows over images, and the way back to it.
#include "pooling.h"

namespace mycelium {
namespace {

// The part of a window that lies inside the image.
struct Range {
  int64_t first, last;
};
Range inside(int64_t place, int64_t stride, int64_t pad, int64_t kernel, int64_t length) {
  const int64_t start = place * stride - pad;
  return {std::max<int64_t>(0, start), std::min(length, start + kernel)};
}

// Whether a value takes the place of the largest so far: the first of equal ones stays, and so does the first NaN.
inline Mask replaces(Vector value, Vector largest) { return ((value > largest) | (value != value)) & (largest == largest); }

}  // namespace

void max_pool(const Pooling& shape, const float* x, float* y, const Threads& threads) {
  const int64_t channels = shape.channels;
  const double operations = 2.0 * shape.batch * shape.out_h * shape.out_w * channels * shape.kernel_h * shape.kernel_w;
  threads.run(shape.batch * shape.out_h, operations, [&](int64_t piece) {
    const int64_t image = piece / shape.out_h;
    const float* from = x + image * shape.height * shape.width * channels;
    const Range rows = inside(piece % shape.out_h, shape.stride_h, shape.pad_top, shape.kernel_h, shape.height);
    for (int64_t column = 0; column < shape.out_w; ++column) {
      const Range columns = inside(column, shape.stride_w, shape.pad_left, shape.kernel_w, shape.width);
      float* to = y + (piece * shape.out_w + column) * channels;
      for (int64_t channel = 0; channel < channels; channel += kWidth) {
        const int64_t lanes = std::min<int64_t>(kWidth, channels - channel);
        Vector largest = all(-__builtin_inff());
        for (int64_t i = rows.first; i < rows.last; ++i)
          for (int64_t j = columns.first; j < columns.last; ++j) {
            const Vector value = load_part(from + (i * shape.width + j) * channels + channel, lanes);
            largest = replaces(value, largest) ? value : largest;
          }
        store_part(to + channel, largest, lanes);
      }
    }
  });
}

void max_pool_gradient(const Pooling& shape, const float* x, const float* dy, float* dx, const Threads& threads) {
  const int64_t channels = shape.channels, floats = shape.height * shape.width * channels;
  const double operations = 6.0 * shape.batch * shape.out_h * shape.out_w * channels * shape.kernel_h * shape.kernel_w;
  const bool apart = shape.stride_h >= shape.kernel_h && shape.stride_w >= shape.kernel_w;  // no pixel has two windows
  const bool everywhere = apart && shape.stride_h == shape.kernel_h && shape.stride_w == shape.kernel_w &&
                          shape.out_h * shape.stride_h - shape.pad_top >= shape.height &&
                          shape.out_w * shape.stride_w - shape.pad_left >= shape.width;
  threads.run(shape.batch, operations, [&](int64_t image) {  // windows may overlap: an image has one writer
    const float* from = x + image * floats;
    const float* gradient = dy + image * shape.out_h * shape.out_w * channels;
    float* to = dx + image * floats;
    if (!everywhere) std::memset(to, 0, floats * sizeof(float));
    for (int64_t row = 0; row < shape.out_h; ++row) {
      const Range rows = inside(row, shape.stride_h, shape.pad_top, shape.kernel_h, shape.height);
      for (int64_t column = 0; column < shape.out_w; ++column, gradient += channels) {
        const Range columns = inside(column, shape.stride_w, shape.pad_left, shape.kernel_w, shape.width);
        for (int64_t channel = 0; channel < channels; channel += kWidth) {
          const int64_t lanes = std::min<int64_t>(kWidth, channels - channel);
          Vector largest = all(-__builtin_inff());
          Mask place = Mask{} - 1;
          int32_t at = 0;
          for (int64_t i = rows.first; i < rows.last; ++i)
            for (int64_t j = columns.first; j < columns.last; ++j, ++at) {
              const Vector value = load_part(from + (i * shape.width + j) * channels + channel, lanes);
              const Mask better = replaces(value, largest) | (place < 0);  // a window of -inf has a first one too
              largest = better ? value : largest;
              place = better ? Mask{} + at : place;
            }
          const Vector part = load_part(gradient + channel, lanes), zero = {};
          at = 0;
          for (int64_t i = rows.first; i < rows.last; ++i)
            for (int64_t j = columns.first; j < columns.last; ++j, ++at) {
              float* pixel = to + (i * shape.width + j) * channels + channel;
              const Vector before = apart ? zero : load_part(pixel, lanes);
              store_part(pixel, before + (place == at ? part : zero), lanes);
            }
        }
      }
    }
  });
}

}  // namespace mycelium
