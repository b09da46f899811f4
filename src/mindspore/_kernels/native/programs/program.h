// Programs of the host: what a small operator computes, as a list of loops over memory, run by one call.
#pragma once

#define PY_SSIZE_T_CLEAN
#include <Python.h>

#include <cstdint>
#include <memory>
#include <vector>

#define NPY_NO_DEPRECATED_API NPY_2_0_API_VERSION
#define PY_ARRAY_UNIQUE_SYMBOL mycelium_programs_numpy
#define PY_UFUNC_UNIQUE_SYMBOL mycelium_programs_ufunc
#ifndef MYCELIUM_IMPORTS_NUMPY
#define NO_IMPORT_ARRAY
#define NO_IMPORT_UFUNC
#endif
#include <numpy/arrayobject.h>
#include <numpy/ufuncobject.h>

namespace mycelium {

constexpr int kMaxInstructionOperands = 8;
constexpr int kMaxAxes = 16;
using Sizes = std::vector<npy_intp>;

// Elements of a buffer: its slot in the call's table of buffers, an offset and the stride of each axis, in bytes.
struct StridedView {
  int slot;
  npy_intp offset;
  Sizes strides;
  char* in(char* const* memory) const { return memory[slot] + offset; }
};

// One instruction of a program; `size` is the number of elements where the program serves every shape. False: a Python error is set.
class Instruction {
 public:
  virtual ~Instruction() = default;
  virtual bool run(char* const* memory, npy_intp size) const = 0;
};

// Reads an instruction as Python describes it, ("copy", ...); nullptr with a Python error set if it cannot.
std::unique_ptr<Instruction> read_instruction(PyObject* described);

// The type of programs, and whether it could be made.
extern PyTypeObject ProgramType;
PyObject* run_program(PyObject* program, PyObject* const* operands, Py_ssize_t count);

}  // namespace mycelium
