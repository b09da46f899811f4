// Whatever is not the common case, an error among it, is left to Python: None is returned, nothing has happened then.
#include "calls.h"

#include <cstring>
#include <utility>

namespace mycelium {
namespace {

constexpr int kMost = 32;          // operands
constexpr size_t kRemembered = 64; // forms of a kernel, and kernels of an operator, that are looked through

// An owned reference.
class Held {
 public:
  explicit Held(PyObject* object = nullptr) : object_(object) {}
  Held(const Held&) = delete;
  Held& operator=(const Held&) = delete;
  ~Held() { Py_XDECREF(object_); }
  PyObject* get() const { return object_; }
  void reset(PyObject* object) {
    Py_XDECREF(object_);
    object_ = object;
  }
  PyObject* release() { return std::exchange(object_, nullptr); }
  explicit operator bool() const { return object_ != nullptr; }

 private:
  PyObject* object_;
};

// What dispatch.py knows; set once.
struct Known {
  PyTypeObject *tensor, *parameter, *node, *dtype_class;
  PyObject *state, *state_type, *context, *tier, *sources;
  PyObject* device_array = nullptr;  // the class of arrays on the device, once NumPy is a tier
  PyObject *scope, *tape, *precision, *modes, *saving, *settled, *synchronize, *value, *link, *free, *nodes, *parents, *outputs, *kernel,
      *inputs, *calls, *forms, *jitted, *call, *cheap, *compiled, *quiet, *left, *shape, *dtype, *weak_type, *aval, *base, *views;
} known;

// Forgets an error that Python will meet again; false for one that has to be raised now, such as an interrupt.
bool forget() {
  if (!PyErr_ExceptionMatches(PyExc_Exception)) return false;
  PyErr_Clear();
  return true;
}

PyObject* leave() { return PyErr_Occurred() && !forget() ? nullptr : Py_NewRef(Py_None); }

PyObject* attribute(PyObject* of, PyObject* name) { return PyObject_GenericGetAttr(of, name); }

// -- whether this is the common case ---------------------------------------------------------------------------------------
bool is_unset(PyObject* values, PyObject* name) {
  PyObject* found = PyDict_GetItemWithError(values, name);
  return found == nullptr || found == Py_None;
}

struct Now {
  Held values;      // of the thread
  PyObject* tape;   // borrowed; nullptr without
};

bool is_common(Now* now) {
  if (known.device_array == nullptr) return false;
  static PyObject* const dict_name = PyUnicode_InternFromString("__dict__");
  now->values.reset(PyObject_GetAttr(known.state, dict_name));
  PyObject* values = now->values.get();
  if (values == nullptr || !PyDict_Check(values) || !is_unset(values, known.scope) || !is_unset(values, known.precision)) return false;
  PyObject* modes = PyDict_GetItemWithError(values, known.modes);
  Held of_all(modes == nullptr ? PyObject_GetAttr(known.state_type, known.modes) : Py_NewRef(modes));
  if (!of_all || !PyTuple_Check(of_all.get()) || PyTuple_GET_SIZE(of_all.get()) != 0) return false;
  Held settled(PyObject_GetAttr(known.tier, known.settled)), waits(PyObject_GetAttr(known.context, known.synchronize));
  if (!settled || !waits || PyObject_IsTrue(settled.get()) != 0 || PyObject_IsTrue(waits.get()) != 0) return false;
  if (PyObject_Size(known.sources) != 0) return false;
  now->tape = PyDict_GetItemWithError(values, known.tape);
  if (now->tape == Py_None) now->tape = nullptr;
  if (now->tape != nullptr) {
    Held free(PyObject_GetAttr(now->tape, known.free));
    if (free.get() != Py_False || !is_unset(values, known.saving)) return false;
  }
  return true;
}

// -- forms of a kernel -------------------------------------------------------------------------------------------------------
struct Operand {
  enum Kind { kArray, kDevice, kNumber } kind = kArray;
  PyTypeObject* number = nullptr;
  int type = 0, axes = 0;
  npy_intp shape[8];
  PyObject* aval = nullptr;  // of an array on the device: the description that was seen last
};

bool describe(PyObject* value, Operand* into) {
  if (PyArray_CheckExact(value)) {
    auto* array = reinterpret_cast<PyArrayObject*>(value);
    into->kind = Operand::kArray, into->type = PyArray_TYPE(array), into->axes = PyArray_NDIM(array);
    if (into->axes > 8) return false;
    std::memcpy(into->shape, PyArray_DIMS(array), into->axes * sizeof(npy_intp));
    return true;
  }
  PyTypeObject* type = Py_TYPE(value);
  if (type == &PyBool_Type || type == &PyLong_Type || type == &PyFloat_Type || type == &PyComplex_Type) {
    into->kind = Operand::kNumber, into->number = type;
    return true;
  }
  if (reinterpret_cast<PyObject*>(type) != known.device_array) return false;
  Held weak(PyObject_GetAttr(value, known.weak_type)), shape(PyObject_GetAttr(value, known.shape)),
      dtype(PyObject_GetAttr(value, known.dtype));
  if (weak.get() != Py_False || !shape || !dtype || !PyTuple_Check(shape.get()) || PyTuple_GET_SIZE(shape.get()) > 8) return false;
  into->kind = Operand::kDevice, into->axes = static_cast<int>(PyTuple_GET_SIZE(shape.get()));
  for (int i = 0; i < into->axes; ++i) into->shape[i] = PyLong_AsSsize_t(PyTuple_GET_ITEM(shape.get(), i));
  if (!PyArray_DescrCheck(dtype.get())) return false;
  into->type = reinterpret_cast<PyArray_Descr*>(dtype.get())->type_num;
  return !PyErr_Occurred();
}

struct Form {
  std::vector<Operand> operands;
  PyObject* counted;  // the KernelForm
  bool on_host;

