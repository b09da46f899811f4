"""Sorting, and the largest elements. Equal elements keep their order; positions are int32."""

from __future__ import annotations

from typing import Any

import jax.numpy as jnp
import numpy as np

from mindspore._engine.operator.arguments import Array
from mindspore._engine.operator.registry import op
from mindspore._kernels import sorting
from mindspore._ops.declaring.dtype_checks import accepts
from mindspore._ops.declaring.promotion import axis_of


def in_order(x: Any, axis: int, descending: bool) -> tuple[Any, Any]:
    """The elements in order along an axis and their positions; a number is in order."""
    return sorting.sort(x, axis, descending) if x.ndim else (x, jnp.zeros((), jnp.int32))


@op(primitive="Sort", init=("axis", "descending"), call_order=("input_x",), method="sort",
    old={"input_x": ("x", "input"), "axis": ("dim",)},
    test=lambda t: [t.case(t.normal(2, 3), expect=lambda x: (np.sort(x), np.argsort(x).astype(np.int32))),
                    t.case(t.normal(4, 3), 0, True,
                           expect=lambda x, *_: (-np.sort(-x, 0), np.argsort(-x, 0).astype(np.int32)))])  # fmt: skip
@accepts("bif", "input_x")
def sort(input_x: Array, axis: int = -1, descending: bool = False, stable: bool = False):
    """The elements sorted along ``axis``, and the index of each in the input; equal elements always keep their order.

    Examples:
        >>> from mindspore import Tensor, ops
        >>> value, position = ops.sort(Tensor([3.0, 1.0, 2.0]))
        >>> print(value, position)
        [1. 2. 3.] [1 2 0]
    """
    return in_order(input_x, axis_of(input_x, axis), descending)


@op(method="argsort", old={"axis": ("dim",)},
    test=lambda t: [t.case(t.normal(2, 3), expect=lambda x: np.argsort(x).astype(np.int32), grad=False),
                    t.case(t.normal(4, 3), 0, True, grad=False,
                           expect=lambda x, *_: np.argsort(-x, 0).astype(np.int32))])  # fmt: skip
@accepts("bif", "input")
def argsort(input: Array, axis: int = -1, descending: bool = False, stable: bool = False):
    """The positions that sort the elements along ``axis``; equal elements always keep their order.

    Examples:
        >>> from mindspore import Tensor, ops
        >>> print(ops.argsort(Tensor([3.0, 1.0, 2.0])))
        [1 2 0]
    """
    return in_order(input, axis_of(input, axis), descending)[1]


@op(method="msort", test=lambda t: [t.case(t.normal(4, 3), expect=lambda x: np.sort(x, 0))])
@accepts("bif", "input")
def msort(input: Array):
    """The elements sorted along the first axis.

    Examples:
        >>> from mindspore import Tensor, ops
        >>> print(ops.msort(Tensor([3.0, 1.0, 2.0])))
        [1. 2. 3.]
    """
    return in_order(input, axis_of(input, 0), False)[0]


def _extreme_elements(x: Any, k: int, axis: int, largest: bool) -> tuple[Any, Any]:
    axis = axis_of(x, axis)
    if not 0 < k <= x.shape[axis]:
        raise ValueError(f"the 'k' must be in (0,{x.shape[axis]}], but got {k}.")
    x = jnp.moveaxis(x, axis, -1)
    value, position = sorting.top(x, k, largest)
    return jnp.moveaxis(value, -1, axis), jnp.moveaxis(position, -1, axis)


def _largest_two(x: np.ndarray, *_: Any) -> tuple[np.ndarray, np.ndarray]:
    order = np.argsort(-x, -1)[..., :2]
    return np.take_along_axis(x, order, -1), order.astype(np.int32)


@op(method="topk", old={"input": ("input_x",), "dim": ("axis",)},
    test=lambda t: [t.case(t.normal(3, 4), 2, expect=_largest_two),
                    t.case(t.normal(3, 4), 1, 0, False,
                           expect=lambda x, *_: (x.min(0)[None], x.argmin(0)[None].astype(np.int32)))])  # fmt: skip
@accepts("if", "input")
def topk(input: Array, k: int, dim: int | None = None, largest: bool = True, sorted: bool = True):
    """The ``k`` largest (or smallest) elements along ``dim``, by default the last axis, and their positions.

    Examples:
        >>> from mindspore import Tensor, ops
        >>> value, position = ops.topk(Tensor([3.0, 1.0, 4.0]), 2)
        >>> print(value, position)
        [4. 3.] [2 0]
    """
    return _extreme_elements(input, k, -1 if dim is None else dim, largest)


@op(primitive="TopK", init=("sorted",), method="top_k", old={"input_x": ("input",)},
    test=lambda t: [t.case(t.normal(3, 4), 2, expect=_largest_two)])  # fmt: skip
@accepts("if", "input_x")
def top_k(input_x: Array, k: int, sorted: bool = True):
    """The ``k`` largest elements along the last axis and their positions.

    Examples:
        >>> from mindspore import Tensor, ops
        >>> value, position = ops.TopK()(Tensor([3.0, 1.0, 4.0]), 2)
        >>> print(value, position)
        [4. 3.] [2 0]
    """
    return _extreme_elements(input_x, k, -1, True)


@op(primitive="InTopK", init=("k",),
    test=lambda t: [t.case(np.array([[1.0, 5, 3], [4, 2, 6]]), np.array([2, 1]), 2, grad=False,
                           expect=lambda x, target, k: np.array([True, False]))])  # fmt: skip
@accepts("f", "x1")
def intopk(x1: Array, x2: Array, k: int):
    """Whether the element of each row of ``x1`` that ``x2`` names is among the row's ``k`` largest.

    Examples:
        >>> from mindspore import Tensor, ops
        >>> print(ops.intopk(Tensor([[1.0, 5.0, 3.0], [4.0, 2.0, 6.0]]), Tensor([2, 1]), 2))
        [ True False]
    """
    if x1.ndim != 2 or x2.shape != x1.shape[:1]:
        raise ValueError(
            f"the 'x1' must have 2 axes and 'x2' one element for each row, but got {x1.shape} and {x2.shape}."
        )
    named = jnp.take_along_axis(x1, x2[:, None], -1, mode="clip")
    exists = (x2 >= 0) & (x2 < x1.shape[1])
    return (jnp.sum(x1 > named, -1) < k) & exists
