// Kernels on arrays that are no images: sorting, elements picked along an axis, running sums.
#pragma once

#include "parallel.h"

namespace mycelium {

// An array of which one axis is treated; those before it and those behind it are taken as one each.
struct AlongAxis {
  int64_t outer, length, inner;
  int64_t count() const { return outer * length * inner; }
};

// Every row in order, and where each element was; equal ones keep their order, NaN is larger than every number.
template <class Number>
void sort_rows(int64_t rows, int64_t length, bool descending, const Number* x, Number* values, int32_t* places, const Threads& threads);

// The `count` largest or smallest elements of every row, in order, and where they were.
template <class Number>
void top_of_rows(int64_t rows, int64_t length, int64_t count, bool largest, const Number* x, Number* values, int32_t* places,
                 const Threads& threads);

// y[o, j, i] = x[o, places[o, j, i], i] for `count` places, of elements of so many bytes; 0 where there is no such element. Where
// places wrap, negative ones count from the end.
template <class Index>
void take_along(const AlongAxis& x, int64_t count, int64_t bytes, bool wraps, const void* from, const Index* places, void* y, const Threads& threads);
// The way back: x[o, places[o, j, i], i] += y[o, j, i], from 0 on; in order, so that bits do not depend on threads.
template <class Index>
void add_along(const AlongAxis& x, int64_t count, bool wraps, const float* y, const Index* places, float* to, const Threads& threads);

// y[o, j, i], the sum of x[o, k, i] over k <= j, or k >= j.
template <class Number>
void running_sum(const AlongAxis& shape, bool backward, const Number* x, Number* y, const Threads& threads);

}  // namespace mycelium
