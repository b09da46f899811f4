"""The devices of a job as one mesh, and how strategies of MindSpore become shardings on it.

The axes of the mesh have prime sizes, so that every strategy that is possible at all is one of its axes: with 8 devices
(d0, d1, d2), each of size 2, a Tensor cut ``(2, 4)`` is cut by d0 along its first axis and by d1 and d2 along its second.
Like in MindSpore the last axis of devices varies fastest.
"""

from __future__ import annotations

import functools
import math
from collections.abc import Iterable, Sequence
from typing import Any

import jax
import numpy as np
from jax.core import Tracer
from jax.sharding import Mesh, NamedSharding, PartitionSpec

from mindspore._engine import world
from mindspore._engine.parallel_context import device_count, plans_graphs

Axes = tuple[str, ...]


class Grid:
    """A mesh of devices with axes of prime sizes."""

    def __init__(self, devices: Sequence[Any]):
        self.size = len(devices)
        sizes = primes(self.size)
        self.sizes = {f"d{number}": size for number, size in enumerate(sizes)}
        self.mesh = Mesh(np.array(devices).reshape(sizes), tuple(self.sizes))
        self.whole = self.sharding(())

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
def _grid(devices: tuple[Any, ...]) -> Grid:
    return Grid(devices)


def current() -> Grid | None:
    """The mesh that graphs are compiled for now; None where every process computes for itself."""
    if not plans_graphs():
        return None
    count = device_count()
    if world.size() > 1:
        everywhere = sorted(jax.devices(), key=lambda device: (device.process_index, device.id))
        if count not in (world.size(), len(everywhere)):
            raise ValueError(
                f"The 'device_num' is {count}, but the job has {world.size()} processes. Leave 'device_num' out of "
                "set_auto_parallel_context: it is known after init()."
            )
        return _grid(tuple(world.devices_of(tuple(range(count))) if count == world.size() else everywhere))
    local = jax.local_devices()
    return _grid(tuple(local[:count])) if 1 < count <= len(local) else None


@functools.cache
def _gathering(mesh: Mesh) -> Any:
    return jax.jit(lambda value: value, out_shardings=NamedSharding(mesh, PartitionSpec()))


def gathered(value: Any) -> Any:
    """The whole of an array that processes hold parts of; all of them must ask."""
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
        if isinstance(value, jax.Array) and not isinstance(value, Tracer) and len(value.sharding.device_set) > 1:
            tensor._value = gathered(value)
            found = True
    return found
