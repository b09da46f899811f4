"""States of optimizers divided among the devices that train the same weights (``enable_parallel_optimizer``).

In graphs for a mesh (``spmd.py``) a divided state is one more sharding. In graphs of processes that each compute on their
own data (``collective.py``) it is an array of all processes that is gathered when the graph begins and cut when it ends.
"""

from __future__ import annotations

import itertools
from collections.abc import Callable, Sequence
from typing import Any

import jax
import numpy as np
from jax import lax
from jax.sharding import NamedSharding, PartitionSpec

from mindspore._engine.base.trace_state import state
from mindspore._engine.execution.process_program import AXIS, Ranks, Together, mesh_of, run_program
from mindspore._engine.parallel.zero_exchange import exchange
from mindspore._engine.runtime.parallel_context import ParallelMode, parallel
from mindspore._engine.tensor.parameter import Parameter
from mindspore._engine.tensor.tensor import Tensor

_numbers = itertools.count()  # of programs, the same on every process
_SMALLEST = 64  # kilobytes; the states of smaller weights are not worth dividing


def weights_of(captured: Sequence[Tensor]) -> dict[int, int]:
    """For each state of an optimizer the weight it belongs to, 'moments.w' to 'w', by their places."""
    places = {one.name: place for place, one in enumerate(captured) if isinstance(one, Parameter)}
    found = {}
    for name, place in places.items():
        parts = name.split(".")
        endings = (".".join(parts[start:]) for start in range(1, len(parts)))
        weight = next((places[one] for one in endings if one in places), None)
        if weight is not None and captured[weight].shape == captured[place].shape:
            found[place] = weight
    return found


def is_worth_it(weight: Tensor) -> bool:
    """Whether the states of a weight are divided."""
    threshold = parallel.values.parallel_optimizer_config.get("parallel_optimizer_threshold", -1)
    least = 1024 * (threshold if threshold >= 0 else _SMALLEST)
    return getattr(weight, "parallel_optimizer", True) and weight.nbytes >= least


def group_size() -> int:
    """Among how many devices states are divided; -1 for as many as possible."""
    values = parallel.values
    return values.parallel_optimizer_config.get("optimizer_weight_shard_size", values.optimizer_weight_shard_size)


# -- processes that compute on their own data ----------------------------------------------------------------------------
def shared(captured: Sequence[Tensor], ranks: Ranks) -> set[int]:
    """The places of states that these processes divide among themselves, along the first axis."""
    values = parallel.values
    if not values.enable_parallel_optimizer or values.parallel_mode != ParallelMode.DATA_PARALLEL:
        return set()
    return {
        place
        for place, weight in weights_of(captured).items()
        if is_worth_it(captured[weight]) and captured[place].ndim and captured[place].shape[0] % len(ranks) == 0
    }


def compile(
    function: Callable[..., Any], captured: Sequence[Tensor], forms: Any, taken: set[int], trace: Any, ranks: Ranks
) -> tuple[Any, DividedStates]:
    """A graph of these processes in which states at the places ``taken`` come and go in parts."""
    divided = {id(captured[place]) for place in taken}
    given = {trace.results + place for place, one in enumerate(trace.written) if id(one) in divided}

    def in_parts(*values: Any) -> tuple:
        whole = [lax.all_gather(one, AXIS, tiled=True) if place in taken else one for place, one in enumerate(values)]
        return tuple(
            _own_rows(one, len(ranks)) if place in given else one for place, one in enumerate(function(*whole))
        )

    part, same = PartitionSpec(AXIS), PartitionSpec()
    arguments = jax.tree.leaves(forms)
    mesh = mesh_of(ranks)
    in_specs = tuple(part if place in taken else same for place in range(len(arguments)))
    out_specs = tuple(part if place in given else same for place in range(trace.results + len(trace.written)))
    shardings = [NamedSharding(mesh, spec) for spec in in_specs]
    stand_ins = [
        jax.ShapeDtypeStruct(one.shape, one.dtype, sharding=sharding, weak_type=one.weak_type)
        for one, sharding in zip(arguments, shardings, strict=True)
    ]
    before, state.processes = state.processes, ranks
    try:
        spread = jax.shard_map(in_parts, mesh=mesh, in_specs=in_specs, out_specs=out_specs, check_vma=False)
        lowered = jax.jit(spread).trace(*stand_ins).lower()
    finally:
        state.processes = before
    return lowered, DividedStates(lowered.compile(), ranks, taken, given)


def _own_rows(value: Any, parts: int) -> Any:
    rows = value.shape[0] // parts
    return lax.dynamic_slice_in_dim(value, lax.axis_index(AXIS) * rows, rows)


class DividedStates(Together):
    """A program of several processes that keeps states in parts: as arrays of all processes between the calls."""

    def __init__(self, program: Any, ranks: Ranks, taken: set[int], given: set[int]):
        super().__init__(program, ranks)
        self.taken, self.given = taken, given
        self.part = NamedSharding(self.sharding.mesh, PartitionSpec(AXIS))
        self.number, self.calls = next(_numbers), 0
        self.last: list[Any] = []  # divided results
        exchange.meet(ranks)

    def __call__(self, *values: Any) -> tuple:
        arrays, known = [], self.known
        for place, value in enumerate(values):
            found = known.get(id(value))
            share = self._cut if place in self.taken else self._share
            arrays.append(found[1] if found is not None else share(value))
        jax.block_until_ready(self.last)  # nobody is further ahead than others can ask back
        results = run_program(self.program, arrays)
        self.last = [one for place, one in enumerate(results) if place in self.given]
        exchange.keep(self.number, self.calls, self.last)
        self.calls += 1
        own = tuple(one if place in self.given else one.addressable_data(0) for place, one in enumerate(results))
        self.known = {id(one): (one, result) for one, result in zip(own, results, strict=True)}
        return own

    def _cut(self, value: Any) -> Any:
        if isinstance(value, jax.Array) and len(value.sharding.device_set) > 1:
            return value
        array = np.asarray(value)
        return jax.make_array_from_callback(array.shape, self.part, lambda index: array[index])
