// Results as Tensors, and nodes of the tape: what tape.py does for calls that Python makes.
#include "recording.h"

namespace mycelium {
namespace {

PyObject* node_of(PyObject* tape, PyObject* kernel, PyObject* const* values, size_t count, PyObject* parents, Py_ssize_t outputs) {
  Ref node(known.node->tp_alloc(known.node, 0)), saved(PyList_New(static_cast<Py_ssize_t>(count))),
      number(PyLong_FromSsize_t(outputs)), nodes(PyObject_GetAttr(tape, known.nodes));
  if (!node || !saved || !number || !nodes) return nullptr;
  for (size_t i = 0; i < count; ++i) PyList_SET_ITEM(saved.get(), static_cast<Py_ssize_t>(i), Py_NewRef(values[i]));
  const bool done = set(node.get(), known.tape, tape) && set(node.get(), known.parents, parents) &&
                    set(node.get(), known.outputs, number.get()) && set(node.get(), known.kernel, kernel) &&
                    set(node.get(), known.inputs, saved.get()) && PyList_Append(nodes.get(), node.get()) == 0;
  return done ? node.release() : nullptr;
}

bool link(PyObject* tensor, PyObject* node, Py_ssize_t output) {
  Ref number(PyLong_FromSsize_t(output));
  Ref made(number ? PyTuple_Pack(2, node, number.get()) : nullptr);
  return made && set(tensor, known.link, made.get());
}

}  // namespace

PyObject* wrap_all(PyObject* values) {
  if (!PyTuple_Check(values)) return wrap(values);
  PyObject* all = PyTuple_New(PyTuple_GET_SIZE(values));
  for (Py_ssize_t i = 0; all != nullptr && i < PyTuple_GET_SIZE(values); ++i) {
    PyObject* one = wrap(PyTuple_GET_ITEM(values, i));
    if (one == nullptr) Py_CLEAR(all);
    else PyTuple_SET_ITEM(all, i, one);
  }
  return all;
}

int is_inexact(PyObject* value) {
  if (PyArray_CheckExact(value)) {
    const int type = PyArray_TYPE(reinterpret_cast<PyArrayObject*>(value));
    return PyTypeNum_ISUSERDEF(type) ? -1 : (PyTypeNum_ISFLOAT(type) || PyTypeNum_ISCOMPLEX(type));
  }
  if (PyFloat_Check(value) || PyLong_Check(value) || PyComplex_Check(value)) return -1;
  Ref dtype(PyObject_GetAttr(value, known.dtype));
  if (!dtype || !PyArray_DescrCheck(dtype.get())) return -1;
  const int type = reinterpret_cast<PyArray_Descr*>(dtype.get())->type_num;
  return PyTypeNum_ISUSERDEF(type) ? -1 : (PyTypeNum_ISFLOAT(type) || PyTypeNum_ISCOMPLEX(type));
}

bool links_of(PyObject* tape, PyObject* const* inputs, PyObject* const* values, size_t count, Ref* parents, bool* recorded) {
  parents->reset(PyList_New(static_cast<Py_ssize_t>(count)));
  if (!*parents) return false;
  for (size_t i = 0; i < count; ++i) {
    PyTypeObject* type = Py_TYPE(inputs[i]);
    PyObject* link = Py_NewRef(Py_None);
    if (type == known.tensor || type == known.parameter) {
      Py_SETREF(link, attribute(inputs[i], known.link));
      if (link == nullptr) return false;
      if (link != Py_None) {
        Ref of(PyTuple_Check(link) ? PyObject_GetAttr(PyTuple_GET_ITEM(link, 0), known.tape) : nullptr);
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

bool record(PyObject* tape, PyObject* kernel, PyObject* const* values, size_t count, PyObject* parents, PyObject* results,
            const std::vector<int>& tracked) {
  const bool single = !PyTuple_Check(results);
  bool any = false;
  for (int one : tracked) any = any || one;
  if (!any) return true;
  Ref node(node_of(tape, kernel, values, count, parents, static_cast<Py_ssize_t>(tracked.size())));
  if (!node) return false;
  for (size_t i = 0; i < tracked.size(); ++i)
    if (tracked[i] && !link(single ? results : PyTuple_GET_ITEM(results, i), node.get(), static_cast<Py_ssize_t>(i))) return false;
  return true;
}

}  // namespace mycelium
