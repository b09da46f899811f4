"""Graphs as one SPMD program over all devices of a mesh (semi-automatic and automatic parallel modes).

A graph is traced on global shapes. Each process passes its shard of the batch (``dataset_strategy``); Parameters are sharded
as the strategies of their operators say, and XLA's partitioner propagates the rest. Results come back replicated; sharded
Parameters stay sharded between calls.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import jax
import numpy as np
from jax.sharding import NamedSharding

from mindspore._engine.base.trace_state import state
from mindspore._engine.cluster import process_group
from mindspore._engine.execution.process_program import run_program
from mindspore._engine.operator.sharding import Assignment, Plan
from mindspore._engine.parallel import sharding_file, strategy_output, zero
from mindspore._engine.parallel.shard_exchange import KeptShards
from mindspore._engine.runtime import mesh
from mindspore._engine.runtime.mesh import Grid
from mindspore._engine.runtime.parallel_context import parallel
from mindspore._engine.tensor.parameter import Parameter
from mindspore._engine.tensor.tensor import Tensor
from mindspore._kernels.primitive import portable


class Division:
    """Partitions one graph over the mesh: trace, choose shardings, compile."""

    reused: tuple[int, ...] = ()  # indices of state that the program overwrites

    def __init__(self, grid: Grid, captured: Sequence[Tensor], inputs: Sequence[Any], takes_batches: bool):
        self.plan = Plan(grid, mesh.stage_count())
        self.grid = grid
        self.captured = captured
        self.state_forms = [_form(np.shape(tensor._value), tensor._value) for tensor in captured]
        self.batches = [Batch(grid, index, value, takes_batches) for index, value in enumerate(inputs)]

    @property
    def forms(self) -> list[Any]:
        return [*self.state_forms, *(batch.form for batch in self.batches)]

    def may_overwrite(self) -> bool:
        """Whether state may be overwritten: nobody else asks for the values before, and no peer can be lost in the middle."""
        return self.grid.processes == 1

    def trace(self, function: Callable[..., Any]) -> Any:
        """Trace the graph on global shapes."""
        state.plan = self.plan
        try:
            return jax.jit(function).trace(*self.forms)
        finally:
            state.plan = None

    # -- shardings of state ----------------------------------------------------------------------------------------------
    def compile(self, function: Callable[..., Any], results: int, written: Sequence[Tensor]) -> tuple[Any, Any]:
        """The lowered graph and its executable. Outputs: ``results`` return values, then the written tensors."""
        asked = self._decided()
        lowered = self._lowered(function, asked, results, written)
        compiled = lowered.compile() if None in asked else None
        chosen: list[Any] = asked if compiled is None else self._completed(asked, compiled.input_shardings[0])
        if parallel.values.enable_parallel_optimizer:
            self._shard_states(chosen)
        if compiled is None or not self._has_shardings(compiled, chosen, results, written):
            lowered = self._lowered(function, chosen, results, written)
            compiled = lowered.compile()
        inputs = [*chosen, *self._batch_shardings()]
        shapes = [None] * len(chosen) + [batch.form.shape for batch in self.batches]
        self._broadcast_initial()
        for tensor, sharding in zip(self.captured, chosen, strict=True):
            if isinstance(tensor, Parameter):
                tensor.__dict__["_sharding"] = sharding
        strategy_output.save(self.captured)
        sharding_file.save(self.grid, self.captured, chosen)
        changed = {id(tensor_) for tensor_ in written}
        only_read = [index for index, tensor_ in enumerate(self.captured) if id(tensor_) not in changed]
        outputs = self._outputs(chosen, results, written)
        return lowered, SpmdExecutable(self.grid, compiled, inputs, shapes, outputs, only_read)

    def _completed(self, asked: list, proposed: Sequence[Any]) -> list[NamedSharding]:
        """Fill in open shardings with the ones XLA proposes."""
        forms = zip(asked, self.state_forms, proposed[: len(asked)], strict=True)
        return [self._fitting(form, choice) if sharding is None else sharding for sharding, form, choice in forms]

    def _has_shardings(self, compiled: Any, chosen: list, results: int, written: Sequence[Tensor]) -> bool:
        """Whether a program compiled with open shardings already takes and returns state with the chosen ones."""
        taken = zip(compiled.input_shardings[0], chosen, [len(form.shape) for form in self.state_forms], strict=False)
        outputs = self._outputs(chosen, results, written)[results:]
        given = zip(
            compiled.output_shardings[results:], outputs, [np.ndim(tensor._value) for tensor in written], strict=True
        )
        return all(
            actual is None or actual.is_equivalent_to(wanted, count) for actual, wanted, count in (*taken, *given)
        )

    def _lowered(self, function: Any, chosen: list, results: int, written: Sequence[Tensor]) -> Any:
        inputs, outputs = (*chosen, *self._batch_shardings()), tuple(self._outputs(chosen, results, written))
        jitted = jax.jit(function, in_shardings=inputs, out_shardings=outputs, donate_argnums=self.reused)
        traced = jitted.trace(*self.forms)
        with portable():  # XLA's partitioner cannot split a custom call
            return traced.lower()

    def _batch_shardings(self) -> list[NamedSharding]:
        return [batch.sharding(self.plan.has_strategies) for batch in self.batches]

    def _outputs(self, chosen: list, results: int, written: Sequence[Tensor]) -> list:
        """Results are replicated; written state keeps its input sharding."""
        index_of = {id(tensor): index for index, tensor in enumerate(self.captured)}
        kept = [chosen[index_of[id(written_)]] if id(written_) in index_of else self.grid.whole for written_ in written]
        return [self.grid.whole] * results + kept

    def _decided(self) -> list[NamedSharding | None]:
        """The shardings known before XLA is asked; None where it may choose."""
        chosen: list[NamedSharding | None] = [self._known(sharding) for sharding in self.captured]
        for state_index, weight in zero.weights_of(self.captured).items():
            if chosen[state_index] is None:
                chosen[state_index] = chosen[weight]
        open_ = self.plan.has_strategies
        return [
            sharding
            if sharding is not None or (open_ and isinstance(tensor, Parameter) and tensor.shape)
            else self.grid.whole
            for sharding, tensor in zip(chosen, self.captured, strict=True)
        ]

    def _known(self, tensor: Tensor) -> NamedSharding | None:
        asked = tensor.__dict__.get("_cuts")
        if asked is not None:
            labels = [f"p{index}" for index in range(tensor.ndim)]
            name = getattr(tensor, "name", "")
            return self.grid.sharding(Assignment(self.grid, name, asked).axes(asked, tensor.shape, labels))
        present = getattr(tensor._value, "sharding", None)
        if isinstance(present, NamedSharding) and present.mesh == self.grid.mesh and not present.is_fully_replicated:
            return present
        return sharding_file.loaded(self.grid, tensor) or self.plan.parameters.get(tensor)

    def _fitting(self, form: Any, proposed: Any) -> NamedSharding:
        """XLA's proposal if it shards evenly; replicated otherwise."""
        if not isinstance(proposed, NamedSharding) or proposed.mesh != self.grid.mesh:
            return self.grid.whole
        axes = mesh.axes_of(proposed, len(form.shape))
        even = all(size % self.grid.cut(axis) == 0 for size, axis in zip(form.shape, axes, strict=True))
        return self.grid.sharding(axes) if even else self.grid.whole

    def _shard_states(self, chosen: list[Any]) -> None:
        """ZeRO: shard optimizer states further, over the devices that replicate the weight's shard."""
        size = zero.group_size()
        for state_index, weight in zero.weights_of(self.captured).items():
            if zero.is_worth_it(self.captured[weight]):
                chosen[state_index] = self._shared(chosen[weight], self.captured[weight].shape, size)

    def _shared(self, weight: NamedSharding, shape: Sequence[int], size: int) -> NamedSharding:
        axes = mesh.axes_of(weight, len(shape))
        free = [name for name in self.grid.sizes if not any(name in axis for axis in axes)]
        more = tuple(free) if size < 1 else self.grid.choose(size, free)
        for dimension, length in enumerate(shape):
            if more and length % (self.grid.cut(axes[dimension]) * self.grid.cut(more)) == 0:
                return self.grid.sharding([*axes[:dimension], (*axes[dimension], *more), *axes[dimension + 1 :]])
        return weight

    def _broadcast_initial(self) -> None:
        """Broadcast process 0's state: without a seed initial values differ between processes."""
        if process_group.size() == 1:
            return
        tensors = [
            tensor_ for tensor_ in self.captured if type(tensor_) in (Tensor, Parameter) and is_local(tensor_._value)
        ]
        values = from_first_process(self.grid, [tensor_._value for tensor_ in tensors])
        for tensor, value in zip(tensors, values, strict=True):
            tensor._value = value


