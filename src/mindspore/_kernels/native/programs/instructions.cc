// The steps of programs. Arithmetic is NumPy's: its loops are called as its functions call them, so results have the same bits.
#include <cmath>
#include <cstring>
#include <limits>
#include <type_traits>

#include "small_product.h"
#include "walk.h"

namespace mycelium {
namespace {

bool read_sizes(PyObject* from, Sizes* into) {
  PyObject* items = PySequence_Fast(from, "sizes must be a sequence");
  if (items == nullptr) return false;
  const Py_ssize_t count = PySequence_Fast_GET_SIZE(items);
  if (count > kMostAxes) PyErr_SetString(PyExc_ValueError, "too many axes");
  for (Py_ssize_t i = 0; i < count && !PyErr_Occurred(); ++i)
    into->push_back(PyNumber_AsSsize_t(PySequence_Fast_GET_ITEM(items, i), PyExc_OverflowError));
  Py_DECREF(items);
  return !PyErr_Occurred();
}

bool read_place(PyObject* from, Place* into) {
  PyObject* steps;
  return PyArg_ParseTuple(from, "inO", &into->slot, &into->start, &steps) && read_sizes(steps, &into->steps);
}

// NumPy's loop for operands of these types.
struct Loop {
  PyUFuncGenericFunction function = nullptr;
  void* data = nullptr;

  bool find(PyObject* named, const char* types, Py_ssize_t count) {
    if (!PyObject_TypeCheck(named, &PyUFunc_Type)) {
      PyErr_SetString(PyExc_TypeError, "a ufunc is needed");
      return false;
    }
    auto* ufunc = reinterpret_cast<PyUFuncObject*>(named);
    char numbers[kMostOperands];
    if (count > kMostOperands) count = 0;
    for (Py_ssize_t i = 0; i < count; ++i) {
      PyArray_Descr* described = PyArray_DescrFromType(types[i]);
      if (described == nullptr) return false;
      numbers[i] = static_cast<char>(described->type_num);
      Py_DECREF(described);
    }
    for (int i = 0; ufunc->nargs == count && i < ufunc->ntypes; ++i) {
      if (std::memcmp(ufunc->types + i * ufunc->nargs, numbers, count) != 0) continue;
      function = ufunc->functions[i], data = ufunc->data == nullptr ? nullptr : ufunc->data[i];
      if (function != nullptr) return true;
    }
    PyErr_Format(PyExc_TypeError, "'%s' has no loop of these types", ufunc->name);
    return false;
  }
  void operator()(char** at, npy_intp count, const npy_intp* steps) const { function(at, &count, steps, data); }
};

std::vector<Sizes> steps_of(const std::vector<Place>& places) {
  std::vector<Sizes> steps;
  for (const Place& place : places) steps.push_back(place.steps);
  return steps;
}

// A function of single elements.
class Elementwise : public Instruction {
 public:
  Elementwise(Loop loop, const Sizes& shape, std::vector<Place> places)
      : loop_(loop), places_(std::move(places)), walk_(shape, steps_of(places_)) {}
  bool run(char* const* memory, npy_intp size) const override {
    char* begin[kMostOperands];
    for (size_t i = 0; i < places_.size(); ++i) begin[i] = places_[i].in(memory);
    walk_.each(begin, [&](char** at) { loop_(at, walk_.count(size), walk_.inner()); });
    return true;
  }

