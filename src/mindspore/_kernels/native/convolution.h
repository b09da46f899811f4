#pragma once

#include "geometry.h"

namespace mycelium {

void convolve(const Convolution& shape, const float* x, const float* weights, float* y, const Threads& threads);
void input_gradient(const Convolution& shape, const float* dy, const float* weights, float* dx, const Threads& threads);
void weight_gradient(const Convolution& shape, const float* x, const float* dy, float* dw, const Threads& threads);

// For inputs of fewer channels than a vector has.
bool few_channels(const Convolution& shape);
void few_channels_input_gradient(const Convolution& shape, const float* dy, const float* weights, float* dx, const Threads& threads);

void depthwise_convolve(const Convolution& shape, const float* x, const float* weights, float* y, const Threads& threads);
void depthwise_input_gradient(const Convolution& shape, const float* dy, const float* weights, float* dx, const Threads& threads);
void depthwise_weight_gradient(const Convolution& shape, const float* x, const float* dy, float* dw, const Threads& threads);

}  // namespace mycelium
