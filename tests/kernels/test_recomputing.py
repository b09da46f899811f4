"""What a recurrence hands from step to step is computed once."""

from __future__ import annotations

import numpy as np
import pytest

import mindspore as ms
from mindspore import Tensor, nn, ops
from mindspore._kernels import library
from mindspore._kernels.passes import recomputing

pytestmark = pytest.mark.skipif(not library.has_elementwise(), reason="the C++ part is not there")


@pytest.fixture
def kept(monkeypatch):
    """How many values each program keeps."""
    found = []
    keep = recomputing.keep
    monkeypatch.setattr(recomputing, "keep", lambda *given: found.append(keep(*given)) or found[-1])
    return found


class Recurrence(nn.Cell):
    """Gates of an LSTM, with a convolution or a product."""

    def __init__(self, layer, axis, steps):
        super().__init__()
        self.layer, self.axis, self.steps = layer, axis, steps

    def construct(self, x):
        hidden = state = ops.zeros_like(x)
        for _ in range(self.steps):
            a, b, c, d = ops.chunk(self.layer(ops.cat((x, hidden), self.axis)), 4, self.axis)
            state = ops.sigmoid(a) * state + ops.sigmoid(b) * ops.tanh(c)
            hidden = ops.sigmoid(d) * ops.tanh(state)
        return (hidden * hidden).mean()


LAYERS = {
    "product": (lambda: nn.Dense(64, 128), -1, (40, 32)),
    "images": (lambda: nn.Conv2d(8, 16, 3, has_bias=True, weight_init="xavier_uniform"), 1, (2, 4, 12, 12)),
}


@pytest.mark.parametrize("name", LAYERS)
def test_a_recurrence_keeps_its_state(name, kept, monkeypatch):
    layer, axis, shape = LAYERS[name]
    ms.set_seed(1)
    network = Recurrence(layer(), axis, 6)
    x = Tensor(np.random.RandomState(0).randn(*shape).astype(np.float32))
    gradient = ms.grad(network, 0, network.trainable_params())
    ms.set_context(mode=ms.GRAPH_MODE)
    found = gradient(x)
    assert kept[-1] > 0
    monkeypatch.setattr(recomputing, "keep", lambda *_: 0)
    wanted = ms.grad(network, 0, network.trainable_params())(x)
    for got, want in zip((found[0], *found[1]), (wanted[0], *wanted[1]), strict=True):
        np.testing.assert_allclose(got.asnumpy(), want.asnumpy(), 1e-4, 1e-6)


def test_without_a_recurrence_nothing_is_kept(kept):
    ms.set_context(mode=ms.GRAPH_MODE)
    network = nn.SequentialCell(nn.Dense(32, 64), nn.GELU(), nn.LayerNorm((64,)), nn.Dense(64, 32), nn.Sigmoid())
    ms.grad(lambda x: network(x).sum())(Tensor(np.ones((40, 32), np.float32)))
    assert kept
    assert not any(kept)
