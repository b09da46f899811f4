"""Trains on a mesh of processes; process 0 alone looks at divided Parameters in every way, while the others go on."""

import sys
from pathlib import Path

import numpy as np

import mindspore as ms
from mindspore import Parameter, Tensor, nn, ops
from mindspore import dataset as ds
from mindspore.common.initializer import Normal, initializer
from mindspore.communication import get_group_size, get_rank, init
from mindspore.train import CheckpointConfig, Model, ModelCheckpoint

STEPS, WIDTH = 4, 8


class Net(nn.Cell):
    """Two products of matrices, the first with its weights divided among all processes."""

    def __init__(self, size: int):
        super().__init__()
        self.inner = Parameter(initializer(Normal(0.1), (6, WIDTH)), name="inner")
        self.outer = Parameter(initializer(Normal(0.1), (WIDTH, 4)), name="outer")
        self.first = ops.MatMul().shard(((1, 1), (1, size)))
        self.second = ops.MatMul().shard(((1, size), (size, 1)))

    def construct(self, x):
        return self.second(ops.relu(self.first(x, self.inner)), self.outer)


class Counter(nn.Cell):
    """A graph that changes a divided Parameter without any communication."""

    def __init__(self, size: int):
        super().__init__()
        self.total = Parameter(Tensor(np.zeros((8, 2), np.float32)), name="total")
        self.add = ops.Add().shard(((size, 1), ()))

    def construct(self, x):
        self.total = self.add(self.total, x)
        return x


def batches() -> list[tuple[np.ndarray, np.ndarray]]:
    random = np.random.default_rng(3)
    return [tuple(random.normal(size=(4, width)).astype(np.float32) for width in (6, 4)) for _ in range(STEPS)]


def training(size: int) -> tuple[Net, nn.Cell]:
    ms.set_seed(5)
    net = Net(size)
    optimizer = nn.Adam(net.trainable_params(), 0.01)
    return net, nn.TrainOneStepCell(nn.WithLossCell(net, nn.MSELoss()), optimizer).set_train()


def look(net: Net, step: nn.Cell, folder: Path, number: int) -> None:
    """What scripts do under ``if rank == 0``."""
    ms.save_checkpoint(step, str(folder / f"step{number}.ckpt"))
    if number == 0:
        before = net.inner.asnumpy()
        ms.save_checkpoint(net.trainable_params(), str(folder / "listed.ckpt"), async_save=True)
        ms.save_checkpoint(net, str(folder / "part.ckpt"), integrated_save=False)
        assert str(net.inner) and np.array_equal(np.array(net.inner.value()), before)
        print(net.inner, flush=True)
        again, _ = training(1)
        ms.load_param_into_net(again, ms.load_checkpoint(str(folder / "step0.ckpt")))
        assert np.array_equal(again.inner.asnumpy(), before)
        ms.load_checkpoint(str(folder / "step0.ckpt"), net)  # and the training goes on from there
    if number == 1:
        np.save(folder / "doubled.npy", (net.inner * 2).asnumpy())
        np.savez(folder / "copied.npz", **{name: value.asnumpy() for name, value in net.parameters_dict().items()})


def main(folder: Path, sharded: bool) -> None:
    init()
    rank, size = get_rank(), get_group_size()
    ms.set_context(mode=ms.GRAPH_MODE)
    ms.set_auto_parallel_context(
        parallel_mode="semi_auto_parallel",
        full_batch=True,
        enable_parallel_optimizer=sharded,
        parallel_optimizer_config={"parallel_optimizer_threshold": 0},
    )
    net, step = training(size)
    for number, batch in enumerate(batches()):
        step(*map(Tensor, batch))
        if rank == 0:
            look(net, step, folder, number)
    if rank == size - 1:  # another one looks, alone
        np.save(folder / "last.npy", net.outer.asnumpy())
    counter = Counter(size)
    for number in range(6):
        counter(Tensor(1.0))
        if rank == 0:
            np.save(folder / f"total{number}.npy", counter.total.asnumpy())
    held = net.inner.value()
    callbacks = []
    if rank == 0:
        config = CheckpointConfig(save_checkpoint_steps=1, keep_checkpoint_max=100)
        callbacks.append(ModelCheckpoint("own", str(folder), config))
    columns = tuple(np.concatenate(column) for column in zip(*batches(), strict=True))
    data = ds.NumpySlicesDataset(columns, ["x", "y"], shuffle=False).batch(4)
    model = Model(net, nn.MSELoss(), nn.Momentum(net.trainable_params(), 0.1, 0.9))
    model.train(1, data, callbacks=callbacks, dataset_sink_mode=False)
    if rank == 0:
        ms.export(net, Tensor(batches()[0][0]), file_name=str(folder / "net"), file_format="MINDIR")
        ms.save_checkpoint(net, str(folder / "last.ckpt"))  # the others have reached their end
        assert np.isfinite(held.asnumpy()).all()  # all hold it
    print("held", net.inner._value.addressable_data(0).shape if rank else "", flush=True)


if __name__ == "__main__":
    main(Path(sys.argv[1]), sys.argv[2] == "sharded")
