// Instructions that compute element by element: NumPy's loops, conversions, selection.
#include <cmath>
#include <cstring>
#include <limits>
#include <type_traits>

#include "instructions.h"

namespace mycelium {
namespace {

// A function of single elements.
class Elementwise : public Instruction {
 public:
  Elementwise(Loop loop, const Sizes& shape, std::vector<StridedView> views)
      : loop_(loop), views_(std::move(views)), walk_(shape, strides_of(views_)) {}
  bool run(char* const* memory, npy_intp size) const override {
    char* begin[kMaxInstructionOperands];
    for (size_t i = 0; i < views_.size(); ++i) begin[i] = views_[i].in(memory);
    walk_.each(begin, [&](char** at) { loop_(at, walk_.count(size), walk_.inner()); });
    return true;
  }

 private:
  Loop loop_;
  std::vector<StridedView> views_;
  Walk walk_;
};

// -- conversion: floating-point numbers become the nearest integer there is, NaN zero -------------------------------------
template <typename From, typename To>
To converted(From x) {
  if constexpr (std::is_same_v<To, bool>) {
    return x != From(0);
  } else if constexpr (std::is_floating_point_v<From> && std::is_integral_v<To>) {
    if (std::isnan(x)) return 0;
    if (x >= static_cast<From>(std::numeric_limits<To>::max())) return std::numeric_limits<To>::max();
    if (x <= static_cast<From>(std::numeric_limits<To>::min())) return std::numeric_limits<To>::min();
    return static_cast<To>(x);
  } else {
    return static_cast<To>(x);
  }
}

template <typename From, typename To>
void convert_line(char* from, npy_intp from_stride, char* to, npy_intp to_stride, npy_intp count) {
  if (from_stride == sizeof(From) && to_stride == sizeof(To)) {
    auto* given = reinterpret_cast<const From*>(from);
    auto* made = reinterpret_cast<To*>(to);
    for (npy_intp i = 0; i < count; ++i) made[i] = converted<From, To>(given[i]);
    return;
  }
  for (npy_intp i = 0; i < count; ++i, from += from_stride, to += to_stride)
    *reinterpret_cast<To*>(to) = converted<From, To>(*reinterpret_cast<From*>(from));
}

template <typename From>
CopyLine converter_of(char to) {
  switch (to) {
    case '?': return convert_line<From, bool>;
    case 'b': return convert_line<From, int8_t>;
    case 'B': return convert_line<From, uint8_t>;
    case 'h': return convert_line<From, int16_t>;
    case 'H': return convert_line<From, uint16_t>;
    case 'i': return convert_line<From, int32_t>;
    case 'I': return convert_line<From, uint32_t>;
    case 'l': return convert_line<From, int64_t>;
    case 'L': return convert_line<From, uint64_t>;
    case 'f': return convert_line<From, float>;
    case 'd': return convert_line<From, double>;
    default: PyErr_SetString(PyExc_TypeError, "no conversion to this type"); return nullptr;
  }
}

CopyLine converter(char from, char to) {
  switch (from) {
    case '?': return converter_of<bool>(to);
    case 'b': return converter_of<int8_t>(to);
    case 'B': return converter_of<uint8_t>(to);
    case 'h': return converter_of<int16_t>(to);
    case 'H': return converter_of<uint16_t>(to);
    case 'i': return converter_of<int32_t>(to);
    case 'I': return converter_of<uint32_t>(to);
    case 'l': return converter_of<int64_t>(to);
    case 'L': return converter_of<uint64_t>(to);
    case 'f': return converter_of<float>(to);
    case 'd': return converter_of<double>(to);
    default: PyErr_SetString(PyExc_TypeError, "no conversion from this type"); return nullptr;
  }
}

class Copy : public Instruction {
 public:
  Copy(CopyLine line, const Sizes& shape, StridedView from, StridedView to)
      : line_(line), from_(from), to_(to), walk_(shape, {from.strides, to.strides}) {}
  bool run(char* const* memory, npy_intp size) const override {
    char* begin[] = {from_.in(memory), to_.in(memory)};
    const npy_intp* strides = walk_.inner();
    walk_.each(begin, [&](char** at) { line_(at[0], strides[0], at[1], strides[1], walk_.count(size)); });
    return true;
  }

