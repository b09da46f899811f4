"""Computations that several processes make together.

Every process runs the same program on arrays of its own. XLA sees one program over all their devices: ``shard_map`` with
arrays that are declared equal everywhere, though each process holds its own. Inside, the collectives of ``jax.lax`` find
the other processes along the axis ``AXIS``.
"""

from __future__ import annotations

import functools
import threading
from collections.abc import Callable, Sequence
from typing import Any

import jax
import numpy as np
from jax.sharding import Mesh, NamedSharding, PartitionSpec

from mindspore._engine.base import jax_errors
from mindspore._engine.base.errors import LostProcess
from mindspore._engine.base.kernel import Kernel, Mask, pull_back
from mindspore._engine.base.trace_state import state
from mindspore._engine.cluster import process_group

AXIS = "processes"

Ranks = tuple[int, ...]


class _Groups(threading.local):
    """How the processes of the program being traced are divided while a collective of some of them is traced."""

    now: list[list[int]] | None = None
    place: int = 0  # of this process within its group


_groups = _Groups()


def along() -> dict[str, Any]:
    """The arguments of a collective of ``jax.lax`` that say between whom."""
    return {"axis_name": AXIS, "axis_index_groups": _groups.now}


def own_place() -> Any:
    """The number of this process within the group."""
    return jax.lax.axis_index(AXIS) if _groups.now is None else _groups.place


def _divided(processes: Ranks, group: Ranks) -> list[list[int]]:
    """All processes in groups as large as this one. What the others do is theirs to say: only the sizes matter here."""
    places = [processes.index(one) for one in group]
    rest = [place for place in range(len(processes)) if place not in places]
    if len(rest) % len(places):
        raise ValueError(
            f"The processes {processes} of a graph cannot be divided into groups as large as {group}, which a collective in it "
            "uses."
        )
    return [places, *(rest[start : start + len(places)] for start in range(0, len(rest), len(places)))]


class NeedsProcesses(BaseException):
    """A collective was met while a graph was traced for one process alone: it must be traced for these instead.

    No Exception: nobody on the way out should take it for a mistake of the program and explain it.
    """

    def __init__(self, ranks: Ranks):
        super().__init__(f"a collective of the processes {ranks}")
        self.ranks = ranks


@functools.cache
def _sharding(ranks: Ranks) -> NamedSharding:
    return NamedSharding(mesh_of(ranks), PartitionSpec())


def mesh_of(ranks: Ranks) -> Mesh:
    """The devices of these processes along ``AXIS``."""
    return Mesh(np.array(process_group.devices_of(ranks)), (AXIS,))


def spread(function: Callable[..., Any], ranks: Ranks) -> Any:
    """The function as a program of all these processes, to be traced and compiled."""
    mesh = _sharding(ranks).mesh
    nowhere = PartitionSpec()
    return jax.jit(jax.shard_map(function, mesh=mesh, in_specs=nowhere, out_specs=nowhere, check_vma=False))


def form_of(value: Any, ranks: Ranks) -> Any:
    """What stands for a value while such a program is traced."""
    array = value if isinstance(value, (np.ndarray, jax.Array)) else np.asarray(value)
    weak = getattr(getattr(value, "aval", None), "weak_type", not hasattr(value, "dtype"))
    return jax.ShapeDtypeStruct(array.shape, array.dtype, sharding=_sharding(ranks), weak_type=weak)


def traced(function: Callable[..., Any], values: Sequence[Any], ranks: Ranks) -> Any:
    """A function of arrays, traced as a program of these processes."""
    before, state.processes = state.processes, ranks
    try:
        return spread(function, ranks).trace(*[form_of(value, ranks) for value in values])
    finally:
        state.processes = before


def run_program(program: Any, values: Sequence[Any], ranks: Ranks = ()) -> Any:
    """Run a compiled program of these processes, by default all; an error that says one of them is gone says so."""
    process_group.begins(ranks)
    try:
        results = program(*values)
    except (ValueError, jax.errors.JaxRuntimeError) as error:
        if jax_errors.is_of_collectives(error):
            raise LostProcess(process_group.who_is_lost() or str(error).strip()) from None
        raise
    process_group.began(results[-1] if results else None, ranks)
    return results


