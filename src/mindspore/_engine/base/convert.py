"""dtype conversion of raw arrays with MindSpore's rules; shared by casts and slice assignment."""

from __future__ import annotations

from typing import Any

import jax.numpy as jnp
import numpy as np
from jax import lax

_THROUGH = {"uint8": jnp.int32, "int8": jnp.int32, "uint16": jnp.int32, "int16": jnp.int32, "uint32": jnp.int64}


def convert(value: Any, dtype: Any) -> Any:
    """Cast to another dtype: floats truncate, small integers wrap, complex keeps the real part."""
    value = jnp.asarray(value)
    dtype = np.dtype(dtype)
    if value.dtype == dtype:
        # A Python scalar is weakly typed; from here on it has a dtype.
        return lax.convert_element_type(value, dtype)
    if dtype == np.bool_:
        return value != 0
    if jnp.issubdtype(value.dtype, jnp.complexfloating) and not jnp.issubdtype(dtype, jnp.complexfloating):
        value = value.real
    if jnp.issubdtype(value.dtype, jnp.floating) and dtype.name in _THROUGH:
        value = value.astype(_THROUGH[dtype.name])  # XLA would saturate at the bounds of the small type
    return value.astype(dtype)
