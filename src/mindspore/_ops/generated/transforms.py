"""Strides, reinterpreted bits, and the parts of which MindSpore composes gradients of Fourier transforms."""

from __future__ import annotations

from typing import Any

import jax.numpy as jnp
import numpy as np
from jax import lax

from mindspore._engine.base import dtype as dtypes
from mindspore._engine.operator.arguments import Array, Axis, DType, Shape
from mindspore._ops.declaring.promotion import normal_axis
from mindspore._ops.declaring.requirements import require
from mindspore._ops.generated.declare import generated_op


def _numpy_strided(x: np.ndarray, size: tuple, stride: tuple, offset: int = 0) -> np.ndarray:
    flat = x.reshape(-1)[offset:]
    return np.lib.stride_tricks.as_strided(flat, size, [one * flat.itemsize for one in stride]).copy()


@generated_op(test=lambda t: [t.case(t.normal(2, 3), (2, 2), (1, 2), 1, expect=_numpy_strided)])
def as_strided(input: Array, size: Shape, stride: Shape, storage_offset: int = 0):
    """The elements found at the strides given, counted in elements of the flat input."""
    text = f"the 'size' and 'stride' must have the same length, but got {size} and {stride}."
    require(len(size) == len(stride), text)
    offsets = np.full(size, storage_offset)
    for axis, (length, step) in enumerate(zip(size, stride, strict=True)):
        offsets = offsets + (np.arange(length) * step).reshape([-1 if one == axis else 1 for one in range(len(size))])
    text = f"the 'size' {size}, 'stride' {stride} and 'storage_offset' {storage_offset} must stay inside {input.size} elements."
    require(not offsets.size or (offsets.min() >= 0 and offsets.max() < input.size), text)
    return input.reshape(-1)[offsets]


@generated_op(test=lambda t: [t.case(t.normal(2, 3), expect=lambda x: x.view(np.int32))])
def bits_as(input: Array, dtype: DType = dtypes.int32):
    """The bits of every element as a number of another dtype; a dtype of another size changes the last axis."""
    wanted = np.dtype(dtype.np_dtype)
    ratio = input.dtype.itemsize / wanted.itemsize
    if ratio > 1:
        return lax.bitcast_convert_type(input, wanted).reshape(*input.shape[:-1], -1)
    if ratio < 1:
        parts = int(1 / ratio)
        text = f"the last axis of 'input' must be a multiple of {parts}, but got shape {input.shape}."
        require(input.ndim > 0 and input.shape[-1] % parts == 0, text)
        return lax.bitcast_convert_type(input.reshape(*input.shape[:-1], -1, parts), wanted)
    return lax.bitcast_convert_type(input, wanted)


def _numpy_ortho(x: np.ndarray, axes: tuple, forward: bool = True) -> np.ndarray:
    for axis in axes:
        length = x.shape[axis]
        factors = np.full(length, 1 / np.sqrt(2 * length), x.dtype)
        factors[0] = 1 / (2 * np.sqrt(length))
        shape = [length if one == axis % x.ndim else 1 for one in range(x.ndim)]
        x = x * factors.reshape(shape) if forward else x / factors.reshape(shape)
    return x


@generated_op(test=lambda t: [t.case(t.normal(2, 3), (0, 1), expect=_numpy_ortho),
                              t.case(t.normal(2, 3), (-1,), False, expect=_numpy_ortho)])  # fmt: skip
def scaled_for_ortho(input: Array, axes: Axis = None, forward: bool = True):
    """The factors that make a cosine transform orthonormal, or their inverses."""
    for axis in axes or ():
        along = normal_axis(axis, input.ndim, "axes")
        length = input.shape[along]
        factors = jnp.full(length, 1 / np.sqrt(2 * length)).at[0].set(1 / (2 * np.sqrt(length))).astype(input.dtype)
        factors = jnp.expand_dims(factors, [one for one in range(input.ndim) if one != along])
        input = input * factors if forward else input / factors
    return input


def _numpy_doubled(x: np.ndarray, n: int, dim: int = -1) -> np.ndarray:
    factors = np.ones(x.shape[dim])
    factors[1 : (n + 1) // 2] = 2
    return (np.moveaxis(x, dim, -1) * factors).astype(x.dtype).swapaxes(dim, -1)


@generated_op(test=lambda t: [t.case(t.normal(2, 3), 5, expect=_numpy_doubled),
                              t.case(t.normal(2, 3), 4, expect=_numpy_doubled)])  # fmt: skip
def double_inner(input: Array, n: int, dim: int = -1):
    """The frequencies that stand for two of a real signal of length ``n``, doubled."""
    axis = normal_axis(dim, input.ndim, "dim")
    key: list[Any] = [slice(None)] * input.ndim
    key[axis] = slice(1, (n + 1) // 2)
    return input.at[tuple(key)].multiply(2)
