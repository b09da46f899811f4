"""Pipeline parallelism: every process runs the tasks of its stage and sends what other stages need.

Every process traces the whole graph and partitions it identically (``partition.py``). It compiles only its own tasks, holds
only the Parameters these read, and executes its part of the common schedule (``pipeline_schedule.py``). Within a stage a task
is one SPMD program over the stage's mesh, as in ``spmd.py``.
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

_ROUNDS = 20  # bound of the fixed-point iteration over Parameter placement; it converges in a few


def division(grid: Grid, captured: Sequence[Tensor], inputs: Sequence[Any], takes_batches: bool) -> spmd.Division:
    """How a graph is divided among the devices: one SPMD program, or pipeline stages."""
    kind = Stages if mesh.stage_count() > 1 else spmd.Division
    return kind(grid, captured, inputs, takes_batches)


class Stages(spmd.Division):
    """A graph divided into pipeline stages, each with its own mesh."""

    def __init__(self, grid: Grid, captured: Sequence[Tensor], inputs: Sequence[Any], takes_batches: bool):
        super().__init__(grid, captured, inputs, takes_batches)
        self.count = mesh.stage_count()
        self.own = mesh.own_stage()
        self.input_stages = [self._stages_of_input(input_) for input_ in inputs]

    def trace(self, function: Callable[..., Any]) -> Any:
        self.traced = super().trace(function)
        return self.traced

    def may_overwrite(self) -> bool:
        return False

    def compile(
        self, function: Callable[..., Any], results: int, written: Sequence[Tensor]
    ) -> tuple[Any, PipelineExecutable]:
        known = [tensor.__dict__.get("_stages") for tensor in self.captured]
        cut = Cut(self.traced.jaxpr, [*known, *self.input_stages], len(known), self.count)
        self._check(cut)
        index_of = {id(tensor): index for index, tensor in enumerate(self.captured)}
        state_of = [index_of.get(id(tensor)) for tensor in written]
        homes, wanted = self._homes(cut, known, results, state_of)
        chosen = [self.grid.whole if sharding is None else sharding for sharding in self._decided()]
        if parallel.values.enable_parallel_optimizer:
            self._shard_states(chosen)
        self._broadcast_initial()
        self._keep(homes, chosen)
        strategy_output.save([tensor for tensor in self.captured if not isinstance(tensor._value, Elsewhere)])
        given = [self.grid.whole if state is None else chosen[state] for state in state_of]
        program = PipelineExecutable(
            cut,
            self.grid,
            homes=[*homes, *(None if stage is None else set(stage) for stage in self.input_stages)],
            wanted=wanted,
            shardings=[*chosen, *self._batch_shardings()],
            shapes=[form.shape for form in self.forms],
            outputs=[*[None] * results, *given],
        )
        return program, program

    def _stages_of_input(self, value: Any) -> tuple[int, ...] | None:
        """The stages that hold an input; a gradient of an earlier graph may live on one stage only."""
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
        """Fixed point of: the stages that hold each captured Tensor (None: undecided), and the stages that want each output."""
        everywhere = set(range(self.count))
        labels = cut.output_labels
        new = {
            state_index: label
            for state_index, label in zip(state_of, labels[results:], strict=True)
            if state_index is not None
        }
        homes: list[set[int] | None] = [None if stages is None else set(stages) for stages in known]
        of_results = [self._wanted(cut, output, label) for output, label in zip(cut.outputs[:results], labels)]
        unknown: set[int] = set()  # holders of state that no stage reads; replicated in the end
        for _ in range(_ROUNDS):
            of_state = [
                (None if state_index is None else homes[state_index])
                or ({label.stage} if label.stage is not None else unknown)
                for state_index, label in zip(state_of, labels[results:], strict=True)
            ]
            needed = cut.demand([*of_results, *of_state])
            decided = [
                home if stages is not None else self._home(tensor, new.get(index), needed.get(cut.inputs[index], set()))
                for index, (tensor, stages, home) in enumerate(zip(self.captured, known, homes, strict=True))
            ]
            if decided == homes and unknown:
                return homes, [*of_results, *of_state]
            if decided == homes:
                unknown = everywhere
            homes = decided
        raise RuntimeError("The stages of the pipeline cannot decide who holds the Parameters.")

    def _wanted(self, cut: Cut, output: Any, label: Label) -> set[int]:
        """Results are replicated on all stages; a gradient stays on the stage that computed it."""
        small = not isinstance(output, int) or cut.forms[output].size == 1
        if label.stage is None or label.phase <= FORWARD or small:
            return set(range(self.count))
        return {label.stage}

    def _home(self, tensor: Tensor, new: Label | None, needed: set[int]) -> set[int] | None:
        everywhere = set(range(self.count))
        if not isinstance(tensor, Parameter):
            return everywhere
        if new is not None and new.stage is None and new.phase == BEFORE:  # a step counter: cheap to replicate
            return everywhere
        if needed or new is None or new.stage is None:
            return set(needed) or None
        return {new.stage}

    def _broadcast_initial(self) -> None:
        """Broadcast process 0's initial values of Tensors without a stage."""
        tensors = [
            tensor
            for tensor in self.captured
            if type(tensor) in (Tensor, Parameter) and "_stages" not in tensor.__dict__ and spmd.is_local(tensor._value)
        ]
        everybody = mesh.grid_of(tuple(process_group.devices_of(tuple(range(process_group.size())))))
        values = spmd.from_first_process(everybody, [tensor._value for tensor in tensors])
        for tensor, value in zip(tensors, values, strict=True):
            tensor._value = value

    def _keep(self, homes: Sequence[set[int] | None], chosen: Sequence[Any]) -> None:
        """Record the stages that hold each Parameter, and free the values that other stages hold."""
        for tensor, home, sharding in zip(self.captured, homes, chosen, strict=True):
            if not isinstance(tensor, Parameter) or home is None:
                continue
            tensor.__dict__["_stages"] = tuple(sorted(home))
            tensor.__dict__["_sharding"] = sharding
            if self.own not in home:
                tensor._value = Elsewhere(tensor._value.shape, tensor._value.dtype, tuple(sorted(home)))
