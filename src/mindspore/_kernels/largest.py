"""The largest element of every window and where it is, for windows of any kind: lists of positions along each axis."""

from __future__ import annotations

import dataclasses
import math
from collections.abc import Sequence
from typing import Any, ClassVar

import jax.numpy as jnp
import numpy as np

from mindspore._kernels.primitive import NativeKernel, call
from mindspore._kernels.sorting import take_along

_AXES = 3
Positions = tuple[tuple[tuple[int, ...], ...], ...]  # of the elements of each window, for each axis; -1 is none


def largest_of_windows(x: Any, positions: Sequence[np.ndarray]) -> tuple[Any, Any]:
    """Values and places in the flattened spatial axes (int32), of x: (N, C, ...)."""
    missing = _AXES - len(positions)
    lists = [np.zeros((1, 1), np.int64)] * missing + list(positions)
    lengths = (1,) * missing + tuple(x.shape[2:])
    valid = [np.where((one >= 0) & (one < length), one, -1) for one, length in zip(lists, lengths, strict=True)]
    kernel = Largest(tuple(tuple(map(tuple, one.tolist())) for one in valid))
    shape = (*x.shape[:2], *(len(one) for one in positions))
    values, places = call(kernel, x.reshape(x.shape[0] * x.shape[1], *lengths))
    return values.reshape(shape), places.reshape(shape)


@dataclasses.dataclass(frozen=True)
class Largest(NativeKernel):
    """Volumes (planes, depth, height, width) -> values, places; of equal elements the first."""

    positions: Positions
    targets: ClassVar = {"float32": "mycelium_largest"}

    def shapes(self, *operands: Any) -> Sequence[tuple[int, ...]]:
        return [(operands[0].shape[0], *map(len, self.positions))] * 2

    def dtypes(self, *operands: Any) -> Sequence[Any]:
        return [operands[0].dtype, jnp.int32]

    def plain(self, *operands: Any) -> Sequence[Any]:
        (x,) = operands
        lengths = x.shape[1:]
        flat, valid = np.zeros((), np.int32), np.ones((), bool)
        for axis, own in enumerate(map(np.array, self.positions)):
            x = jnp.take(x, np.maximum(own, 0), axis=1 + 2 * axis)
            shape = [1] * (2 * _AXES)
            shape[axis], shape[_AXES + axis] = own.shape  # windows first, their elements behind
            flat = flat * np.int32(lengths[axis]) + np.maximum(own, 0).astype(np.int32).reshape(shape)
            valid = valid & (own >= 0).reshape(shape)
        found = x.transpose(0, 1, 3, 5, 2, 4, 6)
        outputs = found.shape[1:4]
        found = found.reshape(found.shape[0], *outputs, math.prod(found.shape[4:]))
        flat, valid = flat.reshape(*outputs, -1), valid.reshape(*outputs, -1)
        lowest = -np.inf if jnp.issubdtype(x.dtype, jnp.inexact) else jnp.iinfo(x.dtype).min
        # an invalid element never wins: of equal ones the first, and those that count are put before it
        first = jnp.argmax(jnp.where(valid, found, np.array(lowest, x.dtype)), axis=-1)[..., None]
        first = jnp.where(
            jnp.take_along_axis(jnp.broadcast_to(valid, found.shape), first, -1), first, valid.argmax(-1)[..., None]
        )
        places = jnp.take_along_axis(jnp.broadcast_to(flat, found.shape), first, -1)[..., 0]
        return [jnp.take_along_axis(found, first, -1)[..., 0], places]

    def jvp_beside(self, results: Sequence[Any], primals: Sequence[Any], tangents: Sequence[Any]) -> Sequence[Any]:
        planes, size = primals[0].shape[0], math.prod(primals[0].shape[1:])
        places = results[1].reshape(planes, math.prod(results[1].shape[1:]))  # of no planes, too
        return [take_along(tangents[0].reshape(planes, size), places, 1).reshape(results[1].shape), None]

    def layouts(self, operands: Sequence[Any], results: Sequence[Any]) -> tuple[list, list]:
        return [tuple(range(x.ndim)) for x in operands], [tuple(range(x.ndim)) for x in results]

    def attributes(self) -> dict[str, Any]:
        lists = [np.array([len(own), len(own[0]), *np.ravel(own)], np.int64) for own in self.positions]
        return {"windows": np.concatenate(lists)}
