"""Arguments of Primitive classes in the kind that is wanted."""

from __future__ import annotations

from importlib import import_module
from typing import Any

from mindspore._engine.base import dtype as dtypes
from mindspore._engine.tensor.tensor import Tensor

_WHOLE = (
    dtypes.int8,
    dtypes.int16,
    dtypes.int32,
    dtypes.int64,
    dtypes.uint8,
    dtypes.uint16,
    dtypes.uint32,
    dtypes.uint64,
)
_REAL = (dtypes.float16, dtypes.float32, dtypes.float64, dtypes.bfloat16)


def int_to_float(data: int) -> float:
    """An int as a float.

    >>> int_to_float(3)
    3.0
    """
    return float(data)


def scalar_to_tuple(data: Any) -> tuple:
    """One element as a tuple of it.

    >>> scalar_to_tuple(3)
    (3,)
    """
    return (data,)


def tensor_to_tuple(data: Tensor) -> tuple:
    """The elements of a Tensor of at most one dimension.

    >>> tensor_to_tuple(Tensor([1, 2]))
    (1, 2)
    """
    if data.ndim > 1:
        raise TypeError(f"For 'tensor_to_tuple', the 'data' must have at most 1 dimension, but got shape {data.shape}.")
    return tuple(data.tolist()) if data.ndim else (data.item(),)


def scalar_to_tensor(data: Any) -> Tensor:
    """A number as a Tensor; ints become Int32.

    >>> scalar_to_tensor(3)
    Tensor(shape=[], dtype=Int32, value= 3)
    """
    return _narrow(data)


def tuple_to_tensor(data: tuple) -> Tensor:
    """A tuple as a Tensor; ints become Int32.

    >>> tuple_to_tensor((1, 2))
    Tensor(shape=[2], dtype=Int32, value= [1, 2])
    """
    return _narrow(data)


def list_to_tensor(data: list) -> Tensor:
    """A list as a Tensor; ints become Int32.

    >>> list_to_tensor([1, 2])
    Tensor(shape=[2], dtype=Int32, value= [1, 2])
    """
    return _narrow(data)


def _narrow(data: Any) -> Tensor:
    made = Tensor(data)
    return Tensor(data, dtypes.int32) if made.dtype == dtypes.int64 else made


def is_integral_mstype(dtype: Any) -> bool:
    """Whether a dtype holds whole numbers.

    >>> is_integral_mstype(dtypes.int32), is_integral_mstype(dtypes.float32)
    (True, False)
    """
    return dtype in _WHOLE


def is_floating_point_mstype(dtype: Any) -> bool:
    """Whether a dtype holds real numbers.

    >>> is_floating_point_mstype(dtypes.float16)
    True
    """
    return dtype in _REAL


_CONVERSIONS = [
    "DtypeToEnum",
    "IsDimUnKnown",
    "ListToTuple",
    "StringToEnum",
    "TupleToList",
    "dtype_to_type_id",
    "is_sequence_shape_unknown",
    "list_to_tuple",
    "str_to_enum",
    "tuple_to_list",
]


def __getattr__(name: str) -> Any:
    """The kinds of arguments, and the primitives that convert: they stand beside the generated operators."""
    kinds = import_module("mindspore.ops.auto_generate._argument_types")
    if name in kinds.VALUES:
        return kinds.VALUES[name]
    if not name.startswith("_") and name in vars(kinds):
        return vars(kinds)[name]
    if name in _CONVERSIONS:
        return import_module("mindspore.ops.auto_generate._names").found(name)
    raise AttributeError(f"module '{__name__}' has no attribute '{name}'")
