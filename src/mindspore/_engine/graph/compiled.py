"""A function or Cell with all graphs compiled from it: which one serves a call, and what happens if none can."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any

import numpy as np

from mindspore._engine.base import deferred_checks, jax_errors, mutable_values
from mindspore._engine.base.errors import is_break
from mindspore._engine.base.pytree import flatten
from mindspore._engine.base.trace_state import state
from mindspore._engine.execution.trace_scope import Scope
from mindspore._engine.graph import breaks, declared_inputs, new_graph, results
from mindspore._engine.graph.graph import Graph
from mindspore._engine.graph.new_graph import MOST_SIGNATURES, NUMBERS
from mindspore._engine.graph.sizes import Sizes
from mindspore._engine.graph.trace import tracing_lock
from mindspore._engine.runtime import context
from mindspore._engine.tensor.parameter import Parameter
from mindspore._engine.tensor.tensor import Tensor

_MANY = MOST_SIGNATURES // 2  # signatures from which on it matters which one was used last


class Compiled:
    """A function with all graphs compiled from it."""

    is_cache_of_graphs = True  # no part of the state that graphs are made from
    traces_once = False  # effects happen when it is traced, not at every call: jit
    falls_back = True  # runs as Python what a graph cannot hold
    strict = False  # whether a graph break is an error
    follows_python = False  # faithful in every mode: jit of bytecode
    on_host = False  # graphs are programs of the host where those can be written
    settle: Callable[[], bool] | None = None  # builds in numbers that were inputs; whether there were any
    declared: Any = None  # example inputs with open shapes: a tuple, or a dict by the names of arguments

    def __init__(self, function: Callable[..., Any], roots: Iterable[Any] = (), name: str | None = None):
        self.function = function
        self.as_python = function  # what runs when it breaks
        self.roots = tuple(roots) or (function,)
        self.name = name or getattr(function, "__name__", type(function).__name__)
        self.graphs: dict[tuple, list[Graph]] = {}  # by signature; when there are many, the least recently used first
        self.dynamic: set[int] = set()  # argument leaves: numbers that became inputs of the graph
        self.fixed: set[int] = set()  # numbers the program needs as constants
        self.surprises: list[Tensor] = []  # what earlier traces read though nobody expected it
        self.compilations = 0
        self.broken: dict[tuple, breaks.Broken] = {}  # calls that run as Python
        self.processes: tuple[int, ...] = ()  # those that run it together; none: every process by itself
        self.sizes = Sizes(self)

    def __call__(self, args: tuple, kwargs: dict[str, Any]) -> Any:
        leaves, description = flatten((args, kwargs))
        graph, inputs = self.find(leaves, description)
        if graph is None:
            graph, inputs = self._make(leaves, description)
            if isinstance(graph, breaks.Broken):
                return self._run_broken(graph, args, kwargs)
        if context.state.precompile_only:
            return None
        if state.tape is not None and (broken := graph.gradient_break(inputs)) is not None:
            return self._run_broken(broken, args, kwargs)
        try:
            result = graph(inputs)
            own = graph.trace.given or graph.trace.held or graph.trace.changed_lists
            return graph.trace.with_own_objects(result, (args, kwargs)) if own else result
        except TypeError as error:
            if not jax_errors.is_other_signature(error):
                raise
        # A captured Parameter has another shape or dtype than when the graph was compiled.
        self.sizes.drop(graph)
        return self(args, kwargs)

    def prepare(self, args: tuple, kwargs: dict[str, Any]) -> None:
        """Compile for these arguments without running."""
        leaves, description = flatten((args, kwargs))
        if self.find(leaves, description)[0] is None:
            self._make(leaves, description)

    def is_faithful(self) -> bool:
        """Whether compiling must not show in what the program does."""
        if self.traces_once or breaks.is_strict(self.strict):
            return False
        return self.follows_python or breaks.is_faithful()

    def is_strict(self) -> bool:
        """Whether a break is an error."""
        return not self.falls_back or breaks.is_strict(self.strict)

    def _make(self, leaves: list[Any], description: Any) -> tuple[Any, list[Any]]:
        """A new graph with its inputs, or the break that stands in its way."""
        if deferred_checks.pending:
            deferred_checks.look_before(())
        declared_inputs.check(self, leaves, description)
        with tracing_lock:
            key, _ = self.key_of(leaves, description)
            known = self.broken.get(key)
            if known is not None and known.holds() and self._still_breaks(known):
                return known, []
            path = state.breaking
            if path is not None and path.leads_through(self.roots[0]):
                self.broken[key] = path.broken
                return path.broken, []
            served = self.sizes.serve(leaves, description, key)
            if served is not None:
                return served
            try:
                return new_graph.compile_call(self, leaves, description)
            except Exception as error:
                if is_break(error) and self.settle is not None and self.settle():
                    return self._make(leaves, description)
                met = breaks.meets(self, error)
                if met is None:
                    raise
                return self._remember(key, met, error), []

    def _still_breaks(self, known: breaks.Broken) -> bool:
        """Whether a break that is remembered is one as the settings stand now."""
        return not self.is_strict() and (not known.faithful or self.is_faithful())

    def _remember(self, key: tuple, met: breaks.Break, error: Any) -> breaks.Broken:
        if is_break(error):
            breaks.tell(met, self.is_faithful())
        broken = self.broken_by(met, error)
        while len(self.broken) >= breaks.KEPT:
            self.broken.pop(next(iter(self.broken)))
        self.broken[key] = broken
        return broken

    def broken_by(self, met: breaks.Break, error: Any) -> breaks.Broken:
        """What is remembered of a break."""
        scope = getattr(error, "scope", None) or Scope()
        broken = breaks.Broken(met, list(scope.root.cells), self.is_faithful())
        broken.path = breaks.Path(tuple(scope.root.path), broken)
        broken.attempt = None if is_break(error) else [t for t in scope.writes if t.__class__ in (Tensor, Parameter)]
        return broken

    def _run_broken(self, broken: breaks.Broken, args: tuple, kwargs: dict[str, Any]) -> Any:
        before = [(tensor, tensor._snapshot()) for tensor in broken.attempt or ()]
        try:
            result = breaks.run(self, broken, args, kwargs)
        except Exception:
            if broken.attempt is not None:  # an error of the program: next time it may be right
                self.broken = {key: one for key, one in self.broken.items() if one is not broken}
                for tensor, snapshot in before:
                    tensor._restore(snapshot)
            raise
        if broken.attempt is not None:  # the trace had an error that Python does not have
            broken.attempt = None
            breaks.tell(broken.found, faithful=True)
        return result if self.is_faithful() else results.settled(result, in_graph=False)

    def floating_point_operations(self) -> float | None:
        """What one call computes, as XLA counts it, for the graph compiled last; None without one."""
        graph = next(reversed([one for graphs in self.graphs.values() for one in graphs]), None)
        if graph is None:
            return None
        if graph.pending is not None:
            graph.pending()
        return graph.executable.cost_analysis().get("flops")

    def key_of(self, leaves: list[Any], description: Any) -> tuple[tuple, list[int]]:
        """What decides whether a graph fits, and which leaves are its inputs."""
        key: list[Any] = [description] if state.precision is None else [description, state.precision.key]
        input_leaves = []
        for index, leaf in enumerate(leaves):
            kind = leaf.__class__
            if kind is Tensor:
                value = leaf._value if leaf._value is not None else leaf.init_data()._value
                key.append(value.shape)
                key.append(value.dtype)
                if leaf._hooks:
                    key.append(tuple(leaf._hooks))
                input_leaves.append(index)
            elif kind is np.ndarray:
                leaves[index] = Tensor(leaf)
                key.append((leaf.shape, leaf.dtype))
                input_leaves.append(index)
            elif kind in NUMBERS or kind in mutable_values.NUMBERS:
                if kind not in NUMBERS:  # what mutable made
                    kind = mutable_values.NUMBERS[kind]
                    leaf = leaves[index] = kind(leaf)
                key.append(kind)
                if index in self.dynamic:
                    input_leaves.append(index)
                else:
                    key.append(leaf)
            elif isinstance(leaf, Parameter):
                key.append(id(leaf))
            else:
                key.append(kind)
                key.append(_hashable(leaf))
        return tuple(key), input_leaves

    def find(self, leaves: list[Any], description: Any) -> tuple[Graph | None, list[Any]]:
        key, input_leaves = self.key_of(leaves, description)
        kept = self.graphs.get(key, [])
        for graph in reversed(kept):
            if graph.is_current():
                if graph is not kept[-1]:  # the one used last is looked at first, and is the last to go
                    kept.remove(graph)
                    kept.append(graph)
                if len(self.graphs) > _MANY:
                    self.graphs[key] = self.graphs.pop(key)
                return graph, list(map(leaves.__getitem__, input_leaves))
        return None, []


def _hashable(leaf: Any) -> Any:
    try:
        hash(leaf)
    except TypeError:
        return id(leaf)
    return leaf
