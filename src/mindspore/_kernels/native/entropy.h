// The cross entropy of scores against classes.
#pragma once

#include "arrays.h"

namespace mycelium {

// Along the axis of x[o, j, i]: the largest score, the logarithm of the sum of exponentials of all less the largest, and
// logarithm - (x[o, classes[o, i], i] - largest), the entropy; 0 where there is no such class.
void class_entropy(const AlongAxis& shape, const float* x, const int32_t* classes, float* entropy, float* largest, float* logarithms,
                   const Threads& threads);

// The way back: y = softmax * whole, less `own` at each class. The softmax is that of the largest scores and logarithms above.
void class_entropy_slopes(const AlongAxis& shape, const float* x, const int32_t* classes, const float* largest, const float* logarithms,
                          const float* whole, const float* own, float* y, const Threads& threads);

}  // namespace mycelium
