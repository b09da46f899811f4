"""Layers in a plain list are not part of a network: it is said before anything is trained without them."""

from __future__ import annotations

import warnings

import pytest

import mindspore as ms
from mindspore import Parameter, Tensor, nn
from mindspore._utils import log
from mindspore.experimental import optim

X = Tensor([[1.0]], ms.float32)


@pytest.fixture(autouse=True)
def told_anew(monkeypatch):
    monkeypatch.setattr(log, "_said", set())


def net_with(fill, also=lambda net: None):
    class Net(nn.Cell):
        def __init__(self):
            super().__init__()
            also(self)
            fill(self)

        def construct(self, x):
            return x

    return Net()


def append(net):
    net.layers = []
    net.layers.append(nn.Dense(1, 1))
    net.layers.append(nn.Dense(1, 1))


FILLS = {
    "list": (lambda net: setattr(net, "layers", [nn.Dense(1, 1), nn.Dense(1, 1)]), "Net.layers is a plain list with 2 Cells", "nn.CellList"),
    "filled list": (append, "Net.layers is a plain list with 2 Cells", "nn.CellList"),
    "tuple": (lambda net: setattr(net, "pair", (nn.ReLU(), nn.Dense(1, 1))), "Net.pair is a plain tuple with 1 Cells", "nn.CellList"),
    "dict": (lambda net: setattr(net, "table", {"a": nn.Dense(1, 1)}), "Net.table is a plain dict with 1 Cells", "nn.CellDict"),
    "nested": (lambda net: setattr(net, "table", {"a": [nn.Dense(1, 1)]}), "Net.table is a plain dict with 1 Cells", "nn.CellDict"),
    "Parameters": (lambda net: setattr(net, "weights", [Parameter(X)]), "Net.weights is a plain list with 1 Parameters", "ParameterTuple"),
}  # fmt: skip


@pytest.mark.parametrize("fill", FILLS)
@pytest.mark.parametrize("optimizer", [nn.Adam, lambda weights: optim.SGD(weights, 0.1)])
def test_an_optimizer_without_parameters_says_why(fill, optimizer):
    change, text, instead = FILLS[fill]
    with pytest.raises(ValueError, match="must not be empty") as caught:
        optimizer(net_with(change).trainable_params())
    assert text in str(caught.value)
    assert f"= {instead}(" in str(caught.value)


@pytest.mark.parametrize("fill", FILLS)
def test_layers_that_would_not_be_trained_are_warned_about(fill):
    change, text, _ = FILLS[fill]
    net = net_with(change, lambda net: setattr(net, "head", nn.Dense(1, 1)))
    with pytest.warns(UserWarning, match=text):
        net.trainable_params()


@pytest.mark.parametrize("fill", FILLS)
def test_the_first_call_warns_once(mode, fill):
    change, text, _ = FILLS[fill]
    net = nn.SequentialCell(net_with(change))
    with pytest.warns(UserWarning, match=text) as told:
        net(X)
        net(X)
    assert len(told) == 1


def test_lists_of_cells_that_belong_to_the_network_are_fine(mode):
    class Net(nn.Cell):
        def __init__(self):
            super().__init__()
            self.first, self.last = nn.Dense(1, 1), nn.CellList([nn.Dense(1, 1)])
            self.layers = [self.first, self.last[0], nn.ReLU()]
            self.weights = [self.first.weight]
            self.names = {"first": self.first, "size": 3}

        def construct(self, x):
            return self.layers[0](x)

    net = Net()
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        nn.SGD(net.trainable_params())
        net(X)


def test_an_optimizer_without_parameters_says_other_reasons_too():
    net = nn.Dense(1, 1)
    for one in net.get_parameters():
        one.requires_grad = False
    with pytest.raises(ValueError, match="All 2 Parameters of Dense have requires_grad=False"):
        nn.SGD(net.trainable_params())
    with pytest.raises(ValueError, match="ReLU has no Parameters"):
        nn.SGD(nn.ReLU().trainable_params())
