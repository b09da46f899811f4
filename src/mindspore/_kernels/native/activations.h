// Activations of vectors.
#pragma once

#include "vectors.h"

namespace mycelium {

// A quotient of polynomials in x^2, fitted with a relative error of 2e-8; beyond the bound tanh is 1 in float32.
// Comparisons are written so that what is not a number stays that.
inline Vector tanh(Vector x) {
  constexpr float kBound = 9.02f;
  x = x > all(kBound) ? all(kBound) : x;
  x = x < all(-kBound) ? all(-kBound) : x;
  const Vector square = x * x;
  Vector above = all(1.33190232e-08f), below = all(7.76199954e-07f);
  above = above * square + all(2.05834458e-05f), below = below * square + all(3.28308932e-04f);
  above = above * square + all(3.49403243e-03f), below = below * square + all(2.58710645e-02f);
  above = above * square + all(1.33797154e-01f), below = below * square + all(4.67130303e-01f);
  above = above * square + all(1.0f), below = below * square + all(1.0f);
  Vector result = x * above / below;
  result = result > all(1.0f) ? all(1.0f) : result;
  return result < all(-1.0f) ? all(-1.0f) : result;
}

inline Vector sigmoid(Vector x) { return all(0.5f) + all(0.5f) * tanh(all(0.5f) * x); }

inline Vector relu(Vector x) { return x < all(0.0f) ? all(0.0f) : x; }

}  // namespace mycelium
