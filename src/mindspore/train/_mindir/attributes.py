"""Attributes and tensors of MINDIR messages as Python values."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any, NamedTuple

import ml_dtypes
import numpy as np

from mindspore._engine.export.export_file import GraphFileError
from mindspore.train.mind_ir_pb2 import AttributeProto, TensorProto

DTYPES: dict[int, np.dtype] = {
    number: np.dtype(kind)
    for number, kind in {
        TensorProto.FLOAT: np.float32, TensorProto.UINT8: np.uint8, TensorProto.INT8: np.int8, TensorProto.UINT16: np.uint16,
        TensorProto.INT16: np.int16, TensorProto.INT32: np.int32, TensorProto.INT64: np.int64, TensorProto.BOOL: np.bool_,
        TensorProto.FLOAT16: np.float16, TensorProto.DOUBLE: np.float64, TensorProto.UINT32: np.uint32,
        TensorProto.UINT64: np.uint64, TensorProto.COMPLEX64: np.complex64, TensorProto.COMPLEX128: np.complex128,
        TensorProto.BFLOAT16: ml_dtypes.bfloat16, TensorProto.FLOAT64: np.float64,
    }.items()
}  # fmt: skip
_MOST_AXES = 32
_INTEGERS = frozenset({
    AttributeProto.UINT8, AttributeProto.INT8, AttributeProto.UINT16, AttributeProto.INT16, AttributeProto.INT32,
    AttributeProto.INT64, AttributeProto.UINT32, AttributeProto.UINT64,
})  # fmt: skip
_CLOSURES = frozenset({AttributeProto.FUNCGRAPHCLOSURE, AttributeProto.PRIMITIVECLOSURE})


class Monad:
    """What orders effects in a graph: it has no value."""

    def __repr__(self) -> str:
        return "monad"


MONAD = Monad()


class DTypeValue(NamedTuple):
    """A dtype among the values of a graph."""

    dtype: np.dtype | None


class Callee(NamedTuple):
    """The name of a function or primitive that stands as a value."""

    name: str


External = Callable[[Any, int], np.ndarray]  # (message, bytes) -> its data from another file


def shape_of(tensor: Any) -> tuple[int, ...]:
    """The sizes of a tensor; -1 is open."""
    if len(tensor.dims) > _MOST_AXES:
        raise GraphFileError(f"the tensor '{tensor.name}' has {len(tensor.dims)} axes, more than {_MOST_AXES}")
    return tuple(tensor.dims)


def dtype_of(tensor: Any) -> np.dtype:
    found = DTYPES.get(tensor.data_type)
    if found is None:
        raise GraphFileError(f"the tensor '{tensor.name}' has the unknown dtype {tensor.data_type}")
    return found


def array_of(tensor: Any, external: External | None = None) -> np.ndarray:
    """The data of a tensor, as many bytes as its shape and dtype say."""
    shape, dtype = shape_of(tensor), dtype_of(tensor)
    if any(size < 0 for size in shape):
        raise GraphFileError(f"the tensor '{tensor.name}' has data but the open shape {shape}")
    if tensor.compression_type:
        raise GraphFileError(
            f"the tensor '{tensor.name}' is compressed (kind {tensor.compression_type}), which no export does"
        )
    expected = math.prod(shape) * dtype.itemsize
    if tensor.HasField("external_data") and external is not None:
        data: Any = external(tensor, expected)
    else:
        data = tensor.raw_data
    if len(data) != expected:
        raise GraphFileError(
            f"the tensor '{tensor.name}' of shape {shape} and dtype {dtype.name} must have {expected} bytes, but has {len(data)}"
        )
    return np.frombuffer(data, dtype).reshape(shape)


def value_of(attribute: Any) -> Any:
    """The value of an attribute: numbers, text, arrays, dtypes, sequences of them, or a marker."""
    kind = attribute.type
    if kind in (AttributeProto.TUPLE, AttributeProto.LIST):
        values = [value_of(one) for one in attribute.values]
        return tuple(values) if kind == AttributeProto.TUPLE else values
    if kind == AttributeProto.DICT:
        return {one.name: value_of(one.values[0]) if one.values else value_of(one) for one in attribute.values}
    if kind in (AttributeProto.UMONAD, AttributeProto.IOMONAD):
        return MONAD
    if kind in (AttributeProto.NONE, AttributeProto.TYPE_NULL):
        return None
    if kind in _CLOSURES:
        return Callee(_text(attribute))
    if kind in (AttributeProto.TENSORS, AttributeProto.TENSOR):
        return _tensors(attribute)
    return _scalar(attribute)


def _scalar(attribute: Any) -> Any:
    kind = attribute.type
    if kind == AttributeProto.BOOL:
        return bool(_one(attribute, "i", "ints"))
    if kind in _INTEGERS:
        return int(_one(attribute, "i", "ints"))
    if kind == AttributeProto.STRING:
        return _text(attribute)
    if kind in (AttributeProto.FLOAT, AttributeProto.FLOAT16, AttributeProto.BFLOAT16):
        # a float32 in the file is the shortest decimal number that rounds to it, as in the program it came from
        return float(str(np.float32(_one(attribute, "f", "floats"))))
    if kind == AttributeProto.DOUBLE:
        return float(_one(attribute, "d", "doubles"))
    raise GraphFileError(f"the attribute '{attribute.name}' is of a kind ({kind}) that graphs here do not have")


def _one(attribute: Any, single: str, several: str) -> Any:
    if attribute.HasField(single) or not attribute.HasField(several):
        return getattr(attribute, single)
    return getattr(attribute, several)[0]


def _text(attribute: Any) -> str:
    return str(_one(attribute, "s", "strings"), "utf-8", "replace")


def _tensors(attribute: Any) -> Any:
    found = list(attribute.tensors) or [attribute.t]
    values = [_tensor(one) for one in found]
    return values[0] if len(values) == 1 else tuple(values)


def _tensor(tensor: Any) -> Any:
    """An array, or the dtype where a tensor only states one."""
    if not tensor.HasField("raw_data") and not tensor.dims and not tensor.HasField("external_data"):
        return DTypeValue(DTYPES.get(tensor.data_type))
    return array_of(tensor)
