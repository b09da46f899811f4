"""A graph for all sizes up to a limit: inputs are padded to it, results sliced back."""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Any

import jax
import numpy as np
from jax.export import is_symbolic_dim

from mindspore._engine.base import open_sizes
from mindspore._engine.base.open_sizes import NotPadded
from mindspore._engine.graph import placement
from mindspore._engine.graph.graph import Graph
from mindspore._engine.graph.padding.cost import ProgramCost
from mindspore._engine.graph.padding.program import PaddedProgram
from mindspore._engine.graph.padding.values import ResultCut, cut_of
from mindspore._engine.tracing.traced_kernel import TracedKernel

if TYPE_CHECKING:
    from mindspore._engine.graph.compiled import Compiled
    from mindspore._engine.graph.size_plan import SizePlan
    from mindspore._engine.graph.trace import Trace

_QUICKLY: dict[str, Any] = {"xla_backend_optimization_level": 1}  # sizes that are used often move to smaller buckets

_MOST_CUTS = 4096  # sizes


class BucketGraph(Graph):
    """A graph whose inputs have open sizes."""

    def __init__(
        self, owner: Compiled, key: tuple, description: Any, leaves: list[Any], inputs: list[int], plan: SizePlan
    ):
        super().__init__(owner, key, description, leaves, inputs)
        self.plan = plan

    def _trace(self, inputs: list[Any]) -> tuple[TracedKernel, Any]:
        for tensor in self.captured:
            tensor.init_data()
        kernel = TracedKernel(self.owner.name, self.on_tensors)
        self.placement = Bucket(self.captured, self.plan, inputs)
        return kernel, self.placement.trace(kernel, [t._value for t in self.captured])


class Bucket(placement.Placement):
    """One device, with inputs filled up to the limits of a plan."""

    def __init__(self, captured: Sequence[Any], plan: SizePlan, inputs: Sequence[Any]):
        self.captured, self.plan = captured, plan
        self.symbols = open_sizes.symbols(list(plan.limits.values()))
        self.forms = [
            jax.ShapeDtypeStruct(shape, x._value.dtype)
            for shape, x in zip(plan.shapes(self.symbols), inputs, strict=True)
        ]

    def trace(self, kernel: TracedKernel, values: list[Any]) -> Any:
        with open_sizes.decided(self.symbols[0]):
            return jax.jit(kernel.jitted).trace(*values, *self.forms)

    def compile(self, kernel: TracedKernel, traced: Any, trace: Trace) -> placement.Compilation:
        _refuse(trace)
        self.plan.shrink(ProgramCost(traced.jaxpr))
        program = PaddedProgram(traced.jaxpr, self.plan.limits)
        avals = traced.jaxpr.in_avals
        forms = [jax.ShapeDtypeStruct(shape, aval.dtype) for shape, aval in zip(program.shapes(), avals, strict=True)]
        sizes = [jax.ShapeDtypeStruct((), np.int32)] * len(self.plan.limits)
        started = time.perf_counter()
        lowered = jax.jit(program).lower(sizes, *forms)
        quick = jax.default_backend() == "cpu" and self.plan.coarse
        compiled = lowered.compile(compiler_options=_QUICKLY if quick else None)
        seconds = time.perf_counter() - started
        return lowered, BucketExecutable(compiled, program, self.plan, len(self.captured), seconds)


def _is_open(axes: Sequence[Any]) -> bool:
    return any(is_symbolic_dim(factor) for layout in axes for factor in layout or ())


def _refuse(trace: Trace) -> None:
    if trace.written or trace.changed or trace.calls_host:
        raise NotPadded("it writes to Parameters, or talks to the host")
    if any(constant is not None and is_symbolic_dim(constant) for constant in trace.constants) or trace.numbers:
        raise NotPadded("it returns a size")


class BucketExecutable:
    """Runs a filled program as if it had been compiled for the sizes of each call."""

    def __init__(self, compiled: Any, program: PaddedProgram, plan: SizePlan, captured: int, seconds: float):
        self.compiled, self.plan, self.captured = compiled, plan, captured
        self.limits, self.layouts = program.limits, program.layouts
        self.filled = program.shapes()
        self.on_host = jax.default_backend() == "cpu"
        self.seconds = seconds
        self.cuts: dict[tuple[int, ...], list[ResultCut | None]] = {}  # by size
        self.lost: dict[tuple[int, ...], float] = {}  # seconds spent on padding, by size
        self.when_too_much: Callable[[tuple[int, ...]], None] = lambda sizes: None

    def __call__(self, *values: Any) -> list[Any]:
        inputs = values[self.captured :]
        sizes = self.plan.sizes([x.shape for x in inputs])
        filled = [self._fill(x, shape) for x, shape in zip(inputs, self.filled[self.captured :])]
        started = time.perf_counter()
        results = self.compiled([np.int32(n) for n in sizes.values()], *values[: self.captured], *filled)
        results = [x if cut is None else self._cut(x, cut) for x, cut in zip(results, self._cuts(results, sizes))]
        self._count(sizes, time.perf_counter() - started)
        return results

    def cost_analysis(self) -> Any:
        return self.compiled.cost_analysis()

    def _fill(self, value: Any, shape: tuple[int, ...]) -> Any:
        if value.shape == shape:
            return value
        if not self.on_host:
            return jax.numpy.pad(value, [(0, more - have) for have, more in zip(value.shape, shape)])
        wide = np.zeros(shape, value.dtype)  # on the host nothing is compiled for it
        wide[tuple(map(slice, value.shape))] = np.asarray(value)
        return wide

    def _cuts(self, results: Sequence[Any], sizes: Mapping[str, int]) -> list[ResultCut | None]:
        """What to cut off each result; None for those of one size."""
        key = tuple(sizes.values())
        found = self.cuts.get(key)
        if found is None:
            if len(self.cuts) == _MOST_CUTS:
                self.cuts.clear()
            found = self.cuts[key] = [
                cut_of(x.shape, axes, sizes, self.limits) if _is_open(axes) else None
                for x, axes in zip(results, self.layouts, strict=True)
            ]
        return found

    def _cut(self, value: Any, cut: ResultCut) -> Any:
        if not self.on_host:
            return cut(value)
        inside = np.array(cut(np.asarray(value)))  # stays on the host, where the next call fills it up
        inside.setflags(write=False)
        return inside

    def _count(self, sizes: Mapping[str, int], seconds: float) -> None:
        """A size moves to a smaller bucket once padding it has cost as much time as compiling would."""
        needed = 1.0
        for name, limit in self.limits.items():
            needed *= sizes[name] / limit
        key = tuple(sizes.values())
        self.lost[key] = self.lost.get(key, 0.0) + seconds * (1.0 - needed)
        if sum(self.lost.values()) > self.seconds:
            self.when_too_much(max(self.lost, key=self.lost.__getitem__))
            self.lost.clear()
