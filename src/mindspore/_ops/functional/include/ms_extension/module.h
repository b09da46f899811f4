// Modules of functions, for where pybind11 is not installed: PYBIND11_MODULE, m.def, arg.
#pragma once
#include <functional>
#include <string>
#include <vector>

#include "ms_extension/convert.h"

namespace pybind11 {
struct arg {
  explicit arg(const char *name) : name(name) {}
  template <typename T>
  arg operator=(const T &value) && {
    if constexpr (std::is_same_v<T, std::nullptr_t> || std::is_same_v<T, std::nullopt_t>) {
      standard = ms::Reference::Borrowed(Py_None);
    } else {
      standard = ms::Reference(Convert<std::decay_t<T>>::To(value));
    }
    return *this;
  }
  const char *name;
  ms::Reference standard;
};

struct Function {
  std::string name, text;
  std::vector<arg> args;
  std::function<PyObject *(const std::vector<PyObject *> &)> call;
  size_t count = 0;
  PyMethodDef method{};
};

inline PyObject *Dispatch(PyObject *self, PyObject *given, PyObject *named) {
  auto *function = static_cast<Function *>(PyCapsule_GetPointer(self, nullptr));
  std::vector<PyObject *> inputs(function->count, nullptr);
  size_t positional = static_cast<size_t>(PyTuple_Size(given));
  size_t used = 0;
  for (size_t i = 0; i < inputs.size(); i++) {
    if (i < positional) {
      inputs[i] = PyTuple_GetItem(given, i);
    } else if (i < function->args.size()) {
      inputs[i] = named ? PyDict_GetItemString(named, function->args[i].name) : nullptr;
      used += inputs[i] != nullptr;
      if (inputs[i] == nullptr) inputs[i] = function->args[i].standard.get();
    }
    if (inputs[i] == nullptr) positional = inputs.size() + 1;
  }
  if (positional > inputs.size() || used != static_cast<size_t>(named ? PyDict_Size(named) : 0)) {
    PyErr_Format(PyExc_TypeError, "%s(): incompatible function arguments: it takes %zu", function->name.c_str(), inputs.size());
    return nullptr;
  }
  try {
    return function->call(inputs);
  } catch (const ms::PythonError &error) {
    error.Restore();
  } catch (const std::invalid_argument &error) {
    PyErr_SetString(PyExc_ValueError, error.what());
  } catch (const std::exception &error) {
    PyErr_SetString(PyExc_RuntimeError, error.what());
  }
  return nullptr;
}

template <typename Result, typename... Args, typename F, size_t... Index>
PyObject *Apply(const F &function, const std::string &name, const std::vector<PyObject *> &inputs,
                std::index_sequence<Index...>) {
  std::tuple<std::decay_t<Args>...> values{};
  bool fits = (Convert<std::decay_t<Args>>::From(inputs[Index], &std::get<Index>(values)) && ...);
  if (!fits) {
    PyErr_Clear();
    PyErr_Format(PyExc_TypeError, "%s(): incompatible function arguments", name.c_str());
    return nullptr;
  }
  if constexpr (std::is_void_v<Result>) {
    function(std::get<Index>(values)...);
    return ms::Reference::Borrowed(Py_None).release();
  } else {
    return Convert<std::decay_t<Result>>::To(function(std::get<Index>(values)...));
  }
}

class module_ {
 public:
  explicit module_(PyObject *module) : module_object_(module) {}

  template <typename F, typename... Extra>
  module_ &def(const char *name, F &&function, const Extra &...extra) {
    auto *made = new Function();  // lives as long as the process, as modules do
    made->name = name;
    (Note(made, extra), ...);
    if constexpr (std::is_pointer_v<std::decay_t<F>>) {
      Bind(made, std::decay_t<F>(function));
    } else {
      Bind(made, std::forward<F>(function), &std::decay_t<F>::operator());
    }
    made->method = {made->name.c_str(), reinterpret_cast<PyCFunction>(reinterpret_cast<void (*)()>(Dispatch)),
                    METH_VARARGS | METH_KEYWORDS, made->text.c_str()};
    ms::Reference capsule = ms::Own(PyCapsule_New(made, nullptr, nullptr));
    PyObject_SetAttrString(module_object_, name, ms::Own(PyCFunction_New(&made->method, capsule.get())).get());
    return *this;
  }
  const char *&doc() { return text_; }

 private:
  static void Note(Function *made, const arg &named) { made->args.push_back(named); }
  static void Note(Function *made, const char *text) { made->text = text; }
  template <typename R, typename... A>
  static void Bind(Function *made, R (*function)(A...)) {
    Keep<R, A...>(made, function);
  }
  template <typename F, typename R, typename C, typename... A>
  static void Bind(Function *made, F function, R (C::*)(A...) const) {
    Keep<R, A...>(made, std::move(function));
  }
  template <typename R, typename... A, typename F>
  static void Keep(Function *made, F function) {
    made->count = sizeof...(A);
    made->call = [function, made](const std::vector<PyObject *> &inputs) {
      return Apply<R, A...>(function, made->name, inputs, std::index_sequence_for<A...>{});
    };
  }

  PyObject *module_object_;
  const char *text_ = nullptr;
};
using module = module_;
}  // namespace pybind11

namespace py = pybind11;

namespace ms {
template <typename T>
py::object ToObject(const T &value) {
  py::object made(py::Convert<T>::To(value));
  return PyList_Check(made.get()) ? py::object(PyList_AsTuple(made.get())) : made;
}
}  // namespace ms

#define MS_EXTENSION_JOINED_(a, b) a##b
#define MS_EXTENSION_JOINED(a, b) MS_EXTENSION_JOINED_(a, b)
#define MS_EXTENSION_TEXT_(x) #x
#define MS_EXTENSION_TEXT(x) MS_EXTENSION_TEXT_(x)
#define PYBIND11_MODULE(name, variable)                                                                          \
  static void MS_EXTENSION_JOINED(ms_extension_fill_, name)(pybind11::module_ &);                                \
  extern "C" __attribute__((visibility("default"))) PyObject *MS_EXTENSION_JOINED(PyInit_, name)() {             \
    static PyModuleDef definition = {PyModuleDef_HEAD_INIT, MS_EXTENSION_TEXT(name), nullptr, -1, nullptr};      \
    PyObject *made = PyModule_Create(&definition);                                                               \
    if (made == nullptr) return nullptr;                                                                         \
    pybind11::module_ variable(made);                                                                            \
    try {                                                                                                        \
      MS_EXTENSION_JOINED(ms_extension_fill_, name)(variable);                                                   \
    } catch (const std::exception &error) {                                                                      \
      PyErr_SetString(PyExc_ImportError, error.what());                                                          \
      return nullptr;                                                                                            \
    }                                                                                                            \
    return made;                                                                                                 \
  }                                                                                                              \
  static void MS_EXTENSION_JOINED(ms_extension_fill_, name)(pybind11::module_ & variable)
