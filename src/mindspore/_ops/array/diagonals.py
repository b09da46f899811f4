"""Triangles and diagonals of matrices."""

from __future__ import annotations

from typing import Any

import jax.numpy as jnp
import numpy as np

from mindspore._engine.operator.arguments import Array, Operand
from mindspore._engine.operator.overloads import overloaded
from mindspore._engine.operator.registry import op
from mindspore._engine.tensor.members import attach
from mindspore._ops.declaring.promotion import normal_axis
from mindspore._ops.declaring.requirements import require, require_rank_from


@op(
    primitive="Tril",
    init=("diagonal",),
    method="tril",
    old={"input": ("x",)},
    test=lambda t: [t.case(t.normal(3, 4), expect=np.tril), t.case(t.normal(2, 3, 3), -1, expect=np.tril)],
)
def tril(input: Array, diagonal: int = 0):
    """The lower triangle of the last two axes, zero elsewhere; ``diagonal`` moves its upper border.

    Examples:
        >>> from mindspore import Tensor, ops
        >>> print(ops.tril(Tensor([[1, 2], [3, 4]])))
        [[1 0]
         [3 4]]
    """
    require_rank_from("input", input, 2)
    return jnp.tril(input, diagonal)


@op(
    primitive="Triu",
    init=("diagonal",),
    method="triu",
    old={"input": ("x",)},
    test=lambda t: [t.case(t.normal(3, 4), expect=np.triu), t.case(t.normal(2, 3, 3), 1, expect=np.triu)],
)
def triu(input: Array, diagonal: int = 0):
    """The upper triangle of the last two axes, zero elsewhere; ``diagonal`` moves its lower border.

    Examples:
        >>> from mindspore import Tensor, ops
        >>> print(ops.triu(Tensor([[1, 2], [3, 4]])))
        [[1 2]
         [0 4]]
    """
    require_rank_from("input", input, 2)
    return jnp.triu(input, diagonal)


@op(
    primitive="MatrixBandPart",
    test=lambda t: [
        t.case(t.normal(3, 3), 1, 0, expect=lambda x, *_: np.tril(np.triu(x, -1))),
        t.case(t.normal(3, 3), -1, 1, expect=lambda x, *_: np.tril(x, 1)),
    ],
)
def matrix_band_part(x: Array, lower: Operand, upper: Operand):
    """A band around the diagonal, zero elsewhere; a negative width keeps the whole triangle on that side.

    Examples:
        >>> from mindspore import Tensor, ops
        >>> print(ops.matrix_band_part(Tensor([[1, 2], [3, 4]]), 0, -1))
        [[1 2]
         [0 4]]
    """
    require_rank_from("x", x, 2)
    right = jnp.arange(x.shape[-1]) - jnp.arange(x.shape[-2])[:, None]
    lower, upper = (jnp.expand_dims(jnp.asarray(width), (-1, -2)) for width in (lower, upper))
    keep = ((lower < 0) | (-right <= lower)) & ((upper < 0) | (right <= upper))
    return jnp.where(keep, x, jnp.zeros((), x.dtype))


@op(
    primitive="Diag",
    old={"input": ("input_x", "x")},
    test=lambda t: [
        t.case(t.normal(3), expect=np.diag),
        t.case(t.normal(2, 2), expect=lambda x: np.diag(x.ravel()).reshape(2, 2, 2, 2)),
    ],
)
def diag(input: Array):
    """A tensor of twice as many axes with the elements on its diagonal: a matrix from a vector.

    Examples:
        >>> from mindspore import Tensor, ops
        >>> print(ops.diag(Tensor([1, 2])))
        [[1 0]
         [0 2]]
    """
    return jnp.diag(input.reshape(-1)).reshape(input.shape * 2)


@op(
    public=False,
    test=lambda t: [
        t.case(t.normal(3), 1, expect=np.diag),
        t.case(t.normal(2, 3), -1, expect=np.diag),
    ],
)
def diag_at(input: Array, diagonal: int = 0):
    """A matrix with the vector on this diagonal, or this diagonal of a matrix."""
    require(input.ndim in (1, 2), f"the 'input' must have 1 or 2 dimensions, but got {input.ndim}.")
    return jnp.diag(input, diagonal)


attach("diag", overloaded("Tensor.diag", diag, diag_at))


@op(primitive="DiagPart", public=False, test=lambda t: [t.case(t.normal(3, 3), expect=np.diag)])
def diag_part(input_x: Array):
    """The diagonal of a tensor whose first half of axes has the same lengths as the second.

    Examples:
        >>> from mindspore import Tensor, ops
        >>> print(ops.DiagPart()(Tensor([[1, 2], [3, 4]])))
        [1 4]
    """
    half = input_x.ndim // 2
    text = f"the 'input_x' must have the same lengths in both halves of its axes, but got shape {input_x.shape}."
    require(input_x.ndim and input_x.shape == input_x.shape[:half] * 2, text)
    side = int(np.prod(input_x.shape[:half]))
    return jnp.diagonal(input_x.reshape(side, side)).reshape(input_x.shape[:half])


