"""What is measured: small programs in MindSpore's API, and the mode they run in."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

import numpy as np

import mindspore as ms
from mindspore import Parameter, Tensor, nn


@contextmanager
def execution_mode(mode: int) -> Iterator[None]:
    """Run a block in this mode and go back to the one before."""
    before = ms.get_context("mode")
    ms.set_context(mode=mode)
    try:
        yield
    finally:
        ms.set_context(mode=before)


def small_pair() -> tuple[Tensor, Tensor]:
    """Two Tensors so small that only the way to the operator costs time."""
    generator = np.random.default_rng(0)
    first, second = generator.normal(size=(2, 4, 4)).astype(np.float32)
    return Tensor(first), Tensor(second)


def three_operators(x, y):
    """Three operators whose gradient takes six more."""
    z = x * y
    z = z + x
    return z * y


class Affine(nn.Cell):
    """Scale and shift by Parameters."""

    def __init__(self, size: int):
        super().__init__()
        self.scale = Parameter(Tensor(np.full(size, 0.5, np.float32)), name="scale")
        self.shift = Parameter(Tensor(np.ones(size, np.float32)), name="shift")

    def construct(self, x: Tensor) -> Tensor:
        return x * self.scale + self.shift


class TwentyParameters(nn.Cell):
    """Ten steps with two Parameters each."""

    def __init__(self, size: int = 16):
        super().__init__()
        for number in range(10):
            setattr(self, f"step{number}", Affine(size))

    def construct(self, x: Tensor) -> Tensor:
        for step in self.cells():
            x = step(x)
        return x
