"""Position-sensitive pooling of regions: every cell of a region is the mean of a group of channels of its own."""

from __future__ import annotations

from typing import Any

import jax.numpy as jnp
import numpy as np
from jax import lax

from mindspore._engine.operator.arguments import Array
from mindspore._engine.operator.registry import op
from mindspore._ops.declaring.promotion import upcast_half
from mindspore._ops.declaring.requirements import (
    require,
    require_elements,
    require_float,
    require_rank,
    require_same_dtype,
)


def _cells(start: Any, end: Any, cells: int, length: int) -> Any:
    """Which pixels of an axis belong to which cell, as 0 and 1: (cells, length)."""
    size = jnp.maximum(end - start, 0.1) / cells
    steps = np.arange(cells, dtype=np.float32)
    low, high = jnp.floor(start + steps * size), jnp.ceil(start + (steps + 1) * size)
    pixels = np.arange(length, dtype=np.float32)
    # MindSpore's kernel never reads the last pixel of an axis
    return ((pixels >= low[:, None]) & (pixels < jnp.minimum(high, length - 1)[:, None])).astype(jnp.float32)


def _pool(features: Any, rois: Any, scale: float, groups: int, outputs: int, cells: tuple[int, int]) -> Any:
    """Regions ``rois`` (n, 5) as (n, outputs, rows, columns), and the channel every cell was taken from."""
    require_rank("features", features, 4)
    require_float("features", features)
    require_same_dtype(features=features, rois=rois)
    require_elements("features", features, (0,))
    require(scale > 0, f"the 'spatial_scale' must be positive, but got {scale}.")
    wanted = outputs * groups**2
    text = (
        f"the 'features' must have {outputs} * {groups} * {groups} = {wanted} channels, but got shape {features.shape}."
    )
    require(min(outputs, groups, *cells) > 0 and features.shape[1] == wanted, text)
    rows, columns = (np.arange(count) * groups // count for count in cells)
    channels = (np.arange(outputs)[:, None, None] * groups + rows[:, None]) * groups + columns
    images, (height, width) = upcast_half(features), features.shape[2:]

    def pool_region(region: Any) -> Any:
        left, top, right, bottom = jnp.floor(region[1:] * scale + 0.5)
        row_mask, column_mask = _cells(top, bottom, cells[0], height), _cells(left, right, cells[1], width)
        chosen = images[region[0].astype(jnp.int32)][channels]
        count = row_mask.sum(1)[:, None] * column_mask.sum(1)
        total = jnp.einsum("oijhw,ih,jw->oij", chosen, row_mask.astype(chosen.dtype), column_mask.astype(chosen.dtype))
        return total / jnp.maximum(count, 1)

    pooled = lax.map(pool_region, lax.stop_gradient(upcast_half(rois))).astype(features.dtype)
    return pooled, jnp.broadcast_to(jnp.asarray(channels, jnp.int32), pooled.shape)


_REGION = np.array([[0, 0, 0, 4, 4]], np.float32)


def _numpy_quarters(x: np.ndarray, *_: Any) -> np.ndarray:
    """The four quarters of 4 x 4 pixels, each from its own channel."""
    means = x[..., :4, :4].reshape(1, 4, 2, 2, 2, 2).mean((3, 5))
    return np.array([[[[means[0, 0, 0, 0], means[0, 1, 0, 1]], [means[0, 2, 1, 0], means[0, 3, 1, 1]]]]])


@op(primitive="PSROIPooling", init=("spatial_scale", "group_size", "output_dim"), public=False,
    test=lambda t: [t.case(t.normal(1, 4, 5, 5), _REGION[:, :, None], 1.0, 2, 1, grad=(0,),
                           expect=_numpy_quarters)])  # fmt: skip
def ps_roi_pooling(features: Array, rois: Array, spatial_scale: float, group_size: int, output_dim: int):
    """Regions ``rois`` (images, 5, regions per image), as (regions, output_dim, group_size, group_size).

    Examples:
        >>> from mindspore import Tensor, ops
        >>> pool = ops.PSROIPooling(spatial_scale=1.0, group_size=1, output_dim=2)
        >>> regions = Tensor([[[0.0], [0.0], [0.0], [3.0], [3.0]]])
        >>> print(pool(ops.ones((1, 2, 4, 4)), regions).shape)
        (1, 2, 1, 1)
    """
    require(
        rois.ndim == 3 and rois.shape[1] == 5, f"the 'rois' must have shape (images, 5, regions), but got {rois.shape}."
    )
    flat = rois.transpose(0, 2, 1).reshape(-1, 5)
    return _pool(features, flat, spatial_scale, group_size, output_dim, (group_size, group_size))[0]


@op(primitive="PsROIPooling", public=False,
    init=("pooled_height", "pooled_width", "num_rois", "spatial_scale", "out_dim", "group_size"),
    test=lambda t: [t.case(t.normal(1, 4, 5, 5), _REGION, 2, 2, 1, 1.0, 1, 2, grad=(0,),
                           expect=lambda x, *_: (_numpy_quarters(x), np.arange(4).reshape(1, 1, 2, 2)))])  # fmt: skip
def ps_roi_pooling_flat(features: Array, rois: Array, pooled_height: int, pooled_width: int, num_rois: int,
                        spatial_scale: float, out_dim: int, group_size: int):  # fmt: skip
    """Regions ``rois`` (num_rois, 5), as (num_rois, out_dim, pooled_height, pooled_width), and their channels.

    Examples:
        >>> from mindspore import Tensor, ops
        >>> pool = ops.PsROIPooling(pooled_height=1, pooled_width=1, num_rois=1, spatial_scale=1.0, out_dim=2, group_size=1)
        >>> print(pool(ops.ones((1, 2, 4, 4)), Tensor([[0.0, 0.0, 0.0, 3.0, 3.0]]))[0].shape)
        (1, 2, 1, 1)
    """
    require(rois.shape == (num_rois, 5), f"the 'rois' must have shape ({num_rois}, 5), but got {rois.shape}.")
    return _pool(features, rois, spatial_scale, group_size, out_dim, (pooled_height, pooled_width))
