"""The devices of a job as one mesh, and MindSpore's strategies as NamedShardings on it.

Mesh axes have prime sizes, so that every feasible strategy is a product of them: with 8 devices (d0, d1, d2), each of size 2,
the strategy ``(2, 4)`` shards a Tensor's first axis over d0 and its second over d1 and d2. As in MindSpore the last axis of
devices varies fastest.
"""

from __future__ import annotations

import functools
import math
from collections.abc import Callable, Iterable, Sequence
from typing import Any

import jax
import numpy as np
from jax.core import Tracer
from jax.sharding import Mesh, NamedSharding, PartitionSpec

from mindspore._engine.cluster import process_group
from mindspore._engine.runtime.parallel_context import device_count, parallel, plans_graphs

Axes = tuple[str, ...]


class Grid:
    """A device mesh whose axes have prime sizes."""

    def __init__(self, devices: Sequence[Any]):
        self.size = len(devices)
        sizes = primes(self.size) or (1,)
        self.sizes = {f"d{number}": size for number, size in enumerate(sizes)}
        self.mesh = Mesh(np.array(devices).reshape(sizes), tuple(self.sizes))
        self.whole = self.sharding(())
        self.processes = len({device.process_index for device in devices})

    def sharding(self, axes: Iterable[Axes]) -> NamedSharding:
        """The NamedSharding that splits each Tensor axis over these mesh axes."""
        parts = [None if not axis else axis[0] if len(axis) == 1 else tuple(axis) for axis in axes]
        while parts and parts[-1] is None:
            parts.pop()
        return NamedSharding(self.mesh, PartitionSpec(*parts))

    def choose(self, parts: int, free: Iterable[str], first: Axes = ()) -> Axes | None:
        """Pick unused mesh axes whose sizes multiply to ``parts``, those in ``first`` preferably; None if there are none."""
        unused = list(free)
        chosen: list[str] = []
        for prime in primes(parts):
            candidates = [
                name for name in (*(name_ for name_ in first if name_ in unused), *unused) if self.sizes[name] == prime
            ]
            if not candidates:
                return None
            chosen.append(candidates[0])
            unused.remove(candidates[0])
        return tuple(sorted(chosen, key=list(self.sizes).index))

    def cut(self, axes: Iterable[str]) -> int:
        """The number of shards along these mesh axes."""
        return math.prod(self.sizes[name] for name in axes)

    def first_axis(self, shape: Sequence[int]) -> NamedSharding:
        """Shard the first axis over all devices; replicate if its size is not divisible."""
        fits = len(shape) > 0 and shape[0] > 0 and shape[0] % self.size == 0
        return self.sharding([tuple(self.sizes)]) if fits else self.whole


def axes_of(sharding: NamedSharding, dimensions: int) -> list[Axes]:
    """The mesh axes that shard each axis of a Tensor."""
    parts = [() if entry is None else (entry,) if isinstance(entry, str) else tuple(entry) for entry in sharding.spec]
    return parts + [()] * (dimensions - len(parts))


