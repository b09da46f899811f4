"""What a type checker must know about programs: `make check` runs pyright over this file; it is never run."""

from collections.abc import Callable, Iterator
from typing import Any, assert_type

import numpy as np

import mindspore as ms
from mindspore import Model, Parameter, Tensor, mint, nn, ops
from mindspore import dataset as ds
from mindspore.common.initializer import Normal, initializer
from mindspore.train import Accuracy, Callback, RunContext

x = Tensor([1.0])


class Block(nn.Cell):
    def __init__(self) -> None:
        super().__init__()
        self.dense = nn.Dense(3, 4)

    def construct(self, x: Tensor, scale: float = 1.0) -> tuple[Tensor, Tensor]:
        y = self.dense(x)
        assert_type(y, Tensor)
        return y, y * scale


# -- Cells --------------------------------------------------------------------------------------------------------------------
assert_type(nn.Dense(3, 4), nn.Dense)
assert_type(nn.Dense(3, 4)(x), Tensor)
assert_type(nn.ReLU()(x), Tensor)
assert_type(nn.Conv2d(3, 4, 3)(x), Tensor)
assert_type(nn.MSELoss()(x, x), Tensor)
assert_type(Block()(x), tuple[Tensor, Tensor])
assert_type(Block()(x, scale=2.0), tuple[Tensor, Tensor])
assert_type(Block().trainable_params(), list[Parameter])
assert_type(Block().set_train(), Block)
Block()("text")  # type: ignore[arg-type]
Block()(x, scales=2.0)  # type: ignore[call-arg]

blocks = nn.CellList([Block(), Block()])
assert_type(blocks, nn.CellList[Block])
assert_type(blocks[0], Block)
assert_type(blocks[:1], nn.CellList[Block])
assert_type(iter(blocks), Iterator[Block])
for block in blocks:
    assert_type(block(x), tuple[Tensor, Tensor])


# -- compiled functions -------------------------------------------------------------------------------------------------------
@ms.jit
def scaled(x: Tensor, factor: int = 2) -> Tensor:
    return x * factor


@ms.jit(capture_mode="ast")
def pair(x: Tensor) -> tuple[Tensor, int]:
    return x, 1


@ms.ms_function
def old(x: Tensor) -> Tensor:
    return x


assert_type(scaled(x, 3), Tensor)
assert_type(pair(x), tuple[Tensor, int])
assert_type(old(x), Tensor)
scaled(x, "text")  # type: ignore[arg-type]
gradient: Callable[[Tensor, int], Any] = ms.grad(scaled)

# -- Tensors ------------------------------------------------------------------------------------------------------------------
assert_type(x.T, Tensor)
assert_type(x == x, Tensor)
assert_type(x != 1, Tensor)
assert_type(x < 1, Tensor)
assert_type(x + 1, Tensor)
assert_type(1 + x, Tensor)
assert_type(x**2, Tensor)
assert_type(x @ x, Tensor)
assert_type(-x, Tensor)
assert_type(x[0], Tensor)
assert_type(x.sum(), Tensor)
assert_type(x.mean(axis=0), Tensor)
assert_type(x.max(), Tensor)
assert_type(x.min(), Tensor)
assert_type(x.argmax(), Tensor)
assert_type(x.all(), Tensor)
assert_type(x.reshape(1, -1), Tensor)
assert_type(x.astype(ms.float16), Tensor)
assert_type(x.add_(1), Tensor)
assert_type(x.shape, tuple[int, ...])
assert_type(x.ndim, int)
assert_type(x.asnumpy(), np.ndarray)
assert_type(ops.relu(x), Tensor)
assert_type(ops.Add()(x, x), Tensor)
assert_type(Parameter(x, name="weight"), Parameter)

# -- training -----------------------------------------------------------------------------------------------------------------
net = Block()
optimizer = nn.Momentum(net.trainable_params(), learning_rate=0.1, momentum=0.9)
grouped = nn.Adam([{"params": net.trainable_params(), "lr": 0.1}], 0.1)
assert_type(nn.cosine_decay_lr(0.0, 0.1, 100, 10, 10), list[float])
assert_type(Normal(0.02), Normal)
assert_type(initializer("ones", [3], ms.float32), Tensor)
data = ds.NumpySlicesDataset({"x": [1.0, 2.0]}, shuffle=False).batch(2, drop_remainder=True).repeat(2)
model = Model(net, nn.MSELoss(), optimizer, metrics={"acc": Accuracy()})


class Losses(Callback):
    def on_train_step_end(self, run_context: RunContext) -> None:
        assert_type(run_context.get_stop_requested(), bool)


