"""ZeRO: optimizer states sharded over data-parallel devices (``enable_parallel_optimizer``).

In SPMD graphs (``spmd.py``) a sharded state is one more NamedSharding. In graphs of data-parallel processes
(``execution/process_program.py``) it is a global array that the graph all-gathers at its start and slices at its end.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import jax
import numpy as np
from jax import lax
from jax.sharding import NamedSharding, PartitionSpec

from mindspore._engine.base.trace_state import state
from mindspore._engine.execution.process_program import AXIS, Ranks, Together, mesh_of, run_program
from mindspore._engine.parallel.shard_exchange import KeptShards
from mindspore._engine.runtime.parallel_context import ParallelMode, parallel
from mindspore._engine.tensor.parameter import Parameter
from mindspore._engine.tensor.tensor import Tensor

_SMALLEST = 64  # KiB; below this the collective costs more than the memory is worth


def weights_of(captured: Sequence[Tensor]) -> dict[int, int]:
    """Index of each optimizer state -> index of its weight, matched by name: 'moments.w' belongs to 'w'."""
    index_of = {parameter.name: index for index, parameter in enumerate(captured) if isinstance(parameter, Parameter)}
    found = {}
    for name, index_ in index_of.items():
        parts = name.split(".")
        endings = (".".join(parts[start:]) for start in range(1, len(parts)))
        weight = next((index_of[ending] for ending in endings if ending in index_of), None)
        if weight is not None and captured[weight].shape == captured[index_].shape:
            found[index_] = weight
    return found


def is_worth_it(weight: Tensor) -> bool:
    """Whether the states of a weight are sharded."""
    threshold = parallel.values.parallel_optimizer_config.get("parallel_optimizer_threshold", -1)
    least = 1024 * (threshold if threshold >= 0 else _SMALLEST)
    return getattr(weight, "parallel_optimizer", True) and weight.nbytes >= least


def group_size() -> int:
    """The number of devices that states are sharded over; -1 for as many as possible."""
    values = parallel.values
    return values.parallel_optimizer_config.get("optimizer_weight_shard_size", values.optimizer_weight_shard_size)


# -- data-parallel processes -----------------------------------------------------------------------------------------------
def shared(captured: Sequence[Tensor], ranks: Ranks) -> set[int]:
    """Indices of the states that these processes shard among themselves, along the first axis."""
    values = parallel.values
    if not values.enable_parallel_optimizer or values.parallel_mode != ParallelMode.DATA_PARALLEL:
        return set()
    return {
        state
        for state, weight in weights_of(captured).items()
        if is_worth_it(captured[weight]) and captured[state].ndim and captured[state].shape[0] % len(ranks) == 0
    }


def compile(
    function: Callable[..., Any], captured: Sequence[Tensor], forms: Any, taken: set[int], trace: Any, ranks: Ranks
) -> tuple[Any, DividedStates]:
    """Compile a graph of these processes whose states at the indices ``taken`` are passed and returned as shards."""
    divided = {id(captured[index_]) for index_ in taken}
    given = {trace.results + index for index, x in enumerate(trace.written) if id(x) in divided}

    def on_shards(*values: Any) -> tuple:
        whole = [
            lax.all_gather(value, AXIS, tiled=True) if position in taken else value
            for position, value in enumerate(values)
        ]
        return tuple(_own_rows(x, len(ranks)) if index_ in given else x for index_, x in enumerate(function(*whole)))

    part, same = PartitionSpec(AXIS), PartitionSpec()
    arguments = jax.tree.leaves(forms)
    mesh = mesh_of(ranks)
    in_specs = tuple(part if index_ in taken else same for index_ in range(len(arguments)))
    out_specs = tuple(part if index_ in given else same for index_ in range(trace.results + len(trace.written)))
    shardings = [NamedSharding(mesh, spec) for spec in in_specs]
    stand_ins = [
        jax.ShapeDtypeStruct(argument.shape, argument.dtype, sharding=sharding, weak_type=argument.weak_type)
        for argument, sharding in zip(arguments, shardings, strict=True)
    ]
    before, state.processes = state.processes, ranks
    try:
        spread = jax.shard_map(on_shards, mesh=mesh, in_specs=in_specs, out_specs=out_specs, check_vma=False)
        lowered = jax.jit(spread).trace(*stand_ins).lower()
    finally:
        state.processes = before
    return lowered, DividedStates(lowered.compile(), ranks, taken, given)


def _own_rows(value: Any, parts: int) -> Any:
    """This process's rows of a replicated array."""
    rows = value.shape[0] // parts
    return lax.dynamic_slice_in_dim(value, lax.axis_index(AXIS) * rows, rows)


class DividedStates(Together):
    """A multi-process program whose optimizer states stay sharded, as global arrays, between calls."""

    def __init__(self, program: Any, ranks: Ranks, taken: set[int], given: set[int]):
        super().__init__(program, ranks)
        self.taken, self.given = taken, given
        self.part = NamedSharding(self.sharding.mesh, PartitionSpec(AXIS))
        self.kept = KeptShards(ranks, program)

    def __call__(self, *values: Any) -> tuple:
        arrays, known = [], self.known
        for index_, value in enumerate(values):
            found = known.get(id(value))
            share = self._shard if index_ in self.taken else self._share
            arrays.append(found[1] if found is not None else share(value))
        self.kept.begin()
        results = run_program(self.program, arrays)
        self.kept.keep([array for index, array in enumerate(results) if index in self.given])
        local = tuple(
            array if position in self.given else array.addressable_data(0) for position, array in enumerate(results)
        )
        self.known = {id(array): (array, result) for array, result in zip(local, results, strict=True)}
        return local

    def _shard(self, value: Any) -> Any:
        if isinstance(value, jax.Array) and len(value.sharding.device_set) > 1:
            return value
        array = np.asarray(value)
        return jax.make_array_from_callback(array.shape, self.part, lambda index: array[index])
