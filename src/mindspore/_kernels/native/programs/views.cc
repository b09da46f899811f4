// Views of Tensors on the host: indexing, and what they remember of the Tensor they show (views.py).
#include "call_state.h"
#include "calls.h"

namespace mycelium {
namespace {

// Remember that a Tensor shows elements of another one (views.py, note).
bool note_view(PyObject* result, PyObject* source, PyObject* step) {
  constexpr Py_ssize_t kKept = 8;  // references to views that are looked through before more are kept
  Ref above(attribute(source, known.base)), top(PyWeakref_NewRef(source, nullptr));
  if (!above || !top) return false;
  Ref root, root_reference, shape;
  if (above.get() == Py_None) {
    Ref value(attribute(source, known.value));
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
  Ref base(PyTuple_Pack(5, top.get(), step, above.get(), root_reference.get(), shape.get())), me(PyWeakref_NewRef(result, nullptr));
  if (!base || !me || !set(result, known.base, base.get())) return false;
  Ref views(attribute(root.get(), known.views));
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

bool is_bound(PyObject* value) { return value == Py_None || PyLong_CheckExact(value); }

// Whether an index consists of ints, slices, None and `...` alone.
bool is_basic(PyObject* index) {
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

}  // namespace

PyObject* note(PyObject*, PyObject* const* args, Py_ssize_t count) {
  if (count != 3) return PyErr_Format(PyExc_TypeError, "a result, a source and a step are needed");
  if (!note_view(args[0], args[1], args[2])) return nullptr;
  Py_RETURN_NONE;
}

// part(tensor, index): `tensor[index]` of an array of the host, a view; None if Python has to look at it.
PyObject* part(PyObject*, PyObject* const* args, Py_ssize_t count) {
  if (count != 2) return PyErr_Format(PyExc_TypeError, "a Tensor and an index are needed");
  CallContext now;
  if (known.device_array == nullptr || !is_tensor(args[0]) || !is_basic(args[1]) || !is_plain(&now) || now.tape != nullptr) return fall_back();
  Ref value(attribute(args[0], known.value));
  if (!value || !PyArray_CheckExact(value.get())) return fall_back();
  Ref found(PyObject_GetItem(value.get(), args[1]));
  Ref copied(found ? PyArray_FromAny(found.get(), nullptr, 0, 0, NPY_ARRAY_ENSURECOPY | NPY_ARRAY_C_CONTIGUOUS | NPY_ARRAY_ALIGNED, nullptr)
                    : nullptr);
  if (!copied || !PyArray_CheckExact(copied.get())) return fall_back();
  PyArray_CLEARFLAGS(reinterpret_cast<PyArrayObject*>(copied.get()), NPY_ARRAY_WRITEABLE);
  Ref result(wrap(copied.get()));
  return result && note_view(result.get(), args[0], args[1]) ? result.release() : nullptr;
}

// copy_for_sharing(array): in memory that XLA copies when it is handed over, 8 bytes from where it would take it as it is.
PyObject* copy_for_sharing(PyObject*, PyObject* given) {
  if (!PyArray_CheckExact(given)) return PyErr_Format(PyExc_TypeError, "an array is needed");
  auto* array = reinterpret_cast<PyArrayObject*>(given);
  npy_intp size = PyArray_NBYTES(array) + 24;
  Ref memory(PyArray_SimpleNew(1, &size, NPY_UBYTE));
  if (!memory) return nullptr;
  char* start = PyArray_BYTES(reinterpret_cast<PyArrayObject*>(memory.get()));
  start += (8 + 16 - reinterpret_cast<uintptr_t>(start) % 16) % 16;
  PyArray_Descr* type = PyArray_DESCR(array);
  Py_INCREF(type);
  Ref copy(PyArray_NewFromDescr(&PyArray_Type, type, PyArray_NDIM(array), PyArray_DIMS(array), nullptr, start, NPY_ARRAY_WRITEABLE, nullptr));
  if (!copy) return nullptr;
  auto* made = reinterpret_cast<PyArrayObject*>(copy.get());
  if (PyArray_SetBaseObject(made, memory.release()) != 0 || PyArray_CopyInto(made, array) != 0) return nullptr;
  return copy.release();
}

}  // namespace mycelium
