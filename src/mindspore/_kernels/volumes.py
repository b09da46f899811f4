"""Convolution and pooling of volumes (N, C, D, H, W), made of the kernels for images: slices along the depth are images.

What the kernels are given in the end has the batch and the depth as one axis; gradients follow from that.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import jax.numpy as jnp
from jax import lax

from mindspore._kernels.convolution import Convolution, Geometry
from mindspore._kernels.pooling import MaxPool
from mindspore._kernels.primitive import call

Pair = tuple[int, int]


def convolve(x: Any, weight: Any, stride: Sequence[int], padding: Sequence[Pair], dilation: Sequence[int],
             groups: int) -> Any:  # fmt: skip
    """A convolution: the slices that one place of the kernel sees become channels of one image."""
    outputs, inputs, depth = weight.shape[:3]
    reach = (depth - 1) * dilation[0] + 1
    places = (x.shape[2] + sum(padding[0]) - reach) // stride[0] + 1
    geometry = Geometry(tuple(stride[1:]), tuple(padding[1:]), tuple(dilation[1:]), groups)
    layers = _layers(x, padding[0], [k * dilation[0] for k in range(depth)], stride[0], places, 0)
    if groups == x.shape[1] > 1:  # every channel on its own: there is a kernel for that
        parts = [_of_slices(geometry, layer, weight[:, :, k]) for k, layer in enumerate(layers)]
        return sum(parts[1:], parts[0])
    grouped = [layer.reshape(x.shape[0], groups, inputs, *layer.shape[2:]) for layer in layers]
    joined = grouped[0] if depth == 1 else jnp.concatenate(grouped, 2)
    joined = joined.reshape(x.shape[0], groups * depth * inputs, *joined.shape[3:])
    return _of_slices(geometry, joined, weight.swapaxes(1, 2).reshape(outputs, depth * inputs, *weight.shape[3:]))


def largest(x: Any, kernel: Sequence[int], stride: Sequence[int], padding: Sequence[Pair]) -> Any:
    """The largest element of every window; the first of equal ones takes the gradient."""
    pool = MaxPool(tuple(kernel[1:]), tuple(stride[1:]), tuple(padding[1:]))
    planes = _by_slice(lambda images: call(pool, images)[0], x)
    places = (x.shape[2] + sum(padding[0]) - kernel[0]) // stride[0] + 1
    found, *others = _layers(planes, padding[0], range(kernel[0]), stride[0], places, -jnp.inf)
    for other in others:  # not jnp.maximum, which shares the gradient among equal ones
        found = jnp.where((other > found) | (jnp.isnan(other) & ~jnp.isnan(found)), other, found)
    return found


def _layers(x: Any, padding: Pair, starts: Sequence[int], stride: int, places: int, filler: float) -> list[Any]:
    """From each start on, every ``stride``-th slice along the depth."""
    if padding != (0, 0):
        config = [(0, 0, 0)] * 2 + [(*padding, 0)] + [(0, 0, 0)] * 2
        x = lax.pad(x, jnp.asarray(filler, x.dtype), config)
    return [lax.slice_in_dim(x, start, start + (places - 1) * stride + 1, stride, 2) for start in starts]


def _of_slices(geometry: Geometry, x: Any, weight: Any) -> Any:
    return _by_slice(lambda images: call(Convolution(geometry), images, weight)[0], x)


def _by_slice(work: Any, x: Any) -> Any:
    """``work`` on images, for every slice along the depth."""
    batch, channels, depth, *size = x.shape
    images = work(x.swapaxes(1, 2).reshape(batch * depth, channels, *size))
    return images.reshape(batch, depth, *images.shape[1:]).swapaxes(1, 2)
