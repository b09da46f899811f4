"""Trains networks in pipeline stages, or alone; writes down losses, weights and what this process holds."""

from __future__ import annotations

import json
import sys
import tempfile
from pathlib import Path

import numpy as np

import mindspore as ms
from mindspore import Tensor, nn, ops
from mindspore import dataset as ds
from mindspore.common.initializer import Normal
from mindspore.communication import get_group_size, get_rank, init

STEPS, ROWS, WIDTH, PARTS = 3, 16, 8, 4


class Block(nn.Cell):
    """A residual block with what a stage may hold: weights, an average that every micro batch changes, a random mask."""

    def __init__(self, width: int = WIDTH):
        super().__init__()
        self.norm = nn.BatchNorm1d(width)
        self.first = nn.Dense(width, 2 * width, weight_init=Normal(0.3))
        self.second = nn.Dense(2 * width, width, weight_init=Normal(0.3))
        self.dropout = nn.Dropout(p=0.1)

    def construct(self, x):
        return x + self.second(self.dropout(ops.relu(self.first(self.norm(x)))))


class Net(nn.Cell):
    """One block per stage, between a table and a head that may use the same table, as language models do."""

    def __init__(self, stages: int, shares: bool = False):
        super().__init__()
        self.table = nn.Dense(WIDTH, WIDTH, weight_init=Normal(0.3), has_bias=False)
        self.blocks = nn.CellList([Block() for _ in range(stages)])
        self.head = Head(self.table.weight if shares else None)
        self.table.pipeline_stage = 0
        for place, block in enumerate(self.blocks):
            block.pipeline_stage = place
        self.head.pipeline_stage = stages - 1

    def construct(self, x):
        x = self.table(x)
        for block in self.blocks:
            x = block(x)
        return self.head(x)


class Head(nn.Cell):
    def __init__(self, weight):
        super().__init__()
        self.output = nn.Dense(WIDTH, 3, weight_init=Normal(0.3))
        self.shared = weight

    def construct(self, x):
        return self.output(x if self.shared is None else ops.matmul(x, self.shared))


def batches():
    random = np.random.default_rng(3)
    return [[random.normal(size=(ROWS, width)).astype(np.float32) for width in (WIDTH, 3)] for _ in range(STEPS)]


def by_cell(net):
    """As TrainOneStepCell does it."""
    network = nn.PipelineCell(nn.WithLossCell(net, nn.MSELoss()), PARTS)
    return nn.TrainOneStepCell(network, nn.Adam(net.trainable_params(), 0.01)).set_train()


def by_function(net):
    """As the tutorial does it: value_and_grad, a reducer and the optimizer in one compiled function."""
    network = nn.PipelineCell(nn.WithLossCell(net, nn.MSELoss()), PARTS).set_train()
    optimizer = nn.Momentum(net.trainable_params(), 0.02, 0.9)
    gradients_of = ms.value_and_grad(lambda x, y: network(x, y), None, optimizer.parameters)
    reducer = nn.PipelineGradReducer(optimizer.parameters)

    @ms.jit
    def step(x, y):
        loss, gradients = gradients_of(x, y)
        gradients = reducer(ops.clip_by_global_norm(gradients, 0.5))
        optimizer(gradients)
        return loss, gradients

    return lambda x, y: step(x, y)[0]


def by_hand(net):
    """Gradients and update as two graphs, with nothing around them."""
    network = nn.PipelineCell(nn.WithLossCell(net, nn.MSELoss()), PARTS).set_train()
    optimizer = nn.SGD(net.trainable_params(), 0.02, momentum=0.9)
    gradients_of = ms.value_and_grad(network, None, optimizer.parameters)

    def step(x, y):
        loss, gradients = gradients_of(x, y)
        optimizer(gradients)
        return loss

    return step


