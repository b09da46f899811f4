"""Values that an operator refuses: a matrix that is not positive definite, a probability above 1, segments out of order.

Like the checks of indices (``index_bounds.py``): eagerly on the host if the values are there, else in the graph, where the same
Tensor ``failure`` carries the first failure out, and written Tensors keep their values.

A check is a function of a module (NumPy or ``jax.numpy``) and arrays; it returns two scalars: whether a value is refused, and the
value to name in the error. It has to be defined at module level: it is the cache key of its kernel.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import lru_cache, partial
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
from jax.core import Tracer

from mindspore._engine.base import deferred_checks
from mindspore._engine.base.deferred_checks import AXIS, FARTHEST, FRACTION, SITE, ValueSite
from mindspore._engine.base.kernel import Kernel
from mindspore._engine.base.trace_state import state
from mindspore._engine.config import config
from mindspore._engine.execution.index_bounds import CodeLater, check_in_graph, is_at_hand, is_on_cpu, located
from mindspore._engine.tensor.tensor import Tensor

Found = tuple[Any, Any]  # whether a value is refused, and which
Wrong = Callable[..., Found]  # (numpy or jax.numpy, arrays ...)


def require_values(owner: str, text: str, wrong: Wrong, *tensors: Any, kind: type[Exception] = RuntimeError,
                   wait: bool = False) -> None:  # fmt: skip
    """Check values of Tensors; ``text`` has a ``{}`` for the refused value. ``wait``: block on values that the CPU still computes."""
    if not config.check_indices.value or not all(isinstance(x, Tensor) and x._value is not None for x in tensors):
        return
    values = [x._value for x in tensors]
    if any(value.size == 0 for value in values):
        return
    site = ValueSite(owner, text, kind)
    if any(isinstance(value, Tracer) for value in values):
        check_in_graph(site, _kernel(wrong), tensors)
    elif all(is_at_hand(value) or (wait and is_on_cpu(value)) for value in values):
        code = _code_on_host(values, wrong)
        if code:  # in a trace the graph's own error names the line
            raise deferred_checks.error_of(code, [site if state.scope is not None else located(site)])
    elif state.scope is None:
        later: Any = CodeLater(values, partial(_code_on_host, values, wrong))
        if not all(map(is_on_cpu, values)):
            later = _kernel(wrong).jitted(deferred_checks.NOTHING, 1, *values)
        deferred_checks.expect(later, [located(site)])


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


@lru_cache(maxsize=1024)
def _kernel(wrong: Wrong) -> Kernel:
    """The kernel ``(code so far, site number, values) -> code``; the first failure wins."""

    def check(code: Any, number: Any, *values: Any) -> Any:
        refused, found = wrong(jnp, *values)
        return jnp.where((code == 0) & refused, _encoded(jnp, found, jnp.asarray(number, jnp.int64)), code)

    return Kernel("CheckValues", check)
