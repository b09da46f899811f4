"""Values that an operator refuses: a matrix that is not positive definite, a probability above 1, segments out of order.

Like the checks of indices (``index_bounds.py``): on the host where the values are there, else in the graph, where the same
Tensor carries the first failure out, and Tensors that were written keep their values.

What is wrong is said by a function of NumPy or ``jax.numpy`` and arrays: ``(is it wrong, the number to be named)``, both
scalars. It stands in a module by itself, since kernels are kept by it.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import lru_cache, partial
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
from jax.core import Tracer

from mindspore._engine.base import deferred_checks, user_frames
from mindspore._engine.base.deferred_checks import AXIS, FARTHEST, FRACTION, SITE, ValueSite
from mindspore._engine.base.kernel import Kernel
from mindspore._engine.base.trace_state import state
from mindspore._engine.config import config
from mindspore._engine.execution.index_bounds import CodeLater, failure, is_at_hand, is_on_cpu
from mindspore._engine.tensor.tensor import Tensor

Found = tuple[Any, Any]
Wrong = Callable[..., Found]  # (numpy or jax.numpy, arrays ...)


def require_values(owner: str, text: str, wrong: Wrong, *tensors: Any, kind: type[Exception] = RuntimeError,
                   wait: bool = False) -> None:  # fmt: skip
    """Check values of Tensors; ``text`` has a ``{}`` for the number. ``wait``: results that are worth waiting for on a CPU."""
    if not config.check_indices.value or not all(isinstance(x, Tensor) and x._value is not None for x in tensors):
        return
    values = [x._value for x in tensors]
    if any(value.size == 0 for value in values):
        return
    site = ValueSite(owner, text, kind)
    if any(isinstance(value, Tracer) for value in values):
        _check_in_graph(site, tensors, wrong)
    elif all(is_at_hand(value) or (wait and is_on_cpu(value)) for value in values):
        code = _code_on_host(values, wrong)
        if code:  # in a trace the graph's own error names the line
            raise deferred_checks.error_of(code, [site if state.scope is not None else _here(site)])
    elif state.scope is None:
        later: Any = CodeLater(values, partial(_code_on_host, values, wrong))
        if not all(map(is_on_cpu, values)):
            later = _kernel(wrong).jitted(deferred_checks.NOTHING, 1, *values)
        deferred_checks.expect(later, [_here(site)])


def _here(site: ValueSite) -> ValueSite:
    return site._replace(where=user_frames.where_now())


def _code_on_host(values: Sequence[Any], wrong: Wrong) -> int:
    with np.errstate(all="ignore"):
        refused, number = wrong(np, *map(np.asarray, values))
    return int(_encoded(np, number, 1)) if refused else 0


def _encoded(xp: Any, number: Any, site: Any) -> Any:
    """The code of a failure: the number itself, or the bits of a fraction in single precision."""
    number = xp.asarray(number)
    if number.dtype.kind in "iub":
        bits, axis = xp.clip(number.astype(xp.int64), -FARTHEST, FARTHEST), 0
    else:
        single = number.astype(xp.float32)
        bits = single.view(xp.int32) if xp is np else jax.lax.bitcast_convert_type(single, jnp.int32)
        bits, axis = bits.astype(xp.int64), FRACTION
    return (bits << (SITE + AXIS)) | (axis << SITE) | site


def _check_in_graph(site: ValueSite, tensors: Sequence[Tensor], wrong: Wrong) -> None:
    scope = state.scope
    sites = None if scope is None else scope.root.sites
    if scope is None or sites is None:
        return
    if state.replaying:  # already checked in the forward pass; keep the number of outputs equal
        scope.note_write(failure)
        return
    if len(sites) < 2**SITE - 1:
        sites.append(_here(site))
    values = [tensor._read() for tensor in tensors]
    failure._set(_kernel(wrong).jitted(failure._read(), np.int64(len(sites)), *values))


@lru_cache(maxsize=1024)
def _kernel(wrong: Wrong) -> Kernel:
    """The kernel ``(code so far, site number, values) -> code``; the first failure wins."""

    def check(code: Any, number: Any, *values: Any) -> Any:
        refused, found = wrong(jnp, *values)
        return jnp.where((code == 0) & refused, _encoded(jnp, found, jnp.asarray(number, jnp.int64)), code)

    return Kernel("CheckValues", check)
