// One type at a time between Python and C++, for ms_extension/module.h.
#pragma once
#include <optional>
#include <string>
#include <tuple>
#include <type_traits>
#include <utility>
#include <vector>

#include "ms_extension/tensor.h"

namespace pybind11 {
class object : public ms::Reference {
 public:
  using ms::Reference::Reference;
  PyObject *ptr() const { return get(); }
};

// Conversion of one type: From says whether a Python object fits, To gives a new reference.
template <typename T, typename = void>
struct Convert;

template <>
struct Convert<ms::Tensor> {
  static bool From(PyObject *from, ms::Tensor *to) {
    if (!PyObject_HasAttrString(from, "asnumpy")) return false;
    *to = ms::Tensor(from);
    return true;
  }
  static PyObject *To(const ms::Tensor &tensor) { return tensor.ToPython().release(); }
};
template <>
struct Convert<object> {
  static bool From(PyObject *from, object *to) {
    Py_INCREF(from);
    *to = object(from);
    return true;
  }
  static PyObject *To(object value) { return value.release(); }
};
template <>
struct Convert<bool> {
  static bool From(PyObject *from, bool *to) {
    *to = from == Py_True;
    return PyBool_Check(from);
  }
  static PyObject *To(bool value) { return PyBool_FromLong(value); }
};
template <typename T>
struct Convert<T, std::enable_if_t<std::is_integral_v<T> && !std::is_same_v<T, bool>>> {
  static bool From(PyObject *from, T *to) {
    if (!PyLong_Check(from)) return false;
    *to = static_cast<T>(PyLong_AsLongLong(from));
    return !PyErr_Occurred();
  }
  static PyObject *To(T value) { return PyLong_FromLongLong(static_cast<long long>(value)); }
};
template <typename T>
struct Convert<T, std::enable_if_t<std::is_floating_point_v<T>>> {
  static bool From(PyObject *from, T *to) {
    if (!PyFloat_Check(from) && !PyLong_Check(from)) return false;
    *to = static_cast<T>(PyFloat_AsDouble(from));
    return !PyErr_Occurred();
  }
  static PyObject *To(T value) { return PyFloat_FromDouble(value); }
};
template <>
struct Convert<std::string> {
  static bool From(PyObject *from, std::string *to) {
    const char *text = PyUnicode_Check(from) ? PyUnicode_AsUTF8(from) : nullptr;
    if (text != nullptr) *to = text;
    return text != nullptr;
  }
  static PyObject *To(const std::string &value) { return PyUnicode_FromStringAndSize(value.data(), value.size()); }
};
template <typename T>
struct Convert<std::optional<T>> {
  static bool From(PyObject *from, std::optional<T> *to) {
    if (from == Py_None) return true;
    return Convert<T>::From(from, &to->emplace());
  }
  static PyObject *To(const std::optional<T> &value) {
    return value ? Convert<T>::To(*value) : ms::Reference::Borrowed(Py_None).release();
  }
};
template <typename T>
struct Convert<std::vector<T>> {
  static bool From(PyObject *from, std::vector<T> *to) {
    if (!PyTuple_Check(from) && !PyList_Check(from)) return false;
    for (Py_ssize_t i = 0; i < PySequence_Size(from); i++) {
      ms::Reference element(PySequence_GetItem(from, i));
      T value{};
      if (!Convert<T>::From(element.get(), &value)) return false;
      to->push_back(std::move(value));
    }
    return true;
  }
  static PyObject *To(const std::vector<T> &values) {
    PyObject *list = PyList_New(static_cast<Py_ssize_t>(values.size()));
    for (size_t i = 0; i < values.size(); i++) PyList_SetItem(list, i, Convert<T>::To(values[i]));
    return list;
  }
};
template <typename... T>
struct Convert<std::tuple<T...>> {
  static PyObject *To(const std::tuple<T...> &values) {
    PyObject *made = PyTuple_New(sizeof...(T));
    Py_ssize_t i = 0;
    std::apply([&](const auto &...v) { (PyTuple_SetItem(made, i++, Convert<std::decay_t<decltype(v)>>::To(v)), ...); }, values);
    return made;
  }
};
}  // namespace pybind11
