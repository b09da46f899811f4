"""Ints and slices on arrays of the host, outside of traces and gradients: NumPy's own indexing, several times cheaper than a kernel.

Anything else (another kind of index, a value of another dtype, an error) is left to the kernels: None and False say so. Writing changes an array in place if nobody else holds it; otherwise a copy is written.
"""

from __future__ import annotations

import sys
import weakref
from typing import Any

import numpy as np

from mindspore._engine.base.trace_state import state
from mindspore._engine.interpreter import choice
from mindspore._engine.tensor.parameter import Parameter
from mindspore._engine.tensor.tensor import Tensor

_BASIC = (int, slice, type(None), type(Ellipsis))
_BOUNDS = (int, type(None))
_TENSORS = (Tensor, Parameter)
_MOST = 1e37  # what every float of 32 bits holds
_MOST_INT = 1 << 31


class _Last:
    """The Tensor that was written last: if it is written again at once, its array moves to the host."""

    written: Any = None


def is_basic(index: Any) -> bool:
    """Whether an index consists of ints, slices, None and ``...`` alone."""
    for element in index if index.__class__ is tuple else (index,):
        kind = element.__class__
        if kind not in _BASIC:
            return False
        if kind is slice and not (
            element.start.__class__ in _BOUNDS
            and element.stop.__class__ in _BOUNDS
            and element.step.__class__ in _BOUNDS
        ):
            return False
    return True


def read(tensor: Tensor, index: Any) -> np.ndarray | None:
    """``tensor[index]``, which nobody may write to; None if a kernel has to read it."""
    value = tensor._value
    if value.__class__ is not np.ndarray or not _is_plain() or not is_basic(index):
        return None
    try:
        result = np.array(value[index], order="C")
    except (IndexError, ValueError):  # the kernel's error message is better
        return None
    result.setflags(write=False)
    return result


def write(tensor: Tensor, index: Any, given: Any) -> bool:
    """``tensor[index] = given``; False if a kernel has to do it."""
    if not _is_plain() or tensor.__class__ not in _TENSORS or not is_basic(index):
        return False
    if tensor._value.__class__ is not np.ndarray and not _is_written_again(tensor):
        return False
    new = given._value if given.__class__ is Tensor else given
    dtype = tensor._value.dtype
    if not (
        _fits(new, dtype) if new.__class__ in choice.NUMBERS else new.__class__ is np.ndarray and new.dtype == dtype
    ):
        return False
    try:
        return _assign(tensor, index, new)
    except (IndexError, ValueError):
        return False


def _assign(tensor: Tensor, index: Any, new: Any) -> bool:
    part = tensor._value[index] if tensor._value.__class__ is np.ndarray else None
    if part is not None and getattr(new, "ndim", 0) > part.ndim:
        return False
    del part  # keeping it would keep the array alive
    array = tensor._value if is_held_alone(tensor) else np.array(tensor._value, order="C")
    array.setflags(write=True)
    try:
        array[index] = new
    finally:
        array.setflags(write=False)
    tensor._set(array)
    return True


def _is_plain() -> bool:
    return state.scope is state.tape is state.precision is None and not state.modes


def _fits(number: Any, dtype: np.dtype) -> bool:
    """Whether a Python number becomes an element without rounding to infinity or wrapping around."""
    if dtype.itemsize < 4 or number.__class__ in (bool, complex):
        return False
    if dtype.kind == "f":
        return -_MOST < number < _MOST
    return dtype.kind == "i" and number.__class__ is int and -_MOST_INT <= number < _MOST_INT


def _is_written_again(tensor: Tensor) -> bool:
    """Whether this Tensor, whose array is on the device, was the last one written: a loop that fills it."""
    last, _Last.written = _Last.written, weakref.ref(tensor)
    return last is not None and last() is tensor and tensor._value.__class__ is choice.device_array()


class _Holder:
    """As a Tensor holds its array."""

    _value: Any


def _holders(holder: Any) -> int:
    return sys.getrefcount(holder._value)


def _alone() -> int:
    holder = _Holder()
    holder._value = np.zeros(1)
    return _holders(holder)


_ALONE = _alone()


def _alone_in_memory() -> int:
    value = np.zeros(1)[:]
    return sys.getrefcount(value.base)


_ALONE_IN_MEMORY = _alone_in_memory()


def is_held_alone(tensor: Tensor) -> bool:
    """Whether only this Tensor refers to its array: no other Tensor, tape, view or device array does."""
    value = tensor._value
    if value.__class__ is not np.ndarray:
        return False
    if not value.flags.owndata and sys.getrefcount(value.base) != _ALONE_IN_MEMORY:
        return False  # an array of the C++ part is the only one in its memory; a view is not
    del value
    return _holders(tensor) == _ALONE
