"""Roll back written values when an in-graph check failed (``index_bounds.py``).

Most are selected at the end of the graph, which XLA fuses with what computes them. Optimizer updates chain several new values:
there the select follows each of them directly, so that the old buffer has no second use and can still be donated. Updates of
some rows of a table write no row instead.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from typing import Any

import jax
import jax.numpy as jnp
from jax import lax
from jax.extend.core import Literal

from mindspore._engine.base.kernel import Kernel
from mindspore._engine.base.trace_state import state
from mindspore._engine.execution.dispatch import run
from mindspore._engine.execution.index_bounds import failure
from mindspore._engine.execution.trace_scope import Scope
from mindspore._engine.tensor.tensor import Tensor

_is_well = Kernel("ChecksPassed", lambda failure_code: failure_code == 0)
_rows_if_well = Kernel("RowsIfPassed", lambda well, indices: jnp.where(well, indices, -1))  # there is no row -1
_kept = Kernel("KeepIfFailed", lambda well, new, old: lax.select_n(well, old, new))


def at_the_end(scope: Scope, failure_code: Tensor, written: Sequence[Tensor], new: Sequence[Tensor]) -> list[Tensor]:
    """The final values of written Tensors; those written in parts, or guarded already, are left alone."""
    done = set(map(id, scope.root.in_parts))
    well = _is_well.jitted(failure_code._value)
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
    """Run a kernel whose first results replace these inputs; they keep their values if a check has failed."""
    scope = state.scope
    if scope is None or not _checked(scope):
        return run(kernel, inputs)
    indices = tuple(next(index for index, x in enumerate(inputs) if x is tensor) for tensor in written)
    well = Tensor.wrap(_is_well.jitted(failure._read()))
    results = run(_guarded(kernel, indices), [well, *inputs])
    scope.root.in_parts.extend(result._value for result in results)
    return results


def run_row_update(kernel: Kernel, inputs: Sequence[Any], indices: int) -> Any:
    """The same for a kernel that writes rows, whose numbers are the input at ``indices``: if a check failed it writes none."""
    scope = state.scope
    if scope is None or not _checked(scope):
        return run(kernel, inputs)
    given = list(inputs)
    well = Tensor.wrap(_is_well.jitted(failure._read()))
    given[indices] = run(_rows_if_well, [well, given[indices]])
    results = run(kernel, given)
    scope.root.in_parts.extend(result._value for result in results)
    return results


def _checked(scope: Scope) -> bool:
    """Whether the trace has recorded an index check so far."""
    return not state.replaying and bool(scope.root.sites)


@lru_cache(maxsize=1024)
def _guarded(kernel: Kernel, indices: tuple[int, ...]) -> Kernel:
    """The kernel ``(well, *inputs) -> results`` whose first results are selected against the inputs at ``indices``."""

    def function(well: Any, *flat: Any) -> tuple:
        program = jax.make_jaxpr(kernel.function)(*flat)
        pairs = zip(program.jaxpr.outvars, [flat[index] for index in indices], strict=False)
        guarded = {variable: old for variable, old in pairs if not isinstance(variable, Literal)}
        return _interpreted(program, well, flat, guarded)

    return Kernel(kernel.name, function)


def _interpreted(program: Any, well: Any, flat: Sequence[Any], guarded: dict[Any, Any]) -> tuple:
    """Evaluate a jaxpr, selecting between old and new value right after each guarded output."""
    environment = dict(zip((*program.jaxpr.constvars, *program.jaxpr.invars), (*program.consts, *flat), strict=True))

    def read(atom: Any) -> Any:
        return atom.val if isinstance(atom, Literal) else environment[atom]

    for equation in program.jaxpr.eqns:
        outputs = equation.primitive.bind(
            *map(read, equation.invars), **equation.primitive.get_bind_params(equation.params)
        )
        for variable, value in zip(
            equation.outvars, outputs if equation.primitive.multiple_results else [outputs], strict=True
        ):
            environment[variable] = lax.select_n(well, guarded[variable], value) if variable in guarded else value
    return tuple(map(read, program.jaxpr.outvars))
