// Sines, cosines and tangents.
#pragma once

#include "parallel.h"

namespace mycelium {

enum class Wave { kSine, kCosine, kTangent };

void waves(Wave wave, int64_t count, const float* x, float* y, const Threads& threads);

}  // namespace mycelium
