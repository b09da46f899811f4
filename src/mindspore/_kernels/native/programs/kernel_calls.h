// Calls of one kernel, by the forms of its operands.
#pragma once

#include "call_state.h"

namespace mycelium {

struct Form;

// KernelCalls(kernel): the forms of one kernel that were met.
struct KernelCalls {
  PyObject_HEAD
  PyObject* kernel;  // borrowed: the kernel owns this
  std::vector<Form>* met;
  size_t next;  // the one to be replaced
};

// Run a kernel on Tensors and numbers. A new reference; Py_None: Python has to do it.
PyObject* run(KernelCalls* self, CallContext* now, PyObject* const* inputs, size_t count);

}  // namespace mycelium
