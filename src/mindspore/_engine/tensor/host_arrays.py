"""Arrays that leave the framework: finished ones, and copies that users may write to."""

from __future__ import annotations

from typing import Any

import jax
import numpy as np

from mindspore._engine.base.errors import describe, out_of_memory
from mindspore._engine.base.jax_errors import allocated_bytes, is_out_of_memory
from mindspore._engine.interpreter import native_part

native = native_part.module()


def settled(value: Any) -> Any:
    """An array that exists: its computation has ended, and has not failed, which would abort whoever takes its buffer."""
    if isinstance(value, jax.Array):
        try:
            value.block_until_ready()
        except jax.errors.JaxRuntimeError as error:
            if not is_out_of_memory(error):
                raise
            raise out_of_memory("Tensor", allocated_bytes(error), describe([value])) from None
    return value


def copy_for_sharing(array: np.ndarray) -> np.ndarray:
    """A copy that XLA copies once more when it is handed over: it would read aligned memory later, after the user has written to it."""
    if native is not None:
        return native.copy_for_sharing(array)
    memory = np.empty(array.nbytes + 24, np.uint8)
    start = (8 - memory.ctypes.data) % 16
    copy = memory[start : start + array.nbytes].view(array.dtype).reshape(array.shape)
    copy[...] = array
    return copy
