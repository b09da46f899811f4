"""Reductions, extremes, running sums, order."""

from __future__ import annotations

from typing import Any

import numpy as np

from mindspore import ops
from mindspore._engine.base import dtype as dtypes
from mindspore._engine.tensor.tensor import Tensor
from mindspore.train._onnx.table import OnnxNode, ints, is_float, number, operator, positive

_KINDS = ("ReduceSum", "ReduceMean", "ReduceMax", "ReduceMin", "ReduceProd", "ReduceL1", "ReduceL2", "ReduceLogSum",
          "ReduceLogSumExp", "ReduceSumSquare")  # fmt: skip


@operator(*_KINDS, known=(1,))
def reduce(node: OnnxNode, x: Tensor, axes: Any = None) -> Tensor:
    """Axes are an input, in older files an attribute; without any, all axes are reduced, or none."""
    axes = ints(axes) if axes is not None else node.get("axes") or []
    if not axes and node.flag("noop_with_empty_axes"):
        return _unreduced(node.kind, x)
    axes = tuple(sorted({positive(axis, x.ndim) for axis in axes})) or tuple(range(x.ndim))
    keep = node.flag("keepdims", 1)
    return _reduced(node.kind, x, axes, keep).astype(x.dtype)


def _unreduced(kind: str, x: Tensor) -> Tensor:
    if kind in ("ReduceL1", "ReduceL2"):
        return ops.abs(x)
    if kind == "ReduceSumSquare":
        return x * x
    return ops.log(x) if kind == "ReduceLogSum" else x


def _reduced(kind: str, x: Tensor, axes: tuple[int, ...], keep: bool) -> Tensor:
    if not axes:  # a scalar
        return _unreduced(kind, x)
    if kind in ("ReduceMax", "ReduceMin"):
        return _extreme(kind == "ReduceMax", x, axes, keep)
    if kind == "ReduceMean":
        total = ops.sum(x, axes, keep)
        count = int(np.prod([x.shape[axis] for axis in axes]))
        return total / count if is_float(x) else ops.truncate_div(total, Tensor(count, total.dtype))
    if kind == "ReduceProd":
        for axis in reversed(axes):
            x = ops.prod(x, axis, keep)
        return x
    if kind == "ReduceLogSumExp":
        wide = x if is_float(x) else x.astype(dtypes.float32)
        return ops.logsumexp(wide, axes, keep)
    inner = ops.abs(x) if kind == "ReduceL1" else x * x if kind in ("ReduceL2", "ReduceSumSquare") else x
    total = ops.sum(inner, axes, keep)
    return (
        ops.sqrt(total.astype(x.dtype)) if kind == "ReduceL2" else ops.log(total) if kind == "ReduceLogSum" else total
    )


def _extreme(largest: bool, x: Tensor, axes: tuple[int, ...], keep: bool) -> Tensor:
    if any(x.shape[axis] == 0 for axis in axes):
        shape = [1 if axis in axes else size for axis, size in enumerate(x.shape) if keep or axis not in axes]
        return ops.full(tuple(shape), _limit(x.dtype.np_dtype, not largest), dtype=x.dtype)
    plain = x.astype(dtypes.int32) if x.dtype == dtypes.bool_ else x
    return (ops.amax if largest else ops.amin)(plain, axes, keep)


def _limit(dtype: np.dtype, largest: bool) -> Any:
    if dtype.kind == "b":
        return largest
    if dtype.kind in "iu":
        info = np.iinfo(dtype)
        return info.max if largest else info.min
    return float("inf") if largest else -float("inf")


@operator("ArgMax", "ArgMin")
def extreme_index(node: OnnxNode, x: Tensor) -> Tensor:
    axis, keep = positive(node.get("axis", 0), x.ndim), node.flag("keepdims", 1)
    find = ops.argmax if node.kind == "ArgMax" else ops.argmin
    last = node.flag("select_last_index")
    found = x.shape[axis] - 1 - find(ops.flip(x, (axis,)), axis) if last else find(x, axis)
    return (ops.expand_dims(found, axis) if keep else found).astype(dtypes.int64)


@operator("CumSum", "CumProd", known=(1,))
def cumulative(node: OnnxNode, x: Tensor, axis: Any) -> Tensor:
    where = positive(int(number(axis)), x.ndim)
    x = ops.flip(x, (where,)) if node.flag("reverse") else x
    if node.flag("exclusive"):
        first = ops.full_like(ops.narrow(x, where, 0, 1), 0 if node.kind == "CumSum" else 1)
        x = ops.concat([first, ops.narrow(x, where, 0, x.shape[where] - 1)], where)
    found = (ops.cumsum if node.kind == "CumSum" else ops.cumprod)(x, where).astype(x.dtype)
    return ops.flip(found, (where,)) if node.flag("reverse") else found


@operator("TopK", known=(1,))
def top_k(node: OnnxNode, x: Tensor, count: Any = None) -> tuple[Tensor, Tensor]:
    """Of equal values the first come first."""
    axis = positive(node.get("axis", -1), x.ndim)
    count = node.get("k") if count is None else int(number(count))
    if not 0 <= count <= x.shape[axis]:
        raise ValueError(f"k must be from 0 to {x.shape[axis]}, the length of axis {axis}, but got {count}.")
    keys = x if node.flag("largest", 1) else _negated(x)
    order = (
        ops.argsort(keys, axis, descending=True) if x.dtype == dtypes.uint64 else ops.topk(keys, x.shape[axis], axis)[1]
    )
    indices = ops.narrow(order, axis, 0, count).astype(dtypes.int64)
    return ops.gather_elements(x, axis, indices), indices


def _negated(x: Tensor) -> Tensor:
    """The opposite order."""
    return -x if is_float(x) else ops.bitwise_not(x)
