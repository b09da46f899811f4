"""Programs inherit from Model and put their own parts in the places of its parts."""

import numpy as np
import pytest

import mindspore.dataset as ds
from mindspore import Model, nn


def data():
    x = np.linspace(-1, 1, 16, dtype=np.float32).reshape(-1, 1)
    return ds.NumpySlicesDataset({"x": x, "y": 3 * x}, shuffle=False).batch(4)


class Own(Model):
    """With a training network, an evaluation network and metrics of its own."""

    def _check_kwargs(self, kwargs):
        self.asked = sorted(kwargs)

    def _build_train_network(self):
        assert self._loss_scale_manager is None and not self._loss_scale_manager_set and self._amp_level == "O0"
        self.steps = []
        network = nn.TrainOneStepCell(nn.WithLossCell(self._network, self._loss_fn), self._optimizer)
        network.register_forward_hook(lambda cell, inputs, output: self.steps.append(inputs[0].shape))
        return network

    def _build_eval_network(self, metrics, eval_network, eval_indexes):
        super()._build_eval_network(metrics, eval_network, eval_indexes)
        self.evaluated = type(self._eval_network).__name__

    def _update_metrics(self, outputs):
        super()._update_metrics([2 * one for one in outputs])

    def _get_metrics(self):
        return {**super()._get_metrics(), "mine": 1}


def test_parts_of_a_model_can_be_replaced(mode):
    net = nn.Dense(1, 1, weight_init="zeros", has_bias=False)
    model = Own(net, nn.MSELoss(), nn.SGD(net.trainable_params(), 0.1), metrics={"mse"}, anything=3)
    assert model.asked == ["anything"] and model.evaluated == "WithEvalCell"
    before = model.eval(data())
    assert before["mine"] == 1 and np.isclose(before["mse"], 4 * np.mean((3 * np.linspace(-1, 1, 16)) ** 2))
    model.train(2, data())
    assert model.train_network is model._train_network and len(model.steps) >= 1
    assert model.eval(data())["mse"] < before["mse"] and model.predict_network is net


class Compiled(Model):
    """Like tinyms's: the loss and the optimizer come later."""

    def compile(self, loss_fn, optimizer, metrics, **kwargs):
        self._loss_fn, self._optimizer, self._amp_level = loss_fn, optimizer, "O0"
        self._check_kwargs(kwargs)
        self._process_amp_args(kwargs)
        self._train_network = self._build_train_network()
        self._build_eval_network(metrics, eval_network=None, eval_indexes=None)
        self._build_predict_network()


def test_the_parts_of_a_model_can_come_later():
    net = nn.Dense(1, 1, weight_init="zeros")
    model = Compiled(net)
    model.compile(nn.MSELoss(), nn.SGD(net.trainable_params(), 0.5), {"mse"}, keep_batchnorm_fp32=False)
    model.train(20, data())
    assert model.eval(data())["mse"] < 0.1
    with pytest.raises(ValueError, match="'nothing'"):
        model.compile(nn.MSELoss(), None, None, nothing=1)
