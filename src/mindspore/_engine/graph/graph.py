"""Compiled graphs: one XLA executable per function, input signature and state of the Cells it calls."""

from __future__ import annotations

import functools
import itertools
import threading
from collections.abc import Callable, Iterable, Sequence
from types import MethodType
from typing import Any

import jax
import numpy as np

from mindspore._engine.autodiff import forward_cache
from mindspore._engine.base import deferred_checks, jax_errors, unsettled_writes, version_counter
from mindspore._engine.base.errors import GraphError, is_break, located
from mindspore._engine.base.kernel import is_inexact
from mindspore._engine.base.pytree import LEAF, flatten, unflatten
from mindspore._engine.base.trace_state import state
from mindspore._engine.execution import guarded_update, host_callbacks, index_bounds
from mindspore._engine.execution.dispatch import run
from mindspore._engine.execution.process_program import NeedsProcesses
from mindspore._engine.execution.tape import KeptNode, paused, record
from mindspore._engine.execution.trace_scope import Scope
from mindspore._engine.graph import breaks, donation, placement, results
from mindspore._engine.graph.kept_forward import KeptForward
from mindspore._engine.graph.recompile import report_recompile
from mindspore._engine.runtime import context, dump_graphs, memory_guard, mesh
from mindspore._engine.runtime.compile_watch import watched
from mindspore._engine.runtime.parallel_context import planning_key
from mindspore._engine.tensor.parameter import Parameter
from mindspore._engine.tensor.tensor import Tensor, settled
from mindspore._engine.tracing import capture, effects, invoke
from mindspore._engine.tracing.code_names import mentioned
from mindspore._engine.tracing.surroundings import Surroundings
from mindspore._engine.tracing.traced_kernel import TracedKernel
from mindspore._kernels import interrupt, library

_tracing_lock = threading.RLock()  # a trace puts stand-ins into Parameters; two traces must not meet
_NUMBERS = (int, float)
_ATTEMPTS = 10  # traces; a program that reads other Tensors each time is beyond help
_KEPT = 8  # graphs of one signature that differ in the state of the Cells


