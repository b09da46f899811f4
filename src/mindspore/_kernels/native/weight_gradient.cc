// The gradient to the weights: for every place of the kernel, inputs times gradients, summed over all pixels.
#include "convolution.h"
#include "tiles.h"

namespace mycelium {
namespace {

constexpr int64_t kBlockFloats = 48 * 1024;       // of gradients that stay in a core's second cache
constexpr int64_t kLeastPixels = 48, kMostPixels = 256;  // of a block: enough to make loading and storing the sums cheap
constexpr int64_t kMostSums = 16 * 1024 * 1024;   // floats of all parts' own sums together
constexpr int64_t kCachedSums = 64 * 1024;        // floats that are cheap to add up: they stay in a core's second cache
constexpr int64_t kSlicePanels = 4;               // outputs of a slice, in panels: enough to use the inputs well

// Floats of the input that meet one pixel's gradient: `segments` pieces of `run` floats each.
struct Layout {
  int64_t segments, run;
  bool joined;  // whether a segment is a row of the kernel
  explicit Layout(const Convolution& shape)
      : joined(shape.groups == 1 && shape.dilation_w == 1) {
    segments = joined ? shape.kernel_h : shape.taps();
    run = joined ? shape.kernel_w * shape.channels : shape.group_inputs();
  }
  int64_t depth() const { return segments * run; }
};

// Gradients of a block as the tiles read them: panel by panel, in it pixel by pixel.
void pack_gradients(const float* dy, int64_t count, int64_t pitch, const std::vector<Panel>& panels, float* packed) {
  for (const Panel panel : panels) {
    const int64_t room = panel.room();
    for (int64_t p = 0; p < count; ++p, packed += room) {
      const float* from = dy + p * pitch + panel.start;
      if (panel.channels == kLanes) {
        store(packed, load(from));
        store(packed + kWidth, load(from + kWidth));
        continue;
      }
      if (panel.wide()) store(packed, load(from));
      store(packed + room - kWidth, load_part(from + room - kWidth, panel.last_lanes()));
    }
  }
}

// One block: gradients as packed, where the pixels lie, and room for the inputs of a tile.
struct Block {
  const std::vector<Panel>& panels;
  const std::vector<int64_t>& pixels;
  const float* gradients;
  float* inputs;
};

// sums[k] += inputs * gradients for `run` neighbouring floats k of every pixel, R of them at a time.
template <int R>
void add_run(const Block& block, const float* base, int64_t run, float* sums, int64_t pitch) {
  const int64_t count = block.pixels.size();
  const int64_t* places = block.pixels.data();
  for (; run >= R; run -= R, base += R, sums += R * pitch) {
    if (block.panels.size() == 1) {
      const auto tile = block.panels[0].wide() ? weight_tile<R, 2, true> : weight_tile<R, 1, true>;
      tile(base, places, block.gradients, count, sums, pitch);
      continue;
    }
    float* to = block.inputs;  // neighbours in memory, whatever the number of channels: several tiles read them
    for (int64_t p = 0; p < count; ++p, to += R) std::memcpy(to, base + places[p], R * sizeof(float));
    for (const Panel panel : block.panels) {
      const auto tile = panel.wide() ? weight_tile<R, 2, false> : weight_tile<R, 1, false>;
      tile(block.inputs, nullptr, block.gradients + panel.start * count, count, sums + panel.start, pitch);
    }
  }
  if constexpr (R > 1) {
    if (run > 0) add_run<R - 1>(block, base, run, sums, pitch);
  }
}

// Adds what some pixels contribute: sums[k][output] for the floats k of all segments, group by group.
void add_block(const Convolution& shape, const Layout& layout, const std::vector<Panel>& panels, const float* base,
               int64_t pitch, const std::vector<int64_t>& pixels, const float* dy, float* sums, int64_t sums_pitch, bool wide) {
  thread_local Scratch gradient_scratch, input_scratch;
  const int64_t count = pixels.size(), outputs = shape.group_outputs();
  float* packed = gradient_scratch.floats(count * (outputs + kLanes));
  const Block block{panels, pixels, packed, input_scratch.floats(count * kNarrowTile)};
  const auto add = wide ? add_run<kWideTile> : add_run<kNarrowTile>;
  for (int64_t group = 0; group < shape.groups; ++group) {
    pack_gradients(dy + group * outputs, count, shape.outputs, panels, packed);
    for (int64_t segment = 0; segment < layout.segments; ++segment, sums += layout.run * sums_pitch) {
      const int64_t row = layout.joined ? segment : segment / shape.kernel_w;
      const int64_t column = layout.joined ? 0 : segment % shape.kernel_w;
      const float* first = base + row * shape.dilation_h * pitch + column * shape.dilation_w * shape.channels +
                           group * shape.group_inputs();
      add(block, first, layout.run, sums, sums_pitch);
    }
  }
}

// All pixels of the rows first_row <= row < last_row, block by block.
void add_rows(const Convolution& shape, const Layout& layout, const std::vector<Panel>& panels, int64_t first_row,
              int64_t last_row, const float* x, const float* dy, float* sums, int64_t sums_pitch, bool wide) {
  thread_local Scratch slab_scratch;
  thread_local std::vector<int64_t> pixels;
  const int64_t pixels_wanted = std::clamp(kBlockFloats / shape.group_outputs(), kLeastPixels, kMostPixels);
  const int64_t block = std::max<int64_t>(1, pixels_wanted / shape.out_w);
  const int64_t reach_h = (shape.kernel_h - 1) * shape.dilation_h + 1, reach_w = (shape.kernel_w - 1) * shape.dilation_w + 1;
  for (int64_t at = first_row; at < last_row;) {
    const int64_t image = at / shape.out_h, row = at % shape.out_h;
    const int64_t rows = std::min({block, shape.out_h - row, last_row - at});
    const Slab slab = padded_rows(x + image * shape.height * shape.width * shape.channels, shape.height, shape.width,
                                  shape.channels, row * shape.stride_h - shape.pad_top, (rows - 1) * shape.stride_h + reach_h,
                                  -shape.pad_left, (shape.out_w - 1) * shape.stride_w + reach_w, slab_scratch);
    pixels.clear();
    for (int64_t i = 0; i < rows; ++i)
      for (int64_t j = 0; j < shape.out_w; ++j)
        pixels.push_back(i * shape.stride_h * slab.pitch + j * shape.stride_w * shape.channels);
    add_block(shape, layout, panels, slab.first, slab.pitch, pixels, dy + at * shape.out_w * shape.outputs, sums, sums_pitch, wide);
    at += rows;
  }
}

// Rows are divided into parts with sums of their own. How many follows from the shape alone, so the bits of the result do
// not depend on the number of threads; where weights are many, adding sums up costs so much that parts must be long.
int64_t parts_of(const Convolution& shape, int64_t floats) {
  const int64_t rows = shape.batch * shape.out_h, least = floats <= kCachedSums ? 512 : 2048;
  return parts_of_sum(shape.operations(), std::min({rows * shape.out_w / least, rows, kMostSums / floats}));
}

// Neighbouring panels, counted from the first of them on.
std::vector<Panel> slice_of(const std::vector<Panel>& panels, int64_t first, int64_t last) {
  std::vector<Panel> slice(panels.begin() + first, panels.begin() + last);
  for (Panel& panel : slice) panel.start -= panels[first].start;
  return slice;
}

}  // namespace

void weight_gradient(const Convolution& given, const float* x, const float* dy, float* dw, const Threads& threads) {
  thread_local Scratch sums_scratch;
  const Convolution shape = given.pointwise() ? given.as_column() : given;
  const Layout layout(shape);
  const std::vector<Panel> panels = panels_of(shape.group_outputs());
  const int64_t outputs = shape.group_outputs(), pitch = panels.back().start + panels.back().room();
  const int64_t sums_rows = shape.groups * layout.depth(), floats = sums_rows * pitch, all_rows = shape.batch * shape.out_h;
  const int64_t parts = parts_of(shape, floats), count = panels.size();
  // Where parts are fewer than threads, outputs are divided too: each sum still has its products in the same order.
  const int64_t wanted = threads.worthwhile(shape.operations());
  const int64_t slices = parts >= wanted ? 1 : std::max<int64_t>(1, std::min((wanted + parts - 1) / parts, count / kSlicePanels));
  float* sums = sums_scratch.floats(parts * floats);
  threads.run(parts * slices, shape.operations(), [&](int64_t piece) {
    const int64_t part = piece / slices, first = count * (piece % slices) / slices, last = count * (piece % slices + 1) / slices;
    const int64_t start = panels[first].start, room = panels[last - 1].start + panels[last - 1].room() - start;
    float* own = sums + part * floats + start;
    for (int64_t row = 0; row < sums_rows; ++row) std::memset(own + row * pitch, 0, room * sizeof(float));
    add_rows(shape, layout, slice_of(panels, first, last), all_rows * part / parts, all_rows * (part + 1) / parts, x, dy + start,
             own, pitch, panels[0].wide());
  });
  const int64_t inputs = shape.group_inputs(), kernel = shape.taps();
  threads.run(shape.outputs, 4.0 * floats * parts, [&](int64_t i) {  // one output's weights, from (segment, float) to (input, place in the kernel)
    const float* from = sums + i / outputs * layout.depth() * pitch + i % outputs;
    float* to = dw + i * inputs * kernel;
    for (int64_t tap = 0; tap < kernel; ++tap)
      for (int64_t input = 0; input < inputs; ++input) {
        float sum = 0;
        for (int64_t part = 0; part < parts; ++part) sum += from[part * floats + (tap * inputs + input) * pitch];
        to[input * kernel + tap] = sum;
      }
  });
}

}  // namespace mycelium
