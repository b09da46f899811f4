// The largest element of windows over images, and the way back to it.
#include "pooling.h"

namespace mycelium {
namespace {

constexpr int64_t kNever = int64_t{1} << 40;

// The part of a window that lies inside the image.
struct Range {
  int64_t first, last;
  int64_t count() const { return last - first; }
};
Range inside(int64_t place, int64_t stride, int64_t pad, int64_t kernel, int64_t length) {
  const int64_t start = place * stride - pad;
  return {std::max<int64_t>(0, start), std::min(length, start + kernel)};
}

// Whether a value takes the place of the largest so far: the first of equal ones stays, and so does the first NaN.
inline Mask replaces(Vector value, Vector largest) { return ((value > largest) | (value != value)) & (largest == largest); }

// Pixels that lie, at least in part, in the vector that begins with another pixel of fewer floats than a vector has.
inline int64_t followers(int64_t channels) { return channels < kWidth ? (kWidth + channels - 1) / channels - 1 : kNever; }

// Such a pixel is read as a whole vector where others follow in its row.
inline Vector load_pixel(const float* from, int64_t lanes, bool followed) { return followed ? load(from) : load_part(from, lanes); }

// The same for writing: what is too much is overwritten when those pixels have their turn.
inline void store_pixel(float* to, Vector value, int64_t lanes, bool followed) {
  followed ? store(to, value) : store_part(to, value, lanes);
}

// One window of `rows` times `columns` pixels, and `lanes` of its channels from `from` on.
struct Window {
  const float* from;
  int64_t rows, columns, pitch, channels, lanes;
  bool followed;  // by other pixels, in every row
};

// K is the size of a square window, or 0 where it is known only now.
template <int K>
inline __attribute__((always_inline)) Vector largest_of(const Window& window, Vector largest) {
  const int64_t rows = K ? K : window.rows, columns = K ? K : window.columns;
#pragma GCC unroll 4
  for (int64_t i = 0; i < rows; ++i)
#pragma GCC unroll 4
    for (int64_t j = 0; j < columns; ++j) {
      const Vector value = load_pixel(window.from + i * window.pitch + j * window.channels, window.lanes,
                                      window.followed);
      largest = replaces(value, largest) ? value : largest;
    }
  return largest;
}

// Adds `part` where the largest of the window is; `alone`: nothing was there before.
template <int K>
inline __attribute__((always_inline)) void add_at_largest(const Window& window, bool relu, bool alone, Vector part, float* to) {
  const int64_t rows = K ? K : window.rows, columns = K ? K : window.columns;
  Vector largest = all(-__builtin_inff()), zero = {};
  Mask place = Mask{} - 1;
#pragma GCC unroll 4
  for (int64_t i = 0; i < rows; ++i)
#pragma GCC unroll 4
    for (int64_t j = 0; j < columns; ++j) {
      const Vector value = load_pixel(window.from + i * window.pitch + j * window.channels, window.lanes,
                                      window.followed);
      const Mask better = replaces(value, largest) | (place < 0);  // a window of -inf has a first one too
      largest = better ? value : largest;
      place = better ? Mask{} + static_cast<int32_t>(i * columns + j) : place;
    }
  if (relu) part = largest > 0 ? part : zero;
#pragma GCC unroll 4
  for (int64_t i = 0; i < rows; ++i)
#pragma GCC unroll 4
    for (int64_t j = 0; j < columns; ++j) {
      float* pixel = to + i * window.pitch + j * window.channels;
      const Vector added = place == static_cast<int32_t>(i * columns + j) ? part : zero;
      if (alone) store_pixel(pixel, added, window.lanes, window.followed);
      else store_part(pixel, load_part(pixel, window.lanes) + added, window.lanes);
    }
}

// Calls work with the size of the window as a constant where it is a frequent one and all of it is inside.
template <typename Work>
inline __attribute__((always_inline)) void by_size(const Window& window, const Work& work) {
  if (window.rows == 2 && window.columns == 2) work(std::integral_constant<int, 2>());
  else if (window.rows == 3 && window.columns == 3) work(std::integral_constant<int, 3>());
  else work(std::integral_constant<int, 0>());
}

}  // namespace

void max_pool(const Pooling& shape, bool relu, const float* x, float* y, const Threads& threads) {
  const int64_t channels = shape.channels, pitch = shape.width * channels;
  const double operations = 2.0 * shape.batch * shape.out_h * shape.out_w * channels * shape.kernel_h * shape.kernel_w;
  threads.run(shape.batch * shape.out_h, operations, [&](int64_t piece) {
    const float* image = x + piece / shape.out_h * shape.height * pitch;
    const Range rows = inside(piece % shape.out_h, shape.stride_h, shape.pad_top, shape.kernel_h, shape.height);
    for (int64_t column = 0; column < shape.out_w; ++column) {
      const Range columns = inside(column, shape.stride_w, shape.pad_left, shape.kernel_w, shape.width);
      const bool empty = rows.count() <= 0 || columns.count() <= 0;
      const Vector least = all(relu && !empty ? 0 : -__builtin_inff());
      float* to = y + (piece * shape.out_w + column) * channels;
      for (int64_t channel = 0; channel < channels; channel += kWidth) {
        const int64_t lanes = std::min<int64_t>(kWidth, channels - channel);
        const Window window{image + rows.first * pitch + columns.first * channels + channel, rows.count(), columns.count(),
                            pitch, channels, lanes, columns.last + followers(channels) <= shape.width};
        by_size(window, [&](auto size) __attribute__((always_inline)) {
          store_pixel(to + channel, largest_of<size>(window, least), lanes, column + followers(channels) < shape.out_w);
        });
      }
    }
  });
}

void max_pool_gradient(const Pooling& shape, bool relu, const float* x, const float* dy, float* dx, const Threads& threads) {
  const int64_t channels = shape.channels, pitch = shape.width * channels, floats = shape.height * pitch;
  const double operations = 6.0 * shape.batch * shape.out_h * shape.out_w * channels * shape.kernel_h * shape.kernel_w;
  const bool apart = shape.stride_h >= shape.kernel_h && shape.stride_w >= shape.kernel_w;  // no pixel has two windows
  const bool everywhere = apart && shape.stride_h == shape.kernel_h && shape.stride_w == shape.kernel_w &&
                          shape.out_h * shape.stride_h - shape.pad_top >= shape.height &&
                          shape.out_w * shape.stride_w - shape.pad_left >= shape.width;
  threads.run(shape.batch, operations, [&](int64_t image) {  // windows may overlap: an image has one writer
    const float* gradient = dy + image * shape.out_h * shape.out_w * channels;
    if (!everywhere) std::memset(dx + image * floats, 0, floats * sizeof(float));
    for (int64_t row = 0; row < shape.out_h; ++row) {
      const Range rows = inside(row, shape.stride_h, shape.pad_top, shape.kernel_h, shape.height);
      for (int64_t column = 0; column < shape.out_w; ++column, gradient += channels) {
        const Range columns = inside(column, shape.stride_w, shape.pad_left, shape.kernel_w, shape.width);
        for (int64_t channel = 0; channel < channels; channel += kWidth) {
          const int64_t lanes = std::min<int64_t>(kWidth, channels - channel);
          const int64_t first = image * floats + rows.first * pitch + columns.first * channels + channel;
          const Window window{x + first, rows.count(), columns.count(), pitch, channels, lanes,
                              columns.last + followers(channels) <= shape.width};
          const Vector part = load_part(gradient + channel, lanes);
          by_size(window, [&](auto size) __attribute__((always_inline)) { add_at_largest<size>(window, relu, apart, part, dx + first); });
        }
      }
    }
  });
}

}  // namespace mycelium
