// How Tensors and functions reach Python: by pybind11 where it is installed, else by the part of its interface below.
#pragma once
#include "ms_extension/tensor.h"

#if __has_include(<pybind11/pybind11.h>)
#include <pybind11/pybind11.h>
#include <pybind11/stl.h>

namespace py = pybind11;

namespace pybind11::detail {
template <>
struct type_caster<ms::Tensor> {
 public:
  PYBIND11_TYPE_CASTER(ms::Tensor, const_name("Tensor"));
  bool load(handle source, bool) {
    if (!PyObject_HasAttrString(source.ptr(), "asnumpy")) return false;
    value = ms::Tensor(source.ptr());
    return true;
  }
  static handle cast(const ms::Tensor &tensor, return_value_policy, handle) { return tensor.ToPython().release(); }
};
}  // namespace pybind11::detail

namespace ms {
template <typename T>
py::object ToObject(T &&value) {
  return py::cast(std::forward<T>(value));
}
inline py::object ToObject(const std::vector<Tensor> &tensors) { return py::tuple(py::cast(tensors)); }
inline py::object ToObject(std::vector<Tensor> &&tensors) { return py::tuple(py::cast(tensors)); }
inline py::object ToObject(std::vector<Tensor> &tensors) { return py::tuple(py::cast(tensors)); }
}  // namespace ms
#else
#include "ms_extension/module.h"
#endif