class Trace:
    """What came out of tracing a function once."""

    def __init__(
        self, scope: Scope, result: Any, inputs: Sequence[tuple[Tensor, Any]] = (), given: results.Given | None = None
    ):
        if not scope.root.faithful:
            result = results.settled(result)
        leaves, self.description = flatten(result)
        results.refuse_unready(leaves)
        self.numbers = results.numbers_in(leaves)
        indexed = (
            {} if scope.root.faithful or state.piecewise else scope.root.indexed
        )  # in MindSpore's graphs x[0] = 1 makes a new Tensor
        changed = [(i, x) for i, (x, value) in enumerate(inputs) if x._value is not value and id(x) not in indexed]
        self.changed = [i for i, _ in changed]  # inputs that were changed in place
        self.passed, self.repeated = _own_tensors(leaves, inputs, self.changed, scope.root.faithful)
        self.given = {} if given is None else given.found_in(result)
        self.containers = list(results.containers_in(result))  # until it is known which of them the program holds
        self.constants = [None if isinstance(leaf, Tensor) else leaf for leaf in leaves]
        self.places = [i for i, leaf in enumerate(leaves) if isinstance(leaf, Tensor)]  # which results are Tensors
        for place in self.places:
            scope.note_read(leaves[place])
        self.written = [tensor for tensor in scope.sorted_writes() if tensor is not index_bounds.failure]
        self.checked = (
            index_bounds.failure in scope.writes
        )  # whether positions are looked at; what was found is a result
        self.sites = scope.root.sites or []
        self.missed = scope.missed
        self.scope: Scope | None = scope
        self.cells = {cell: capture.fingerprint(cell) for cell in scope.root.cells}
        self.functions = list(scope.root.functions)
        self.names = mentioned(scope.root)
        self.calls_host = scope.root.calls_host  # it prints, or checks something and may stop
        self.loops = scope.root.loops  # it may be interrupted
        self.summaries = scope.root.summaries
        for cell in self.cells:
            forward_cache.forget(cell)
        outputs = [Tensor.linked(leaves[i]._value, leaves[i]._link) for i in self.places]
        new = scope.results(self.written)
        if self.checked:
            outputs += scope.results([index_bounds.failure])
            if not state.replaying:
                new = guarded_update.at_the_end(scope, outputs[-1], self.written, new)
        self.outputs = outputs + scope.results([tensor for _, tensor in changed]) + new

    @property
    def results(self) -> int:
        """How many outputs come before what is written."""
        return len(self.places) + self.checked + len(self.changed)

    def changed_inputs(self, inputs: Sequence[Any], outputs: Sequence[Any]) -> Iterable[tuple[Any, Any]]:
        """The inputs that were changed in place, with what they become."""
        first = len(self.places) + self.checked
        return [(inputs[i], outputs[first + offset]) for offset, i in enumerate(self.changed)]

    def rebuild(self, tensors: list[Tensor], inputs: Sequence[Any] = ()) -> Any:
        """The function's result with these Tensors in it, and the inputs that it returns as they came."""
        if self.description is LEAF and self.places and not self.numbers and not self.passed:
            return tensors[0]
        leaves: list[Any] = list(self.constants)
        for place, tensor in zip(self.places, tensors):
            kind = self.numbers.get(place)
            leaves[place] = tensor if kind is None else results.as_python(tensor, kind)
        for place, index in self.passed.items():
            leaves[place] = inputs[index]
        for place, before in self.repeated.items():
            leaves[place] = leaves[before]
        return unflatten(self.description, iter(leaves))

    def with_own_objects(self, result: Any, arguments: Any) -> Any:
        """The result with the lists and dicts that the program itself holds where it returns those."""
        objects = {path: results.at(arguments, found) for path, found in self.given.items()}
        return results.replaced(result, objects | self.held)

    def let_go(self) -> None:
        """Drop what belongs to the trace itself."""
        self.scope, self.outputs, self.missed = None, [], []

    def look_for_held(self, surroundings: Surroundings | None) -> None:
        """Recognise lists and dicts in the result that the program holds: in globals, closures and attributes."""
        known = {} if surroundings is None else surroundings.seen.known
        self.held = {path: one for path, one in self.containers if known.get(id(one)) is one}
        self.containers = []


