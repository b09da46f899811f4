"""A training of three steps per epoch whose losses were recorded from real MindSpore 2.10."""

from __future__ import annotations

from typing import Any

import numpy as np

import mindspore as ms
from mindspore import dataset as ds
from mindspore import nn
from mindspore.train.callback import RunContext, _InternalCallbackParam
from mindspore.train.model import Model

INPUTS = np.random.RandomState(0).randn(12, 3).astype(np.float32)
TARGETS = INPUTS.sum(1, keepdims=True)
# the losses of three epochs with a learning rate of 0.05
LOSSES = [
    4.352456569671631, 1.516860008239746, 0.5690445303916931, 0.09649627655744553, 0.5334708094596863, 0.63028484582901,
    2.070260524749756, 0.6941925287246704, 0.45309025049209595,
]  # fmt: skip


def rows(shuffle: bool = False) -> ds.NumpySlicesDataset:
    """Four rows per step."""
    return ds.NumpySlicesDataset((INPUTS, TARGETS), ["x", "y"], shuffle=shuffle).batch(4)


def small_model(rate: float = 0.05, **options: Any) -> Model:
    """A Dense layer with momentum, always the same one."""
    network = nn.Dense(3, 1, weight_init="ones", bias_init="zeros")
    network.weight.set_data(ms.Tensor([[0.1, 0.2, 0.3]], ms.float32))
    optimizer = nn.Momentum(network.trainable_params(), rate, 0.9)
    return Model(network, nn.MSELoss(), optimizer, metrics=options.pop("metrics", {"mae"}), **options)


def told(**values: Any) -> RunContext:
    """A run context with these values and usual ones."""
    usual = {"cur_epoch_num": 1, "cur_step_num": 1, "batch_num": 3, "epoch_num": 2, "mode": "train"}
    return RunContext(_InternalCallbackParam({**usual, **values}))


def weights(model: Model) -> dict[str, np.ndarray]:
    """All Parameters of the training network."""
    return {name: one.asnumpy() for name, one in model.train_network.parameters_dict().items()}
