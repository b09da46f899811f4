"""Convolution of images and its gradients. All three are bilinear, and the gradients of each are the other two."""

from __future__ import annotations

import dataclasses
from collections.abc import Sequence
from typing import Any

import jax
import numpy as np
from jax import lax

from mindspore._kernels import folding
from mindspore._kernels.primitive import Bilinear, NativeKernel, call, unknown

Pair = tuple[int, ...]  # two numbers


@dataclasses.dataclass(frozen=True)
class Geometry:
    """How a kernel moves over images (N, C, H, W); weights are (outputs, C / groups, height, width)."""

    stride: Pair
    padding: tuple[tuple[int, int], ...]
    dilation: Pair
    groups: int

    def convolve(self, x: Any, weight: Any) -> Any:
        return lax.conv_general_dilated(
            x, weight, self.stride, self.padding, rhs_dilation=self.dilation, feature_group_count=self.groups
        )


@dataclasses.dataclass(frozen=True)
class _Moved(Bilinear):
    """A kernel that moves over images."""

    geometry: Geometry

    def attributes(self) -> dict[str, Any]:
        geometry = self.geometry
        before, after = zip(*geometry.padding, strict=True)
        numbers = [*geometry.stride, *before, *geometry.dilation, geometry.groups, *after]
        return {"geometry": np.array(numbers, np.int64)}

    def layouts(self, operands: Sequence[Any], results: Sequence[Any]) -> tuple[list, list]:
        into, out = super().layouts(operands, results)
        weights = self.weights
        every = [*into, *out]
        every[weights] = (0, 1, 2, 3)  # as the user has them; the kernels arrange them anew in any case
        return every[:2], every[2:]

    weights = 1  # which of the operands and the result are the weights


@dataclasses.dataclass(frozen=True)
class Convolution(_Moved):
    """(x, weights) -> y"""

    target = "mycelium_convolution"
    by_example = True

    def plain(self, *operands: Any) -> Sequence[Any]:
        return [self.geometry.convolve(*operands)]

    def transpose(self, cotangents: Sequence[Any], operands: Sequence[Any]) -> Sequence[Any]:
        (ct,), (x, weights) = cotangents, operands
        if unknown(x):
            return [*call(InputGradient(self.geometry, x.aval.shape), ct, weights), None]
        return [None, *call(WeightGradient(self.geometry, weights.aval.shape), x, ct)]


@dataclasses.dataclass(frozen=True)
class InputGradient(_Moved):
    """(dy, weights) -> dx"""

    shape: tuple[int, ...] = ()
    target = "mycelium_convolution_input"

    def folded(self, operands: Sequence[Any]) -> tuple[NativeKernel, Sequence[Any]]:
        return self, [folding.through_relu(operands[0]), operands[1]]

    def shapes(self, *operands: Any) -> Sequence[tuple[int, ...]]:
        return [self.shape]

    def plain(self, *operands: Any) -> Sequence[Any]:
        dy, weights = operands
        x = jax.ShapeDtypeStruct(self.shape, dy.dtype)
        return jax.linear_transpose(lambda x: self.geometry.convolve(x, weights), x)(dy)

    def transpose(self, cotangents: Sequence[Any], operands: Sequence[Any]) -> Sequence[Any]:
        (ct,), (dy, weights) = cotangents, operands
        if unknown(dy):
            return [*call(Convolution(self.geometry), ct, weights), None]
        return [None, *call(WeightGradient(self.geometry, weights.aval.shape), ct, dy)]


@dataclasses.dataclass(frozen=True)
class WeightGradient(_Moved):
    """(x, dy) -> dw"""

    shape: tuple[int, ...] = ()
    target = "mycelium_convolution_weights"
    weights = 2

    def folded(self, operands: Sequence[Any]) -> tuple[NativeKernel, Sequence[Any]]:
        return self, [operands[0], folding.through_relu(operands[1])]

    def shapes(self, *operands: Any) -> Sequence[tuple[int, ...]]:
        return [self.shape]

    def plain(self, *operands: Any) -> Sequence[Any]:
        x, dy = operands
        weights = jax.ShapeDtypeStruct(self.shape, dy.dtype)
        return jax.linear_transpose(lambda w: self.geometry.convolve(x, w), weights)(dy)

    def transpose(self, cotangents: Sequence[Any], operands: Sequence[Any]) -> Sequence[Any]:
        (ct,), (x, dy) = cotangents, operands
        if unknown(x):
            return [*call(InputGradient(self.geometry, x.aval.shape), dy, ct), None]
        return [None, *call(Convolution(self.geometry), x, ct)]
