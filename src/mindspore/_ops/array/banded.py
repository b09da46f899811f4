"""Matrices from several of their diagonals and back, and slices or diagonals of a tensor replaced."""

from __future__ import annotations

from typing import Any

import jax.numpy as jnp
import numpy as np

from mindspore._engine.operator.arguments import Array, Operand, Shape
from mindspore._engine.operator.registry import op
from mindspore._ops.array.diagonals import plane_axes
from mindspore._ops.declaring.dtype_checks import alike
from mindspore._ops.declaring.promotion import common_dtype, normal_axis
from mindspore._ops.declaring.requirements import require, require_choice, require_rank_from, require_same_dtype

_ALIGNMENTS = ("RIGHT_LEFT", "LEFT_RIGHT", "LEFT_LEFT", "RIGHT_RIGHT")


class Band:
    """Index maps between a matrix and its packed diagonals ``first`` to ``last``: one row per diagonal, last first.

    Short diagonals are padded: ``align`` names the side where those above and those below the main
    diagonal start.
    """

    def __init__(self, k: tuple[int, ...], rows: int, columns: int, align: str):
        require_choice("align", align, _ALIGNMENTS)
        self.first, self.last = _range(k)
        inside = (-rows < self.first and self.last < columns) or self.first == self.last == 0
        require(inside, f"the 'k' must be in ({-rows}, {columns}) for matrices of {rows} x {columns}, but got {k}.")
        self.rows, self.columns = rows, columns
        self.above, self.below = align.split("_")
        self.length = min(rows + min(self.last, 0), columns - max(self.first, 0))

    def shift(self, diagonal: Any) -> Any:
        """The padding before each diagonal in packed form."""
        lengths = np.minimum(self.rows + np.minimum(diagonal, 0), self.columns - np.maximum(diagonal, 0))
        right = np.where(diagonal >= 0, self.above == "RIGHT", self.below == "RIGHT")
        return np.where(right, self.length - lengths, 0)

    def of_matrix(self) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """For every element of the matrix: whether it is on the band, and its row and column in packed form."""
        row, column = np.indices((self.rows, self.columns))
        diagonal = column - row
        inside = (self.first <= diagonal) & (diagonal <= self.last)
        packed_column = np.minimum(row, column) + self.shift(diagonal)
        return inside, np.where(inside, self.last - diagonal, 0), np.where(inside, packed_column, 0)

    def of_diagonals(self) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """For every packed element: whether it is no padding, and its row and column in the matrix."""
        row, column = np.indices((self.last - self.first + 1, self.length))
        diagonal = self.last - row
        step = column - self.shift(diagonal)
        from_row, from_column = step - np.minimum(diagonal, 0), step + np.maximum(diagonal, 0)
        filled = (step >= 0) & (from_row < self.rows) & (from_column < self.columns)
        return filled, np.where(filled, from_row, 0), np.where(filled, from_column, 0)

    def kept(self, x: Any) -> Any:
        """Diagonals with an axis of diagonals, also when ``first`` equals ``last``."""
        return x[..., None, :] if self.first == self.last else x


def _range(k: tuple[int, ...]) -> tuple[int, int]:
    require(len(k) in (0, 1, 2), f"the 'k' must be one int or two, but got {k}.")
    first, last = (k[0], k[-1]) if k else (0, 0)
    require(first <= last, f"the 'k' must not begin above its end, but got {k}.")
    return first, last


def _fill(x: Any, padding_value: Any) -> Any:
    return jnp.asarray(padding_value).astype(x.dtype).reshape(())


@op(primitive="MatrixDiagV3", init=("align",),
    test=lambda t: [t.case(t.normal(3), expect=np.diag),
                    t.case(t.normal(2, 3), (0, 1), grad=(0,),
                           expect=lambda x, k: np.diag(x[1]) + np.diag(x[0, 1:], 1)),
                    t.case(t.normal(2, 3), 1, 3, 5, 9.0, grad=(0,))])  # fmt: skip
def matrix_diag(x: Array, k: Shape = (0,), num_rows: int = -1, num_cols: int = -1, padding_value: Operand = 0,
                align: str = "RIGHT_LEFT"):  # fmt: skip
    """Matrices with the last axis (or two, for several) on diagonals, ``padding_value`` elsewhere.

    Args:
        k: the diagonal, or the lowest and the highest; positive ones are above the main diagonal.
        num_rows, num_cols: the size of the matrices, by default as small as fits.
        align: where diagonals above and below the main diagonal start, when they are shorter than the longest.

    Examples:
        >>> from mindspore import Tensor, ops
        >>> print(ops.matrix_diag(Tensor([1.0, 2.0]), 1))
        [[0. 1. 0.]
         [0. 0. 2.]
         [0. 0. 0.]]
    """
    first, last = _range(k)
    require_rank_from("x", x, 1 if first == last else 2)
    length = x.shape[-1]
    rows, columns = length - min(last, 0), length + max(first, 0)
    if num_rows == num_cols == -1:
        rows = columns = max(rows, columns)
    rows, columns = num_rows if num_rows != -1 else rows, num_cols if num_cols != -1 else columns
    band = Band(k, rows, columns, align)
    diagonals = band.kept(x)
    wanted = (last - first + 1, band.length)
    require(diagonals.shape[-2:] == wanted, f"the 'x' must hold diagonals {wanted} for 'k' = {k}, but got {x.shape}.")
    inside, row, column = band.of_matrix()
    return jnp.where(inside, diagonals[..., row, column], _fill(x, padding_value))


