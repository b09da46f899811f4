// What dispatch.py configured (configure, enable), and whether a call is one that C++ may make.
#include "call_state.h"

#include "calls.h"

namespace mycelium {

Known known;

namespace {

bool is_unset(PyObject* values, PyObject* name) {
  PyObject* found = PyDict_GetItemWithError(values, name);
  return found == nullptr || found == Py_None;
}

}  // namespace

bool is_plain(CallContext* now) {
  if (known.device_array == nullptr) return false;
  static PyObject* const dict_name = PyUnicode_InternFromString("__dict__");
  now->values.reset(PyObject_GetAttr(known.state, dict_name));
  PyObject* values = now->values.get();
  if (values == nullptr || !PyDict_Check(values) || !is_unset(values, known.scope) || !is_unset(values, known.precision)) return false;
  PyObject* modes = PyDict_GetItemWithError(values, known.modes);
  Ref of_all(modes == nullptr ? PyObject_GetAttr(known.state_type, known.modes) : Py_NewRef(modes));
  if (!of_all || !PyTuple_Check(of_all.get()) || PyTuple_GET_SIZE(of_all.get()) != 0) return false;
  Ref settled(PyObject_GetAttr(known.tier, known.settled)), waits(PyObject_GetAttr(known.context, known.synchronize));
  if (!settled || !waits || PyObject_IsTrue(settled.get()) != 0 || PyObject_IsTrue(waits.get()) != 0) return false;
  if (PyObject_Size(known.sources) != 0) return false;
  now->tape = PyDict_GetItemWithError(values, known.tape);
  if (now->tape == Py_None) now->tape = nullptr;
  if (now->tape != nullptr) {
    Ref free(PyObject_GetAttr(now->tape, known.free));
    if (free.get() != Py_False || !is_unset(values, known.saving)) return false;
  }
  return true;
}

// configure(Tensor, Parameter, KernelNode, DType, state, context, tier, shards)
PyObject* configure(PyObject*, PyObject* args) {
  PyObject *tensor, *parameter, *node, *dtype_class, *state, *context, *tier, *sources;
  if (!PyArg_ParseTuple(args, "O!O!O!O!OOOO", &PyType_Type, &tensor, &PyType_Type, &parameter, &PyType_Type, &node, &PyType_Type,
                        &dtype_class, &state, &context, &tier, &sources))
    return nullptr;
  for (PyObject* one : {tensor, parameter, node, dtype_class, state, context, tier, sources}) Py_INCREF(one);  // for good
  known.tensor = reinterpret_cast<PyTypeObject*>(tensor), known.parameter = reinterpret_cast<PyTypeObject*>(parameter);
  known.node = reinterpret_cast<PyTypeObject*>(node), known.dtype_class = reinterpret_cast<PyTypeObject*>(dtype_class);
  known.state = state, known.context = context, known.tier = tier, known.sources = sources;
  known.state_type = Py_NewRef(reinterpret_cast<PyObject*>(Py_TYPE(state)));
  const struct {
    PyObject** into;
    const char* name;
  } names[] = {{&known.scope, "scope"}, {&known.tape, "tape"}, {&known.precision, "precision"}, {&known.modes, "modes"},
               {&known.saving, "saving"}, {&known.settled, "settled"}, {&known.synchronize, "pynative_synchronize"},
               {&known.value, "_value"}, {&known.link, "_link"}, {&known.free, "free"}, {&known.nodes, "nodes"},
               {&known.parents, "parents"}, {&known.outputs, "outputs"}, {&known.kernel, "kernel"}, {&known.inputs, "inputs"},
               {&known.calls, "calls"}, {&known.forms, "forms"}, {&known.jitted, "jitted"}, {&known.call, "call"},
               {&known.cheap, "cheap"}, {&known.compiled, "compiled"}, {&known.quiet, "quiet"}, {&known.left, "left"}, {&known.shape, "shape"},
               {&known.dtype, "dtype"}, {&known.weak_type, "weak_type"}, {&known.aval, "aval"}, {&known.base, "_base"}, {&known.views, "_views"}};
  for (const auto& one : names)
    if ((*one.into = PyUnicode_InternFromString(one.name)) == nullptr) return nullptr;
  Py_RETURN_NONE;
}

// enable(class of arrays on the device, or None): NumPy is a tier from now on, or is none.
PyObject* enable(PyObject*, PyObject* device_array) {
  Py_XDECREF(known.device_array);
  known.device_array = device_array == Py_None ? nullptr : Py_NewRef(device_array);
  Py_RETURN_NONE;
}

}  // namespace mycelium