 private:
  CopyLine line_;
  StridedView from_, to_;
  Walk walk_;
};

// -- selection ----------------------------------------------------------------------------------------------------------
template <typename Item>
void select_line(char** at, const npy_intp* strides, npy_intp count) {
  char *which = at[0], *no = at[1], *yes = at[2], *to = at[3];
  if (strides[0] == 1 && strides[1] == sizeof(Item) && strides[2] == sizeof(Item) && strides[3] == sizeof(Item)) {
    auto *a = reinterpret_cast<const Item*>(no), *b = reinterpret_cast<const Item*>(yes);
    auto* made = reinterpret_cast<Item*>(to);
    for (npy_intp i = 0; i < count; ++i) made[i] = which[i] ? b[i] : a[i];
    return;
  }
  for (npy_intp i = 0; i < count; ++i) {
    *reinterpret_cast<Item*>(to) = *reinterpret_cast<Item*>(*which ? yes : no);
    which += strides[0], no += strides[1], yes += strides[2], to += strides[3];
  }
}

class Select : public Instruction {
 public:
  Select(int size, const Sizes& shape, std::vector<StridedView> views)
      : size_(size), views_(std::move(views)), walk_(shape, strides_of(views_)) {}
  bool run(char* const* memory, npy_intp size) const override {
    char* begin[kMaxInstructionOperands];
    for (size_t i = 0; i < views_.size(); ++i) begin[i] = views_[i].in(memory);
    walk_.each(begin, [&](char** at) {
      switch (size_) {
        case 1: return select_line<uint8_t>(at, walk_.inner(), walk_.count(size));
        case 2: return select_line<uint16_t>(at, walk_.inner(), walk_.count(size));
        case 4: return select_line<uint32_t>(at, walk_.inner(), walk_.count(size));
        default: return select_line<uint64_t>(at, walk_.inner(), walk_.count(size));
      }
    });
    return true;
  }

 private:
  int size_;
  std::vector<StridedView> views_;
  Walk walk_;
};

}  // namespace

InstructionPtr read_elementwise(PyObject* from) {
  PyObject *ufunc, *shape, *where;
  const char* types;
  Py_ssize_t count;
  Sizes sizes;
  std::vector<StridedView> views;
  Loop loop;
  if (!PyArg_ParseTuple(from, "Os#OO", &ufunc, &types, &count, &shape, &where) || !read_sizes(shape, &sizes) ||
      !read_all(where, &views, read_view) || !loop.find(ufunc, types, count))
    return nullptr;
  if (static_cast<Py_ssize_t>(views.size()) != count || count > kMaxInstructionOperands) {
    PyErr_SetString(PyExc_ValueError, "another number of operands");
    return nullptr;
  }
  return std::make_unique<Elementwise>(loop, sizes, views);
}

InstructionPtr read_copy(PyObject* from) {
  PyObject *shape, *source, *target;
  const char *before, *after;
  int size;
  Sizes sizes;
  StridedView views[2];
  if (!PyArg_ParseTuple(from, "ssiOOO", &before, &after, &size, &shape, &source, &target) || !read_sizes(shape, &sizes) ||
      !read_view(source, &views[0]) || !read_view(target, &views[1]))
    return nullptr;
  const CopyLine line = std::strcmp(before, after) == 0 ? copier(size) : converter(before[0], after[0]);
  return line == nullptr ? nullptr : std::make_unique<Copy>(line, sizes, views[0], views[1]);
}

InstructionPtr read_select(PyObject* from) {
  PyObject *shape, *where;
  int size;
  Sizes sizes;
  std::vector<StridedView> views;
  if (!PyArg_ParseTuple(from, "iOO", &size, &shape, &where) || !read_sizes(shape, &sizes) || !read_all(where, &views, read_view))
    return nullptr;
  if (views.size() != 4 || (size != 1 && size != 2 && size != 4 && size != 8)) {
    PyErr_SetString(PyExc_ValueError, "a selection of another kind");
    return nullptr;
  }
  return std::make_unique<Select>(size, sizes, views);
}

}  // namespace mycelium
