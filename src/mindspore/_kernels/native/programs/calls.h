// Calls of operators without Python: what dispatch.py does for Tensors whose kernels have run before with such operands.
#pragma once

#include "program.h"

namespace mycelium {

extern PyTypeObject KernelCallsType;
extern PyTypeObject OperatorCallType;
PyObject* configure(PyObject* module, PyObject* args);
PyObject* enable(PyObject* module, PyObject* device_array);
PyObject* note(PyObject* module, PyObject* const* args, Py_ssize_t count);
PyObject* part(PyObject* module, PyObject* const* args, Py_ssize_t count);
PyObject* copy_for_sharing(PyObject* module, PyObject* array);

}  // namespace mycelium
