// Calls of one kernel: its forms, by dtypes and shapes of operands, and what computes each.
#include "kernel_calls.h"

#include <cstring>

#include "calls.h"
#include "recording.h"

namespace mycelium {
namespace {

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
  Ref weak(PyObject_GetAttr(value, known.weak_type)), shape(PyObject_GetAttr(value, known.shape)),
      dtype(PyObject_GetAttr(value, known.dtype));
  if (weak.get() != Py_False || !shape || !dtype || !PyTuple_Check(shape.get()) || PyTuple_GET_SIZE(shape.get()) > 8) return false;
  into->kind = Operand::kDevice, into->axes = static_cast<int>(PyTuple_GET_SIZE(shape.get()));
  for (int i = 0; i < into->axes; ++i) into->shape[i] = PyLong_AsSsize_t(PyTuple_GET_ITEM(shape.get(), i));
  if (!PyArray_DescrCheck(dtype.get())) return false;
  into->type = reinterpret_cast<PyArray_Descr*>(dtype.get())->type_num;
  return !PyErr_Occurred();
}

}  // namespace

struct Form {
  std::vector<Operand> operands;
  PyObject* counted;  // the KernelForm
  bool on_host;
  bool returns;  // to the host, with operands on both (choice.py, returns_to_host)

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
    Ref aval(PyObject_GetAttr(value, known.aval));
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

namespace {

// The key under which Python keeps a form (dispatch.py, call); nullptr with or without an error.
PyObject* key_of(const std::vector<Operand>& operands) {
  Ref key(PyList_New(0));
  for (const Operand& operand : operands) {
    if (!key) return nullptr;
    if (operand.kind == Operand::kNumber) {
      if (PyList_Append(key.get(), reinterpret_cast<PyObject*>(operand.number)) != 0) return nullptr;
      continue;
    }
    Ref shape(PyTuple_New(operand.axes)), type(PyLong_FromLong(operand.type));
    for (int i = 0; shape && i < operand.axes; ++i) PyTuple_SET_ITEM(shape.get(), i, PyLong_FromSsize_t(operand.shape[i]));
    if (!shape || !type || PyList_Append(key.get(), shape.get()) != 0 || PyList_Append(key.get(), type.get()) != 0) return nullptr;
  }
  return PyList_AsTuple(key.get());
}

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
  constexpr npy_intp kSmall = 4096;  // elements
  Form made;
  made.on_host = true;
  bool some_on_host = false, small = true;
  for (size_t i = 0; i < count; ++i) {
    Operand operand;
    if (!describe(values[i], &operand)) return nullptr;
    made.on_host = made.on_host && operand.kind != Operand::kDevice;
    some_on_host = some_on_host || (operand.kind == Operand::kArray && !(operand.axes == 1 && operand.shape[0] == 2));  // a random key
    if (operand.kind == Operand::kDevice) small = small && PyArray_MultiplyList(operand.shape, operand.axes) <= kSmall;
    made.operands.push_back(operand);
  }
  made.returns = some_on_host && small;
  Ref key(key_of(made.operands)), forms(PyObject_GetAttr(self->kernel, known.forms));
  if (!key || !forms || !PyDict_Check(forms.get())) return nullptr;
  PyObject* counted = PyDict_GetItemWithError(forms.get(), key.get());
  if (counted == nullptr) return nullptr;
  made.counted = Py_NewRef(counted);
  if (self->met->size() < kMaxRemembered) {
    self->met->push_back(std::move(made));
    return &self->met->back();
  }
  Form& place = (*self->met)[self->next++ % kMaxRemembered];
  place.clear();
  place = std::move(made);
  return &place;
}

bool is_true(PyObject* of, PyObject* name) {
  Ref found(PyObject_GetAttr(of, name));
  return found.get() == Py_True;
}

// Whether a form is still computed by NumPy where operands are on the device.
bool has_calls_left(PyObject* counted) {
  Ref left(PyObject_GetAttr(counted, known.left));
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
  PyObject* values_[kMaxOperands];
  size_t count_ = 0;
};

// The result of a kernel, as NumPy's or XLA's array or a tuple of them; nullptr if Python has to call it.
PyObject* compute(KernelCalls* self, PyObject* const* values, size_t count) {
  if (count > kMaxOperands) return nullptr;
  Form* form = find_form(self, values, count);
  if (form == nullptr) return nullptr;
  Ref counted(Py_NewRef(form->counted));  // the call may replace the form
  const bool cheap = is_true(counted.get(), known.cheap);
  if (cheap && (form->on_host || form->returns || has_calls_left(counted.get()))) {
    Ref call(PyObject_GetAttr(counted.get(), known.call));
    if (!call || call.get() == Py_None || !is_true(counted.get(), known.quiet)) return nullptr;
    Fetched fetched;
    if (!form->on_host && !(values = fetched.take(values, count))) return nullptr;
    if (Py_TYPE(call.get()) == &ProgramType) return run_program(call.get(), values, count);
    return PyObject_Vectorcall(call.get(), values, count, nullptr);
  }
  for (const Operand& operand : form->operands)
    if (operand.kind == Operand::kArray) return nullptr;  // goes to the device
  if (has_calls_left(counted.get()) || PyErr_Occurred()) return nullptr;
  Ref own(PyObject_GetAttr(counted.get(), known.compiled));
  if (!own || own.get() != Py_None) return nullptr;
  Ref jitted(PyObject_GetAttr(self->kernel, known.jitted));
  return jitted ? PyObject_Vectorcall(jitted.get(), values, count, nullptr) : nullptr;
}

}  // namespace