class Batch:
    """One input of a graph: the shard this process passes, and the sharding of the global array."""

    def __init__(self, grid: Grid, index: int, value: Any, is_part: bool):
        raw = value._value if isinstance(value, Tensor) else value
        shape = np.shape(raw)
        self.grid = grid
        self.fixed: NamedSharding | None = grid.whole
        strategy = parallel.values.dataset_strategy
        multi_process = grid.processes > 1
        if isinstance(value, Tensor) and shape and is_part and not getattr(value, "_whole", False) and is_local(raw):
            if isinstance(strategy, tuple):
                shape, self.fixed = self._by_strategy(strategy, index, shape, multi_process)
            elif strategy == "full_batch":
                self.fixed = None  # decided once we know whether operators have strategies
            elif multi_process:
                shape = (shape[0] * grid.processes, *shape[1:])
                self.fixed = self._rows(shape)
            else:
                self.fixed = grid.first_axis(shape)
        elif isinstance(raw, jax.Array) and not is_local(raw) and isinstance(raw.sharding, NamedSharding):
            self.fixed = raw.sharding
        self.form = _form(shape, raw)

    def sharding(self, has_strategies: bool) -> NamedSharding:
        """The sharding of the global array. A full batch is split on its first axis unless operators have strategies."""
        if self.fixed is not None:
            return self.fixed
        return self.grid.whole if has_strategies else self.grid.first_axis(self.form.shape)

    def _rows(self, shape: tuple[int, ...]) -> NamedSharding:
        if shape[0] % self.grid.size:
            raise ValueError(
                f"A batch of {shape[0]} rows cannot be divided among {self.grid.size} devices. Choose another batch size, or "
                "set_auto_parallel_context(full_batch=True) and pass whole batches."
            )
        return self.grid.first_axis(shape)

    def _by_strategy(
        self, strategy: tuple, index: int, shape: tuple[int, ...], multi_process: bool
    ) -> tuple[tuple[int, ...], NamedSharding]:
        if index >= len(strategy):
            raise ValueError(
                f"The 'dataset_strategy' {strategy} must have one element for each input, but there are more than {len(strategy)}."
            )
        cuts = strategy[index]
        if multi_process and len(cuts) == len(shape):
            shape = tuple(size * cut for size, cut in zip(shape, cuts, strict=True))
        labels = [f"i{axis}" for axis in range(len(shape))]
        axes = Assignment(self.grid, "dataset_strategy", strategy).axes(cuts, shape, labels)
        return shape, self.grid.sharding(axes)


