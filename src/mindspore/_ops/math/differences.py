"""Differences of neighbours, and the area under a curve."""

from __future__ import annotations

import jax.numpy as jnp
import numpy as np

from mindspore._engine.operator.arguments import Array
from mindspore._engine.operator.registry import op
from mindspore._ops.declaring.promotion import as_float, axis_of, promote
from mindspore._ops.declaring.requirements import FOUND_BY_KERNEL


@op(method="diff", old={"x": ("input",), "axis": ("dim",)},
    test=lambda t: [t.case(t.normal(2, 4), expect=np.diff), t.case(t.normal(4, 2), 2, 0, expect=np.diff),
                    t.case(t.normal(2, 3), 1, -1, t.normal(2, 1), t.normal(2, 2), expect=np.diff)])  # fmt: skip
def diff(x: Array, n: int = 1, axis: int = -1, prepend: Array | None = None, append: Array | None = None):
    """Each element less its predecessor along ``axis``, done ``n`` times.

    Args:
        prepend, append: what to put before and after ``x`` along the axis first.

    Examples:
        >>> from mindspore import Tensor, ops
        >>> print(ops.diff(Tensor([1.0, 4.0, 9.0])))
        [3. 5.]
    """
    if n < 0:
        raise FOUND_BY_KERNEL(f"the 'n' must not be negative, but got {n}.")
    axis = axis_of(x, axis, "x")
    parts = _fitting([part for part in (prepend, x, append) if part is not None], x, axis)
    return jnp.diff(jnp.concatenate(parts, axis), n, axis)


def _fitting(parts: list, x: Array, axis: int) -> list:
    """The parts in the dtype of ``x``; they must have its lengths along the other axes."""
    others = [length for number, length in enumerate(x.shape) if number != axis]
    for part in parts:
        if part.ndim != x.ndim or [length for number, length in enumerate(part.shape) if number != axis] != others:
            raise ValueError(
                f"the 'prepend' and 'append' must have the shape of 'x' except along the axis {axis}, but got "
                f"{tuple(part.shape)} for {tuple(x.shape)}."
            )
    return [part.astype(x.dtype) for part in parts]


@op(test=lambda t: [t.case(t.normal(2, 4), expect=np.trapezoid),
                    t.case(t.normal(2, 4), t.uniform(0, 1, 4), expect=np.trapezoid),
                    t.case(t.normal(4, 2), dx=0.5, dim=0,
                           expect=lambda y, dx, dim: np.trapezoid(y, dx=dx, axis=dim))])  # fmt: skip
def trapz(y: Array, x: Array | None = None, dx: float = 1.0, dim: int = -1):
    """The area under ``y`` along ``dim`` by the trapezoidal rule, at the points ``x`` or at steps of ``dx``.

    Examples:
        >>> from mindspore import Tensor, ops
        >>> print(ops.trapz(Tensor([1.0, 2.0, 3.0])))
        4.0
    """
    axis = axis_of(y, dim, "y")
    heights = jnp.moveaxis(as_float(y), axis, -1)
    pairs = (heights[..., 1:] + heights[..., :-1]) / 2
    if x is None:
        return jnp.sum(pairs * jnp.asarray(dx, pairs.dtype), -1)
    if x.ndim not in (1, y.ndim) or x.shape[-1 if x.ndim == 1 else axis] != y.shape[axis]:
        raise ValueError(
            f"the 'x' must be a vector of {y.shape[axis]} points or have the shape of 'y' {tuple(y.shape)}, but got "
            f"the shape {tuple(x.shape)}."
        )
    points = x if x.ndim == 1 else jnp.moveaxis(x, axis, -1)
    pairs, steps = promote(pairs, jnp.diff(as_float(points)))
    return jnp.sum(pairs * steps, -1)
