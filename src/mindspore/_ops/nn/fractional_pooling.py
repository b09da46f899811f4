"""Pooling with windows at random positions, to any smaller size."""

from __future__ import annotations

import math
from typing import Any

import jax.numpy as jnp
import numpy as np

from mindspore._engine.operator.arguments import Array, Sizes
from mindspore._engine.operator.registry import op, register_function
from mindspore._engine.tensor.tensor import Tensor
from mindspore._ops.declaring.dtype_checks import accepts
from mindspore._ops.declaring.random_keys import draw
from mindspore._ops.declaring.random_samples import uniform_real
from mindspore._ops.declaring.requirements import require, require_float, require_rank
from mindspore._ops.declaring.windows import spatial
from mindspore._utils import checks


def _starts(samples: Any, length: int, size: int, kernel: int) -> Any:
    """Where ``size`` windows on ``length`` elements begin, for every sample; the last window ends at the end."""
    index = np.arange(size - 1)
    step = np.float32((length - kernel) / max(size - 1, 1))
    samples = samples.astype(jnp.float32)[..., None]
    inner = jnp.floor((index.astype(np.float32) + samples) * step) - jnp.floor(samples * step)
    last = jnp.full((*samples.shape[:-1], 1), length - kernel, jnp.int32)
    return jnp.concatenate([inner.astype(jnp.int32), last], axis=-1)


def _pool(x: Any, samples: Any, kernel_size: Any, output_size: Any, count: int) -> tuple[Any, Any]:
    """The largest element of every window, and where it is in the flattened spatial axes."""
    require_rank("input", x, count + 2)
    require_float("input", x)
    kernel, sizes = spatial("kernel_size", kernel_size, count), spatial("output_size", output_size, count)
    lengths = x.shape[2:]
    text = f"the 'output_size' plus 'kernel_size' must be at most {lengths} plus 1, but got {sizes} and {kernel}."
    require(all(s + k - 1 <= n for s, k, n in zip(sizes, kernel, lengths, strict=True)), text)
    wanted = (*x.shape[:2], count)
    text = f"the '_random_samples' must have shape {wanted}, but got {samples.shape}."
    require(samples.shape == wanted, text)
    # of two samples the first is for the width, of three the first for the depth
    order = (1, 0) if count == 2 else (0, 1, 2)
    flat = jnp.zeros((*x.shape[:2], *[1] * (2 * count)), jnp.int32)
    for axis, (length, size, window) in enumerate(zip(lengths, sizes, kernel, strict=True)):
        positions = _starts(samples[..., order[axis]], length, size, window)[..., None] + np.arange(window)
        shape = [*x.shape[:2], *[1] * (2 * count)]
        shape[2 + axis], shape[2 + count + axis] = size, window  # windows first, their elements behind
        flat = flat * length + positions.reshape(shape)
    flat = flat.reshape(*flat.shape[: 2 + count], math.prod(kernel))
    positions = flat.reshape(*x.shape[:2], math.prod(flat.shape[2:]))
    elements = x.reshape(*x.shape[:2], math.prod(lengths))
    found = jnp.take_along_axis(elements, positions, axis=-1).reshape(flat.shape)
    first = jnp.argmax(found, axis=-1, keepdims=True)
    values, positions = (jnp.take_along_axis(a, first, axis=-1)[..., 0] for a in (found, flat.astype(jnp.int64)))
    return values, positions


_HALF = np.full((1, 1, 3), 0.5, np.float32)


@op(public=False,
    test=lambda t: [t.case(t.normal(1, 1, 4, 6), _HALF[..., :2], 2, (2, 3), grad=(0,),
                           expect=lambda x, *_: _numpy_blocks(x)),
                    t.case(t.normal(1, 1, 5, 5), _HALF[..., :2], 2, 3, grad=(0,))])  # fmt: skip
@accepts("f", "samples")
def fractional_max_pool_2d(input: Array, samples: Array, kernel_size: Sizes, output_size: Any):
    """``fractional_max_pool2d`` with windows positioned by ``samples``."""
    return _pool(input, samples, kernel_size, output_size, 2)


@op(public=False, test=lambda t: [t.case(t.normal(1, 1, 5, 4, 5), _HALF, 2, (3, 2, 3), grad=(0,))])
@accepts("f", "samples")
def fractional_max_pool_3d(input: Array, samples: Array, kernel_size: Sizes, output_size: Any):
    """``fractional_max_pool3d`` with windows positioned by ``samples``."""
    return _pool(input, samples, kernel_size, output_size, 3)


