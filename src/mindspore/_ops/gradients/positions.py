"""Elements put at, and read from, known positions of flattened planes or volumes."""

from __future__ import annotations

import math
from typing import Any

import jax.numpy as jnp
import numpy as np


def scattered(like: Any, values: Any, positions: Any, count: int, channels_last: bool = False) -> Any:
    """Zeros of the shape of ``like``, with ``values`` added at positions of the flattened last ``count`` axes."""
    if channels_last:
        like, values, positions = (jnp.moveaxis(array, -1, 1) for array in (like, values, positions))
        return jnp.moveaxis(scattered(like, values, positions, count), 1, -1)
    planes = math.prod(like.shape[:-count])
    flat = jnp.zeros((planes, math.prod(like.shape[-count:])), values.dtype)
    rows = np.arange(planes)[:, None]
    filled = flat.at[rows, positions.reshape(planes, -1)].add(values.reshape(planes, -1), mode="drop")
    return filled.reshape(like.shape)


def gathered(values: Any, positions: Any, count: int, channels_last: bool = False) -> Any:
    """The elements of ``values`` at positions of its flattened last ``count`` axes."""
    if channels_last:
        values, positions = (jnp.moveaxis(array, -1, 1) for array in (values, positions))
        return jnp.moveaxis(gathered(values, positions, count), 1, -1)
    planes = math.prod(values.shape[:-count])
    found = jnp.take_along_axis(values.reshape(planes, -1), positions.reshape(planes, -1), axis=1)
    return found.reshape(positions.shape)
