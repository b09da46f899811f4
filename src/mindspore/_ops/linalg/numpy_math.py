"""Operators behind :mod:`mindspore.numpy`: mathematics that :mod:`mindspore.ops` has no name for."""

from __future__ import annotations

import jax.numpy as jnp
import numpy as np

from mindspore._engine.operator.arguments import Array
from mindspore._engine.operator.registry import op
from mindspore._ops.declaring.promotion import check_broadcast, common_dtype, normal_axis
from mindspore._ops.declaring.requirements import require


def _alike(*arrays: Array) -> list[Array]:
    """The arrays in their common dtype; their shapes need not broadcast."""
    dtype = common_dtype(*arrays)
    return [array.astype(dtype) for array in arrays]


@op(public=False, test=lambda t: [t.case(t.positive(2, 3), expect=np.cbrt), t.case(-t.positive(4), expect=np.cbrt)])
def numpy_cbrt(x: Array):
    """The cube root."""
    return jnp.cbrt(x)


@op(public=False, test=lambda t: [t.case(4 * t.normal(9), np.pi, -1, expect=lambda p, d, axis: np.unwrap(p, d, axis))])
def numpy_unwrap(p: Array, discont: float, axis: int):
    """Angles with the jumps of whole turns taken out."""
    return jnp.unwrap(p, discont, normal_axis(axis, p.ndim))


@op(
    public=False,
    test=lambda t: [
        t.case(t.normal(2, 3), t.normal(2, 3), -1, -1, -1, expect=np.cross),
        t.case(t.normal(3, 2), t.normal(2, 3), 0, -1, 0, expect=np.cross),
    ],
)
def numpy_cross(a: Array, b: Array, axisa: int, axisb: int, axisc: int):
    """The vector product; vectors of two numbers have 0 as their third."""
    x, y = (jnp.moveaxis(v, axis, -1) for v, axis in ((a, axisa), (b, axisb)))
    check_broadcast(x[..., 0], y[..., 0])
    flat = x.shape[-1] == y.shape[-1] == 2
    x, y = (jnp.concatenate([v, jnp.zeros_like(v[..., :1])], -1) if v.shape[-1] == 2 else v for v in _alike(x, y))
    product = jnp.cross(x, y)
    return product[..., 2] if flat else jnp.moveaxis(product, -1, axisc)


@op(
    public=False,
    test=lambda t: [t.case(t.normal(5), t.normal(3), mode, expect=np.convolve) for mode in ("full", "same")],
)
def numpy_convolve(a: Array, v: Array, mode: str):
    """The convolution of two vectors."""
    require(a.size and v.size, f"the 'a' and 'v' must not be empty, but got shapes {a.shape} and {v.shape}.")
    x, y = _alike(a, v)
    return jnp.convolve(x, y, mode=mode).astype(x.dtype)


@op(
    public=False,
    test=lambda t: [t.case(t.normal(5), t.normal(3), mode, expect=np.correlate) for mode in ("full", "valid")],
)
def numpy_correlate(a: Array, v: Array, mode: str):
    """The correlation of two vectors."""
    return jnp.correlate(*_alike(a, v), mode=mode)


@op(
    public=False,
    test=lambda t: [
        t.case(t.normal(2, 3), np.array([-1.0, 0.0, 1.0], np.float32), False, expect=np.digitize, grad=False),
        t.case(t.normal(2, 3), np.array([1.0, 0.0, -1.0], np.float32), True, expect=np.digitize, grad=False),
    ],
)
def numpy_digitize(x: Array, bins: Array, right: bool):
    """The number of the interval each element falls in; the bins may fall instead of rise."""
    return jnp.digitize(*_alike(x, bins), right=right).astype(jnp.int32)


@op(
    public=False,
    test=lambda t: [
        t.case(t.normal(2, 3), np.sort(t.normal(5)), "left", grad=False,
               expect=lambda x, a, side: np.searchsorted(a, x, side)),
        t.case(np.array([1, 2, 2, 5]), np.array([1, 2, 2, 4]), "right",
               expect=lambda x, a, side: np.searchsorted(a, x, side)),
    ],
)  # fmt: skip
def numpy_searchsorted(v: Array, a: Array, side: str):
    """Where each element would stand in a sorted vector."""
    values, ordered = _alike(v, a)
    return jnp.searchsorted(ordered, values, side=side).astype(jnp.int32)


_KNOTS = np.array([-1.0, 0.0, 2.0], np.float32)


@op(
    public=False,
    test=lambda t: [
        t.case(t.uniform(-0.9, -0.1, 4), _KNOTS, t.normal(3), None, None, expect=np.interp, grad=(0, 2)),
        t.case(
            t.normal(4),
            _KNOTS,
            t.normal(3),
            np.array(-9.0, np.float32),
            np.array(9.0, np.float32),
            expect=np.interp,
            grad=False,
        ),
    ],
)
def numpy_interp(x: Array, xp: Array, fp: Array, left: Array | None, right: Array | None):
    """The piecewise linear function through given points."""
    return jnp.interp(x, xp, fp, left=left, right=right)


@op(
    public=False,
    test=lambda t: [
        t.case(t.normal(4), 1.0, 0, expect=lambda f, step, axis: np.gradient(f, step)),
        t.case(t.normal(3, 4), 2.0, 1, expect=lambda f, step, axis: np.gradient(f, step, axis=axis)),
    ],
)
def numpy_gradient(f: Array, step: float, axis: int):
    """The slope along an axis by central differences, one-sided at both ends."""
    axis = normal_axis(axis, f.ndim)
    few = f.ndim == 0 or f.shape[axis] < 2
    require(not few, f"the 'f' must have at least 2 elements along axis {axis}, but got shape {f.shape}.")
    return jnp.gradient(f, step, axis=axis)


@op(
    public=False,
    test=lambda t: [
        t.case(t.normal(3), t.normal(2, 2), expect=np.polyval),
        t.case(t.ints(3), t.ints(4), expect=np.polyval),
    ],
)
def numpy_polyval(p: Array, x: Array):
    """The value of a polynomial, highest power first."""
    return jnp.polyval(*_alike(p, x))
