// The type of programs: operands in, results out, the instructions between.
#include <cstdlib>
#include <cstring>
#include <utility>

#include "program.h"

namespace mycelium {
namespace {

constexpr npy_intp kAlignment = 64;
constexpr int kFewSlots = 64;
constexpr npy_intp kBlock = 1024;  // elements for which all instructions run before those of the next block

struct Value {
  int type = 0;
  bool number = false;  // a Python number, converted
  Sizes shape;
};

struct Body {
  std::vector<Value> inputs, results;
  std::vector<PyObject*> constants;
  std::vector<npy_intp> scratch;  // where each intermediate value lies; of flat programs the size of an element
  std::vector<npy_intp> advance;  // of flat programs the bytes from one element to the next in each slot
  npy_intp scratch_size = 0;
  char* arena = nullptr;
  bool busy = false;
  bool single = true;
  bool flat = false;  // one formula for every shape: operands are single elements, or all of the same shape
  PyObject* fallback = nullptr;  // called with operands that do not fit
  std::vector<std::unique_ptr<Instruction>> instructions;

  ~Body() {
    for (PyObject* constant : constants) Py_DECREF(constant);
    Py_XDECREF(fallback);
    std::free(arena);
  }
};

struct Program {
  PyObject_HEAD
  vectorcallfunc call;
  Body* body;
};

bool read_value(PyObject* from, Value* into) {
  PyObject* shape;
  int number;
  if (!PyArg_ParseTuple(from, "ipO!", &into->type, &number, &PyTuple_Type, &shape)) return false;
  into->number = number != 0;
  for (Py_ssize_t i = 0; i < PyTuple_GET_SIZE(shape); ++i) into->shape.push_back(PyNumber_AsSsize_t(PyTuple_GET_ITEM(shape, i), PyExc_OverflowError));
  return !PyErr_Occurred() && into->shape.size() <= kMaxAxes;
}

bool read_values(PyObject* from, std::vector<Value>* into) {
  for (Py_ssize_t i = 0; i < PyTuple_GET_SIZE(from); ++i) {
    into->emplace_back();
    if (!read_value(PyTuple_GET_ITEM(from, i), &into->back())) return false;
  }
  return true;
}

npy_intp element_size(const Value& value) {
  if (value.shape.empty()) return 0;
  PyArray_Descr* described = PyArray_DescrFromType(value.type);
  const npy_intp size = PyDataType_ELSIZE(described);
  Py_DECREF(described);
  return size;
}

// Program(inputs, constants, sizes of intermediate values in bytes, results, instructions, whether there is one result, the
// function that is called with operands that do not fit, or None). With the latter every shape fits: sizes are those of single elements.
PyObject* make(PyTypeObject* type, PyObject* args, PyObject*) {
  PyObject *inputs, *constants, *sizes, *results, *instructions;
  PyObject* fallback;
  int single;
  if (!PyArg_ParseTuple(args, "O!O!O!O!O!pO", &PyTuple_Type, &inputs, &PyTuple_Type, &constants, &PyTuple_Type, &sizes, &PyTuple_Type,
                        &results, &PyTuple_Type, &instructions, &single, &fallback))
    return nullptr;
  auto body = std::make_unique<Body>();
  body->flat = fallback != Py_None;
  if (body->flat) body->fallback = Py_NewRef(fallback);
  if (!read_values(inputs, &body->inputs) || !read_values(results, &body->results)) return nullptr;
  for (Py_ssize_t i = 0; i < PyTuple_GET_SIZE(constants); ++i) {
    PyObject* constant = PyTuple_GET_ITEM(constants, i);
    if (!PyArray_CheckExact(constant)) return PyErr_Format(PyExc_TypeError, "constants are arrays");
    body->constants.push_back(Py_NewRef(constant));
  }
  for (Py_ssize_t i = 0; i < PyTuple_GET_SIZE(sizes); ++i) {
    const npy_intp size = PyNumber_AsSsize_t(PyTuple_GET_ITEM(sizes, i), PyExc_OverflowError);
    body->scratch.push_back(body->flat ? size : body->scratch_size);
    body->scratch_size += body->flat ? size : (size + kAlignment - 1) / kAlignment * kAlignment;
  }
  for (Py_ssize_t i = 0; i < PyTuple_GET_SIZE(instructions); ++i) {
    body->instructions.push_back(read_instruction(PyTuple_GET_ITEM(instructions, i)));
    if (body->instructions.back() == nullptr) return nullptr;
  }
  if (PyErr_Occurred()) return nullptr;
  body->single = single != 0;
  if (body->flat) {
    for (const Value& value : body->inputs) body->advance.push_back(element_size(value));
    body->advance.resize(body->inputs.size() + body->constants.size() + body->scratch.size());
    for (const Value& value : body->results) body->advance.push_back(element_size(value));
  }
  auto* made = reinterpret_cast<Program*>(type->tp_alloc(type, 0));
  if (made == nullptr) return nullptr;
  made->call = [](PyObject* self, PyObject* const* operands, size_t count, PyObject* names) -> PyObject* {
    if (names != nullptr && PyTuple_GET_SIZE(names) != 0) return PyErr_Format(PyExc_TypeError, "a program takes no names");
    return run_program(self, operands, PyVectorcall_NARGS(count));
  };
  made->body = body.release();
  return reinterpret_cast<PyObject*>(made);
}

void destroy(PyObject* self) {
  delete reinterpret_cast<Program*>(self)->body;
  Py_TYPE(self)->tp_free(self);
}

bool is_as_described(PyArrayObject* array, const Value& value) {
  if (PyArray_TYPE(array) != value.type || PyArray_NDIM(array) != static_cast<int>(value.shape.size())) return false;
  return std::memcmp(PyArray_DIMS(array), value.shape.data(), value.shape.size() * sizeof(npy_intp)) == 0;
}

// A Python number in the type of an operand; false if it is none, or does not fit.
bool convert(PyObject* number, int type, char* into) {
  if (type == NPY_BOOL) {
    *into = number == Py_True;
    return PyBool_Check(number);
  }
  if (type == NPY_FLOAT || type == NPY_DOUBLE) {
    const double value = PyFloat_AsDouble(number);
    if (value == -1 && PyErr_Occurred()) return false;
    if (type == NPY_DOUBLE) std::memcpy(into, &value, sizeof value);
    else *reinterpret_cast<float*>(into) = static_cast<float>(value);
    return true;
  }
  if (!PyLong_Check(number)) return false;
  const int64_t value = PyLong_AsLongLong(number);
  if (value == -1 && PyErr_Occurred()) return false;
  if (type == NPY_LONG) std::memcpy(into, &value, sizeof value);
  else *reinterpret_cast<int32_t*>(into) = static_cast<int32_t>(value);
  return type == NPY_LONG || (type == NPY_INT && value == static_cast<int32_t>(value));
}

// A new array; one that is not small in memory that XLA takes as it is, where it would copy an array of NumPy's own.
PyObject* new_array(int axes, npy_intp* shape, int type) {
  constexpr npy_intp kSmall = 4096;  // bytes
  PyObject* made = nullptr;
  npy_intp bytes = 4;  // an element, about
  for (int i = 0; i < axes; ++i) bytes *= shape[i];
  if (bytes < kSmall) return PyArray_SimpleNew(axes, shape, type);
  PyArray_Descr* described = PyArray_DescrFromType(type);
  if (described == nullptr) return nullptr;
  bytes = PyArray_MultiplyList(shape, axes) * PyDataType_ELSIZE(described) + kAlignment;
  PyObject* memory = PyArray_SimpleNew(1, &bytes, NPY_UBYTE);
  if (memory != nullptr) {
    char* start = PyArray_BYTES(reinterpret_cast<PyArrayObject*>(memory));
    start += (kAlignment - reinterpret_cast<uintptr_t>(start) % kAlignment) % kAlignment;
    Py_INCREF(described);
    made = PyArray_NewFromDescr(&PyArray_Type, described, axes, shape, nullptr, start, NPY_ARRAY_WRITEABLE, nullptr);
    if (made == nullptr) Py_DECREF(memory);
    else if (PyArray_SetBaseObject(reinterpret_cast<PyArrayObject*>(made), memory) != 0) Py_CLEAR(made);
  }
  Py_DECREF(described);
  return made;
}

enum class Fit { kFits, kOther, kError };

// The memory of operands and results during a call.
class Memory {
 public:
  explicit Memory(Body* body) : body_(body) {
    const size_t count = body->inputs.size() + body->constants.size() + body->scratch.size() + body->results.size();
    slots_ = count <= kFewSlots ? few_ : new char*[count];
  }
  ~Memory() {
    for (PyObject* one : held_) Py_DECREF(one);
    for (size_t i = 0; i < made_; ++i) Py_XDECREF(result(i));
    if (slots_ != few_) delete[] slots_;
    if (arena_ == nullptr) return;
    if (arena_ == body_->arena) body_->busy = false;
    else if (arena_ != near_) std::free(arena_);
  }