PyObject* run(KernelCalls* self, CallContext* now, PyObject* const* inputs, size_t count) {
  if (count > kMaxOperands) return fall_back();
  PyObject* values[kMaxOperands];
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
    if (values[held] == nullptr) return fall_back();
  }
  Ref parents;
  bool recorded = false;
  if (now->tape != nullptr && !links_of(now->tape, inputs, values, count, &parents, &recorded)) return fall_back();
  Ref found(compute(self, values, count));
  if (!found) return fall_back();
  std::vector<int> tracked;
  if (recorded) {
    const bool several = PyTuple_Check(found.get());
    const Py_ssize_t outputs = several ? PyTuple_GET_SIZE(found.get()) : 1;
    for (Py_ssize_t i = 0; i < outputs; ++i) {
      tracked.push_back(is_inexact(several ? PyTuple_GET_ITEM(found.get(), i) : found.get()));
      if (tracked.back() < 0) return fall_back();
    }
  }
  Ref results(wrap_all(found.get()));
  if (!results) return nullptr;
  if (recorded && !record(now->tape, self->kernel, values, count, parents.get(), results.get(), tracked)) return nullptr;
  return results.release();
}

namespace {

// calls(inputs): the results as Tensors, or None.
PyObject* kernel_call(PyObject* self, PyObject* args, PyObject*) {
  PyObject* given;
  if (!PyArg_ParseTuple(args, "O", &given)) return nullptr;
  CallContext now;
  if (!is_plain(&now)) return fall_back();
  if (!PyList_Check(given) && !PyTuple_Check(given)) return fall_back();
  return run(reinterpret_cast<KernelCalls*>(self), &now, PySequence_Fast_ITEMS(given), PySequence_Fast_GET_SIZE(given));
}

// calls.on_values(values): the results as arrays, or None.
PyObject* on_values(PyObject* self, PyObject* given) {
  CallContext now;
  if (!is_plain(&now) || !PyList_Check(given)) return fall_back();
  PyObject* found = compute(reinterpret_cast<KernelCalls*>(self), PySequence_Fast_ITEMS(given), PySequence_Fast_GET_SIZE(given));
  return found == nullptr ? fall_back() : found;
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

}  // namespace mycelium
