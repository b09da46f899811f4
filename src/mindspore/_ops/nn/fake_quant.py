"""Fake quantization: floating-point numbers rounded to what a few bits can hold, with straight-through gradients."""

from __future__ import annotations

from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
from jax import lax

from mindspore._engine.operator.arguments import Array
from mindspore._engine.operator.registry import op
from mindspore._ops.declaring.requirements import require, require_float


@jax.custom_jvp
def _rounded(x: Any) -> Any:
    """Halves go up; the gradient passes as if nothing had happened."""
    return jnp.floor(x + 0.5)


_rounded.defjvps(lambda tangent, result, x: tangent)


@jax.custom_jvp
def _straight_through(x: Any, result: Any, inside: Any) -> Any:
    """The result, with the gradient of ``x`` itself where it is inside and none elsewhere."""
    return result


@_straight_through.defjvp
def _gradient_inside(primals: tuple, tangents: tuple) -> tuple[Any, Any]:
    _, result, inside = primals
    return result, jnp.where(inside, tangents[0], 0)


def _spread(name: str, vector: Any, x: Any, channel_axis: int | None) -> Any:
    """A value per tensor or per channel, in float32 and in a shape that broadcasts."""
    count = 1
    if channel_axis is not None:
        require(-x.ndim <= channel_axis < x.ndim,
                f"the 'channel_axis' must be in [{-x.ndim}, {x.ndim}), but got {channel_axis}.")  # fmt: skip
        count = x.shape[channel_axis]
    require(vector.shape == (count,), f"the '{name}' must have shape ({count},), but got {vector.shape}.")
    wide = vector.astype(jnp.float32)
    if channel_axis is None:
        return wide.reshape(())
    return jnp.expand_dims(wide, tuple(axis for axis in range(x.ndim) if axis != channel_axis % x.ndim))


def _levels(num_bits: int, symmetric: bool, narrow_range: bool) -> tuple[float, float]:
    """The least and the greatest integer; narrow leaves the least integer out."""
    require(2 <= num_bits <= 16, f"the 'num_bits' must be from 2 to 16, but got {num_bits}.")
    low, high = (-(2 ** (num_bits - 1)), 2 ** (num_bits - 1) - 1) if symmetric else (0, 2**num_bits - 1)
    return float(low + narrow_range), float(high)


def _vector(*numbers: float) -> np.ndarray:
    return np.array(numbers, np.float32)


def _fake_quantize_numpy(x, minimum, maximum, channel_axis=None, num_bits=8, symmetric=False, narrow_range=False):
    shape = [1] * x.ndim
    if channel_axis is not None:
        shape[channel_axis] = -1
    low, high = (np.reshape(v.astype(np.float64), shape) for v in (minimum, maximum))
    if symmetric:
        high = np.maximum(-low, high)
        low = -high
    least, most = _levels(num_bits, symmetric, narrow_range)
    scale = (high - low) / (most - least)
    zero = np.floor(np.clip(least - low / scale, least, most) + 0.5)
    return ((np.floor(np.clip(x / scale + zero, least, most) + 0.5) - zero) * scale).astype(np.float32)


@op(public=False,
    test=lambda t: [t.case(t.normal(3, 4), _vector(-1.1), _vector(1.3), expect=_fake_quantize_numpy, grad=False),
                    t.case(t.normal(2, 3, 2), _vector(-1, -2, -0.4), _vector(1.1, 0.7, 3), 1, 4,
                           expect=_fake_quantize_numpy, grad=False),
                    t.case(t.normal(3, 4), _vector(-1.1), _vector(0.9), None, 8, True, True,
                           expect=_fake_quantize_numpy, grad=False)])  # fmt: skip