@ms.jit_class
class Settings:
    rate: float = 0.1


assert_type(Settings(), Settings)
assert_type(Settings().rate, float)
assert_type(ms.load_checkpoint("net.ckpt"), dict[str, Any])
for name, parameter in net.parameters_and_names():
    assert_type(name, str)
    assert_type(parameter, Parameter)

# -- operators with several results, and axes ---------------------------------------------------------------------------------
values, indices = ops.topk(x, 2)
assert_type(values, Tensor)
assert_type(x.var(axis=(0, 1)), Tensor)
assert_type(ops.stack([x, x]), Tensor)
assert_type(ops.concat((x, x), axis=0), Tensor)
assert_type(ops.where(x > 0, x, ops.zeros_like(x)), Tensor)

# -- data pipelines, Model, gradients ------------------------------------------------------------------------------------------
assert_type(ds.MnistDataset("folder"), ds.MnistDataset)
assert_type(data.get_dataset_size(), int)
assert_type(data.get_col_names(), list[str])
assert_type(data.take(3).skip(1).shuffle(2), ds.NumpySlicesDataset)
assert_type(data + data, ds.NumpySlicesDataset)
assert_type(ms.dataset.zip((data, data)), ds.Dataset)
for row in data.create_dict_iterator(num_epochs=1):
    assert_type(row, dict[str, Tensor])
for arrays in data.create_dict_iterator(output_numpy=True):
    assert_type(arrays, dict[str, np.ndarray])
for columns in data.create_tuple_iterator(num_epochs=1):
    assert_type(columns, list[Tensor])
assert_type(model.eval(data), dict[str, Any])
assert_type(model.train(1, data, callbacks=[Losses()]), None)
assert_type(model.train_network, nn.Cell)
model.train(1, data, call_backs=[])  # type: ignore[call-arg]


def loss_of(x: Tensor, label: Tensor) -> tuple[Tensor, Tensor]:
    return x, label


both = ms.value_and_grad(loss_of, None, net.trainable_params(), has_aux=True)(x, x)
assert_type(both, tuple[tuple[Tensor, Tensor], tuple[Tensor, ...]])
assert_type(ops.value_and_grad(scaled)(x), tuple[Tensor, Tensor])
assert_type(ms.grad(scaled)(x, 3), Tensor)
assert_type(ms.grad(loss_of, (0, 1))(x, x), tuple[Tensor, ...])
assert_type(ops.grad(scaled)(x, factor=3), Tensor)
assert_type(ops.vmap(loss_of)(x, x), tuple[Tensor, Tensor])
assert_type(ms.jvp(scaled, x, x), tuple[Tensor, Tensor])
assert_type(ops.vjp(scaled, x)[0], Tensor)
assert_type(ops.jacrev(scaled)(x), Tensor)
assert_type(ms.jacfwd(scaled)(x), Tensor)
assert_type(ms.recompute(net, x), tuple[Tensor, Tensor])
ops.grad(scaled)("text")  # type: ignore[arg-type]
assert_type(ms.vmap(scaled)(x), Tensor)
ms.grad(loss_of)(x)  # type: ignore[call-arg]
assert_type(ms.ParameterTuple(net.trainable_params())[0], Parameter)
assert_type(nn.SequentialCell(net)[0], nn.Cell)
assert_type(nn.MaxPool2d(2)(x), Tensor)
assert_type(nn.ExponentialDecayLR(0.1, 0.9, 4)(x), Tensor)
assert_type(nn.WithLossCell(net, nn.MSELoss())(x, x), Tensor)
for _name, cell in net.cells_and_names():
    assert_type(cell, nn.Cell)

# -- older names of arguments, functions of several forms, layers with states ---------------------------------------------------
assert_type(x.argmax(axis=1), Tensor)
assert_type(ops.mean(x=x, axis=0, keep_dims=True), Tensor)
assert_type(mint.max(x), Tensor)
assert_type(mint.max(x, dim=1), tuple[Tensor, Tensor])
assert_type(mint.where(x > 0, x, 0.0), Tensor)
assert_type(nn.SequentialCell(nn.Dense(3, 4), nn.ReLU())(x), Tensor)
assert_type(nn.LSTM(3, 4)(x), tuple[Tensor, tuple[Tensor, Tensor]])
assert_type(nn.GRU(3, 4)(x), tuple[Tensor, Tensor])
assert_type(ops.stop_gradient((x, x)), tuple[Tensor, Tensor])
assert_type(ms.amp.StaticLossScaler(8).scale(x), Tensor)
ops.mean(x, axes=0)  # type: ignore[call-overload]
