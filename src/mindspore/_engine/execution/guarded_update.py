"""Values that a graph writes stay as they were when one of its checks failed (``index_bounds.py``).

Most are chosen at the end of the graph, which XLA fuses with what computes them. Update rules of optimizers compute one
new value from another: there the choice stands right behind each of them, so that no old value is needed a second time
and memory can still be reused.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from typing import Any

import jax
import jax.numpy as jnp
from jax.extend.core import Literal

from mindspore._engine.base.kernel import Kernel
from mindspore._engine.base.trace_state import state
from mindspore._engine.execution.dispatch import run
from mindspore._engine.execution.index_bounds import failure
from mindspore._engine.execution.trace_scope import Scope
from mindspore._engine.tensor.tensor import Tensor

_is_well = Kernel("ChecksPassed", lambda said: said == 0)
_kept = Kernel("KeepIfFailed", lambda well, new, old: jnp.where(well, new, old))


def at_the_end(scope: Scope, said: Tensor, written: Sequence[Tensor], new: Sequence[Tensor]) -> list[Tensor]:
    """The values of written Tensors at the end of a graph; those written in parts, or guarded already, as they are."""
    done = set(map(id, scope.root.in_parts))
    well = _is_well.jitted(said._value)
    return [
        _chosen(well, after, scope.captured[tensor]._value)
        if tensor in scope.captured and id(after._value) not in done
        else after
        for tensor, after in zip(written, new, strict=True)
    ]


def _chosen(well: Any, after: Tensor, old: Any) -> Tensor:
    new = after._value
    if new is old or new.shape != old.shape or new.dtype != old.dtype:
        return after
    return Tensor.wrap(_kept.jitted(well, new, old))


def run_update(kernel: Kernel, inputs: Sequence[Any], written: Sequence[Any]) -> Any:
    """Run a kernel whose first results are the new values of these inputs; nothing changes if a check has failed."""
    scope = state.scope
    if scope is None or not _checked(scope):
        return run(kernel, inputs)
    places = tuple(next(index for index, x in enumerate(inputs) if x is one) for one in written)
    well = Tensor.wrap(_is_well.jitted(failure._read()))
    results = run(_guarded(kernel, places), [well, *inputs])
    scope.root.in_parts.extend(result._value for result in results)
    return results


def _checked(scope: Scope) -> bool:
    """Whether the graph being traced has looked at positions by now."""
    return not state.replaying and bool(scope.root.sites)


@lru_cache(maxsize=1024)
def _guarded(kernel: Kernel, places: tuple[int, ...]) -> Kernel:
    """The kernel ``(well, *inputs) -> results``; the first results are inputs at these places, anew or as they were."""

    def function(well: Any, *flat: Any) -> tuple:
        program = jax.make_jaxpr(kernel.function)(*flat)
        pairs = zip(program.jaxpr.outvars, [flat[place] for place in places], strict=False)
        guarded = {variable: old for variable, old in pairs if not isinstance(variable, Literal)}
        return _interpreted(program, well, flat, guarded)

    return Kernel(kernel.name, function)


def _interpreted(program: Any, well: Any, flat: Sequence[Any], guarded: dict[Any, Any]) -> tuple:
    """Run a traced program, choosing between new and old values as soon as the new ones are there."""
    known = dict(zip((*program.jaxpr.constvars, *program.jaxpr.invars), (*program.consts, *flat), strict=True))

    def read(atom: Any) -> Any:
        return atom.val if isinstance(atom, Literal) else known[atom]

    for step in program.jaxpr.eqns:
        found = step.primitive.bind(*map(read, step.invars), **step.primitive.get_bind_params(step.params))
        for variable, value in zip(step.outvars, found if step.primitive.multiple_results else [found], strict=True):
            known[variable] = jnp.where(well, value, guarded[variable]) if variable in guarded else value
    return tuple(map(read, program.jaxpr.outvars))
