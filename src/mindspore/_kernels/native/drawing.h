// Places drawn with weights.
#pragma once

#include "parallel.h"

namespace mycelium {

// For each number of 64 random bits a place of the row, with its weight's share of all as its chance. A place of weight 0 is never drawn.
void draw_places(int64_t rows, int64_t length, int64_t count, const float* weights, const uint64_t* bits, int32_t* places,
                 const Threads& threads);

}  // namespace mycelium
