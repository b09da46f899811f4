// What the kinds of instructions share: reading their descriptions, NumPy's loops, copying lines of elements.
#pragma once

#include "walk.h"

namespace mycelium {

bool read_sizes(PyObject* from, Sizes* into);
bool read_view(PyObject* from, StridedView* into);

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

// NumPy's loop for operands of these types.
struct Loop {
  PyUFuncGenericFunction function = nullptr;
  void* data = nullptr;

  bool find(PyObject* named, const char* types, Py_ssize_t count);
  void operator()(char** at, npy_intp count, const npy_intp* strides) const { function(at, &count, strides, data); }
};

std::vector<Sizes> strides_of(const std::vector<StridedView>& views);

// Copies elements along one axis, from one stride to another.
using CopyLine = void (*)(char*, npy_intp, char*, npy_intp, npy_intp);

// For elements of this size; nullptr with a Python error set for others.
CopyLine copier(int size);

// Readers of descriptions: one for each kind of instruction. nullptr: a Python error is set.
using InstructionPtr = std::unique_ptr<Instruction>;
InstructionPtr read_elementwise(PyObject* from);
InstructionPtr read_copy(PyObject* from);
InstructionPtr read_select(PyObject* from);
InstructionPtr read_reduce(PyObject* from);
InstructionPtr read_scan(PyObject* from);
InstructionPtr read_position(PyObject* from);
InstructionPtr read_product(PyObject* from);
InstructionPtr read_windows(PyObject* from);
InstructionPtr read_call(PyObject* from);

}  // namespace mycelium
