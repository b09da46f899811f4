"""A case: the same computation in the words of each framework. Imports NumPy alone, so that every peer can read it."""

from __future__ import annotations

import dataclasses
import zlib
from collections.abc import Callable, Mapping
from typing import Any

import numpy as np


@dataclasses.dataclass(frozen=True)
class Values:
    """How an input is filled."""

    shape: tuple[int, ...]
    kind: str = "normal"  # normal, positive, definite (matrices), below (``high``), chance (of True), or different
    dtype: str = "float32"
    high: float = 1.0

    def array(self, name: str) -> np.ndarray:
        """The values, the same in every process. A dtype that NumPy lacks is left to the framework."""
        random = np.random.default_rng(zlib.crc32(name.encode()))
        if self.kind == "below":
            return random.integers(0, int(self.high), self.shape).astype(self.dtype)
        if self.kind == "chance":
            return random.random(self.shape) < self.high
        if self.kind == "different":
            return random.permutation(int(np.prod(self.shape))).reshape(self.shape).astype(self.dtype)
        values = random.standard_normal(self.shape, np.float32)
        if self.kind == "positive":
            values = np.abs(values) + 0.1
        if self.kind == "unit":
            values = np.tanh(values)
        if self.kind == "definite":
            values = values @ values.swapaxes(-1, -2) / self.shape[-1] + np.eye(self.shape[-1], dtype=np.float32)
        return values.astype("float32" if self.dtype == "bfloat16" else self.dtype)

    @property
    def inexact(self) -> bool:
        return "float" in self.dtype and self.kind != "chance"


def normal(*shape: int, dtype: str = "float32") -> Values:
    return Values(shape, dtype=dtype)


def positive(*shape: int) -> Values:
    return Values(shape, "positive")


def unit(*shape: int) -> Values:
    """Between -1 and 1."""
    return Values(shape, "unit")


def definite(*shape: int) -> Values:
    """Matrices that are symmetric and positive definite."""
    return Values(shape, "definite")


def below(high: int, *shape: int, dtype: str = "int64") -> Values:
    return Values(shape, "below", dtype, high)


def chance(probability: float, *shape: int) -> Values:
    return Values(shape, "chance", "bool", probability)


@dataclasses.dataclass(frozen=True)
class Case:
    """Expressions over the names of the inputs, one for each framework; one without a counterpart is left out."""

    name: str
    inputs: Mapping[str, Values]
    ours: str  # with ms, ops, mint, nn, F and layer
    pytorch: str  # with torch and F
    plain_jax: str = ""  # with jax, jnp and lax
    gradient: bool = True  # of the sum of squares, to every input of floating-point numbers; else the result alone
    layer: str = ""  # of ours, made once
    pytorch_layer: str = ""  # of PyTorch's, made once

    def arrays(self) -> list[tuple[np.ndarray, str]]:
        """The inputs and the dtypes they are meant to have."""
        return [(values.array(self.name + name), values.dtype) for name, values in self.inputs.items()]

    def expression(self, framework: str) -> str:
        return getattr(self, framework)

    def function(self, expression: str, names: Mapping[str, Any]) -> Callable[..., Any]:
        """An expression as a function of the inputs."""
        return eval(f"lambda {', '.join(self.inputs)}: {expression}", dict(names))

    def differentiated(self) -> tuple[int, ...]:
        """The places of the inputs that gradients are for."""
        places = (place for place, values in enumerate(self.inputs.values()) if values.inexact and self.gradient)
        return tuple(places)


def case(
    name: str, ours: str, pytorch: str, plain_jax: str = "", layer: str = "", pytorch_layer: str = "", **inputs: Values
) -> Case:
    return Case(name, inputs, ours, pytorch, plain_jax, layer=layer, pytorch_layer=pytorch_layer)


def forward(name: str, ours: str, pytorch: str, plain_jax: str = "", **inputs: Values) -> Case:
    """A case without a gradient."""
    return Case(name, inputs, ours, pytorch, plain_jax, False)
