"""Kernels on arrays of NumPy, without XLA and without compiling: for operators that are evaluated before they are compiled."""

from __future__ import annotations

import ctypes
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from mindspore._kernels import library
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
}  # XLA's numbers of dtypes
Function = Callable[..., tuple[np.ndarray, ...]]


def function_of(kernel: NativeKernel, operands: Sequence[Any], results: Sequence[Any]) -> Function | None:
    """A function of arrays of these shapes and dtypes that runs the kernel; None where only its plain form can.

    Images lie with channels last in memory, as in compiled programs: results keep that order, and what NumPy makes of them does, too.
    """
    target = kernel.custom_call(operands, results)
    if not target or not library.active() or any(str(x.dtype) not in _TYPES for x in (*operands, *results)):
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
    memory = ctypes.c_void_p * (len(operands) + len(results))
    call = library.symbol("mycelium_direct_call")
    call.restype, call.argtypes = ctypes.c_char_p, [ctypes.c_void_p, ctypes.c_void_p]

    def run(*arrays: np.ndarray) -> tuple[np.ndarray, ...]:
        taken = [np.ascontiguousarray(x if order is None else x.transpose(order)) for x, order in zip(arrays, orders)]
        new = [np.empty(shape, dtype) for shape, dtype, _ in made]
        problem = call(plan, memory(*[x.ctypes.data for x in (*taken, *new)]))
        if problem is not None:
            raise ValueError(problem.decode())
        return tuple([x if back is None else x.transpose(back) for x, (_, _, back) in zip(new, made)])

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