@op(primitive="MatrixDiagPartV3", init=("align",),
    test=lambda t: [t.case(t.normal(3, 4), 1, 0.0, grad=(0,), expect=lambda x, k, _: np.diagonal(x, k)),
                    t.case(t.normal(2, 3, 3), (-1, 1), 7.0, "LEFT_RIGHT", grad=(0,))])  # fmt: skip
@alike("x", "padding_value")
def matrix_diag_part(x: Array, k: Shape, padding_value: Operand, align: str = "RIGHT_LEFT"):
    """Diagonals of matrices, the highest first; see :func:`matrix_diag`.

    Examples:
        >>> from mindspore import Tensor, ops
        >>> print(ops.matrix_diag_part(Tensor([[1.0, 2.0], [3.0, 4.0]]), (0, 1), 0.0))
        [[0. 2.]
         [1. 4.]]
    """
    require_rank_from("x", x, 2)
    band = Band(k, x.shape[-2], x.shape[-1], align)
    filled, row, column = band.of_diagonals()
    result = jnp.where(filled, x[..., row, column], _fill(x, padding_value))
    return result[..., 0, :] if band.first == band.last else result


@op(primitive="MatrixSetDiagV3", init=("align",),
    test=lambda t: [t.case(t.normal(3, 3), t.normal(3), expect=lambda x, d: x - np.diag(np.diag(x)) + np.diag(d)),
                    t.case(t.normal(2, 3, 4), t.normal(2, 2, 3), (-1, 0), "LEFT_LEFT")])  # fmt: skip
def matrix_set_diag(x: Array, diagonal: Array, k: Shape = (0,), align: str = "RIGHT_LEFT"):
    """Matrices with some of their diagonals replaced; see :func:`matrix_diag`.

    Examples:
        >>> from mindspore import Tensor, ops
        >>> print(ops.matrix_set_diag(Tensor([[1.0, 2.0], [3.0, 4.0]]), Tensor([8.0, 9.0])))
        [[8. 2.]
         [3. 9.]]
    """
    require_rank_from("x", x, 2)
    x, diagonal = (array.astype(common_dtype(x, diagonal)) for array in (x, diagonal))
    band = Band(k, x.shape[-2], x.shape[-1], align)
    single = (band.length,) if band.first == band.last else (band.last - band.first + 1, band.length)
    wanted = x.shape[:-2] + single
    require(diagonal.shape == wanted, f"the 'diagonal' must have shape {wanted}, but got {diagonal.shape}.")
    inside, row, column = band.of_matrix()
    return jnp.where(inside, band.kept(diagonal)[..., row, column], x)


@op(method="diagonal_scatter",
    test=lambda t: [t.case(t.normal(2, 3), t.normal(2), 1, expect=lambda x, s, _: _numpy_diagonal(x, s, 1)),
                    t.case(t.normal(2, 4, 3), t.normal(4, 2), 0, 0, 2)])  # fmt: skip
def diagonal_scatter(input: Array, src: Array, offset: int = 0, dim1: int = 0, dim2: int = 1):
    """The input with a diagonal of the plane of two axes replaced by ``src``.

    Examples:
        >>> from mindspore import Tensor, ops
        >>> print(ops.diagonal_scatter(Tensor([[1.0, 2.0], [3.0, 4.0]]), Tensor([8.0, 9.0])))
        [[8. 2.]
         [3. 9.]]
    """
    require_rank_from("input", input, 2)
    input, src = (array.astype(common_dtype(input, src)) for array in (input, src))
    axes = plane_axes(input, dim1, dim2)
    last = jnp.moveaxis(input, axes, (-2, -1))
    length = max(min(last.shape[-2] + min(offset, 0), last.shape[-1] - max(offset, 0)), 0)
    wanted = (*last.shape[:-2], length)
    require(src.shape == wanted, f"the 'src' must have the shape of the diagonal {wanted}, but got {src.shape}.")
    steps = np.arange(length)
    changed = last.at[..., steps - min(offset, 0), steps + max(offset, 0)].set(src)
    return jnp.moveaxis(changed, (-2, -1), axes)


def _numpy_diagonal(x: np.ndarray, source: np.ndarray, offset: int) -> np.ndarray:
    changed = x.copy()
    changed[np.arange(len(source)), np.arange(len(source)) + offset] = source
    return changed


@op(method="slice_scatter",
    test=lambda t: [t.case(t.normal(4, 2), t.normal(2, 2), 0, 1, 3,
                           expect=lambda x, s, *_: np.concatenate([x[:1], s, x[3:]])),
                    t.case(t.normal(2, 5), t.normal(2, 3), 1, None, None, 2)])  # fmt: skip
def slice_scatter(input: Array, src: Array, axis: int = 0, start: int | None = None, end: int | None = None,
                  step: int = 1):  # fmt: skip
    """The input with a slice along an axis replaced by ``src``.

    Examples:
        >>> from mindspore import Tensor, ops
        >>> print(ops.slice_scatter(Tensor([1.0, 2.0, 3.0]), Tensor([8.0, 9.0]), start=1))
        [1. 8. 9.]
    """
    require_rank_from("input", input, 1)
    require_same_dtype(input=input, src=src)
    require(step > 0, f"the 'step' must be positive, but got {step}.")
    window = (slice(None),) * normal_axis(axis, input.ndim) + (slice(start, end, step),)
    wanted = np.broadcast_to(False, input.shape)[window].shape
    require(src.shape == wanted, f"the 'src' must have the shape of the slice {wanted}, but got {src.shape}.")
    return input.at[window].set(src)
