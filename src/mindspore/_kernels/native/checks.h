// What is demanded of operands before they are touched. A program may come from a file that somebody crafted: XLA vouches for
// the dtype and the number of operands only, so ranks, sizes and attributes are checked here, in every call (O(rank)).
#pragma once

#include <initializer_list>
#include <stdexcept>
#include <string>

#include "parallel.h"

namespace mycelium {

using Sizes = ffi::Span<const int64_t>;

constexpr int64_t kMostOfAttribute = (int64_t{1} << 31) - 1;  // sums of a few such numbers fit

// Operands that do not fit; the handler makes it an InvalidArgument that names the kernel.
struct Misfit : std::invalid_argument {
  using std::invalid_argument::invalid_argument;
};

template <class Numbers>
std::string shown(const Numbers& numbers) {
  std::string text = "(";
  for (const int64_t number : numbers) text += (text.size() > 1 ? ", " : "") + std::to_string(number);
  return text + ")";
}

// A product of sizes that fits into 64 bits.
inline int64_t product_of_sizes(const char* name, std::initializer_list<int64_t> sizes) {
  int64_t found = 1;
  bool over = false;
  for (const int64_t size : sizes) over |= size < 0 || __builtin_mul_overflow(found, size, &found);
  if (over) throw Misfit(std::string("the '") + name + "' must have a size below 2^63, but got a product of " + shown(sizes));
  return found;
}

// No operand of a kernel is empty (those programs use the plain form).
inline void demand_rank(const char* name, Sizes sizes, size_t least, size_t most) {
  if (sizes.size() < least || sizes.size() > most)
    throw Misfit(std::string("the '") + name + "' must have " + std::to_string(least) +
                 (least == most ? "" : " or more") + " axes, but got the shape " + shown(sizes));
  for (const int64_t size : sizes)
    if (size < 1) throw Misfit(std::string("the '") + name + "' must have sizes of 1 and more, but got the shape " + shown(sizes));
}
inline void demand_rank(const char* name, Sizes sizes, size_t rank) { demand_rank(name, sizes, rank, rank); }

template <class Wanted>
void demand_same(const char* name, Sizes sizes, const Wanted& wanted) {
  if (sizes.size() != wanted.size() || !std::equal(sizes.begin(), sizes.end(), wanted.begin()))
    throw Misfit(std::string("the '") + name + "' must have the shape " + shown(wanted) + ", but got " + shown(sizes));
}
inline void demand_shape(const char* name, Sizes sizes, std::initializer_list<int64_t> wanted) { demand_same(name, sizes, wanted); }

inline void demand_count(const char* name, Sizes numbers, size_t count) {
  if (numbers.size() != count)
    throw Misfit(std::string("the '") + name + "' must hold " + std::to_string(count) + " numbers, but got " + shown(numbers));
}

inline void demand_between(const char* name, int64_t number, int64_t least, int64_t most) {
  if (number < least || number > most)
    throw Misfit(std::string("the '") + name + "' must be between " + std::to_string(least) + " and " + std::to_string(most) +
                 ", but got " + std::to_string(number));
}

inline void demand_dtype(const char* name, ffi::DataType dtype, ffi::DataType wanted) {
  if (dtype != wanted) throw Misfit(std::string("the '") + name + "' must have a dtype that there is a kernel for");
}

// Bytes of an element, of dtypes that are only moved.
inline int64_t bytes_of(const char* name, ffi::DataType dtype) {
  switch (dtype) {
    case ffi::PRED: case ffi::S8: case ffi::U8: return 1;
    case ffi::S16: case ffi::U16: case ffi::F16: case ffi::BF16: return 2;
    case ffi::S32: case ffi::U32: case ffi::F32: return 4;
    case ffi::S64: case ffi::U64: case ffi::F64: case ffi::C64: return 8;
    default: throw Misfit(std::string("the '") + name + "' must have a dtype that there is a kernel for");
  }
}

// Calls work with an index of the dtype that indices have.
template <class Work>
void with_index(const char* name, ffi::DataType dtype, Work work) {
  if (dtype == ffi::S32) return work(int32_t{});
  demand_dtype(name, dtype, ffi::S64);
  work(int64_t{});
}

// Calls work; what it throws becomes an error that names the kernel.
template <class Work>
ffi::Error guarded(const char* kernel, Work work) {
  const auto told = [kernel](const char* what) { return std::string("For '") + kernel + "', " + what + "."; };
  try {
    work();
  } catch (const Misfit& error) {
    return ffi::Error::InvalidArgument(told(error.what()));
  } catch (const std::exception& error) {
    return ffi::Error(ffi::ErrorCode::kResourceExhausted, told(error.what()));
  }
  return ffi::Error::Success();
}

}  // namespace mycelium
