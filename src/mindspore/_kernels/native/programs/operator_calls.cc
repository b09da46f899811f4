// Calls of one operator: the kernel that earlier calls with such arguments chose.
#include <cstring>

#include "calls.h"
#include "kernel_calls.h"

namespace mycelium {
namespace {

// OperatorCall(kinds): chooses the kernel by the arguments that are no operands. Kinds, a letter for each argument: a Tensor (a), a
// Tensor or a number (o), a Tensor or None (t), a tuple or list of Tensors (l), any other (x).
struct Chosen {
  PyObject* form;  // of the arguments: what is no operand, `...` for a Tensor, the length for a list of them
  PyObject* kernel;
};

struct OperatorCall {
  PyObject_HEAD
  vectorcallfunc call;
  char kinds[kMaxOperands + 1];
  Py_ssize_t most;  // arguments
  std::vector<Chosen>* chosen;
};

bool is_number(PyObject* value) {
  PyTypeObject* type = Py_TYPE(value);
  return type == &PyFloat_Type || type == &PyLong_Type || type == &PyBool_Type || type == &PyComplex_Type;
}

// Whether a value never changes, and equality with the type says that it is the same.
bool is_constant(PyObject* value) {
  PyTypeObject* type = Py_TYPE(value);
  if (type == &PyTuple_Type) {
    for (Py_ssize_t i = 0; i < PyTuple_GET_SIZE(value); ++i)
      if (!is_constant(PyTuple_GET_ITEM(value, i))) return false;
    return true;
  }
  return value == Py_None || type == &PyFloat_Type || type == &PyLong_Type || type == &PyBool_Type || type == &PyUnicode_Type ||
         type == known.dtype_class;
}

bool is_same(PyObject* a, PyObject* b) {
  if (a == b) return true;
  PyTypeObject* type = Py_TYPE(a);
  if (type != Py_TYPE(b) || type == known.dtype_class) return false;
  if (type == &PyTuple_Type) {
    if (PyTuple_GET_SIZE(a) != PyTuple_GET_SIZE(b)) return false;
    for (Py_ssize_t i = 0; i < PyTuple_GET_SIZE(a); ++i)
      if (!is_same(PyTuple_GET_ITEM(a, i), PyTuple_GET_ITEM(b, i))) return false;
    return true;
  }
  if (type == &PyFloat_Type) {  // 0.0 and -0.0 are different arguments
    const double x = PyFloat_AS_DOUBLE(a), y = PyFloat_AS_DOUBLE(b);
    return std::memcmp(&x, &y, sizeof x) == 0;
  }
  const int same = PyObject_RichCompareBool(a, b, Py_EQ);
  if (same < 0) PyErr_Clear();
  return same == 1;
}

// Arguments as operands and what else there is; false if Python has to look at them.
struct Arguments {
  PyObject* operands[kMaxOperands];
  size_t count = 0;
  PyObject* rest[kMaxOperands];  // borrowed; nullptr for operands
  Py_ssize_t lengths[kMaxOperands];

