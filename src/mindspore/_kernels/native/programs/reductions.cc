// Instructions along axes: reductions, scans, and the index of the largest or smallest element.
#include <type_traits>

#include "instructions.h"

namespace mycelium {
namespace {

// The result begins with the first elements along the reduced axes; the others are combined with it.
class Reduce : public Instruction {
 public:
  Reduce(Loop loop, int size, const Sizes& kept, const Sizes& reduced, StridedView from, StridedView to)
      : loop_(loop), line_(copier(size)), from_(from), to_(to), reduced_(1),
        kept_from_(from.strides.begin(), from.strides.begin() + kept.size()),
        over_from_(from.strides.begin() + kept.size(), from.strides.end()),
        first_(kept, {kept_from_, to.strides}),
        over_(reduced, {over_from_}) {
    for (npy_intp length : reduced) reduced_ *= length;
    const npy_intp along = first_.inner()[0] < 0 ? -first_.inner()[0] : first_.inner()[0];
    by_lines_ = first_.count() == 1 || (over_.inner()[0] > 0 && over_.inner()[0] < along);
  }
  bool run(char* const* memory, npy_intp) const override {
    char* begin[] = {from_.in(memory), to_.in(memory)};
    const npy_intp* strides = first_.inner();
    if (first_.empty()) return true;
    first_.each(begin, [&](char** at) { line_(at[0], strides[0], at[1], strides[1], first_.count()); });
    if (reduced_ <= 1) return true;
    if (by_lines_) {
      first_.each(begin, [&](char** at) {
        for (npy_intp i = 0; i < first_.count(); ++i) one(at[0] + i * strides[0], at[1] + i * strides[1]);
      });
    } else {
      bool is_first = true;
      over_.each(begin, [&](char** at) {
        for (npy_intp i = 0; i < over_.count(); ++i, is_first = false)
          if (!is_first) slab(at[0] + i * over_.inner()[0], begin[1]);
      });
    }
    return true;
  }

 private:
  void one(char* from, char* to) const {  // all that is reduced to one element
    const npy_intp step = over_.inner()[0];
    const npy_intp strides[] = {0, step, 0};
    bool is_first = true;
    over_.each(&from, [&](char** at) {
      char* args[] = {to, at[0] + (is_first ? step : 0), to};
      if (over_.count() > (is_first ? 1 : 0)) loop_(args, over_.count() - (is_first ? 1 : 0), strides);
      is_first = false;
    });
  }
  void slab(char* from, char* to) const {  // one element more for every result
    char* begin[] = {from, to};
    const npy_intp* inner = first_.inner();
    const npy_intp strides[] = {inner[1], inner[0], inner[1]};
    first_.each(begin, [&](char** at) {
      char* args[] = {at[1], at[0], at[1]};
      loop_(args, first_.count(), strides);
    });
  }

  Loop loop_;
  CopyLine line_;
  StridedView from_, to_;
  npy_intp reduced_;
  Sizes kept_from_, over_from_;
  Walk first_, over_;
  bool by_lines_;
};

// Sums and their kin of all elements up to each one, along an axis.
class Scan : public Instruction {
 public:
  Scan(Loop loop, int size, const Sizes& shape, npy_intp length, StridedView from, StridedView to)
      : loop_(loop), line_(copier(size)), from_(from), to_(to), length_(length), along_from_(from.strides.back()),
        along_to_(to.strides.back()),
        walk_(shape, {Sizes(from.strides.begin(), from.strides.end() - 1), Sizes(to.strides.begin(), to.strides.end() - 1)}) {}
  bool run(char* const* memory, npy_intp) const override {
    char* begin[] = {from_.in(memory), to_.in(memory)};
    const npy_intp* inner = walk_.inner();
    if (length_ == 0) return true;
    walk_.each(begin, [&](char** at) {
      for (npy_intp i = 0; i < walk_.count(); ++i) {
        char *from = at[0] + i * inner[0], *to = at[1] + i * inner[1];
        line_(from, 0, to, 0, 1);
        for (npy_intp k = 1; k < length_; ++k) {  // one by one: the next result needs this one
          char* args[] = {to, from + along_from_, to + along_to_};
          const npy_intp none[] = {0, 0, 0};
          loop_(args, 1, none);
          from += along_from_, to += along_to_;
        }
      }
    });
    return true;
  }

