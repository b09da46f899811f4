// Matrices copied into the order in which products read them.
#pragma once

#include "vectors.h"

namespace mycelium {

// Room floats from each of `depth` rows.
template <int64_t Room>
void pack_rows(const float* from, int64_t pitch, int64_t depth, float* to) {
  for (int64_t k = 0; k < depth; ++k, from += pitch, to += Room) std::memcpy(to, from, Room * sizeof(float));
}

// The first `depth` floats of Room rows, turned. A vector that is longer than what is left of Room is written all the same:
// the next one covers the rest, and the last ones are written one by one.
template <int64_t Room>
void pack_columns(const float* from, int64_t pitch, int64_t depth, float* to) {
  int64_t k = 0;
  for (; k + kWidth < depth; k += kWidth) {
#pragma GCC unroll 2
    for (int64_t start = 0; start < Room; start += kWidth) {
      Vector rows[kWidth];
#pragma GCC unroll 16
      for (int i = 0; i < kWidth; ++i) rows[i] = start + i < Room ? load(from + (start + i) * pitch + k) : all(0.0f);
      turn(rows);
#pragma GCC unroll 16
      for (int i = 0; i < kWidth; ++i) store(to + (k + i) * Room + start, rows[i]);
    }
  }
  for (; k < depth; ++k)
    for (int64_t i = 0; i < Room; ++i) to[k * Room + i] = from[i * pitch + k];
}

}  // namespace mycelium
