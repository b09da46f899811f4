"""Convert the arguments of Tensor(...) to NumPy arrays."""

from __future__ import annotations

from typing import Any

import numpy as np

from mindspore._engine.base import dtype as dtypes
from mindspore._engine.base.dtype import DType
from mindspore._engine.tensor.initializer import to_initializer
from mindspore._utils.symbol import Symbol

_OF_SEQUENCES = {np.dtype(np.float64): np.dtype(np.float32), np.dtype(np.int32): np.dtype(np.int64)}
_SCALARS = {bool: np.bool_, int: np.int64, float: np.float32, complex: np.complex128}


def plain_number(value: Any) -> Any:
    """A number as Python's own, also of a derived class, as the members of an IntEnum are."""
    return value if type(value) in _SCALARS else next(kind for kind in _SCALARS if isinstance(value, kind))(value)


def to_array(data: Any, dtype: DType | None) -> np.ndarray:
    """A new array in MindSpore's dtype for ``data``: Python floats are float32, ints int64, NumPy keeps its own."""
    if isinstance(data, (np.ndarray, np.generic)):
        array = np.array(data)
    elif isinstance(data, tuple(_SCALARS)):
        return _scalar(plain_number(data), dtype)
    elif isinstance(data, bytes):
        return np.array(data)
    elif isinstance(data, (list, tuple)):
        array = _from_sequence(data)
        if dtype is None:
            array = array.astype(sequence_dtype(array.dtype), copy=False)
    elif hasattr(data, "__array__") and hasattr(data, "asnumpy"):
        array = data.asnumpy()
    else:
        raise TypeError(
            "For 'Tensor', the type of 'input_data' should be one of 'Tensor', 'float', 'int', 'bool', 'complex', "
            f"'list', 'tuple', 'bytes' and 'numpy.ndarray', but got '{data!r}' of type '{type(data).__name__}'."
        )
    if array.dtype.kind not in "biufcUS" and array.dtype not in dtypes._FROM_NUMPY:
        raise TypeError(
            f"For 'Tensor', the 'input_data' contain unsupported element: {data!r} (numpy dtype {array.dtype})."
        )
    if dtype is not None and array.dtype.kind not in "US":
        with np.errstate(all="ignore"):  # out-of-range values wrap, as in MindSpore
            array = array.astype(dtype.np_dtype, copy=False)
    elif array.dtype.kind not in "US":
        dtypes.from_numpy(array.dtype)
    return np.ascontiguousarray(array).reshape(array.shape)


def _scalar(data: Any, dtype: DType | None) -> np.ndarray:
    wide = np.asarray(data)
    if wide.dtype == object:
        raise OverflowError(f"For 'Tensor', the number {data} does not fit in 64 bits.")
    if dtype is None:
        return wide if wide.dtype == np.uint64 else wide.astype(_SCALARS[type(data)], copy=False)
    with np.errstate(all="ignore"):
        return wide.astype(dtype.np_dtype)


def sequence_dtype(dtype: Any) -> np.dtype:
    """What a list becomes when no dtype is given: float64 is float32 and int32 is int64, whoever made its elements."""
    return _OF_SEQUENCES.get(np.dtype(dtype), np.dtype(dtype))


def _from_sequence(data: Any) -> np.ndarray:
    try:
        array = np.array(data)
    except ValueError:
        array = np.empty(0, object)
    if array.dtype == object:
        raise TypeError(
            f"For 'Tensor', the input_data {_short(data)} contain unsupported element: all elements must be numbers, and "
            "rows of one level must have the same length."
        )
    if array.dtype.kind in "US":
        raise TypeError(f"For 'Tensor', the input_data {_short(data)} contain unsupported element: text.")
    return array


def holds_tensors(data: Any) -> bool:
    """Whether a nested list has Tensors among its elements."""
    return any(hasattr(x, "asnumpy") or (isinstance(x, (list, tuple)) and holds_tensors(x)) for x in data)


def _short(data: Any) -> str:
    text = repr(data)
    return text if len(text) <= 80 else text[:77] + "..."


def lazy_parts(shape: Any, dtype: DType | None, init: Any) -> tuple[tuple[int, ...], DType, Any]:
    """Shape, dtype and initializer of a Tensor whose data is made on first use; -1 in the shape for a dynamic dimension."""
    if init is not None and (shape is None or dtype is None):
        raise ValueError(
            f"For 'Tensor', the 'init' needs 'shape' and 'dtype' at the same time, but got shape={shape!r}, dtype={dtype!r}."
        )
    if shape is None and dtype is not None:
        return (-2,), dtype, None  # the description of an input of any number of axes
    if shape is None or dtype is None:
        raise TypeError(
            "For 'Tensor', give 'input_data', or both 'shape' and 'dtype' (and 'init' for other data than zeros), but got "
            f"shape={shape!r}, dtype={dtype!r}, init={init!r}."
        )
    lengths = (shape,) if isinstance(shape, int) else tuple(shape)
    if init is None:
        lengths = tuple(-1 if n is None or isinstance(n, Symbol) else n for n in lengths)
    init = None if init is None else to_initializer(init)
    least = -1 if init is None else 0  # -1 or None: a dynamic dimension of an input description
    if not all(isinstance(n, (int, np.integer)) and not isinstance(n, bool) and n >= least for n in lengths):
        raise ValueError(
            "For 'Tensor', the 'shape' must hold non-negative integers, or None for a size left open (without 'init'), but got "
            f"{shape!r}."
        )
    return tuple(int(n) for n in lengths), dtype, init
