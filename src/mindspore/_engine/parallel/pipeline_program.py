"""One process's share of a pipeline: compiled tasks with point-to-point transfers between them."""

from __future__ import annotations

import contextlib
import functools
from collections.abc import Sequence
from typing import Any

import jax
import jax.numpy as jnp
from jax.extend.core import Literal
from jax.sharding import NamedSharding

from mindspore._engine.execution import process_program
from mindspore._engine.execution.process_program import Ranks, Together, run_program
from mindspore._engine.parallel import spmd
from mindspore._engine.parallel.partition import Cut, Operation
from mindspore._engine.parallel.pipeline_schedule import BACKWARD, FORWARD, Move, Slot
from mindspore._engine.parallel.pipeline_work import Work
from mindspore._engine.runtime import mesh
from mindspore._engine.runtime.mesh import Elsewhere, Grid
from mindspore._engine.runtime.parallel_context import parallel
from mindspore._kernels.primitive import portable


class PipelineExecutable:
    """A pipeline, called like a program of all devices with this process's arguments.

    Args:
        cut: the graph in stages.
        grid: the mesh of this process's stage.
        homes: for each input the stages that hold it; None for all.
        wanted: for each output the stages that want it.
        shardings, shapes: of the global inputs on the mesh of the stage.
        outputs: the sharding of each output; None for a result, which is replicated.
    """

    def __init__(
        self,
        cut: Cut,
        grid: Grid,
        homes: Sequence[set[int] | None],
        wanted: Sequence[set[int]],
        shardings: Sequence[NamedSharding],
        shapes: Sequence[Any],
        outputs: Sequence[NamedSharding | None],
    ):
        self.cut, self.grid, self.own = cut, grid, mesh.own_stage()
        self.wanted, self.outputs = wanted, outputs
        self.work = Work(cut, homes, wanted, self.own, parallel.values.pipeline_config["pipeline_scheduler"])
        self.shardings = dict(zip(cut.inputs, shardings, strict=True))
        self.constants = {
            value: spmd.shared(jnp.asarray(array), grid.whole)
            for value, array in cut.constants.items()
            if value in self.work.used
        }
        self.shardings.update(dict.fromkeys(self.constants, grid.whole))
        self.programs: dict[Any, Any] = {}
        self.steps = [self._step(index, *event) for index, event in enumerate(self.work.events)]
        self.known: dict[int, tuple[Any, Any]] = {}  # by id: (local array, global array) of the last call
        self.inputs = [
            (position, value, shardings[position], shapes[position])
            for position, value in enumerate(cut.inputs)
            if value in self.work.used
        ]

        divided = any(
            self.own in stages and sharding is not None and not sharding.is_fully_replicated
            for stages, sharding in zip(wanted, outputs, strict=True)
        )
        self.kept = spmd.kept_shards(grid) if divided else None

    # -- compiling ------------------------------------------------------------------------------------------------------
    def _step(self, index: int, event: Slot | Move, parts: list[Any]) -> Any:
        if isinstance(event, Move):
            for value in parts if event.target == self.own else ():
                self.shardings[value] = self._transfer_sharding(value)
            forms = [
                (self._transfer_sharding(v).shard_shape(self.cut.forms[v].shape), self.cut.forms[v].dtype)
                for v in parts
            ]
            return Message(self, event, parts, forms, self.work.dropped(index, parts))
        made = {value for node in parts for value in node.gives}
        takes = list(dict.fromkeys(v for node in parts for v in node.values if v not in made))
        gives = [value for node in parts for value in node.gives if self.work.used.get(value, -1) > index]
        wanted = [self._required_sharding(value, parts) for value in gives]
        compiled = self._compiled(event, parts, takes, gives, wanted)
        for value, sharding in zip(gives, compiled.output_shardings, strict=True):
            self.shardings[value] = sharding
        ranks = mesh.ranks_of_stage(self.own) if self.grid.processes > 1 else ()
        return Computation(compiled, ranks, takes, gives, self.work.dropped(index, takes))

    def _transfer_sharding(self, value: int) -> NamedSharding:
        """The sharding of a value in transit: each device sends its shard to its peer in the other stage."""
        return self.grid.first_axis(self.cut.forms[value].shape)

    def _required_sharding(self, value: int, nodes: Sequence[Operation]) -> NamedSharding | None:
        """The sharding that a task's output must have; None leaves it to XLA."""
        if any(value in parts for move, parts in self.work.moves.items() if move.source == self.own):
            return self._transfer_sharding(value)
        for output, sharding, stages in zip(self.cut.outputs, self.outputs, self.wanted, strict=True):
            if isinstance(output, int) and output == value and self.own in stages:
                return sharding or self.grid.whole
        maker = self.work.makers[value]
        before = next((self.shardings.get(operand) for operand in maker.values if operand in self.shardings), None)
        return before if maker.name.startswith("add") and len(nodes) > 1 else None  # an accumulator keeps its sharding

    def _compiled(self, event: Slot, nodes: list[Operation], takes: list[int], gives: list[int], wanted: list) -> Any:
        def task(*arrays: Any) -> list[Any]:
            known = dict(zip(takes, arrays, strict=True))
            for node in nodes:
                operands = [operand.val if isinstance(operand, Literal) else known[operand] for operand in node.takes]
                known.update(zip(node.gives, node.function(*operands), strict=True))
            return [known[value] for value in gives]

        task.__name__ = f"stage_{event.stage}_{event.task.short[0]}"
        forms = [jax.ShapeDtypeStruct(self.cut.forms[v].shape, self.cut.forms[v].dtype) for v in takes]
        shardings = tuple(self.shardings[value] for value in takes)
        traced = jax.jit(task, in_shardings=shardings, out_shardings=wanted).trace(*forms)
        key = (str(traced.jaxpr), shardings, tuple(wanted))
        if key not in self.programs:
            with portable() if self.grid.size > 1 else contextlib.nullcontext():
                lowered = traced.lower()
            self.programs[key] = lowered.compile()
        return self.programs[key]

    # -- running --------------------------------------------------------------------------------------------------------
    def __call__(self, *values: Any) -> tuple:
        known, present = self.known, dict(self.constants)
        kept = {}
        for position, value, sharding, shape in self.inputs:
            argument = values[position]
            if isinstance(argument, Elsewhere):
                raise argument.error()
            found = known.get(id(argument))
            present[value] = array = found[1] if found is not None else spmd.shared(argument, sharding, shape)
            kept[id(argument)] = (argument, array)
        if self.kept is not None:
            self.kept.begin()
        for step in self.steps:
            step(present)
        self.known = kept
        results = tuple(self._output(index, present) for index in range(len(self.wanted)))
        if self.kept is not None:
            self.kept.keep([array for array in results if not getattr(array, "is_fully_addressable", True)])
        return results

    def _output(self, index: int, present: dict[int, Any]) -> Any:
        output, stages, sharding = self.cut.outputs[index], self.wanted[index], self.outputs[index]
        if not isinstance(output, int):
            return jnp.asarray(output.val)
        if self.own not in stages:
            form = self.cut.forms[output]
            return Elsewhere(form.shape, form.dtype, tuple(sorted(stages)))
        array = present[output]
        if sharding is None and len(stages) < self.cut.stages:
            return array  # its mesh identifies the stage
        wanted = sharding or self.grid.whole
        if not array.sharding.is_equivalent_to(wanted, array.ndim):
            array = jax.device_put(array, wanted)
        if not wanted.is_fully_replicated:
            return array
        own = array.addressable_data(0)
        self.known[id(own)] = (own, array)
        return own

    def footprint(self) -> tuple[int, int]:
        """Peak liveness of forward activations on this process: micro batches in flight, and bytes."""
        forward = {value for value, node in self.work.makers.items() if node.label.phase == FORWARD}
        sizes = {value: self.cut.forms[value].size * self.cut.forms[value].dtype.itemsize for value in forward}
        begun = most = bytes_ = largest = 0
        for (event, _), step in zip(self.work.events, self.steps, strict=True):
            if isinstance(event, Slot):
                begun += {FORWARD: 1, BACKWARD: -1}.get(event.task.phase, 0)
                most = max(most, begun)
            bytes_ += sum(sizes.get(value, 0) for value in step.gives)
            largest = max(largest, bytes_)
            bytes_ -= sum(sizes.get(value, 0) for value in step.dropped)
        return most, largest

    def as_text(self) -> str:
        """The optimised HLO of this process's programs."""
        return "\n".join(program.as_text() for program in self.programs.values())

    def cost_analysis(self) -> dict[str, float]:
        """XLA's cost analysis, summed over this process's tasks."""
        total: dict[str, float] = {}
        for step in self.steps:
            if isinstance(step, Computation):
                for name, value in step.program.cost_analysis().items():
                    total[name] = total.get(name, 0.0) + value
        return total


