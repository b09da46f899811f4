"""Parts of attention found only among generated names: caches, positions, dropout given as bits."""

from __future__ import annotations

from typing import Any

import jax
import jax.numpy as jnp
import numpy as np

from mindspore._engine.operator.arguments import Array, DType, Shape
from mindspore._ops.declaring.requirements import require, require_choice, require_rank
from mindspore._ops.generated.declare import generated_op


def _numpy_cache(var: np.ndarray, positions: np.ndarray, updates: np.ndarray, axis: int) -> np.ndarray:
    result = var.copy()
    for number, position in enumerate(positions):
        part = np.moveaxis(result[number], axis, 0)
        part[position : position + updates.shape[axis]] = np.moveaxis(updates[number], axis, 0)
    return result


@generated_op(in_parts=True, test=lambda t: [t.case(t.normal(2, 1, 4, 3), np.array([1, 2], np.int64), t.normal(2, 1, 2, 3), -2,
                                                    grad=(0, 2), expect=_numpy_cache)])  # fmt: skip
def cache_with_updates(var: Array, indices: Array, updates: Array, axis: int, reduce: str = "none"):
    """For every part of the batch, ``updates`` from the index of the part on."""
    require_rank("var", var, 4)
    require_choice("axis", axis, (-1, -2))
    require_choice("reduce", reduce, ("none", "update"))

    def stored(cache: Any, position: Any, update: Any) -> Any:
        return jax.lax.dynamic_update_slice_in_dim(cache, update.astype(cache.dtype), position, axis)

    return jax.vmap(stored)(var, indices, updates)


def _numpy_bits(mask: np.ndarray, shape: tuple, keep: float) -> np.ndarray:
    return np.unpackbits(mask.reshape(-1), bitorder="little")[: np.prod(shape)].reshape(shape) / np.float32(keep)


@generated_op(test=lambda t: [t.case(np.array([5, 255], np.uint8), (2, 8), 0.5, grad=False, expect=_numpy_bits)])
def kept_by_bits(mask: Array, shape: Shape, keep_prob: float):
    """What weights are multiplied with: 1 / keep_prob where a bit of the mask is set, else 0."""
    count = int(np.prod(shape))
    bits = jnp.unpackbits(mask.astype(jnp.uint8).reshape(-1), bitorder="little")
    require(bits.size >= count, f"the 'drop_mask' must hold {count} bits, but got {bits.size}.")
    return bits[:count].reshape(shape).astype(jnp.float32) / keep_prob


def _numpy_turns(positions: np.ndarray, frequencies: np.ndarray, lengths: np.ndarray) -> Any:
    owners = np.repeat(np.arange(len(lengths)), lengths)
    angles = positions[:, None] * np.tile(frequencies[owners], 2)
    return np.sin(angles), np.cos(angles)


@generated_op(test=lambda t: [t.case(np.array([0, 1, 0], np.int32), t.positive(2, 3), np.array([2, 1], np.int32), grad=False,
                                     tolerance=1e-5, expect=_numpy_turns)])  # fmt: skip
def turns_of_positions(position_ids: Array, inv_freq: Array, seq_lens: Array, dtype: DType | None = None):
    """The sines and cosines of rotary positions; every sequence has frequencies of its own."""
    ends = jnp.cumsum(seq_lens)
    owners = jnp.searchsorted(ends, jnp.arange(position_ids.shape[0]), side="right")
    angles = position_ids[:, None].astype(jnp.float32) * jnp.tile(inv_freq[owners], 2)
    wanted = jnp.float32 if dtype is None else dtype.np_dtype
    return jnp.sin(angles).astype(wanted), jnp.cos(angles).astype(wanted)
