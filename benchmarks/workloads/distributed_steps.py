"""Data-parallel training steps of one of two processes: ``python distributed_steps.py NAME BATCH`` serves one."""

from __future__ import annotations

import sys
from itertools import pairwise

import numpy as np

import mindspore as ms
from benchmarks.peers.worker_loop import serve
from benchmarks.workloads.distributed_sizes import MLP, MOMENTUM, RATE, inputs
from examples.networks.lenet import LeNet5
from mindspore import Tensor, nn
from mindspore.communication import get_rank, init


def mlp() -> nn.Cell:
    """About 10 MB of weights."""
    layers: list[nn.Cell] = [nn.Flatten()]
    for number, (given, wanted) in enumerate(pairwise(MLP)):
        layers += [nn.ReLU()] * (number > 0) + [nn.Dense(given, wanted)]
    return nn.SequentialCell(*layers)


def serve_step(name: str, batch: str) -> None:
    init()
    ms.set_auto_parallel_context(parallel_mode=ms.ParallelMode.DATA_PARALLEL, gradients_mean=True)
    ms.set_seed(1)
    network = {"lenet": LeNet5, "mlp": mlp}[name]()
    loss = nn.WithLossCell(network, nn.SoftmaxCrossEntropyWithLogits(sparse=True, reduction="mean"))
    step = nn.TrainOneStepCell(loss, nn.Momentum(network.trainable_params(), RATE, MOMENTUM)).set_train()
    x, labels = (Tensor(np.ascontiguousarray(part)) for part in inputs(name, int(batch), get_rank()))
    serve(lambda: step(x, labels), lambda result: result.asnumpy())


if __name__ == "__main__":
    serve_step(*sys.argv[1:])
