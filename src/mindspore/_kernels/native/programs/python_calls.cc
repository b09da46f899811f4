// Calls of Python, for what has no loop of its own.
#include "instructions.h"

namespace mycelium {
namespace {

// An array of the program, as the called function sees it.
struct Described {
  int type;
  Sizes shape;
  StridedView view;

  bool read(PyObject* from) {
    PyObject *sizes, *where;
    return PyArg_ParseTuple(from, "iOO", &type, &sizes, &where) && read_sizes(sizes, &shape) && read_view(where, &view);
  }
  PyObject* array(char* const* memory, bool writable) const {
    return PyArray_New(&PyArray_Type, static_cast<int>(shape.size()), const_cast<npy_intp*>(shape.data()), type,
                       const_cast<npy_intp*>(view.strides.data()), view.in(memory), 0,
                       NPY_ARRAY_ALIGNED | (writable ? NPY_ARRAY_WRITEABLE : 0), nullptr);
  }
};

// Calls a Python function with arrays that are valid while it runs.
class Call : public Instruction {
 public:
  Call(PyObject* function, std::vector<Described> from, std::vector<Described> to)
      : function_(function), from_(std::move(from)), to_(std::move(to)) {
    Py_INCREF(function_);
  }
  ~Call() override { Py_DECREF(function_); }
  bool run(char* const* memory, npy_intp) const override {
    PyObject* given = PyTuple_New(from_.size());
    for (size_t i = 0; given != nullptr && i < from_.size(); ++i) {
      PyObject* array = from_[i].array(memory, false);
      if (array == nullptr) Py_CLEAR(given);
      else PyTuple_SET_ITEM(given, i, array);
    }
    PyObject* found = given == nullptr ? nullptr : PyObject_CallObject(function_, given);
    const bool done = found != nullptr && store(found, memory);
    Py_XDECREF(found);
    Py_XDECREF(given);
    return done;
  }

 private:
  bool store(PyObject* found, char* const* memory) const {
    const bool several = PyTuple_Check(found) || PyList_Check(found);
    if (several && PySequence_Size(found) != static_cast<Py_ssize_t>(to_.size())) {
      PyErr_SetString(PyExc_ValueError, "another number of results");
      return false;
    }
    for (size_t i = 0; i < to_.size(); ++i) {
      PyObject* one = several ? PySequence_GetItem(found, i) : Py_NewRef(found);
      PyObject* into = to_[i].array(memory, true);
      const bool copied = one != nullptr && into != nullptr && PyArray_CopyObject(reinterpret_cast<PyArrayObject*>(into), one) == 0;
      Py_XDECREF(one);
      Py_XDECREF(into);
      if (!copied) return false;
    }
    return true;
  }
  PyObject* function_;
  std::vector<Described> from_, to_;
};

bool read_described(PyObject* from, Described* into) { return into->read(from); }

}  // namespace

InstructionPtr read_call(PyObject* from) {
  PyObject *function, *given, *made;
  std::vector<Described> inputs, outputs;
  if (!PyArg_ParseTuple(from, "OOO", &function, &given, &made) || !read_all(given, &inputs, read_described) ||
      !read_all(made, &outputs, read_described))
    return nullptr;
  return std::make_unique<Call>(function, std::move(inputs), std::move(outputs));
}

}  // namespace mycelium
