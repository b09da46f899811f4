"""The first updates of an optimizer run operator by operator in PyNative mode, and do what its graph does."""

from __future__ import annotations

import numpy as np
import pytest

import mindspore as ms
from mindspore import Parameter, Tensor, nn
from mindspore.nn.optim import _compiled

OPTIMIZERS = {
    "SGD": lambda w: nn.SGD(w, 0.1, momentum=0.9, weight_decay=0.1),
    "Momentum": lambda w: nn.Momentum(w, nn.ExponentialDecayLR(0.1, 0.5, 2), 0.9),
    "Adam": lambda w: nn.Adam([{"params": w[:1], "lr": 0.2}, {"params": w[1:]}], 0.1),
    "AdamWeightDecay": lambda w: nn.AdamWeightDecay(w, 0.1, weight_decay=0.1),
    "Lamb": lambda w: nn.Lamb(w, 0.1),
    "LARS": lambda w: nn.LARS(nn.Momentum(w, 0.1, 0.9), 0.01),
    "Adagrad": lambda w: nn.Adagrad(w, learning_rate=0.1),
    "RMSProp": lambda w: nn.RMSProp(w, 0.1, centered=True),
    "FTRL": lambda w: nn.FTRL(w, learning_rate=0.1),
}


def weights():
    shapes = ((2, 3), (4,), (3, 2, 2))
    return [Parameter(Tensor(np.linspace(-1, 1, np.prod(s)).reshape(s), ms.float32), name=f"w{s}") for s in shapes]


def updated(make):
    given = weights()
    optimizer = make(given)
    for step in range(3):
        optimizer(tuple(Tensor(np.cos(one.asnumpy() + step), ms.float32) for one in given))
    return optimizer, [one.asnumpy() for one in given]


@pytest.mark.parametrize("name", OPTIMIZERS)
def test_first_updates_are_those_of_the_graph(name, monkeypatch):
    ms.set_context(mode=ms.PYNATIVE_MODE)
    optimizer, found = updated(OPTIMIZERS[name])
    assert optimizer._graphs_of().compilations == 0
    monkeypatch.setattr(_compiled, "_FIRST_UPDATES", 0)
    optimizer, wanted = updated(OPTIMIZERS[name])
    assert optimizer._graphs_of().compilations == 1
    for one, other in zip(found, wanted, strict=True):
        np.testing.assert_allclose(one, other, 1e-5, 1e-6)


def test_a_first_update_that_fails_changes_nothing():
    ms.set_context(mode=ms.PYNATIVE_MODE)
    given = weights()
    before = [one.asnumpy() for one in given]
    optimizer = nn.Adam(given, 0.1)
    gradients = [Tensor(np.ones(one.shape, np.float32)) for one in given]
    with pytest.raises(ValueError):
        optimizer((*gradients[:2], Tensor(np.ones((7, 7), np.float32))))
    for one, old in zip(given, before, strict=True):
        np.testing.assert_array_equal(one.asnumpy(), old)
    assert optimizer.global_step.asnumpy() == 0
