"""Rectangular pieces of a tensor by begin, end, size and stride."""

from __future__ import annotations

import builtins
from collections.abc import Sequence
from typing import Any

import numpy as np
from jax import lax
from jax.core import Tracer

from mindspore._engine.base.trace_state import state
from mindspore._engine.execution.indexing import read
from mindspore._engine.operator.arguments import Array, Shape
from mindspore._engine.operator.primitive import Primitive
from mindspore._engine.operator.registry import op, register_function, register_primitive
from mindspore._engine.tensor.tensor import Tensor
from mindspore._ops.declaring.promotion import normal_axis
from mindspore._ops.declaring.requirements import require
from mindspore._utils.checks import check_non_negative_int
from mindspore._utils.compat.old_names import old_names
from mindspore._utils.refusals import WrongObject, refused, type_or_value


def _ints(values: Any, owner: str, name: str) -> tuple[int, ...]:
    if isinstance(values, Tensor):
        values = values.tolist()
    if isinstance(values, (int, np.integer)) and not isinstance(values, bool):
        values = (values,)
    if not isinstance(values, (tuple, list)) or not all(
        isinstance(v, (int, np.integer)) and not isinstance(v, bool) for v in values
    ):
        raise TypeError(f"For '{owner}', the '{name}' must be a tuple of ints, but got {values!r}.")
    return tuple(int(v) for v in values)


def strided_slice(
    input_x: Tensor,
    begin: Sequence[int],
    end: Sequence[int],
    strides: Sequence[int],
    begin_mask: int = 0,
    end_mask: int = 0,
    ellipsis_mask: int = 0,
    new_axis_mask: int = 0,
    shrink_axis_mask: int = 0,
) -> Tensor:
    """``input_x[begin[0]:end[0]:strides[0], ...]``; bit i of a mask concerns entry i.

    Args:
        begin_mask, end_mask: entries without a begin, without an end.
        ellipsis_mask, new_axis_mask, shrink_axis_mask: entries that stand for ``...``, ``None`` and ``begin[i]`` alone.

    Examples:
        >>> from mindspore import Tensor, ops
        >>> print(ops.strided_slice(Tensor([[1, 2, 3], [4, 5, 6]]), (0, 0), (2, 3), (1, 2)))
        [[1 3]
         [4 6]]
    """
    return _strided(
        "strided_slice",
        input_x,
        begin,
        end,
        strides,
        (begin_mask, end_mask, ellipsis_mask, new_axis_mask, shrink_axis_mask),
    )


_MASKS = ("begin_mask", "end_mask", "ellipsis_mask", "new_axis_mask", "shrink_axis_mask")


def _check_masks(owner: str, masks: Sequence[int]) -> None:
    for name, mask in zip(_MASKS, masks, strict=True):
        check_non_negative_int(owner, name, mask)


def _strided(owner: str, x: Any, begin: Any, end: Any, strides: Any, masks: Sequence[int]) -> Tensor:
    if any(masks):
        _check_masks(owner, masks)
    if not isinstance(x, Tensor):
        raise refused(
            WrongObject, f"For '{owner}', the 'input_x' must be a Tensor, but got {x!r} of type {type(x).__name__}."
        )
    begin, end, strides = (_ints(v, owner, n) for v, n in ((begin, "begin"), (end, "end"), (strides, "strides")))
    if not len(begin) == len(end) == len(strides):
        raise type_or_value(ValueError)(
            f"For '{owner}', the 'begin', 'end' and 'strides' must have the same length, but got {begin}, {end} and "
            f"{strides}."
        )
    if x.ndim == 0:
        raise ValueError(f"For '{owner}', the 'input_x' must have at least 1 dimension, but got a number.")
    if 0 in strides:
        raise ValueError(f"For '{owner}', the 'strides' cannot contain 0, but got {strides}.")
    return _part(x, strided_index(begin, end, strides, masks))


def _part(x: Tensor, index: tuple) -> Tensor:
    """A slice of ``x``; in eager mode it shares memory."""
    return x[index] if state.scope is None else read(x, index)


def strided_index(begin: Sequence[int], end: Sequence[int], strides: Sequence[int], masks: Sequence[int]) -> tuple:
    """The index of a slice with strides; bits of the masks leave out begin or end, or mean ``...``, None or one element."""
    index: list[Any] = []
    for bit, (low, high, step) in enumerate(zip(begin, end, strides, strict=True)):
        no_begin, no_end, ellipsis, new_axis, shrink = (mask >> bit & 1 for mask in masks)
        if ellipsis:
            index.append(...)
        elif new_axis:
            index.append(None)
        elif shrink:
            index.append(low)
        else:
            index.append(builtins.slice(None if no_begin else low, None if no_end else high, step))
    return tuple(index)


