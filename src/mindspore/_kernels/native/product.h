// Products of matrices of any shape, each as it lies or turned, and of many pairs of them.
#pragma once

#include "parallel.h"

namespace mycelium {

// x is (rows, depth), or (depth, rows) where it is turned; y is (depth, columns), or (columns, depth) where it is turned.
struct Product {
  int64_t batch, rows, columns, depth;
  bool x_turned, y_turned;
  double operations() const { return 2.0 * batch * rows * columns * depth; }
};
// The same for a few rows of x, which is not turned.
void multiply_few_rows(const Product& shape, const float* x, const float* y, float* z, const Threads& threads);
constexpr int64_t kFewRows = 15;
void multiply(const Product& shape, const float* x, const float* y, float* z, const Threads& threads);
// The same of bfloat16; for processors with an instruction for it.
bool multiplies_bfloat16();
void multiply_bfloat16(const Product& shape, const uint16_t* x, const uint16_t* y, uint16_t* z, const Threads& threads);

}  // namespace mycelium