  bool take(const OperatorCall* self, PyObject* args) {
    const Py_ssize_t given = PyTuple_GET_SIZE(args);
    if (given > self->most) return false;
    for (Py_ssize_t i = 0; i < given; ++i) {
      PyObject* value = PyTuple_GET_ITEM(args, i);
      const char kind = self->kinds[i];
      rest[i] = nullptr, lengths[i] = -1;
      if (kind != 'x' && kind != 'l' && (is_tensor(value) || (kind == 'o' && is_number(value)))) {
        if (count == kMaxOperands) return false;
        operands[count++] = value;
      } else if (kind == 'l') {
        if (!PyTuple_CheckExact(value) && !PyList_CheckExact(value)) return false;
        lengths[i] = PySequence_Fast_GET_SIZE(value);
        for (Py_ssize_t k = 0; k < lengths[i]; ++k) {
          PyObject* one = PySequence_Fast_GET_ITEM(value, k);
          if (count == kMaxOperands || !is_tensor(one)) return false;
          operands[count++] = one;
        }
      } else if (kind == 'x' || (kind == 't' && value == Py_None)) {
        rest[i] = value;
      } else {
        return false;
      }
    }
    return true;
  }
  bool fits(PyObject* form, Py_ssize_t given) const {
    if (PyTuple_GET_SIZE(form) != given) return false;
    for (Py_ssize_t i = 0; i < given; ++i) {
      PyObject* wanted = PyTuple_GET_ITEM(form, i);
      if (lengths[i] >= 0) {
        if (PyLong_AsSsize_t(wanted) != lengths[i]) return false;
      } else if (rest[i] == nullptr ? wanted != Py_Ellipsis : !is_same(wanted, rest[i])) {
        return false;
      }
    }
    return true;
  }
};

const Chosen* find_kernel(const OperatorCall* self, const Arguments& arguments, Py_ssize_t given) {
  for (const Chosen& one : *self->chosen)
    if (arguments.fits(one.form, given)) return &one;
  return nullptr;
}

// call(args): the results, or None.
PyObject* operator_call(PyObject* me, PyObject* const* given, size_t given_count, PyObject*) {
  auto* self = reinterpret_cast<OperatorCall*>(me);
  if (PyVectorcall_NARGS(given_count) != 1 || !PyTuple_Check(given[0])) return PyErr_Format(PyExc_TypeError, "arguments are one tuple");
  CallContext now;
  if (known.device_array == nullptr) return fall_back();
  Arguments arguments;
  if (!arguments.take(self, given[0])) return fall_back();
  const Chosen* chosen = find_kernel(self, arguments, PyTuple_GET_SIZE(given[0]));
  if (chosen == nullptr) return fall_back();
  Ref kernel(Py_NewRef(chosen->kernel));
  if (!is_plain(&now)) return fall_back();
  Ref calls(PyObject_GetAttr(kernel.get(), known.calls));
  if (!calls || Py_TYPE(calls.get()) != &KernelCallsType) return fall_back();
  return run(reinterpret_cast<KernelCalls*>(calls.get()), &now, arguments.operands, arguments.count);
}

// call.knows(args): whether there is nothing to remember, since the kernel is known or depends on more than can be compared.
PyObject* knows(PyObject* me, PyObject* args) {
  auto* self = reinterpret_cast<OperatorCall*>(me);
  Arguments arguments;
  if (!PyTuple_Check(args) || !arguments.take(self, args)) Py_RETURN_TRUE;
  for (Py_ssize_t i = 0; i < PyTuple_GET_SIZE(args); ++i)
    if (arguments.rest[i] != nullptr && !is_constant(arguments.rest[i])) Py_RETURN_TRUE;
  if (find_kernel(self, arguments, PyTuple_GET_SIZE(args)) != nullptr) Py_RETURN_TRUE;
  Py_RETURN_FALSE;
}

// call.remember(args, kernel), of arguments that are not known.
PyObject* remember(PyObject* me, PyObject* given) {
  auto* self = reinterpret_cast<OperatorCall*>(me);
  PyObject *args, *kernel;
  Arguments arguments;
  if (!PyArg_ParseTuple(given, "O!O", &PyTuple_Type, &args, &kernel)) return nullptr;
  if (!arguments.take(self, args)) return PyErr_Format(PyExc_TypeError, "arguments of another kind");
  Ref form(PyTuple_New(PyTuple_GET_SIZE(args)));
  for (Py_ssize_t i = 0; form && i < PyTuple_GET_SIZE(args); ++i) {
    PyObject* one = arguments.lengths[i] >= 0 ? PyLong_FromSsize_t(arguments.lengths[i])
                                              : Py_NewRef(arguments.rest[i] == nullptr ? Py_Ellipsis : arguments.rest[i]);
    PyTuple_SET_ITEM(form.get(), i, one);
  }
  if (!form || PyErr_Occurred()) return nullptr;
  if (self->chosen->size() >= kMaxRemembered) {
    Py_DECREF(self->chosen->front().form);
    Py_DECREF(self->chosen->front().kernel);
    self->chosen->erase(self->chosen->begin());
  }
  self->chosen->push_back({form.release(), Py_NewRef(kernel)});
  Py_RETURN_NONE;
}

PyObject* make_operator(PyTypeObject* type, PyObject* args, PyObject*) {
  const char* kinds;
  Py_ssize_t count;
  if (!PyArg_ParseTuple(args, "s#", &kinds, &count)) return nullptr;
  auto* made = reinterpret_cast<OperatorCall*>(type->tp_alloc(type, 0));
  if (made == nullptr) return nullptr;
  made->most = count > kMaxOperands ? kMaxOperands : count;
  std::memcpy(made->kinds, kinds, made->most);
  made->chosen = new std::vector<Chosen>();
  made->call = operator_call;
  return reinterpret_cast<PyObject*>(made);
}

void destroy_operator(PyObject* self) {
  auto* chosen = reinterpret_cast<OperatorCall*>(self)->chosen;
  for (const Chosen& one : *chosen) {
    Py_DECREF(one.form);
    Py_DECREF(one.kernel);
  }
  delete chosen;
  Py_TYPE(self)->tp_free(self);
}

PyMethodDef operator_methods[] = {{"remember", remember, METH_VARARGS, "Keep the kernel of these arguments."},
                                  {"knows", knows, METH_O, "Whether the kernel of these arguments is kept, or cannot be."},
                                  {}};

}  // namespace

PyTypeObject OperatorCallType = [] {
  PyTypeObject type = {PyVarObject_HEAD_INIT(nullptr, 0)};
  type.tp_name = "mindspore._kernels._native_programs.OperatorCall";
  type.tp_basicsize = sizeof(OperatorCall);
  type.tp_vectorcall_offset = offsetof(OperatorCall, call);
  type.tp_call = PyVectorcall_Call;
  type.tp_methods = operator_methods;
  type.tp_flags = Py_TPFLAGS_DEFAULT | Py_TPFLAGS_HAVE_VECTORCALL;
  type.tp_doc = "Calls of one operator, by its arguments that are no operands.";
  type.tp_new = make_operator;
  type.tp_dealloc = destroy_operator;
  return type;
}();

}  // namespace mycelium
