// The shapes of a two-dimensional convolution, and the padded piece of an image that a kernel works on.
#pragma once

#include <type_traits>
#include <vector>

#include "parallel.h"
#include "vectors.h"

namespace mycelium {

// Images lie in memory as (batch, height, width, channels), weights as (outputs, channels / groups, kernel).
struct Convolution {
  int64_t batch, height, width, channels;
  int64_t outputs, kernel_h, kernel_w, out_h, out_w;
  int64_t stride_h, stride_w, pad_top, pad_left, dilation_h, dilation_w, groups;

  int64_t group_inputs() const { return channels / groups; }
  int64_t group_outputs() const { return outputs / groups; }
  int64_t taps() const { return kernel_h * kernel_w; }
  bool depthwise() const { return groups == channels && outputs == channels && channels > 1; }
  double operations() const { return 2.0 * batch * out_h * out_w * outputs * taps() * group_inputs(); }
  // A 1x1 kernel with step 1 sees no neighbours: all pixels of all images are one column.
  bool pointwise() const {
    return taps() == 1 && stride_h == 1 && stride_w == 1 && pad_top == 0 && pad_left == 0 && out_h == height &&
           out_w == width;
  }
  Convolution as_column() const {
    Convolution column = *this;
    column.height = column.out_h = batch * height * width;
    column.batch = column.width = column.out_w = 1;
    return column;
  }
};

// Rows of an image with zeros around them, or the image itself where nothing has to be added.
struct Slab {
  const float* first;  // of the pixel (row_start, column_start)
  int64_t pitch;       // floats from row to row
};

inline Slab padded_rows(const float* image, int64_t height, int64_t width, int64_t channels, int64_t row_start,
                        int64_t rows, int64_t column_start, int64_t columns, Scratch& scratch) {
  const bool inside = row_start >= 0 && column_start >= 0 && row_start + rows <= height && column_start + columns <= width;
  if (inside) return {image + (row_start * width + column_start) * channels, width * channels};
  const int64_t pitch = columns * channels;
  float* to = scratch.floats(rows * pitch + kLanes);
  const int64_t left = std::max<int64_t>(0, std::min(columns, -column_start));
  const int64_t right = std::max(left, std::min(columns, width - column_start));
  for (int64_t row = 0; row < rows; ++row) {
    float* line = to + row * pitch;
    const int64_t source = row_start + row;
    if (source < 0 || source >= height) {
      std::memset(line, 0, pitch * sizeof(float));
      continue;
    }
    const float* from = image + (source * width + column_start) * channels;
    std::memset(line, 0, left * channels * sizeof(float));
    std::memcpy(line + left * channels, from + left * channels, (right - left) * channels * sizeof(float));
    std::memset(line + right * channels, 0, (columns - right) * channels * sizeof(float));
  }
  return {to, pitch};
}

// One sum of products along neighbouring floats: `run` of them, `offset` floats from the pixel on.
struct Segments {
  std::vector<int64_t> offsets;
  int64_t run;
};

}  // namespace mycelium
