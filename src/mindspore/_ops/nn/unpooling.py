"""Pooling undone: elements put back to where the largest were found."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import jax.numpy as jnp
import numpy as np

from mindspore._engine.execution.index_bounds import require_inside
from mindspore._engine.operator.arguments import Array, Sizes
from mindspore._engine.operator.registry import op
from mindspore._engine.tensor.tensor import Tensor
from mindspore._ops.declaring.dtype_checks import accepts
from mindspore._ops.declaring.requirements import require, require_index_dtype, require_rank
from mindspore._ops.declaring.windows import spatial


def _lengths(given: Any, natural: tuple[int, ...], steps: tuple[int, ...]) -> tuple[int, ...]:
    """The spatial lengths of the output: as asked for, if pooling could have come from there."""
    if given is None or given == ():
        return natural
    count = len(natural)
    text = f"the 'output_size' must be a tuple of ints, but got {given!r}."
    require(isinstance(given, tuple) and all(isinstance(v, int) for v in given), text, TypeError)
    text = f"the 'output_size' must have {count} numbers, or as many as the input has axes, but got {given}."
    require(count <= len(given) <= count + 2, text)
    wanted = given[len(given) - count :]
    near = all(abs(w - n) < s + 1 for w, n, s in zip(wanted, natural, steps, strict=True))
    text = f"the 'output_size' must differ from {natural} by at most the 'stride' {steps}, but got {given}."
    require(near, text)
    return wanted


def _output_lengths(shape: tuple[int, ...], kernel_size: Any, stride: Any, padding: Any, output_size: Any,
                    count: int) -> tuple[int, ...]:  # fmt: skip
    kernel = spatial("kernel_size", kernel_size, count)
    steps = kernel if stride in (None, 0) else spatial("stride", stride, count)
    pads = spatial("padding", padding, count, least=0)
    rows = zip(shape[-count:], kernel, steps, pads, strict=True)
    return _lengths(output_size, tuple((n - 1) * s - 2 * p + k for n, k, s, p in rows), steps)


def _unpool(x: Any, indices: Any, kernel_size: Any, stride: Any, padding: Any, output_size: Any, count: int) -> Any:
    require_rank("x", x, count + 1, count + 2)
    require_index_dtype("indices", indices)
    text = f"the 'x' and 'indices' must have the same shape, but got {x.shape} and {indices.shape}."
    require(x.shape == indices.shape, text)
    lengths = _output_lengths(x.shape, kernel_size, stride, padding, output_size, count)
    planes, size = math.prod(x.shape[:-count]), math.prod(lengths)
    flat = (planes, math.prod(x.shape[-count:]))
    empty = jnp.zeros((planes, size), x.dtype)
    # positions outside are dropped; eagerly they were refused before
    positions = jnp.where(indices < 0, size, indices).reshape(flat)
    filled = empty.at[np.arange(planes)[:, None], positions].set(x.reshape(flat), mode="drop")
    return filled.reshape(*x.shape[:-count], *lengths)


def _check_positions(count: int) -> Callable[..., None]:
    """Refuses positions outside of the output."""

    def check(x: Tensor, indices: Tensor, kernel_size: Any, stride: Any, padding: Any, output_size: Any) -> None:
        size = math.prod(_output_lengths(x.shape, kernel_size, stride, padding, output_size, count))
        require_inside(f"max_unpool{count}d", "indices", indices, 0, size)

    return check


_PAIR = np.array([[[1, 3]]])


@op(bounds=_check_positions(1),
    test=lambda t: [t.case(t.positive(1, 1, 2), _PAIR, 2,
                           expect=lambda x, i, k: np.array([[[0, x[0, 0, 0], 0, x[0, 0, 1]]]]))])  # fmt: skip
def max_unpool1d(x: Array, indices: Array, kernel_size: Sizes, stride: Sizes = None, padding: Sizes = 0,
                 output_size: Any = None):  # fmt: skip
    """Elements of (N, C, L) put at positions ``indices`` of a longer row, zeros elsewhere.

    Examples:
        >>> import mindspore as ms
        >>> from mindspore import Tensor, ops
        >>> print(ops.max_unpool1d(Tensor([[[5.0, 7.0]]]), Tensor([[[1, 3]]], ms.int64), 2))
        [[[0. 5. 0. 7.]]]
    """
    return _unpool(x, indices, kernel_size, stride, padding, output_size, 1)


@op(bounds=_check_positions(2),
    test=lambda t: [t.case(t.positive(1, 1, 2), _PAIR, (1, 2), expect=lambda x, i, k: np.array(
                        [[[0, x[0, 0, 0], 0, x[0, 0, 1]]]])),
                    t.case(t.positive(1, 1, 1, 2), np.array([[[[0, 8]]]]), 2, 2, 0, (2, 5))])  # fmt: skip
@accepts("ifc", "x")
def max_unpool2d(x: Array, indices: Array, kernel_size: Sizes, stride: Sizes = None, padding: Sizes = 0,
                 output_size: Any = None):  # fmt: skip
    """Elements of (N, C, H, W) put at positions ``indices`` (in the flattened plane) of a larger plane, zeros elsewhere.

    Examples:
        >>> import mindspore as ms
        >>> from mindspore import Tensor, ops
        >>> print(ops.max_unpool2d(Tensor([[[[5.0]]]]), Tensor([[[[3]]]], ms.int64), 2))
        [[[[0. 0.]
           [0. 5.]]]]
    """
    return _unpool(x, indices, kernel_size, stride, padding, output_size, 2)


@op(bounds=_check_positions(3),
    test=lambda t: [t.case(t.positive(1, 1, 1, 1, 2), np.array([[[[[0, 9]]]]]), 2)])  # fmt: skip
@accepts("ifc", "x")
def max_unpool3d(x: Array, indices: Array, kernel_size: Sizes, stride: Sizes = None, padding: Sizes = 0,
                 output_size: Any = None):  # fmt: skip
    """Elements of (N, C, D, H, W) put at positions ``indices`` (in the flattened volume) of a larger volume.

    Examples:
        >>> import mindspore as ms
        >>> from mindspore import Tensor, ops
        >>> print(ops.max_unpool3d(Tensor([[[[[5.0]]]]]), Tensor([[[[[7]]]]], ms.int64), 2).sum())
        5.0
    """
    return _unpool(x, indices, kernel_size, stride, padding, output_size, 3)
