// Random bits and integers.
#pragma once

#include "parallel.h"

namespace mycelium {

struct Key {
  uint32_t first, second;
};

// Bits of the elements 0, 1, ..., `count` - 1 of an array.
void random_bits(Key key, int64_t count, uint32_t* to, const Threads& threads);
void random_bits(Key key, int64_t count, uint64_t* to, const Threads& threads);

// `low` + bits % `span`, where the bits are twice as many as a number has: from the two keys that a key is split into. A span of 0
// takes the lower bits as they are.
void random_integers(Key key, int64_t low, uint64_t span, int64_t count, int64_t* to, const Threads& threads);
void random_integers(Key key, int64_t low, uint64_t span, int64_t count, int32_t* to, const Threads& threads);

}  // namespace mycelium