  void clear() {
    Py_CLEAR(counted);
    for (Operand& operand : operands) Py_CLEAR(operand.aval);
  }
  bool fits(PyObject* const* values, size_t count) {
    if (operands.size() != count) return false;
    for (size_t i = 0; i < count; ++i)
      if (!fits(values[i], &operands[i])) return false;
    return true;
  }

 private:
  static bool fits(PyObject* value, Operand* operand) {
    if (operand->kind == Operand::kNumber) return Py_TYPE(value) == operand->number;
    if (operand->kind == Operand::kArray) {
      if (!PyArray_CheckExact(value)) return false;
      auto* array = reinterpret_cast<PyArrayObject*>(value);
      return PyArray_TYPE(array) == operand->type && PyArray_NDIM(array) == operand->axes &&
             std::memcmp(PyArray_DIMS(array), operand->shape, operand->axes * sizeof(npy_intp)) == 0;
    }
    if (reinterpret_cast<PyObject*>(Py_TYPE(value)) != known.device_array) return false;
    Held aval(PyObject_GetAttr(value, known.aval));
    if (aval && aval.get() == operand->aval) return true;
    Operand found;
    if (!describe(value, &found)) {
      PyErr_Clear();
      return false;
    }
    if (found.type != operand->type || found.axes != operand->axes ||
        std::memcmp(found.shape, operand->shape, found.axes * sizeof(npy_intp)) != 0)
      return false;
    Py_XSETREF(operand->aval, aval.release());
    return true;
  }
};

// The key under which Python keeps a form (dispatch.py, call); nullptr with or without an error.
PyObject* key_of(const std::vector<Operand>& operands) {
  Held key(PyList_New(0));
  for (const Operand& operand : operands) {
    if (!key) return nullptr;
    if (operand.kind == Operand::kNumber) {
      if (PyList_Append(key.get(), reinterpret_cast<PyObject*>(operand.number)) != 0) return nullptr;
      continue;
    }
    Held shape(PyTuple_New(operand.axes)), type(PyLong_FromLong(operand.type));
    for (int i = 0; shape && i < operand.axes; ++i) PyTuple_SET_ITEM(shape.get(), i, PyLong_FromSsize_t(operand.shape[i]));
    if (!shape || !type || PyList_Append(key.get(), shape.get()) != 0 || PyList_Append(key.get(), type.get()) != 0) return nullptr;
  }
  return PyList_AsTuple(key.get());
}

// KernelCalls(kernel): the forms of one kernel that were met.
struct KernelCalls {
  PyObject_HEAD
  PyObject* kernel;  // borrowed: the kernel owns this
  std::vector<Form>* met;
  size_t next;  // the one to be replaced
};

Form* find_form(KernelCalls* self, PyObject* const* values, size_t count) {
  for (size_t i = 0; i < self->met->size(); ++i) {
    Form& form = (*self->met)[i];
    if (!form.fits(values, count)) continue;
    if (i > 0) {  // what is called often stands in front
      std::swap((*self->met)[i], (*self->met)[i / 2]);
      return &(*self->met)[i / 2];
    }
    return &form;
  }
  Form made;
  made.on_host = true;
  for (size_t i = 0; i < count; ++i) {
    Operand operand;
    if (!describe(values[i], &operand)) return nullptr;
    made.on_host = made.on_host && operand.kind != Operand::kDevice;
    made.operands.push_back(operand);
  }
  Held key(key_of(made.operands)), forms(PyObject_GetAttr(self->kernel, known.forms));
  if (!key || !forms || !PyDict_Check(forms.get())) return nullptr;
  PyObject* counted = PyDict_GetItemWithError(forms.get(), key.get());
  if (counted == nullptr) return nullptr;
  made.counted = Py_NewRef(counted);
  if (self->met->size() < kRemembered) {
    self->met->push_back(std::move(made));
    return &self->met->back();
  }
  Form& place = (*self->met)[self->next++ % kRemembered];
  place.clear();
  place = std::move(made);
  return &place;
}

bool is_true(PyObject* of, PyObject* name) {
  Held found(PyObject_GetAttr(of, name));
  return found.get() == Py_True;
}

// Whether a form is still computed by NumPy where operands are on the device.
bool has_calls_left(PyObject* counted) {
  Held left(PyObject_GetAttr(counted, known.left));
  return left && PyLong_Check(left.get()) && PyLong_AsLong(left.get()) > 0;
}

// Operands of which some were on the device, as arrays of the host.
class Fetched {
 public:
  ~Fetched() {
    for (size_t i = 0; i < count_; ++i) Py_DECREF(values_[i]);
  }
  PyObject* const* take(PyObject* const* values, size_t count) {
    for (; count_ < count; ++count_) {
      PyObject* value = values[count_];
      const bool there = reinterpret_cast<PyObject*>(Py_TYPE(value)) == known.device_array;
      values_[count_] = there ? PyArray_FROM_O(value) : Py_NewRef(value);
      if (values_[count_] == nullptr) return nullptr;
    }
    return values_;
  }

