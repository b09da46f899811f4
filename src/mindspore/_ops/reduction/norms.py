"""Norms of vectors and matrices."""

from __future__ import annotations

import math
from typing import Any

import jax.numpy as jnp
import numpy as np

from mindspore._engine.operator.arguments import Array, Axis, DType
from mindspore._engine.operator.registry import op
from mindspore._ops.declaring.dtype_checks import accepts
from mindspore._ops.declaring.promotion import as_float, normal_axes
from mindspore._ops.declaring.requirements import require
from mindspore._ops.math.elementary import magnitude

_MATRIX_ORDERS = ("fro", "nuc", 1, -1, 2, -2, float("inf"), float("-inf"))


def _floats(x: Any, dtype: DType | None) -> Any:
    return as_float(x) if dtype is None else x.astype(dtype.np_dtype)


def _vector_norm(x: Any, ord: Any, axis: Any, keepdims: bool) -> Any:
    if not isinstance(ord, (int, float)):
        raise ValueError(f"the 'ord' of a vector norm must be a number, but got {ord!r}.")
    axes = normal_axes(axis, x.ndim, "dim")
    if ord == 2:
        return _root(jnp.sum(jnp.real(x * jnp.conj(x)), axes, keepdims=keepdims), 2)
    size = magnitude(x)
    if math.isinf(ord):
        return (jnp.max if ord > 0 else jnp.min)(size, axes, keepdims=keepdims)
    if ord == 0:
        return jnp.sum(size != 0, axes, keepdims=keepdims).astype(size.dtype)
    if ord == 1:
        return jnp.sum(size, axes, keepdims=keepdims)
    return _root(jnp.sum(size**ord, axes, keepdims=keepdims), ord)


def _root(total: Any, ord: float) -> Any:
    """The root of a sum of powers, whose gradient at 0 is 0 and not infinite times 0."""
    if ord <= 0:
        return total ** (1 / ord)
    inside = jnp.where(total == 0, jnp.ones_like(total), total)
    root = jnp.sqrt(inside) if ord == 2 else inside ** (1 / ord)
    return jnp.where(total == 0, jnp.zeros_like(total), root)


def _matrix_norm(x: Any, ord: Any, axis: Any, keepdims: bool) -> Any:
    if ord not in _MATRIX_ORDERS:
        allowed = ", ".join(map(repr, _MATRIX_ORDERS))
        raise ValueError(f"the 'ord' of a matrix norm must be one of {allowed}, but got {ord!r}.")
    axes = normal_axes(axis, x.ndim, "dim")
    if len(axes) != 2 or axis == ():
        raise ValueError(f"the 'dim' of a matrix norm must name 2 axes, but got {axis} for the shape {tuple(x.shape)}.")
    if ord == "fro":
        return _vector_norm(x, 2, axes, keepdims)
    if ord in ("nuc", 2, -2):  # from the singular values
        return jnp.linalg.norm(x, ord, axes, keepdims)
    summed, compared = axes if abs(ord) == 1 else axes[::-1]
    totals = jnp.sum(magnitude(x), summed, keepdims=True)
    extreme = (jnp.max if ord > 0 else jnp.min)(totals, compared, keepdims=True)
    return extreme if keepdims else jnp.squeeze(extreme, axes)


@op(method="norm",
    old={"A": ("input_x", "x", "input"), "dim": ("axis",), "keepdim": ("keep_dims", "keepdims")},
    test=lambda t: [t.case(t.normal(2, 3), expect=np.linalg.norm), t.case(t.normal(2, 3), 1, expect=np.linalg.norm),
                    t.case(t.normal(2, 3), 3, 1, expect=np.linalg.norm),
                    t.case(t.normal(2, 3), dim=1, keepdim=True,
                           expect=lambda x, dim, keepdim: np.linalg.norm(x, axis=dim, keepdims=True)),
                    t.case(t.normal(2, 3), dim=(0, 1), p=2, expect=lambda x, dim, p: np.linalg.norm(x))])  # fmt: skip
