// Calls of operators without Python: what dispatch.py does for Tensors whose kernels have run before with such operands.
#pragma once

#include "program.h"

namespace mycelium {

extern PyTypeObject KernelCallsType;
extern PyTypeObject OperatorCallType;
PyObject* configure(PyObject* module, PyObject* args);
PyObject* enable(PyObject* module, PyObject* device_array);

}  // namespace mycelium
