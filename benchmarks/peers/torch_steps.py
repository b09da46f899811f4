"""The steps of ``workloads/steps.py`` in PyTorch: ``python torch_steps.py NAME MODE SIZES`` serves one of them."""

from __future__ import annotations

import json
import os
import sys

import torch
from torch import Tensor, optim

from benchmarks.peers import torch_networks as networks
from benchmarks.peers import torch_science, torch_sequences, torch_vision
from benchmarks.peers.torch_building import Step, classifier_step, momentum, training
from benchmarks.peers.worker_loop import serve


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


STEPS = {
    step.__name__: step
    for step in (lenet, lenet_sink, resnet50, resnet50_inference, mobilenet_v2, gpt, bert, lstm,
                 *torch_vision.STEPS, *torch_sequences.STEPS, *torch_science.STEPS)
}  # fmt: skip

if __name__ == "__main__":
    torch.manual_seed(1)
    torch.set_num_threads(len(os.sched_getaffinity(0)))
    serve(STEPS[sys.argv[1]](**json.loads(sys.argv[3])), lambda result: result.numpy())
