// Matrices written in the other order.
#pragma once

#include "parallel.h"

namespace mycelium {

// y[b, j, i] = x[b, i, j] for elements of 1, 2, 4 or 8 bytes; x is (batch, rows, columns).
void turn_matrices(int64_t batch, int64_t rows, int64_t columns, int64_t bytes, const void* x, void* y, const Threads& threads);

}  // namespace mycelium
