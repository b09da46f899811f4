// The largest elements of windows that are lists of positions.
#pragma once

#include <array>

#include "parallel.h"

namespace mycelium {

// The windows along one axis: `size` positions each, -1 where a window has fewer.
struct WindowList {
  int64_t length, count, size;
  const int64_t* places;
};

struct WindowLists {
  int64_t planes;
  std::array<WindowList, 3> axes;
  int64_t elements() const { return axes[0].length * axes[1].length * axes[2].length; }
  int64_t outputs() const { return axes[0].count * axes[1].count * axes[2].count; }
};

// `places` are in the flattened plane, of equal elements the first; NaN is the largest.
void largest_of_windows(const WindowLists& windows, const float* x, float* y, int32_t* places, const Threads& threads);

}  // namespace mycelium
