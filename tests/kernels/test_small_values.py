"""Quotients and roots of few numbers are custom calls, with the results of XLA's loops."""

from __future__ import annotations

import numpy as np
import pytest

import mindspore as ms
from mindspore import Tensor, nn, ops
from mindspore._kernels import library
from mindspore._kernels.passes import small_values

pytestmark = pytest.mark.skipif(not library.has_elementwise(), reason="the C++ part is not there")
A = np.random.RandomState(0).rand(5, 7).astype(np.float32) + 0.5
B = np.random.RandomState(1).rand(5, 7).astype(np.float32) - 0.5
FORMULAS = {
    "quotient": lambda a, b: (b * 2 + 1) / a - a,
    "root": lambda a, b: ops.sqrt(a * a + 1) * b + ops.rsqrt(a),
    "several readers": lambda a, b: (b / a).sum() + (b / a * a - b).max() + 1 / (b / a + 3),
    "choice": lambda a, b: ops.where(b > 0, b / a, -a),
    "one through the sum of the other": lambda a, b: b / ((b / a).sum(0) + a),
}


@pytest.fixture
def calls(monkeypatch):
    """How many calls each program got."""
    found = []
    write = small_values.write
    monkeypatch.setattr(small_values, "write", lambda block: found.append(write(block)))
    return found


@pytest.mark.parametrize("name", FORMULAS)
def test_results_are_those_of_loops(name, calls, monkeypatch):
    formula = FORMULAS[name]
    found = ms.jit(lambda a, b: formula(a, b))(Tensor(A), Tensor(B)).asnumpy()
    assert calls[-1] > 0
    monkeypatch.setattr(small_values, "write", lambda _: None)
    wanted = ms.jit(lambda a, b: formula(a, b))(Tensor(A), Tensor(B)).asnumpy()
    np.testing.assert_allclose(found, wanted, 2e-6, 1e-6)


@pytest.mark.parametrize(
    "formula",
    [
        lambda a, b: a / 3,
        lambda a, b: a * b + 1,
        lambda a, b: a.astype(ms.float16) / 3,
        lambda a, b: a[:1, :1] / b[:1, :1],
    ],
)
def test_what_else_there_is_stays_with_xla(formula, calls):
    ms.jit(lambda a, b: formula(a, b))(Tensor(A), Tensor(B))
    assert calls == [0]


def test_gradients_of_normalizations(calls, monkeypatch):
    ms.set_context(mode=ms.GRAPH_MODE)
    ms.set_seed(1)
    network = nn.SequentialCell(
        nn.Dense(7, 6), nn.BatchNorm1d(6), nn.Sigmoid(), nn.LayerNorm((6,)), nn.Dense(6, 2)
    ).set_train()
    gradient = ms.grad(lambda x: (network(x) ** 2).sum(), 0, network.trainable_params())
    found = gradient(Tensor(A))
    assert calls[-1] > 1
    monkeypatch.setattr(small_values, "write", lambda _: None)
    wanted = ms.grad(lambda x: (network(x) ** 2).sum(), 0, network.trainable_params())(Tensor(A))
    for got, want in zip((found[0], *found[1]), (wanted[0], *wanted[1]), strict=True):
        np.testing.assert_allclose(got.asnumpy(), want.asnumpy(), 1e-4, 1e-5)
