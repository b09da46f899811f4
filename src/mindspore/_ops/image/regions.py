"""Regions of images, resampled to a fixed size: ROIAlign, CropAndResize, PsROIPooling."""

from __future__ import annotations

from typing import Any

import jax
import jax.numpy as jnp
import numpy as np

from mindspore._engine.execution.index_bounds import require_inside
from mindspore._engine.execution.value_checks import require_values
from mindspore._engine.operator.arguments import Array, Shape
from mindspore._engine.operator.registry import op
from mindspore._engine.tensor.tensor import Tensor
from mindspore._ops.declaring.construction import at_construction
from mindspore._ops.declaring.dtype_checks import accepts
from mindspore._ops.declaring.promotion import upcast_half
from mindspore._ops.declaring.requirements import (
    require,
    require_choice,
    require_elements,
    require_float,
    require_form,
    require_index_dtype,
    require_rank,
    require_shape,
)


def _positive(**values: float) -> None:
    for name, value in values.items():
        require(value > 0, f"the '{name}' must be positive, but got {value}.")


def _neighbours(positions: Any, length: int) -> tuple[Any, Any, Any]:
    """The indices before and after fractional positions on an axis, and the weight of the latter."""
    low = jnp.clip(jnp.floor(positions), 0, length - 1).astype(jnp.int32)
    return low, jnp.minimum(low + 1, length - 1), positions - low


def _bilinear(images: Any, index: Any, rows: Any, columns: Any) -> Any:
    """``images[index]`` of (N, H, W, C) at the grid of ``rows`` and ``columns``, by linear interpolation."""
    top, bottom, down = _neighbours(rows, images.shape[1])
    left, right, across = _neighbours(columns, images.shape[2])
    across, down = across[:, None], down[:, None, None]

    def line(row: Any) -> Any:
        # index into all images: a copy of an image per region would not fit into memory
        return images[index, row[:, None], left] * (1 - across) + images[index, row[:, None], right] * across

    return line(top) * (1 - down) + line(bottom) * down


# -- ROIAlign ----------------------------------------------------------------------------------------------------------
def _check_align(
    pooled_height: int, pooled_width: int, spatial_scale: float, sample_num: int, roi_end_mode: int
) -> None:
    _positive(pooled_height=pooled_height, pooled_width=pooled_width, spatial_scale=spatial_scale)
    text = f"the 'sample_num' must be positive, but got {sample_num}: the number of samples per cell cannot vary."
    require(sample_num > 0, text)
    require_choice("roi_end_mode", roi_end_mode, (0, 1))


def _align_axis(start: Any, end: Any, least: int, length: int, cells: int, samples: int) -> tuple[Any, Any]:
    """The sample positions along an axis, and which of them count."""
    cell = jnp.maximum(end - start, least) / cells
    within = (np.arange(samples, dtype=np.float32) + 0.5) * (cell / samples)
    positions = (start + np.arange(cells, dtype=np.float32)[:, None] * cell + within).reshape(-1)
    inside = (positions >= -1) & (positions <= length)
    return jnp.clip(positions, 0, length - 1), inside


def _numpy_align(x: np.ndarray, rois: np.ndarray, height: int, width: int, scale: float) -> np.ndarray:
    """The middle of every cell of a picture that rises linearly."""
    result = np.zeros((len(rois), x.shape[1], height, width))
    for number, (image, x1, y1, x2, y2) in enumerate(rois):
        rows = y1 + (np.arange(height) + 0.5) * ((y2 + 1 - y1) / height)
        columns = x1 + (np.arange(width) + 0.5) * ((x2 + 1 - x1) / width)
        plane = x[int(image)]
        slopes = plane[:, 1:2, :1] - plane[:, :1, :1], plane[:, :1, 1:2] - plane[:, :1, :1]
        result[number] = plane[:, :1, :1] + rows[:, None] * slopes[0] + columns * slopes[1]
    return result


_PLANES = (np.arange(6)[:, None] * 3 + np.arange(7) + np.array([0, 5, 9, 2])[:, None, None]).astype(np.float32)
_ROIS = np.array([[0, 0.5, 0.25, 3.5, 4], [1, 1, 1, 4, 3]], np.float32)


