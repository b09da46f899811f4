"""Colours in other forms: hue, saturation, value."""

from __future__ import annotations

import colorsys
from typing import Any

import jax.numpy as jnp
import numpy as np

from mindspore._engine.operator.arguments import Array, Operand
from mindspore._engine.operator.registry import op
from mindspore._ops.declaring.dtype_checks import accepts
from mindspore._ops.declaring.promotion import upcast_half
from mindspore._ops.declaring.requirements import require, require_float, require_rank_from


def _require_colours(name: str, x: Any) -> None:
    require_float(name, x)
    require_rank_from(name, x, 1)
    require(x.shape[-1] == 3, f"the '{name}' must have 3 elements (colours) on the last axis, but got shape {x.shape}.")


def _to_hsv(x: Any) -> Any:
    red, green, blue = x[..., 0], x[..., 1], x[..., 2]
    value, low = x.max(-1), x.min(-1)
    span = value - low
    some = span > 0
    safe = jnp.where(some, span, 1)
    by_red, by_green, by_blue = (green - blue) / safe, (blue - red) / safe + 2, (red - green) / safe + 4
    hue = jnp.where(red == value, by_red, jnp.where(green == value, by_green, by_blue)) / 6
    hue = jnp.where(some, jnp.where(hue < 0, hue + 1, hue), 0)
    saturation = jnp.where(value > 0, span / jnp.where(value > 0, value, 1), 0)
    return jnp.stack([hue, saturation, value], axis=-1)


def _to_rgb(x: Any) -> Any:
    hue, saturation, value = x[..., :1], x[..., 1:2], x[..., 2:]
    # every channel is piecewise linear in the distance of the hue from a reference hue
    distance = jnp.abs(hue * 6 - np.array([3, 2, 4], np.float32))
    share = jnp.clip(distance * np.array([1, -1, -1], np.float32) + np.array([-1, 2, 2], np.float32), 0, 1)
    return value * (1 - saturation * (1 - share))


def _numpy_by(convert: Any) -> Any:
    return lambda x, *rest: np.array([convert(*pixel, *rest) for pixel in x.reshape(-1, 3)]).reshape(x.shape)


def _turned(red: float, green: float, blue: float, delta: float) -> tuple[float, ...]:
    hue, saturation, value = colorsys.rgb_to_hsv(red, green, blue)
    return colorsys.hsv_to_rgb((hue + delta) % 1, saturation, value)


def _saturated(red: float, green: float, blue: float, scale: float) -> tuple[float, ...]:
    hue, saturation, value = colorsys.rgb_to_hsv(red, green, blue)
    return colorsys.hsv_to_rgb(hue, min(max(saturation * scale, 0), 1), value)


@op(primitive="RGBToHSV", public=False,
    test=lambda t: [t.case(t.uniform(0, 1, 2, 3, 3), expect=_numpy_by(colorsys.rgb_to_hsv))])  # fmt: skip
@accepts("f", "images")
def rgb_to_hsv(images: Array):
    """Red, green and blue (last axis) as hue, saturation and value, all from 0 to 1.

    Examples:
        >>> from mindspore import Tensor, ops
        >>> print(ops.RGBToHSV()(Tensor([1.0, 0.0, 0.0])))
        [0. 1. 1.]
    """
    _require_colours("images", images)
    return _to_hsv(upcast_half(images)).astype(images.dtype)


@op(primitive="HSVToRGB", public=False,
    test=lambda t: [t.case(t.uniform(0, 1, 1, 2, 3, 3), expect=_numpy_by(colorsys.hsv_to_rgb))])  # fmt: skip
@accepts("f", "x")
def hsv_to_rgb(x: Array):
    """Hue, saturation and value (last of four axes) as red, green and blue.

    Examples:
        >>> from mindspore import Tensor, ops
        >>> print(ops.HSVToRGB()(Tensor([[[[0.0, 1.0, 1.0]]]])).reshape(-1))
        [1. 0. 0.]
    """
    require(x.ndim == 4, f"the 'x' must have 4 dimensions, but got {x.ndim}: shape {x.shape}.")
    _require_colours("x", x)
    return _to_rgb(upcast_half(x)).astype(x.dtype)


@op(primitive="AdjustHue", public=False, old={"image": "images"},
    test=lambda t: [t.case(t.uniform(0, 1, 2, 3, 3), 0.3, grad=(0,), expect=_numpy_by(_turned))])  # fmt: skip
@accepts("f", "delta")
def adjust_hue(image: Array, delta: Operand):
    """Colours (last axis) with ``delta`` added to the hue, on a circle of length 1.

    Examples:
        >>> from mindspore import Tensor, ops
        >>> print(ops.AdjustHue()(Tensor([[[1.0, 0.0, 0.0]]]), Tensor(0.5)))
        [[[0. 1. 1.]]]
    """
    require_rank_from("image", image, 3)
    _require_colours("image", image)
    hsv = _to_hsv(upcast_half(image))
    hue = (hsv[..., :1] + delta) % 1
    return _to_rgb(jnp.concatenate([hue, hsv[..., 1:]], axis=-1)).astype(image.dtype)


@op(primitive="AdjustSaturation", public=False, old={"image": "images"},
    test=lambda t: [t.case(t.uniform(0, 1, 2, 3, 3), 0.3, grad=(0,), expect=_numpy_by(_saturated))])  # fmt: skip
@accepts("f", "scale")
def adjust_saturation(image: Array, scale: Operand):
    """Colours (last axis) with the saturation multiplied by ``scale``, at most 1.

    Examples:
        >>> from mindspore import Tensor, ops
        >>> print(ops.AdjustSaturation()(Tensor([[[1.0, 0.5, 0.5]]]), Tensor(0.0)))
        [[[1. 1. 1.]]]
    """
    require_rank_from("image", image, 3)
    _require_colours("image", image)
    hsv = _to_hsv(upcast_half(image))
    saturation = jnp.clip(hsv[..., 1:2] * scale, 0, 1)
    return _to_rgb(jnp.concatenate([hsv[..., :1], saturation, hsv[..., 2:]], axis=-1)).astype(image.dtype)
