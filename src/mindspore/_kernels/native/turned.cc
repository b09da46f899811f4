// Matrices written in the other order, a small square at a time: each line of the cache is read and written whole, so it does
// not matter that the rows of a square, a power of two apart, fall into the same places of the cache.
#include "turned.h"

#include "vectors.h"

namespace mycelium {
namespace {

constexpr int kLine = 64;  // bytes
constexpr int64_t kBlockBytes = 256;  // of a row or a column that is treated together

// A row of a square. Vectors of bytes and halves have 16 bytes (the compiler has instructions that interleave those) unless
// the processor shuffles halves of any place.
template <class Number>
struct Square {
#if defined(__AVX512BW__) && MYCELIUM_LANES == 16
  static constexpr int kBytes = sizeof(Number) == 1 ? 16 : 64;
#else
  static constexpr int kBytes = sizeof(Number) <= 2 ? 16 : 32;
#endif
  static constexpr int kSize = kBytes / sizeof(Number);  // rows and columns
  typedef Number Row __attribute__((vector_size(kBytes)));
  typedef Number UnalignedRow __attribute__((vector_size(kBytes), aligned(1), may_alias));
};

template <class Row, bool upper, class Index, Index... lane>
inline __attribute__((always_inline)) Row interleaved(Row a, Row b, std::integer_sequence<Index, lane...>) {
  constexpr int kSize = sizeof...(lane);
  typedef Index Lanes __attribute__((vector_size(sizeof(Row))));
  constexpr Lanes kFrom{static_cast<Index>((lane & 1 ? kSize : 0) + lane / 2 + (upper ? kSize / 2 : 0))...};
  return __builtin_shuffle(a, b, kFrom);
}

// Interleaving row i with row i + n/2, log2(n) times, makes rows of columns.
template <class Number, class Index>
inline __attribute__((always_inline)) void turn_square(const Number* from, int64_t pitch, Number* to, int64_t to_pitch) {
  using Shape = Square<Number>;
  using Row = typename Shape::Row;
  constexpr int kSize = Shape::kSize;
  Row rows[kSize], others[kSize];
#pragma GCC unroll 32
  for (int i = 0; i < kSize; ++i) rows[i] = *reinterpret_cast<const typename Shape::UnalignedRow*>(from + i * pitch);
#pragma GCC unroll 6
  for (int step = kSize; step > 1; step /= 2) {
#pragma GCC unroll 16
    for (int i = 0; i < kSize / 2; ++i) {
      others[2 * i] = interleaved<Row, false>(rows[i], rows[i + kSize / 2], std::make_integer_sequence<Index, kSize>{});
      others[2 * i + 1] = interleaved<Row, true>(rows[i], rows[i + kSize / 2], std::make_integer_sequence<Index, kSize>{});
    }
#pragma GCC unroll 32
    for (int i = 0; i < kSize; ++i) rows[i] = others[i];
  }
#pragma GCC unroll 32
  for (int i = 0; i < kSize; ++i) *reinterpret_cast<typename Shape::UnalignedRow*>(to + i * to_pitch) = rows[i];
}

// A block of a matrix: squares that together are lines of the cache, then what is left at the edges.
template <class Number, class Index>
void turn_block(const Number* x, int64_t rows, int64_t columns, int64_t pitch, Number* y, int64_t to_pitch) {
  constexpr int64_t kSize = Square<Number>::kSize, kGroup = kLine / sizeof(Number);
  const int64_t whole_rows = rows / kSize * kSize, whole_columns = columns / kSize * kSize;
  for (int64_t j = 0; j < whole_columns; j += kGroup)
    for (int64_t i = 0; i < whole_rows; i += kGroup)
      for (int64_t jj = j; jj < std::min(j + kGroup, whole_columns); jj += kSize)
        for (int64_t ii = i; ii < std::min(i + kGroup, whole_rows); ii += kSize)
          turn_square<Number, Index>(x + ii * pitch + jj, pitch, y + jj * to_pitch + ii, to_pitch);
  for (int64_t i = 0; i < rows; ++i)
    for (int64_t j = i < whole_rows ? whole_columns : 0; j < columns; ++j) y[j * to_pitch + i] = x[i * pitch + j];
}

template <class Number, class Index>
void turn_all(int64_t batch, int64_t rows, int64_t columns, const void* from, void* to, const Threads& threads) {
  const auto* x = static_cast<const Number*>(from);
  auto* y = static_cast<Number*>(to);
  constexpr int64_t kBlock = kBlockBytes / sizeof(Number);
  const int64_t down = (rows + kBlock - 1) / kBlock, across = (columns + kBlock - 1) / kBlock;
  const int64_t together = std::max<int64_t>(1, (int64_t{1} << 16) / (kBlock * kBlock));  // blocks of a piece
  const int64_t blocks = batch * down * across;
  const double operations = 2.0 * batch * rows * columns * (sizeof(Number) < 4 ? 0.5 : 1.0);
  threads.run((blocks + together - 1) / together, operations, [&](int64_t piece) {
    for (int64_t block = piece * together; block < std::min(blocks, (piece + 1) * together); ++block) {
      const int64_t matrix = block / (down * across), i = block / down % across * kBlock, j = block % down * kBlock;
      turn_block<Number, Index>(x + matrix * rows * columns + j * columns + i, std::min(kBlock, rows - j), std::min(kBlock, columns - i),
                                columns, y + matrix * rows * columns + i * rows + j, rows);
    }
  });
}

}  // namespace

void turn_matrices(int64_t batch, int64_t rows, int64_t columns, int64_t bytes, const void* x, void* y, const Threads& threads) {
  if (bytes == 1) return turn_all<uint8_t, int8_t>(batch, rows, columns, x, y, threads);
  if (bytes == 2) return turn_all<uint16_t, int16_t>(batch, rows, columns, x, y, threads);
  if (bytes == 4) return turn_all<uint32_t, int32_t>(batch, rows, columns, x, y, threads);
  turn_all<uint64_t, int64_t>(batch, rows, columns, x, y, threads);
}

}  // namespace mycelium
