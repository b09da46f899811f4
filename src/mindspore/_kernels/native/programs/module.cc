// The module of Python.
#define MYCELIUM_IMPORTS_NUMPY
#include "calls.h"

namespace {

constexpr long kVersion = 2;  // of what Python and this part say to each other (host_programs.py)

PyCFunction fast(PyObject* (*function)(PyObject*, PyObject* const*, Py_ssize_t)) {
  return reinterpret_cast<PyCFunction>(reinterpret_cast<void*>(function));
}

PyMethodDef functions[] = {{"configure", mycelium::configure, METH_VARARGS, "Say what calls of operators have to know."},
                           {"enable", mycelium::enable, METH_O, "Say what arrays on the device are; None: Python makes all calls."},
                           {"note", fast(mycelium::note), METH_FASTCALL, "Remember that a Tensor shows elements of another one."},
                           {"part", fast(mycelium::part), METH_FASTCALL, "A part of a Tensor by ints and slices, or None."},
                           {"copy_for_sharing", mycelium::copy_for_sharing, METH_O, "A copy that XLA copies once more."},
                           {}};
PyModuleDef definition = {PyModuleDef_HEAD_INIT, "_native_programs", "Programs of the host, run by one call.", -1, functions};

bool add(PyObject* module, const char* name, PyTypeObject* type) {
  return PyType_Ready(type) == 0 && PyModule_AddObjectRef(module, name, reinterpret_cast<PyObject*>(type)) == 0;
}

}  // namespace

PyMODINIT_FUNC PyInit__native_programs() {
  import_array();
  import_umath();
  PyObject* module = PyModule_Create(&definition);
  if (module != nullptr && PyModule_AddIntConstant(module, "VERSION", kVersion) != 0) Py_CLEAR(module);
  if (module != nullptr && !(add(module, "Program", &mycelium::ProgramType) && add(module, "KernelCalls", &mycelium::KernelCallsType) &&
                             add(module, "OperatorCall", &mycelium::OperatorCallType)))
    Py_CLEAR(module);
  return module;
}
