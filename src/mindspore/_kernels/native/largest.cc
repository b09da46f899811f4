// The largest element of every window and where it is: windows are lists of positions along each axis, so they may overlap, have
// gaps or differ in size.
#include "largest.h"

#include <limits>
#include <vector>

namespace mycelium {
namespace {

// The positions of one window that exist; dense where they are neighbours.
struct Window {
  std::vector<int64_t> places;
  bool dense = true;
};

std::vector<Window> windows_of(const WindowList& list) {
  std::vector<Window> found(list.count);
  for (int64_t i = 0; i < list.count; ++i)
    for (int64_t k = 0; k < list.size; ++k) {
      const int64_t place = list.places[i * list.size + k];
      if (place < 0) continue;
      Window& own = found[i];
      own.dense = own.dense && (own.places.empty() || place == own.places.back() + 1);
      own.places.push_back(place);
    }
  return found;
}

struct Best {
  float value = -std::numeric_limits<float>::infinity();
  int64_t place = -1;
  // Whether a NaN was found, which nothing is larger than.
  bool look(float next, int64_t at) {
    if (next <= value) return false;
    value = next, place = at;
    return next != next;
  }
};

Best best_of(const float* from, const Window& depth, const Window& height, const Window& width, int64_t rows, int64_t columns) {
  Best best;
  const int64_t count = width.places.size();
  for (const int64_t z : depth.places)
    for (const int64_t row : height.places) {
      const int64_t start = (z * rows + row) * columns;
      for (int64_t c = 0; c < count; ++c) {
        const int64_t at = start + (width.dense ? width.places[0] + c : width.places[c]);
        if (best.look(from[at], at)) return best;
      }
    }
  if (best.place < 0 && count > 0 && !depth.places.empty() && !height.places.empty())  // nothing but -inf
    best.place = (depth.places[0] * rows + height.places[0]) * columns + width.places[0];
  return best;
}

}  // namespace

void largest_of_windows(const WindowLists& windows, const float* x, float* y, int32_t* places, const Threads& threads) {
  const int64_t plane = windows.elements(), outputs = windows.outputs();
  const auto depths = windows_of(windows.axes[0]), heights = windows_of(windows.axes[1]), widths = windows_of(windows.axes[2]);
  const double elements = 1.0 * windows.axes[0].size * windows.axes[1].size * windows.axes[2].size;
  threads.run(windows.planes, 1.5 * elements * windows.planes * outputs, [&](int64_t number) {
    const float* from = x + number * plane;
    float* to = y + number * outputs;
    int32_t* at = places + number * outputs;
    for (const Window& depth : depths)
      for (const Window& height : heights)
        for (const Window& width : widths) {
          const Best best = best_of(from, depth, height, width, windows.axes[1].length, windows.axes[2].length);
          *to++ = best.value, *at++ = static_cast<int32_t>(std::max<int64_t>(best.place, 0));
        }
  });
}

}  // namespace mycelium
