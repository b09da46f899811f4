// Reading instructions as Python describes them (_engine/interpreter/native). Arithmetic is NumPy's: its loops are called as its
// functions call them, so results have the same bits.
#include "instructions.h"

#include <cstring>

namespace mycelium {

bool read_sizes(PyObject* from, Sizes* into) {
  PyObject* items = PySequence_Fast(from, "sizes must be a sequence");
  if (items == nullptr) return false;
  const Py_ssize_t count = PySequence_Fast_GET_SIZE(items);
  if (count > kMaxAxes) PyErr_SetString(PyExc_ValueError, "too many axes");
  for (Py_ssize_t i = 0; i < count && !PyErr_Occurred(); ++i)
    into->push_back(PyNumber_AsSsize_t(PySequence_Fast_GET_ITEM(items, i), PyExc_OverflowError));
  Py_DECREF(items);
  return !PyErr_Occurred();
}

bool read_view(PyObject* from, StridedView* into) {
  PyObject* strides;
  return PyArg_ParseTuple(from, "inO", &into->slot, &into->offset, &strides) && read_sizes(strides, &into->strides);
}

bool Loop::find(PyObject* named, const char* types, Py_ssize_t count) {
  if (!PyObject_TypeCheck(named, &PyUFunc_Type)) {
    PyErr_SetString(PyExc_TypeError, "a ufunc is needed");
    return false;
  }
  auto* ufunc = reinterpret_cast<PyUFuncObject*>(named);
  char numbers[kMaxInstructionOperands];
  if (count > kMaxInstructionOperands) count = 0;
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

std::vector<Sizes> strides_of(const std::vector<StridedView>& views) {
  std::vector<Sizes> strides;
  for (const StridedView& view : views) strides.push_back(view.strides);
  return strides;
}

namespace {

template <typename Item>
void copy_line(char* from, npy_intp from_stride, char* to, npy_intp to_stride, npy_intp count) {
  if (from_stride == sizeof(Item) && to_stride == sizeof(Item)) {
    std::memcpy(to, from, count * sizeof(Item));
    return;
  }
  for (npy_intp i = 0; i < count; ++i, from += from_stride, to += to_stride) std::memcpy(to, from, sizeof(Item));
}

}  // namespace

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

std::unique_ptr<Instruction> read_instruction(PyObject* described) {
  const char* kind;
  PyObject* rest;
  if (!PyArg_ParseTuple(described, "sO", &kind, &rest)) return nullptr;
  static const struct {
    const char* name;
    InstructionPtr (*read)(PyObject*);
  } kinds[] = {{"elementwise", read_elementwise}, {"copy", read_copy},         {"select", read_select},
               {"reduce", read_reduce},           {"scan", read_scan},         {"position", read_position},
               {"product", read_product},         {"windows", read_windows},   {"call", read_call}};
  for (const auto& one : kinds)
    if (std::strcmp(one.name, kind) == 0) return one.read(rest);
  PyErr_Format(PyExc_ValueError, "no step is called '%s'", kind);
  return nullptr;
}

}  // namespace mycelium