  Fit take(PyObject* const* operands) {
    numbers_.resize(0);
    for (size_t i = 0; i < body_->inputs.size(); ++i) {
      const Value& value = body_->inputs[i];
      PyObject* operand = operands[i];
      if (value.number) {
        char* into = number_ + 8 * i;
        if (i >= kFewNumbers) numbers_.push_back(std::make_unique<int64_t>()), into = reinterpret_cast<char*>(numbers_.back().get());
        if (!convert(operand, value.type, into)) {
          if (!PyErr_Occurred()) PyErr_SetString(PyExc_TypeError, "a number of another kind");
          return Fit::kError;
        }
        slots_[count_++] = into;
        continue;
      }
      if (!PyArray_CheckExact(operand)) return wrong("an operand of another kind");
      auto* array = reinterpret_cast<PyArrayObject*>(operand);
      const bool straight = PyArray_CHKFLAGS(array, NPY_ARRAY_C_CONTIGUOUS | NPY_ARRAY_ALIGNED);
      if (body_->flat && !value.shape.empty()) {
        if (PyArray_TYPE(array) != value.type || !straight) return Fit::kOther;
        if (like_ == nullptr) like_ = array, size_ = PyArray_SIZE(array);
        else if (!PyArray_SAMESHAPE(like_, array)) return Fit::kOther;
      } else if (!is_as_described(array, value)) {
        return body_->flat ? Fit::kOther : wrong("an operand of another shape or type");
      } else if (!straight) {
        operand = PyArray_FromArray(array, nullptr, NPY_ARRAY_C_CONTIGUOUS | NPY_ARRAY_ALIGNED);
        if (operand == nullptr) return Fit::kError;
        held_.push_back(operand);
      }
      slots_[count_++] = PyArray_BYTES(reinterpret_cast<PyArrayObject*>(operand));
    }
    for (PyObject* constant : body_->constants) slots_[count_++] = PyArray_BYTES(reinterpret_cast<PyArrayObject*>(constant));
    return Fit::kFits;
  }

