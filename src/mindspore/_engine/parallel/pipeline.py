"""Graphs as a pipeline: every process computes the tasks of its stage, and sends what the others need.

The whole graph is traced by every process and cut in the same way (``pipeline_cut.py``). A process compiles its own tasks
only, holds the Parameters that these read, and goes through the common plan (``pipeline_schedule.py``). Within a stage a
task is one program over the devices of that stage, as in ``spmd.py``.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from mindspore._engine.cluster import process_group
from mindspore._engine.parallel import spmd, strategy_output
from mindspore._engine.parallel.partition import Cut, Label
from mindspore._engine.parallel.pipeline_program import PipelineExecutable
from mindspore._engine.parallel.pipeline_schedule import AFTER, BACKWARD, BEFORE, FORWARD
from mindspore._engine.runtime import mesh
from mindspore._engine.runtime.mesh import Elsewhere, Grid
from mindspore._engine.runtime.parallel_context import parallel
from mindspore._engine.tensor.parameter import Parameter
from mindspore._engine.tensor.tensor import Tensor

_ROUNDS = 20  # of deciding who holds what; a few are enough


def division(grid: Grid, captured: Sequence[Tensor], inputs: Sequence[Any], takes_batches: bool) -> spmd.Division:
    """How a graph is divided among the devices: as one program, or into the stages of a pipeline."""
    kind = Stages if mesh.stage_count() > 1 else spmd.Division
    return kind(grid, captured, inputs, takes_batches)


class Stages(spmd.Division):
    """A graph divided into the stages of a pipeline, each with a mesh of its own."""

    def __init__(self, grid: Grid, captured: Sequence[Tensor], inputs: Sequence[Any], takes_batches: bool):
        super().__init__(grid, captured, inputs, takes_batches)
        self.count = mesh.stage_count()
        self.own = mesh.own_stage()
        self.input_stages = [self._stages_of_input(one) for one in inputs]

    def trace(self, function: Callable[..., Any]) -> Any:
        self.traced = super().trace(function)
        return self.traced

    def compile(
        self, function: Callable[..., Any], results: int, written: Sequence[Tensor]
    ) -> tuple[Any, PipelineExecutable]:
        known = [one.__dict__.get("_stages") for one in self.captured]
        cut = Cut(self.traced.jaxpr, [*known, *self.input_stages], len(known), self.count)
        self._check(cut)
        places = {id(tensor): place for place, tensor in enumerate(self.captured)}
        state_of = [places.get(id(one)) for one in written]
        homes, wanted = self._homes(cut, known, results, state_of)
        chosen = [self.grid.whole if one is None else one for one in self._decided()]
        if parallel.values.enable_parallel_optimizer:
            self._share_states(chosen)
        self._agree()
        self._keep(homes, chosen)
        strategy_output.save([one for one in self.captured if not isinstance(one._value, Elsewhere)])
        given = [self.grid.whole if place is None else chosen[place] for place in state_of]
        program = PipelineExecutable(
            cut,
            self.grid,
            homes=[*homes, *(None if one is None else set(one) for one in self.input_stages)],
            wanted=wanted,
            shardings=[*chosen, *self._batch_shardings()],
            shapes=[form.shape for form in self.forms],
            outputs=[*[None] * results, *given],
        )
        return program, program

    def _stages_of_input(self, value: Any) -> tuple[int, ...] | None:
        """The stages that have an input: those that have a gradient, say, that an earlier graph gave."""
        raw = value._value if isinstance(value, Tensor) else value
        if isinstance(raw, Elsewhere):
            return raw.stages
        sharding = getattr(raw, "sharding", None)
        return (self.own,) if getattr(sharding, "mesh", None) == self.grid.mesh else None

    def _check(self, cut: Cut) -> None:
        trained = {node.label.stage for node in cut.nodes if node.label.phase == BACKWARD}
        if not any(node.label.phase > BEFORE and node.label.phase != AFTER for node in cut.nodes):
            return
        computing = {node.label.stage for node in cut.nodes if node.label.stage is not None}
        missing = sorted(set(range(self.count)) - computing)
        if trained and missing:
            raise ValueError(
                f"The 'pipeline_stages' of set_auto_parallel_context is {self.count}, but no Cell of the network that is "
                f"trained has the 'pipeline_stage' {missing[0]}. Give every Cell with Parameters a stage, as in "
                "net.layer.pipeline_stage = 1."
            )

    # -- who holds what -------------------------------------------------------------------------------------------------
    def _homes(
        self, cut: Cut, known: Sequence[Any], results: int, state_of: Sequence[int | None]
    ) -> tuple[list[set[int] | None], list[set[int]]]:
        """The stages that hold each captured Tensor (None: not decided here), and those that want each output."""
        everywhere = set(range(self.count))
        labels = cut.output_labels
        new = {place: label for place, label in zip(state_of, labels[results:], strict=True) if place is not None}
        homes: list[set[int] | None] = [None if one is None else set(one) for one in known]
        of_results = [self._wanted(cut, output, label) for output, label in zip(cut.outputs[:results], labels)]
        unknown: set[int] = set()  # who holds what nobody asks for; everybody, in the end
        for _ in range(_ROUNDS):
            of_state = [
                (None if place is None else homes[place]) or ({label.stage} if label.stage is not None else unknown)
                for place, label in zip(state_of, labels[results:], strict=True)
            ]
            needed = cut.demand([*of_results, *of_state])
            decided = [
                home if told is not None else self._home(tensor, new.get(place), needed.get(cut.inputs[place], set()))
                for place, (tensor, told, home) in enumerate(zip(self.captured, known, homes, strict=True))
            ]
            if decided == homes and unknown:
                return homes, [*of_results, *of_state]
            if decided == homes:
                unknown = everywhere
            homes = decided
        raise RuntimeError("The stages of the pipeline cannot decide who holds the Parameters.")

    def _wanted(self, cut: Cut, output: Any, label: Label) -> set[int]:
        """Results are for everybody, gradients for the stage that computed them."""
        small = not isinstance(output, int) or cut.forms[output].size == 1
        if label.stage is None or label.phase <= FORWARD or small:
            return set(range(self.count))
        return {label.stage}

    def _home(self, tensor: Tensor, new: Label | None, needed: set[int]) -> set[int] | None:
        everywhere = set(range(self.count))
        if not isinstance(tensor, Parameter):
            return everywhere
        if new is not None and new.stage is None and new.phase == BEFORE:  # a counter: everybody can count
            return everywhere
        if needed or new is None or new.stage is None:
            return set(needed) or None
        return {new.stage}

    def _agree(self) -> None:
        own = [
            one
            for one in self.captured
            if type(one) in (Tensor, Parameter) and "_stages" not in one.__dict__ and spmd.is_local(one._value)
        ]
        everybody = mesh.grid_of(tuple(process_group.devices_of(tuple(range(process_group.size())))))
        values = spmd.from_first_process(everybody, [one._value for one in own])
        for tensor, value in zip(own, values, strict=True):
            tensor._value = value

    def _keep(self, homes: Sequence[set[int] | None], chosen: Sequence[Any]) -> None:
        """Remember who holds each Parameter, and let go of what others hold."""
        for tensor, home, sharding in zip(self.captured, homes, chosen, strict=True):
            if not isinstance(tensor, Parameter) or home is None:
                continue
            tensor.__dict__["_stages"] = tuple(sorted(home))
            tensor.__dict__["_sharding"] = sharding
            if self.own not in home:
                tensor._value = Elsewhere(tensor._value.shape, tensor._value.dtype, tuple(sorted(home)))
