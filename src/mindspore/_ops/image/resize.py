"""Images (and rows and volumes) in another size."""

from __future__ import annotations

import fractions
from collections.abc import Sequence
from typing import Any

import jax.numpy as jnp
import numpy as np
from jax.export import is_symbolic_dim

from mindspore._engine.base.open_sizes import is_open
from mindspore._engine.operator.arguments import Array, Choice, Shape
from mindspore._engine.operator.registry import op
from mindspore._ops.declaring.promotion import upcast_half
from mindspore._ops.declaring.requirements import (
    require,
    require_choice,
    require_elements,
    require_float,
    require_form,
    require_rank,
)
from mindspore._ops.declaring.windows import may_be
from mindspore._ops.nn.adaptive_pooling import average_to

_LONG, _LONG_ROW = 64, 128  # axes from which on neighbours are picked: products with mostly zeros take longer


def _positions(length: int, size: int, align_corners: bool, half_pixel: bool, step: float | None = None) -> Any:
    """Input coordinates of the output elements; ``step`` is their distance, if it does not follow from the sizes."""
    if is_open((length, size)):
        return _open_positions(length, size, align_corners, half_pixel, step)
    require(size < 2**31, f"the 'size' must be less than 2**31 in every axis, but got {size}.")
    index = np.arange(size)
    step = length / size if step is None else step
    if align_corners:
        return index * ((length - 1) / (size - 1) if size > 1 else 0.0)
    return (index + 0.5) * step - 0.5 if half_pixel else index * step


def _open_positions(length: int, size: int, align_corners: bool, half_pixel: bool, step: float | None) -> Any:
    """The same where sizes are open: computed in the graph."""
    index = jnp.arange(size).astype(np.float64)
    had, wanted = (jnp.asarray(n).astype(np.float64) for n in (length, size))
    if align_corners:
        return index * ((had - 1) / jnp.maximum(wanted - 1, 1))
    apart = had / wanted if step is None else step
    return (index + 0.5) * apart - 0.5 if half_pixel else index * apart


