"""Images sampled at the positions of a grid: grid_sample, affine_grid."""

from __future__ import annotations

import itertools
import math
from collections.abc import Callable
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np

from mindspore._engine.operator.arguments import Array, Shape
from mindspore._engine.operator.registry import op
from mindspore._kernels.sampling import sample
from mindspore._kernels.sorting import take_along
from mindspore._ops.declaring.construction import at_construction
from mindspore._ops.declaring.dtype_checks import accepts
from mindspore._ops.declaring.promotion import upcast_half
from mindspore._ops.declaring.requirements import (
    require,
    require_choice,
    require_elements,
    require_float,
    require_form,
    require_rank,
    require_same_dtype,
)

_MODES = ("bilinear", "nearest")
_BORDERS = ("zeros", "border", "reflection")
_FEW_CHANNELS = 8  # of more, the channels of a pixel are read together


def _check(interpolation_mode: str, padding_mode: str, align_corners: bool) -> None:
    require_choice("interpolation_mode", interpolation_mode, _MODES)
    require_choice("padding_mode", padding_mode, _BORDERS)


def _reflected(positions: Any, length: int, align_corners: bool) -> Any:
    """Positions beyond the borders, reflected at the outer pixels' centres (``align_corners``) or edges."""
    low, span = (0.0, length - 1.0) if align_corners else (-0.5, float(length))
    if span == 0:
        return jnp.zeros_like(positions)
    distance = jnp.abs(positions - low)
    turns = jnp.floor(distance / span)
    rest = distance - turns * span
    return jnp.where(turns % 2 == 0, rest, span - rest) + low


def _pixels(grid: Any, length: int, padding_mode: str, align_corners: bool) -> Any:
    """Positions from -1 to 1 as positions in pixels."""
    positions = (grid + 1) * ((length - 1) / 2) if align_corners else ((grid + 1) * length - 1) / 2
    if padding_mode == "reflection":
        positions = _reflected(positions, length, align_corners)
    return positions if padding_mode == "zeros" else jnp.clip(positions, 0, length - 1)


def _pixels_first(image: Any) -> Any:
    """(C, ...) as (pixels, C): the channels of a pixel lie side by side, so that they are read and added to as one."""
    return image.reshape(image.shape[0], math.prod(image.shape[1:])).T


def _flat_indices(lengths: tuple[int, ...], index: list[Any]) -> tuple[Any, Any]:
    """Whole positions per axis as indices of the flattened image, and whether they are inside."""
    inside, flat = jnp.ones(index[0].shape, bool), jnp.zeros(index[0].shape, jnp.int32)
    for positions, length in zip(index, lengths, strict=True):
        inside &= (positions >= 0) & (positions < length)
        flat = flat * length + jnp.clip(positions, 0, length - 1).astype(jnp.int32)
    return flat, inside


def _read(rows: Any, lengths: tuple[int, ...], index: list[Any]) -> Any:
    """Pixels of an image of these lengths, given as (pixels, C), at whole positions per axis; zero outside."""
    flat, inside = _flat_indices(lengths, index)
    return jnp.where(inside[..., None], rows[flat], 0)


def read_linear(image: Any, positions: list[Any]) -> Any:
    """``image`` (C, ...) at any positions per axis, between its elements linearly, zero outside."""
    rows = _pixels_first(image)
    found = _linearly(positions, lambda index: _read(rows, image.shape[1:], index), lambda weight: weight[..., None])
    return jnp.moveaxis(found, -1, 0)


def _linearly(positions: list[Any], read: Callable[[list[Any]], Any], widened: Callable[[Any], Any]) -> Any:
    """The sum of what is read at the corners around the positions, each with its weight."""
    low = [jnp.floor(position) for position in positions]
    total: Any = 0
    for corner in itertools.product((0, 1), repeat=len(positions)):
        weight: Any = 1
        for step, start, position in zip(corner, low, positions, strict=True):
            weight = weight * (position - start if step else 1 - (position - start))
        total = total + widened(weight) * read([start + step for step, start in zip(corner, low, strict=True)])
    return total


