"""Images, rows and volumes in another size by areas, lines and filters."""

from __future__ import annotations

from typing import Any

import jax.numpy as jnp
import numpy as np

from mindspore._engine.operator.arguments import Array, Shape
from mindspore._engine.operator.registry import op
from mindspore._ops.declaring.construction import at_construction
from mindspore._ops.declaring.dtype_checks import accepts
from mindspore._ops.declaring.promotion import at_least_float32, upcast_half
from mindspore._ops.declaring.requirements import (
    require,
    require_choice,
    require_float,
    require_form,
    require_rank,
    require_shape,
)
from mindspore._ops.image.resize import interpolate

_interpolate = interpolate.op.body  # type: ignore[attr-defined] - made by @op


def _require_size(size: tuple[int, ...], count: int) -> None:
    right = len(size) == count and min(size) > 0
    require(right, f"the 'size' must be {count} positive ints, but got {size}.")


def _area_weights(length: int, size: int, align_corners: bool) -> np.ndarray:
    """The matrix (length, size) whose columns average the part of the axis that an output element covers."""
    scale = (length - 1) / (size - 1) if align_corners and size > 1 else length / size
    weights = np.zeros((length, size))
    for number in range(size):
        start, end = number * scale, (number + 1) * scale
        for pixel in range(int(np.floor(start)), int(np.ceil(end))):
            weights[min(pixel, length - 1), number] += min(pixel + 1, end) - max(pixel, start)
    return weights / scale


@op(primitive="ResizeArea", init=("align_corners",), public=False,
    test=lambda t: [t.case(t.normal(1, 4, 6, 2), (2, 3),
                           expect=lambda x, _: x.reshape(1, 2, 2, 3, 2, 2).mean((2, 4)))])  # fmt: skip
@accepts("if", "images")
def resize_area(images: Array, size: Shape, align_corners: bool = False):
    """Images (N, H, W, C) in another size; every element is the mean of the area it covers. The result is Float32.

    Examples:
        >>> import mindspore
        >>> from mindspore import Tensor, ops
        >>> print(ops.ResizeArea()(Tensor([[[[1.0], [3.0]], [[5.0], [7.0]]]]), Tensor([1, 1], mindspore.int32)))
        [[[[4.]]]]
    """
    require_rank("images", images, 4)
    _require_size(size, 2)
    x = at_least_float32(images)
    rows = _area_weights(images.shape[1], size[0], align_corners).astype(x.dtype)
    columns = _area_weights(images.shape[2], size[1], align_corners).astype(x.dtype)
    result = jnp.einsum("nhwc,hi,wj->nijc", x, rows, columns)
    return result if images.dtype == jnp.float64 else result.astype(jnp.float32)


_COORDINATES = ("align_corners", "half_pixel")


@at_construction(
    lambda coordinate_transformation_mode: require_choice(
        "coordinate_transformation_mode", coordinate_transformation_mode, _COORDINATES
    )
)
@op(primitive="ResizeLinear1D", init=("coordinate_transformation_mode",), public=False,
    test=lambda t: [t.case(t.normal(1, 2, 3), (5,), expect=lambda x, _: np.stack(
        [x[..., 0], (x[..., 0] + x[..., 1]) / 2, x[..., 1], (x[..., 1] + x[..., 2]) / 2, x[..., 2]], -1)),
                    t.case(t.normal(1, 2, 4), (3,), "half_pixel")])  # fmt: skip
def resize_linear_1d(x: Array, size: Shape, coordinate_transformation_mode: str = "align_corners"):
    """Rows (N, C, L) in another length by linear interpolation.

    Examples:
        >>> import mindspore
        >>> from mindspore import Tensor, ops
        >>> print(ops.ResizeLinear1D()(Tensor([[[1.0, 3.0]]]), Tensor([3], mindspore.int32)))
        [[[1. 2. 3.]]]
    """
    require_choice("coordinate_transformation_mode", coordinate_transformation_mode, _COORDINATES)
    require_rank("x", x, 3)
    _require_size(size, 1)
    return _interpolate(x, size, None, "linear", coordinate_transformation_mode == "align_corners")


# -- volumes -----------------------------------------------------------------------------------------------------------
def _volume_size(x: Any, output_size: Any, scales: Any) -> tuple[int, ...]:
    require_rank("x", x, 5)
    given = f"but got output_size={output_size} and scales={scales}."
    require_form(
        (output_size is None) != (scales is None), f"the 'output_size' or 'scales' must be given, not both, {given}"
    )
    values = output_size if output_size is not None else scales
    require_form(
        isinstance(values, tuple) and len(values) == 3, f"the 'output_size' or 'scales' must have 3 numbers, {given}"
    )
    if output_size is None:
        values = tuple(int(n * s) for n, s in zip(x.shape[2:], scales, strict=True))
    return values


@op(
    primitive="UpsampleNearest3D",
    public=False,
    test=lambda t: [t.case(t.normal(1, 1, 2, 2, 1), (4, 2, 3), expect=lambda x, _: x.repeat(2, 2).repeat(3, 4))],
)
def upsample_nearest_3d(x: Array, output_size: Any = None, scales: Any = None):
    """Volumes (N, C, D, H, W) in another size; every element is the nearest element of the input.

    Examples:
        >>> from mindspore import ops
        >>> print(ops.UpsampleNearest3D()(ops.ones((1, 1, 1, 2, 2)), [2, 4, 4], None).shape)
        (1, 1, 2, 4, 4)
    """
    return _interpolate(x, _volume_size(x, output_size, scales), None, "nearest")


