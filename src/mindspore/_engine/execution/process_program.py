"""Programs of several processes (one device each).

Every process runs the same program on its own arrays. XLA sees one SPMD program over all their devices: a ``shard_map`` whose
arrays are declared replicated, though each process holds its own values. Collectives of ``jax.lax`` communicate along the mesh
axis ``AXIS``.
"""

from __future__ import annotations

import functools
import threading
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
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
    """``axis_index_groups`` while a collective of a process group is traced."""

    now: list[list[int]] | None = None
    rank: int = 0  # rank of this process within its group


_groups = _Groups()


def along() -> dict[str, Any]:
    """The ``jax.lax`` collective arguments for the current process group."""
    return {"axis_name": AXIS, "axis_index_groups": _groups.now}


def group_rank() -> Any:
    """The rank of this process within its group."""
    return jax.lax.axis_index(AXIS) if _groups.now is None else _groups.rank


def _divided(processes: Ranks, group: Ranks) -> list[list[int]]:
    """Partition all processes into groups of this size: XLA needs equal groups; those of the others are arbitrary."""
    members = [processes.index(rank) for rank in group]
    rest = [index for index in range(len(processes)) if index not in members]
    if len(rest) % len(members):
        raise ValueError(
            f"The processes {processes} of a graph cannot be divided into groups as large as {group}, which a collective in it "
            "uses."
        )
    return [members, *(rest[start : start + len(members)] for start in range(0, len(rest), len(members)))]


class NeedsProcesses(BaseException):
    """Raised when tracing for a single process meets a collective: retrace for these ranks.

    A BaseException, so that no handler on the way out treats it as a user error.
    """

    def __init__(self, ranks: Ranks):
        super().__init__(f"a collective of the processes {ranks}")
        self.ranks = ranks


@functools.cache
def _sharding(ranks: Ranks) -> NamedSharding:
    return NamedSharding(mesh_of(ranks), PartitionSpec())


def mesh_of(ranks: Ranks) -> Mesh:
    """The devices of these ranks as a mesh with the axis ``AXIS``."""
    return Mesh(np.array(process_group.devices_of(ranks)), (AXIS,))


def spread(function: Callable[..., Any], ranks: Ranks, donated: Sequence[int] = ()) -> Any:
    """The function as a jitted ``shard_map`` over these ranks, which may overwrite the arguments at ``donated``."""
    mesh = _sharding(ranks).mesh
    replicated = PartitionSpec()
    mapped = jax.shard_map(function, mesh=mesh, in_specs=replicated, out_specs=replicated, check_vma=False)
    return jax.jit(mapped, donate_argnums=tuple(donated))


def form_of(value: Any, ranks: Ranks) -> Any:
    """The ShapeDtypeStruct to trace a value with."""
    array = value if isinstance(value, (np.ndarray, jax.Array)) else np.asarray(value)
    weak = getattr(getattr(value, "aval", None), "weak_type", not hasattr(value, "dtype"))
    return jax.ShapeDtypeStruct(array.shape, array.dtype, sharding=_sharding(ranks), weak_type=weak)


def traced(function: Callable[..., Any], values: Sequence[Any], ranks: Ranks) -> Any:
    """Trace a function of arrays as a program of these ranks."""
    return traced_forms(function, [form_of(value, ranks) for value in values], ranks)


def traced_forms(function: Callable[..., Any], forms: Sequence[Any], ranks: Ranks, donated: Sequence[int] = ()) -> Any:
    """The same for arguments of these shapes and dtypes (ShapeDtypeStruct or abstract values)."""
    forms = [jax.ShapeDtypeStruct(x.shape, x.dtype, sharding=_sharding(ranks), weak_type=x.weak_type) for x in forms]
    before, state.processes = state.processes, ranks
    try:
        return spread(function, ranks, donated).trace(*forms)
    finally:
        state.processes = before


def run_program(program: Any, values: Sequence[Any], ranks: Ranks = ()) -> Any:
    """Run an executable of these ranks (all by default); raise LostProcess if a peer is gone."""
    process_group.begins(ranks)
    with names_the_lost():
        results = program(*values)
    process_group.began(results[-1] if results else None, ranks)
    return results


@contextmanager
def names_the_lost() -> Iterator[None]:
    """Raise LostProcess where a collective fails because a peer is gone."""
    try:
        yield
    except (ValueError, jax.errors.JaxRuntimeError) as error:
        if jax_errors.is_of_collectives(error):
            raise LostProcess(process_group.who_is_lost() or str(error).strip()) from None
        raise


class Together:
    """An executable of several processes, called with and returning local arrays."""

    def __init__(self, program: Any, ranks: Ranks):
        self.program = program
        self.ranks = ranks
        self.sharding = _sharding(ranks)
        self.device = process_group.devices_of((process_group.rank(),))[0]
        self.known: dict[
            int, tuple[Any, Any]
        ] = {}  # by id: (local array, global array) of the last call; state is passed back every step

    def __call__(self, *values: Any) -> tuple:
        global_arrays, known = [], self.known
        for value in values:
            found = known.get(id(value))
            global_arrays.append(found[1] if found is not None else self._share(value))
        results = run_program(self.program, global_arrays, self.ranks)
        local = tuple(result.addressable_data(0) for result in results)
        self.known = {id(array): (array, result) for array, result in zip(local, results)}
        return local

    def cost_analysis(self) -> dict[str, float]:
        """XLA's cost analysis of this process's program."""
        return self.program.cost_analysis()

    def _share(self, value: Any) -> Any:
        array = value if isinstance(value, jax.Array) else jax.device_put(value, self.device)
        return jax.make_array_from_single_device_arrays(array.shape, self.sharding, [array])


class CollectiveKernel(Kernel):
    """A kernel that uses ``jax.lax`` collectives along ``AXIS``."""

    __slots__ = ("gives_tuple", "programs", "ranks")

    def __init__(self, name: str, function: Callable[..., Any], ranks: Ranks, is_gradient: bool = False):
        super().__init__(name, function if is_gradient else _in_any_graph(name, function, len(ranks)))
        self.ranks = ranks
        self.programs: dict[Any, Together] = {}
        self.gives_tuple = False  # set when the function is traced
        self.jitted = self.execute  # type: ignore[assignment]

    def execute(self, *values: Any) -> Any:
        """Run eagerly, or inline into the current trace, which must be over these ranks."""
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
        all_ranks = state.processes == self.ranks
        _groups.now = None if all_ranks else _divided(state.processes, self.ranks)
        _groups.rank = self.ranks.index(process_group.rank())
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
    """Support SPMD graphs too: there ``count`` processes pass the same global Tensor, emulated by a ``vmap`` axis."""

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
    """Run an eager kernel that turned out to communicate; from now on it is dispatched as a CollectiveKernel."""
    if state.scope is not None:
        raise need
    kernel.jitted = CollectiveKernel(kernel.name, kernel.function, need.ranks).execute  # type: ignore[assignment]
    return kernel.jitted(*values)