def _read_images(x: Any, index: list[Any]) -> Any:
    """Images (N, C, ...) at whole positions per axis, which are (N, ...); zero outside."""
    batch, channels, *lengths = x.shape
    if channels > _FEW_CHANNELS:
        rows = jax.vmap(_pixels_first)(x)
        return jnp.moveaxis(
            jax.vmap(lambda pixels, *own: _read(pixels, tuple(lengths), list(own)))(rows, *index), -1, 1
        )
    flat, inside = _flat_indices(tuple(lengths), index)
    shape = (batch, channels, *index[0].shape[1:])
    flat_indices = jnp.broadcast_to(jnp.where(inside, flat, -1)[:, None], shape)  # -1 is nowhere: 0 is read
    rows = x.reshape(batch * channels, math.prod(lengths))
    return take_along(rows, flat_indices.reshape(batch * channels, math.prod(shape[2:])), 1).reshape(shape)


def _sample(x: Any, grid: Any, mode: str, padding_mode: str, align_corners: bool) -> Any:
    _check(mode, padding_mode, align_corners)
    require_same_dtype(input=x, grid=grid)
    require_float("input", x)
    require_rank("input", x, 4, 5)
    count = x.ndim - 2
    require_elements("input", x, range(2, x.ndim))
    wanted = f"({x.shape[0]}, {', '.join('DHW'[-count:])}, {count})"
    right = grid.ndim == x.ndim and grid.shape[0] == x.shape[0] and grid.shape[-1] == count
    require(right, f"the 'grid' must have shape {wanted} for an input of shape {x.shape}, but got {grid.shape}.")
    positions = [_pixels(upcast_half(grid)[..., count - 1 - axis], length, padding_mode, align_corners)
              for axis, length in enumerate(x.shape[2:])]  # fmt: skip
    wide = upcast_half(x)
    if (
        mode == "bilinear"
        and count == 2
        and wide.dtype == jnp.float32
        and all(isinstance(n, int) for n in (*x.shape, *grid.shape))
    ):
        down, right = (position.reshape(len(x), math.prod(grid.shape[1:3])) for position in positions)
        sampled = sample(wide, down, right).reshape(*x.shape[:2], *grid.shape[1:3])
    elif mode == "nearest":
        sampled = _read_images(wide, [jnp.round(position) for position in positions])
    else:
        sampled = _linearly(positions, lambda index: _read_images(wide, index), lambda weight: weight[:, None])
    return sampled.astype(x.dtype)


_CORNERS = np.array([[[[-1, -1], [1, -1]], [[-1, 1], [1, 1]]]], np.float32)
_MIDDLE = np.array([[[[[-0.45, 0.2, 0.7], [0.1, -0.8, 0.3]]]]], np.float32)


@op(old={"input": "input_x", "mode": "interpolation_mode"},
    test=lambda t: [t.case(t.normal(1, 2, 3, 4), _CORNERS, "bilinear", "zeros", True, grad=(0,),
                           expect=lambda x, *_: x[:, :, ::2, ::3]),
                    t.case(t.normal(1, 2, 3, 4), t.uniform(-1.6, 1.6, 1, 3, 3, 2), "bilinear", "reflection"),
                    t.case(t.normal(1, 1, 3, 4, 5), _MIDDLE, "bilinear", "border", False),
                    t.case(t.normal(1, 1, 3, 4, 5), _MIDDLE, "nearest", grad=(0,))])  # fmt: skip
def grid_sample(input: Array, grid: Array, mode: str = "bilinear", padding_mode: str = "zeros",
                align_corners: bool | None = None):  # fmt: skip
    """Images (N, C, H, W) or volumes (N, C, D, H, W) sampled at positions from -1 (first) to 1 (last).

    Args:
        grid: the positions: (N, H', W', 2) with (x, y), or (N, D', H', W', 3) with (x, y, z).
        mode: 'bilinear' or 'nearest'.
        padding_mode: what is outside: 'zeros', the nearest 'border' element, or its 'reflection'.
        align_corners: True when -1 and 1 are the centres of the outer elements, otherwise their edges.

    Examples:
        >>> from mindspore import Tensor, ops
        >>> image, grid = Tensor([[[[1.0, 2.0], [3.0, 4.0]]]]), Tensor([[[[0.0, 0.0], [-1.0, 1.0]]]])
        >>> print(ops.grid_sample(image, grid, align_corners=True))
        [[[[2.5 3. ]]]]
    """
    return _sample(input, grid, mode, padding_mode, bool(align_corners))