class SpmdExecutable:
    """A compiled program of all devices, called with this process's arguments.

    Args:
        shapes: global shapes of the inputs, of which this process may pass shards; None for state.
        only_read: indices of state that the program does not write.
    """

    def __init__(
        self,
        grid: Grid,
        program: Any,
        inputs: Sequence[NamedSharding],
        shapes: Sequence[Any],
        outputs: Sequence[NamedSharding],
        only_read: Sequence[int],
    ):
        self.program = program
        self.only_read = only_read
        self.shardings = inputs
        self.shapes = shapes
        self.cut = [not output.is_fully_replicated for output in outputs]
        self.known: dict[int, tuple[Any, Any]] = {}  # by id: (local array, global array) of the last call
        self.kept = kept_shards(grid, program) if any(self.cut) else None

    def __call__(self, *values: Any) -> tuple:
        known, shared = self.known, []
        for index, value in enumerate(values):
            found = known.get(id(value))
            shared.append(found[1] if found is not None else self._share(index, value))
        if self.kept is not None:
            self.kept.begin()
        results = run_program(self.program, shared)
        if self.kept is not None:
            self.kept.keep([array for array, cut in zip(results, self.cut, strict=True) if cut])
        own = tuple(array if cut else array.addressable_data(0) for array, cut in zip(results, self.cut, strict=True))
        self.known = {id(array): (array, result) for array, result in zip(own, results, strict=True)}
        for index in self.only_read:
            self.known[id(values[index])] = (values[index], shared[index])
        return own

    def _share(self, index: int, value: Any) -> Any:
        return shared(value, self.shardings[index], self.shapes[index])

    def cost_analysis(self) -> dict[str, float]:
        """XLA's cost analysis of this process's program."""
        return self.program.cost_analysis()

    def as_text(self) -> str:
        """The optimised HLO of one device, collectives included."""
        return self.program.as_text()


