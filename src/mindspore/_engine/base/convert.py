"""Element conversion with MindSpore's rules on raw arrays; shared by casts and by assignment to a slice."""

from __future__ import annotations

from typing import Any

import jax.numpy as jnp
import numpy as np
from jax import lax

_THROUGH = {"uint8": jnp.int32, "int8": jnp.int32, "uint16": jnp.int32, "int16": jnp.int32, "uint32": jnp.int64}


def convert(value: Any, dtype: Any) -> Any:
    """The value in another dtype: floats lose their fraction, small integers wrap, complex keeps the real part."""
    value = jnp.asarray(value)
    dtype = np.dtype(dtype)
    if value.dtype == dtype:
        # A Python number carries no dtype of its own; from here on it has one.
        return lax.convert_element_type(value, dtype)
    if dtype == np.bool_:
        return value != 0
    if jnp.issubdtype(value.dtype, jnp.complexfloating) and not jnp.issubdtype(dtype, jnp.complexfloating):
        value = value.real
    if jnp.issubdtype(value.dtype, jnp.floating) and dtype.name in _THROUGH:
        value = value.astype(_THROUGH[dtype.name])  # XLA would clip at the ends of the small type
    return value.astype(dtype)
