"""The steps of ``workloads/steps.py`` in PyTorch: ``python torch_steps.py NAME MODE SIZES`` serves one of them."""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Callable

import torch
from torch import Tensor, nn, optim
from torch.nn import functional as F

from benchmarks.peers import torch_networks as networks
from benchmarks.peers.worker_loop import serve

Step = Callable[[], Tensor]


def lenet(batch: int) -> Step:
    return classifier_step(networks.LeNet5(), batch, 1, 32, 10)


def lenet_sink(batch: int, steps: int) -> Step:
    """So many steps over data in memory."""
    network = networks.LeNet5()
    images, labels = torch.rand(batch * steps, 1, 32, 32), torch.randint(10, (batch * steps,))
    step = training(network, momentum(network))

    def epoch() -> Tensor:
        losses = [step((x,), y) for x, y in zip(images.split(batch), labels.split(batch), strict=True)]
        return losses[-1]

    return epoch


def resnet50(batch: int, size: int, blocks: tuple[int, ...] = (3, 4, 6, 3), width: int = 64) -> Step:
    return classifier_step(networks.ResNet(blocks, 1000, width), batch, 3, size, 1000)


def resnet50_inference(batch: int, size: int, blocks: tuple[int, ...] = (3, 4, 6, 3), width: int = 64) -> Step:
    network, images = networks.ResNet(blocks, 1000, width).eval(), torch.rand(batch, 3, size, size)
    return torch.inference_mode()(lambda: network(images))


def mobilenet_v2(batch: int, size: int, width: float = 1.0) -> Step:
    return classifier_step(networks.MobileNetV2(1000, width), batch, 3, size, 1000)


def gpt(batch: int, length: int, layers: int, width: int, heads: int, vocabulary: int) -> Step:
    network = networks.GPT(vocabulary, width, layers, heads, length)
    step = training(network, optim.AdamW(network.parameters(), 1e-4, weight_decay=0.01))
    tokens, following = torch.randint(vocabulary, (2, batch, length))
    return lambda: step((tokens,), following)


def bert(batch: int, length: int, layers: int, width: int, heads: int, vocabulary: int) -> Step:
    network = networks.Bert(vocabulary, width, layers, heads, length)
    step = training(network, optim.Adam(network.parameters(), 1e-4))
    tokens, labels = torch.randint(vocabulary, (2, batch, length))
    mask = torch.arange(length) < torch.randint(length // 2, length + 1, (batch, 1))
    return lambda: step((tokens, torch.zeros_like(tokens), mask), labels)


def lstm(batch: int, length: int, width: int, hidden: int, vocabulary: int) -> Step:
    network = networks.SentimentNet(vocabulary, width, hidden)
    step = training(network, optim.Adam(network.parameters(), 1e-3))
    tokens, labels = torch.randint(vocabulary, (batch, length)), torch.randint(2, (batch,))
    return lambda: step((tokens,), labels)


def momentum(network: nn.Module) -> optim.Optimizer:
    return optim.SGD(network.parameters(), 0.01, momentum=0.9)


def classifier_step(network: nn.Module, batch: int, channels: int, size: int, classes: int) -> Step:
    step = training(network, momentum(network))
    images, labels = torch.rand(batch, channels, size, size), torch.randint(classes, (batch,))
    return lambda: step((images,), labels)


def training(network: nn.Module, optimizer: optim.Optimizer) -> Callable[[tuple[Tensor, ...], Tensor], Tensor]:
    """The usual loop body."""

    def step(inputs: tuple[Tensor, ...], labels: Tensor) -> Tensor:
        optimizer.zero_grad()
        logits = network(*inputs)
        loss = F.cross_entropy(logits.flatten(0, -2), labels.flatten())
        loss.backward()
        optimizer.step()
        return loss.detach()

    return step


STEPS = {
    step.__name__: step
    for step in (lenet, lenet_sink, resnet50, resnet50_inference, mobilenet_v2, gpt, bert, lstm)
}  # fmt: skip

if __name__ == "__main__":
    torch.manual_seed(1)
    torch.set_num_threads(os.cpu_count() or 1)
    serve(STEPS[sys.argv[1]](**json.loads(sys.argv[3])), lambda result: result.numpy())