def shared(value: Any, wanted: NamedSharding, shape: Any = None) -> Any:
    """The global array of which this process holds a shard or a copy; ``shape`` is the global shape."""
    if isinstance(value, jax.Array) and not is_local(value):
        return value if value.sharding.is_equivalent_to(wanted, value.ndim) else jax.device_put(value, wanted)
    whole = np.shape(value) if shape is None else shape
    own = isinstance(value, jax.Array) and value.devices() == wanted.addressable_devices
    if own and value.shape == wanted.shard_shape(whole):
        return jax.make_array_from_single_device_arrays(whole, wanted, [value])  # zero-copy
    if np.shape(value) != whole:  # a shard of the batch
        return jax.make_array_from_process_local_data(wanted, np.asarray(value), whole)
    if process_group.size() == 1:
        return jax.device_put(value, wanted)
    array = np.asarray(value)
    return jax.make_array_from_callback(array.shape, wanted, lambda index: array[index])


def kept_shards(grid: Grid, program: Any = None) -> KeptShards | None:
    """What serves the sharded results of a program to the other processes of its mesh; None if there are none."""
    if grid.processes == 1:
        return None
    ranks = tuple(sorted({device.process_index for device in grid.mesh.devices.flat}))
    return KeptShards(ranks, program, grid.size)


def from_first_process(grid: Grid, values: Sequence[Any]) -> list[Any]:
    """Broadcast arrays from process 0 to all processes."""
    if not values:
        return []
    stacked = grid.sharding([tuple(grid.sizes)])
    rows = grid.size // process_group.size()
    shared = []
    for value in values:
        array = np.asarray(value)
        own = np.broadcast_to(array, (rows, *array.shape))
        shared.append(jax.make_array_from_process_local_data(stacked, own, (grid.size, *array.shape)))
    first = jax.jit(lambda *arrays: [array[0] for array in arrays], out_shardings=grid.whole)(*shared)
    return [array_.addressable_data(0) for array_ in first]


def _form(shape: Sequence[int], value: Any) -> Any:
    """The ShapeDtypeStruct to trace a value with."""
    weak = getattr(getattr(value, "aval", None), "weak_type", not hasattr(value, "dtype"))
    dtype = value.dtype if hasattr(value, "dtype") else np.result_type(value)
    return jax.ShapeDtypeStruct(tuple(shape), dtype, weak_type=weak)


def is_local(value: Any) -> bool:
    """Whether an array lives on a single device."""
    return not isinstance(value, jax.Array) or len(value.sharding.device_set) == 1


def takes_batches(roots: Sequence[Any]) -> bool:
    """Whether a function's inputs are shards of a batch; an optimizer takes whole gradients."""
    return not getattr(roots[0] if roots else None, "skip_auto_parallel_compile", False)
