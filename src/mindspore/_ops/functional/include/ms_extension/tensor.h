// ms::Tensor: the arrays that C++ functions of a module get and give, in the host's memory.
#pragma once
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "ms_extension/reference.h"
#include "ms_extension/type_id.h"

namespace ms {
using ShapeVector = std::vector<int64_t>;
using TypeId = mindspore::TypeId;

// A function of mindspore._ops.functional.extension_tensors, which knows Tensors.
template <typename... Args>
Reference CallPython(const char *name, const char *format, Args... args) {
  Reference module = Own(PyImport_ImportModule("mindspore._ops.functional.extension_tensors"));
  Reference function = Own(PyObject_GetAttrString(module.get(), name));
  Reference given = Own(Py_BuildValue(format, args...));
  return Own(PyObject_CallObject(function.get(), given.get()));
}

class Tensor {
 public:
  Tensor() = default;
  Tensor(TypeId type, const ShapeVector &shape) {
    const auto &description = mindspore::DescriptionOf(type);
    Reference sizes = Own(PyTuple_New(static_cast<Py_ssize_t>(shape.size())));
    for (size_t i = 0; i < shape.size(); i++) PyTuple_SetItem(sizes.get(), i, PyLong_FromLongLong(shape[i]));
    Take(CallPython("empty", "(sO)", description.name, sizes.get()));
  }
  explicit Tensor(PyObject *tensor) { Take(CallPython("exposed", "(O)", tensor)); }

  bool is_defined() const { return data_ != nullptr; }
  TypeId data_type() const { return Known().type; }
  const ShapeVector &shape() const { return Known().shape; }
  size_t numel() const {
    size_t count = 1;
    for (int64_t size : shape()) count *= static_cast<size_t>(size);
    return count;
  }
  std::vector<int64_t> stride() const {
    std::vector<int64_t> strides(shape().size(), 1);
    for (size_t i = strides.size(); i > 1; i--) strides[i - 2] = strides[i - 1] * shape()[i - 1];
    return strides;
  }
  int64_t storage_offset() const { return 0; }
  bool is_contiguous() const { return true; }
  void SetNeedContiguous(bool) const {}
  bool need_contiguous() const { return true; }
  void *GetDataPtr() const { return Known().buffer.buf; }
  template <typename T>
  T *data_ptr() const {
    return static_cast<T *>(GetDataPtr());
  }

  Tensor cast(TypeId dtype) const { return One("cast", "(Os)", mindspore::DescriptionOf(dtype).name); }
  Tensor contiguous() const { return *this; }
  Tensor flatten(int64_t start_dim = 0, int64_t end_dim = -1) const {
    return One("flatten", "(OLL)", static_cast<long long>(start_dim), static_cast<long long>(end_dim));
  }
  Tensor index_select(int64_t dim, const Tensor &index) const {
    Reference chosen = index.ToPython();
    return One("index_select", "(OLO)", static_cast<long long>(dim), chosen.get());
  }
  Tensor reshape(const std::vector<int64_t> &shape) const { return WithSizes("reshape", shape); }
  Tensor repeat(const std::vector<int64_t> &repeats) const { return WithSizes("repeat", repeats); }
  Tensor repeat_interleave(const Tensor &repeats, std::optional<int64_t> dim = std::nullopt,
                           std::optional<int64_t> = std::nullopt) const {
    Reference counts = repeats.ToPython(), axis = Optional(dim);
    return One("repeat_interleave", "(OOO)", counts.get(), axis.get());
  }
  Tensor repeat_interleave(int64_t repeats, std::optional<int64_t> dim = std::nullopt,
                           std::optional<int64_t> = std::nullopt) const {
    Reference axis = Optional(dim);
    return One("repeat_interleave", "(OLO)", static_cast<long long>(repeats), axis.get());
  }
  std::vector<Tensor> chunk(int64_t chunks, int64_t dim = 0) const {
    Reference tensor = ToPython();
    Reference parts = CallPython("chunk", "(OLL)", tensor.get(), static_cast<long long>(chunks), static_cast<long long>(dim));
    std::vector<Tensor> tensors;
    for (Py_ssize_t i = 0; i < PyTuple_Size(parts.get()); i++) tensors.emplace_back(PyTuple_GetItem(parts.get(), i));
    return tensors;
  }