def by_scaled_loss(net):
    network = nn.PipelineCell(nn.WithLossCell(net, nn.MSELoss()), PARTS)
    manager = nn.DynamicLossScaleUpdateCell(1024, 2, 2)
    step = nn.TrainOneStepWithLossScaleCell(network, nn.Lamb(net.trainable_params(), 0.01), manager).set_train()
    return lambda x, y: step(x, y)[0]


def small(net):
    """The least there is to a pipeline, for a quick look."""
    network = nn.PipelineCell(nn.WithLossCell(net, nn.MSELoss()), 2)
    return nn.TrainOneStepCell(network, nn.Momentum(net.trainable_params(), 0.02, 0.9)).set_train()


WAYS = {"small": small, "cell": by_cell, "function": by_function, "hand": by_hand, "scaled": by_scaled_loss}


def trained(way: str, stages: int, own=lambda column: column) -> tuple:
    """The step, the losses, and what the network says of the first batch afterwards; '+' for a shared table."""
    ms.set_seed(4)
    net = Net(stages, shares=way.endswith("+"))
    step = WAYS[way.removesuffix("+")](net)
    rows = [[Tensor(own(column)) for column in batch] for batch in batches()]
    losses = [float(step(*row)) for row in rows]
    said = [] if way == "small" else net.set_train(False)(rows[0][0]).asnumpy().tolist()
    return step, net, losses, said


def rows():
    columns = tuple(np.concatenate(column) for column in zip(*batches(), strict=True))
    return ds.NumpySlicesDataset(columns, ["x", "y"], shuffle=False).batch(ROWS)


def trained_by_model(cut: int = 1, callbacks: tuple = ()) -> tuple[ms.Model, np.ndarray]:
    """The Model, and what its network says after training, and after training once more."""
    ms.set_seed(4)
    net = Net(2)
    for block in net.blocks:
        block.recompute()
        if cut > 1:
            block.first.shard(((1, 1),), parameter_plan={block.first.weight.name: (cut, 1)})
    network = nn.PipelineCell(nn.WithLossCell(net, nn.MSELoss()), PARTS)
    model = ms.Model(network, optimizer=nn.Adam(net.trainable_params(), 0.01))
    said = []
    for epochs in (2, 1):
        model.train(epochs, rows(), callbacks=list(callbacks), dataset_sink_mode=True)
        said.append(net.set_train(False)(Tensor(batches()[0][0])).asnumpy())
    return model, np.stack(said)


def held(cell: nn.Cell) -> dict[str, list]:
    """The Parameters that this process holds: what it saves."""
    with tempfile.TemporaryDirectory() as folder:
        ms.save_checkpoint(cell, f"{folder}/own.ckpt")
        return {name: one.asnumpy().tolist() for name, one in ms.load_checkpoint(f"{folder}/own.ckpt").items()}


def footprint(step: nn.Cell) -> tuple[int, int]:
    """How many micro batches, and bytes, passes leave behind on this process."""
    (graphs,) = step._cell_graphs.graphs.values()
    return graphs[0].executable.footprint()


def main(folder: Path, stages: int, ways: list[str]) -> None:
    init()
    rank, parts = get_rank(), get_group_size() // stages
    ms.set_context(mode=ms.GRAPH_MODE)
    found = {}
    for told in ways:
        way, _, scheduler = told.partition(":")
        ms.set_auto_parallel_context(
            parallel_mode="semi_auto_parallel",
            pipeline_stages=stages,
            pipeline_config={"pipeline_scheduler": scheduler or "1f1b"},
        )
        step, net, losses, said = trained(way, stages, lambda column: np.split(column, parts)[rank % parts])
        whole = step if isinstance(step, nn.Cell) else net
        found[told] = {"losses": losses, "said": said, "held": held(whole)}
        if way in ("cell", "small"):
            found[told]["footprint"] = footprint(step)
    (folder / f"found_{rank}.json").write_text(json.dumps(found))


if __name__ == "__main__":
    main(Path(sys.argv[1]), int(sys.argv[2]), sys.argv[3:])
