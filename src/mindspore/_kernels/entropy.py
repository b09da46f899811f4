"""The cross entropy of scores against classes: XLA keeps several arrays of the scores' size for it, the kernel none."""

from __future__ import annotations

import dataclasses
import math
from collections.abc import Sequence
from typing import Any, ClassVar

import jax.numpy as jnp
from jax import lax

from mindspore._kernels.primitive import NativeKernel, call

_FEWEST = 1 << 12  # scores: fewer are joined by XLA with what stands around them


def class_entropy(scores: Any, classes: Any, axis: int) -> Any:
    """Minus the log softmax at each class along an axis; 0 where there is no such class, whose gradient is the softmax."""
    shape, classes = classes.shape, jnp.clip(classes, -1, scores.shape[axis]).astype(jnp.int32)  # beyond is beyond
    if not all(isinstance(size, int) for size in scores.shape) or scores.size < _FEWEST:
        return ClassEntropy().plain(jnp.moveaxis(scores, axis, -1)[..., None], classes[..., None])[0][..., 0]
    outer, inner = math.prod(scores.shape[:axis]), math.prod(scores.shape[axis + 1 :])
    rows = scores.reshape(outer, scores.shape[axis], inner)
    return call(ClassEntropy(), rows, classes.reshape(outer, inner))[0].reshape(shape)


@dataclasses.dataclass(frozen=True)
class ClassEntropy(NativeKernel):
    """(scores, classes) -> entropy, largest, logarithms, along the last axis of scores but one

    ``logarithms`` is the logarithm of the sum of exponentials of all scores less the largest. Its derivative is that of the sum of both,
    the largest has none: they are added up again wherever they are used.
    """

    targets: ClassVar = {"float32": "mycelium_class_entropy"}

    def shapes(self, *operands: Any) -> Sequence[tuple[int, ...]]:
        return [operands[1].shape] * 3

    def plain(self, *operands: Any) -> Sequence[Any]:
        scores, classes = operands
        largest = lax.stop_gradient(jnp.max(scores, -2))
        logarithms = jnp.log(jnp.sum(jnp.exp(scores - largest[..., None, :]), -2))
        # A masked sum: programs that are divided along the classes need no gather.
        found = jnp.sum(jnp.where(_chosen(scores, classes), scores, 0), -2)
        there = (classes >= 0) & (classes < scores.shape[-2])
        entropy = logarithms - (found - largest)
        # the gradient of an absent class is that of the logarithm alone
        return [entropy - jnp.where(there, 0, lax.stop_gradient(entropy)), largest, logarithms]

    def jvp_beside(self, results: Sequence[Any], primals: Sequence[Any], tangents: Sequence[Any]) -> Sequence[Any]:
        entropy, logarithms = call(EntropyAlong(), *primals, *results[1:], tangents[0])
        return [entropy, None, logarithms]


@dataclasses.dataclass(frozen=True)
class EntropyAlong(NativeKernel):
    """(scores, classes, largest, logarithms, direction) -> how entropy and logarithms change in it; linear in the direction."""

    def shapes(self, *operands: Any) -> Sequence[tuple[int, ...]]:
        return [operands[1].shape] * 2

    def plain(self, *operands: Any) -> Sequence[Any]:
        *known, direction = operands
        share = _share(*known)
        slope = share - _chosen(*known[:2]).astype(share.dtype)
        return [jnp.sum(slope * direction, -2), jnp.sum(share * direction, -2)]

    def transpose(self, cotangents: Sequence[Any], operands: Sequence[Any]) -> Sequence[Any]:
        own, further = cotangents
        known = operands[:4]
        return [None, None, None, None, *call(EntropySlopes(), *known, own + further, own)]


@dataclasses.dataclass(frozen=True)
class EntropySlopes(NativeKernel):
    """(scores, classes, largest, logarithms, whole, own) -> softmax * whole, less ``own`` at each class"""

    targets: ClassVar = {"float32": "mycelium_class_entropy_slopes"}

    def shapes(self, *operands: Any) -> Sequence[tuple[int, ...]]:
        return [operands[0].shape]

    def plain(self, *operands: Any) -> Sequence[Any]:
        *known, whole, own = operands
        return [_share(*known) * whole[..., None, :] - jnp.where(_chosen(*known[:2]), own[..., None, :], 0)]


def _share(scores: Any, classes: Any, largest: Any, logarithms: Any) -> Any:
    return jnp.exp((scores - largest[..., None, :]) - logarithms[..., None, :])


def _chosen(scores: Any, classes: Any) -> Any:
    return classes[..., None, :] == jnp.arange(scores.shape[-2], dtype=classes.dtype)[:, None]
