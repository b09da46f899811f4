// Products of matrices of integers.
#pragma once

#include "parallel.h"

namespace mycelium {

// z[b, i, j], the sum over k of x[b, i, k] * y[b, k, j], wrapping around.
template <class Number>
void integer_product(int64_t batch, int64_t rows, int64_t columns, int64_t depth, const Number* x, const Number* y, Number* z,
                     const Threads& threads);

}  // namespace mycelium