 private:
  PyObject* values_[kMost];
  size_t count_ = 0;
};

// The result of a kernel, as NumPy's or XLA's array or a tuple of them; nullptr if Python has to call it.
PyObject* compute(KernelCalls* self, PyObject* const* values, size_t count) {
  if (count > kMost) return nullptr;
  Form* form = find_form(self, values, count);
  if (form == nullptr) return nullptr;
  Held counted(Py_NewRef(form->counted));  // the call may replace the form
  const bool cheap = is_true(counted.get(), known.cheap);
  if (cheap && (form->on_host || has_calls_left(counted.get()))) {
    Held call(PyObject_GetAttr(counted.get(), known.call));
    if (!call || call.get() == Py_None || !is_true(counted.get(), known.quiet)) return nullptr;
    Fetched fetched;
    if (!form->on_host && !(values = fetched.take(values, count))) return nullptr;
    if (Py_TYPE(call.get()) == &ProgramType) return run_program(call.get(), values, count);
    return PyObject_Vectorcall(call.get(), values, count, nullptr);
  }
  for (const Operand& operand : form->operands)
    if (operand.kind == Operand::kArray) return nullptr;  // goes to the device
  if (has_calls_left(counted.get()) || PyErr_Occurred()) return nullptr;
  Held own(PyObject_GetAttr(counted.get(), known.compiled));
  if (!own || own.get() != Py_None) return nullptr;
  Held jitted(PyObject_GetAttr(self->kernel, known.jitted));
  return jitted ? PyObject_Vectorcall(jitted.get(), values, count, nullptr) : nullptr;
}

// -- results ---------------------------------------------------------------------------------------------------------------------
PyObject* wrapped(PyObject* value) {
  PyObject* tensor = known.tensor->tp_alloc(known.tensor, 0);
  if (tensor != nullptr && PyObject_GenericSetAttr(tensor, known.value, value) != 0) Py_CLEAR(tensor);
  return tensor;
}

PyObject* wrapped_all(PyObject* values) {
  if (!PyTuple_Check(values)) return wrapped(values);
  PyObject* all = PyTuple_New(PyTuple_GET_SIZE(values));
  for (Py_ssize_t i = 0; all != nullptr && i < PyTuple_GET_SIZE(values); ++i) {
    PyObject* one = wrapped(PyTuple_GET_ITEM(values, i));
    if (one == nullptr) Py_CLEAR(all);
    else PyTuple_SET_ITEM(all, i, one);
  }
  return all;
}

// 1 if the dtype of a value has gradients, 0 if not, -1 if Python has to say so.
int is_inexact(PyObject* value) {
  if (PyArray_CheckExact(value)) {
    const int type = PyArray_TYPE(reinterpret_cast<PyArrayObject*>(value));
    return PyTypeNum_ISUSERDEF(type) ? -1 : (PyTypeNum_ISFLOAT(type) || PyTypeNum_ISCOMPLEX(type));
  }
  if (PyFloat_Check(value) || PyLong_Check(value) || PyComplex_Check(value)) return -1;
  Held dtype(PyObject_GetAttr(value, known.dtype));
  if (!dtype || !PyArray_DescrCheck(dtype.get())) return -1;
  const int type = reinterpret_cast<PyArray_Descr*>(dtype.get())->type_num;
  return PyTypeNum_ISUSERDEF(type) ? -1 : (PyTypeNum_ISFLOAT(type) || PyTypeNum_ISCOMPLEX(type));
}

bool set(PyObject* of, PyObject* name, PyObject* to) { return PyObject_GenericSetAttr(of, name, to) == 0; }

// The links of the inputs on a tape, as a list; *recorded says whether there are any. False: Python has to do it.
bool links_of(PyObject* tape, PyObject* const* inputs, PyObject* const* values, size_t count, Held* parents, bool* recorded) {
  parents->reset(PyList_New(static_cast<Py_ssize_t>(count)));
  if (!*parents) return false;
  for (size_t i = 0; i < count; ++i) {
    PyTypeObject* type = Py_TYPE(inputs[i]);
    PyObject* link = Py_NewRef(Py_None);
    if (type == known.tensor || type == known.parameter) {
      Py_SETREF(link, attribute(inputs[i], known.link));
      if (link == nullptr) return false;
      if (link != Py_None) {
        Held of(PyTuple_Check(link) ? PyObject_GetAttr(PyTuple_GET_ITEM(link, 0), known.tape) : nullptr);
        if (!of) {
          Py_DECREF(link);
          return false;
        }
        if (of.get() != tape) {
          Py_SETREF(link, Py_NewRef(Py_None));
        } else {
          *recorded = true;
          if (is_inexact(values[i]) != 1) {  // gradients of integers
            Py_DECREF(link);
            return false;
          }
        }
      }
    }
    PyList_SET_ITEM(parents->get(), static_cast<Py_ssize_t>(i), link);
  }
  return true;
}

PyObject* node_of(PyObject* tape, PyObject* kernel, PyObject* const* values, size_t count, PyObject* parents, Py_ssize_t outputs) {
  Held node(known.node->tp_alloc(known.node, 0)), saved(PyList_New(static_cast<Py_ssize_t>(count))),
      number(PyLong_FromSsize_t(outputs)), nodes(PyObject_GetAttr(tape, known.nodes));
  if (!node || !saved || !number || !nodes) return nullptr;
  for (size_t i = 0; i < count; ++i) PyList_SET_ITEM(saved.get(), static_cast<Py_ssize_t>(i), Py_NewRef(values[i]));
  const bool done = set(node.get(), known.tape, tape) && set(node.get(), known.parents, parents) &&
                    set(node.get(), known.outputs, number.get()) && set(node.get(), known.kernel, kernel) &&
                    set(node.get(), known.inputs, saved.get()) && PyList_Append(nodes.get(), node.get()) == 0;
  return done ? node.release() : nullptr;
}

bool link(PyObject* tensor, PyObject* node, Py_ssize_t output) {
  Held number(PyLong_FromSsize_t(output));
  Held made(number ? PyTuple_Pack(2, node, number.get()) : nullptr);
  return made && set(tensor, known.link, made.get());
}

// Record a call on a tape (tape.py, record).
bool record(PyObject* tape, PyObject* kernel, PyObject* const* values, size_t count, PyObject* parents, PyObject* results,
            const std::vector<int>& tracked) {
  const bool single = !PyTuple_Check(results);
  bool any = false;
  for (int one : tracked) any = any || one;
  if (!any) return true;
  Held node(node_of(tape, kernel, values, count, parents, static_cast<Py_ssize_t>(tracked.size())));
  if (!node) return false;
  for (size_t i = 0; i < tracked.size(); ++i)
    if (tracked[i] && !link(single ? results : PyTuple_GET_ITEM(results, i), node.get(), static_cast<Py_ssize_t>(i))) return false;
  return true;
}

// Run a kernel on Tensors and numbers. A new reference; Py_None: Python has to do it.
PyObject* run(KernelCalls* self, Now* now, PyObject* const* inputs, size_t count) {
  if (count > kMost) return leave();
  PyObject* values[kMost];
  size_t held = 0;
  struct Release {
    PyObject** values;
    size_t* held;
    ~Release() {
      for (size_t i = 0; i < *held; ++i) Py_DECREF(values[i]);
    }
  } release{values, &held};
  for (; held < count; ++held) {
    PyTypeObject* type = Py_TYPE(inputs[held]);
    const bool tensor = type == known.tensor || type == known.parameter;
    values[held] = tensor ? attribute(inputs[held], known.value) : Py_NewRef(inputs[held]);
    if (values[held] == nullptr) return leave();
  }
  Held parents;
  bool recorded = false;
  if (now->tape != nullptr && !links_of(now->tape, inputs, values, count, &parents, &recorded)) return leave();
  Held found(compute(self, values, count));
  if (!found) return leave();
  std::vector<int> tracked;
  if (recorded) {
    const bool several = PyTuple_Check(found.get());
    const Py_ssize_t outputs = several ? PyTuple_GET_SIZE(found.get()) : 1;
    for (Py_ssize_t i = 0; i < outputs; ++i) {
      tracked.push_back(is_inexact(several ? PyTuple_GET_ITEM(found.get(), i) : found.get()));
      if (tracked.back() < 0) return leave();
    }
  }
  Held results(wrapped_all(found.get()));
  if (!results) return nullptr;
  if (recorded && !record(now->tape, self->kernel, values, count, parents.get(), results.get(), tracked)) return nullptr;
  return results.release();
}

// calls(inputs): the results as Tensors, or None.
PyObject* kernel_call(PyObject* self, PyObject* args, PyObject*) {
  PyObject* given;
  if (!PyArg_ParseTuple(args, "O", &given)) return nullptr;
  Now now;
  if (!is_common(&now)) return leave();
  if (!PyList_Check(given) && !PyTuple_Check(given)) return leave();
  return run(reinterpret_cast<KernelCalls*>(self), &now, PySequence_Fast_ITEMS(given), PySequence_Fast_GET_SIZE(given));
}

// calls.on_values(values): the results as arrays, or None.
PyObject* on_values(PyObject* self, PyObject* given) {
  Now now;
  if (!is_common(&now) || !PyList_Check(given)) return leave();
  PyObject* found = compute(reinterpret_cast<KernelCalls*>(self), PySequence_Fast_ITEMS(given), PySequence_Fast_GET_SIZE(given));
  return found == nullptr ? leave() : found;
}

PyObject* make_kernel(PyTypeObject* type, PyObject* args, PyObject*) {
  PyObject* kernel;
  if (!PyArg_ParseTuple(args, "O", &kernel)) return nullptr;
  auto* made = reinterpret_cast<KernelCalls*>(type->tp_alloc(type, 0));
  if (made == nullptr) return nullptr;
  made->kernel = kernel;
  made->met = new std::vector<Form>();
  return reinterpret_cast<PyObject*>(made);
}

void destroy_kernel(PyObject* self) {
  auto* calls = reinterpret_cast<KernelCalls*>(self);
  for (Form& form : *calls->met) form.clear();
  delete calls->met;
  Py_TYPE(self)->tp_free(self);
}

PyMethodDef kernel_methods[] = {{"on_values", on_values, METH_O, "The results of arrays as arrays, or None."}, {}};

// -- operators ---------------------------------------------------------------------------------------------------------------------
// OperatorCall(kinds): chooses the kernel by the arguments that are no operands. Kinds, a letter for each argument: a Tensor (a), a
// Tensor or a number (o), a Tensor or None (t), a tuple or list of Tensors (l), any other (x).
struct Chosen {
  PyObject* form;  // of the arguments: what is no operand, `...` for a Tensor, the length for a list of them
  PyObject* kernel;
};

struct OperatorCall {
  PyObject_HEAD
  vectorcallfunc call;
  char kinds[kMost + 1];
  Py_ssize_t most;  // arguments
  std::vector<Chosen>* chosen;
};

bool is_tensor(PyObject* value) { return Py_TYPE(value) == known.tensor || Py_TYPE(value) == known.parameter; }

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
  PyObject* operands[kMost];
  size_t count = 0;
  PyObject* rest[kMost];  // borrowed; nullptr for operands
  Py_ssize_t lengths[kMost];