def _of_images(xp: Any, features: Any, rois: Any) -> tuple[Any, Any]:
    """Numbers of images that do not exist."""
    low, high = rois[:, 0].min(), rois[:, 0].max()
    wrong = high >= features.shape[0]
    return (low < 0) | wrong, xp.where(wrong, high, low)


def _existing_images(features: Tensor, rois: Tensor, *_: Any) -> None:
    text = f"the image index of 'rois' must be in [0, {features.shape[0] if features.ndim else 0}), but got {{}}."
    require_values("ROIAlign", text, _of_images, features, rois)


@at_construction(_check_align)
@op(primitive="ROIAlign", bounds=_existing_images, init=("pooled_height", "pooled_width", "spatial_scale", "sample_num", "roi_end_mode"),
    public=False, call_order=("features", "rois"),
    test=lambda t: [t.case(_PLANES.reshape(2, 2, 6, 7), _ROIS, 2, 3, 1.0, grad=(0,), expect=_numpy_align),
                    t.case(t.normal(2, 2, 4, 5), _ROIS, 2, 3, 0.5, 3, 0, grad=(0,))])  # fmt: skip
@accepts("f", "features", "rois")
def roi_align(features: Array, rois: Array, pooled_height: int, pooled_width: int, spatial_scale: float,
              sample_num: int = 2, roi_end_mode: int = 1):  # fmt: skip
    """Regions of ``features`` (N, C, H, W) as (number of regions, C, pooled_height, pooled_width), by sampling.

    Args:
        rois: rows (number of the image, x1, y1, x2, y2).
        spatial_scale: what the corners are multiplied by to become positions in ``features``.
        sample_num: samples per cell and axis; a cell is their mean.
        roi_end_mode: 1 when the pixel (x2, y2) belongs to the region.

    Examples:
        >>> from mindspore import Tensor, ops
        >>> features = Tensor([[[[1.0, 2.0], [3.0, 4.0]]]])
        >>> print(ops.ROIAlign(1, 1, 0.5)(features, Tensor([[0.0, 0.0, 0.0, 2.0, 2.0]])))
        [[[[3.0625]]]]
    """
    _check_align(pooled_height, pooled_width, spatial_scale, sample_num, roi_end_mode)
    require_float("features", features)
    require_float("rois", rois)
    require_rank("features", features, 4)
    require_elements("features", features, (0, 2, 3))
    text = f"the 'rois' must have shape (number of regions, 5), but got {rois.shape}."
    require(rois.ndim == 2 and rois.shape[1] == 5, text)
    images, regions = jnp.moveaxis(upcast_half(features), 1, 3), jax.lax.stop_gradient(upcast_half(rois))
    height, width = features.shape[2:]

    def align_region(region: Any) -> Any:
        left, top = region[1:3] * spatial_scale
        right, bottom = (region[3:] + roi_end_mode) * spatial_scale
        least = 1 - roi_end_mode  # a region without its last pixel could have no size at all
        rows, rows_count = _align_axis(top, bottom, least, height, pooled_height, sample_num)
        columns, columns_count = _align_axis(left, right, least, width, pooled_width, sample_num)
        sampled = _bilinear(images, region[0].astype(jnp.int32), rows, columns)
        sampled = jnp.where((rows_count[:, None] & columns_count)[..., None], sampled, 0)
        cells = sampled.reshape(pooled_height, sample_num, pooled_width, sample_num, -1)
        return cells.mean((1, 3))

    return jnp.moveaxis(jax.vmap(align_region)(regions), 3, 1).astype(features.dtype)


# -- CropAndResize -----------------------------------------------------------------------------------------------------
_METHODS = ("bilinear", "nearest", "bilinear_v2")


def _inside_images(image: Tensor, boxes: Any, box_indices: Tensor, *_: Any) -> None:
    require_inside("CropAndResize", "box_indices", box_indices, 0, image.shape[0], ValueError)


def _crop_axis(start: Any, end: Any, length: int, size: int) -> tuple[Any, Any]:
    """Where ``size`` elements from ``start`` to ``end`` (shares of the axis) lie, and which are in the image."""
    if size > 1:
        positions = start * (length - 1) + np.arange(size, dtype=np.float32) * (
            (end - start) * (length - 1) / (size - 1)
        )
    else:
        positions = (0.5 * (start + end) * (length - 1))[None]
    return positions, (positions >= 0) & (positions <= length - 1)


