// Convolution and its gradient to the input: both are a sum over neighbours of an image, so one loop serves them.
#include "convolution.h"

#include "tiles.h"

namespace mycelium {
namespace {

constexpr int64_t kSlabFloats = 40 * 1024;  // of input that stay in a core's second cache beside the weights

// A grid of pixels to compute, how to find the neighbours of each, and where its result goes.
struct Grid {
  int64_t rows, columns;                // pixels to compute in each image
  int64_t row_step, column_step;        // pixels of the source between two of them
  int64_t row_start, column_start;      // of the source, of the first neighbour of the first pixel
  int64_t reach_rows, reach_columns;    // pixels of the source that the neighbours of one pixel span
  std::vector<std::pair<int64_t, int64_t>> taps;  // (row, column) of a neighbour, from the first one on
  std::vector<int64_t> kernel_places;             // of each tap in the kernel
  int64_t result_row, result_column, result_row_step, result_column_step;
};

struct Images {
  int64_t batch, height, width, channels;
  int64_t floats() const { return height * width * channels; }
};

// Weights of one group as the tiles read them: panel by panel; in it tap by tap, channel by channel, all lanes.
// (forward) a lane is an output and a channel an input; (backward) the other way round.
void pack_panel(const Convolution& shape, const Grid& grid, bool backward, int64_t group, Panel panel, const float* weights,
                float* packed) {
  const int64_t inputs = shape.group_inputs(), outputs = shape.group_outputs(), kernel = shape.taps();
  const int64_t channels = backward ? outputs : inputs, room = panel.room();
  const int64_t lane_step = backward ? kernel : inputs * kernel, channel_step = backward ? inputs * kernel : kernel;
  const float* first = weights + group * outputs * inputs * kernel + panel.start * lane_step;
  const int64_t tap_count = grid.taps.size();
  for (int64_t channel = 0; channel < channels; ++channel) {
    for (int64_t tap = 0; tap < tap_count; ++tap) {
      const float* from = first + channel * channel_step + grid.kernel_places[tap];
      float* to = packed + (tap * channels + channel) * room;
      for (int64_t lane = 0; lane < panel.channels; ++lane) to[lane] = from[lane * lane_step];
      for (int64_t lane = panel.channels; lane < room; ++lane) to[lane] = 0;
    }
  }
}

// Where the products of a pixel lie in a slab; neighbours in one row that touch are taken as one long run.
Segments segments_of(const Grid& grid, int64_t pitch, int64_t channels, int64_t group_channels, int64_t group) {
  Segments segments{{}, group_channels};
  size_t joined = 1;
  if (group_channels == channels) {
    while (joined < grid.taps.size() && grid.taps[joined].first == grid.taps[0].first &&
           grid.taps[joined].second == grid.taps[joined - 1].second + 1)
      ++joined;
    segments.run = joined * channels;
  }
  for (size_t tap = 0; tap < grid.taps.size(); tap += joined)
    segments.offsets.push_back(grid.taps[tap].first * pitch + grid.taps[tap].second * channels + group * group_channels);
  return segments;
}

// Rows of a block that have the same rows of the kernel inside the image: what lies outside adds nothing.
struct Band {
  int64_t first, last;          // rows of the block
  int64_t tap_first, tap_last;  // rows of the kernel
};

std::vector<Band> bands_of(const Grid& grid, int64_t height, int64_t row, int64_t rows, int64_t tap_columns) {
  const int64_t tap_rows = grid.taps.size() / tap_columns;
  if (grid.columns < 2 * kWideTile) return {{0, rows, 0, tap_rows}};  // so few pixels in a row would leave tiles empty
  std::vector<Band> bands;
  for (int64_t i = 0; i < rows; ++i) {
    const int64_t top = grid.row_start + (row + i) * grid.row_step;
    int64_t first = 0, last = tap_rows;
    while (first < last && top + grid.taps[first * tap_columns].first < 0) ++first;
    while (first < last && top + grid.taps[(last - 1) * tap_columns].first >= height) --last;
    if (bands.empty() || bands.back().tap_first != first || bands.back().tap_last != last) bands.push_back({i, i, first, last});
    bands.back().last = i + 1;
  }
  return bands;
}

// One block of rows of one image: every panel of channels over every pixel.
void compute_block(const Grid& grid, const Images& source, const Images& result, int64_t groups, int64_t image,
                   int64_t row, int64_t rows, const float* from, const float* packed, float* to) {
  thread_local Scratch slab_scratch;
  thread_local std::vector<const float*> pixels;
  thread_local std::vector<float*> results;
  const Slab slab = padded_rows(from + image * source.floats(), source.height, source.width, source.channels,
                                grid.row_start + row * grid.row_step, (rows - 1) * grid.row_step + grid.reach_rows,
                                grid.column_start, (grid.columns - 1) * grid.column_step + grid.reach_columns, slab_scratch);
  const int64_t count = rows * grid.columns;
  pixels.resize(count);
  results.resize(count);
  float* image_to = to + image * result.floats();
  for (int64_t i = 0, at = 0; i < rows; ++i) {
    const int64_t result_row = grid.result_row + (row + i) * grid.result_row_step;
    for (int64_t j = 0; j < grid.columns; ++j, ++at) {
      pixels[at] = slab.first + i * grid.row_step * slab.pitch + j * grid.column_step * source.channels;
      results[at] = image_to + (result_row * result.width + grid.result_column + j * grid.result_column_step) * result.channels;
    }
  }
  const int64_t group_inputs = source.channels / groups, group_outputs = result.channels / groups;
  const int64_t taps = grid.taps.size();
  int64_t tap_columns = 1;
  while (tap_columns < taps && grid.taps[tap_columns].first == grid.taps[0].first) ++tap_columns;
  const std::vector<Band> bands = bands_of(grid, source.height, row, rows, tap_columns);
  for (int64_t group = 0; group < groups; ++group) {
    const Segments segments = segments_of(grid, slab.pitch, source.channels, group_inputs, group);
    const int64_t per_row = segments.offsets.size() * tap_columns / taps;
    for (const Panel panel : panels_of(group_outputs)) {
      const auto tiles = panel.wide() ? pixel_tiles<kWideTile, 2> : pixel_tiles<kNarrowTile, 1>;
      for (const Band& band : bands) {
        const int64_t start = band.first * grid.columns, pieces = (band.tap_last - band.tap_first) * per_row;
        tiles(&pixels[start], (band.last - band.first) * grid.columns, segments.offsets.data() + band.tap_first * per_row,
              pieces, segments.run, packed + band.tap_first * tap_columns * group_inputs * panel.room(), &results[start],
              group * group_outputs + panel.start, panel.last_lanes());
      }
      packed += taps * group_inputs * panel.room();
    }
  }
}

void compute_grid(const Convolution& shape, const Grid& grid, bool backward, const Images& source, const Images& result,
                  const float* from, const float* weights, float* to, const Threads& threads) {
  thread_local Scratch packed_scratch;
  const int64_t group_inputs = source.channels / shape.groups, group_outputs = result.channels / shape.groups;
  const std::vector<Panel> panels = panels_of(group_outputs);
  const int64_t taps = grid.taps.size(), depth = taps * group_inputs;
  int64_t group_floats = 0;
  for (const Panel panel : panels) group_floats += depth * panel.room();
  float* packed = packed_scratch.floats(group_floats * shape.groups);
  const double operations = 2.0 * source.batch * grid.rows * grid.columns * result.channels * depth;
  threads.run(shape.groups * panels.size(), 2.0 * group_floats * shape.groups, [&](int64_t i) {
    const int64_t group = i / panels.size(), place = i % panels.size();
    pack_panel(shape, grid, backward, group, panels[place], weights,
               packed + group * group_floats + place * depth * kLanes);
  });
  // Blocks small enough for the cache, and enough of them to keep all threads busy to the end.
  const int64_t row_floats = std::max<int64_t>(1, grid.row_step * (grid.columns * grid.column_step + grid.reach_columns) * source.channels);
  int64_t block = std::max<int64_t>(1, kSlabFloats / row_floats);
  if (grid.columns < 24) block = std::max(block, 24 / grid.columns);
  const int64_t wanted = 4 * threads.worthwhile(operations);
  block = std::min({block, grid.rows, std::max<int64_t>(1, (source.batch * grid.rows + wanted - 1) / wanted)});
  const int64_t blocks = (grid.rows + block - 1) / block;
  threads.run(source.batch * blocks, operations, [&](int64_t i) {
    const int64_t image = i / blocks, row = i % blocks * block;
    compute_block(grid, source, result, shape.groups, image, row, std::min(block, grid.rows - row), from, packed, to);
  });
}

}  // namespace

void convolve(const Convolution& given, const float* x, const float* weights, float* y, const Threads& threads) {
  const Convolution shape = given.pointwise() ? given.as_column() : given;
  Grid grid{shape.out_h, shape.out_w, shape.stride_h, shape.stride_w, -shape.pad_top, -shape.pad_left,
            (shape.kernel_h - 1) * shape.dilation_h + 1, (shape.kernel_w - 1) * shape.dilation_w + 1, {}, {}, 0, 0, 1, 1};
  for (int64_t i = 0; i < shape.kernel_h; ++i)
    for (int64_t j = 0; j < shape.kernel_w; ++j) {
      grid.taps.emplace_back(i * shape.dilation_h, j * shape.dilation_w);
      grid.kernel_places.push_back(i * shape.kernel_w + j);
    }
  compute_grid(shape, grid, false, {shape.batch, shape.height, shape.width, shape.channels},
               {shape.batch, shape.out_h, shape.out_w, shape.outputs}, x, weights, y, threads);
}

// Along one axis: the places of the kernel that reach inputs phase, phase + stride, ..., nearest output first.
static std::vector<std::pair<int64_t, int64_t>> taps_of_phase(int64_t phase, int64_t kernel, int64_t stride, int64_t pad,
                                                              int64_t dilation) {
  std::vector<std::pair<int64_t, int64_t>> found;  // (output, place in the kernel)
  for (int64_t k = kernel - 1; k >= 0; --k) {
    const int64_t distance = phase + pad - k * dilation;
    if (distance % stride == 0) found.emplace_back(distance / stride, k);
  }
  return found;
}

// Inputs that lie `stride` apart see the same places of the kernel: each such phase is a convolution with step 1.
void input_gradient(const Convolution& given, const float* dy, const float* weights, float* dx, const Threads& threads) {
  if (few_channels(given)) return few_channels_input_gradient(given, dy, weights, dx, threads);
  const Convolution shape = given.pointwise() ? given.as_column() : given;
  const Images source{shape.batch, shape.out_h, shape.out_w, shape.outputs};
  const Images result{shape.batch, shape.height, shape.width, shape.channels};
  const bool gaps = shape.stride_h > shape.kernel_h || shape.stride_w > shape.kernel_w || shape.dilation_h > 1 || shape.dilation_w > 1;
  if (gaps) std::memset(dx, 0, result.batch * result.floats() * sizeof(float));
  for (int64_t a = 0; a < std::min(shape.stride_h, shape.height); ++a)
    for (int64_t b = 0; b < std::min(shape.stride_w, shape.width); ++b) {
      const auto rows = taps_of_phase(a, shape.kernel_h, shape.stride_h, shape.pad_top, shape.dilation_h);
      const auto columns = taps_of_phase(b, shape.kernel_w, shape.stride_w, shape.pad_left, shape.dilation_w);
      if (rows.empty() || columns.empty()) continue;  // these stay zero
      Grid grid{(shape.height - a + shape.stride_h - 1) / shape.stride_h, (shape.width - b + shape.stride_w - 1) / shape.stride_w,
                1, 1, rows[0].first, columns[0].first, rows.back().first - rows[0].first + 1,
                columns.back().first - columns[0].first + 1, {}, {}, a, b, shape.stride_h, shape.stride_w};
      for (const auto& [row, i] : rows)
        for (const auto& [column, j] : columns) {
          grid.taps.emplace_back(row - rows[0].first, column - columns[0].first);
          grid.kernel_places.push_back(i * shape.kernel_w + j);
        }
      compute_grid(shape, grid, true, source, result, dy, weights, dx, threads);
    }
}

}  // namespace mycelium