 private:
  Loop loop_;
  std::vector<Place> places_;
  Walk walk_;
};

template <typename Item>
void copy_line(char* from, npy_intp from_step, char* to, npy_intp to_step, npy_intp count) {
  if (from_step == sizeof(Item) && to_step == sizeof(Item)) {
    std::memcpy(to, from, count * sizeof(Item));
    return;
  }
  for (npy_intp i = 0; i < count; ++i, from += from_step, to += to_step) std::memcpy(to, from, sizeof(Item));
}

using CopyLine = void (*)(char*, npy_intp, char*, npy_intp, npy_intp);

CopyLine copier(int size) {
  struct Sixteen {
    char bytes[16];
  };
  switch (size) {
    case 1: return copy_line<uint8_t>;
    case 2: return copy_line<uint16_t>;
    case 4: return copy_line<uint32_t>;
    case 8: return copy_line<uint64_t>;
    case 16: return copy_line<Sixteen>;
    default: PyErr_SetString(PyExc_ValueError, "elements of an unknown size"); return nullptr;
  }
}

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
void convert_line(char* from, npy_intp from_step, char* to, npy_intp to_step, npy_intp count) {
  if (from_step == sizeof(From) && to_step == sizeof(To)) {
    auto* given = reinterpret_cast<const From*>(from);
    auto* made = reinterpret_cast<To*>(to);
    for (npy_intp i = 0; i < count; ++i) made[i] = converted<From, To>(given[i]);
    return;
  }
  for (npy_intp i = 0; i < count; ++i, from += from_step, to += to_step)
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
  Copy(CopyLine line, const Sizes& shape, Place from, Place to)
      : line_(line), from_(from), to_(to), walk_(shape, {from.steps, to.steps}) {}
  bool run(char* const* memory, npy_intp size) const override {
    char* begin[] = {from_.in(memory), to_.in(memory)};
    const npy_intp* steps = walk_.inner();
    walk_.each(begin, [&](char** at) { line_(at[0], steps[0], at[1], steps[1], walk_.count(size)); });
    return true;
  }

 private:
  CopyLine line_;
  Place from_, to_;
  Walk walk_;
};

// -- selection ----------------------------------------------------------------------------------------------------------
template <typename Item>
void select_line(char** at, const npy_intp* steps, npy_intp count) {
  char *which = at[0], *no = at[1], *yes = at[2], *to = at[3];
  if (steps[0] == 1 && steps[1] == sizeof(Item) && steps[2] == sizeof(Item) && steps[3] == sizeof(Item)) {
    auto *a = reinterpret_cast<const Item*>(no), *b = reinterpret_cast<const Item*>(yes);
    auto* made = reinterpret_cast<Item*>(to);
    for (npy_intp i = 0; i < count; ++i) made[i] = which[i] ? b[i] : a[i];
    return;
  }
  for (npy_intp i = 0; i < count; ++i) {
    *reinterpret_cast<Item*>(to) = *reinterpret_cast<Item*>(*which ? yes : no);
    which += steps[0], no += steps[1], yes += steps[2], to += steps[3];
  }
}

class Select : public Instruction {
 public:
  Select(int size, const Sizes& shape, std::vector<Place> places)
      : size_(size), places_(std::move(places)), walk_(shape, steps_of(places_)) {}
  bool run(char* const* memory, npy_intp size) const override {
    char* begin[kMostOperands];
    for (size_t i = 0; i < places_.size(); ++i) begin[i] = places_[i].in(memory);
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
  std::vector<Place> places_;
  Walk walk_;
};

// -- reductions -----------------------------------------------------------------------------------------------------------
// The result begins with the first elements along the reduced axes; the others are combined with it.
class Reduce : public Instruction {
 public:
  Reduce(Loop loop, int size, const Sizes& kept, const Sizes& reduced, Place from, Place to)
      : loop_(loop), line_(copier(size)), from_(from), to_(to), reduced_(1),
        kept_from_(from.steps.begin(), from.steps.begin() + kept.size()),
        over_from_(from.steps.begin() + kept.size(), from.steps.end()),
        first_(kept, {kept_from_, to.steps}),
        over_(reduced, {over_from_}) {
    for (npy_intp length : reduced) reduced_ *= length;
    const npy_intp along = first_.inner()[0] < 0 ? -first_.inner()[0] : first_.inner()[0];
    by_lines_ = first_.count() == 1 || (over_.inner()[0] > 0 && over_.inner()[0] < along);
  }
  bool run(char* const* memory, npy_intp) const override {
    char* begin[] = {from_.in(memory), to_.in(memory)};
    const npy_intp* steps = first_.inner();
    if (first_.empty()) return true;
    first_.each(begin, [&](char** at) { line_(at[0], steps[0], at[1], steps[1], first_.count()); });
    if (reduced_ <= 1) return true;
    if (by_lines_) {
      first_.each(begin, [&](char** at) {
        for (npy_intp i = 0; i < first_.count(); ++i) one(at[0] + i * steps[0], at[1] + i * steps[1]);
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
    const npy_intp steps[] = {0, step, 0};
    bool is_first = true;
    over_.each(&from, [&](char** at) {
      char* args[] = {to, at[0] + (is_first ? step : 0), to};
      if (over_.count() > (is_first ? 1 : 0)) loop_(args, over_.count() - (is_first ? 1 : 0), steps);
      is_first = false;
    });
  }
  void slab(char* from, char* to) const {  // one element more for every result
    char* begin[] = {from, to};
    const npy_intp* inner = first_.inner();
    const npy_intp steps[] = {inner[1], inner[0], inner[1]};
    first_.each(begin, [&](char** at) {
      char* args[] = {at[1], at[0], at[1]};
      loop_(args, first_.count(), steps);
    });
  }

  Loop loop_;
  CopyLine line_;
  Place from_, to_;
  npy_intp reduced_;
  Sizes kept_from_, over_from_;
  Walk first_, over_;
  bool by_lines_;
};

// Sums and their kin of all elements up to each one, along an axis.
class Scan : public Instruction {
 public:
  Scan(Loop loop, int size, const Sizes& shape, npy_intp length, Place from, Place to)
      : loop_(loop), line_(copier(size)), from_(from), to_(to), length_(length), along_from_(from.steps.back()),
        along_to_(to.steps.back()),
        walk_(shape, {Sizes(from.steps.begin(), from.steps.end() - 1), Sizes(to.steps.begin(), to.steps.end() - 1)}) {}
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
  Place from_, to_;
  npy_intp length_, along_from_, along_to_;
  Walk walk_;
};

// -- the place of the largest, of equals the first; NaN is larger and smaller than all ---------------------------------------
template <typename Item, bool largest>
npy_intp extreme_place(const char* at, npy_intp step, npy_intp count) {
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
    case '?': case 'B': return extreme_place<uint8_t, largest>;
    case 'b': return extreme_place<int8_t, largest>;
    case 'i': return extreme_place<int32_t, largest>;
    case 'l': return extreme_place<int64_t, largest>;
    case 'f': return extreme_place<float, largest>;
    case 'd': return extreme_place<double, largest>;
    default: PyErr_SetString(PyExc_TypeError, "no order of this type"); return nullptr;
  }
}

class Position : public Instruction {
 public:
  Position(Extreme extreme, bool wide, const Sizes& shape, npy_intp length, Place from, Place to)
      : extreme_(extreme), wide_(wide), from_(from), to_(to), length_(length), along_(from.steps.back()),
        walk_(shape, {Sizes(from.steps.begin(), from.steps.end() - 1), to.steps}) {}
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
  Place from_, to_;
  npy_intp length_, along_;
  Walk walk_;
};

// -- products of matrices -----------------------------------------------------------------------------------------------------
// Places step along batch..., rows, columns.
class Product : public Instruction {
 public:
  Product(Loop loop, bool floats, const Sizes& batch, const Sizes& sizes, std::vector<Place> places)
      : loop_(loop), floats_(floats), sizes_(sizes), places_(std::move(places)), walk_(batch, batch_steps(places_)) {
    for (const Place& place : places_) matrix_.insert(matrix_.end(), place.steps.end() - 2, place.steps.end());
    const npy_intp* m = matrix_.data();
    constexpr npy_intp size = sizeof(float);
    small_ = {sizes_[0], sizes_[1], sizes_[2], m[0] / size, m[1] / size, m[2] / size, m[3] / size, m[4] / size};
  }
  bool run(char* const* memory, npy_intp) const override {
    char* begin[] = {places_[0].in(memory), places_[1].in(memory), places_[2].in(memory)};
    if (floats_) {
      const npy_intp* inner = walk_.inner();
      walk_.each(begin, [&](char** at) {
        for (npy_intp i = 0; i < walk_.count(); ++i)
          multiply(small_, reinterpret_cast<const float*>(at[0] + i * inner[0]), reinterpret_cast<const float*>(at[1] + i * inner[1]),
                   reinterpret_cast<float*>(at[2] + i * inner[2]));
      });
      return true;
    }
    npy_intp dimensions[] = {walk_.count(), sizes_[0], sizes_[1], sizes_[2]};
    npy_intp steps[9];
    std::copy(walk_.inner(), walk_.inner() + 3, steps);
    std::copy(matrix_.begin(), matrix_.end(), steps + 3);
    walk_.each(begin, [&](char** at) {
      char* own[] = {at[0], at[1], at[2]};  // NumPy's loop of products moves the pointers it is given
      loop_.function(own, dimensions, steps, loop_.data);
    });
    return true;
  }

 private:
  static std::vector<Sizes> batch_steps(const std::vector<Place>& places) {
    std::vector<Sizes> steps;
    for (const Place& place : places) steps.emplace_back(place.steps.begin(), place.steps.end() - 2);
    return steps;
  }
  Loop loop_;
  bool floats_;
  SmallProduct small_;
  Sizes sizes_, matrix_;
  std::vector<Place> places_;
  Walk walk_;
};

// -- windows at places that indices name: gathers, scatters, dynamic slices -----------------------------------------------------
struct Start {
  Place place;  // of the index, for every window
  char type;
  npy_intp limit, step;  // the last start that fits, and the bytes from one start to the next

  bool read(char* const* memory, const npy_intp* window, npy_intp* found) const {
    const char* at = place.in(memory);
    for (size_t axis = 0; axis < place.steps.size(); ++axis) at += window[axis] * place.steps[axis];
    int64_t value;
    switch (type) {
      case 'i': value = *reinterpret_cast<const int32_t*>(at); break;
      case 'I': value = *reinterpret_cast<const uint32_t*>(at); break;
      case 'B': value = *reinterpret_cast<const uint8_t*>(at); break;
      default: value = *reinterpret_cast<const int64_t*>(at);
    }
    const bool inside = value >= 0 && value <= limit;
    *found = value < 0 ? 0 : value > limit ? limit : value;
    return inside;
  }
};

class Windows : public Instruction {
 public:
  Windows(CopyLine line, Loop combine, const Sizes& batch, const Sizes& window, std::vector<Start> starts, Place from, Place to,
          bool into, bool clips, std::vector<char> fill)
      : line_(line), combine_(combine), batch_(batch), starts_(std::move(starts)), from_(from), to_(to), into_(into), clips_(clips),
        fill_(std::move(fill)),
        walk_(window, {Sizes(from.steps.begin() + batch.size(), from.steps.end()),
                       Sizes(to.steps.begin() + batch.size(), to.steps.end())}) {
    for (npy_intp length : batch) empty_ = empty_ || length == 0;
  }
  bool run(char* const* memory, npy_intp) const override {
    if (empty_) return true;
    npy_intp place[kMostAxes] = {};
    char *from = from_.in(memory), *to = to_.in(memory);
    while (true) {
      one(memory, place, from, to);
      int axis = static_cast<int>(batch_.size()) - 1;
      for (; axis >= 0; --axis) {
        from += from_.steps[axis], to += to_.steps[axis];
        if (++place[axis] < batch_[axis]) break;
        from -= from_.steps[axis] * batch_[axis], to -= to_.steps[axis] * batch_[axis];
        place[axis] = 0;
      }
      if (axis < 0) return true;
    }
  }

 private:
  void one(char* const* memory, const npy_intp* place, char* from, char* to) const {
    bool inside = true;
    npy_intp moved = 0;
    for (const Start& start : starts_) {
      npy_intp found;
      inside = start.read(memory, place, &found) && inside;
      moved += found * start.step;
    }
    const bool kept = inside || clips_;
    if (into_ && !kept) return;
    char* begin[] = {into_ ? from : from + moved, into_ ? to + moved : to};
    const npy_intp* steps = walk_.inner();
    const npy_intp count = walk_.count();
    walk_.each(begin, [&](char** at) {
      if (!kept) {
        line_(const_cast<char*>(fill_.data()), 0, at[1], steps[1], count);
      } else if (combine_.function == nullptr) {
        line_(at[0], steps[0], at[1], steps[1], count);
      } else {
        char* args[] = {at[1], at[0], at[1]};
        const npy_intp combined[] = {steps[1], steps[0], steps[1]};
        combine_(args, count, combined);
      }
    });
  }

  CopyLine line_;
  Loop combine_;
  Sizes batch_;
  std::vector<Start> starts_;
  Place from_, to_;
  bool into_, clips_, empty_ = false;
  std::vector<char> fill_;
  Walk walk_;
};

// -- what has no loop of its own ----------------------------------------------------------------------------------------------
struct Described {
  int type;
  Sizes shape;
  Place place;

  bool read(PyObject* from) {
    PyObject *sizes, *where;
    return PyArg_ParseTuple(from, "iOO", &type, &sizes, &where) && read_sizes(sizes, &shape) && read_place(where, &place);
  }
  PyObject* array(char* const* memory, bool writable) const {
    return PyArray_New(&PyArray_Type, static_cast<int>(shape.size()), const_cast<npy_intp*>(shape.data()), type,
                       const_cast<npy_intp*>(place.steps.data()), place.in(memory), 0,
                       NPY_ARRAY_ALIGNED | (writable ? NPY_ARRAY_WRITEABLE : 0), nullptr);
  }
};

// A function of Python, of arrays that are there while it runs.
class Call : public Instruction {
 public:
  Call(PyObject* function, std::vector<Described> from, std::vector<Described> to)
      : function_(function), from_(std::move(from)), to_(std::move(to)) {
    Py_INCREF(function_);
  }
  ~Call() override { Py_DECREF(function_); }
  bool run(char* const* memory, npy_intp) const override {
    PyObject* given = PyTuple_New(from_.size());
    for (size_t i = 0; given != nullptr && i < from_.size(); ++i) {
      PyObject* array = from_[i].array(memory, false);
      if (array == nullptr) Py_CLEAR(given);
      else PyTuple_SET_ITEM(given, i, array);
    }
    PyObject* found = given == nullptr ? nullptr : PyObject_CallObject(function_, given);
    const bool done = found != nullptr && store(found, memory);
    Py_XDECREF(found);
    Py_XDECREF(given);
    return done;
  }

 private:
  bool store(PyObject* found, char* const* memory) const {
    const bool several = PyTuple_Check(found) || PyList_Check(found);
    if (several && PySequence_Size(found) != static_cast<Py_ssize_t>(to_.size())) {
      PyErr_SetString(PyExc_ValueError, "another number of results");
      return false;
    }
    for (size_t i = 0; i < to_.size(); ++i) {
      PyObject* one = several ? PySequence_GetItem(found, i) : Py_NewRef(found);
      PyObject* into = to_[i].array(memory, true);
      const bool copied = one != nullptr && into != nullptr && PyArray_CopyObject(reinterpret_cast<PyArrayObject*>(into), one) == 0;
      Py_XDECREF(one);
      Py_XDECREF(into);
      if (!copied) return false;
    }
    return true;
  }
  PyObject* function_;
  std::vector<Described> from_, to_;
};

// -- reading descriptions -------------------------------------------------------------------------------------------------------
template <typename Item, typename Read>
bool read_all(PyObject* from, std::vector<Item>* into, Read read) {
  const Py_ssize_t count = PySequence_Size(from);
  for (Py_ssize_t i = 0; i < count; ++i) {
    PyObject* one = PySequence_GetItem(from, i);
    into->emplace_back();
    const bool done = one != nullptr && read(one, &into->back());
    Py_XDECREF(one);
    if (!done) return false;
  }
  return count >= 0;
}

using Made = std::unique_ptr<Instruction>;

Made read_elementwise(PyObject* from) {
  PyObject *ufunc, *shape, *where;
  const char* types;
  Py_ssize_t count;
  Sizes sizes;
  std::vector<Place> places;
  Loop loop;
  if (!PyArg_ParseTuple(from, "Os#OO", &ufunc, &types, &count, &shape, &where) || !read_sizes(shape, &sizes) ||
      !read_all(where, &places, read_place) || !loop.find(ufunc, types, count))
    return nullptr;
  if (static_cast<Py_ssize_t>(places.size()) != count || count > kMostOperands) {
    PyErr_SetString(PyExc_ValueError, "another number of operands");
    return nullptr;
  }
  return std::make_unique<Elementwise>(loop, sizes, places);
}

Made read_copy(PyObject* from) {
  PyObject *shape, *source, *target;
  const char *before, *after;
  int size;
  Sizes sizes;
  Place places[2];
  if (!PyArg_ParseTuple(from, "ssiOOO", &before, &after, &size, &shape, &source, &target) || !read_sizes(shape, &sizes) ||
      !read_place(source, &places[0]) || !read_place(target, &places[1]))
    return nullptr;
  const CopyLine line = std::strcmp(before, after) == 0 ? copier(size) : converter(before[0], after[0]);
  return line == nullptr ? nullptr : std::make_unique<Copy>(line, sizes, places[0], places[1]);
}

Made read_select(PyObject* from) {
  PyObject *shape, *where;
  int size;
  Sizes sizes;
  std::vector<Place> places;
  if (!PyArg_ParseTuple(from, "iOO", &size, &shape, &where) || !read_sizes(shape, &sizes) || !read_all(where, &places, read_place))
    return nullptr;
  if (places.size() != 4 || (size != 1 && size != 2 && size != 4 && size != 8)) {
    PyErr_SetString(PyExc_ValueError, "a selection of another kind");
    return nullptr;
  }
  return std::make_unique<Select>(size, sizes, places);
}

Made read_reduce(PyObject* from) {
  PyObject *ufunc, *kept, *reduced, *source, *target;
  const char* types;
  Py_ssize_t count;
  int size;
  Sizes of_kept, of_reduced;
  Place places[2];
  Loop loop;
  if (!PyArg_ParseTuple(from, "Os#iOOOO", &ufunc, &types, &count, &size, &kept, &reduced, &source, &target) ||
      !read_sizes(kept, &of_kept) || !read_sizes(reduced, &of_reduced) || !read_place(source, &places[0]) ||
      !read_place(target, &places[1]) || !loop.find(ufunc, types, count) || copier(size) == nullptr)
    return nullptr;
  return std::make_unique<Reduce>(loop, size, of_kept, of_reduced, places[0], places[1]);
}

Made read_scan(PyObject* from) {
  PyObject *ufunc, *shape, *source, *target;
  const char* types;
  Py_ssize_t count, length;
  int size;
  Sizes sizes;
  Place places[2];
  Loop loop;
  if (!PyArg_ParseTuple(from, "Os#iOnOO", &ufunc, &types, &count, &size, &shape, &length, &source, &target) ||
      !read_sizes(shape, &sizes) || !read_place(source, &places[0]) || !read_place(target, &places[1]) ||
      !loop.find(ufunc, types, count) || copier(size) == nullptr)
    return nullptr;
  return std::make_unique<Scan>(loop, size, sizes, length, places[0], places[1]);
}

Made read_position(PyObject* from) {
  PyObject *shape, *source, *target;
  const char* type;
  int largest, wide;
  Py_ssize_t length;
  Sizes sizes;
  Place places[2];
  if (!PyArg_ParseTuple(from, "sppOnOO", &type, &largest, &wide, &shape, &length, &source, &target) || !read_sizes(shape, &sizes) ||
      !read_place(source, &places[0]) || !read_place(target, &places[1]))
    return nullptr;
  const Extreme extreme = largest ? extreme_of<true>(type[0]) : extreme_of<false>(type[0]);
  return extreme == nullptr ? nullptr : std::make_unique<Position>(extreme, wide != 0, sizes, length, places[0], places[1]);
}

Made read_product(PyObject* from) {
  PyObject *ufunc, *batch, *sizes, *where;
  const char* types;
  Py_ssize_t count;
  Sizes of_batch, lengths;
  std::vector<Place> places;
  Loop loop;
  if (!PyArg_ParseTuple(from, "Os#OOO", &ufunc, &types, &count, &batch, &sizes, &where) || !read_sizes(batch, &of_batch) ||
      !read_sizes(sizes, &lengths) || !read_all(where, &places, read_place) || !loop.find(ufunc, types, count))
    return nullptr;
  if (places.size() != 3 || lengths.size() != 3) {
    PyErr_SetString(PyExc_ValueError, "a product of another kind");
    return nullptr;
  }
  return std::make_unique<Product>(loop, types[0] == 'f', of_batch, lengths, places);
}

bool read_start(PyObject* from, Start* into) {
  PyObject* place;
  const char* type;
  if (!PyArg_ParseTuple(from, "Osnn", &place, &type, &into->limit, &into->step)) return false;
  into->type = type[0];
  return read_place(place, &into->place);
}

Made read_windows(PyObject* from) {
  PyObject *ufunc, *batch, *window, *starts, *source, *target;
  const char *types, *fill;
  Py_ssize_t count, fill_size;
  int size, into, clips;
  Sizes of_batch, of_window;
  std::vector<Start> read_starts;
  Place places[2];
  Loop loop;
  if (!PyArg_ParseTuple(from, "Os#iOOOOOppy#", &ufunc, &types, &count, &size, &batch, &window, &starts, &source, &target, &into,
                        &clips, &fill, &fill_size) ||
      !read_sizes(batch, &of_batch) || !read_sizes(window, &of_window) || !read_all(starts, &read_starts, read_start) ||
      !read_place(source, &places[0]) || !read_place(target, &places[1]))
    return nullptr;
  const CopyLine line = copier(size);
  if (line == nullptr || (ufunc != Py_None && !loop.find(ufunc, types, count))) return nullptr;
  return std::make_unique<Windows>(line, loop, of_batch, of_window, std::move(read_starts), places[0], places[1], into != 0, clips != 0,
                                   std::vector<char>(fill, fill + fill_size));
}

bool read_described(PyObject* from, Described* into) { return into->read(from); }

Made read_call(PyObject* from) {
  PyObject *function, *given, *made;
  std::vector<Described> inputs, outputs;
  if (!PyArg_ParseTuple(from, "OOO", &function, &given, &made) || !read_all(given, &inputs, read_described) ||
      !read_all(made, &outputs, read_described))
    return nullptr;
  return std::make_unique<Call>(function, std::move(inputs), std::move(outputs));
}

}  // namespace

std::unique_ptr<Instruction> read_instruction(PyObject* described) {
  const char* kind;
  PyObject* rest;
  if (!PyArg_ParseTuple(described, "sO", &kind, &rest)) return nullptr;
  static const struct {
    const char* name;
    Made (*read)(PyObject*);
  } kinds[] = {{"elementwise", read_elementwise}, {"copy", read_copy},         {"select", read_select},
               {"reduce", read_reduce},           {"scan", read_scan},         {"position", read_position},
               {"product", read_product},         {"windows", read_windows},   {"call", read_call}};
  for (const auto& one : kinds)
    if (std::strcmp(one.name, kind) == 0) return one.read(rest);
  PyErr_Format(PyExc_ValueError, "no step is called '%s'", kind);
  return nullptr;
}

}  // namespace mycelium