def plane_axes(input: Any, dim1: int, dim2: int) -> tuple[int, int]:
    """Two different axes, both non-negative."""
    axes = normal_axis(dim1, input.ndim, "dim1"), normal_axis(dim2, input.ndim, "dim2")
    require(axes[0] != axes[1], f"the 'dim1' must differ from 'dim2', but got {dim1} and {dim2}.")
    return axes


@op(
    view=lambda x, shape, *arguments: np.diagonal(x, *arguments),
    method="diagonal",
    old={"dim1": ("axis1",), "dim2": ("axis2",)},
    test=lambda t: [t.case(t.normal(3, 4), expect=np.diagonal), t.case(t.normal(2, 3, 4), 1, 2, 1, expect=np.diagonal)],
)
def diagonal(input: Array, offset: int = 0, dim1: int = 0, dim2: int = 1):
    """The elements on a diagonal of the plane of two axes, as the last axis.

    Examples:
        >>> from mindspore import Tensor, ops
        >>> print(ops.diagonal(Tensor([[1, 2], [3, 4]])))
        [1 4]
    """
    require_rank_from("input", input, 2)
    return jnp.diagonal(input, offset, *plane_axes(input, dim1, dim2))


def _embed(x: Any, offset: int, dim1: int, dim2: int) -> Any:
    length = x.shape[-1] + abs(offset)
    rows = np.arange(x.shape[-1]) + max(-offset, 0)
    square = jnp.zeros((*x.shape[:-1], length, length), x.dtype).at[..., rows, rows + offset].set(x)
    return jnp.moveaxis(square, (-2, -1), (dim1, dim2))


@op(
    test=lambda t: [
        t.case(t.normal(2, 3), expect=lambda x: np.stack([np.diag(row) for row in x])),
        t.case(t.normal(3), 1, expect=np.diag),
    ]
)
def diag_embed(input: Array, offset: int = 0, dim1: int = -2, dim2: int = -1):
    """Matrices with the last axis on a diagonal; ``dim1`` and ``dim2`` are the axes of the matrices.

    Examples:
        >>> from mindspore import Tensor, ops
        >>> print(ops.diag_embed(Tensor([1, 2]), 1))
        [[0 1 0]
         [0 0 2]
         [0 0 0]]
    """
    require_rank_from("input", input, 1)
    first, second = normal_axis(dim1, input.ndim + 1, "dim1"), normal_axis(dim2, input.ndim + 1, "dim2")
    require(first != second, f"the 'dim1' must not be identical to 'dim2', but got {dim1} and {dim2}.")
    return _embed(input, offset, first, second)


@op(method="diagflat", test=lambda t: [t.case(t.normal(2, 2), 1, expect=np.diagflat)])
def diagflat(input: Array, offset: int = 0):
    """A matrix with all elements on a diagonal.

    Examples:
        >>> from mindspore import Tensor, ops
        >>> print(ops.diagflat(Tensor([1, 2])))
        [[1 0]
         [0 2]]
    """
    return _embed(input.reshape(-1), offset, 0, 1)


@op(
    primitive="FillDiagonal",
    init=("fill_value", "wrap"),
    method="fill_diagonal",
    public=False,
    test=lambda t: [
        t.case(t.normal(3, 4), 2.0, expect=lambda x, v: _numpy_filled(x, v)),
        t.case(t.normal(7, 3), 2.0, True, expect=lambda x, v, wrap: _numpy_filled(x, v, wrap)),
    ],
)
def _fill_diagonal(input_x: Array, fill_value: float, wrap: bool = False):
    """The main diagonal replaced by a number; ``wrap`` starts it again below in tall matrices.

    Examples:
        >>> from mindspore import ops
        >>> print(ops.FillDiagonal(9.0)(ops.zeros((2, 3))))
        [[9. 0. 0.]
         [0. 9. 0.]]
    """
    require_rank_from("input_x", input_x, 2)
    if input_x.ndim > 2:
        require(
            len(set(input_x.shape)) == 1, f"the 'input_x' must have equal lengths on all axes, but got {input_x.shape}."
        )
    step = 1 + sum(int(np.prod(input_x.shape[axis + 1 :])) for axis in range(input_x.ndim - 1))
    end = input_x.size if wrap or input_x.ndim > 2 else input_x.shape[1] ** 2
    positions = np.arange(0, min(end, input_x.size), step)
    return input_x.reshape(-1).at[positions].set(fill_value).reshape(input_x.shape)


def _numpy_filled(x: np.ndarray, value: float, wrap: bool = False) -> np.ndarray:
    filled = x.copy()
    np.fill_diagonal(filled, value, wrap)
    return filled
