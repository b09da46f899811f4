"""Graphs as one program over all devices of a mesh, in the modes that plan whole graphs.

A graph sees whole Tensors. What each process passes is its part of the batch (``dataset_strategy``); Parameters are cut as
the operators that take them say, and XLA's partitioner decides the rest. Results come back whole; Parameters that are cut
stay cut between the calls.
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
from mindspore._engine.runtime import mesh
from mindspore._engine.runtime.mesh import Grid
from mindspore._engine.runtime.parallel_context import parallel
from mindspore._engine.tensor.parameter import Parameter
from mindspore._engine.tensor.tensor import Tensor
from mindspore._kernels.primitive import portable


class Division:
    """How one graph is divided among the devices: traced, decided, compiled."""

    def __init__(self, grid: Grid, captured: Sequence[Tensor], inputs: Sequence[Any], takes_batches: bool):
        self.plan = Plan(grid, mesh.stage_count())
        self.grid = grid
        self.captured = captured
        self.state_forms = [_form(np.shape(one._value), one._value) for one in captured]
        self.batches = [Batch(grid, place, value, takes_batches) for place, value in enumerate(inputs)]

    @property
    def forms(self) -> list[Any]:
        return [*self.state_forms, *(batch.form for batch in self.batches)]

    def trace(self, function: Callable[..., Any]) -> Any:
        """Trace the graph on whole Tensors."""
        state.plan = self.plan
        try:
            return jax.jit(function).trace(*self.forms)
        finally:
            state.plan = None

    # -- how state is cut -----------------------------------------------------------------------------------------------
    def compile(self, function: Callable[..., Any], results: int, written: Sequence[Tensor]) -> tuple[Any, Any]:
        """The lowered graph and its program; outputs are so many results, then what was written."""
        asked = self._decided()
        lowered = self._lowered(function, asked, results, written)
        compiled = lowered.compile() if None in asked else None
        chosen: list[Any] = asked if compiled is None else self._completed(asked, compiled.input_shardings[0])
        if parallel.values.enable_parallel_optimizer:
            self._share_states(chosen)
        if compiled is None or not self._came_so(compiled, chosen, results, written):
            lowered = self._lowered(function, chosen, results, written)
            compiled = lowered.compile()
        inputs = [*chosen, *self._batch_shardings()]
        shapes = [None] * len(chosen) + [batch.form.shape for batch in self.batches]
        self._agree()
        for tensor, sharding in zip(self.captured, chosen, strict=True):
            if isinstance(tensor, Parameter):
                tensor.__dict__["_sharding"] = sharding
        strategy_output.save(self.captured)
        sharding_file.save(self.grid, self.captured, chosen)
        changed = {id(one) for one in written}
        only_read = [place for place, one in enumerate(self.captured) if id(one) not in changed]
        return lowered, SpmdExecutable(compiled, inputs, shapes, self._outputs(chosen, results, written), only_read)

    def _completed(self, asked: list, proposed: Sequence[Any]) -> list[NamedSharding]:
        """What was open is cut as XLA proposes."""
        forms = zip(asked, self.state_forms, proposed[: len(asked)], strict=True)
        return [self._fitting(form, choice) if one is None else one for one, form, choice in forms]

    def _came_so(self, compiled: Any, chosen: list, results: int, written: Sequence[Tensor]) -> bool:
        """Whether a program that was compiled with open choices takes and gives state in the same form, the one chosen."""
        taken = zip(compiled.input_shardings[0], chosen, [len(form.shape) for form in self.state_forms], strict=False)
        outputs = self._outputs(chosen, results, written)[results:]
        given = zip(compiled.output_shardings[results:], outputs, [np.ndim(one._value) for one in written], strict=True)
        return all(came is None or came.is_equivalent_to(wanted, count) for came, wanted, count in (*taken, *given))

    def _lowered(self, function: Any, chosen: list, results: int, written: Sequence[Tensor]) -> Any:
        inputs, outputs = (*chosen, *self._batch_shardings()), tuple(self._outputs(chosen, results, written))
        traced = jax.jit(function, in_shardings=inputs, out_shardings=outputs).trace(*self.forms)
        with portable():  # XLA cannot divide a kernel of ours
            return traced.lower()

    def _batch_shardings(self) -> list[NamedSharding]:
        return [batch.sharding(self.plan.has_strategies) for batch in self.batches]

    def _outputs(self, chosen: list, results: int, written: Sequence[Tensor]) -> list:
        """Results are whole; what was written stays as it came."""
        places = {id(tensor): place for place, tensor in enumerate(self.captured)}
        kept = [chosen[places[id(one)]] if id(one) in places else self.grid.whole for one in written]
        return [self.grid.whole] * results + kept

    def _decided(self) -> list[NamedSharding | None]:
        """What is known before XLA is asked; None for what it may choose."""
        chosen: list[NamedSharding | None] = [self._known(one) for one in self.captured]
        for place, weight in zero.weights_of(self.captured).items():
            if chosen[place] is None:
                chosen[place] = chosen[weight]
        open_ = self.plan.has_strategies
        return [
            one if one is not None or (open_ and isinstance(tensor, Parameter) and tensor.shape) else self.grid.whole
            for one, tensor in zip(chosen, self.captured, strict=True)
        ]

    def _known(self, tensor: Tensor) -> NamedSharding | None:
        asked = tensor.__dict__.get("_cuts")
        if asked is not None:
            labels = [f"p{place}" for place in range(tensor.ndim)]
            name = getattr(tensor, "name", "")
            return self.grid.sharding(Assignment(self.grid, name, asked).axes(asked, tensor.shape, labels))
        present = getattr(tensor._value, "sharding", None)
        if isinstance(present, NamedSharding) and present.mesh == self.grid.mesh and not present.is_fully_replicated:
            return present
        return sharding_file.loaded(self.grid, tensor) or self.plan.parameters.get(tensor)

    def _fitting(self, form: Any, proposed: Any) -> NamedSharding:
        """What XLA chose, if it cuts into equal parts."""
        if not isinstance(proposed, NamedSharding) or proposed.mesh != self.grid.mesh:
            return self.grid.whole
        axes = mesh.axes_of(proposed, len(form.shape))
        even = all(size % self.grid.cut(one) == 0 for size, one in zip(form.shape, axes, strict=True))
        return self.grid.sharding(axes) if even else self.grid.whole

    def _share_states(self, chosen: list[Any]) -> None:
        """Divide the states of optimizers further, among the devices that hold the same part of the weight."""
        size = zero.group_size()
        for place, weight in zero.weights_of(self.captured).items():
            if zero.is_worth_it(self.captured[weight]):
                chosen[place] = self._shared(chosen[weight], self.captured[weight].shape, size)

    def _shared(self, weight: NamedSharding, shape: Sequence[int], size: int) -> NamedSharding:
        axes = mesh.axes_of(weight, len(shape))
        free = [name for name in self.grid.sizes if not any(name in one for one in axes)]
        more = tuple(free) if size < 1 else self.grid.choose(size, free)
        for dimension, length in enumerate(shape):
            if more and length % (self.grid.cut(axes[dimension]) * self.grid.cut(more)) == 0:
                return self.grid.sharding([*axes[:dimension], (*axes[dimension], *more), *axes[dimension + 1 :]])
        return weight

    def _agree(self) -> None:
        """Begin with the state of the first process everywhere: random numbers may differ without a seed."""
        if process_group.size() == 1:
            return
        own = [one for one in self.captured if type(one) in (Tensor, Parameter) and is_local(one._value)]
        values = from_first_process(self.grid, [one._value for one in own])
        for tensor, value in zip(own, values, strict=True):
            tensor._value = value


class Batch:
    """One input of a graph: which part of the whole this process passes, and how the whole is cut."""

    def __init__(self, grid: Grid, place: int, value: Any, is_part: bool):
        raw = value._value if isinstance(value, Tensor) else value
        shape = np.shape(raw)
        self.grid = grid
        self.fixed: NamedSharding | None = grid.whole
        told = parallel.values.dataset_strategy
        together = grid.processes > 1
        if isinstance(value, Tensor) and shape and is_part and not getattr(value, "_whole", False) and is_local(raw):
            if isinstance(told, tuple):
                shape, self.fixed = self._by_strategy(told, place, shape, together)
            elif told == "full_batch":
                self.fixed = None  # depends on what the graph does with it
            elif together:
                shape = (shape[0] * grid.processes, *shape[1:])
                self.fixed = self._rows(shape)
            else:
                self.fixed = grid.first_axis(shape)
        elif isinstance(raw, jax.Array) and not is_local(raw) and isinstance(raw.sharding, NamedSharding):
            self.fixed = raw.sharding
        self.form = _form(shape, raw)

    def sharding(self, has_strategies: bool) -> NamedSharding:
        """How the whole is cut. A whole batch is, unless operators say how."""
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
        self, told: tuple, place: int, shape: tuple[int, ...], together: bool
    ) -> tuple[tuple[int, ...], NamedSharding]:
        if place >= len(told):
            raise ValueError(
                f"The 'dataset_strategy' {told} must have one element for each input, but there are more than {len(told)}."
            )
        cuts = told[place]
        if together and len(cuts) == len(shape):
            shape = tuple(size * cut for size, cut in zip(shape, cuts, strict=True))
        labels = [f"i{axis}" for axis in range(len(shape))]
        axes = Assignment(self.grid, "dataset_strategy", told).axes(cuts, shape, labels)
        return shape, self.grid.sharding(axes)


class SpmdExecutable:
    """A compiled program of all devices, called with what this process has.

    Args:
        shapes: of the whole inputs, of which this process may have parts; None for state.
        only_read: the places of state that the program does not write.
    """

    def __init__(
        self,
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
        self.cut = [not one.is_fully_replicated for one in outputs]
        self.known: dict[int, tuple[Any, Any]] = {}  # arrays of the last call in both forms

    def __call__(self, *values: Any) -> tuple:
        known, shared = self.known, []
        for place, value in enumerate(values):
            found = known.get(id(value))
            shared.append(found[1] if found is not None else self._share(place, value))
        results = run_program(self.program, shared)
        own = tuple(one if cut else one.addressable_data(0) for one, cut in zip(results, self.cut, strict=True))
        self.known = {id(one): (one, result) for one, result in zip(own, results, strict=True)}
        for place in self.only_read:
            self.known[id(values[place])] = (values[place], shared[place])
        return own

    def _share(self, place: int, value: Any) -> Any:
        return shared(value, self.shardings[place], self.shapes[place])

    def cost_analysis(self) -> dict[str, float]:
        """What XLA says a call costs this process."""
        return self.program.cost_analysis()

    def as_text(self) -> str:
        """The program of one device, with the collectives in it."""
        return self.program.as_text()


def shared(value: Any, wanted: NamedSharding, shape: Any = None) -> Any:
    """What this process has of an array, as an array of all devices; ``shape`` is that of the whole."""
    if isinstance(value, jax.Array) and not is_local(value):
        return value if value.sharding.is_equivalent_to(wanted, value.ndim) else jax.device_put(value, wanted)
    whole = np.shape(value) if shape is None else shape
    own = isinstance(value, jax.Array) and value.devices() == wanted.addressable_devices
    if own and value.shape == wanted.shard_shape(whole):
        return jax.make_array_from_single_device_arrays(whole, wanted, [value])  # without a copy
    if np.shape(value) != whole:  # a part of a batch
        return jax.make_array_from_process_local_data(wanted, np.asarray(value), whole)
    if process_group.size() == 1:
        return jax.device_put(value, wanted)
    array = np.asarray(value)
    return jax.make_array_from_callback(array.shape, wanted, lambda index: array[index])


def from_first_process(grid: Grid, values: Sequence[Any]) -> list[Any]:
    """Arrays of the first process, for all of them."""
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
    return [one.addressable_data(0) for one in first]


def _form(shape: Sequence[int], value: Any) -> Any:
    """What stands for a value while a graph is traced."""
    weak = getattr(getattr(value, "aval", None), "weak_type", not hasattr(value, "dtype"))
    dtype = value.dtype if hasattr(value, "dtype") else np.result_type(value)
    return jax.ShapeDtypeStruct(tuple(shape), dtype, weak_type=weak)


def is_local(value: Any) -> bool:
    """Whether an array is on one device alone."""
    return not isinstance(value, jax.Array) or len(value.sharding.device_set) == 1


def takes_batches(roots: Sequence[Any]) -> bool:
    """Whether the inputs of a function are parts of batches; an optimizer takes whole gradients."""
    return not getattr(roots[0] if roots else None, "skip_auto_parallel_compile", False)
