"""Where a graph runs: on this process's device, together with other processes, or as one program over a mesh.

A graph traces, compiles and calls through one interface and does not know which of them it got.
"""

from __future__ import annotations

import contextlib
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Any

import jax

from mindspore._engine.execution import process_program
from mindspore._engine.graph import donation, update_apart
from mindspore._engine.parallel import pipeline, spmd, zero
from mindspore._engine.runtime import mesh
from mindspore._engine.tensor.tensor import Tensor
from mindspore._kernels import elementwise, rewriting

if TYPE_CHECKING:
    from mindspore._engine.graph.trace import Trace
    from mindspore._engine.tracing.traced_kernel import TracedKernel

Compilation = tuple[Any, Any]  # the lowered program and its executable


def choose(
    captured: Sequence[Tensor], inputs: Sequence[Any], processes: process_program.Ranks, roots: Any
) -> Placement:
    """The placement of a graph with this state and these inputs; ``processes``: those that run it together."""
    with _settings():
        grid = mesh.current()
    if grid is not None:
        return OnMesh(pipeline.division(grid, captured, inputs, spmd.takes_batches(roots)))
    if processes:
        return AcrossProcesses(captured, processes)
    return Local(captured)


@contextlib.contextmanager
def _settings() -> Iterator[None]:
    """Errors are of the parallel settings: running the program as Python, on one device, would hide them."""
    try:
        yield
    except Exception as error:
        error.is_final = True  # type: ignore[attr-defined]
        raise


class Placement:
    """Traces a kernel, compiles it, and has a say before and after each call."""

    keeps_forward = False  # whether a tape's forward pass may be an executable of its own
    donated: tuple[int, ...] = ()  # captured Tensors whose buffers the executable overwrites
    marks = False  # whether results are to be marked

    def trace(self, kernel: TracedKernel, values: list[Any]) -> Any:
        raise NotImplementedError("subclasses must implement trace")

    def compile(self, kernel: TracedKernel, traced: Any, trace: Trace) -> Compilation:
        raise NotImplementedError("subclasses must implement compile")

    def prepare(self, values: list[Any]) -> None:
        """Before a call that overwrites: may replace arrays of the captured Tensors."""

    def mark(self, outputs: list[Any]) -> None:
        """After a call: may note on the results where they come from."""


class Local(Placement):
    """One device; buffers of written Parameters are donated."""

    keeps_forward = True

    def __init__(self, captured: Sequence[Tensor]):
        self.captured = captured
        mesh.all_gather_in_place(captured)

    def trace(self, kernel: TracedKernel, values: list[Any]) -> Any:
        return jax.jit(kernel.jitted).trace(*values)

    def compile(self, kernel: TracedKernel, traced: Any, trace: Trace) -> Compilation:
        self.donated = donation.candidates(self.captured, trace)
        lowered = donation.lowered(kernel.jitted, traced, self.donated)
        elementwise.write_updates(lowered, sorted(_results(self.captured, trace).values()))
        rewriting.rewrite(lowered)
        return lowered, lowered.compile()

    def prepare(self, values: list[Any]) -> None:
        if self.donated:
            donation.spare_shared(values, self.donated)


def _results(captured: Sequence[Tensor], trace: Trace) -> dict[int, int]:
    """Index of a captured Tensor -> index of the result that is stored in it."""
    indices = {id(tensor): number for number, tensor in enumerate(captured)}
    return {indices[id(t)]: trace.results + i for i, t in enumerate(trace.written) if id(t) in indices}


class AcrossProcesses(Placement):
    """Several processes, each with arrays of its own.

    Optimizer states are sharded where that was asked for; else Parameters are overwritten when all processes have answered.
    """

    def __init__(self, captured: Sequence[Tensor], ranks: process_program.Ranks):
        self.captured, self.ranks = captured, ranks

    def trace(self, kernel: TracedKernel, values: list[Any]) -> Any:
        return process_program.traced(kernel.function, values, self.ranks)

    def compile(self, kernel: TracedKernel, traced: Any, trace: Trace) -> Compilation:
        sharded = zero.shared(self.captured, self.ranks)
        if sharded:
            return zero.compile(kernel.function, self.captured, traced.in_avals, sharded, trace, self.ranks)
        reused = donation.candidates(self.captured, trace)
        apart = update_apart.compile(kernel.name, traced, reused, _results(self.captured, trace), self.ranks)
        if apart is not None:
            self.donated, self.apart = apart.donated, apart
            return traced.lower(), apart
        lowered = traced.lower()
        return lowered, process_program.Together(lowered.compile(), self.ranks)

    def prepare(self, values: list[Any]) -> None:
        donation.spare_shared(values, self.donated, self.apart.known)


class OnMesh(Placement):
    """One program over all devices, partitioned by XLA or cut into pipeline stages."""

    marks = True

    def __init__(self, division: spmd.Division):
        self.division = division

    def trace(self, kernel: TracedKernel, values: list[Any]) -> Any:
        return self.division.trace(kernel.jitted)

    def compile(self, kernel: TracedKernel, traced: Any, trace: Trace) -> Compilation:
        division = self.division
        if division.may_overwrite():
            self.donated = division.reused = donation.candidates(division.captured, trace)
        with _settings():
            lowered, self.program = division.compile(kernel.jitted, trace.results, trace.written)
        return lowered, self.program

    def prepare(self, values: list[Any]) -> None:
        donation.spare_shared(values, self.donated, self.program.known)

    def mark(self, outputs: list[Any]) -> None:
        for tensor in outputs:
            tensor._whole = True  # no part of a batch, if it is passed on
