"""Out-of-range indices: raised eagerly where values are on the host, otherwise together with the results.

An operator that takes indices declares their range (``bounds=`` of ``@op``). Eager values are checked on the host if that
does not block. In a graph the check is compiled in: ``failure`` is a Tensor that checks read and write, so it is carried
through branches, loops and ``vmap`` like any other state, and becomes one more output.
"""

from __future__ import annotations

import math
import sys
from collections.abc import Callable, Sequence
from functools import lru_cache, partial
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
from jax.core import Tracer

from mindspore._engine.base import deferred_checks, user_frames
from mindspore._engine.base.deferred_checks import AXIS, FARTHEST, SITE, Kind, Site, ValueSite
from mindspore._engine.base.kernel import Kernel
from mindspore._engine.base.trace_state import state
from mindspore._engine.config import config
from mindspore._engine.tensor.tensor import Tensor
from mindspore._kernels.indices.bounds import farthest

_FEW = 64
failure = Tensor.wrap(deferred_checks.NOTHING)  # code of the first failed check of the current trace; 0: none


def require_inside(owner: str, name: str, indices: Any, low: int, high: int, kind: Kind = RuntimeError,
                   ignored: int | None = None) -> None:  # fmt: skip
    """Check that every index is in [low, high), or is ``ignored``."""
    if isinstance(indices, Tensor) and _is_checked(indices):
        _require(Site(owner, name, ((low, high),), kind), indices, ignored, False)


def require_coordinates(owner: str, name: str, indices: Any, lengths: Sequence[int], negative: bool = False,
                        kind: Kind = RuntimeError) -> None:  # fmt: skip
    """Check indices whose last axis holds one index per axis of these lengths; ``negative`` allows counting from the end."""
    if isinstance(indices, Tensor) and indices.ndim and indices.shape[-1] <= len(lengths) and _is_checked(indices):
        allowed = tuple((-length if negative else 0, length) for length in lengths[: indices.shape[-1]])
        _require(Site(owner, name, allowed, kind), indices, None, True)


def _is_checked(indices: Tensor) -> bool:
    return config.check_indices.value and indices._value is not None and indices.size != 0


def _require(site: Site, indices: Tensor, ignored: int | None, by_axis: bool) -> None:
    value = indices._value
    if not jnp.issubdtype(value.dtype, jnp.integer):  # the operator raises its own dtype error
        return
    if isinstance(value, Tracer):
        check_in_graph(site, _kernel(site.allowed, ignored, by_axis), [indices])
    elif is_at_hand(value):
        found = _found_on_host(np.asarray(value), site, ignored)
        if found is not None:  # in a trace the graph's own error names the line
            raise (site if state.scope is not None else located(site)).error(*found)
    elif state.scope is None:
        code: Any = CodeLater([value], partial(_code_on_host, value, site, ignored))
        if not is_on_cpu(value):
            code = _kernel(site.allowed, ignored, by_axis).jitted(deferred_checks.NOTHING, 1, value)
        deferred_checks.expect(code, [located(site)])


def located(site: Any) -> Any:
    """A check's site with the user's line that runs now."""
    return site._replace(where=user_frames.where_now())


def is_at_hand(value: Any) -> bool:
    """Whether the host can read an array without blocking on a device."""
    if not isinstance(value, jax.Array):
        return True
    finished: Any = value  # pyright does not know is_ready
    return is_on_cpu(value) and finished.is_ready()


def is_on_cpu(value: Any) -> bool:
    """Whether all of an array lies in the host's memory."""
    if not isinstance(value, jax.Array):
        return True
    return value.is_fully_addressable and next(iter(value.devices())).platform == "cpu"


class CodeLater:
    """The code of a check of values that are still being computed: made on the host once they are there, without a compiler."""

    def __init__(self, values: Sequence[Any], code: Callable[[], int]):
        self.values, self.code = values, code

    def is_ready(self) -> bool:
        return all(map(is_at_hand, self.values))

    def block_until_ready(self) -> None:
        jax.block_until_ready(self.values)

    def __array__(self, dtype: Any = None, copy: bool | None = None) -> np.ndarray:
        return np.array(self.code(), np.int64)