@functools.cache
def primes(number: int) -> tuple[int, ...]:
    """The prime factors, smallest first.

    >>> primes(8), primes(12), primes(1)
    ((2, 2, 2), (2, 2, 3), ())
    """
    factor = 2
    while factor * factor <= number:
        if number % factor == 0:
            return (factor, *primes(number // factor))
        factor += 1
    return (number,) if number > 1 else ()


@functools.cache
def grid_of(devices: tuple[Any, ...]) -> Grid:
    """The mesh of these devices, cached."""
    return Grid(devices)


def current() -> Grid | None:
    """The mesh that graphs are compiled for; None where every process compiles for itself."""
    if not plans_graphs():
        return None
    count = device_count()
    if process_group.size() > 1:
        everywhere = sorted(jax.devices(), key=lambda device: (device.process_index, device.id))
        if count not in (process_group.size(), len(everywhere)):
            raise ValueError(
                f"The 'device_num' is {count}, but the job has {process_group.size()} processes. Leave 'device_num' out of "
                "set_auto_parallel_context: it is known after init()."
            )
        if stage_count() > 1:
            return grid_of(tuple(process_group.devices_of(ranks_of_stage(own_stage()))))
        return grid_of(
            tuple(process_group.devices_of(tuple(range(count))) if count == process_group.size() else everywhere)
        )
    local = jax.local_devices()
    return grid_of(tuple(local[:count])) if 1 < count <= len(local) else None


# -- pipeline stages: each has its own mesh ---------------------------------------------------------------------------------
def stage_count() -> int:
    """The number of pipeline stages; one where all devices run the same SPMD program."""
    stages = parallel.values.pipeline_stages
    if stages == 1 or process_group.size() == 1 or not plans_graphs():
        return 1
    if process_group.size() % stages:
        raise ValueError(
            f"The 'pipeline_stages' of set_auto_parallel_context must divide the number of processes, {process_group.size()}, but "
            f"got {stages}."
        )
    return stages


def ranks_of_stage(stage: int) -> tuple[int, ...]:
    """The ranks of a stage: consecutive blocks, in the order of stages."""
    size = process_group.size() // stage_count()
    return tuple(range(stage * size, (stage + 1) * size))


def own_stage() -> int:
    """The pipeline stage of this process."""
    return process_group.rank() * stage_count() // process_group.size()


class Elsewhere:
    """Placeholder for an array that only processes of other pipeline stages hold."""

    nbytes = 0

    def __init__(self, shape: Sequence[int], dtype: Any, stages: tuple[int, ...]):
        self.shape, self.dtype, self.stages = tuple(shape), dtype, stages
        self.ndim, self.size = len(self.shape), math.prod(self.shape)

    def error(self) -> RuntimeError:
        """The error to raise when its value is read."""
        stages = " and ".join(map(str, self.stages))
        return RuntimeError(
            f"A Tensor of shape {self.shape} is with the processes of pipeline stage {stages}; this one is of stage "
            f"{own_stage()}. Look at it there, or save a checkpoint on every process: each saves what it holds."
        )

    def __array__(self, *_: Any, **__: Any) -> Any:
        raise self.error()


def is_elsewhere(tensor: Any) -> bool:
    """Whether only processes of other pipeline stages hold a Tensor."""
    return isinstance(getattr(tensor, "_value", None), Elsewhere)


@functools.cache
def _all_gather(mesh: Mesh) -> Any:
    return jax.jit(lambda value: value, out_shardings=NamedSharding(mesh, PartitionSpec()))


def gathered(value: Any) -> Any:
    """All-gather a sharded array into a local one; a collective, unless a shard source can fetch the shards."""
    if isinstance(value, Elsewhere):
        raise value.error()
    for fetch in shard_sources:
        if (fetched := fetch(value)) is not None:
            return jax.device_put(fetched, jax.local_devices()[0])
    if not isinstance(value, jax.Array) or not isinstance(value.sharding, NamedSharding):
        raise RuntimeError(f"An array of several processes cannot be gathered: {value!r}.")
    return _all_gather(value.sharding.mesh)(value).addressable_data(0)


def own_shard(value: Any) -> Any:
    """This process's shard of an array; the array itself if it is fully addressable."""
    if isinstance(value, jax.Array) and not value.is_fully_addressable:
        return value.addressable_data(0)
    return value


def all_gather_in_place(tensors: Iterable[Any]) -> bool:
    """All-gather sharded arrays in place for a local op; return whether there were any."""
    found = False
    for tensor in tensors:
        value = getattr(tensor, "_value", None)
        if isinstance(value, Elsewhere):
            raise value.error()
        if isinstance(value, jax.Array) and not isinstance(value, Tracer) and len(value.sharding.device_set) > 1:
            tensor._value = gathered(value)
            found = True
    return found


def whole_values(values: list[Any]) -> list[Any]:
    """Arrays for an operator that this process runs alone: those sharded over several processes are fetched."""
    return [
        gathered(value)
        if isinstance(value, jax.Array) and not isinstance(value, Tracer) and not value.is_fully_addressable
        else value
        for value in values
    ]


shard_sources: list[Callable[[Any], np.ndarray | None]] = []  # tried before the all-gather: fetch shards point to point