def _crop_axis_whole(start: Any, end: Any, length: int, size: int) -> tuple[Any, Any]:
    """The same for 'bilinear_v2': the box in whole pixels, its last pixel included; nothing is outside."""
    first, last = jnp.trunc(start * length), jnp.trunc(end * length)
    cell = jnp.maximum(last - first + 1, 1) / size
    positions = first + (np.arange(size, dtype=np.float32) + 0.5) * cell - 0.5
    return jnp.clip(positions, 0, length - 1), jnp.ones(size, bool)


def _numpy_halves(image: np.ndarray, boxes: np.ndarray, indices: np.ndarray, size: tuple) -> np.ndarray:
    return np.stack([image[i][:: (image.shape[1] - 1), :: (image.shape[2] - 1)] for i in indices])


@at_construction(lambda method, extrapolation_value: require_choice("method", method, _METHODS))
@op(primitive="CropAndResize", init=("method", "extrapolation_value"), bounds=_inside_images,
    old={"image": "x", "box_indices": "box_index"},
    test=lambda t: [t.case(t.normal(2, 4, 3, 2), np.array([[0, 0, 1, 1]] * 2, np.float32), np.array([1, 0]), (2, 2),
                           grad=(0,), expect=_numpy_halves),
                    t.case(t.normal(1, 4, 3, 2), np.array([[0.1, 0.2, 0.73, 0.9]], np.float32), np.array([0]), (3, 2)),
                    t.case(t.normal(1, 4, 3, 2), np.array([[0.1, 0.2, 1.73, 0.9]], np.float32), np.array([0]), (3, 2),
                           "nearest", 7.0, grad=(0,))])  # fmt: skip
@accepts("if", "image")
@accepts("f", "boxes")
def crop_and_resize(image: Array, boxes: Array, box_indices: Array, crop_size: Shape, method: str = "bilinear",
                    extrapolation_value: float = 0.0):  # fmt: skip
    """Crops of images (N, H, W, C), resized to a fixed size.

    Args:
        boxes: rows (y1, x1, y2, x2) in shares of the height and width; exchanged corners mirror the part.
        box_indices: the image of every box.
        crop_size: (height, width) of the results.
        method: 'bilinear', 'nearest', or 'bilinear_v2', which takes boxes in whole pixels.
        extrapolation_value: what stands outside of the image.

    Examples:
        >>> from mindspore import Tensor, ops
        >>> image = Tensor([[[[1.0], [2.0]], [[3.0], [4.0]]]])
        >>> print(ops.crop_and_resize(image, Tensor([[0.0, 0.0, 1.0, 1.0]]), Tensor([0]), (1, 1)))
        [[[[2.5]]]]
    """
    require_choice("method", method, _METHODS)
    require_rank("image", image, 4)
    require_elements("image", image, (1, 2))
    require_index_dtype("box_indices", box_indices)
    require(boxes.ndim == 2 and boxes.shape[1] == 4, f"the 'boxes' must have shape (N, 4), but got {boxes.shape}.")
    require_shape("box_indices", box_indices, boxes.shape[:1])
    text = f"the 'crop_size' must be two positive ints (height, width), but got {crop_size}."
    require_form(len(crop_size) == 2 and min(crop_size) > 0, text)
    wide = jnp.promote_types(image.dtype if jnp.issubdtype(image.dtype, jnp.floating) else jnp.float32, jnp.float32)
    images = image.astype(wide)
    axis_positions = _crop_axis_whole if method == "bilinear_v2" else _crop_axis

    def crop(box: Any, index: Any) -> Any:
        rows, rows_inside = axis_positions(box[0], box[2], image.shape[1], crop_size[0])
        columns, columns_inside = axis_positions(box[1], box[3], image.shape[2], crop_size[1])
        if method == "nearest":
            # halves go away from zero, as in C
            rows, columns = (jnp.floor(positions + 0.5) for positions in (rows, columns))
        rows, columns = jnp.clip(rows, 0, image.shape[1] - 1), jnp.clip(columns, 0, image.shape[2] - 1)
        sampled = _bilinear(images, index, rows, columns)
        return jnp.where((rows_inside[:, None] & columns_inside)[..., None], sampled, extrapolation_value)

    cropped = jax.vmap(crop)(boxes.astype(wide), box_indices)
    return cropped.astype(wide if wide == jnp.float64 else jnp.float32)
