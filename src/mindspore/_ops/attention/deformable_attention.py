"""Attention to sampled locations of feature maps, which the network predicts."""

from __future__ import annotations

from typing import Any

import jax.numpy as jnp
import numpy as np

from mindspore._engine.operator.arguments import Array
from mindspore._engine.operator.registry import op
from mindspore._ops.declaring.requirements import (
    require,
    require_elements,
    require_float,
    require_index_dtype,
    require_rank,
    require_shape,
)


def _samples(value: Any, locations: Any, height: Any, width: Any, start: Any) -> Any:
    """Bilinear samples of a feature map: (batch, queries, heads, points, depth). Zero outside of the map.

    ``value`` is (batch, keys, heads, depth), ``locations`` (batch, queries, heads, points, 2) from 0 to 1.
    """
    batch, _, heads, _ = value.shape
    x, y = locations[..., 0] * width - 0.5, locations[..., 1] * height - 0.5
    left, top = jnp.floor(x), jnp.floor(y)
    result = 0.0
    for right in (0, 1):
        for below in (0, 1):
            column, row = left + right, top + below
            share = (1 - jnp.abs(x - column)) * (1 - jnp.abs(y - row))
            inside = (column >= 0) & (column < width) & (row >= 0) & (row < height)
            index = (start + row * width + column).astype(jnp.int32)
            index = jnp.where(inside, index, 0)
            rows = jnp.arange(batch)[:, None, None, None]
            found = value[rows, index, jnp.arange(heads)[None, None, :, None]]
            result = result + found * jnp.where(inside, share, 0)[..., None]
    return result


def _maps(t: Any) -> tuple[np.ndarray, ...]:
    return (t.normal(2, 10, 2, 3), np.array([[2, 3], [2, 2]], np.int32), np.array([0, 6], np.int32),
            t.uniform(0.05, 0.95, 2, 4, 2, 2, 3, 2), t.positive(2, 4, 2, 2, 3))  # fmt: skip


@op(test=lambda t: [t.case(*_maps(t), grad=(0, 4))])
def multi_scale_deformable_attn_function(value: Array, shape: Array, offset: Array, locations: Array, weight: Array):
    """Weighted sums of feature maps sampled at given locations, by bilinear interpolation.

    Args:
        value: the flattened maps, concatenated, (batch, all pixels, heads, depth).
        shape: height and width of each map, (maps, 2).
        offset: where each map begins among the pixels, (maps,).
        locations: where to sample, (batch, queries, heads, maps, points, 2), x and y from 0 to 1.
        weight: of the samples, (batch, queries, heads, maps, points).

    Examples:
        >>> import mindspore as ms
        >>> from mindspore import Tensor, ops
        >>> value = Tensor([1.0, 2.0, 3.0, 4.0]).reshape((1, 4, 1, 1))
        >>> locations, weight = ops.ones((1, 1, 1, 1, 1, 2)) * 0.5, ops.ones((1, 1, 1, 1, 1))
        >>> size, start = Tensor([[2, 2]], ms.int32), Tensor([0], ms.int32)
        >>> print(ops.multi_scale_deformable_attn_function(value, size, start, locations, weight))
        [[[2.5]]]
    """
    require_rank("value", value, 4)
    require_float("value", value)
    require_float("locations", locations)
    require_rank("locations", locations, 6)
    require_index_dtype("shape", shape)
    require_index_dtype("offset", offset)
    require_elements("value", value, (1,))
    text = f"the 'value' must have the batch and heads of 'locations', but got {value.shape} and {locations.shape}."
    require((value.shape[0], value.shape[2]) == (locations.shape[0], locations.shape[2]), text)
    levels = locations.shape[3]
    require_shape("shape", shape, (levels, 2))
    require_shape("offset", offset, (levels,))
    require_shape("weight", weight, locations.shape[:-1])
    result = 0.0
    for level in range(levels):
        height, width = shape[level, 0], shape[level, 1]
        found = _samples(value, locations[:, :, :, level], height, width, offset[level])
        result = result + (found * weight[:, :, :, level, :, None]).sum(3)
    batch, queries, heads, depth = jnp.shape(result)
    return jnp.asarray(result).reshape(batch, queries, heads * depth).astype(value.dtype)
