"""Kernels on arrays of NumPy, without XLA and without compiling: for operators that are evaluated before they are compiled."""

from __future__ import annotations

import ctypes
import functools
from collections.abc import Callable, Sequence
from typing import Any

import jax
import numpy as np

from mindspore._kernels import library
from mindspore._kernels.matrices import turning
from mindspore._kernels.primitive import NativeKernel

_TYPES = {
    "float32": 11,
    "int32": 4,
    "uint32": 8,
    "int64": 5,
    "float64": 12,
    "bool": 1,
    "uint64": 9,
    "int8": 2,
    "uint8": 6,
    "uint16": 7,
}  # XLA's numbers of dtypes
Function = Callable[..., tuple[np.ndarray, ...]]


def function_of(kernel: NativeKernel, operands: Sequence[Any], results: Sequence[Any]) -> Function | None:
    """A function of arrays of these shapes and dtypes that runs the kernel; None where only its plain form can.

    Images lie with channels last in memory, as in compiled programs: results keep that order, and what NumPy makes of them does, too.
    """
    target = kernel.custom_call(operands, results)
    if not target or not library.has(target) or any(str(x.dtype) not in _TYPES for x in (*operands, *results)):
        return None
    attributes = kernel.attributes()
    if len(attributes) > 1 or any(getattr(value, "dtype", None) != np.int64 for value in attributes.values()):
        return None
    name, numbers = next(iter(attributes.items()), ("", np.zeros(0, np.int64)))
    numbers = np.ascontiguousarray(numbers)
    into, out = kernel.layouts(operands, results)
    plan = _plan(target, [*operands, *results], len(operands), name, numbers)
    orders = [None if order == tuple(range(len(order))) else order for order in into]
    made = [(_ordered(x.shape, order), x.dtype, _inverse(order)) for x, order in zip(results, out, strict=True)]
    call = _caller(plan, len(operands) + len(results))

    def run(*arrays: np.ndarray) -> tuple[np.ndarray, ...]:
        taken = [in_order(x if order is None else x.transpose(order)) for x, order in zip(arrays, orders)]
        new = [np.empty(shape, dtype) for shape, dtype, _ in made]
        call(*taken, *new)
        return tuple([x if back is None else x.transpose(back) for x, (_, _, back) in zip(new, made)])

    return run


def in_order(x: np.ndarray) -> np.ndarray:
    """An array with its elements one after the other; where that turns matrices, by the kernel."""
    if x.flags.c_contiguous:
        return x
    if x.nbytes < turning.LEAST or 0 in x.strides or x.itemsize not in (1, 2, 4, 8) or not library.has(turning.TARGET):
        return np.ascontiguousarray(x)
    if min(x.strides) < 0:  # a copy of whole rows is fast
        index = tuple([slice(None, None, -1 if step < 0 else 1) for step in x.strides])
        return np.ascontiguousarray(in_order(x[index])[index])
    order = sorted(range(x.ndim), key=lambda axis: -x.strides[axis])
    before = x.transpose(order)
    form = turning.turned_matrices(before.shape, tuple(map(order.index, range(x.ndim))))
    if form is None or min(form[1:]) < turning.NARROWEST or not before.flags.c_contiguous:
        return np.ascontiguousarray(x)
    return _turn(form, x.dtype)(before.reshape(form)).reshape(x.shape)


@functools.lru_cache(256)
def _turn(form: tuple[int, int, int], dtype: np.dtype) -> Callable[[np.ndarray], np.ndarray]:
    """The kernel moves bytes: integers stand for all dtypes that have as many."""
    matrices, rows, columns = form
    bits = np.dtype(f"uint{8 * dtype.itemsize}")
    given, made = (jax.ShapeDtypeStruct(shape, bits) for shape in (form, (matrices, columns, rows)))
    call = _caller(_plan(turning.TARGET, [given, made], 1, "", np.zeros(0, np.int64)), 2)

    def turn(x: np.ndarray) -> np.ndarray:
        new = np.empty((matrices, columns, rows), dtype)
        call(x, new)
        return new

    return turn


def _caller(plan: Any, count: int) -> Callable[..., None]:
    """Calls a plan with so many arrays of the host, which lie in the kernel's order."""
    memory = ctypes.c_void_p * count
    call = library.symbol("mycelium_direct_call")
    call.restype, call.argtypes = ctypes.c_char_p, [ctypes.c_void_p, ctypes.c_void_p]

    def run(*arrays: np.ndarray) -> None:
        problem = call(plan, memory(*[x.ctypes.data for x in arrays]))
        if problem is not None:
            raise ValueError(problem.decode())

    return run


def _plan(target: str, values: Sequence[Any], operands: int, name: str, numbers: np.ndarray) -> Any:
    """What is the same at every call, as the C++ part keeps it."""
    make = library.symbol("mycelium_direct_plan")
    make.restype = ctypes.c_void_p
    sizes = [
        length for value in values for length in value.shape
    ]  # in the program's order, whatever lies how in memory
    arrays = [
        np.array(one, np.int64)
        for one in ([len(x.shape) for x in values], sizes, [_TYPES[str(x.dtype)] for x in values])
    ]
    pointers = [ctypes.c_void_p(array.ctypes.data) for array in (*arrays, numbers)]
    handler = ctypes.cast(library.symbol(target), ctypes.c_void_p)
    return ctypes.c_void_p(
        make(handler, ctypes.c_int64(operands), ctypes.c_int64(len(values)), *pointers[:3], ctypes.c_char_p(name.encode()),
             ctypes.c_int64(len(numbers)), pointers[3])
    )  # fmt: skip


def _ordered(shape: Sequence[int], order: Sequence[int]) -> tuple[int, ...]:
    return tuple(shape[axis] for axis in order)


def _inverse(order: Sequence[int]) -> tuple[int, ...] | None:
    """The transposition that shows memory in this order as the program sees it; None where they agree."""
    if tuple(order) == tuple(range(len(order))):
        return None
    return tuple(order.index(axis) for axis in range(len(order)))
