// Products of small matrices of floats on one thread: libraries begin to spin with several for 64 x 64 x 64 already.
#pragma once

#include <cstdint>

namespace mycelium {

// c = a b. Steps are in floats: from row to row, and from column to column. c has its columns one after the other.
struct SmallProduct {
  int64_t rows, depth, columns;
  int64_t a_row, a_column, b_row, b_column, c_row;
};

void multiply(const SmallProduct& sizes, const float* a, const float* b, float* c);

}  // namespace mycelium
