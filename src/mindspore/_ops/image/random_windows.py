"""Windows at random positions of images: fractional pooling of (N, H, W, C) and glimpses."""

from __future__ import annotations

from typing import Any

import jax
import jax.numpy as jnp
import numpy as np

from mindspore._engine.operator.arguments import Array, Shape
from mindspore._engine.operator.registry import op, register_primitive
from mindspore._engine.tensor.tensor import Tensor
from mindspore._kernels.random_bits import generator
from mindspore._ops.declaring.random_keys import RandomPrimitive
from mindspore._ops.declaring.requirements import require, require_elements, require_form, require_rank, require_shape
from mindspore._ops.nn.pooling import lowest
from mindspore._utils import checks
from mindspore._utils.refusals import type_or_value


# -- fractional pooling ------------------------------------------------------------------------------------------------
def _pseudo_bounds(key: Any, length: int, size: int) -> Any:
    """Bounds at equal distances, rounded, from a random start."""
    step = length / size
    short = int(step)
    latest = min((short + 2) / step - 1, (length + 1 - short) / step - (size - 1))
    start = jax.random.uniform(key, maxval=latest)
    inner = jnp.ceil(step * (np.arange(1, size) + start)).astype(jnp.int64) - 1
    return jnp.concatenate([jnp.zeros(1, jnp.int64), inner, jnp.full(1, length, jnp.int64)])


def _random_bounds(key: Any, length: int, size: int) -> Any:
    """Bounds whose distances are two neighbouring ints in random order."""
    short = length // size
    widths = np.full(size, short)
    widths[: length - short * size] += 1
    return jnp.concatenate([jnp.zeros(1, jnp.int64), jnp.cumsum(jax.random.permutation(key, widths)).astype(jnp.int64)])


def _pool_axis(x: Any, bounds: Any, axis: int, longest: int, overlapping: bool, average: bool) -> Any:
    """Reduce every window of an axis to its maximum or its mean."""
    positions = bounds[:-1, None] + np.arange(longest + overlapping)
    ends = bounds[1:, None] + (1 if overlapping else 0)
    valid = positions < jnp.minimum(ends, x.shape[axis])
    taken = jnp.take(x, jnp.clip(positions, 0, x.shape[axis] - 1), axis=axis)
    shape = [1] * taken.ndim
    shape[axis : axis + 2] = valid.shape
    valid = valid.reshape(shape)
    if not average:
        return jnp.where(valid, taken, lowest(x.dtype)).max(axis + 1)
    return jnp.where(valid, taken, 0).sum(axis + 1) / valid.sum(axis + 1).astype(x.dtype)


_WORDS = np.array([3, 7], np.uint32)


@op(public=False,
    test=lambda t: [t.case(_WORDS, t.normal(1, 4, 6, 2), (2.0, 2.0), pseudo, False, average, grad=(1,),
                           expect=lambda k, x, r, p, o, mean: _numpy_blocks(x, mean))
                    for pseudo, average in ((False, False), (False, True))])  # fmt: skip
