"""Networks with graph breaks in a job of several processes: every way gives its numbers in every mode."""

import json
import sys
from pathlib import Path

import numpy as np

import mindspore as ms
from mindspore import Tensor, nn, ops
from mindspore.communication import get_group_size, get_rank, init

MODES = {"nothing": None, "graph": ms.GRAPH_MODE, "pynative": ms.PYNATIVE_MODE}


class Loss(nn.Cell):
    """A loss that needs a value and writes a diary."""

    def __init__(self):
        super().__init__()
        self.diary = []

    def construct(self, outputs, labels):
        difference = outputs - labels
        self.diary.append(float(difference.asnumpy().max()))
        return (difference**2).mean() * (1.0 + min(1.0, len(self.diary) / 10))


def network() -> nn.Cell:
    ms.set_seed(3)
    return nn.SequentialCell(nn.Dense(6, 8), nn.Tanh(), nn.Dense(8, 2))


def share() -> tuple[Tensor, Tensor]:
    random = np.random.default_rng(5)
    x, y = random.normal(size=(8, 6)).astype(np.float32), random.normal(size=(8, 2)).astype(np.float32)
    rows = slice(get_rank() * 8 // get_group_size(), (get_rank() + 1) * 8 // get_group_size())
    return Tensor(x[rows]), Tensor(y[rows])


def weights(net: nn.Cell) -> list[list[float]]:
    return [one.asnumpy().ravel().tolist() for one in net.trainable_params()]


def data_parallel() -> list[list[float]]:
    ms.set_auto_parallel_context(parallel_mode=ms.ParallelMode.DATA_PARALLEL, gradients_mean=True)
    net, loss = network(), Loss()
    step = nn.TrainOneStepCell(nn.WithLossCell(net, loss), nn.Momentum(net.trainable_params(), 0.1, 0.9)).set_train()
    losses = [float(step(*share())) for _ in range(4)]
    return [losses, loss.diary, *weights(net)]


def by_hand() -> list[list[float]]:
    net, loss = network(), Loss()
    optimizer = nn.Adam(net.trainable_params(), 0.05)
    reduce = nn.DistributedGradReducer(optimizer.parameters, True, get_group_size())
    forward = ms.value_and_grad(lambda x, y: loss(net(x), y), None, optimizer.parameters)
    losses = []
    for _ in range(4):
        value, gradients = forward(*share())
        optimizer(reduce(gradients))
        losses.append(float(value))
    return [losses, loss.diary, *weights(net)]


def scaled() -> list[list[float]]:
    ms.set_auto_parallel_context(parallel_mode=ms.ParallelMode.DATA_PARALLEL, gradients_mean=True)
    net = network()
    manager = nn.DynamicLossScaleUpdateCell(loss_scale_value=16.0, scale_factor=2, scale_window=2)
    step = nn.TrainOneStepWithLossScaleCell(
        nn.WithLossCell(net, Loss()), nn.SGD(net.trainable_params(), 0.1), manager
    ).set_train()
    return [[float(step(*share())[0]) for _ in range(3)], *weights(net)]


class BothSides(nn.Cell):
    """Collectives before and after a break."""

    def __init__(self):
        super().__init__()
        self.dense = nn.Dense(6, 3)
        self.reduce, self.gather = ops.AllReduce(), ops.AllGather()
        self.seen = []

    def construct(self, x):
        before = self.reduce(self.dense(x))
        self.seen.append(float(before.asnumpy().sum()))
        factor = 1.0 + min(1.0, abs(self.seen[-1]))
        return self.gather(self.reduce(before * factor))


def both_sides() -> list[list[float]]:
    ms.set_seed(3)
    net = BothSides()
    x, _ = share()
    results = [net(x).asnumpy().ravel().tolist() for _ in range(2)]
    gradients = ms.grad(lambda z: (net(z) ** 2).sum(), 0, net.trainable_params())(x)
    flat = [gradients[0], *gradients[1]]
    return [*results, net.seen, *[one.asnumpy().ravel().tolist() for one in flat]]


def semi_auto() -> list[list[float]]:
    """A layer divided over the processes; in PyNative mode every process computes it whole."""
    divided = ms.get_context("mode") == ms.GRAPH_MODE
    if divided:
        ms.set_auto_parallel_context(parallel_mode=ms.ParallelMode.SEMI_AUTO_PARALLEL, device_num=get_group_size(),
                                     global_rank=get_rank(), dataset_strategy="full_batch")  # fmt: skip
    net = network()
    if divided:
        net[0].matmul.shard(((1, 1), (2, 1)))
    loss = Loss()
    random = np.random.default_rng(5)
    x, y = (Tensor(random.normal(size=(8, n)).astype(np.float32)) for n in (6, 2))
    step = nn.TrainOneStepCell(nn.WithLossCell(net, loss), nn.SGD(net.trainable_params(), 0.1)).set_train()
    return [[float(step(x, y)) for _ in range(3)], loss.diary]


WAYS = [data_parallel, by_hand, scaled, both_sides, semi_auto]

if __name__ == "__main__":
    init()
    found = {}
    for way in WAYS:
        for name, mode in MODES.items():
            ms.context.reset_context()
            ms.reset_auto_parallel_context()
            if mode is not None:
                ms.set_context(mode=mode)
            found[f"{way.__name__} {name}"] = way()
    Path(sys.argv[1], f"found_{get_rank()}.json").write_text(json.dumps(found))