@at_construction(_check)
@op(primitive="GridSampler2D", init=("interpolation_mode", "padding_mode", "align_corners"), public=False,
    test=lambda t: [t.case(t.normal(1, 2, 3, 4), _CORNERS, "nearest", "border", True, grad=(0,),
                           expect=lambda x, *_: x[:, :, ::2, ::3])])  # fmt: skip
def grid_sampler_2d(input_x: Array, grid: Array, interpolation_mode: str = "bilinear", padding_mode: str = "zeros",
                    align_corners: bool = False):  # fmt: skip
    """:func:`grid_sample` of images (N, C, H, W).

    Examples:
        >>> from mindspore import Tensor, ops
        >>> print(ops.GridSampler2D(align_corners=True)(Tensor([[[[1.0, 3.0]]]]), Tensor([[[[0.0, 0.0]]]])))
        [[[[2.]]]]
    """
    require_rank("input_x", input_x, 4)
    return _sample(input_x, grid, interpolation_mode, padding_mode, align_corners)


@at_construction(_check)
@op(primitive="GridSampler3D", init=("interpolation_mode", "padding_mode", "align_corners"), public=False,
    test=lambda t: [t.case(t.normal(1, 2, 3, 4, 5), _MIDDLE, "bilinear", "border", True)])  # fmt: skip
def grid_sampler_3d(input_x: Array, grid: Array, interpolation_mode: str = "bilinear", padding_mode: str = "zeros",
                    align_corners: bool = False):  # fmt: skip
    """:func:`grid_sample` of volumes (N, C, D, H, W).

    Examples:
        >>> from mindspore import ops
        >>> print(ops.GridSampler3D(align_corners=True)(ops.ones((1, 1, 2, 2, 2)), ops.zeros((1, 1, 1, 1, 3))))
        [[[[[1.]]]]]
    """
    require_rank("input_x", input_x, 5)
    return _sample(input_x, grid, interpolation_mode, padding_mode, align_corners)


# -- affine_grid -------------------------------------------------------------------------------------------------------
def _numpy_affine(theta: np.ndarray, size: tuple, align_corners: bool = False) -> np.ndarray:
    axes = [np.linspace(-1, 1, n) if align_corners else (2 * np.arange(n) + 1) / n - 1 for n in size[2:]]
    points = np.stack([*np.meshgrid(*axes, indexing="ij")[::-1], np.ones(size[2:])], axis=-1)
    return np.einsum("nij,...j->n...i", theta, points)


@op(primitive="AffineGrid", init=("align_corners",), old={"size": "output_size"},
    test=lambda t: [t.case(t.normal(2, 2, 3), (2, 1, 3, 4), expect=_numpy_affine),
                    t.case(t.normal(1, 3, 4), (1, 1, 3, 2, 4), True, expect=_numpy_affine)])  # fmt: skip
@accepts("f", "theta")
def affine_grid(theta: Array, size: Shape, align_corners: bool = False):
    """The grid for :func:`grid_sample` that moves images by affine maps ``theta`` (N, 2, 3), volumes by (N, 3, 4).

    Args:
        size: the shape of the sampled result: (N, C, H, W) or (N, C, D, H, W).

    Examples:
        >>> from mindspore import Tensor, ops
        >>> print(ops.affine_grid(Tensor([[[1.0, 0.0, 0.0], [0.0, 1.0, 0.0]]]), (1, 1, 1, 2)))
        [[[[-0.5  0. ]
           [ 0.5  0. ]]]]
    """
    require_float("theta", theta)
    require_form(len(size) in (4, 5) and min(size) > 0, f"the 'size' must be 4 or 5 positive ints, but got {size}.")
    wanted = (size[0], len(size) - 2, len(size) - 1)
    require(theta.shape == wanted, f"the 'theta' must have shape {wanted} for size {size}, but got {theta.shape}.")
    axes = []
    for length in size[2:]:
        steps = np.arange(length)
        corners = steps * (2 / (length - 1)) - 1 if length > 1 else np.zeros(1)
        axes.append(corners if align_corners else (2 * steps + 1) / length - 1)
    wide = upcast_half(theta)
    points = np.stack([*np.meshgrid(*axes, indexing="ij")[::-1], np.ones(size[2:])], axis=-1).astype(wide.dtype)
    # a grid is a position, not a mixture: full precision on every device
    grid = jnp.einsum("nij,...j->n...i", wide, points, precision=jax.lax.Precision.HIGHEST)
    return grid.astype(theta.dtype)