  // The Tensor of Python: the one it was made of, or a new one with this memory.
  Reference ToPython() const {
    if (!is_defined()) return Reference::Borrowed(Py_None);
    return CallPython("returned", "(O)", Known().array.get());
  }

 private:
  struct Data {
    Reference array;
    Py_buffer buffer{};
    TypeId type = mindspore::kTypeUnknown;
    ShapeVector shape;
    ~Data() {
      if (buffer.obj != nullptr) PyBuffer_Release(&buffer);
    }
  };

  const Data &Known() const {
    if (data_ == nullptr) throw std::runtime_error("the Tensor is not defined: ms::Tensor() is a place without data");
    return *data_;
  }

  // (array, its bytes, the name of its dtype, its shape)
  void Take(const Reference &described) {
    PyObject *bytes = nullptr, *array = nullptr, *shape = nullptr;
    const char *name = nullptr;
    if (!PyArg_ParseTuple(described.get(), "OOsO", &array, &bytes, &name, &shape)) ThrowPythonError();
    auto data = std::make_shared<Data>();
    data->array = Reference::Borrowed(array);
    if (PyObject_GetBuffer(bytes, &data->buffer, PyBUF_SIMPLE) != 0) ThrowPythonError();
    data->type = mindspore::TypeIdOf(name);
    for (Py_ssize_t i = 0; i < PyTuple_Size(shape); i++) data->shape.push_back(PyLong_AsLongLong(PyTuple_GetItem(shape, i)));
    data_ = std::move(data);
  }

  template <typename... Args>
  Tensor One(const char *method, const char *format, Args... args) const {
    Reference tensor = ToPython();
    return Tensor(CallPython(method, format, tensor.get(), args...).get());
  }
  Tensor WithSizes(const char *method, const std::vector<int64_t> &sizes) const {
    Reference listed = Own(PyTuple_New(static_cast<Py_ssize_t>(sizes.size())));
    for (size_t i = 0; i < sizes.size(); i++) PyTuple_SetItem(listed.get(), i, PyLong_FromLongLong(sizes[i]));
    return One(method, "(OO)", listed.get());
  }
  static Reference Optional(std::optional<int64_t> number) {
    return number ? Own(PyLong_FromLongLong(*number)) : Reference::Borrowed(Py_None);
  }

  std::shared_ptr<Data> data_;
};

namespace detail {
template <typename T>
Tensor Filled(const ShapeVector &shape, const std::vector<T> &values, TypeId dtype) {
  Tensor made(std::is_same_v<T, double> ? mindspore::kNumberTypeFloat64 : mindspore::kNumberTypeInt64, shape);
  for (size_t i = 0; i < made.numel(); i++) made.data_ptr<T>()[i] = values[values.size() == 1 ? 0 : i];
  return made.data_type() == dtype ? made : made.cast(dtype);
}
}  // namespace detail

inline Tensor tensor(const std::vector<int64_t> &value, TypeId dtype = mindspore::kNumberTypeInt64) {
  return detail::Filled<int64_t>({static_cast<int64_t>(value.size())}, value, dtype);
}
inline Tensor tensor(const std::vector<double> &value, TypeId dtype = mindspore::kNumberTypeFloat64) {
  return detail::Filled<double>({static_cast<int64_t>(value.size())}, value, dtype);
}
inline Tensor tensor(int64_t value, TypeId dtype = mindspore::kNumberTypeInt64) {
  return detail::Filled<int64_t>({}, {value}, dtype);
}
inline Tensor tensor(double value, TypeId dtype = mindspore::kNumberTypeFloat64) {
  return detail::Filled<double>({}, {value}, dtype);
}
inline Tensor ones(const ShapeVector &shape, TypeId dtype = mindspore::kNumberTypeFloat32) {
  return detail::Filled<int64_t>(shape, {1}, dtype);
}
inline Tensor zeros(const ShapeVector &shape, TypeId dtype = mindspore::kNumberTypeFloat32) {
  return detail::Filled<int64_t>(shape, {0}, dtype);
}
}  // namespace ms
