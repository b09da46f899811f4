// The shapes of every kernel, from the sizes of its operands and its attributes: checked against each other first.
#pragma once

#include "arrays.h"
#include "checks.h"
#include "convolution.h"
#include "pooling.h"
#include "product.h"
#include "recurrent.h"

namespace mycelium {

// Windows along one axis: as many as fit into the padded length. A padding below 0 cuts off.
struct Axis {
  int64_t length, window, dilation, stride, before, after;

  int64_t reach() const { return (window - 1) * dilation + 1; }
  int64_t padded() const { return length + before + after; }
  int64_t places() const { return padded() < reach() ? 0 : (padded() - reach()) / stride + 1; }
  // What a kernel may copy of an axis at most, both ways.
  int64_t span() const { return length + padded() + stride + places(); }

  void check(int64_t results) const {
    demand_between("length of an axis", length, 1, kMostOfAttribute);
    demand_between("window", window, 1, kMostOfAttribute);
    demand_between("stride", stride, 1, kMostOfAttribute);
    demand_between("dilation", dilation, 1, kMostOfAttribute);
    demand_between("padding", before, -kMostOfAttribute, kMostOfAttribute);
    demand_between("padding", after, -kMostOfAttribute, kMostOfAttribute);
    if (results != places() || results < 1)
      throw Misfit("the result must have " + std::to_string(places()) + " places along an axis of length " + std::to_string(length) +
                   " (window " + std::to_string(window) + ", stride " + std::to_string(stride) + ", dilation " +
                   std::to_string(dilation) + ", padding " + shown(std::initializer_list<int64_t>{before, after}) + "), but got " +
                   std::to_string(results));
  }
};

// `x` is (batch, channels, height, width) by name and channels-last in memory; `geometry` is stride, padding before,
// dilation (two numbers each), groups and padding after (two numbers).
inline Convolution convolution_of(Sizes x, Sizes w, Sizes y, Sizes geometry) {
  demand_rank("x", x, 4), demand_rank("weights", w, 4), demand_rank("y", y, 4);
  demand_count("geometry", geometry, 9);
  const Convolution shape{x[0], x[2], x[3], x[1], w[0], w[2], w[3], y[2], y[3], geometry[0], geometry[1],
                          geometry[2], geometry[3], geometry[4], geometry[5], geometry[6]};
  demand_between("groups", shape.groups, 1, shape.channels);
  if (shape.channels % shape.groups != 0 || shape.outputs % shape.groups != 0)
    throw Misfit("the 'groups' must divide the channels " + std::to_string(shape.channels) + " and the outputs " +
                 std::to_string(shape.outputs) + ", but got " + std::to_string(shape.groups));
  demand_shape("weights", w, {shape.outputs, shape.group_inputs(), shape.kernel_h, shape.kernel_w});
  demand_shape("y", y, {shape.batch, shape.outputs, shape.out_h, shape.out_w});
  const Axis vertical{shape.height, shape.kernel_h, shape.dilation_h, shape.stride_h, shape.pad_top, geometry[7]};
  const Axis horizontal{shape.width, shape.kernel_w, shape.dilation_w, shape.stride_w, shape.pad_left, geometry[8]};
  vertical.check(shape.out_h), horizontal.check(shape.out_w);
  product_of_sizes("padded image", {vertical.span(), horizontal.span(), std::max(shape.channels, shape.outputs), 64});
  return shape;
}

// `windows` is their size, stride, padding before and after, two numbers each.
inline Pooling pooling_of(Sizes x, Sizes y, Sizes windows) {
  demand_rank("x", x, 4), demand_rank("y", y, 4);
  demand_count("windows", windows, 8);
  const Pooling shape{x[0], x[2], x[3], x[1], y[2], y[3], windows[0], windows[1], windows[2], windows[3], windows[4], windows[5]};
  demand_shape("y", y, {shape.batch, shape.channels, shape.out_h, shape.out_w});
  Axis{shape.height, shape.kernel_h, 1, shape.stride_h, shape.pad_top, windows[6]}.check(shape.out_h);
  Axis{shape.width, shape.kernel_w, 1, shape.stride_w, shape.pad_left, windows[7]}.check(shape.out_w);
  return shape;
}

// The number of channels of images.
inline int64_t channels_of(Sizes x) {
  demand_rank("x", x, 4);
  return x[1];
}

// `form`: whether x and y are turned, and whether all leading axes are summed over (x is turned then, y is not). There may be
// any number of them in x, and as many in y or none (then x is not turned).
inline Product product_of(Sizes x, Sizes y, Sizes z, Sizes form) {
  demand_rank("x", x, 2, kMostOfAttribute), demand_rank("y", y, 2, kMostOfAttribute), demand_rank("z", z, 2, kMostOfAttribute);
  demand_count("form", form, 3);
  for (const int64_t flag : form) demand_between("form", flag, 0, 1);
  const bool x_turned = form[0] != 0, y_turned = form[1] != 0, summed = form[2] != 0;
  const size_t rank = x.size();
  const bool shared = rank > y.size();
  const bool known = summed ? x_turned && !y_turned && !shared : !(shared && x_turned);
  if (!known || (shared && y.size() != 2) || y.size() > rank || z.size() != (summed ? 2 : rank))
    throw Misfit("the 'form' must be one of those that there are for its operands, but got " + shown(form) + " for the shapes " +
                 shown(x) + ", " + shown(y) + " and " + shown(z));
  const int64_t rows = x[rank - (x_turned ? 1 : 2)], depth = x[rank - (x_turned ? 2 : 1)];
  const int64_t columns = y[y.size() - (y_turned ? 2 : 1)], y_depth = y[y.size() - (y_turned ? 1 : 2)];
  int64_t leading = 1;
  for (size_t i = 0; i + 2 < rank; ++i) {
    leading = product_of_sizes("x", {leading, x[i]});
    if ((!shared && y[i] != x[i]) || (!summed && z[i] != x[i]))
      throw Misfit("the leading axes must be equal, but got the shapes " + shown(x) + ", " + shown(y) + " and " + shown(z));
  }
  if (depth != y_depth || z[z.size() - 2] != rows || z[z.size() - 1] != columns)
    throw Misfit("the shapes of x, y and z must be those of a product, but got " + shown(x) + ", " + shown(y) + " and " + shown(z) +
                 " in the form " + shown(form));
  if (summed) return {1, rows, columns, leading * depth, true, false};
  if (shared) return {1, leading * rows, columns, depth, false, y_turned};
  return {leading, rows, columns, depth, x_turned, y_turned};
}

// Sizes of rows that are sorted: places in them are 32-bit numbers.
struct Rows {
  int64_t count, length;
};
inline Rows rows_of(Sizes x) {
  demand_rank("x", x, 2);
  demand_between("length of a row", x[1], 1, kMostOfAttribute);
  return {x[0], x[1]};
}

// `x` is (outer, length, inner).
inline AlongAxis along_axis_of(const char* name, Sizes x) {
  demand_rank(name, x, 3);
  demand_between("length of the axis", x[1], 1, kMostOfAttribute);
  return {x[0], x[1], x[2]};
}

// What is reduced: `x` is (outer, length, inner), or (outer, length) where nothing is behind the axis; `y` is without the axis.
inline AlongAxis reduced_axis_of(Sizes x, Sizes y) {
  demand_rank("x", x, 2, 3);
  demand_between("length of the axis", x[1], 1, kMostOfAttribute);
  if (x.size() == 2) return demand_shape("y", y, {x[0]}), AlongAxis{x[0], x[1], 1};
  return demand_shape("y", y, {x[0], x[2]}), AlongAxis{x[0], x[1], x[2]};
}

// As many elements before and behind the axis as `x` has; returns the places along it.
inline int64_t places_along(const AlongAxis& x, const char* name, Sizes places) {
  demand_rank(name, places, 3);
  demand_shape(name, places, {x.outer, places[1], x.inner});
  return places[1];
}

inline bool flag_of(const char* name, Sizes numbers) {
  demand_count(name, numbers, 1);
  demand_between(name, numbers[0], 0, 1);
  return numbers[0] != 0;
}

// `shares` are (steps, batch, gates), `cell` is its kind, whether it starts with the last step and whether it keeps what the
// gradient needs.
inline Recurrence recurrence_of(Sizes shares, Sizes h, Sizes weights, Sizes lengths, Sizes cell) {
  demand_rank("gates", shares, 3), demand_rank("h", h, 2);
  demand_count("cell", cell, 3);
  demand_between("kind of cell", cell[0], 0, 3);
  demand_between("direction", cell[1], 0, 1), demand_between("flag for the gradient", cell[2], 0, 1);
  const Recurrence shape{static_cast<Cell>(cell[0]), cell[1] != 0, cell[2] != 0, shares[0], shares[1], h[1]};
  demand_shape("h", h, {shape.batch, shape.hidden});
  const int64_t gates = product_of_sizes("gates", {gates_of(shape.cell), shape.hidden});
  demand_shape("gates", shares, {shape.steps, shape.batch, gates});
  demand_shape("weights", weights, {gates, shape.hidden});
  demand_shape("lengths", lengths, {shape.batch});
  return shape;
}

// Operands that only some cells have; the others get a single number in their place.
inline void demand_state(const Recurrence& shape, const char* name, Sizes sizes) {
  const bool there = shape.cell == Cell::kLstm;
  demand_shape(name, sizes, {there ? shape.batch : 1, there ? shape.hidden : 1});
}
inline void demand_steps(const char* name, Sizes sizes, bool there, int64_t steps, int64_t batch, int64_t width) {
  demand_shape(name, sizes, {there ? steps : 1, there ? batch : 1, there ? width : 1});
}
inline void demand_kept(const Recurrence& shape, Sizes opened, Sizes extra) {
  demand_steps("opened", opened, shape.kept, shape.steps, shape.batch, shape.gates());
  demand_steps("extra", extra, shape.kept && gates_of(shape.cell) > 1, 2 * shape.steps, shape.batch, shape.hidden);
}

}  // namespace mycelium