def _code_on_host(value: Any, site: Site, ignored: int | None) -> int:
    found = _found_on_host(np.asarray(value), site, ignored)
    if found is None:
        return 0
    index, axis = max(-FARTHEST, min(found[0], FARTHEST)), found[1]
    return (index << (SITE + AXIS)) | (axis << SITE) | 1


def _found_on_host(array: np.ndarray, site: Site, ignored: int | None) -> tuple[int, int] | None:
    """An out-of-range index and its axis, or None."""
    if len(site.allowed) == 1:
        if array.size <= _FEW and ignored is None:  # Python's min and max beat NumPy on few elements
            few = array.reshape(-1).tolist()
            low, high = min(few), max(few)
        else:
            low, high = _extremes(array, ignored)
        first, end = site.allowed[0]
        return (high, 0) if high >= end else (low, 0) if low < first else None
    for axis, (first, end) in enumerate(site.allowed):
        low, high = _extremes(array[..., axis], ignored)
        if low < first or high >= end:
            return (high if high >= end else low), axis
    return None


def _extremes(array: np.ndarray, ignored: int | None) -> tuple[int, int]:
    if ignored is not None:
        array = array[array != ignored]
    return (int(array.min()), int(array.max())) if array.size else (sys.maxsize, -sys.maxsize)


# -- in graphs --------------------------------------------------------------------------------------------------------
def check_in_graph(site: Site | ValueSite, kernel: Kernel, tensors: Sequence[Tensor]) -> None:
    """Add a check to the graph being traced: ``kernel`` updates ``failure`` from the values of Tensors."""
    scope = state.scope
    sites = None if scope is None else scope.root.sites
    if scope is None or sites is None:
        return
    if state.replaying:  # already checked in the forward pass; keep the number of outputs equal
        scope.note_write(failure)
        return
    if len(sites) < 2**SITE - 1:  # beyond the encodable sites, report the last one
        sites.append(located(site))
    failure._set(kernel.jitted(failure._read(), np.int64(len(sites)), *[tensor._read() for tensor in tensors]))


@lru_cache(maxsize=1024)
def _kernel(allowed: tuple[tuple[int, int], ...], ignored: int | None, by_axis: bool) -> Kernel:
    """The kernel ``(code so far, site number, indices) -> code``; the first failure wins."""

    firsts, ends = np.array(allowed, np.int64).T

    def check(code: Any, number: Any, indices: Any) -> Any:
        if ignored is not None:
            indices = jnp.where(indices == ignored, jnp.asarray(max(firsts[0], 0), indices.dtype), indices)
        if by_axis:
            worst, wrong = _farthest_outside(indices.reshape(-1, len(allowed)), firsts, ends)
            axis = jnp.argmax(wrong)
            worst, wrong = worst[axis], wrong.any()
        else:
            (worst, wrong), axis = _farthest_outside(indices.reshape(-1), firsts[0], ends[0]), 0
        index = jnp.clip(worst.astype(jnp.int64), -FARTHEST, FARTHEST)
        found = (index << (SITE + AXIS)) | (jnp.asarray(axis, jnp.int64) << SITE) | jnp.asarray(number, jnp.int64)
        return jnp.where((code == 0) & wrong, found, code)

    return Kernel("CheckIndices", check)


def _farthest_outside(indices: Any, first: Any, end: Any) -> tuple[Any, Any]:
    """Reduce along the first axis to the most out-of-range index and whether it is one, in a single pass."""
    if np.min(first) == deferred_checks.LOWEST:
        largest = indices.max(0)
        return largest, largest >= end
    limits = jnp.iinfo(indices.dtype)
    if indices.dtype != jnp.int32 or np.min(first) < limits.min or np.max(end) > limits.max:
        indices = indices.astype(jnp.int64)
    columns = indices.reshape(indices.shape[0], math.prod(indices.shape[1:]))
    worst = farthest(columns, np.broadcast_to(first, columns.shape[1:]).tolist()).reshape(indices.shape[1:])
    unsigned = jnp.uint32 if indices.dtype == jnp.int32 else jnp.uint64
    start = first.astype(indices.dtype)
    return worst, (worst - start).astype(unsigned) >= (end - first).astype(unsigned)


def first_failure(codes: Any) -> Any:
    """The first nonzero code of a batch of checks."""
    return codes[jnp.argmax(codes != 0)]