  bool take(const OperatorCall* self, PyObject* args) {
    const Py_ssize_t given = PyTuple_GET_SIZE(args);
    if (given > self->most) return false;
    for (Py_ssize_t i = 0; i < given; ++i) {
      PyObject* value = PyTuple_GET_ITEM(args, i);
      const char kind = self->kinds[i];
      rest[i] = nullptr, lengths[i] = -1;
      if (kind != 'x' && kind != 'l' && (is_tensor(value) || (kind == 'o' && is_number(value)))) {
        if (count == kMost) return false;
        operands[count++] = value;
      } else if (kind == 'l') {
        if (!PyTuple_CheckExact(value) && !PyList_CheckExact(value)) return false;
        lengths[i] = PySequence_Fast_GET_SIZE(value);
        for (Py_ssize_t k = 0; k < lengths[i]; ++k) {
          PyObject* one = PySequence_Fast_GET_ITEM(value, k);
          if (count == kMost || !is_tensor(one)) return false;
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
  Now now;
  if (known.device_array == nullptr) return leave();
  Arguments arguments;
  if (!arguments.take(self, given[0])) return leave();
  const Chosen* chosen = find_kernel(self, arguments, PyTuple_GET_SIZE(given[0]));
  if (chosen == nullptr) return leave();
  Held kernel(Py_NewRef(chosen->kernel));
  if (!is_common(&now)) return leave();
  Held calls(PyObject_GetAttr(kernel.get(), known.calls));
  if (!calls || Py_TYPE(calls.get()) != &KernelCallsType) return leave();
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
  Held form(PyTuple_New(PyTuple_GET_SIZE(args)));
  for (Py_ssize_t i = 0; form && i < PyTuple_GET_SIZE(args); ++i) {
    PyObject* one = arguments.lengths[i] >= 0 ? PyLong_FromSsize_t(arguments.lengths[i])
                                              : Py_NewRef(arguments.rest[i] == nullptr ? Py_Ellipsis : arguments.rest[i]);
    PyTuple_SET_ITEM(form.get(), i, one);
  }
  if (!form || PyErr_Occurred()) return nullptr;
  if (self->chosen->size() >= kRemembered) {
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
  made->most = count > kMost ? kMost : count;
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

PyTypeObject KernelCallsType = [] {
  PyTypeObject type = {PyVarObject_HEAD_INIT(nullptr, 0)};
  type.tp_name = "mindspore._kernels._native_programs.KernelCalls";
  type.tp_basicsize = sizeof(KernelCalls);
  type.tp_call = kernel_call;
  type.tp_methods = kernel_methods;
  type.tp_flags = Py_TPFLAGS_DEFAULT;
  type.tp_doc = "Calls of one kernel, by the forms of its operands.";
  type.tp_new = make_kernel;
  type.tp_dealloc = destroy_kernel;
  return type;
}();

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

// -- indexing and views -------------------------------------------------------------------------------------------------------------
// Remember that a Tensor shows elements of another one (views.py, note).
static bool note_view(PyObject* result, PyObject* source, PyObject* step) {
  constexpr Py_ssize_t kKept = 8;  // references to views that are looked through before more are kept
  Held above(attribute(source, known.base)), top(PyWeakref_NewRef(source, nullptr));
  if (!above || !top) return false;
  Held root, root_reference, shape;
  if (above.get() == Py_None) {
    Held value(attribute(source, known.value));
    root.reset(Py_NewRef(source)), root_reference.reset(Py_NewRef(top.get()));
    shape.reset(value ? PyObject_GetAttr(value.get(), known.shape) : nullptr);
  } else {
    if (!PyTuple_Check(above.get()) || PyTuple_GET_SIZE(above.get()) != 5) return false;
    PyObject* found = PyWeakref_GetObject(PyTuple_GET_ITEM(above.get(), 3));
    if (found == nullptr) return false;
    root.reset(Py_NewRef(found == Py_None ? source : found));
    root_reference.reset(PyWeakref_NewRef(root.get(), nullptr));
    shape.reset(Py_NewRef(PyTuple_GET_ITEM(above.get(), 4)));
  }
  if (!root_reference || !shape) return false;
  Held base(PyTuple_Pack(5, top.get(), step, above.get(), root_reference.get(), shape.get())), me(PyWeakref_NewRef(result, nullptr));
  if (!base || !me || !set(result, known.base, base.get())) return false;
  Held views(attribute(root.get(), known.views));
  if (!views) return false;
  if (!PyList_Check(views.get())) {
    views.reset(PyList_New(0));
    if (!views || !set(root.get(), known.views, views.get())) return false;
  }
  const Py_ssize_t count = PyList_GET_SIZE(views.get());
  if (count >= kKept && (count & (count - 1)) == 0) {  // at every power of two
    for (Py_ssize_t i = count - 1; i >= 0; --i)
      if (PyWeakref_GetObject(PyList_GET_ITEM(views.get(), i)) == Py_None && PySequence_DelItem(views.get(), i) != 0) return false;
  }
  return PyList_Append(views.get(), me.get()) == 0;
}

PyObject* note(PyObject*, PyObject* const* args, Py_ssize_t count) {
  if (count != 3) return PyErr_Format(PyExc_TypeError, "a result, a source and a step are needed");
  if (!note_view(args[0], args[1], args[2])) return nullptr;
  Py_RETURN_NONE;
}

static bool is_bound(PyObject* value) { return value == Py_None || PyLong_CheckExact(value); }

// Whether an index consists of ints, slices, None and `...` alone.
static bool is_basic(PyObject* index) {
  if (PyLong_CheckExact(index) || index == Py_None || index == Py_Ellipsis) return true;
  if (PySlice_Check(index)) {
    auto* slice = reinterpret_cast<PySliceObject*>(index);
    return is_bound(slice->start) && is_bound(slice->stop) && is_bound(slice->step);
  }
  if (!PyTuple_CheckExact(index)) return false;
  for (Py_ssize_t i = 0; i < PyTuple_GET_SIZE(index); ++i)
    if (PyTuple_CheckExact(PyTuple_GET_ITEM(index, i)) || !is_basic(PyTuple_GET_ITEM(index, i))) return false;
  return true;
}

// part(tensor, index): `tensor[index]` of an array of the host, a view; None if Python has to look at it.
PyObject* part(PyObject*, PyObject* const* args, Py_ssize_t count) {
  if (count != 2) return PyErr_Format(PyExc_TypeError, "a Tensor and an index are needed");
  Now now;
  if (known.device_array == nullptr || !is_tensor(args[0]) || !is_basic(args[1]) || !is_common(&now) || now.tape != nullptr) return leave();
  Held value(attribute(args[0], known.value));
  if (!value || !PyArray_CheckExact(value.get())) return leave();
  Held found(PyObject_GetItem(value.get(), args[1]));
  Held copied(found ? PyArray_FromAny(found.get(), nullptr, 0, 0, NPY_ARRAY_ENSURECOPY | NPY_ARRAY_C_CONTIGUOUS | NPY_ARRAY_ALIGNED, nullptr)
                    : nullptr);
  if (!copied || !PyArray_CheckExact(copied.get())) return leave();
  PyArray_CLEARFLAGS(reinterpret_cast<PyArrayObject*>(copied.get()), NPY_ARRAY_WRITEABLE);
  Held result(wrapped(copied.get()));
  return result && note_view(result.get(), args[0], args[1]) ? result.release() : nullptr;
}

// copy_for_sharing(array): in memory that XLA copies when it is handed over, 8 bytes from where it would take it as it is.
PyObject* copy_for_sharing(PyObject*, PyObject* given) {
  if (!PyArray_CheckExact(given)) return PyErr_Format(PyExc_TypeError, "an array is needed");
  auto* array = reinterpret_cast<PyArrayObject*>(given);
  npy_intp size = PyArray_NBYTES(array) + 24;
  Held memory(PyArray_SimpleNew(1, &size, NPY_UBYTE));
  if (!memory) return nullptr;
  char* start = PyArray_BYTES(reinterpret_cast<PyArrayObject*>(memory.get()));
  start += (8 + 16 - reinterpret_cast<uintptr_t>(start) % 16) % 16;
  PyArray_Descr* type = PyArray_DESCR(array);
  Py_INCREF(type);
  Held copy(PyArray_NewFromDescr(&PyArray_Type, type, PyArray_NDIM(array), PyArray_DIMS(array), nullptr, start, NPY_ARRAY_WRITEABLE, nullptr));
  if (!copy) return nullptr;
  auto* made = reinterpret_cast<PyArrayObject*>(copy.get());
  if (PyArray_SetBaseObject(made, memory.release()) != 0 || PyArray_CopyInto(made, array) != 0) return nullptr;
  return copy.release();
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