@op(primitive="UpsampleTrilinear3D", init=("align_corners",), public=False,
    test=lambda t: [t.case(t.normal(1, 1, 2, 2, 1), (3, 2, 1), None, True,
                           expect=lambda x, *_: np.stack([x[:, :, 0], x.mean(2), x[:, :, 1]], 2))])  # fmt: skip
def upsample_trilinear_3d(x: Array, output_size: Any = None, scales: Any = None, align_corners: bool = False):
    """Volumes (N, C, D, H, W) in another size by linear interpolation.

    Examples:
        >>> from mindspore import ops
        >>> print(ops.UpsampleTrilinear3D()(ops.ones((1, 1, 1, 2, 2)), [2, 4, 4], None).shape)
        (1, 1, 2, 4, 4)
    """
    return _interpolate(x, _volume_size(x, output_size, scales), None, "trilinear", align_corners)


# -- filters -----------------------------------------------------------------------------------------------------------
def _lanczos(radius: float) -> Any:
    def kernel(x: Any) -> Any:
        safe = jnp.where(x <= 1e-3, 1, x) * np.pi
        value = radius * jnp.sin(safe) * jnp.sin(safe / radius) / safe**2
        return jnp.where(x > radius, 0, jnp.where(x <= 1e-3, 1, value))

    return kernel


def _cubic(x: Any) -> Any:
    near, far = ((1.5 * x - 2.5) * x) * x + 1, ((-0.5 * x + 2.5) * x - 4) * x + 2
    return jnp.where(x >= 2, 0, jnp.where(x >= 1, far, near))


def _mitchell(x: Any) -> Any:
    near, far = (7 / 6 * x - 2) * x * x + 8 / 9, ((-7 / 18 * x + 2) * x - 10 / 3) * x + 16 / 9
    return jnp.where(x >= 2, 0, jnp.where(x >= 1, far, near))


_FILTERS = {  # the kernel and the distance at which it ends
    "lanczos1": (_lanczos(1.0), 1.0), "lanczos3": (_lanczos(3.0), 3.0), "lanczos5": (_lanczos(5.0), 5.0),
    "gaussian": (lambda x: jnp.where(x >= 1.5, 0, jnp.exp(-2 * x**2)), 1.5),
    "box": (lambda x: jnp.where(x < 0.5, 1.0, jnp.where(x == 0.5, 0.5, 0.0)), 1.0),
    "triangle": (lambda x: jnp.maximum(1 - x, 0), 1.0), "keyscubic": (_cubic, 2.0), "mitchellcubic": (_mitchell, 2.0),
}  # fmt: skip


def _filter_weights(length: int, size: int, scale: Any, shift: Any, kernel: Any, radius: float, antialias: bool) -> Any:
    """The interpolation matrix (length, size) of an axis; elements from outside of the image are zero."""
    centres = (np.arange(size, dtype=np.float32) + 0.5 - shift) / scale
    stretch = jnp.maximum(1 / scale, 1) if antialias else 1.0
    distance = jnp.abs(np.arange(length, dtype=np.float32)[:, None] + 0.5 - centres)
    weights = jnp.where(distance <= radius * stretch, kernel(distance / stretch), 0)
    total = weights.sum(0)
    inside = (centres >= 0) & (centres <= length) & (jnp.abs(total) > 1e-30)
    return jnp.where(inside, weights / jnp.where(inside, total, 1), 0)


_TWICE, _NOWHERE = np.array([2, 2], np.float32), np.zeros(2, np.float32)


@at_construction(lambda kernel_type, antialias: require_choice("kernel_type", kernel_type, tuple(_FILTERS)))
@op(primitive="ScaleAndTranslate", init=("kernel_type", "antialias"), public=False,
    test=lambda t: [t.case(t.normal(1, 2, 3, 1), (4, 6), _TWICE, _NOWHERE, "box", False, grad=(0,),
                           expect=lambda x, *_: x.repeat(2, 1).repeat(2, 2)),
                    t.case(t.normal(1, 4, 3, 1), (3, 2), _TWICE / 3, _NOWHERE + 0.2, "triangle", grad=(0,))])  # fmt: skip
@accepts("if", "images")
@accepts("f", "translation")
def scale_and_translate(images: Array, size: Shape, scale: Array, translation: Array, kernel_type: str = "lanczos3",
                        antialias: bool = True):  # fmt: skip
    """Images (N, H, W, C) enlarged by ``scale``, moved by ``translation`` and cut to ``size``. The result is Float32.

    Examples:
        >>> import mindspore
        >>> from mindspore import Tensor, ops
        >>> size, scale, shift = Tensor([4, 4], mindspore.int32), Tensor([2.0, 2.0]), Tensor([0.0, 0.0])
        >>> print(ops.ScaleAndTranslate()(ops.ones((1, 2, 2, 1)), size, scale, shift).shape)
        (1, 4, 4, 1)
    """
    require_choice("kernel_type", kernel_type, tuple(_FILTERS))
    require_rank("images", images, 4)
    _require_size(size, 2)
    require_float("scale", scale)
    require_shape("scale", scale, (2,))
    require_shape("translation", translation, (2,))
    kernel, radius = _FILTERS[kernel_type]
    scale, translation = upcast_half(scale), upcast_half(translation)
    matrices = [_filter_weights(images.shape[1 + axis], size[axis], scale[axis], translation[axis], kernel, radius,
                                antialias) for axis in range(2)]  # fmt: skip
    x = at_least_float32(images)
    return jnp.einsum("nhwc,hi,wj->nijc", x, *matrices).astype(x.dtype)