@register_primitive
class StridedSlice(Primitive):
    """A piece with strides, see :func:`mindspore.ops.strided_slice`.

    Examples:
        >>> from mindspore import Tensor, ops
        >>> print(ops.StridedSlice()(Tensor([1, 2, 3, 4, 5]), (0,), (5,), (2,)))
        [1 3 5]
    """

    def __init__(
        self,
        begin_mask: int = 0,
        end_mask: int = 0,
        ellipsis_mask: int = 0,
        new_axis_mask: int = 0,
        shrink_axis_mask: int = 0,
    ):
        super().__init__()
        self.masks = (begin_mask, end_mask, ellipsis_mask, new_axis_mask, shrink_axis_mask)
        _check_masks("StridedSlice", self.masks)
        for name, mask in zip(_MASKS, self.masks, strict=True):
            self.add_prim_attr(name, mask)

    def __call__(self, input_x: Tensor, begin: Any, end: Any, strides: Any) -> Tensor:
        return _strided("StridedSlice", input_x, begin, end, strides, self.masks)


@op(public=False, test=lambda t: [t.case(t.normal(3, 4), np.array([1, 2]), (2, 2), expect=lambda x, *_: x[1:, 2:])])
def _slice_at(input_x: Array, begin: Array, size: Shape):
    """A slice of static size at a dynamic start, which is clamped so that the slice fits."""
    return lax.dynamic_slice(input_x, begin, size)


def _sliced(owner: str, x: Any, begin: Any, size: Any) -> Tensor:
    if not isinstance(x, Tensor):
        raise refused(
            WrongObject, f"For '{owner}', the 'input_x' must be a Tensor, but got {x!r} of type {type(x).__name__}."
        )
    lengths = _ints(size, owner, "size")
    if isinstance(begin, Tensor) and isinstance(begin._read(), Tracer) and -1 not in lengths and len(lengths) == x.ndim:
        return _slice_at(x, begin, lengths)
    lows = _ints(begin, owner, "begin")
    if not len(lows) == len(lengths) == x.ndim:
        raise type_or_value(ValueError)(
            f"For '{owner}', the 'begin' and 'size' must have a number for each of {x.ndim} axes, but got {lows} and "
            f"{lengths}."
        )
    index = [
        builtins.slice(low, n if count == -1 else low + count)
        for n, low, count in zip(x.shape, lows, lengths, strict=True)
    ]
    if not all(0 <= part.start <= part.stop <= n for part, n in zip(index, x.shape, strict=True)):
        raise ValueError(
            f"For '{owner}', the 'begin' and 'size' must stay inside the input of shape {x.shape}, but got {lows} and "
            f"{lengths}."
        )
    return _part(x, tuple(index))


@old_names(input="input_x", x="input_x")
def slice(input_x: Tensor, begin: Sequence[int], size: Sequence[int]) -> Tensor:
    """A piece that starts at ``begin`` and has lengths ``size``; -1 takes all that is left of an axis.

    In a graph ``begin`` may be a Tensor; then ``size`` must hold real lengths.

    Examples:
        >>> from mindspore import Tensor, ops
        >>> print(ops.slice(Tensor([[1, 2, 3], [4, 5, 6]]), (0, 1), (2, -1)))
        [[2 3]
         [5 6]]
    """
    return _sliced("slice", input_x, begin, size)


@register_primitive
class Slice(Primitive):
    """A piece of given lengths, see :func:`mindspore.ops.slice`.

    Examples:
        >>> from mindspore import Tensor, ops
        >>> print(ops.Slice()(Tensor([[1, 2], [3, 4]]), (0, 1), (2, 1)))
        [[2]
         [4]]
    """

    @old_names(input_x="input", x="input")
    def __call__(self, input: Tensor, begin: Any, size: Any) -> Tensor:
        return _sliced("Slice", input, begin, size)


def _piece(x: np.ndarray, shape: tuple[int, ...], axis: int, start: int, length: int) -> np.ndarray:
    start = start + x.shape[axis] if start < 0 else start
    return x[(builtins.slice(None),) * (axis % x.ndim) + (builtins.slice(start, start + length),)]


@op(view=_piece, method="narrow", old={"input": ("inputs",), "axis": ("dim",)},
    test=lambda t: [t.case(t.normal(3, 4), 1, 1, 2, expect=lambda x, *_: x[:, 1:3])])  # fmt: skip
def narrow(input: Array, axis: int, start: int, length: int):
    """The piece of an axis that starts at ``start`` and has ``length`` elements.

    Examples:
        >>> from mindspore import Tensor, ops
        >>> print(ops.narrow(Tensor([1, 2, 3, 4]), 0, 1, 2))
        [2 3]
    """
    axis = normal_axis(axis, input.ndim)
    low = start + input.shape[axis] if start < 0 else start
    text = (
        f"the 'start' and 'length' must stay inside axis {axis} of {input.shape[axis]}, but got {start} and {length}."
    )
    require(low >= 0 and length >= 0 and low + length <= input.shape[axis], text)
    return lax.slice_in_dim(input, low, low + length, axis=axis)


register_function(strided_slice)
register_function(slice, aliases="tensor_slice")
