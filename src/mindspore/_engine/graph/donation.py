"""Buffer donation: memory of Parameters that a graph writes is reused for their new values, unless the old arrays are still
referenced.

A training step then needs its Parameters and optimizer states once, not twice, and touches no fresh memory for them.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Container, Sequence
from typing import TYPE_CHECKING, Any

import jax

if TYPE_CHECKING:
    from mindspore._engine.graph.trace import Trace
    from mindspore._engine.tensor.tensor import Tensor

_LEAST = 1 << 14  # bytes of an array
_LEAST_TOTAL = 1 << 23  # bytes of all: a step that reuses memory waits for the one before
_OWN = 3  # references to an array: the Tensor's, the list of values, and that of the count itself
_OWN_SHARED = 5  # those, and two of the array of all processes that it is a part of


def candidates(captured: Sequence[Tensor], trace: Trace) -> tuple[int, ...]:
    """Which captured Tensors are written with a value of the same form."""
    if trace.calls_host or trace.loops:  # what is raised on the host, or interrupted, must leave everything as it was
        return ()
    written = set(map(id, trace.written))
    values = [(i, t._value) for i, t in enumerate(captured) if id(t) in written]
    large = {i: value.nbytes for i, value in values if value is not None and value.nbytes >= _LEAST}
    return tuple(large) if sum(large.values()) >= _LEAST_TOTAL else ()


def lowered(kernel: Callable[..., Any], traced: Any, reused: tuple[int, ...]) -> Any:
    """The traced program lowered with donated inputs, without tracing it again."""
    if not reused:
        return traced.lower()
    return jax.jit(kernel, donate_argnums=reused).lower(*traced.jaxpr.in_avals)


def spare_shared(values: list[Any], reused: tuple[int, ...], shared: Container[int] = ()) -> None:
    """Copy arrays that others hold too (another Tensor, a NumPy view, a checkpoint being written).

    ``shared``: ids of arrays that are parts of arrays of all processes.
    """
    count = sys.getrefcount
    for index in reused:
        if count(values[index]) > (_OWN_SHARED if id(values[index]) in shared else _OWN):
            values[index] = values[index].copy()


def keeping(executable: Callable[..., Any], reused: tuple[int, ...]) -> Any:
    """The executable for callers that use its inputs again."""
    if not reused:
        return executable

    def call(*values: Any) -> Any:
        copied = list(values)
        for index in reused:
            copied[index] = copied[index].copy()
        return executable(*copied)

    return call
