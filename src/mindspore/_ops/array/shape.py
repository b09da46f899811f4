"""Other shapes of the same elements: reshape, axes in another order, axes added, removed or broadcast."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

import jax.numpy as jnp
import numpy as np

from mindspore._engine.execution.views import exchanged, reordered, repeated, reshaped
from mindspore._engine.operator.arguments import Array, Axis, Ints, Shape
from mindspore._engine.operator.registry import op
from mindspore._ops.declaring.promotion import normal_axis
from mindspore._ops.declaring.requirements import FOUND_BY_KERNEL, require
from mindspore._utils.refusals import type_or_value

_INPUT = ("input_x", "x")  # what the first argument is called in 1.x and in the Primitives


@op(
    primitive="Reshape",
    view=reshaped,
    old={"input": _INPUT, "shape": ("input_shape",)},
    test=lambda t: [t.case(t.normal(2, 3), (3, -1), expect=np.reshape), t.case(t.ints(4), [2, 2], expect=np.reshape)],
)
def reshape(input: Array, shape: Shape):
    """The elements in another shape; one length may be -1, inferred from the others.

    Examples:
        >>> from mindspore import Tensor, ops
        >>> print(ops.reshape(Tensor([1, 2, 3, 4]), (2, -1)))
        [[1 2]
         [3 4]]
    """
    return jnp.reshape(input, full_shape(shape, input.size))


def full_shape(shape: Sequence[int], size: int) -> tuple[int, ...]:
    """The shape with -1 replaced by the length that holds ``size`` elements."""
    shape = tuple(shape)
    if shape.count(-1) > 1:
        raise ValueError(f"the 'shape' must have at most one -1: only one dimension can be inferred, but got {shape}.")
    if any(n < -1 for n in shape):
        raise ValueError(f"the 'shape' must hold lengths >= 0, or -1 for one to be inferred, but got {shape}.")
    known = math.prod(n for n in shape if n != -1)
    if -1 in shape and known and size % known == 0:
        return tuple(size // known if n == -1 else n for n in shape)
    if -1 in shape or known != size:
        raise type_or_value(ValueError)(
            f"the 'shape' must hold the input's {size} elements: proposed_shape '{shape}' is invalid for "
            f"input of size {size}."
        )
    return shape


def normal_permutation(axes: Sequence[int], ndim: int, name: str = "dims") -> tuple[int, ...]:
    """Non-negative axes that name every axis once."""
    axes = tuple(axes)
    if len(axes) != ndim:
        raise ValueError(f"the '{name}' must name each of the input's {ndim} axes once, but got {axes}.")
    found = tuple(normal_axis(a, ndim, name) for a in axes) if ndim else ()
    if len(set(found)) != ndim:
        raise ValueError(f"the '{name}' must name each of the input's {ndim} axes once, but got {axes}.")
    return found


@op(
    primitive="Transpose",
    view=reordered,
    old={"input": _INPUT, "dims": ("input_perm", "perm", "axis")},
    test=lambda t: [
        t.case(t.normal(2, 3, 4), (0, 2, 1), expect=np.transpose),
        t.case(t.normal(2, 3), (-1, 0), expect=np.transpose),
    ],
)
def transpose(input: Array, dims: Axis):
    """The axes in another order: axis i of the result is axis ``dims[i]`` of the input.

    Examples:
        >>> from mindspore import Tensor, ops
        >>> print(ops.transpose(Tensor([[1, 2, 3], [4, 5, 6]]), (1, 0)).shape)
        (3, 2)
    """
    require(isinstance(dims, tuple), f"the 'dims' must be a tuple of ints, but got {dims!r}.", TypeError)
    return jnp.transpose(input, normal_permutation(dims, input.ndim))


@op(
    old={"input": ("x",), "axis": ("dims",)},
    view=reordered,
    test=lambda t: [t.case(t.normal(2, 3, 4), (2, 0, 1), expect=np.transpose)],
)
def permute(input: Array, axis: Ints):
    """The axes in another order, see :func:`transpose`.

    Examples:
        >>> from mindspore import Tensor, ops
        >>> print(ops.permute(Tensor([[1, 2, 3]]), (1, 0)).shape)
        (3, 1)
    """
    return jnp.transpose(input, normal_permutation((axis,) if isinstance(axis, int) else axis, input.ndim, "axis"))


@op(
    method="swapaxes",
    view=exchanged,
    old={"axis0": ("axis2",)},  # in 1.x (axis1, axis2)
    test=lambda t: [t.case(t.normal(2, 3, 4), 0, -1, expect=np.swapaxes)],
)
def swapaxes(input: Array, axis0: int, axis1: int):
    """Two axes exchanged.

    Examples:
        >>> from mindspore import Tensor, ops
        >>> print(ops.swapaxes(Tensor([[1, 2, 3]]), 0, 1).shape)
        (3, 1)
    """
    require(input.ndim, "the 'input' must have at least 1 dimension, but got a number.")
    return jnp.swapaxes(input, normal_axis(axis0, input.ndim, "axis0"), normal_axis(axis1, input.ndim, "axis1"))


@op(method="swapdims", view=exchanged, test=lambda t: [t.case(t.normal(2, 3, 4), 0, 2, expect=np.swapaxes)])
def swapdims(input: Array, dim0: int, dim1: int):
    """Two axes exchanged, see :func:`swapaxes`.

    Examples:
        >>> from mindspore import Tensor, ops
        >>> print(ops.swapdims(Tensor([[1, 2, 3]]), 0, 1).shape)
        (3, 1)
    """
    return jnp.swapaxes(input, normal_axis(dim0, input.ndim, "dim0"), normal_axis(dim1, input.ndim, "dim1"))


@op(
    aliases="movedim",
    method=("moveaxis", "movedim"),
    view=lambda x, shape, source, destination: np.moveaxis(x, source, destination),
    test=lambda t: [
        t.case(t.normal(2, 3, 4), 0, 2, expect=np.moveaxis),
        t.case(t.normal(2, 3, 4), (0, 1), (1, -1), expect=np.moveaxis),
    ],
)
def moveaxis(x: Array, source: Axis, destination: Axis):
    """Axes moved to other positions; the rest keep their order.

    Examples:
        >>> from mindspore import Tensor, ops
        >>> print(ops.moveaxis(ops.zeros((2, 3, 4)), 0, 2).shape)
        (3, 4, 2)
    """
    here, there = _axes(source, x.ndim, "source"), _axes(destination, x.ndim, "destination")
    text = f"the 'source' and 'destination' must have the same number of axes, but got {source} and {destination}."
    require(len(here) == len(there), text)
    return jnp.moveaxis(x, here, there)


def _axes(axes: Any, ndim: int, name: str) -> tuple[int, ...]:
    return tuple(normal_axis(a, ndim, name) for a in ((axes,) if isinstance(axes, int) else axes))


@op(test=lambda t: [t.case(t.normal(2, 3), expect=np.transpose)], method="t", view=lambda x, shape: x.T)
def t(input: Array):
    """A matrix transposed; vectors and scalars unchanged.

    Examples:
        >>> from mindspore import Tensor, ops
        >>> print(ops.t(Tensor([[1, 2], [3, 4]])))
        [[1 3]
         [2 4]]
    """
    if input.ndim > 2:
        raise ValueError(f"the 'input' must have at most 2 dimensions, but got {input.ndim}. Use transpose.")
    return input.T


@op(
    primitive="ExpandDims",
    method="expand_dims",
    view=reshaped,
    old={"input_x": ("x", "input", "input_tensor")},
    test=lambda t: [
        t.case(t.normal(2, 3), 0, expect=np.expand_dims),
        t.case(t.normal(2, 3), -1, expect=np.expand_dims),
    ],
)
def expand_dims(input_x: Array, axis: int):
    """With an axis of length 1 added at ``axis``.

    Examples:
        >>> from mindspore import Tensor, ops
        >>> print(ops.expand_dims(Tensor([1, 2]), 0))
        [[1 2]]
    """
    return jnp.expand_dims(input_x, normal_axis(axis, input_x.ndim + 1))


@op(
    method="unsqueeze",
    view=reshaped,
    old={"dim": ("axis",)},
    test=lambda t: [t.case(t.normal(2, 3), 1, expect=np.expand_dims)],
)
def unsqueeze(input: Array, dim: int):
    """With an axis of length 1 added at ``dim``, see :func:`expand_dims`.

    Examples:
        >>> from mindspore import Tensor, ops
        >>> print(ops.unsqueeze(Tensor([1, 2]), -1).shape)
        (2, 1)
    """
    return jnp.expand_dims(input, normal_axis(dim, input.ndim + 1, "dim"))


@op(
    primitive="Squeeze",
    init=("axis",),
    primitive_defaults={"axis": ()},
    method="squeeze",
    view=reshaped,
    old={"input": _INPUT},
    test=lambda t: [
        t.case(t.normal(1, 2, 1), expect=np.squeeze),
        t.case(t.normal(1, 2, 1), -1, expect=np.squeeze),
        t.case(t.normal(1, 2, 1), 1, expect=lambda x, axis: x),
    ],
)
def squeeze(input: Array, axis: Axis = None):
    """Without axes of length 1: all of them, or those named (an axis of another length stays).

    Examples:
        >>> from mindspore import Tensor, ops
        >>> print(ops.squeeze(ops.zeros((1, 2, 1)), 0).shape)
        (2, 1)
    """
    named = tuple(range(input.ndim)) if axis in (None, ()) else _axes(axis, input.ndim, "axis")
    return jnp.squeeze(input, tuple(a for a in set(named) if input.ndim and input.shape[a] == 1))


@op(
    old={"input": _INPUT},
    test=lambda t: [
        t.case(t.normal(2, 3, 4), expect=lambda x: x.reshape(2, 12)),
        t.case(t.normal(2, 3, 4), start_dim=0, end_dim=1, expect=lambda x, **_: x.reshape(6, 4)),
        t.case(t.normal(2, 3), "F", expect=lambda x, order: x.T),
    ],
)
def flatten(input: Array, order: str = "C", start_dim: int = 1, end_dim: int = -1):
    """Adjacent axes merged: by default all but the first.

    Args:
        order: "C" takes the last axis fastest; "F" the first, which means the axes in reverse order.

    Examples:
        >>> from mindspore import Tensor, ops
        >>> print(ops.flatten(ops.zeros((2, 3, 4))).shape)
        (2, 12)
    """
    if order not in ("C", "F"):
        raise ValueError(f"the 'order' must be 'C' or 'F', but got {order!r}.")
    x = input.T if order == "F" else input
    if x.ndim < 2 and start_dim in (0, 1, -1) and end_dim in (0, -1):
        return x.reshape(-1)
    start, end = normal_axis(start_dim, x.ndim, "start_dim"), normal_axis(end_dim, x.ndim, "end_dim")
    if start > end:
        raise ValueError(f"the 'start_dim' cannot come after 'end_dim', but got {start_dim} and {end_dim}.")
    return x.reshape(*x.shape[:start], math.prod(x.shape[start : end + 1]), *x.shape[end + 1 :])


@op(
    primitive="Flatten",
    public=False,
    test=lambda t: [
        t.case(t.normal(2, 3, 4), expect=lambda x: x.reshape(2, 12)),
        t.case(t.normal(3), expect=lambda x: x.reshape(3, 1)),
    ],
)
def _flatten(input_x: Array):
    """All axes but the first, merged.

    Examples:
        >>> from mindspore import Tensor, ops
        >>> print(ops.Flatten()(Tensor([[[1, 2], [3, 4]]])))
        [[1 2 3 4]]
    """
    if input_x.ndim == 0:
        raise ValueError("the 'input_x' must have at least 1 dimension, but got a scalar.")
    return input_x.reshape(input_x.shape[0], math.prod(input_x.shape[1:]))


@op(method="ravel", view=reshaped, test=lambda t: [t.case(t.normal(2, 3), expect=np.ravel)])
def ravel(input: Array):
    """All elements as a vector.

    Examples:
        >>> from mindspore import Tensor, ops
        >>> print(ops.ravel(Tensor([[1, 2], [3, 4]])))
        [1 2 3 4]
    """
    return input.reshape(-1)


@op(
    view=repeated,
    primitive="BroadcastTo",
    init=("shape",),
    old={"input": _INPUT},
    test=lambda t: [
        t.case(t.normal(2, 1), (4, 2, 3), expect=np.broadcast_to),
        t.case(t.normal(2, 1), (4, -1, 3), expect=lambda x, shape: np.broadcast_to(x, (4, 2, 3))),
    ],
)
def broadcast_to(input: Array, shape: Shape):
    """The input repeated along axes of length 1 and new leading axes to fill ``shape``; -1 keeps a length.

    Examples:
        >>> from mindspore import Tensor, ops
        >>> print(ops.broadcast_to(Tensor([1, 2]), (2, 2)))
        [[1 2]
         [1 2]]
    """
    return broadcast(input, shape, "shape")


def broadcast(x: Any, shape: Sequence[int], name: str) -> Any:
    """The array broadcast to the shape, where -1 keeps the length of an axis the array has."""
    new = len(shape) - x.ndim
    if new < 0 or any(n == -1 for n in shape[:new]):
        raise type_or_value(ValueError)(
            f"the '{name}' must have a length for each new axis and at least the input's {x.ndim} axes, but got "
            f"{tuple(shape)} for an input of shape {x.shape}."
        )
    if any(isinstance(n, int) and n < -1 for n in shape):
        text = f"the '{name}' must hold lengths from 0 and -1 for those that stay, but got {tuple(shape)}."
        raise FOUND_BY_KERNEL(text)
    full = tuple(x.shape[i - new] if n == -1 else n for i, n in enumerate(shape))
    if any(have not in (1, want) for have, want in zip(x.shape, full[new:], strict=True)):
        raise type_or_value(ValueError)(
            f"the '{name}' must equal the input's lengths except where those are 1, but got {tuple(shape)} for "
            f"an input of shape {x.shape}."
        )
    return jnp.broadcast_to(x, full)


@op(view=repeated, test=lambda t: [t.case(t.normal(2, 1), (2, 3), expect=np.broadcast_to)], old={"input_x": ("input",)})
def expand(input_x: Array, size: Shape):
    """The input broadcast to ``size``, where -1 keeps a length.

    Examples:
        >>> from mindspore import Tensor, ops
        >>> print(ops.expand(Tensor([[1], [2]]), (-1, 2)))
        [[1 1]
         [2 2]]
    """
    return broadcast(input_x, size, "size")


@op(
    method="expand_as",
    view=repeated,
    old={"other": ("x",)},
    test=lambda t: [t.case(t.normal(1, 3), t.normal(2, 3), expect=lambda x, y: np.broadcast_to(x, y.shape), grad=(0,))],
)
def expand_as(input: Array, other: Array):
    """The input broadcast to the shape of ``other``.

    Examples:
        >>> from mindspore import Tensor, ops
        >>> print(ops.expand_as(Tensor([1, 2]), ops.zeros((2, 2))))
        [[1 2]
         [1 2]]
    """
    return broadcast(input, other.shape, "other")


@op(
    aliases="reshape_as",
    method=("view_as", "reshape_as"),
    view=reshaped,
    test=lambda t: [t.case(t.normal(2, 3), t.normal(3, 2), expect=lambda x, y: x.reshape(y.shape), grad=(0,))],
)
def view_as(input: Array, other: Array):
    """The elements in the shape of ``other``.

    Examples:
        >>> from mindspore import Tensor, ops
        >>> print(ops.view_as(Tensor([1, 2]), ops.zeros((2, 1))).shape)
        (2, 1)
    """
    return input.reshape(full_shape(other.shape, input.size))


@op(
    primitive="Tile",
    old={"input": _INPUT, "dims": ("multiples", "reps")},
    test=lambda t: [
        t.case(t.normal(2, 3), (2, 2), expect=np.tile),
        t.case(t.normal(2, 3), (2,), expect=np.tile),
        t.case(t.ints(2), (2, 1, 3), expect=np.tile),
    ],
)
def tile(input: Array, dims: Ints):
    """The input repeated ``dims[i]`` times along each axis, the last numbers belonging to the last axes.

    Examples:
        >>> from mindspore import Tensor, ops
        >>> print(ops.tile(Tensor([[1, 2]]), (2, 2)))
        [[1 2 1 2]
         [1 2 1 2]]
    """
    if any(n < 0 for n in dims):
        raise ValueError(f"the 'dims' must not be negative, but got {tuple(dims)}.")
    if any(n >= 2**63 for n in dims):
        raise ValueError(f"the 'dims' must be less than 2**63, but got {tuple(dims)}.")
    return jnp.tile(input, dims)
