"""Sequences are Python lists; optional values are None or the value."""

from __future__ import annotations

from typing import Any

import numpy as np

from mindspore import ops
from mindspore._engine.tensor.tensor import Tensor
from mindspore.train._onnx.operators.shaping import split_at
from mindspore.train._onnx.table import OnnxNode, ints, operator, positive


def _as_tensor(x: Any) -> Any:
    return Tensor(x) if isinstance(x, np.ndarray) and x.dtype != np.object_ else x


def _index(node: OnnxNode, position: Any, length: int) -> int:
    index = int(np.asarray(position.asnumpy() if isinstance(position, Tensor) else position).reshape(-1)[0])
    if not -length <= index <= length:
        raise ValueError(f"the position must be from {-length} to {length}, but got {index}.")
    return index + length if index < 0 else index


@operator("SequenceEmpty", raw=True)
def sequence_empty(node: OnnxNode) -> list[Any]:
    return []


@operator("SequenceConstruct", raw=True)
def sequence_construct(node: OnnxNode, *values: Any) -> Any:
    return ([_as_tensor(value) for value in values],)


@operator("SequenceAt", raw=True)
def sequence_at(node: OnnxNode, values: list[Any], position: Any) -> Any:
    return values[_index(node, position, len(values))]


@operator("SequenceInsert", raw=True)
def sequence_insert(node: OnnxNode, values: list[Any], value: Any, position: Any = None) -> Any:
    where = len(values) if position is None else _index(node, position, len(values))
    return ([*values[:where], _as_tensor(value), *values[where:]],)


@operator("SequenceErase", raw=True)
def sequence_erase(node: OnnxNode, values: list[Any], position: Any = None) -> Any:
    where = len(values) - 1 if position is None else _index(node, position, len(values))
    return ([*values[:where], *values[where + 1 :]],)


@operator("SequenceLength", raw=True)
def sequence_length(node: OnnxNode, values: list[Any]) -> np.ndarray:
    return np.array(len(values), np.int64)


@operator("ConcatFromSequence", raw=True)
def concat_from_sequence(node: OnnxNode, values: list[Any]) -> Tensor:
    parts = [_as_tensor(value) for value in values]
    if node.flag("new_axis"):
        return ops.stack(parts, node.get("axis"))
    return ops.concat(parts, positive(node.get("axis"), parts[0].ndim))


@operator("SplitToSequence", known=(1,))
def split_to_sequence(node: OnnxNode, x: Tensor, sizes: Any = None) -> Any:
    axis = positive(node.get("axis", 0), x.ndim)
    length = x.shape[axis]
    if sizes is None:
        parts = split_at(x, [1] * length, axis)
        if not node.flag("keepdims", 1):
            parts = [ops.squeeze(part, axis) for part in parts]
        return (parts,)
    if np.asarray(sizes).ndim == 0:
        each = int(sizes)
        counts = [min(each, length - start) for start in range(0, length, each)]
    else:
        counts = ints(sizes)
    return (split_at(x, counts, axis),)


@operator("Optional", raw=True)
def optional(node: OnnxNode, value: Any = None) -> Any:
    return (value,)


@operator("OptionalHasElement", raw=True)
def optional_has_element(node: OnnxNode, value: Any = None) -> np.ndarray:
    return np.array(value is not None)


@operator("OptionalGetElement", raw=True)
def optional_get_element(node: OnnxNode, value: Any) -> Any:
    return (value,)
