"""The devices of a job as one mesh, and how strategies of MindSpore become shardings on it.

The axes of the mesh have prime sizes, so that every strategy that is possible at all is one of its axes: with 8 devices
(d0, d1, d2), each of size 2, a Tensor cut ``(2, 4)`` is cut by d0 along its first axis and by d1 and d2 along its second.
Like in MindSpore the last axis of devices varies fastest.
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
    """A mesh of devices with axes of prime sizes."""

    def __init__(self, devices: Sequence[Any]):
        self.size = len(devices)
        sizes = primes(self.size) or (1,)
        self.sizes = {f"d{number}": size for number, size in enumerate(sizes)}
        self.mesh = Mesh(np.array(devices).reshape(sizes), tuple(self.sizes))
        self.whole = self.sharding(())
        self.processes = len({device.process_index for device in devices})

    def sharding(self, axes: Iterable[Axes]) -> NamedSharding:
        """A Tensor whose axes are cut by these axes of the mesh."""
        parts = [None if not one else one[0] if len(one) == 1 else tuple(one) for one in axes]
        while parts and parts[-1] is None:
            parts.pop()
        return NamedSharding(self.mesh, PartitionSpec(*parts))

    def choose(self, cut: int, free: Iterable[str], first: Axes = ()) -> Axes | None:
        """Axes that cut into so many parts, from those that are free; those in ``first`` if they can be used."""
        left = list(free)
        chosen: list[str] = []
        for prime in primes(cut):
            candidates = [name for name in (*(one for one in first if one in left), *left) if self.sizes[name] == prime]
            if not candidates:
                return None
            chosen.append(candidates[0])
            left.remove(candidates[0])
        return tuple(sorted(chosen, key=list(self.sizes).index))

    def cut(self, axes: Iterable[str]) -> int:
        """Into how many parts these axes cut."""
        return math.prod(self.sizes[name] for name in axes)

    def first_axis(self, shape: Sequence[int]) -> NamedSharding:
        """Cut along the first axis over all devices; whole if it cannot be."""
        fits = len(shape) > 0 and shape[0] > 0 and shape[0] % self.size == 0
        return self.sharding([tuple(self.sizes)]) if fits else self.whole


def axes_of(sharding: NamedSharding, dimensions: int) -> list[Axes]:
    """The axes of the mesh that cut each axis of a Tensor."""
    parts = [() if one is None else (one,) if isinstance(one, str) else tuple(one) for one in sharding.spec]
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
    """The mesh of these devices."""
    return Grid(devices)


def current() -> Grid | None:
    """The mesh that graphs are compiled for now; None where every process computes for itself."""
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


# -- stages of a pipeline: each has a mesh of its own ------------------------------------------------------------------------
def stage_count() -> int:
    """How many pipeline stages the processes form; one where all devices compute everything together."""
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
    """The processes of a stage: the first ones are those of the first stage."""
    size = process_group.size() // stage_count()
    return tuple(range(stage * size, (stage + 1) * size))


def own_stage() -> int:
    """The stage of this process."""
    return process_group.rank() * stage_count() // process_group.size()


class Elsewhere:
    """Stands for an array that only processes of other pipeline stages hold."""

    nbytes = 0

    def __init__(self, shape: Sequence[int], dtype: Any, stages: tuple[int, ...]):
        self.shape, self.dtype, self.stages = tuple(shape), dtype, stages
        self.ndim, self.size = len(self.shape), math.prod(self.shape)

    def error(self) -> RuntimeError:
        """What to say when somebody wants to look at it."""
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
def _gathering(mesh: Mesh) -> Any:
    return jax.jit(lambda value: value, out_shardings=NamedSharding(mesh, PartitionSpec()))


def gathered(value: Any) -> Any:
    """The whole of an array that processes hold parts of; all of them must ask."""
    if isinstance(value, Elsewhere):
        raise value.error()
    for fetch in _part_sources:
        if (fetched := fetch(value)) is not None:
            return jax.device_put(fetched, jax.local_devices()[0])
    if not isinstance(value, jax.Array) or not isinstance(value.sharding, NamedSharding):
        raise RuntimeError(f"An array of several processes cannot be gathered: {value!r}.")
    return _gathering(value.sharding.mesh)(value).addressable_data(0)


def own_part(value: Any) -> Any:
    """What this process holds of an array: the part of its device, or everything if its devices have all parts."""
    if isinstance(value, jax.Array) and not value.is_fully_addressable:
        return value.addressable_data(0)
    return value


def brought_home(tensors: Iterable[Any]) -> bool:
    """Make what earlier graphs left in parts whole, for computations of this process alone; whether there was any."""
    found = False
    for tensor in tensors:
        value = getattr(tensor, "_value", None)
        if isinstance(value, Elsewhere):
            raise value.error()
        if isinstance(value, jax.Array) and not isinstance(value, Tracer) and len(value.sharding.device_set) > 1:
            tensor._value = gathered(value)
            found = True
    return found


def add_part_source(fetch: Callable[[Any], np.ndarray | None]) -> None:
    """Have ``fetch`` asked first for the whole of an array: it may collect shards from other processes one by one."""
    _part_sources.append(fetch)


_part_sources: list[Callable[[Any], np.ndarray | None]] = []
