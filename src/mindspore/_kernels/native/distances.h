// Distances of every row of one matrix to every row of another.
#pragma once

#include "parallel.h"

namespace mycelium {

enum class Norm { kSquare, kAbsolute, kLargest };  // sums of squares, of absolute values, the largest absolute value

// z[b, i, j], the sum over k of |x[b, i, k] - y[b, j, k]| or its square, or the largest of them.
void distances(int64_t batch, int64_t rows, int64_t columns, int64_t depth, Norm norm, const float* x, const float* y, float* z,
               const Threads& threads);

}  // namespace mycelium
