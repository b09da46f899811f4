// Products of bfloat16 with the processor's own instruction, which adds the products of two pairs to a float32: what the products of
// float32 do (product.cc), with pairs of steps in place of steps. Sums are rounded once.
#include <cstring>

#include "halves.h"
#include "packing.h"
#include "product.h"

namespace mycelium {

#if defined(__AVX512F__) && MYCELIUM_LANES == 16

namespace {

constexpr int64_t kTile = 12;    // rows of a tile; it has kLanes columns: 24 sums in 32 registers
constexpr int64_t kDepth = 512;  // pairs of a tile at once
constexpr int64_t kBlock = 96;   // rows of x that are arranged together
constexpr int64_t kSide = 16;    // panels that one piece of work computes

// A matrix of which element (i, j) lies at i * row + j * column.
struct Matrix {
  const uint16_t* first;
  int64_t row, column;
  const uint16_t* at(int64_t i, int64_t j) const { return first + i * row + j * column; }
};

inline void add_pairs(Vector& sum, Mask a, Vector b) { asm("vdpbf16ps %2, %1, %0" : "+v"(sum) : "v"(a), "v"(b)); }

// z[i][...] (+)= sum over pairs of x[i] * y, for kTile rows and kLanes columns. Not inlined: the sums must stay in registers.
template <bool Add>
__attribute__((noinline)) void tile(int64_t pairs, const float* x, const float* y, float* z, int64_t pitch) {
  Vector sums[kTile][2] = {};
  const int32_t* left = reinterpret_cast<const int32_t*>(x);
#pragma GCC unroll 2
  for (int64_t k = 0; k < pairs; ++k, left += kTile, y += kLanes) {
    const Vector first = load(y), second = load(y + kWidth);
#pragma GCC unroll 12
    for (int i = 0; i < kTile; ++i) {
      const Mask value = left[i] - Mask{};
      add_pairs(sums[i][0], value, first);
      add_pairs(sums[i][1], value, second);
    }
  }
#pragma GCC unroll 12
  for (int i = 0; i < kTile; ++i, z += pitch) {
    store(z, Add ? load(z) + sums[i][0] : sums[i][0]);
    store(z + kWidth, Add ? load(z + kWidth) + sums[i][1] : sums[i][1]);
  }
}

// `count` vectors of `depth` numbers side by side, two steps of a vector beside each other; there is room for `Room`, the rest is zero.
// Vector i starts at from + i * apart; its elements are `step` numbers apart. One of the two is 1.
template <int64_t Room>
void pack_pairs(const uint16_t* from, int64_t count, int64_t apart, int64_t step, int64_t depth, float* to) {
  const int64_t whole = depth / 2;
  uint32_t* words = reinterpret_cast<uint32_t*>(to);
  if (count == Room && step == 1 && apart % 2 == 0) {
    pack_columns<Room>(reinterpret_cast<const float*>(from), apart / 2, whole, to);
  } else if (count == Room && apart == 1) {
    for (int64_t k = 0; k < whole; ++k) {
      const uint16_t *even = from + 2 * k * step, *odd = even + step;
      for (int64_t i = 0; i < Room; ++i) words[k * Room + i] = even[i] | uint32_t{odd[i]} << 16;
    }
  } else {
    for (int64_t k = 0; k < whole; ++k)
      for (int64_t i = 0; i < Room; ++i) {
        const uint16_t* even = from + i * apart + 2 * k * step;
        words[k * Room + i] = i < count ? even[0] | uint32_t{even[step]} << 16 : 0;
      }
  }
  if (depth % 2 == 0) return;
  for (int64_t i = 0; i < Room; ++i) words[whole * Room + i] = i < count ? from[i * apart + (depth - 1) * step] : 0;
}

void round_row(const float* from, int64_t count, uint16_t* to) {
  const uint32_t* words = reinterpret_cast<const uint32_t*>(from);
  for (int64_t i = 0; i < count; ++i) {
    const uint32_t bits = words[i], found = (bits + 0x7fff + (bits >> 16 & 1)) >> 16;
    to[i] = (bits & 0x7fffffff) > 0x7f800000 ? (bits >> 16 | 0x40) : found;
  }
}

// Some rows with some panels of y.
void block(const Matrix& x, int64_t rows, int64_t depth, const float* packed, int64_t columns, uint16_t* z, int64_t pitch) {
  thread_local Scratch scratch;
  const int64_t pairs = (depth + 1) / 2, panels = (columns + kLanes - 1) / kLanes, room = panels * kLanes;
  const int64_t tiles = (rows + kTile - 1) / kTile;
  float* left = scratch.floats((kBlock + kTile) * kDepth + kWidth + tiles * kTile * room);
  float* sums = left + (kBlock + kTile) * kDepth + kWidth;
  for (int64_t k = 0; k < pairs; k += kDepth) {
    const int64_t some = std::min(kDepth, pairs - k), steps = std::min(2 * some, depth - 2 * k);
    for (int64_t i = 0; i < rows; i += kTile)
      pack_pairs<kTile>(x.at(i, 2 * k), std::min(kTile, rows - i), x.row, x.column, steps, left + i * some);
    for (int64_t panel = 0; panel < panels; ++panel)
      for (int64_t i = 0; i < rows; i += kTile)
        (k > 0 ? tile<true> : tile<false>)(some, left + i * some, packed + (panel * pairs + k) * kLanes, sums + i * room + panel * kLanes, room);
  }
  for (int64_t i = 0; i < rows; ++i) round_row(sums + i * room, columns, z + i * pitch);
}

void multiply_one(const Product& shape, const uint16_t* from_x, const uint16_t* from_y, uint16_t* z, const Threads& threads) {
  thread_local Scratch scratch;
  const Matrix x = shape.x_turned ? Matrix{from_x, 1, shape.rows} : Matrix{from_x, shape.depth, 1};
  const Matrix y = shape.y_turned ? Matrix{from_y, 1, shape.depth} : Matrix{from_y, shape.columns, 1};
  const int64_t pairs = (shape.depth + 1) / 2, panels = (shape.columns + kLanes - 1) / kLanes;
  float* packed = scratch.floats(panels * kLanes * pairs + kWidth);
  threads.run(panels, 1.0 * shape.columns * shape.depth, [&](int64_t panel) {
    const int64_t column = panel * kLanes;
    pack_pairs<kLanes>(y.at(0, column), std::min<int64_t>(kLanes, shape.columns - column), y.column, y.row, shape.depth, packed + column * pairs);
  });
  const int64_t blocks = (shape.rows + kBlock - 1) / kBlock, sides = (panels + kSide - 1) / kSide;
  threads.run(blocks * sides, shape.operations() / 2, [&](int64_t i) {
    const int64_t row = i / sides * kBlock, panel = i % sides * kSide, column = panel * kLanes;
    block({x.at(row, 0), x.row, x.column}, std::min(kBlock, shape.rows - row), shape.depth, packed + column * pairs,
          std::min(kSide * kLanes, shape.columns - column), z + row * shape.columns + column, shape.columns);
  });
}

}  // namespace

bool multiplies_bfloat16() { return __builtin_cpu_supports("avx512bf16"); }

void multiply_bfloat16(const Product& shape, const uint16_t* x, const uint16_t* y, uint16_t* z, const Threads& threads) {
  Product one = shape;
  one.batch = 1;
  const auto single = [&](int64_t i, const Threads& by) {
    multiply_one(one, x + i * shape.rows * shape.depth, y + i * shape.depth * shape.columns, z + i * shape.rows * shape.columns, by);
  };
  if (shape.batch >= threads.worthwhile(shape.operations() / 2))
    threads.run(shape.batch, shape.operations() / 2, [&](int64_t i) { single(i, Threads()); });
  else
    for (int64_t i = 0; i < shape.batch; ++i) single(i, threads);
}

#else

bool multiplies_bfloat16() { return false; }

void multiply_bfloat16(const Product&, const uint16_t*, const uint16_t*, uint16_t*, const Threads&) {}

#endif

}  // namespace mycelium
