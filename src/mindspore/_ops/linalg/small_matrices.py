"""Inverses of many matrices of 2, 3 or 4 rows by their minors, in float64: LAPACK is called for one matrix after the other."""

from __future__ import annotations

import itertools
from typing import Any

import jax
import jax.numpy as jnp

_MOST = 4  # rows
_FEWEST = 16  # matrices


def inverse(x: Any) -> Any:
    """The inverse of each matrix."""
    fixed = all(isinstance(size, int) for size in x.shape)
    if not fixed or x.dtype != jnp.float32 or not 1 < x.shape[-1] <= _MOST or x.size < _FEWEST * x.shape[-1] ** 2:
        return jnp.linalg.inv(x)
    return _by_minors(x)


@jax.custom_jvp
def _by_minors(x: Any) -> Any:
    size = x.shape[-1]
    elements = {
        (row, column): x[..., row, column].astype(jnp.float64)
        for row, column in itertools.product(range(size), repeat=2)
    }
    everything = tuple(range(size))
    minors: dict[tuple, Any] = {}

    def minor(rows: tuple[int, ...], columns: tuple[int, ...]) -> Any:
        """The determinant of these rows and columns, expanded along the first row."""
        if not rows:
            return jnp.ones((), jnp.float64)
        if (rows, columns) not in minors:
            terms = [
                (-1) ** at * elements[rows[0], column] * minor(rows[1:], columns[:at] + columns[at + 1 :])
                for at, column in enumerate(columns)
            ]
            minors[rows, columns] = sum(terms[1:], terms[0])
        return minors[rows, columns]

    scale = 1 / minor(everything, everything)
    found = [
        (-1) ** (row + column) * scale * minor(_without(everything, column), _without(everything, row))
        for row, column in itertools.product(range(size), repeat=2)
    ]  # fmt: skip
    return jnp.stack(found, -1).reshape(x.shape).astype(x.dtype)


def _without(axes: tuple[int, ...], axis: int) -> tuple[int, ...]:
    return axes[:axis] + axes[axis + 1 :]


@_by_minors.defjvp
def _along(primals: tuple, tangents: tuple) -> tuple:
    found = _by_minors(primals[0])
    return found, -_product(_product(found, tangents[0]), found)


def _product(x: Any, y: Any) -> Any:
    """Of small matrices, without a call for each."""
    return (x[..., :, :, None] * y[..., None, :, :]).sum(-2)
