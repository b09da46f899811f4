"""A compiled graph: one XLA executable for one function, input signature and state of the Cells it calls."""

from __future__ import annotations

import functools
import itertools
from collections.abc import Callable, Iterable
from types import MethodType
from typing import TYPE_CHECKING, Any

import jax

from mindspore._engine.base import deferred_checks, unsettled_writes, version_counter
from mindspore._engine.base.errors import is_break, located
from mindspore._engine.base.kernel import is_inexact
from mindspore._engine.base.pytree import unflatten
from mindspore._engine.base.trace_state import state
from mindspore._engine.execution import host_callbacks, index_bounds
from mindspore._engine.execution.dispatch import run
from mindspore._engine.execution.process_program import NeedsProcesses
from mindspore._engine.execution.tape import KeptNode, paused, record
from mindspore._engine.execution.trace_scope import Scope
from mindspore._engine.graph import breaks, donation, placement, results
from mindspore._engine.graph.kept_forward import KeptForward
from mindspore._engine.graph.trace import Trace, tracing_lock
from mindspore._engine.interpreter import host_graph
from mindspore._engine.runtime import dump_graphs, memory_guard, mesh
from mindspore._engine.runtime.compile_watch import watched
from mindspore._engine.runtime.parallel_context import planning_key
from mindspore._engine.tensor.host_arrays import settled
from mindspore._engine.tensor.tensor import Tensor
from mindspore._engine.tracing import capture, effects, invoke
from mindspore._engine.tracing.surroundings import Surroundings
from mindspore._engine.tracing.traced_kernel import TracedKernel
from mindspore._kernels import interrupt

if TYPE_CHECKING:
    from mindspore._engine.graph.compiled import Compiled

_ATTEMPTS = 10  # traces; a program that reads other Tensors each time is beyond help


class Graph:
    """One compiled form of a function: what goes in, what comes out, and the executable."""

    executable: Any
    lowered: Any = None  # the program for XLA, until the graph is kept on disk
    is_cache_of_graphs = True  # no part of the state that graphs are made from
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
            # Parameters that every trace creates anew, and nothing keeps, are constants.
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
            on_host = host_graph.function_of(traced) if self.owner.on_host and not trace.checked else None
            if on_host is not None:
                self.executable = kernel.jitted = on_host
                self.pending = None
                return
            self.lowered, self.executable = self.placement.compile(kernel, traced, trace)
            self.needed = memory_guard.needs(self.executable)
            dump_graphs.save(self.owner.name, traced, self.lowered)
            # What a tape holds is needed again.
            kernel.jitted = donation.keeping(self.executable, self.placement.donated)
            self.pending = None

        self.pending = compile_now
        if not self.under_tape or not self.placement.keeps_forward:
            compile_now()
        self.verified_at = version_counter.count
        self.surroundings = Surroundings(trace.cells, trace.functions, self.root_objects(), trace.names) or None
        trace.look_for_held(self.surroundings)

    def root_objects(self) -> list[Any]:
        """The objects whose state the graph is made from, whether or not a trace calls them."""
        return [root.__self__ if isinstance(root, MethodType) else root for root in self.owner.roots]

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
            for index, tensor in zip(self.inputs, tensors[count:], strict=True):
                leaves[index] = _reborn(tensor, scope, leaves[index])
            args, kwargs = unflatten(self.description, iter(leaves))
            if not self.faithful:
                effects.own_lists((args, kwargs))
            given = results.Given((args, kwargs), lists_are_copies=not self.faithful)
            inputs: list[Any] = [(leaves[i], leaves[i]._value) for i in self.inputs]
            inputs, captured = (inputs, scope.captured) if self.returns_inputs else ([], ())
            # A gradient traces the function again later; that must not change what this graph gives back.
            self.latest = Trace(scope, invoke.invoke(self.owner.function, args, kwargs), inputs, given, captured)
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
                deferred_checks.expect(outputs[len(trace.tensor_leaves)]._value, trace.sites)
            for tensor, result in zip(reversed(trace.written), reversed(outputs)):
                tensor._become(result)
            for tensor, result in trace.changed_inputs(inputs, outputs):
                tensor._become(result)
            return trace.rebuild(outputs, inputs)
        if self.pending is not None:
            self.pending()
        if trace.written and unsettled_writes.may_fail():  # a failed check must not lose donated arrays
            for x in inputs:
                if isinstance(x, Tensor):
                    settled(x._value)
        if self.needed:
            memory_guard.reserve(self.owner.name, self.needed, inputs)
        with tracing_lock:  # while another thread traces, they hold stand-ins
            values = [t._value for t in self.captured]
        if self.placement.donated:
            self.placement.prepare(values)
        for x in inputs:
            values.append(x._value if isinstance(x, Tensor) else x)
        may_stop = trace.calls_host or trace.loops
        raw = self._finished(self.executable, *values) if may_stop else self.executable(*values)
        new, outputs = object.__new__, []
        for value in (
            raw if self.placement.marks else raw[: len(trace.tensor_leaves)]
        ):  # others are stored in Tensors there are
            tensor = new(Tensor)
            tensor._value = value
            outputs.append(tensor)
        if self.placement.marks:
            self.placement.mark(outputs)
        if trace.written:
            with tracing_lock:
                for tensor, value in zip(reversed(trace.written), reversed(raw)):
                    tensor._store(value)
        for tensor, value in trace.changed_inputs(inputs, raw):
            tensor._store(value)
        if trace.checked:
            deferred_checks.expect(raw[len(trace.tensor_leaves)], trace.sites)
        return trace.rebuild(outputs, inputs)

    # -- under a tape ---------------------------------------------------------------------------------------------
    def gradient_break(self, inputs: list[Any]) -> breaks.Broken | None:
        """What stands in the way of a compiled gradient; looked for before the call."""
        wanted = self._wanted([*self.captured, *inputs])
        if any(wanted) and wanted not in self.kept:
            with tracing_lock:
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
