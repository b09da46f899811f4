"""What MindSpore gives for whole numbers divided by zero; XLA gives -1."""

from __future__ import annotations

from typing import Any

import jax.numpy as jnp
import numpy as np


def quotient(found: Any, x: Any, y: Any) -> Any:
    """The quotient, and where the divisor is zero the largest number, the lowest, or zero, after the dividend's sign."""
    limits = jnp.iinfo(x.dtype)
    limit = jnp.where(x > 0, jnp.asarray(limits.max, x.dtype), jnp.asarray(limits.min, x.dtype))
    return jnp.where(y == 0, jnp.where(x == 0, jnp.zeros_like(x), limit), found)


def without_a_number(found: Any, y: Any) -> Any:
    """What was found, and where the divisor is zero what processors make of NaN as a whole number."""
    is_wide = found.dtype in (np.dtype(np.int32), np.dtype(np.int64))
    return jnp.where(y == 0, jnp.asarray(jnp.iinfo(found.dtype).min if is_wide else 0, found.dtype), found)
