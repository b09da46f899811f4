"""What the PyTorch programs have in common: the usual loop body, and its optimizer."""

from __future__ import annotations

from collections.abc import Callable

import torch
from torch import Tensor, nn, optim
from torch.nn import functional as F

Step = Callable[[], Tensor]


def momentum(network: nn.Module) -> optim.Optimizer:
    return optim.SGD(network.parameters(), 0.01, momentum=0.9)


def classifier_step(network: nn.Module, batch: int, channels: int, size: int, classes: int) -> Step:
    step = training(network, momentum(network))
    images, labels = torch.rand(batch, channels, size, size), torch.randint(classes, (batch,))
    return lambda: step((images,), labels)


def training(network: nn.Module, optimizer: optim.Optimizer) -> Callable[[tuple[Tensor, ...], Tensor], Tensor]:
    """A step of a classifier."""

    def loss(*given: Tensor) -> Tensor:
        *inputs, labels = given
        return F.cross_entropy(network(*inputs).flatten(0, -2), labels.flatten())

    step = descent(loss, optimizer)
    return lambda inputs, labels: step(*inputs, labels)


def descent(loss: Callable[..., Tensor], optimizer: optim.Optimizer) -> Callable[..., Tensor]:
    """A step down from any loss."""

    def step(*inputs: Tensor) -> Tensor:
        optimizer.zero_grad()
        value = loss(*inputs)
        value.backward()
        optimizer.step()
        return value.detach()

    return step
