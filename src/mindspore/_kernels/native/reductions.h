// Reductions of dtypes that XLA does not vectorize, and what runs along an axis step by step.
#pragma once

#include "arrays.h"
#include "halves.h"

namespace mycelium {

// y[o, i], the sum of x[o, j, i] over j. Sums of halves are kept in float32 and rounded once.
void sum_along(const AlongAxis& shape, const int32_t* x, int64_t* y, const Threads& threads);
void sum_along(const AlongAxis& shape, const int64_t* x, int64_t* y, const Threads& threads);
void sum_along(const AlongAxis& shape, const uint8_t* x, int64_t* y, const Threads& threads);
void sum_along(const AlongAxis& shape, const double* x, double* y, const Threads& threads);
void sum_along(const AlongAxis& shape, Half kind, const uint16_t* x, uint16_t* y, const Threads& threads);
void sum_along(const AlongAxis& shape, Half kind, const uint16_t* x, float* y, const Threads& threads);  // not rounded

// The largest or smallest of x[o, j, i] over j. The first element stays unless another is better: NaN counts only there.
template <class Number>
void extreme_along(const AlongAxis& shape, bool largest, const Number* x, Number* y, const Threads& threads);
void extreme_along(const AlongAxis& shape, bool largest, Half kind, const uint16_t* x, uint16_t* y, const Threads& threads);

// The largest or smallest elements up to each one and where they are, of equal ones the last; NaN stays.
template <class Number>
void running_extreme(const AlongAxis& shape, bool largest, const Number* x, Number* y, int32_t* places, const Threads& threads);
// y[j] = a[j] * y[j - 1] + b[j] along the axis, or from its end on; a[0] counts for nothing, or the last one.
void linear_recurrence(const AlongAxis& shape, bool backward, const float* a, const float* b, float* y, const Threads& threads);
// The logarithms of running sums of exponentials.
void running_log_sum(const AlongAxis& shape, bool backward, const float* x, float* y, const Threads& threads);
// The product of all elements up to each one.
void running_product(const AlongAxis& shape, bool backward, const float* x, float* y, const Threads& threads);

}  // namespace mycelium