def _numpy_blocks(x: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    blocks = x.reshape(2, 2, 3, 2).transpose(0, 2, 1, 3).reshape(1, 1, 2, 3, 4)
    indices = np.arange(24).reshape(2, 2, 3, 2).transpose(0, 2, 1, 3).reshape(1, 1, 2, 3, 4)
    return blocks.max(-1), np.take_along_axis(indices, blocks.argmax(-1)[..., None], -1)[..., 0]


def _output_size(owner: str, output_size: Any, output_ratio: Any, lengths: tuple[int, ...]) -> Any:
    """The output lengths, given as such or as a share of the input's."""
    if output_size is not None:
        return output_size
    if output_ratio is None:
        raise ValueError(f"For '{owner}', the 'output_size' or the 'output_ratio' must be given, but both are None.")
    ratios = output_ratio if isinstance(output_ratio, (tuple, list)) else (output_ratio,) * len(lengths)
    if len(ratios) != len(lengths):
        raise ValueError(f"For '{owner}', the 'output_ratio' must have {len(lengths)} numbers, but got {output_ratio}.")
    for ratio in ratios:
        checks.check_float_range(owner, "output_ratio", ratio, 0.0, 1.0, include_low=False, include_high=False)
    return tuple(int(length * ratio) for length, ratio in zip(lengths, ratios, strict=True))


def _fractional(owner: str, pool: Any, input: Tensor, kernel_size: Any, output_size: Any, output_ratio: Any,
                return_indices: bool, samples: Tensor | None, count: int) -> Any:  # fmt: skip
    checks.check_type(owner, "input", input, Tensor)
    if input.ndim not in (count + 1, count + 2):
        raise ValueError(
            f"For '{owner}', the 'input' must have {count + 1} or {count + 2} dimensions, but got shape {input.shape}."
        )
    batched = input if input.ndim == count + 2 else input.expand_dims(0)
    sizes = _output_size(owner, output_size, output_ratio, batched.shape[2:])
    if samples is None:
        samples = draw(owner, None, uniform_real, (*batched.shape[:2], count))
    values, indices = pool(batched, samples, kernel_size, sizes)
    if input.ndim == count + 1:
        values, indices = values.squeeze(0), indices.squeeze(0)
    return (values, indices) if return_indices else values


def fractional_max_pool2d(input: Tensor, kernel_size: Any, output_size: Any = None, output_ratio: Any = None,
                          return_indices: bool = False, _random_samples: Tensor | None = None) -> Any:  # fmt: skip
    """The largest elements of windows at random positions of (N, C, H, W) or (C, H, W).

    Args:
        output_size, output_ratio: how many windows, or their number as a share of the input's lengths.
        _random_samples: numbers in [0, 1) of shape (N, C, 2) that decide the positions.

    Examples:
        >>> from mindspore import ops
        >>> print(ops.fractional_max_pool2d(ops.ones((1, 1, 5, 5)), 2, (3, 2)).shape)
        (1, 1, 3, 2)
    """
    return _fractional("fractional_max_pool2d", fractional_max_pool_2d, input, kernel_size, output_size, output_ratio,
                       return_indices, _random_samples, 2)  # fmt: skip


def fractional_max_pool3d(input: Tensor, kernel_size: Any, output_size: Any = None, output_ratio: Any = None,
                          return_indices: bool = False, _random_samples: Tensor | None = None) -> Any:  # fmt: skip
    """The largest elements of windows at random positions of (N, C, D, H, W) or (C, D, H, W).

    Args:
        output_size, output_ratio: how many windows, or their number as a share of the input's lengths.
        _random_samples: numbers in [0, 1) of shape (N, C, 3) that decide the positions.

    Examples:
        >>> from mindspore import ops
        >>> print(ops.fractional_max_pool3d(ops.ones((1, 1, 5, 5, 5)), 2, output_ratio=(0.5, 0.5, 0.5)).shape)
        (1, 1, 2, 2, 2)
    """
    return _fractional("fractional_max_pool3d", fractional_max_pool_3d, input, kernel_size, output_size, output_ratio,
                       return_indices, _random_samples, 3)  # fmt: skip


register_function(fractional_max_pool2d)
register_function(fractional_max_pool3d)