class Graph:
    """One compiled form of a function: what goes in, what comes out, and the executable."""

    executable: Any
    needed = 0  # bytes that a call allocates, if they are many
    returns_inputs = True  # changes of inputs in place arrive in the caller's Tensors

    def __init__(self, owner: Compiled, key: tuple, description: Any, leaves: list[Any], inputs: list[int]):
        self.owner = owner
        self.key = key
        self.description = description
        self.constants = leaves  # argument leaves; those at ``inputs`` come with each call
        self.inputs = inputs
        self.captured: list[Tensor] = []
        self.verified_at = -1
        self.surroundings: Surroundings | None = None  # what may change without telling
        self.planned_for: tuple | None = None
        self.faithful = owner.is_faithful()  # whether it was traced without losing an effect
        self.scope: Scope | None = None  # of the present trace
        self.under_tape = state.tape is not None  # then another executable runs, see KeptForward
        self.pending: Callable[[], None] | None = None  # compiles it
        self.kept: dict[tuple[bool, ...], Any] = {}  # forward passes with what gradients need, by differentiated inputs

    # -- compiling ------------------------------------------------------------------------------------------------
    def compile(self, inputs: list[Any], guess: Iterable[Tensor]) -> None:
        """Trace the function, again if it read a Tensor nobody expected, and compile it."""
        self.captured = [t for t in dict.fromkeys(guess) if t.dtype.np_dtype is not None]
        given = set(map(id, inputs))
        for attempt in itertools.count():
            kernel, traced = self._trace(inputs)
            trace = self.latest
            # Parameters made by every trace anew, and not kept anywhere, are constants.
            fresh = attempt > 0 and all(getattr(t, "_made_in", None) is trace.scope for t in trace.missed)
            if not trace.missed or fresh or attempt == _ATTEMPTS:
                self._finish(kernel, traced, trace)
                return
            known = {id(t) for t in self.captured}
            found = [t for t in trace.missed if id(t) not in known and id(t) not in given]
            self.captured += found
            self.owner.surprises += found

    def _trace(self, inputs: list[Any]) -> tuple[TracedKernel, Any]:
        for tensor in self.captured:
            tensor.init_data()
        while True:
            kernel = TracedKernel(self.owner.name, self.on_tensors)
            self.placement = placement.choose(self.captured, inputs, self.owner.processes, self.owner.roots)
            values = [self._raw(x) for x in (*self.captured, *inputs)]
            try:
                return kernel, self.placement.trace(kernel, values)
            except NeedsProcesses as need:
                self.owner.processes = need.ranks

    def _finish(self, kernel: TracedKernel, traced: Any, trace: Trace) -> None:
        trace.let_go()
        self.scope = None  # XLA needs the memory
        self.trace, self.kernel = trace, kernel
        self.planned_for = planning_key()
        self.out_avals = [(a.shape, a.dtype) for a in jax.tree.leaves(traced.out_info)]

        def compile_now() -> None:
            lowered, self.executable = self.placement.compile(kernel, traced, trace)
            self.needed = memory_guard.needs(self.executable)
            dump_graphs.save(self.owner.name, traced, lowered)
            # What a tape holds is needed again.
            kernel.jitted = donation.keeping(self.executable, self.placement.donated)
            self.pending = None

        self.pending = compile_now
        if not self.under_tape or not self.placement.keeps_forward:
            compile_now()
        self.verified_at = version_counter.count
        objects = [root.__self__ if isinstance(root, MethodType) else root for root in self.owner.roots]
        self.surroundings = Surroundings(trace.cells, trace.functions, objects, trace.names) or None
        trace.look_for_held(self.surroundings)

    @staticmethod
    def _raw(value: Any) -> Any:
        return value._value if isinstance(value, Tensor) else value

    def on_tensors(self, tensors: list[Any]) -> list[Tensor]:
        """The function as the kernel sees it: captured state first, then the inputs."""
        count = len(self.captured)
        stand_ins = dict(zip(self.captured, tensors[:count], strict=True))
        stand_ins[index_bounds.failure] = Tensor.wrap(deferred_checks.NOTHING)
        with Scope(stand_ins) as scope:
            self.scope, root = scope, scope.root
            root.sites, root.faithful, root.is_graph = self.sites(), self.faithful, True
            root.tracked = not self.owner.is_strict()
            leaves = list(self.constants)
            for place, tensor in zip(self.inputs, tensors[count:], strict=True):
                leaves[place] = _reborn(tensor, scope, leaves[place])
            args, kwargs = unflatten(self.description, iter(leaves))
            if not self.faithful:
                effects.own_lists((args, kwargs))
            given, inputs = results.Given((args, kwargs)), [(leaves[i], leaves[i]._value) for i in self.inputs]
            inputs = inputs if self.returns_inputs else []
            # A gradient traces the function again later; that must not change what this graph gives back.
            self.latest = Trace(scope, invoke.invoke(self.owner.function, args, kwargs), inputs, given)
            if root.broken is not None and not self.owner.is_strict():
                raise root.broken  # the program has caught it
        return self.latest.outputs

    def sites(self) -> list[Any] | None:
        """Where the checks of this graph are noted; None to leave them out, as in a pipeline, whose stages they would tie."""
        return [] if mesh.stage_count() == 1 else None

    # -- running --------------------------------------------------------------------------------------------------
    def is_current(self) -> bool:
        """Whether the Cells this graph was traced through still look the same."""
        if self.surroundings is not None and not self.surroundings.hold():
            return False
        if self.verified_at == version_counter.count:
            return True
        if not self.faithful and self.owner.is_faithful():
            return False
        if self.trace.summaries not in (None, host_callbacks.summaries_wanted()):
            return False
        if self.planned_for != planning_key():
            return False
        for cell, seen in self.trace.cells.items():
            if capture.fingerprint(cell) != seen:
                return False
        self.verified_at = version_counter.count
        return True

    def __call__(self, inputs: list[Any]) -> Any:
        trace = self.trace
        if deferred_checks.pending:
            deferred_checks.look_before(inputs if trace.written else ())
        if state.tape is not None:
            outputs = self._recorded([*self.captured, *inputs])
            if trace.checked:
                deferred_checks.expect(outputs[len(trace.places)]._value, trace.sites)
            for tensor, result in zip(reversed(trace.written), reversed(outputs)):
                tensor._become(result)
            for tensor, result in trace.changed_inputs(inputs, outputs):
                tensor._become(result)
            return trace.rebuild(outputs, inputs)
        if self.pending is not None:
            self.pending()
        if trace.written and unsettled_writes.may_fail():  # what has failed must not cost what is overwritten
            for x in inputs:
                if isinstance(x, Tensor):
                    settled(x._value)
        if self.needed:
            memory_guard.reserve(self.owner.name, self.needed, inputs)
        with _tracing_lock:  # while another thread traces, they hold stand-ins
            values = [t._value for t in self.captured]
        self.placement.prepare(values)
        for x in inputs:
            values.append(x._value if isinstance(x, Tensor) else x)
        may_stop = trace.calls_host or trace.loops
        raw = self._finished(self.executable, *values) if may_stop else self.executable(*values)
        new, outputs = object.__new__, []
        for value in raw:
            tensor = new(Tensor)
            tensor._value = value
            outputs.append(tensor)
        self.placement.mark(outputs)
        if trace.written:
            with _tracing_lock:
                for tensor, value in zip(reversed(trace.written), reversed(raw)):
                    tensor._store(value)
        for tensor, value in trace.changed_inputs(inputs, raw):
            tensor._store(value)
        if trace.checked:
            deferred_checks.expect(raw[len(trace.places)], trace.sites)
        return trace.rebuild(outputs, inputs)

    # -- under a tape ---------------------------------------------------------------------------------------------
    def gradient_break(self, inputs: list[Any]) -> breaks.Broken | None:
        """What stands in the way of a compiled gradient; looked for before the call."""
        wanted = self._wanted([*self.captured, *inputs])
        if any(wanted) and wanted not in self.kept:
            with _tracing_lock:
                self.kept[wanted] = self._keep(wanted, inputs)
        found = self.kept.get(wanted)
        return found if isinstance(found, breaks.Broken) else None

    def _wanted(self, tensors: list[Any]) -> tuple[bool, ...]:
        tape = state.tape
        return tuple([isinstance(x, Tensor) and x._link is not None and x._link[0].tape is tape for x in tensors])

    def _keep(self, wanted: tuple[bool, ...], inputs: list[Any]) -> Any:
        values = [self._raw(x) for x in (*self.captured, *inputs)]
        plain = all(is_inexact(value.dtype) for value, want in zip(values, wanted, strict=True) if want)
        if not plain or self.trace.calls_host or not self.placement.keeps_forward or state.saving is not None:
            return None
        try:
            with paused(), watched(self.owner.name, self.owner.roots):
                return KeptForward(self.on_tensors, values, wanted, self.out_avals)
        except Exception as error:
            failure: Any = located(error, self.owner.name)
            met = breaks.meets(self.owner, failure) if is_break(failure) else None
            if met is None:
                return None  # the walk back says what is wrong
            breaks.tell(met, self.faithful)
            failure.scope = self.scope
            return self.owner.broken_by(met, failure)

    def _recorded(self, tensors: list[Any]) -> Any:
        """The call as one node of the tape."""
        kept = self.kept.get(self._wanted(tensors))
        if kept is None or state.modes:
            if self.pending is not None:
                self.pending()
            return self._finished(run, self.kernel, tensors)
        values = [self._raw(x) for x in tensors]
        results, residuals = kept.run(values)
        outputs = tuple([Tensor.wrap(value) for value in results])
        node_class = functools.partial(KeptNode, (kept.pull_back, residuals), tuple(results))
        record(state.tape, self.kernel, tensors, values, outputs, node_class)  # type: ignore[arg-type]
        return outputs

    def _finished(self, execute: Callable[..., Any], *args: Any) -> Any:
        """Run to the end, so that what was raised on the host is raised here, before anything is assigned."""
        if self.trace.loops:
            interrupt.watch()
        try:
            outputs = execute(*args)
            if self.trace.calls_host or (self.trace.loops and self.trace.written):
                jax.block_until_ready([self._raw(output) for output in outputs])
        except Exception as error:
            raise host_callbacks.original(error) from None
        return outputs


