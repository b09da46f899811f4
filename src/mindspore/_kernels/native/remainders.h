// Remainders of divisions that are rounded towards zero.
#pragma once

#include "parallel.h"

namespace mycelium {

// z = fmod(x, y), element by element and exactly.
void remainders(int64_t count, const float* x, const float* y, float* z, const Threads& threads);

}  // namespace mycelium
