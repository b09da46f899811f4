"""Trace a function for export: the trace of a compiled call, with symbolic dimensions allowed."""

from __future__ import annotations

import itertools
import re
from collections.abc import Callable, Iterable, Sequence
from typing import Any

import jax
import jax.export

from mindspore._engine.base import jax_errors
from mindspore._engine.base.errors import located
from mindspore._engine.base.open_sizes import EXPORTED, ExportedScope
from mindspore._engine.base.pytree import flatten
from mindspore._engine.execution.tape import paused
from mindspore._engine.graph.compiled import Compiled
from mindspore._engine.graph.graph import Graph
from mindspore._engine.graph.trace import Trace, tracing_lock
from mindspore._engine.tensor.tensor import Tensor
from mindspore._engine.tracing import capture
from mindspore._engine.tracing.traced_kernel import TracedKernel, replaying

OPEN = -1  # a dynamic dimension, as Tensor.shape shows it


class TracedGraph(Graph):
    """An uncompiled graph: its jaxpr, captured and written Tensors, and the pytree of its results."""

    returns_inputs = False
    granted: tuple[str, ...] = ()  # what its trace took for granted about open sizes, such as ``size_1 >= 2``
    jaxpr: Any  # closed jaxpr (captured, inputs) -> (results, written)

    def _trace(self, inputs: list[Any]) -> tuple[TracedKernel, Any]:
        kernel = TracedKernel(self.owner.name, self.on_tensors)
        values = [t.init_data()._value for t in self.captured] + [self._raw(x) for x in inputs]
        return kernel, jax.jit(kernel.function).trace(*values)  # unlike kernel.jitted it keeps source locations

    def _finish(self, kernel: TracedKernel, traced: Any, trace: Trace) -> None:
        trace.let_go()
        self.trace, self.jaxpr = trace, traced.jaxpr

    def sites(self) -> None:
        """No in-graph index checks: nothing would read their result."""
        return

    @property
    def input_avals(self) -> list[Any]:
        return self.jaxpr.in_avals[len(self.captured) :]

    @property
    def result_avals(self) -> list[Any]:
        return self.jaxpr.out_avals[: len(self.trace.tensor_leaves)]


def trace(function: Callable[..., Any], roots: Iterable[Any], name: str, inputs: Sequence[Any]) -> TracedGraph:
    """Trace a function of Tensors. A Tensor without data and with dynamic dimensions (-1) is traced symbolically."""
    leaves, _ = flatten(tuple(inputs))
    if sum(isinstance(leaf, Tensor) and OPEN in leaf.shape for leaf in leaves) > 1:
        try:
            return _granting(function, roots, name, inputs, shared=False)
        except Exception:  # inputs are combined: retry with one symbol per axis, shared by all inputs
            pass
    return _granting(function, roots, name, inputs, shared=True)


def _granting(
    function: Callable[..., Any], roots: Iterable[Any], name: str, inputs: Sequence[Any], shared: bool
) -> TracedGraph:
    """Trace again as long as the last trace met something about the sizes that it must take for granted."""
    scope, granted = EXPORTED, []
    while True:
        scope.wanted.clear()
        try:
            graph = _trace(function, roots, name, inputs, shared, scope)
            graph.granted = tuple(granted)
            return graph
        except Exception as error:
            more = [text for text in [*scope.wanted, *_asked_in(str(error))] if text not in granted]
            if not more:
                raise
        granted += more
        try:
            scope = ExportedScope(granted)
        except ValueError:  # no size fulfils all of them
            raise ValueError(
                f"For 'export', {name} fits no sizes for those that were left open (None): it needs {', '.join(granted)}."
            ) from None


_ASKED = re.compile(r"Symbolic dimension comparison '([^']+)' ([<>]=?) '([^']+)' is inconclusive")
_FEW, _MANY = 64, 1 << 15


def _asked_in(message: str) -> list[str]:
    """What a kernel asks about open sizes, where it asks for a few elements at least, or not for enormous numbers.

    Batches are left alone: those of one sample must go on to fit.
    """
    found = _ASKED.search(message)
    if found is None or "batch" in message[found.start() : found.end()]:
        return []
    one, sign, other = found.groups()
    if one.isdecimal():
        one, sign, other = other, sign.translate(str.maketrans("<>", "><")), one
    if not other.isdecimal() or _FEW < int(other) < _MANY:
        return []
    if int(other) >= _MANY:
        return [f"{one} <= {int(other) - (sign in ('<', '>='))}"]
    return [f"{one} >= {int(other) + (sign in ('>', '<='))}"]


def _trace(
    function: Callable[..., Any],
    roots: Iterable[Any],
    name: str,
    inputs: Sequence[Any],
    shared: bool,
    scope: ExportedScope,
) -> TracedGraph:
    owner = Compiled(function, roots, name)
    leaves, description = flatten((tuple(inputs), {}))
    _open_sizes(leaves, shared, scope)
    key, indices = owner.key_of(leaves, description)
    graph = TracedGraph(owner, key, description, leaves, indices)
    with tracing_lock, paused(), replaying():  # without host effects
        guess = itertools.chain.from_iterable(map(capture.state_of, owner.roots))
        try:
            graph.compile([leaves[index] for index in indices], guess)
        except Exception as error:
            raise located(_explained(error), name) from None
    if graph.trace.calls_host:
        raise ValueError(f"For 'export', {name} fetches data from Python while it runs, which no file can hold.")
    return graph


def _explained(error: Exception) -> Exception:
    """Translate jax's error about a symbolic dimension that must be constant; other errors unchanged."""
    if not jax_errors.is_symbolic_size(error):
        return error
    explained = ValueError(
        f"For 'export', a size that was left open (None) must be known here: {str(error).splitlines()[0]}\n"
        "What to write instead: give the size in the inputs of export, or write the line for any size, such as "
        "reshape(x.shape[0], -1)."
    )
    return explained.with_traceback(error.__traceback__)


def _open_sizes(leaves: list[Any], shared: bool, scope: ExportedScope) -> None:
    """Replace dynamic dimensions by symbols: one per axis, or one per axis of each input."""
    for index, leaf in enumerate(leaves):
        if isinstance(leaf, Tensor) and OPEN in leaf.shape:
            words = [
                _symbol(None if shared else index, axis) if n == OPEN else str(n) for axis, n in enumerate(leaf.shape)
            ]
            shape = jax.export.symbolic_shape(",".join(words), scope=scope)
            leaves[index] = Tensor.wrap(jax.ShapeDtypeStruct(shape, leaf.dtype.np_dtype))


def _symbol(input_index: int | None, axis: int) -> str:
    word = "batch" if axis == 0 else f"size_{axis}"
    return word if input_index is None else f"{word}_of_{input_index}"
