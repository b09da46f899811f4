"""Factorisations of matrices as loops over their columns; everything else of this kind in terms of them."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import jax.numpy as jnp
import numpy as np
from jax import lax

from mindspore._engine.export.plainer import Plain, plainer


def _unit(length: int, at: Any, dtype: Any) -> Any:
    """A one-hot vector."""
    return (jnp.arange(length, dtype=np.int32) == at).astype(dtype)


def _column(matrix: Any, at: Any) -> Any:
    return (matrix * _unit(matrix.shape[-1], at, matrix.dtype)).sum(-1)


def _row(matrix: Any, at: Any) -> Any:
    return (matrix * _unit(matrix.shape[-2], at, matrix.dtype)[:, None]).sum(-2)


def _real(equation: Any) -> bool:
    shape = equation.invars[0].aval.shape
    return all(isinstance(size, int) for size in shape) and jnp.issubdtype(equation.invars[0].aval.dtype, jnp.floating)


def _real_ones(find: Callable[[Any], Plain | None]) -> Callable[[Any], Plain | None]:
    return lambda equation: find(equation) if _real(equation) else None


@plainer("dot_general")
def _product(equation: Any) -> Plain | None:
    """A product of matrices, or of batches of them."""
    (over_x, over_y), (batch_x, batch_y) = equation.params["dimension_numbers"]
    x_shape, y_shape = (var.aval.shape for var in equation.invars)
    free_x = [axis for axis in range(len(x_shape)) if axis not in (*over_x, *batch_x)]
    free_y = [axis for axis in range(len(y_shape)) if axis not in (*over_y, *batch_y)]
    simple = len(over_x) == len(free_x) == len(free_y) == 1
    if simple or not all(isinstance(size, int) for size in (*x_shape, *y_shape)):
        return None
    batch = [x_shape[axis] for axis in batch_x]
    inner = math.prod(x_shape[axis] for axis in over_x)

    def multiply(x: Any, y: Any) -> Any:
        first = x.transpose([*batch_x, *free_x, *over_x]).reshape(*batch, -1, inner)
        second = y.transpose([*batch_y, *over_y, *free_y]).reshape(*batch, inner, -1)
        axes = tuple(range(len(batch)))
        numbers = (((len(batch) + 1,), (len(batch),)), (axes, axes))
        found = lax.dot_general(first, second, numbers, preferred_element_type=equation.outvars[0].aval.dtype)
        return found.reshape(equation.outvars[0].aval.shape)

    return multiply


@plainer("cholesky")
@_real_ones
def _cholesky(equation: Any) -> Plain | None:
    def factor(a: Any) -> Any:
        n = a.shape[-1]

        def step(k: Any, lower: Any) -> Any:
            rest = _column(a, k) - (lower * _row(lower, k)[..., None, :]).sum(-1)
            pivot = jnp.sqrt((rest * _unit(n, k, a.dtype)).sum(-1, keepdims=True))
            column = jnp.where(jnp.arange(n, dtype=np.int32) >= k, rest / pivot, 0)
            return lower + column[..., :, None] * _unit(n, k, a.dtype)

        return lax.fori_loop(0, n, step, jnp.zeros_like(a))

    return factor


@plainer("triangular_solve")
@_real_ones
def _triangular_solve(equation: Any) -> Plain | None:
    """Every kind as a lower matrix from the left, and that one row after the other."""
    given = equation.params
    if given["left_side"] and given["lower"] and not given["transpose_a"] and not given["unit_diagonal"]:
        return _substituted

    def solve(a: Any, b: Any) -> Any:
        n, lower = a.shape[-1], given["lower"] != given["transpose_a"]
        a = jnp.swapaxes(a, -1, -2) if given["transpose_a"] else a
        if given["unit_diagonal"]:
            eye = np.eye(n, dtype=a.dtype)
            a = a * (1 - eye) + eye
        if not given["left_side"]:
            a, b, lower = jnp.swapaxes(a, -1, -2), jnp.swapaxes(b, -1, -2), not lower
        if not lower:
            a, b = a[..., ::-1, ::-1], b[..., ::-1, :]
        a = a * np.tri(n, dtype=a.dtype)
        x = lax.linalg.triangular_solve(a, b, left_side=True, lower=True)
        x = x if lower else x[..., ::-1, :]
        return x if given["left_side"] else jnp.swapaxes(x, -1, -2)

    return solve


def _substituted(a: Any, b: Any) -> Any:
    n = a.shape[-1]

    def step(k: Any, x: Any) -> Any:
        row = _row(a, k)
        found = _row(b, k) - (row[..., :, None] * x).sum(-2)
        found = found / (row * _unit(n, k, a.dtype)).sum(-1)[..., None]
        return x + found[..., None, :] * _unit(n, k, a.dtype)[:, None]

    return lax.fori_loop(0, n, step, jnp.zeros_like(b))


@plainer("lu")
@_real_ones
def _lu(equation: Any) -> Plain | None:
    """With the largest element of a column as the next pivot."""

    def factor(a: Any) -> Any:
        rows, columns = a.shape[-2:]
        count = jnp.arange(rows, dtype=np.int32)
        batch = a.shape[:-2]

        def step(k: Any, state: Any) -> Any:
            a, pivots, order = state
            size = jnp.where(count >= k, jnp.abs(_column(a, k)), -1)
            best = jnp.argmax(size, -1).astype(np.int32)[..., None]
            moved = jnp.where(count == k, best, jnp.where(count == best, k, count)).astype(np.int32)
            a = jnp.take_along_axis(a, moved[..., None], -2, mode="promise_in_bounds")
            order = jnp.take_along_axis(order, moved, -1, mode="promise_in_bounds")
            pivots = jnp.where(jnp.arange(pivots.shape[-1], dtype=np.int32) == k, best, pivots)
            column, row = _column(a, k), _row(a, k)
            pivot = (column * _unit(rows, k, a.dtype)).sum(-1, keepdims=True)
            factors = jnp.where(count > k, column / jnp.where(pivot == 0, 1, pivot), 0)
            right = jnp.where(jnp.arange(columns, dtype=np.int32) > k, row, 0)
            a = a - factors[..., :, None] * right[..., None, :]
            below = (count > k)[:, None] & (jnp.arange(columns, dtype=np.int32) == k)
            return jnp.where(below, factors[..., :, None], a), pivots, order

        steps = min(rows, columns)
        start = (a, jnp.zeros((*batch, steps), np.int32), jnp.broadcast_to(count, (*batch, rows)))
        return lax.fori_loop(0, steps, step, start)

    return factor


@plainer("qr")
@_real_ones
def _qr(equation: Any) -> Plain | None:
    """By reflections, one for each column."""
    full = equation.params["full_matrices"]
    if equation.params.get("pivoting"):
        return None

    def factor(a: Any) -> Any:
        rows, columns = a.shape[-2:]
        count, steps = jnp.arange(rows, dtype=np.int32), min(rows, columns)

        def step(k: Any, state: Any) -> Any:
            q, r = state
            column = jnp.where(count >= k, _column(r, k), 0)
            first = (column * _unit(rows, k, a.dtype)).sum(-1, keepdims=True)
            below = jnp.where(count > k, column, 0)
            flat = (below * below).sum(-1, keepdims=True) == 0  # nothing to reflect
            norm = jnp.sqrt((column * column).sum(-1, keepdims=True))
            pole = jnp.where(first < 0, norm, -norm)
            mirror = column - pole * _unit(rows, k, a.dtype)
            length = (mirror * mirror).sum(-1, keepdims=True)
            scaled = jnp.where(flat, 0, 2 * mirror / jnp.where(flat, 1, length))
            r = r - scaled[..., :, None] * (mirror[..., None, :] @ r)
            q = q - (q @ mirror[..., :, None]) * scaled[..., None, :]
            return q, r

        eye = jnp.broadcast_to(np.eye(rows, dtype=a.dtype), (*a.shape[:-2], rows, rows))
        q, r = lax.fori_loop(0, steps, step, (eye, a))
        r = r * np.tri(rows, columns, dtype=a.dtype).T if rows == columns else jnp.triu(r)
        return (q, r) if full else (q[..., :steps], r[..., :steps, :])

    return factor
