// What the modules about calls share: references, what dispatch.py configured, and whether a call is one that C++ may make.
#pragma once

#include <utility>

#include "program.h"

namespace mycelium {

constexpr int kMaxOperands = 32;           // operands
constexpr size_t kMaxRemembered = 64;  // forms of a kernel, and kernels of an operator, that are looked through

// An owned reference.
class Ref {
 public:
  explicit Ref(PyObject* object = nullptr) : object_(object) {}
  Ref(const Ref&) = delete;
  Ref& operator=(const Ref&) = delete;
  ~Ref() { Py_XDECREF(object_); }
  PyObject* get() const { return object_; }
  void reset(PyObject* object) {
    Py_XDECREF(object_);
    object_ = object;
  }
  PyObject* release() { return std::exchange(object_, nullptr); }
  explicit operator bool() const { return object_ != nullptr; }

 private:
  PyObject* object_;
};

// What dispatch.py knows; set once.
struct Known {
  PyTypeObject *tensor, *parameter, *node, *dtype_class;
  PyObject *state, *state_type, *context, *tier, *sources;
  PyObject* device_array = nullptr;  // the class of arrays on the device, once NumPy is a tier
  PyObject *scope, *tape, *precision, *modes, *saving, *settled, *synchronize, *value, *link, *free, *nodes, *parents, *outputs, *kernel,
      *inputs, *calls, *forms, *jitted, *call, *cheap, *compiled, *quiet, *left, *shape, *dtype, *weak_type, *aval, *base, *views;
};
extern Known known;

// Forgets an error that Python will meet again; false for one that has to be raised now, such as an interrupt.
inline bool clear_error() {
  if (!PyErr_ExceptionMatches(PyExc_Exception)) return false;
  PyErr_Clear();
  return true;
}

// None, for what Python has to do; nullptr for an error that has to be raised now.
inline PyObject* fall_back() { return PyErr_Occurred() && !clear_error() ? nullptr : Py_NewRef(Py_None); }

inline PyObject* attribute(PyObject* of, PyObject* name) { return PyObject_GenericGetAttr(of, name); }
inline bool set(PyObject* of, PyObject* name, PyObject* to) { return PyObject_GenericSetAttr(of, name, to) == 0; }

inline bool is_tensor(PyObject* value) { return Py_TYPE(value) == known.tensor || Py_TYPE(value) == known.parameter; }

// A Tensor that holds this array.
inline PyObject* wrap(PyObject* value) {
  PyObject* tensor = known.tensor->tp_alloc(known.tensor, 0);
  if (tensor != nullptr && PyObject_GenericSetAttr(tensor, known.value, value) != 0) Py_CLEAR(tensor);
  return tensor;
}

// The state of the thread during one call.
struct CallContext {
  Ref values;      // of the thread
  PyObject* tape;   // borrowed; nullptr without
};

// Whether nothing is active that only Python knows to handle: a trace, autocast, a mode, a hook on saved tensors.
bool is_plain(CallContext* now);

}  // namespace mycelium
