"""Pooling to a given output size: the windows share the input as evenly as possible."""

from __future__ import annotations

import math
from typing import Any

import jax.numpy as jnp
import numpy as np

from mindspore._engine.base.open_sizes import is_open
from mindspore._engine.operator.arguments import Array
from mindspore._engine.operator.registry import op
from mindspore._ops.declaring.dtype_checks import accepts
from mindspore._ops.declaring.requirements import require, require_elements, require_float, require_form, require_rank
from mindspore._ops.nn.pooling import Windows, lowest, pool_average, pool_max, pool_max_indices


def _sizes(output_size: Any, lengths: tuple[int, ...]) -> tuple[int, ...]:
    """The output lengths; None (or -1 in old programs) keeps the input's."""
    count = len(lengths)
    given = output_size if isinstance(output_size, tuple) else (output_size,) * count
    text = f"the 'output_size' must be an int or a tuple of {count} positive ints or None, but got {output_size!r}."
    require(all(type(size) in (int, type(None)) for size in given), text, TypeError)
    require_form(len(given) == count and all(size in (None, -1) or size > 0 for size in given), text)
    return tuple(length if size in (None, -1) else size for size, length in zip(given, lengths, strict=True))


def _bounds(length: Any, size: int) -> tuple[Any, Any]:
    """Where each of ``size`` windows on ``length`` elements starts and ends; computed in the graph where that is open."""
    index: Any = np.arange(size)
    if is_open((length, size)):
        index, length = jnp.arange(size), jnp.asarray(length)
    return index * length // size, -(-(index + 1) * length // size)