  bool allocate() {
    const npy_intp extra = body_->flat ? kAlignment * static_cast<npy_intp>(body_->scratch.size()) : 0;
    const npy_intp block = size_ < kBlock ? size_ : kBlock;
    const npy_intp bytes = body_->scratch_size * (body_->flat ? block : 1) + extra;
    if (bytes > kNear && !(arena_ = far(bytes))) return PyErr_NoMemory() != nullptr;
    if (bytes <= kNear) arena_ = near_;
    npy_intp at = 0;
    for (npy_intp start : body_->scratch) {
      slots_[count_++] = arena_ + (body_->flat ? at : start);
      at += (start * block + kAlignment - 1) / kAlignment * kAlignment;
    }
    for (const Value& value : body_->results) {
      const bool as_operands = body_->flat && !value.shape.empty() && like_ != nullptr;
      PyObject* made = as_operands
                           ? new_array(PyArray_NDIM(like_), PyArray_DIMS(like_), value.type)
                           : new_array(static_cast<int>(value.shape.size()), const_cast<npy_intp*>(value.shape.data()), value.type);
      if (made == nullptr) return false;
      if (made_ < kFewResults) few_results_[made_] = made;
      else results_.push_back(made);
      ++made_;
      slots_[count_++] = PyArray_BYTES(reinterpret_cast<PyArrayObject*>(made));
    }
    return true;
  }