class Together:
    """A compiled program of several processes, called with arrays of this one and giving such arrays."""

    def __init__(self, program: Any, ranks: Ranks):
        self.program = program
        self.ranks = ranks
        self.sharding = _sharding(ranks)
        self.device = process_group.devices_of((process_group.rank(),))[0]
        self.known: dict[
            int, tuple[Any, Any]
        ] = {}  # arrays of the last call in both forms: state comes back every step

    def __call__(self, *values: Any) -> tuple:
        shared, known = [], self.known
        for value in values:
            found = known.get(id(value))
            shared.append(found[1] if found is not None else self._share(value))
        results = run_program(self.program, shared, self.ranks)
        own = tuple(result.addressable_data(0) for result in results)
        self.known = {id(one): (one, result) for one, result in zip(own, results)}
        return own

    def cost_analysis(self) -> dict[str, float]:
        """What XLA says a call costs this process."""
        return self.program.cost_analysis()

    def _share(self, value: Any) -> Any:
        array = value if isinstance(value, jax.Array) else jax.device_put(value, self.device)
        return jax.make_array_from_single_device_arrays(array.shape, self.sharding, [array])


class CollectiveKernel(Kernel):
    """A kernel whose function uses the collectives of ``jax.lax`` along ``AXIS``."""

    __slots__ = ("gives_tuple", "programs", "ranks")

    def __init__(self, name: str, function: Callable[..., Any], ranks: Ranks, is_gradient: bool = False):
        super().__init__(name, function if is_gradient else _in_any_graph(name, function, len(ranks)))
        self.ranks = ranks
        self.programs: dict[Any, Together] = {}
        self.gives_tuple = False  # known once the function was traced
        self.jitted = self.execute  # type: ignore[assignment]

    def execute(self, *values: Any) -> Any:
        """At once, or into the graph that is being traced, which must be one of these processes."""
        if state.scope is not None:
            return self._traced(values)
        key = tuple((np.shape(value), str(getattr(value, "dtype", type(value)))) for value in values)
        program = self.programs.get(key)
        if program is None:
            compiled = traced(self._as_tuple, values, self.ranks).lower().compile()
            program = self.programs[key] = Together(compiled, self.ranks)
        results = program(*values)
        program.known = {}
        return results if self.gives_tuple else results[0]

    def _traced(self, values: Sequence[Any]) -> Any:
        if state.plan is not None:
            return self.function(*values)
        if not set(self.ranks) <= set(state.processes):
            raise NeedsProcesses(tuple(range(process_group.size())) if state.processes else self.ranks)
        before = _groups.now
        whole = state.processes == self.ranks
        _groups.now = None if whole else _divided(state.processes, self.ranks)
        _groups.place = self.ranks.index(process_group.rank())
        try:
            return self.function(*values)
        finally:
            _groups.now = before

    def _as_tuple(self, *values: Any) -> tuple:
        result = self.function(*values)
        self.gives_tuple = isinstance(result, (tuple, list))
        return tuple(result) if self.gives_tuple else (result,)

    def make_vjp(self, wanted: Mask, given: Mask) -> Kernel:
        count = len(wanted)

        def backward(*flat: Any) -> tuple:
            return pull_back(self.function, flat[:count], wanted, given, flat[count:])

        return CollectiveKernel(f"{self.name}Grad", backward, self.ranks, is_gradient=True)


def _in_any_graph(name: str, function: Callable[..., Any], count: int) -> Callable[..., Any]:
    """The function, also in a graph that is one program of all devices: there so many processes pass the same whole Tensor."""

    def call(*values: Any) -> Any:
        if state.plan is None:
            return function(*values)
        try:
            return jax.vmap(function, None, None, axis_name=AXIS, axis_size=count)(*values)
        except ValueError as error:
            if not jax_errors.is_batched_output(error):
                raise
            raise ValueError(
                f"For '{name}', every process gets a part of its own, but in the modes 'semi_auto_parallel' and "
                "'auto_parallel' a graph computes on whole Tensors, which all processes share. Use operators that give all of "
                "them the same (AllReduce, AllGather, Broadcast), or parallel_mode='data_parallel'."
            ) from None

    return call


def run_together(kernel: Kernel, values: Sequence[Any], need: NeedsProcesses) -> Any:
    """Run a kernel outside of graphs that turned out to communicate inside; from now on it is run so."""
    if state.scope is not None:
        raise need
    kernel.jitted = CollectiveKernel(kernel.name, kernel.function, need.ranks).execute  # type: ignore[assignment]
    return kernel.jitted(*values)