def _reborn(tensor: Tensor, scope: Scope, original: Any) -> Tensor:
    """An input inside the trace, with the hooks of the Tensor it stands for."""
    tensor._birth = scope
    if getattr(original, "_hooks", None):
        tensor._hooks = original._hooks
    return tensor


class Compiled:
    """A function with all graphs compiled from it."""

    traces_once = False  # effects happen when it is traced, not at every call: jit
    falls_back = True  # runs as Python what a graph cannot hold
    strict = False  # unless told otherwise
    settle: Callable[[], bool] | None = None  # builds in numbers that were inputs; whether there were any
    declared: Any = None  # example inputs with open shapes: a tuple, or a dict by the names of arguments
    size_policy: Callable[[Any], Any]  # what serves new sizes; set by ``sizes``

    def __init__(self, function: Callable[..., Any], roots: Iterable[Any] = (), name: str | None = None):
        self.function = function
        self.as_python = function  # what runs when it breaks
        self.roots = tuple(roots) or (function,)
        self.name = name or getattr(function, "__name__", type(function).__name__)
        self.graphs: dict[tuple, list[Graph]] = {}
        self.dynamic: set[int] = set()  # argument leaves: numbers that became inputs of the graph
        self.fixed: set[int] = set()  # numbers the program needs as constants
        self.surprises: list[Tensor] = []  # what earlier traces read though nobody expected it
        self.compilations = 0
        self.broken: dict[tuple, breaks.Broken] = {}  # calls that run as Python
        self.processes: tuple[int, ...] = ()  # those that run it together; none: every process by itself
        self.sizes = type(self).size_policy(self)

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
            own = graph.trace.given or graph.trace.held
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
        return not self.traces_once and not self.strict and breaks.is_faithful()

    def is_strict(self) -> bool:
        """Whether a break is an error."""
        return self.strict or not self.falls_back or breaks.is_strict()

    def _make(self, leaves: list[Any], description: Any) -> tuple[Any, list[Any]]:
        """A new graph with its inputs, or the break that stands in its way."""
        if deferred_checks.pending:
            deferred_checks.look_before(())
        with _tracing_lock:
            key, _ = self.key_of(leaves, description)
            known = self.broken.get(key)
            if known is not None and known.holds() and (not known.faithful or self.is_faithful()):
                return known, []
            path = state.breaking
            if path is not None and path.leads_through(self.roots[0]):
                self.broken[key] = path.broken
                return path.broken, []
            served = self.sizes.serve(leaves, description, key)
            if served is not None:
                return served
            try:
                return self.compile(leaves, description)
            except Exception as error:
                if is_break(error) and self.settle is not None and self.settle():
                    return self._make(leaves, description)
                met = breaks.meets(self, error)
                if met is None:
                    raise
                return self._remember(key, met, error), []

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
        places = []
        for place, leaf in enumerate(leaves):
            kind = leaf.__class__
            if kind is Tensor:
                value = leaf._value if leaf._value is not None else leaf.init_data()._value
                key.append(value.shape)
                key.append(value.dtype)
                if leaf._hooks:
                    key.append(tuple(leaf._hooks))
                places.append(place)
            elif kind is np.ndarray:
                leaves[place] = Tensor(leaf)
                key.append((leaf.shape, leaf.dtype))
                places.append(place)
            elif place in self.dynamic and kind in _NUMBERS:
                key.append(kind)
                places.append(place)
            elif isinstance(leaf, Parameter):
                key.append(id(leaf))
            else:
                key.append(kind)
                key.append(_hashable(leaf))
        return tuple(key), places

    def find(self, leaves: list[Any], description: Any) -> tuple[Graph | None, list[Any]]:
        key, places = self.key_of(leaves, description)
        kept = self.graphs.get(key, [])
        for graph in reversed(kept):
            if graph.is_current():
                if graph is not kept[-1]:  # the one used last is looked at first, and is the last to go
                    kept.remove(graph)
                    kept.append(graph)
                return graph, [leaves[p] for p in places]
        return None, []

    def compile(self, leaves: list[Any], description: Any) -> tuple[Graph, list[Any]]:
        self._try_dynamic(leaves, description)
        found, inputs = self.find(leaves, description)
        if found is not None:
            return found, inputs
        graph, inputs = self._compile(leaves, description)
        kept = self.graphs.setdefault(graph.key, [])
        kept.append(graph)
        del kept[:-_KEPT]
        return graph, inputs

    def _compile(
        self, leaves: list[Any], description: Any, make: Callable[..., Graph] = Graph
    ) -> tuple[Graph, list[Any]]:
        key, places = self.key_of(leaves, description)
        inputs = [leaves[p] for p in places]
        graph = make(self, key, description, leaves, places)
        report_recompile(self, key, leaves)
        self.compilations += 1
        library.release_memory()  # compiling needs its own
        try:
            with paused(), watched(self.name, self.roots):
                guess = itertools.chain.from_iterable(map(capture.state_of, self.roots))
                graph.compile(inputs, itertools.chain(guess, self.surprises))
        except Exception as error:
            failure: Any = located(error, self.name)
            failure.scope = graph.scope
            raise failure from None
        graph.scope = None
        graph.constants = [_placeholder(leaf) if i in set(places) else leaf for i, leaf in enumerate(leaves)]
        return graph, inputs

    def _try_dynamic(self, leaves: list[Any], description: Any) -> None:
        """A number that changes from call to call becomes an input, unless the program needs it as a constant."""
        changed = self._changed_numbers(leaves, description)
        if not changed:
            return
        static = next(iter(itertools.chain.from_iterable(self.graphs.values())))
        self.dynamic |= changed
        try:
            graph, _ = self._compile(leaves, description)
        except (GraphError, TypeError, ValueError, IndexError):
            graph = None
        if graph is None or graph.out_avals != static.out_avals or graph.trace.description != static.trace.description:
            self.dynamic -= changed
            self.fixed |= changed
        else:
            self.graphs.setdefault(graph.key, []).append(graph)

    def _changed_numbers(self, leaves: list[Any], description: Any) -> set[int]:
        for graph in itertools.chain.from_iterable(self.graphs.values()):
            if graph.description != description or len(graph.constants) != len(leaves):
                continue
            changed = set()
            for place, (old, new) in enumerate(zip(graph.constants, leaves)):
                number = type(new) in _NUMBERS and type(old) is type(new) and place not in self.fixed
                if number and place not in self.dynamic and old != new:
                    changed.add(place)
            if changed:
                return changed
        return set()