def _nearest(x: Any, axis: int, size: int, align_corners: bool, half_pixel: bool, step: float | None = None) -> Any:
    require_elements("x", x, (axis,))
    length = x.shape[axis]
    if is_open((length, size)):
        return _nearest_open(x, axis, size, align_corners, half_pixel, step)
    positions = _positions(length, size, align_corners, half_pixel, step)
    index = np.floor(positions + 0.5 if align_corners or half_pixel else positions).astype(int).clip(0, length - 1)
    if size % length == 0 and (index == np.arange(size) // (size // length)).all():
        return jnp.repeat(x, size // length, axis=axis)  # its gradient is a sum, not a scatter
    return jnp.take(x, index, axis=axis)


def _nearest_open(x: Any, axis: int, size: int, align_corners: bool, half_pixel: bool, step: float | None) -> Any:
    """The same where sizes are open: elements are repeated where one size is a multiple of the other."""
    length = x.shape[axis]
    times, rest = divmod(size, length)
    if rest == 0 and isinstance(times, int) and not align_corners and step in (None, 1 / times):
        return jnp.repeat(x, times, axis=axis)
    positions = _open_positions(length, size, align_corners, half_pixel, step)
    index = jnp.floor(positions + 0.5 if align_corners or half_pixel else positions).astype(np.int32)
    return jnp.take(x, jnp.clip(index, 0, jnp.asarray(length) - 1), axis=axis, mode="clip")


def _linear_weights(positions: np.ndarray, length: int, half_pixel: bool) -> np.ndarray:
    """The matrix (length, size) that interpolates linearly."""
    positions = positions.clip(0, length - 1)
    return np.maximum(1 - np.abs(np.arange(length)[:, None] - positions), 0)


def _cubic_weights(positions: np.ndarray, length: int, half_pixel: bool) -> np.ndarray:
    """The matrix (length, size) of cubic convolution.

    With half pixels the parameter is -0.5 and elements beyond the border are left out, else it is -0.75 and they count
    as the border, as in MindSpore (and TensorFlow).
    """
    a = -0.5 if half_pixel else -0.75
    weights = np.zeros((length, len(positions)))
    base = np.floor(positions).astype(int)
    for index in (base + tap for tap in range(-1, 3)):
        distance = np.abs(positions - index)
        near = ((a + 2) * distance - (a + 3)) * distance**2 + 1
        far = (((distance - 5) * distance + 8) * distance - 4) * a
        values = np.where(distance <= 1, near, np.where(distance < 2, far, 0))
        counted = (index >= 0) & (index < length) if half_pixel else True
        np.add.at(weights, (index.clip(0, length - 1), np.arange(len(positions))), np.where(counted, values, 0))
    return weights / weights.sum(0)


def _bordered_cubic_weights(positions: np.ndarray, length: int, half_pixel: bool) -> np.ndarray:
    """Cubic convolution with the parameter -0.75, where elements beyond the border count as the border."""
    return _cubic_weights(positions, length, False)


def _between(x: Any, axis: int, positions: np.ndarray) -> Any:
    """Linear interpolation from the two neighbours alone."""
    last = jnp.asarray(x.shape[axis]) - 1
    if not is_open(x.shape[axis : axis + 1]):
        last = x.shape[axis] - 1
    positions = positions.clip(0, last)
    low = (np if isinstance(positions, np.ndarray) else jnp).floor(positions).astype(np.int32)
    share = (positions - low).astype(x.dtype).reshape([-1 if i == axis else 1 for i in range(x.ndim)])
    first, second = (jnp.take(x, index, axis, mode="clip") for index in (low, (low + 1).clip(max=last)))
    return first * (1 - share) + second * share


def _weighted(x: Any, sizes: tuple[int, ...], weights_of: Any, align_corners: bool, half_pixel: bool,
              steps: Sequence[float | None] | None = None) -> Any:  # fmt: skip
    """Separable interpolation along each of the last axes: a matrix product, or the neighbours of each position."""
    result = upcast_half(x)
    steps = steps or [None] * len(sizes)
    for axis, size, step in zip(range(x.ndim - len(sizes), x.ndim), sizes, steps, strict=True):
        length = result.shape[axis]
        if weights_of is _linear_weights and length == size:
            continue  # also where a factor was rounded, as in MindSpore
        positions = _positions(length, size, align_corners, half_pixel, step)
        if weights_of is _linear_weights and (
            is_open((length, size)) or length >= (_LONG_ROW if axis == x.ndim - 1 else _LONG)
        ):
            result = _between(result, axis, positions)
            continue
        weights = weights_of(positions, length, half_pixel).astype(result.dtype)
        result = jnp.moveaxis(jnp.tensordot(result, weights, ((axis,), (0,))), -1, axis)
    return result.astype(x.dtype)


def _check_image(x: Any, size: tuple[int, ...], align_corners: bool, half_pixel_centers: bool) -> None:
    require_rank("input_x", x, 4)
    require_form(
        len(size) == 2 and all(may_be(n, 1) for n in size),
        f"the 'size' must be two positive ints (height, width), but got {size}.",
    )
    text = "the 'half_pixel_centers' must be False when 'align_corners' is True, but got True."
    require(not (align_corners and half_pixel_centers), text)


def _resize_nearest(x: Any, size: tuple[int, ...], align_corners: bool, half_pixel_centers: bool) -> Any:
    _check_image(x, size, align_corners, half_pixel_centers)
    for axis, length in zip((2, 3), size, strict=True):
        x = _nearest(x, axis, length, align_corners, half_pixel_centers)
    return x


@op(primitive="ResizeNearestNeighbor", init=("size", "align_corners", "half_pixel_centers"), public=False,
    old={"input_x": "x"},
    test=lambda t: [t.case(t.normal(1, 2, 3, 2), (6, 4), expect=lambda x, _: x.repeat(2, 2).repeat(2, 3)),
                    t.case(t.normal(1, 2, 5, 5), (3, 7), True)])  # fmt: skip
def resize_nearest_neighbor(input_x: Array, size: Shape, align_corners: bool = False,
                            half_pixel_centers: bool = False):  # fmt: skip
    """Images in another size; every element is the nearest element of the input.

    Examples:
        >>> from mindspore import Tensor, ops
        >>> print(ops.ResizeNearestNeighbor((1, 4))(Tensor([[[[1.0, 2.0]]]])))
        [[[[1. 1. 2. 2.]]]]
    """
    return _resize_nearest(input_x, size, align_corners, half_pixel_centers)


@op(primitive="ResizeNearestNeighborV2", init=("align_corners", "half_pixel_centers"), public=False,
    test=lambda t: [t.case(t.normal(1, 2, 3, 2), (6, 4), expect=lambda x, _: x.repeat(2, 2).repeat(2, 3))])  # fmt: skip
def resize_nearest_neighbor_v2(image: Array, size: Shape, align_corners: bool = False,
                               half_pixel_centers: bool = False):  # fmt: skip
    """Images in another size; every element is the nearest element of the input.

    Examples:
        >>> from mindspore import Tensor, ops
        >>> print(ops.ResizeNearestNeighborV2()(Tensor([[[[1.0, 3.0]]]]), (1, 4)))
        [[[[1. 1. 3. 3.]]]]
    """
    return _resize_nearest(image, size, align_corners, half_pixel_centers)


@op(primitive="ResizeBilinear", init=("size", "align_corners", "half_pixel_centers"), public=False,
    old={"input_x": ("x", "input")},
    test=lambda t: [t.case(t.normal(1, 2, 5, 5), (3, 7)), t.case(t.normal(1, 2, 5, 5), (3, 7), True)])  # fmt: skip
def resize_bilinear(input_x: Array, size: Shape, align_corners: bool = False, half_pixel_centers: bool = False):
    """Images in another size by linear interpolation.

    Examples:
        >>> from mindspore import Tensor, ops
        >>> print(ops.ResizeBilinear((1, 3), align_corners=True)(Tensor([[[[1.0, 2.0]]]])))
        [[[[1.  1.5 2. ]]]]
    """
    require_float("input_x", input_x)
    _check_image(input_x, size, align_corners, half_pixel_centers)
    return _weighted(input_x, size, _linear_weights, align_corners, half_pixel_centers)


@op(primitive="ResizeBilinearV2", init=("align_corners", "half_pixel_centers"), public=False,
    test=lambda t: [t.case(t.normal(1, 2, 5, 5), (3, 7)),
                    t.case(t.normal(1, 2, 5, 5), (3, 7), half_pixel_centers=True)])  # fmt: skip
def resize_bilinear_v2(image: Array, size: Shape, align_corners: bool = False, half_pixel_centers: bool = False):
    """Images in another size by linear interpolation.

    Examples:
        >>> from mindspore import Tensor, ops
        >>> print(ops.ResizeBilinearV2()(Tensor([[[[1.0, 3.0]]]]), (1, 4)))
        [[[[1. 2. 3. 3.]]]]
    """
    require_float("image", image)
    _check_image(image, size, align_corners, half_pixel_centers)
    return _weighted(image, size, _linear_weights, align_corners, half_pixel_centers)


# -- interpolate -------------------------------------------------------------------------------------------------------
_MODES = {"nearest": (3, 4, 5), "nearest-exact": (3, 4), "linear": (3,), "bilinear": (4,), "trilinear": (5,),
          "bicubic": (4,), "area": (3, 4, 5)}  # fmt: skip


def _target_sizes(size: Any, scale_factor: Any, lengths: tuple[int, ...]) -> tuple[int, ...]:
    """The spatial lengths of the output."""
    given = f"but got size={size} and scale_factor={scale_factor}."
    require_form(
        (size is None) != (scale_factor is None), f"the 'size' or 'scale_factor' must be given, not both, {given}"
    )
    values = size if size is not None else scale_factor
    values = values if isinstance(values, tuple) else (values,) * len(lengths)
    text = f"the 'size' or 'scale_factor' must be a number or one per spatial axis ({len(lengths)}), {given}"
    require(len(values) == len(lengths), text)
    require(all(isinstance(v, (int, float)) or is_symbolic_dim(v) for v in values), text, TypeError)
    if size is None:
        values = tuple(_scaled_length(length, factor) for length, factor in zip(lengths, values, strict=True))
    text = f"the 'size' must hold positive ints, {given}"
    require(
        all(is_symbolic_dim(v) or (isinstance(v, int) and not isinstance(v, bool)) for v in values), text, TypeError
    )
    require(all(is_symbolic_dim(v) or v > 0 for v in values), text)
    return values


def _scaled_length(length: Any, factor: Any) -> Any:
    """The length times a factor; an open one is a multiple or a fraction of what it was."""
    if not is_symbolic_dim(length):
        return int(length * factor)
    ratio = fractions.Fraction(factor).limit_denominator(1024)
    return length * ratio.numerator // ratio.denominator


def _interpolate_of_1_8(x: Any, sizes: Any, scales: Any, mode: str, transformation: str) -> Any:
    require_choice("coordinate_transformation_mode", transformation, ("align_corners", "half_pixel", "asymmetric"))
    require_choice("mode", mode, ("nearest", "linear", "bilinear"))  # "nearest" is today's default
    require_float("x", x)
    wanted = 4 if mode == "bilinear" else 3
    require(x.ndim == wanted, f"the 'x' must have {wanted} dimensions for mode {mode!r}, but got {x.ndim}.")
    factors = scales if scales is None else tuple(scales)[2:]
    lengths = _target_sizes(sizes, factors, x.shape[2:])
    align = transformation == "align_corners"
    return _weighted(x, lengths, _linear_weights, align, transformation == "half_pixel", [None] * len(lengths))


@op(primitive="Upsample", init=("size", "scale_factor", "mode", "align_corners", "recompute_scale_factor"),
    aliases="upsample", old={"input": "x"},
    test=lambda t: [t.case(t.normal(1, 2, 3, 2), scale_factor=2.0, recompute_scale_factor=True,
                           expect=lambda x, **_: x.repeat(2, 2).repeat(2, 3)),
                    t.case(t.normal(1, 2, 5, 5), (3, 7), None, "bilinear"),
                    t.case(t.normal(1, 2, 5), 7, None, "linear", True),
                    t.case(t.normal(1, 2, 5, 5), (3, 7), None, "bicubic"),
                    t.case(t.normal(1, 2, 5), sizes=(7,)),
                    t.case(t.normal(1, 2, 5, 5), scales=(1.0, 1.0, 2.0, 0.6), mode="bilinear",
                           coordinate_transformation_mode="asymmetric")])  # fmt: skip
def interpolate(input: Array, size: Any = None, scale_factor: Any = None, mode: Choice = "nearest",
                align_corners: bool | None = None, recompute_scale_factor: bool | None = None, sizes: Any = None,
                scales: Any = None, coordinate_transformation_mode: str = "align_corners", roi: Any = None):  # fmt: skip
    """The spatial axes of (N, C, ...) in another size.

    ``align_corners`` puts the outermost elements of input and output on each other; else the outer edges coincide.

    Args:
        sizes, scales, coordinate_transformation_mode, roi: of MindSpore 1.8 to 1.10, by name. ``sizes`` or ``scales``, one
            number for each axis of the input, ask for linear interpolation with aligned corners, unless the mode says
            "half_pixel" or "asymmetric".

    Examples:
        >>> from mindspore import Tensor, ops
        >>> print(ops.interpolate(Tensor([[[1.0, 3.0]]]), size=3, mode="linear", align_corners=True))
        [[[1. 2. 3.]]]
    """
    if sizes is not None or scales is not None:
        return _interpolate_of_1_8(input, sizes, scales, mode, coordinate_transformation_mode)
    keeps_factor = input.ndim == 5 and not recompute_scale_factor  # of volumes, also where a size was rounded
    return _interpolated(input, size, scale_factor, mode, align_corners, keeps_factor, _cubic_weights)


@op(public=False,
    test=lambda t: [t.case(t.normal(1, 2, 3, 2), scale_factor=2.0, expect=lambda x, **_: x.repeat(2, 2).repeat(2, 3)),
                    t.case(t.normal(1, 2, 5, 5), None, (1.3, 0.7), "bilinear"),
                    t.case(t.normal(1, 2, 5), None, 1.3, "linear", True),
                    t.case(t.normal(1, 2, 5, 5), (3, 7), None, "bicubic")])  # fmt: skip
def interpolate_ext(input: Array, size: Any = None, scale_factor: Any = None, mode: Choice = "nearest",
                    align_corners: bool | None = None, recompute_scale_factor: bool | None = None):  # fmt: skip
    """Interpolation as in PyTorch: coordinates follow from the given factors, also where a size was rounded; borders are repeated.

    Examples:
        >>> from mindspore import Tensor, mint
        >>> print(mint.nn.functional.interpolate(Tensor([[[1.0, 3.0]]]), scale_factor=1.6))
        [[[1. 1. 3.]]]
    """
    keeps_factor = not recompute_scale_factor
    return _interpolated(input, size, scale_factor, mode, align_corners, keeps_factor, _bordered_cubic_weights)


interpolate_ext.op.title = "interpolate"  # type: ignore[attr-defined]  # messages use the name that programs know


def _interpolated(input: Any, size: Any, scale_factor: Any, mode: str, align_corners: bool | None, keeps_factor: bool,
                  cubic_weights: Any) -> Any:  # fmt: skip
    require_choice("mode", mode, tuple(_MODES))
    ranks = _MODES[mode]
    wanted = " or ".join(f"{rank}" for rank in ranks)
    require(input.ndim in ranks, f"the 'input' must have {wanted} dimensions for mode {mode!r}, but got {input.ndim}.")
    smooth = mode.endswith("linear") or mode == "bicubic"
    text = f"the 'align_corners' must be None for mode {mode!r}, but got {align_corners}."
    require(align_corners is None or smooth, text)
    sizes = _target_sizes(size, scale_factor, input.shape[2:])
    steps: list[float | None] = [None] * len(sizes)
    if keeps_factor and scale_factor is not None:
        factors = scale_factor if isinstance(scale_factor, tuple) else (scale_factor,) * len(sizes)
        steps = [1 / factor for factor in factors]
    if smooth:
        require_float("input", input)
        weights = cubic_weights if mode == "bicubic" else _linear_weights
        return _weighted(input, sizes, weights, bool(align_corners), not align_corners, steps)
    if mode == "area":
        return average_to(input, sizes, len(sizes))
    for axis, (length, step) in enumerate(zip(sizes, steps, strict=True), 2):
        input = _nearest(input, axis, length, False, mode == "nearest-exact", step)
    return input


@op(primitive="ResizeBicubic", init=("align_corners", "half_pixel_centers"), public=False,
    test=lambda t: [t.case(t.normal(1, 2, 5, 5), (3, 7)), t.case(t.normal(1, 2, 5, 5), (8, 7), True)])  # fmt: skip
def resize_bicubic(image: Array, size: Shape, align_corners: bool = False, half_pixel_centers: bool = False):
    """Images in another size by cubic convolution.

    Examples:
        >>> import mindspore
        >>> from mindspore import Tensor, ops
        >>> print(ops.ResizeBicubic()(ops.ones((1, 1, 2, 2)), Tensor([4, 4], mindspore.int32)).shape)
        (1, 1, 4, 4)
    """
    require_float("image", image)
    _check_image(image, size, align_corners, half_pixel_centers)
    require_elements("image", image, (2, 3))
    return _weighted(image, size, _cubic_weights, align_corners, half_pixel_centers)
