"""What the programs of this folder have in common: inputs, and a training step of a network. Any MindSpore runs it."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from mindspore import Tensor, nn

Step = Callable[[], Any]
RANDOM = np.random.RandomState(1)


def numbers(*shape: int) -> Tensor:
    """Normally distributed."""
    return Tensor(RANDOM.randn(*shape).astype(np.float32))


def pictures(batch: int, channels: int, size: int) -> Tensor:
    return Tensor(RANDOM.rand(batch, channels, size, size).astype(np.float32))


def words(batch: int, length: int, vocabulary: int) -> Tensor:
    return Tensor(RANDOM.randint(0, vocabulary, (batch, length)).astype(np.int32))


def classes(batch: int, count: int) -> Tensor:
    return Tensor(RANDOM.randint(0, count, batch).astype(np.int32))


def with_cross_entropy(network: nn.Cell) -> nn.Cell:
    return nn.WithLossCell(network, nn.SoftmaxCrossEntropyWithLogits(sparse=True, reduction="mean"))


def classifier_step(network: nn.Cell, optimizer: nn.Optimizer, batch: int, channels: int, size: int,
                    count: int) -> Step:  # fmt: skip
    images = pictures(batch, channels, size)
    return one_step(with_cross_entropy(network), optimizer, images, classes(batch, count))


def one_step(network_with_loss: nn.Cell, optimizer: nn.Optimizer, *inputs: Tensor) -> Step:
    step = nn.TrainOneStepCell(network_with_loss, optimizer).set_train()
    return lambda: step(*inputs)