 private:
  Loop loop_;
  CopyLine line_;
  StridedView from_, to_;
  npy_intp length_, along_from_, along_to_;
  Walk walk_;
};

// -- the index of the largest or smallest; of equals the first, and NaN before all ---------------------------------------
template <typename Item, bool largest>
npy_intp arg_extreme(const char* at, npy_intp step, npy_intp count) {
  npy_intp found = 0;
  Item best = *reinterpret_cast<const Item*>(at);
  for (npy_intp i = 0; i < count; ++i, at += step) {
    const Item x = *reinterpret_cast<const Item*>(at);
    if constexpr (std::is_floating_point_v<Item>)
      if (x != x) return i;
    if (largest ? x > best : x < best) best = x, found = i;
  }
  return found;
}

using Extreme = npy_intp (*)(const char*, npy_intp, npy_intp);

template <bool largest>
Extreme extreme_of(char type) {
  switch (type) {
    case '?': case 'B': return arg_extreme<uint8_t, largest>;
    case 'b': return arg_extreme<int8_t, largest>;
    case 'i': return arg_extreme<int32_t, largest>;
    case 'l': return arg_extreme<int64_t, largest>;
    case 'f': return arg_extreme<float, largest>;
    case 'd': return arg_extreme<double, largest>;
    default: PyErr_SetString(PyExc_TypeError, "no order of this type"); return nullptr;
  }
}

class ArgExtreme : public Instruction {
 public:
  ArgExtreme(Extreme extreme, bool wide, const Sizes& shape, npy_intp length, StridedView from, StridedView to)
      : extreme_(extreme), wide_(wide), from_(from), to_(to), length_(length), along_(from.strides.back()),
        walk_(shape, {Sizes(from.strides.begin(), from.strides.end() - 1), to.strides}) {}
  bool run(char* const* memory, npy_intp) const override {
    char* begin[] = {from_.in(memory), to_.in(memory)};
    const npy_intp* inner = walk_.inner();
    walk_.each(begin, [&](char** at) {
      for (npy_intp i = 0; i < walk_.count(); ++i) {
        const npy_intp found = extreme_(at[0] + i * inner[0], along_, length_);
        char* to = at[1] + i * inner[1];
        if (wide_) *reinterpret_cast<int64_t*>(to) = found;
        else *reinterpret_cast<int32_t*>(to) = static_cast<int32_t>(found);
      }
    });
    return true;
  }

 private:
  Extreme extreme_;
  bool wide_;
  StridedView from_, to_;
  npy_intp length_, along_;
  Walk walk_;
};

}  // namespace

InstructionPtr read_reduce(PyObject* from) {
  PyObject *ufunc, *kept, *reduced, *source, *target;
  const char* types;
  Py_ssize_t count;
  int size;
  Sizes of_kept, of_reduced;
  StridedView views[2];
  Loop loop;
  if (!PyArg_ParseTuple(from, "Os#iOOOO", &ufunc, &types, &count, &size, &kept, &reduced, &source, &target) ||
      !read_sizes(kept, &of_kept) || !read_sizes(reduced, &of_reduced) || !read_view(source, &views[0]) ||
      !read_view(target, &views[1]) || !loop.find(ufunc, types, count) || copier(size) == nullptr)
    return nullptr;
  return std::make_unique<Reduce>(loop, size, of_kept, of_reduced, views[0], views[1]);
}

InstructionPtr read_scan(PyObject* from) {
  PyObject *ufunc, *shape, *source, *target;
  const char* types;
  Py_ssize_t count, length;
  int size;
  Sizes sizes;
  StridedView views[2];
  Loop loop;
  if (!PyArg_ParseTuple(from, "Os#iOnOO", &ufunc, &types, &count, &size, &shape, &length, &source, &target) ||
      !read_sizes(shape, &sizes) || !read_view(source, &views[0]) || !read_view(target, &views[1]) ||
      !loop.find(ufunc, types, count) || copier(size) == nullptr)
    return nullptr;
  return std::make_unique<Scan>(loop, size, sizes, length, views[0], views[1]);
}

InstructionPtr read_position(PyObject* from) {
  PyObject *shape, *source, *target;
  const char* type;
  int largest, wide;
  Py_ssize_t length;
  Sizes sizes;
  StridedView views[2];
  if (!PyArg_ParseTuple(from, "sppOnOO", &type, &largest, &wide, &shape, &length, &source, &target) || !read_sizes(shape, &sizes) ||
      !read_view(source, &views[0]) || !read_view(target, &views[1]))
    return nullptr;
  const Extreme extreme = largest ? extreme_of<true>(type[0]) : extreme_of<false>(type[0]);
  return extreme == nullptr ? nullptr : std::make_unique<ArgExtreme>(extreme, wide != 0, sizes, length, views[0], views[1]);
}

}  // namespace mycelium
