// References to Python objects, and errors of Python as exceptions of C++.
#pragma once
#include <Python.h>

#include <stdexcept>
#include <utility>

#if __has_include(<pybind11/pybind11.h>)
#include <pybind11/pybind11.h>
#endif

namespace ms {
// A strong reference. Everything here runs while the interpreter's lock is held.
class Reference {
 public:
  Reference() = default;
  explicit Reference(PyObject *owned) : object_(owned) {}
  Reference(const Reference &other) : object_(other.object_) { Py_XINCREF(object_); }
  Reference(Reference &&other) noexcept : object_(other.object_) { other.object_ = nullptr; }
  Reference &operator=(Reference other) {
    std::swap(object_, other.object_);
    return *this;
  }
  ~Reference() { Py_XDECREF(object_); }
  static Reference Borrowed(PyObject *object) {
    Py_XINCREF(object);
    return Reference(object);
  }
  PyObject *get() const { return object_; }
  PyObject *release() {
    PyObject *object = object_;
    object_ = nullptr;
    return object;
  }

 private:
  PyObject *object_ = nullptr;
};

#if __has_include(<pybind11/pybind11.h>)
[[noreturn]] inline void ThrowPythonError() { throw pybind11::error_already_set(); }
#else
// The Python exception that was set; it is raised again when it gets back to Python.
class PythonError : public std::runtime_error {
 public:
  PythonError() : std::runtime_error("an error of Python") {
    PyObject *type = nullptr, *value = nullptr, *trace = nullptr;
    PyErr_Fetch(&type, &value, &trace);
    type_ = Reference(type), value_ = Reference(value), trace_ = Reference(trace);
  }
  void Restore() const {
    Reference type = type_, value = value_, trace = trace_;
    PyErr_Restore(type.release(), value.release(), trace.release());
  }

 private:
  Reference type_, value_, trace_;
};

[[noreturn]] inline void ThrowPythonError() { throw PythonError(); }
#endif

// Checked; takes the reference.
inline Reference Own(PyObject *object) {
  if (object == nullptr) ThrowPythonError();
  return Reference(object);
}
}  // namespace ms