def fractional_pool(key: Array, x: Array, ratios: Any, pseudo_random: bool, overlapping: bool, average: bool):
    """The largest elements or means of windows on (N, H, W, C), and the bounds of the windows."""
    require_rank("x", x, 4)
    keys = jax.random.split(generator(key))
    bounds = []
    result = x
    for axis, ratio in enumerate(ratios):
        length = x.shape[1 + axis]
        size = int(length / ratio)
        require(size > 0, f"the 'pooling_ratio' must be at most the length of the axis, {length}, but got {ratio}.")
        found = (_pseudo_bounds if pseudo_random else _random_bounds)(keys[axis], length, size)
        result = _pool_axis(result, found, 1 + axis, -(-length // size) + 1, overlapping, average)
        bounds.append(found)
    return result, *bounds


def _numpy_blocks(x: np.ndarray, mean: bool) -> tuple[np.ndarray, ...]:
    blocks = x.reshape(1, 2, 2, 3, 2, 2)
    return blocks.mean((2, 4)) if mean else blocks.max((2, 4)), np.arange(0, 5, 2), np.arange(0, 7, 2)


class _FractionalPool(RandomPrimitive):
    average = False

    def __init__(self, pooling_ratio: Any, pseudo_random: bool = False, overlapping: bool = False,
                 deterministic: bool = False, seed: int = 0, seed2: int = 0):  # fmt: skip
        name = type(self).__name__
        for flag, value in (
            ("pseudo_random", pseudo_random),
            ("overlapping", overlapping),
            ("deterministic", deterministic),
        ):
            checks.check_type(name, flag, value, bool)
        numbers = isinstance(pooling_ratio, (tuple, list)) and all(isinstance(r, (int, float)) for r in pooling_ratio)
        if not numbers:
            raise TypeError(f"For '{name}', the 'pooling_ratio' must be a list of 4 floats, but got {pooling_ratio!r}.")
        if len(pooling_ratio) != 4 or pooling_ratio[0] != 1 or pooling_ratio[3] != 1 or min(pooling_ratio) < 1:
            raise type_or_value(ValueError)(
                f"For '{name}', the 'pooling_ratio' must be [1.0, height, width, 1.0], none below 1, but got {pooling_ratio}."
            )
        super().__init__(seed, seed2, pooling_ratio=tuple(map(float, pooling_ratio)), pseudo_random=pseudo_random,
                         overlapping=overlapping, deterministic=deterministic)  # fmt: skip

    def __call__(self, x: Tensor) -> tuple[Tensor, Tensor, Tensor]:
        ratios = self.pooling_ratio[1:3]
        return self.draw(fractional_pool, x, ratios, self.pseudo_random, self.overlapping, self.average)


@register_primitive
class FractionalMaxPool(_FractionalPool):
    """The largest elements of windows on (N, H, W, C), and the bounds of the windows' rows and columns.

    The lengths shrink by the ``pooling_ratio`` [1.0, height, width, 1.0]; where the windows lie is random.

    Examples:
        >>> from mindspore import ops
        >>> result, rows, columns = ops.FractionalMaxPool([1.0, 1.5, 2.0, 1.0])(ops.ones((1, 6, 8, 3)))
        >>> print(result.shape, columns)
        (1, 4, 4, 3) [0 2 4 6 8]
    """


@register_primitive
class FractionalAvgPool(_FractionalPool):
    """The means of windows on (N, H, W, C), and the bounds of the windows' rows and columns.

    Examples:
        >>> from mindspore import ops
        >>> output, rows, columns = ops.FractionalAvgPool([1.0, 2.0, 2.0, 1.0])(ops.ones((1, 4, 4, 1)))
        >>> print(output.shape, rows.shape, columns.shape)
        (1, 2, 2, 1) (3,) (3,)
    """

    average = True


# -- glimpses ----------------------------------------------------------------------------------------------------------
_NOISES = ("uniform", "gaussian", "zero")


def _start(offset: Any, length: int, size: int, centered: bool, normalized: bool) -> Any:
    """The first pixel of the windows on an axis."""
    offset = offset * length if normalized else offset
    offset = offset / 2 + length / 2 if centered else offset
    return jnp.trunc(offset - size / 2).astype(jnp.int32)


def _noise(key: Any, noise: str, x: Any, shape: tuple[int, ...]) -> Any:
    """The noise that fills windows outside of the images: zero, uniform in each image's range, or Gaussian with its mean and deviation."""
    if noise == "zero":
        return jnp.zeros(shape, x.dtype)
    if noise == "uniform":
        low, high = x.min((1, 2, 3), keepdims=True), x.max((1, 2, 3), keepdims=True)
        return low + (high - low) * jax.random.uniform(generator(key), shape, x.dtype)
    mean, spread = x.mean((1, 2, 3), keepdims=True), x.std((1, 2, 3), keepdims=True)
    return mean + spread * jax.random.normal(generator(key), shape, x.dtype)


@op(public=False,
    test=lambda t: [t.case(_WORDS, t.normal(1, 4, 5, 2), (2, 3), np.zeros((1, 2), np.float32), True, True, "zero",
                           grad=(1,), expect=lambda k, x, *_: x[:, 1:3, 1:4])])  # fmt: skip
def glimpses(key: Array, x: Array, size: Shape, offsets: Array, centered: bool, normalized: bool, noise: str):
    """Windows of ``size`` on images (N, H, W, C) at ``offsets`` (N, 2)."""
    require_rank("x", x, 4)
    require_elements("x", x, (1, 2))
    require_form(len(size) == 2 and min(size) > 0, f"the 'size' must be two positive ints, but got {size}.")
    require_shape("offsets", offsets, (x.shape[0], 2))
    rows, columns = (_start(offsets[:, axis], x.shape[1 + axis], size[axis], centered, normalized)[:, None]
                     + np.arange(size[axis]) for axis in range(2))  # fmt: skip
    inside = ((rows >= 0) & (rows < x.shape[1]))[:, :, None] & ((columns >= 0) & (columns < x.shape[2]))[:, None]
    bounded = jnp.clip(rows, 0, x.shape[1] - 1)[:, :, None], jnp.clip(columns, 0, x.shape[2] - 1)[:, None]
    seen = x[np.arange(x.shape[0])[:, None, None], bounded[0], bounded[1]]
    return jnp.where(inside[..., None], seen, _noise(key, noise, x, seen.shape))


@register_primitive
class ExtractGlimpse(RandomPrimitive):
    """Windows on images (N, H, W, C), each at an offset (row, column) of its own.

    Args:
        centered: offsets count from the middle of the image to the middle of the window.
        normalized: offsets are shares of the image's lengths, not pixels.
        uniform_noise: with ``noise='uniform'``, as in MindSpore; other values of ``noise`` need False.
        noise: what stands outside of the image: 'uniform', 'gaussian' or 'zero'.

    Examples:
        >>> from mindspore import Tensor, ops
        >>> image = ops.arange(9).astype("float32").reshape(1, 3, 3, 1)
        >>> print(ops.ExtractGlimpse()(image, (1, 1), Tensor([[0.0, 0.0]])))
        [[[[4.]]]]
    """

    def __init__(
        self, centered: bool = True, normalized: bool = True, uniform_noise: bool = True, noise: str = "uniform"
    ):
        for name, value in (("centered", centered), ("normalized", normalized), ("uniform_noise", uniform_noise)):
            checks.check_type("ExtractGlimpse", name, value, bool)
        checks.check_one_of("ExtractGlimpse", "noise", noise, _NOISES)
        if uniform_noise and noise != "uniform":
            raise ValueError(
                f"For 'ExtractGlimpse', the 'noise' must be 'uniform' when 'uniform_noise' is True, but got {noise!r}."
            )
        super().__init__(0, 0, centered=centered, normalized=normalized, uniform_noise=uniform_noise, noise=noise)

    def __call__(self, x: Tensor, size: Any, offsets: Tensor) -> Tensor:
        return self.draw(glimpses, x, size, offsets, self.centered, self.normalized, self.noise)