def _own_tensors(
    leaves: list[Any], inputs: Sequence[tuple[Tensor, Any]], changed: list[int], faithful: bool
) -> tuple[dict[int, int], dict[int, int]]:
    """Which results are inputs themselves, and which stand in the result before already.

    MindSpore's graphs return the caller's Tensors where they compute nothing.
    """
    known = {id(x): i for i, (x, value) in enumerate(inputs) if x._value is value or i in changed}
    passed = {place: known[id(leaf)] for place, leaf in enumerate(leaves) if id(leaf) in known}
    if not faithful:
        whole = len(passed) == sum(isinstance(leaf, Tensor) for leaf in leaves) and not changed
        return (passed if whole else {}), {}
    first: dict[int, int] = {}
    for place, leaf in enumerate(leaves):
        if isinstance(leaf, Tensor):
            first.setdefault(id(leaf), place)
    return passed, {p: first[id(leaf)] for p, leaf in enumerate(leaves) if first.get(id(leaf), p) != p}


def _placeholder(leaf: Any) -> Any:
    """An input that comes with each call is not kept alive, unless it has hooks that the graph contains."""
    return leaf if getattr(leaf, "_hooks", None) else None


def _hashable(leaf: Any) -> Any:
    try:
        hash(leaf)
    except TypeError:
        return id(leaf)
    return leaf