class Computation:
    """One compiled task, run jointly by the processes of the stage."""

    def __init__(self, program: Any, ranks: Ranks, takes: list[int], gives: list[int], dropped: list[int]):
        self.program, self.takes, self.gives, self.dropped = program, takes, gives, dropped
        self.ranks = ranks

    def __call__(self, present: dict[int, Any]) -> None:
        arrays = [present[value] for value in self.takes]
        for value in self.dropped:
            del present[value]
        results = run_program(self.program, arrays, self.ranks) if self.ranks else self.program(*arrays)
        present.update(zip(self.gives, results, strict=True))


class Message:
    """Values that this process sends to, or receives from, its peer of another stage."""

    def __init__(self, owner: PipelineExecutable, move: Move, values: list[int], forms: list, dropped: list[int]):
        self.values, self.dropped, self.grid = values, dropped, owner.grid
        self.sends = move.source == owner.own
        self.gives = [] if self.sends else values
        group_rank = mesh.ranks_of_stage(owner.own).index(jax.process_index())
        pair = (mesh.ranks_of_stage(move.source)[group_rank], mesh.ranks_of_stage(move.target)[group_rank])
        self.program = _send_program(pair, tuple((tuple(shape), str(dtype)) for shape, dtype in forms))
        self.forms = forms
        self.shapes = [owner.cut.forms[value].shape for value in values]
        self.shardings = [owner._transfer_sharding(value) for value in values]

    def __call__(self, present: dict[int, Any]) -> None:
        if self.sends:
            self._pass([present[value].addressable_data(0) for value in self.values])
        else:
            arrived = self._pass([_placeholder(tuple(shape), str(dtype)) for shape, dtype in self.forms])
            for value, shape, sharding, part in zip(self.values, self.shapes, self.shardings, arrived, strict=True):
                present[value] = jax.make_array_from_single_device_arrays(shape, sharding, [part])
        for value in self.dropped:
            present.pop(value, None)

    def _pass(self, parts: list[Any]) -> Any:
        results = self.program(*parts)
        self.program.known = {}
        return results


@functools.cache
def _send_program(pair: tuple[int, int], forms: tuple) -> Together:
    """A two-process program: ppermute from the first to the second."""

    def function(*arrays: Any) -> tuple:
        return tuple(jax.lax.ppermute(array, process_program.AXIS, [(0, 1)]) for array in arrays)

    stand_ins = [jnp.zeros(shape, dtype) for shape, dtype in forms]
    return Together(process_program.traced(function, stand_ins, pair).lower().compile(), pair)


@functools.cache
def _placeholder(shape: tuple[int, ...], dtype: str) -> Any:
    return jnp.zeros(shape, dtype)
