"""Tensors and attributes of ONNX messages as NumPy arrays and Python values."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import ml_dtypes
import numpy as np

from mindspore._engine.export.export_file import GraphFileError
from mindspore.train._onnx import messages

# TensorProto.data_type -> dtype, in the order of the numbers from 1
_KINDS = (
    np.float32, np.uint8, np.int8, np.uint16, np.int16, np.int32, np.int64, np.object_, np.bool_, np.float16, np.float64,
    np.uint32, np.uint64, np.complex64, np.complex128, ml_dtypes.bfloat16, ml_dtypes.float8_e4m3fn,
    ml_dtypes.float8_e4m3fnuz, ml_dtypes.float8_e5m2, ml_dtypes.float8_e5m2fnuz, ml_dtypes.uint4, ml_dtypes.int4,
    ml_dtypes.float4_e2m1fn, ml_dtypes.float8_e8m0fnu, ml_dtypes.uint2, ml_dtypes.int2,
)  # fmt: skip
DTYPES: dict[int, np.dtype] = {number: np.dtype(kind) for number, kind in enumerate(_KINDS, 1)}
_STRING = 8
_BITS = {np.dtype(kind): 4 for kind in (ml_dtypes.uint4, ml_dtypes.int4, ml_dtypes.float4_e2m1fn)}
_BITS.update({np.dtype(kind): 2 for kind in (ml_dtypes.uint2, ml_dtypes.int2)})
_MOST_AXES = 32
_EXTERNAL = 1  # TensorProto.data_location

External = Callable[[Any, int], Any]  # (message, bytes) -> its data from another file


def dtype_of(number: int, name: str) -> np.dtype:
    found = DTYPES.get(number)
    if found is None:
        raise GraphFileError(f"the tensor '{name}' has the unknown element type {number}")
    return found


def array_of(tensor: Any, external: External | None = None) -> np.ndarray:
    """The data of a tensor: as much of it as its shape and dtype say."""
    shape, dtype = tuple(tensor.dims), dtype_of(tensor.data_type, tensor.name)
    if len(shape) > _MOST_AXES or any(size < 0 for size in shape):
        raise GraphFileError(f"the tensor '{tensor.name}' has the impossible shape {shape[:_MOST_AXES]}")
    count = math.prod(shape)
    if tensor.data_type == _STRING:
        values = [bytes(text).decode("utf-8", "replace") for text in tensor.string_data]
        _check_count(tensor, shape, count, len(values), "texts")
        return np.array(values, np.object_).reshape(shape)
    bits = _BITS.get(dtype, dtype.itemsize * 8)
    expected = -(-count * bits // 8)
    if tensor.data_location == _EXTERNAL:
        if external is None:
            raise GraphFileError(
                f"the tensor '{tensor.name}' is stored in another file, which is allowed for weights only"
            )
        return _from_bytes(external(tensor, expected), dtype, bits, count).reshape(shape)
    if tensor.HasField("raw_data"):
        _check_count(tensor, shape, expected, len(tensor.raw_data), "bytes")
        return _from_bytes(tensor.raw_data, dtype, bits, count).reshape(shape)
    return _from_numbers(tensor, dtype, bits, count).reshape(shape)


def _check_count(tensor: Any, shape: tuple[int, ...], expected: int, found: int, what: str) -> None:
    if found != expected:
        raise GraphFileError(
            f"the tensor '{tensor.name}' of shape {shape} must have {expected} {what}, but has {found}"
        )


def _from_bytes(data: Any, dtype: np.dtype, bits: int, count: int) -> np.ndarray:
    if bits >= 8:
        return np.frombuffer(data, dtype.newbyteorder("<") if dtype.kind in "iufc" else dtype, count).astype(
            dtype, copy=False
        )
    return _unpacked(np.frombuffer(data, np.uint8), dtype, bits, count)


def _unpacked(packed: np.ndarray, dtype: np.dtype, bits: int, count: int) -> np.ndarray:
    """Elements of 2 or 4 bits, the first of each byte in its lowest bits."""
    shifts = np.arange(0, 8, bits, dtype=np.uint8)
    parts = ((packed[:, None] >> shifts) & ((1 << bits) - 1)).astype(np.uint8).reshape(-1)[:count]
    return parts.view(dtype) if dtype.itemsize == 1 else parts.astype(dtype)


def _from_numbers(tensor: Any, dtype: np.dtype, bits: int, count: int) -> np.ndarray:
    """Data that stands in the typed fields: half floats as their bits, complex numbers as pairs."""
    if dtype.kind == "c":
        given = np.array(tensor.float_data if dtype == np.complex64 else tensor.double_data, dtype.char.lower())
        _check_count(tensor, tuple(tensor.dims), 2 * count, given.size, "numbers")
        return given.view(dtype)
    if dtype in (np.float32, np.float64):
        given = np.array(tensor.float_data if dtype == np.float32 else tensor.double_data, dtype)
    elif dtype == np.int64:
        given = np.array(tensor.int64_data, np.int64)
    elif dtype in (np.uint32, np.uint64):
        given = np.array(tensor.uint64_data, np.int64).astype(dtype)
    else:
        numbers = np.array(tensor.int32_data, np.int64)
        if bits < 8:
            return _unpacked(numbers.astype(np.uint8), dtype, bits, count)
        # short floats stand there as their bits
        given = numbers.astype(dtype) if dtype.kind in "iub" else numbers.astype(f"u{dtype.itemsize}").view(dtype)
    _check_count(tensor, tuple(tensor.dims), count, given.size, "numbers")
    return given


def sparse_array(sparse: Any) -> np.ndarray:
    """A sparse tensor, written out; bounded by what the file holds times a factor."""
    values, indices, dims = array_of(sparse.values), array_of(sparse.indices), tuple(sparse.dims)
    if any(size < 0 for size in dims) or math.prod(dims) > 1 << 28:
        raise GraphFileError(f"the sparse tensor '{sparse.values.name}' has the impossible shape {dims}")
    whole = np.zeros(dims, values.dtype)
    if indices.ndim == 1:
        whole.reshape(-1)[indices] = values
    else:
        whole[tuple(indices.T)] = values
    return whole


def attribute_value(attribute: Any) -> Any:
    """The value of an attribute; graphs stay messages."""
    kind = attribute.type
    if kind == messages.FLOAT:
        # a float32 in the file is the shortest decimal number that rounds to it, as in the program it came from
        return float(str(np.float32(attribute.f)))
    if kind == messages.FLOATS:
        return [float(str(np.float32(value))) for value in attribute.floats]
    if kind == messages.INT:
        return int(attribute.i)
    if kind == messages.INTS:
        return [int(value) for value in attribute.ints]
    if kind == messages.STRING:
        return bytes(attribute.s).decode("utf-8", "replace")
    if kind == messages.STRINGS:
        return [bytes(text).decode("utf-8", "replace") for text in attribute.strings]
    if kind == messages.TENSOR:
        return array_of(attribute.t)
    if kind == messages.SPARSE_TENSOR:
        return sparse_array(attribute.sparse_tensor)
    if kind == messages.GRAPH:
        return attribute.g
    if kind == messages.TYPE_PROTO:
        return attribute.tp
    raise GraphFileError(f"the attribute '{attribute.name}' is of the kind {kind}, which no operator here has")