def norm(A: Array, ord: Any = None, dim: Axis = None, keepdim: bool = False, dtype: DType | None = None,
         p: int | None = None, epsilon: float | None = None):  # fmt: skip
    """The norm of vectors (one axis in ``dim``) or matrices (two); without ``dim`` and ``ord``, of all elements.

    Args:
        ord: None and 2 (for vectors) are the Euclidean norm; other numbers, inf, ``"fro"``, ``"nuc"`` as in NumPy.
        p, epsilon: of MindSpore 1.x, by name: the p-norm of all elements along ``dim``, also where it names two axes.

    Examples:
        >>> from mindspore import Tensor, ops
        >>> print(ops.norm(Tensor([[3.0, 4.0], [6.0, 8.0]]), dim=1))
        [ 5. 10.]
    """
    x = _floats(A, dtype)
    if p is not None:
        return _vector_norm(x, p, dim, keepdim)
    if ord is None:
        return _vector_norm(x, 2, dim, keepdim)
    axes = normal_axes(dim, x.ndim, "dim")
    if len(axes) == 2:
        return _matrix_norm(x, ord, axes, keepdim)
    if len(axes) == 1:
        return _vector_norm(x, ord, axes, keepdim)
    raise ValueError(
        f"the 'dim' must name 1 axis (vector) or 2 (matrix) when 'ord' is given, but got {dim} for the shape {x.shape}."
    )


@op(old={"axis": ("dim",), "keepdims": ("keepdim",)},
    test=lambda t: [t.case(t.normal(2, 3), 3, 1, expect=np.linalg.norm),
                    t.case(t.normal(2, 3), expect=lambda x: np.linalg.norm(x.ravel()))])  # fmt: skip
def vector_norm(x: Array, ord: Any = 2, axis: Axis = None, keepdims: bool = False, dtype: DType | None = None):
    """The norm of the elements along ``axis``, seen as a vector.

    Examples:
        >>> from mindspore import Tensor, ops
        >>> print(ops.vector_norm(Tensor([[3.0, 0.0], [0.0, 4.0]])))
        5.0
    """
    return _vector_norm(_floats(x, dtype), ord, axis, keepdims)


@op(old={"axis": ("dim",), "keepdims": ("keepdim",)},
    test=lambda t: [t.case(t.normal(2, 3), expect=np.linalg.norm),
                    t.case(t.normal(3, 4), "nuc", expect=np.linalg.norm, tolerance=1e-4)])  # fmt: skip
def matrix_norm(A: Array, ord: Any = "fro", axis: Axis = (-2, -1), keepdims: bool = False, dtype: DType | None = None):
    """The norm of the matrices in the axes ``axis``.

    Examples:
        >>> from mindspore import Tensor, ops
        >>> print(ops.matrix_norm(Tensor([[3.0, 0.0], [0.0, 4.0]])))
        5.0
    """
    return _matrix_norm(_floats(A, dtype), ord, axis, keepdims)


@op(primitive="LpNorm", init=("axis", "p", "keep_dims", "epsilon"), public=False,
    test=lambda t: [t.case(t.normal(2, 3), 1, expect=lambda x, axis: np.linalg.norm(x, axis=axis)),
                    t.case(t.normal(2, 3), 1, 3, True,
                           expect=lambda x, axis, p, keep: np.linalg.norm(x, p, axis, keep))])  # fmt: skip
@accepts("f", "input")
def lp_norm(input: Array, axis: Axis, p: int = 2, keep_dims: bool = False, epsilon: float = 1e-12):
    """The norm of order ``p`` along ``axis``, at least ``epsilon``.

    Examples:
        >>> from mindspore import Tensor, ops
        >>> print(ops.LpNorm(axis=1)(Tensor([[3.0, 4.0]])))
        [5.]
    """
    require(axis != (), "the 'axis' must name at least one axis, but got ().")
    require(p >= 0, f"the 'p' must be greater than or equal to 0, but got {p}.")
    require(epsilon >= 0, f"the 'epsilon' must be greater than or equal to 0, but got {epsilon}.")
    return jnp.maximum(_vector_norm(as_float(input), p, axis, keep_dims), epsilon)
