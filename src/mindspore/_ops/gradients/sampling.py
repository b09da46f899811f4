"""Gradients of resizing, sampling and pooling of regions."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from mindspore._engine.operator.arguments import Array, Shape
from mindspore._ops.declaring.gradient_primitives import gradient, pull, pull_from
from mindspore._ops.declaring.requirements import require_choice
from mindspore._ops.image.position_pooling import ps_roi_pooling, ps_roi_pooling_flat
from mindspore._ops.image.regions import roi_align
from mindspore._ops.image.rescaling import resize_linear_1d, scale_and_translate
from mindspore._ops.image.resize import (
    interpolate,
    interpolate_ext,
    resize_bicubic,
    resize_bilinear_v2,
    resize_nearest_neighbor_v2,
)
from mindspore._ops.image.sampling import affine_grid, grid_sampler_2d, grid_sampler_3d

_CENTRES = ("align_corners", "half_pixel_centers")
_GRID = ("interpolation_mode", "padding_mode", "align_corners", "output_mask")


# -- sampling at positions -------------------------------------------------------------------------------------------
@gradient("AffineGridGrad", ("align_corners",))
def affine_grid_grad(y_grad: Array, x_size: Shape, align_corners: bool = False):
    """The gradient of ``AffineGrid`` by the matrices."""
    count = len(x_size) - 2
    return pull_from(affine_grid, (x_size[0], count, count + 1), y_grad, size=x_size, align_corners=align_corners)


@gradient("GridSampler2DGrad", _GRID)
def grid_sampler_2d_grad(grad: Array, input_x: Array, grid: Array, interpolation_mode: str = "bilinear",
                         padding_mode: str = "zeros", align_corners: bool = False, output_mask: Any = (1, 1)):  # fmt: skip
    """The gradients of ``GridSampler2D`` by images and positions."""
    return pull(grid_sampler_2d, grad, input_x, grid, interpolation_mode=interpolation_mode, padding_mode=padding_mode,
                align_corners=align_corners)  # fmt: skip


@gradient("GridSampler3DGrad", _GRID)
def grid_sampler_3d_grad(grad: Array, input_x: Array, grid: Array, interpolation_mode: str = "bilinear",
                         padding_mode: str = "zeros", align_corners: bool = False, output_mask: Any = (1, 1)):  # fmt: skip
    """The gradients of ``GridSampler3D`` by volumes and positions."""
    return pull(grid_sampler_3d, grad, input_x, grid, interpolation_mode=interpolation_mode, padding_mode=padding_mode,
                align_corners=align_corners)  # fmt: skip


# -- resizing --------------------------------------------------------------------------------------------------------
@gradient("ResizeBilinearGrad", _CENTRES)
def resize_bilinear_grad(grads: Array, image: Array, align_corners: bool = False, half_pixel_centers: bool = False):
    """The gradient of ``ResizeBilinear``."""
    return pull(resize_bilinear_v2, grads, image, size=grads.shape[2:], align_corners=align_corners,
                half_pixel_centers=half_pixel_centers)  # fmt: skip


@gradient("ResizeBicubicGrad", _CENTRES)
def resize_bicubic_grad(grads: Array, image: Array, align_corners: bool = False, half_pixel_centers: bool = False):
    """The gradient of ``ResizeBicubic``."""
    return pull(resize_bicubic, grads, image, size=grads.shape[2:], align_corners=align_corners,
                half_pixel_centers=half_pixel_centers)  # fmt: skip


@gradient("ResizeLinear1DGrad", ("coordinate_transformation_mode",))
def resize_linear_1d_grad(grads: Array, x: Array, coordinate_transformation_mode: str = "align_corners"):
    """The gradient of ``ResizeLinear1D``."""
    return pull(resize_linear_1d, grads, x, size=grads.shape[2:],
                coordinate_transformation_mode=coordinate_transformation_mode)  # fmt: skip


@gradient(("ResizeNearestNeighborGrad", "ResizeNearestNeighborV2Grad"), _CENTRES)
def resize_nearest_neighbor_grad(grads: Array, size: Shape, align_corners: bool = False,
                                 half_pixel_centers: bool = False):  # fmt: skip
    """The gradient of ``ResizeNearestNeighbor`` for images of height and width ``size``."""
    return pull_from(resize_nearest_neighbor_v2, (*grads.shape[:2], *size), grads, size=grads.shape[2:],
                     align_corners=align_corners, half_pixel_centers=half_pixel_centers)  # fmt: skip


_RESIZES = {"nearest": resize_nearest_neighbor_v2, "linear": resize_bilinear_v2}


@gradient("ResizeV2Grad", ("coordinate_transformation_mode", "mode"))
def resize_v2_grad(grads: Array, roi: Array, scales: Array, original_size: Shape,
                   coordinate_transformation_mode: str = "half_pixel", mode: str = "nearest"):  # fmt: skip
    """The gradient of ``ResizeV2`` of images with shape ``original_size``."""
    require_choice("mode", mode, (*_RESIZES, "cubic"))
    require_choice(
        "coordinate_transformation_mode", coordinate_transformation_mode, ("half_pixel", "align_corners", "asymmetric")
    )
    aligned = coordinate_transformation_mode == "align_corners"
    if mode == "cubic":
        pairs = zip(original_size[2:], grads.shape[2:], strict=True)
        rows, columns = (_cubic(*pair, coordinate_transformation_mode).astype(grads.dtype) for pair in pairs)
        return rows.T @ grads @ columns
    return pull_from(_RESIZES[mode], original_size, grads, size=grads.shape[2:], align_corners=aligned,
                     half_pixel_centers=coordinate_transformation_mode == "half_pixel")  # fmt: skip


def _cubic(length: int, size: int, transformation: str) -> np.ndarray:
    """The weights of ``length`` elements in each of ``size`` that a cubic convolution interpolates."""
    coordinates = np.arange(size) * _step(length, size, transformation == "align_corners")
    if transformation == "half_pixel":
        coordinates = (np.arange(size) + 0.5) * length / size - 0.5
    first, weights = np.floor(coordinates).astype(int), np.zeros((size, length))
    for tap in range(-1, 3):
        away = np.abs(coordinates - first - tap)
        near = (1.25 * away - 2.25) * away * away + 1
        far = ((-0.75 * away + 3.75) * away - 6) * away + 3
        np.add.at(weights, (np.arange(size), np.clip(first + tap, 0, length - 1)), np.where(away <= 1, near, far))
    return weights


@gradient("ScaleAndTranslateGrad", ("kernel_type", "antialias"))
def scale_and_translate_grad(grads: Array, original_image: Array, scale: Array, translation: Array,
                             kernel_type: str = "lanczos3", antialias: bool = True):  # fmt: skip
    """The gradient of ``ScaleAndTranslate`` by the images (N, H, W, C)."""
    return pull(scale_and_translate, grads, original_image, size=grads.shape[1:3], scale=scale, translation=translation,
                kernel_type=kernel_type, antialias=antialias)  # fmt: skip


@gradient("ParallelResizeBilinearGrad", ("ori_image_size", "src_start_w", "dst_start_w", "align_corners"))
def parallel_resize_bilinear_grad(grad: Array, x: Array, size: Shape, ori_image_size: Any, src_start_w: int,
                                  dst_start_w: int, align_corners: bool):  # fmt: skip
    """The gradient of the resizing of one of several parts of an image that lie side by side."""
    rows = _linear(x.shape[2], grad.shape[2], _step(ori_image_size[0], size[0], align_corners), 0.0)
    step = _step(ori_image_size[1], size[1], align_corners)
    columns = _linear(x.shape[3], grad.shape[3], step, dst_start_w * step - src_start_w)
    return pull(lambda images: rows.astype(images.dtype) @ images @ columns.T.astype(images.dtype), grad, x)


def _step(length: int, size: int, align_corners: bool) -> float:
    return (length - 1) / (size - 1) if align_corners and size > 1 else length / size


def _linear(length: int, size: int, step: float, start: float) -> np.ndarray:
    """The weights of ``length`` elements in each of ``size`` interpolated ones."""
    coordinates = np.clip(start + np.arange(size) * step, 0, length - 1)
    return np.maximum(1 - np.abs(coordinates[:, None] - np.arange(length)), 0)


# -- upsampling ------------------------------------------------------------------------------------------------------
def _upsampled(dy: Any, input_size: Any, scales: Any, mode: str, align_corners: bool | None = None) -> Any:
    # a factor given as such also sets the coordinates; the size of the result may have been rounded
    if scales is None or len(input_size) != 5:
        sizes = {"size": dy.shape[2:]}
    else:
        sizes = {"scale_factor": tuple(map(float, scales))}
    return pull_from(interpolate, input_size, dy, mode=mode, align_corners=align_corners, **sizes)


@gradient(("UpsampleNearest1DGrad", "UpsampleNearest2DGrad", "UpsampleNearest3DGrad"))
def upsample_nearest_grad(dy: Array, input_size: Shape, output_size: Any = None, scales: Any = None):
    return _upsampled(dy, input_size, None, "nearest")


@gradient("UpsampleLinear1DGrad")
def upsample_linear_1d_grad(dy: Array, input_size: Shape, output_size: Any = None, scales: Any = None,
                            align_corners: bool = False):  # fmt: skip
    return _upsampled(dy, input_size, scales, "linear", align_corners)


@gradient("UpsampleBilinear2DGrad")
def upsample_bilinear_2d_grad(dy: Array, input_size: Shape, output_size: Any = None, scales: Any = None,
                              align_corners: bool = False):  # fmt: skip
    return _upsampled(dy, input_size, scales, "bilinear", align_corners)


@gradient("UpsampleBicubic2DGrad")
def upsample_bicubic_2d_grad(dy: Array, input_size: Shape, output_size: Any = None, scales: Any = None,
                             align_corners: bool = False):  # fmt: skip
    return pull_from(interpolate_ext, input_size, dy, size=dy.shape[2:], mode="bicubic", align_corners=align_corners)


@gradient("UpsampleTrilinear3DGrad", ("align_corners",))
def upsample_trilinear_3d_grad(dy: Array, input_size: Shape, output_size: Any = None, scales: Any = None,
                               align_corners: bool = False):  # fmt: skip
    return _upsampled(dy, input_size, scales, "trilinear", align_corners)


# -- regions ---------------------------------------------------------------------------------------------------------
@gradient("ROIAlignGrad", ("pooled_height", "pooled_width", "spatial_scale", "sample_num"))
def roi_align_grad(dy: Array, rois: Array, xdiff_shape: Shape, pooled_height: int, pooled_width: int,
                   spatial_scale: float, sample_num: int = 2):  # fmt: skip
    """The gradient of ``ROIAlign`` by features of shape ``xdiff_shape``."""
    return pull_from(roi_align, xdiff_shape, dy, rois=rois, pooled_height=pooled_height, pooled_width=pooled_width,
                     spatial_scale=spatial_scale, sample_num=sample_num)  # fmt: skip


@gradient("PSROIPoolingGrad", ("input_size", "spatial_scale", "group_size", "output_dim"))
def ps_roi_pooling_grad(x: Array, rois: Array, input_size: Any, spatial_scale: float, group_size: int, output_dim: int):
    """The gradient of ``PSROIPooling`` by features of height and width ``input_size``; ``x`` is the cotangent."""
    lengths = (input_size, input_size) if isinstance(input_size, int) else input_size
    shape = (rois.shape[0], group_size * group_size * output_dim, *lengths)
    return pull_from(ps_roi_pooling, shape, x, rois=rois, spatial_scale=spatial_scale, group_size=group_size,
                     output_dim=output_dim)  # fmt: skip


@gradient("PsROIPoolingGrad", ("batch_size", "channels", "height", "width", "num_rois", "pooled_height", "pooled_width",
                               "spatial_scale", "out_dim"))  # fmt: skip
def ps_roi_pooling_flat_grad(dy: Array, rois: Array, mapping_channel: Array, batch_size: int, channels: int,
                             height: int, width: int, num_rois: int, pooled_height: int, pooled_width: int,
                             spatial_scale: float, out_dim: int):  # fmt: skip
    """The gradient of ``PsROIPooling``; the channels of the cells follow from the numbers."""
    return pull_from(ps_roi_pooling_flat, (batch_size, channels, height, width), dy, rois=rois, num_rois=num_rois,
                     pooled_height=pooled_height, pooled_width=pooled_width, spatial_scale=spatial_scale,
                     out_dim=out_dim, group_size=math.isqrt(channels // out_dim))  # fmt: skip