def average_to(x: Any, output_size: Any, count: int) -> Any:
    """The averages of windows on the last ``count`` axes."""
    require_rank("input", x, count + 1, count + 2)
    require_float("input", x)
    require_elements("input", x, range(x.ndim - count, x.ndim))
    lengths = x.shape[-count:]
    sizes = _sizes(output_size, lengths)
    if all(size == 1 for size in sizes):
        return x.mean(tuple(range(x.ndim - count, x.ndim)), keepdims=True)
    if (
        0 not in x.shape
        and not is_open(lengths)
        and all(length % size == 0 for length, size in zip(lengths, sizes, strict=True))
    ):
        steps = tuple(length // size for length, size in zip(lengths, sizes, strict=True))
        planes = x.reshape(1, -1, *lengths)
        averages = pool_average(planes, Windows(lengths, steps, steps, ((0, 0),) * count), with_padding=False)
        return averages.reshape(*x.shape[:-count], *sizes)
    for axis, size in zip(range(x.ndim - 1, x.ndim - count - 1, -1), reversed(sizes), strict=True):
        x = _averaged(x, axis, size)
    return x


def _averaged(x: Any, axis: int, size: int) -> Any:
    """Windows that may overlap along an axis: a product with the matrix of their weights."""
    starts, ends = _bounds(x.shape[axis], size)
    elements = (jnp if is_open((x.shape[axis], size)) else np).arange(x.shape[axis])[:, None]
    weights = (((elements >= starts) & (elements < ends)) / (ends - starts)).astype(x.dtype)
    if axis == x.ndim - 1:
        return x @ weights
    rows = x.reshape(*x.shape[: axis + 1], math.prod(x.shape[axis + 1 :]))
    return jnp.matmul(weights.T, rows).reshape(*x.shape[:axis], size, *x.shape[axis + 1 :])


def _largest_alone(x: Any, output_size: Any, count: int) -> Any:
    """The same without indices: windows of one size are those of any pooling."""
    require_rank("input", x, count + 1, count + 2)
    lengths = x.shape[-count:]
    sizes = _sizes(output_size, lengths)
    if is_open(lengths):
        for axis, size in zip(range(x.ndim - count, x.ndim), sizes, strict=True):
            x = _largest_of_open(x, axis, size)
        return x
    if 0 in x.shape or any(length % size for length, size in zip(lengths, sizes, strict=True)):
        return _largest(x, output_size, count)[0]
    steps = tuple(length // size for length, size in zip(lengths, sizes, strict=True))
    planes = x if x.ndim == count + 2 else x[None]
    return pool_max(planes, Windows(lengths, steps, steps, ((0, 0),) * count)).reshape(*x.shape[:-count], *sizes)


def _largest_of_open(x: Any, axis: int, size: int) -> Any:
    """The same along an axis that is open: every window is cut out of the whole axis."""
    if size == x.shape[axis]:
        return x
    if size == 1:
        return x.max(axis, keepdims=True)
    starts, ends = _bounds(x.shape[axis], size)
    rows = [-1 if a == axis else 1 for a in range(x.ndim)]
    elements = jnp.arange(x.shape[axis]).reshape(rows)
    inside = ((elements >= starts[i]) & (elements < ends[i]) for i in range(size))
    return jnp.concatenate([jnp.where(one, x, lowest(x.dtype)).max(axis, keepdims=True) for one in inside], axis)


def _largest(x: Any, output_size: Any, count: int) -> tuple[Any, Any]:
    require_rank("input", x, count + 1, count + 2)
    lengths = x.shape[-count:]
    require_elements("input", x, range(x.ndim - count, x.ndim))
    positions = []
    for length, size in zip(lengths, _sizes(output_size, lengths), strict=True):
        starts, ends = _bounds(length, size)
        elements = starts[:, None] + np.arange((ends - starts).max())
        positions.append(np.where(elements < ends[:, None], elements, -1))
    batched = x if x.ndim == count + 2 else x[None]
    values, indices = pool_max_indices(batched, positions)
    return (values, indices) if x.ndim == count + 2 else (values[0], indices[0])


@op(test=lambda t: [t.case(t.normal(2, 3, 6), 2, expect=lambda x, _: x.reshape(2, 3, 2, 3).mean(3)),
                    t.case(t.normal(2, 3, 7), 3)])  # fmt: skip
@accepts("f", "input")
def adaptive_avg_pool1d(input: Array, output_size: Any):
    """The averages of ``output_size`` windows on the last axis.

    Examples:
        >>> from mindspore import Tensor, ops
        >>> print(ops.adaptive_avg_pool1d(Tensor([[[1.0, 3.0, 5.0, 7.0]]]), 2))
        [[[2. 6.]]]
    """
    return average_to(input, output_size, 1)


@op(primitive="AdaptiveAvgPool2D", init=("output_size",), old={"input": ("x", "input_x")},
    test=lambda t: [t.case(t.normal(2, 3, 4, 6), (2, 3), expect=lambda x, _: x.reshape(2, 3, 2, 2, 3, 2).mean((3, 5))),
                    t.case(t.normal(3, 5, 5), (None, 2))])  # fmt: skip
@accepts("f", "input")
def adaptive_avg_pool2d(input: Array, output_size: Any):
    """The averages of as many windows on the last two axes as ``output_size`` says; None keeps an axis.

    Examples:
        >>> from mindspore import Tensor, ops
        >>> print(ops.adaptive_avg_pool2d(Tensor([[[1.0, 3.0], [5.0, 7.0]]]), 1))
        [[[4.]]]
    """
    return average_to(input, output_size, 2)


@op(primitive="AdaptiveAvgPool3D", init=("output_size",),
    test=lambda t: [t.case(t.normal(1, 2, 4, 3, 5), (2, None, 3))])  # fmt: skip
@accepts("if", "input")
def adaptive_avg_pool3d(input: Array, output_size: Any):
    """The averages of as many windows on the last three axes as ``output_size`` says; None keeps an axis.

    Examples:
        >>> from mindspore import ops
        >>> print(ops.adaptive_avg_pool3d(ops.ones((1, 4, 4, 4)), (1, 1, 2)))
        [[[[1. 1.]]]]
    """
    return average_to(input, output_size, 3)


@op(test=lambda t: [t.case(t.normal(2, 3, 6), 2, expect=lambda x, _: x.reshape(2, 3, 2, 3).max(3)),
                    t.case(t.normal(2, 3, 7), 3)])  # fmt: skip
@accepts("f", "input")
def adaptive_max_pool1d(input: Array, output_size: Any):
    """The largest elements of ``output_size`` windows on the last axis.

    Examples:
        >>> from mindspore import Tensor, ops
        >>> print(ops.adaptive_max_pool1d(Tensor([[[1.0, 3.0, 5.0, 7.0]]]), 2))
        [[[3. 7.]]]
    """
    return _largest_alone(input, output_size, 1)


@op(test=lambda t: [t.case(t.normal(2, 3, 4, 6), (2, 3), expect=lambda x, _: x.reshape(2, 3, 2, 2, 3, 2).max((3, 5))),
                    t.case(t.normal(3, 5, 5), (None, 2), True)])  # fmt: skip
def adaptive_max_pool2d(input: Array, output_size: Any, return_indices: bool = False):
    """The largest elements of as many windows on the last two axes as ``output_size`` says, on request with indices.

    Examples:
        >>> from mindspore import Tensor, ops
        >>> print(ops.adaptive_max_pool2d(Tensor([[[1.0, 3.0], [5.0, 7.0]]]), 1))
        [[[7.]]]
    """
    return _largest(input, output_size, 2) if return_indices else _largest_alone(input, output_size, 2)


@op(primitive="AdaptiveMaxPool2D", init=("output_size",), public=False,
    test=lambda t: [t.case(t.normal(2, 3, 5, 5), (2, 3))])  # fmt: skip
def adaptive_max_pool2d_primitive(input: Array, output_size: Any):
    """The largest elements of as many windows on the last two axes as ``output_size`` says, with their indices.

    Examples:
        >>> from mindspore import Tensor, ops
        >>> print(ops.AdaptiveMaxPool2D((1, 2))(Tensor([[[[1.0, 2.0, 3.0, 4.0], [5.0, 6.0, 7.0, 8.0]]]]))[0])
        [[[[6. 8.]]]]
    """
    return _largest(input, output_size, 2)


@op(test=lambda t: [t.case(t.normal(1, 2, 4, 3, 5), (2, None, 3)), t.case(t.normal(1, 2, 4, 3, 5), 2, True)])
def adaptive_max_pool3d(input: Array, output_size: Any, return_indices: bool = False):
    """The largest elements of as many windows on the last three axes as ``output_size`` says, on request with indices.

    Examples:
        >>> from mindspore import ops
        >>> print(ops.adaptive_max_pool3d(ops.ones((1, 4, 4, 4)), (1, 1, 2)))
        [[[[1. 1.]]]]
    """
    if not return_indices:
        return _largest_alone(input, output_size, 3)
    values, indices = _largest(input, output_size, 3)
    return values, indices.astype(jnp.int32)
