"""Host-to-device transfer of NumPy arrays."""

from __future__ import annotations

import functools
from collections.abc import Sequence
from typing import Any

import jax
import numpy as np
from jax.sharding import SingleDeviceSharding

from mindspore._engine.runtime import context

OFTEN = 8  # transfers after which a signature is worth compiling for
_FORMS = 4096  # bound on counted signatures
_SOME = (
    8  # signatures that were compiled: after each batch of this many, a new signature must have been used more often
)
_seen: dict[Any, int] = {}
_compiled: set[Any] = set()


@functools.cache
def _identity(device: Any) -> Any:
    """To a device. Committed, as ``device_put`` does: for uncommitted arrays jax.jit compiles everything once more."""
    return jax.jit(lambda *arrays: arrays, out_shardings=SingleDeviceSharding(device))


def to_device(arrays: Sequence[np.ndarray]) -> Sequence[Any]:
    """Transfer arrays, which the caller must not write to any more, to the current device.

    Argument passing of a jitted identity is several times faster than ``device_put``, but must be compiled per signature
    (shapes and dtypes): worthwhile for recurring ones, such as the batches of a dataset, and not if sizes never stop changing.
    """
    device = context.current_device()
    key = tuple([(array.shape, array.dtype) for array in arrays])
    if key in _compiled:
        return _identity(device)(*arrays)
    count = _seen.get(key, 0)
    if count >= OFTEN * (1 + len(_compiled) // _SOME):
        _compiled.add(key)
        return _identity(device)(*arrays)
    if len(_seen) > _FORMS:
        _seen.clear()
    _seen[key] = count + 1
    return [jax.device_put(array, device) for array in arrays]
