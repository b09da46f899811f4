// Indices: how far they are outside, and slices that are read or written at them.
#pragma once

#include "halves.h"
#include "parallel.h"

namespace mycelium {

// For each of `axes` columns of `count` rows of indices, the one farthest outside: `firsts` is the lowest that is allowed, and
// lower ones are farther outside than any larger one.
template <class Index>
void farthest_outside(int64_t count, int64_t axes, const int64_t* firsts, const Index* indices, Index* worst, const Threads& threads);

// Slices of an array, each a run of elements beside each other, once for every of `outer` parts of the array. A slice begins at
// the sum of its `axes` indices, each times a stride; an index is at most `limits`.
struct Slices {
  int64_t outer, pitch;  // parts of the array, and elements from one to the next
  int64_t count, axes;   // slices, and indices of each
  int64_t run;           // elements of a slice
  bool own;              // whether each part has indices of its own
  const int64_t *limits, *strides;
};

// y[o, j, ...] = x[o, slice j]; indices are clamped. Where `inside` is given (one for each
// row of indices) and false, zeros.
template <class Index>
void read_slices(const Slices& shape, int64_t bytes, const void* x, const Index* indices, const uint8_t* inside, void* y, const Threads& threads);

enum class Joined { kSet, kAdd, kLargest, kSmallest };
// x[o, slice j] = joined with y[o, j, ...], in order; slices outside are left out. Halves are added in float32 and rounded each time.
template <class Number, class Index>
void write_slices(const Slices& shape, Joined how, const Number* y, const Index* indices, Number* x, const Threads& threads);

}  // namespace mycelium