def fake_quantize(x: Array, minimum: Array, maximum: Array, channel_axis: int | None = None, num_bits: int = 8,
                  symmetric: bool = False, narrow_range: bool = False):  # fmt: skip
    """Round to the nearest of ``2 ** num_bits`` levels between minimum and maximum, which are moved until 0 is a level.

    The minimum and the maximum (per tensor or per channel) get no gradient. Before they are used, ``symmetric``
    widens them until they differ in sign alone.
    """
    require_float("x", x)
    low, high = (lax.stop_gradient(_spread(name, vector, x, channel_axis))
                 for name, vector in (("minimum", minimum), ("maximum", maximum)))  # fmt: skip
    if symmetric:
        high = jnp.maximum(-low, high)
        low = -high
    least, most = _levels(num_bits, symmetric, narrow_range)
    scale = (high - low) / (most - least)
    divisor = jnp.where(scale > 0, scale, 1)  # all that was observed may be 0
    zero = jnp.floor(jnp.clip(least - low / divisor, least, most) + 0.5)
    low, high = (least - zero) * scale, (most - zero) * scale
    wide = x.astype(jnp.float32)
    steps = jnp.floor((jnp.clip(wide, low, high) - low) / divisor + 0.5)
    # The level as an integer times the scale: 0 stays exactly 0.
    result = (steps + (least - zero)) * scale
    return _straight_through(wide, result, (wide >= low) & (wide <= high)).astype(x.dtype)


@op(public=False,
    test=lambda t: [t.case(t.normal(3, 4), _vector(1.5), _vector(127), grad=False),
                    t.case(t.normal(2, 3), _vector(1, 2, 0.5), _vector(15), 1, True, grad=False)])  # fmt: skip
def learned_scale_quantize(x: Array, scale: Array, levels: Array, channel_axis: int | None = None,
                           neg_trunc: bool = False):  # fmt: skip
    """Round ``x / scale``, limited to [-1, 1] ([0, 1] with ``neg_trunc``), to parts of 1 / ``levels``, and scale back.

    The scale (per tensor or per channel) is learned: an element inside the range gives it the rounding error as
    gradient, an element beyond the range the limit.
    """
    require_float("x", x)
    factor = _spread("scale", scale, x, channel_axis)
    count = lax.stop_gradient(_spread("levels", levels, x, None))
    part = jnp.clip(x.astype(jnp.float32) / factor, 0.0 if neg_trunc else -1.0, 1.0)
    return (_rounded(part * count) / count * factor).astype(x.dtype)


@op(public=False,
    test=lambda t: [t.case(t.normal(3, 4), t.normal(1), t.positive(1), grad=False,
                           expect=lambda x, low, high: (np.minimum([x.min()], 0), np.maximum([x.max()], 0))),
                    t.case(t.normal(2, 3), t.normal(3), t.positive(3), 1, True, 0.9, grad=False)])  # fmt: skip
def observed_range(x: Array, minimum: Array, maximum: Array, channel_axis: int | None = None, ema: bool = False,
                   ema_decay: float = 0.999):  # fmt: skip
    """The minimum and maximum of ``x``, of all or of each channel; 0 is always between them.

    With ``ema`` they follow slowly: ``ema_decay * old + (1 - ema_decay) * new``.
    """
    require_float("x", x)
    old = [_spread(name, vector, x, channel_axis) for name, vector in (("minimum", minimum), ("maximum", maximum))]
    axes = tuple(axis for axis in range(x.ndim) if channel_axis is None or axis != channel_axis % x.ndim)
    wide = lax.stop_gradient(x.astype(jnp.float32))
    new = [extreme(wide, axis=axes, keepdims=channel_axis is not None) for extreme in (jnp.min, jnp.max)]
    if ema:
        new = [ema_decay * before + (1 - ema_decay) * now for before, now in zip(old, new)]
    return (jnp.minimum(new[0], 0).reshape(minimum.shape).astype(minimum.dtype),
            jnp.maximum(new[1], 0).reshape(maximum.shape).astype(maximum.dtype))  # fmt: skip
