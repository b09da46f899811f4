// The module of Python.
#define MYCELIUM_IMPORTS_NUMPY
#include "program.h"

namespace {

PyModuleDef definition = {PyModuleDef_HEAD_INIT, "_native_programs", "Programs of the host, run by one call.", -1, nullptr};

bool add(PyObject* module, const char* name, PyTypeObject* type) {
  return PyType_Ready(type) == 0 && PyModule_AddObjectRef(module, name, reinterpret_cast<PyObject*>(type)) == 0;
}

}  // namespace

PyMODINIT_FUNC PyInit__native_programs() {
  import_array();
  import_umath();
  PyObject* module = PyModule_Create(&definition);
  if (module != nullptr && !add(module, "Program", &mycelium::ProgramType)) Py_CLEAR(module);
  return module;
}
