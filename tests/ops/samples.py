"""Sample inputs and cases, for the ``test=lambda t: ...`` of every operator's declaration."""

from __future__ import annotations

import zlib
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from mindspore._engine.tensor.tensor import Tensor


@dataclass
class Case:
    """One call of an operator, and what is to be checked about it."""

    args: tuple
    kwargs: dict[str, Any]
    expect: Callable[..., Any] | None = None  # NumPy's answer to the same arguments
    grad: bool | Sequence[int] = True  # which arguments have a gradient to check; True: every floating-point array
    tolerance: float = 1e-5  # between results in float32
    positions: tuple[int, ...] = field(init=False)

    def __post_init__(self) -> None:
        differentiable = [i for i, a in enumerate(self.args) if _is_floating(a)]
        if not isinstance(self.grad, bool):
            self.positions = tuple(self.grad)
        else:
            self.positions = tuple(differentiable) if self.grad else ()


class Samples:
    """Makes the same arrays for an operator on every run, and other arrays for every operator."""

    def __init__(self, name: str):
        self._random = np.random.default_rng(zlib.crc32(name.encode()))

    def case(self, *args: Any, expect: Callable[..., Any] | None = None, grad: bool | Sequence[int] = True,
             tolerance: float = 1e-5, **kwargs: Any) -> Case:  # fmt: skip
        """One call with these arguments; arrays are handed over as Tensors."""
        return Case(args, kwargs, expect, grad, tolerance)

    def normal(self, *shape: int) -> np.ndarray:
        return np.asarray(self._random.standard_normal(shape), np.float32)

    def uniform(self, low: float, high: float, *shape: int) -> np.ndarray:
        return np.asarray(self._random.uniform(low, high, shape), np.float32)

    def positive(self, *shape: int) -> np.ndarray:
        return self.uniform(0.5, 2.0, *shape)

    def ints(self, *shape: int, low: int = 0, high: int = 10) -> np.ndarray:
        return np.asarray(self._random.integers(low, high, shape), np.int32)

    def bools(self, *shape: int) -> np.ndarray:
        return np.asarray(self._random.integers(0, 2, shape), bool)


def _is_floating(argument: Any) -> bool:
    if isinstance(argument, (list, tuple)):
        return bool(argument) and all(isinstance(a, np.ndarray) and a.dtype.kind == "f" for a in argument)
    return isinstance(argument, np.ndarray) and argument.dtype.kind == "f"


def to_tensors(value: Any) -> Any:
    """The same arguments with Tensors in place of arrays."""
    if isinstance(value, np.ndarray):
        return Tensor(value)
    if isinstance(value, dict):
        return {name: to_tensors(one) for name, one in value.items()}
    return type(value)(to_tensors(one) for one in value) if isinstance(value, (list, tuple)) else value
