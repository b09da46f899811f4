// Sums and extremes of floats along an axis of a shape that XLA's library is slow for.
#pragma once

#include "arrays.h"

namespace mycelium {

enum class Fold { kSum, kLargest, kSmallest };

// y[o, i], what x[o, j, i] give over all j. A NaN among them makes it NaN.
void fold_along(const AlongAxis& shape, Fold fold, const float* x, float* y, const Threads& threads);

}  // namespace mycelium
