"""A function traced for export: the same trace a call compiles, with sizes that may stay open."""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterable, Sequence
from typing import Any

import jax
import jax.export

from mindspore._engine.base import jax_errors
from mindspore._engine.base.errors import located
from mindspore._engine.base.pytree import flatten
from mindspore._engine.execution.tape import paused
from mindspore._engine.graph.graph import Compiled, Graph, Trace, _tracing_lock
from mindspore._engine.tensor.tensor import Tensor
from mindspore._engine.tracing import capture
from mindspore._engine.tracing.traced_kernel import TracedKernel, replaying

_scope = jax.export.SymbolicScope()  # one for all: kernels that know a size by its symbol serve every export
OPEN = -1  # a size that is known only when the graph runs, as Tensor.shape shows it


class TracedGraph(Graph):
    """A graph that is not compiled: its jaxpr, what it reads and writes, and how its results are nested."""

    jaxpr: Any  # a closed jaxpr: captured Tensors first, then the inputs; results first, then what is written

    def _trace(self, inputs: list[Any]) -> tuple[TracedKernel, Any]:
        kernel = TracedKernel(self.owner.name, self.on_tensors)
        values = [t.init_data()._value for t in self.captured] + [self._raw(x) for x in inputs]
        return kernel, jax.jit(kernel.function).trace(*values)  # unlike kernel.jitted it keeps the user's lines

    def _finish(self, kernel: TracedKernel, traced: Any, trace: Trace) -> None:
        trace.let_go()
        self.trace, self.jaxpr = trace, traced.jaxpr

    def sites(self) -> None:
        """A file holds no checks of positions: nobody would look at what they say."""
        return

    @property
    def input_avals(self) -> list[Any]:
        return self.jaxpr.in_avals[len(self.captured) :]

    @property
    def result_avals(self) -> list[Any]:
        return self.jaxpr.out_avals[: len(self.trace.places)]


def trace(function: Callable[..., Any], roots: Iterable[Any], name: str, inputs: Sequence[Any]) -> TracedGraph:
    """Trace a function of Tensors. A Tensor without data and with open sizes (-1) stands for any size there."""
    leaves, _ = flatten(tuple(inputs))
    if sum(isinstance(leaf, Tensor) and OPEN in leaf.shape for leaf in leaves) > 1:
        try:
            return _trace(function, roots, name, inputs, shared=False)
        except Exception:  # the inputs meet: then the same axis has the same size in all of them
            pass
    return _trace(function, roots, name, inputs, shared=True)


def _trace(
    function: Callable[..., Any], roots: Iterable[Any], name: str, inputs: Sequence[Any], shared: bool
) -> TracedGraph:
    owner = Compiled(function, roots, name)
    leaves, description = flatten((tuple(inputs), {}))
    _open_sizes(leaves, shared)
    key, places = owner.key_of(leaves, description)
    graph = TracedGraph(owner, key, description, leaves, places)
    with _tracing_lock, paused(), replaying():  # what it prints is left out
        guess = itertools.chain.from_iterable(map(capture.state_of, owner.roots))
        try:
            graph.compile([leaves[place] for place in places], guess)
        except Exception as error:
            raise located(_explained(error), name) from None
    if graph.trace.calls_host:
        raise ValueError(f"For 'export', {name} fetches data from Python while it runs, which no file can hold.")
    return graph


def _explained(error: Exception) -> Exception:
    """A size that must be known, said in words; other errors as they are."""
    if not jax_errors.is_symbolic_size(error):
        return error
    explained = ValueError(
        f"For 'export', a size that was left open (None) must be known here: {str(error).splitlines()[0]}\n"
        "What to write instead: give the size in the inputs of export, or write the line for any size, such as "
        "reshape(x.shape[0], -1)."
    )
    return explained.with_traceback(error.__traceback__)


def _open_sizes(leaves: list[Any], shared: bool) -> None:
    """Put symbols in place of open sizes: one for each axis, or one for each axis of each input."""
    for place, leaf in enumerate(leaves):
        if isinstance(leaf, Tensor) and OPEN in leaf.shape:
            words = [
                _symbol(None if shared else place, axis) if n == OPEN else str(n) for axis, n in enumerate(leaf.shape)
            ]
            shape = jax.export.symbolic_shape(",".join(words), scope=_scope)
            leaves[place] = Tensor.wrap(jax.ShapeDtypeStruct(shape, leaf.dtype.np_dtype))


def _symbol(place: int | None, axis: int) -> str:
    word = "batch" if axis == 0 else f"size_{axis}"
    return word if place is None else f"{word}_of_{place}"