  char** slots() { return slots_; }
  npy_intp size() const { return size_; }

  PyObject* results() {
    for (size_t i = 0; i < made_; ++i) PyArray_CLEARFLAGS(reinterpret_cast<PyArrayObject*>(result(i)), NPY_ARRAY_WRITEABLE);
    if (body_->single) return std::exchange(result(0), nullptr);
    PyObject* all = PyTuple_New(static_cast<Py_ssize_t>(made_));
    for (size_t i = 0; all != nullptr && i < made_; ++i) PyTuple_SET_ITEM(all, i, std::exchange(result(i), nullptr));
    return all;
  }

 private:
  static constexpr npy_intp kNear = 4096;  // bytes of intermediate values on the stack
  static constexpr size_t kFewNumbers = 8, kFewResults = 4;
  static Fit wrong(const char* what) {
    PyErr_SetString(PyExc_TypeError, what);
    return Fit::kError;
  }
  PyObject*& result(size_t i) { return i < kFewResults ? few_results_[i] : results_[i - kFewResults]; }
  char* far(npy_intp bytes) {
    if (body_->flat) return static_cast<char*>(std::aligned_alloc(kAlignment, (bytes + kAlignment - 1) / kAlignment * kAlignment));
    if (body_->arena == nullptr) body_->arena = static_cast<char*>(std::aligned_alloc(kAlignment, bytes));
    if (body_->arena != nullptr && !body_->busy) {
      body_->busy = true;
      return body_->arena;
    }
    return static_cast<char*>(std::aligned_alloc(kAlignment, bytes));
  }
  Body* body_;
  char* few_[kFewSlots];
  char** slots_;
  size_t count_ = 0, made_ = 0;
  char* arena_ = nullptr;
  npy_intp size_ = 1;
  PyArrayObject* like_ = nullptr;
  alignas(8) char number_[8 * kFewNumbers];
  std::vector<std::unique_ptr<int64_t>> numbers_;
  std::vector<PyObject*> held_, results_;
  PyObject* few_results_[kFewResults];
  alignas(kAlignment) char near_[kNear];
};

}  // namespace

PyObject* run_program(PyObject* program, PyObject* const* operands, Py_ssize_t count) {
  Body* body = reinterpret_cast<Program*>(program)->body;
  if (count != static_cast<Py_ssize_t>(body->inputs.size())) return PyErr_Format(PyExc_TypeError, "another number of operands");
  Memory memory(body);
  const Fit fit = memory.take(operands);
  if (fit == Fit::kOther) return PyObject_Vectorcall(body->fallback, operands, count, nullptr);
  if (fit == Fit::kError || !memory.allocate()) return nullptr;
  npy_intp left = memory.size();
  do {
    const npy_intp size = body->flat && left > kBlock ? kBlock : left;
    for (const auto& instruction : body->instructions)
      if (!instruction->run(memory.slots(), size)) return nullptr;
    left -= size;
    if (left > 0)
      for (size_t i = 0; i < body->advance.size(); ++i) memory.slots()[i] += body->advance[i] * size;
  } while (left > 0);
  return memory.results();
}

PyTypeObject ProgramType = [] {
  PyTypeObject type = {PyVarObject_HEAD_INIT(nullptr, 0)};
  type.tp_name = "mindspore._kernels._native_programs.Program";
  type.tp_basicsize = sizeof(Program);
  type.tp_vectorcall_offset = offsetof(Program, call);
  type.tp_call = PyVectorcall_Call;
  type.tp_flags = Py_TPFLAGS_DEFAULT | Py_TPFLAGS_HAVE_VECTORCALL;
  type.tp_doc = "A function of NumPy arrays, as a list of loops over memory.";
  type.tp_new = make;
  type.tp_dealloc = destroy;
  return type;
}();

}  // namespace mycelium
