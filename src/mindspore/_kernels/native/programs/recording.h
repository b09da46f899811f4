// Results as Tensors, and nodes of the tape.
#pragma once

#include "call_state.h"

namespace mycelium {

// Arrays as Tensors: one, or a tuple of them.
PyObject* wrap_all(PyObject* values);
// 1 if the dtype of a value has gradients, 0 if not, -1 if Python has to say so.
int is_inexact(PyObject* value);
// The links of the inputs on a tape, as a list; *recorded says whether there are any. False: Python has to do it.
bool links_of(PyObject* tape, PyObject* const* inputs, PyObject* const* values, size_t count, Ref* parents, bool* recorded);
// Record a call on a tape (tape.py, record).
bool record(PyObject* tape, PyObject* kernel, PyObject* const* values, size_t count, PyObject* parents, PyObject* results,
            const std::vector<int>& tracked);

}  // namespace mycelium
