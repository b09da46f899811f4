"""Initial weights, metrics, printed Tensors, files, optimizers and datasets need no compiler, in either mode."""

from __future__ import annotations

import jax
import numpy as np
import pytest

import mindspore as ms
import mindspore.dataset as ds
from mindspore import Parameter, Tensor, nn, ops
from mindspore._engine.interpreter import random_bits
from mindspore._engine.runtime import transfer
from mindspore._kernels import library
from mindspore.common import initializer as initializers

_COMPILATION = "/jax/core/compile/backend_compile_duration"
_seen: list[str] = []
jax.monitoring.register_event_duration_secs_listener(lambda event, *_, **__: _seen.append(event))


@pytest.fixture(autouse=True, params=["graph", "pynative"])
def compilations(request, monkeypatch):
    """What XLA was given."""
    monkeypatch.setattr(transfer, "_seen", {})  # how often arrays of a shape came in other tests does not count
    ms.set_context(mode=ms.GRAPH_MODE if request.param == "graph" else ms.PYNATIVE_MODE)
    _seen.clear()
    yield
    assert _COMPILATION not in _seen


@pytest.mark.parametrize(
    "make",
    [initializers.Normal, initializers.TruncatedNormal, initializers.Uniform, initializers.XavierUniform, initializers.XavierNormal,
     initializers.HeUniform, initializers.HeNormal, initializers.Zero, initializers.One, initializers.Identity, initializers.Orthogonal,
     initializers.VarianceScaling, lambda: initializers.Constant(3), lambda: initializers.Sparse(0.3)],
)  # fmt: skip
def test_initial_weights(make):
    for dtype in (ms.float32, ms.float16):
        ms.set_seed(2)
        assert Parameter(initializers.initializer(make(), (13, 7), dtype), name="w").asnumpy().shape == (13, 7)


def test_metrics():
    predicted, labels = Tensor(np.eye(5, dtype=np.float32)), Tensor(np.arange(5), ms.int32)
    for metric in (
        nn.Accuracy(), nn.Precision(), nn.Recall(), nn.F1(), nn.Top1CategoricalAccuracy(), nn.TopKCategoricalAccuracy(2)
    ):  # fmt: skip
        metric.clear()
        metric.update(predicted, labels)
        assert np.all(np.asarray(metric.eval()) == 1.0)
    for metric in (nn.MAE(), nn.MSE()):
        metric.clear()
        metric.update(predicted, predicted)
        assert metric.eval() == 0.0


def test_printed_tensors():
    x = Tensor(np.arange(12, dtype=np.float32).reshape(3, 4))
    assert "[ 0.  1.  2.  3.]" in str(x) and "Float32" in repr(x) and str(x[1, 2]) == "6.0"
    assert float(x[0, 1]) == 1.0 and int(x[2, 3]) == 11 and len(list(x)) == 3


def test_files(tmp_path):
    net = nn.SequentialCell(nn.Conv2d(1, 3, 3), nn.BatchNorm2d(3), nn.Dense(3, 5), nn.LSTM(5, 4))
    ms.save_checkpoint(net, str(tmp_path / "net.ckpt"))
    loaded = ms.load_checkpoint(str(tmp_path / "net.ckpt"))
    assert ms.load_param_into_net(net, loaded) == ([], [])


def test_optimizers():
    for make in (
        nn.SGD,
        nn.Adam,
        nn.AdamWeightDecay,
        nn.RMSProp,
        nn.Adagrad,
        lambda weights: nn.Momentum(weights, 0.1, 0.9),
    ):
        assert make(nn.Dense(3, 5).trainable_params()).learning_rate is not None


def test_datasets_and_permutations():
    data = ds.NumpySlicesDataset({"x": np.ones((8, 3), np.float32)}, shuffle=True).batch(4)
    assert [batch["x"].shape for batch in data.create_dict_iterator()] == [(4, 3)] * 2
    assert sorted(ops.randperm(5).asnumpy()) == [0, 1, 2, 3, 4]


@pytest.mark.skipif(not library.active(), reason="without the kernel there are twenty rounds of NumPy's calls")
def test_few_random_numbers_are_one_call_of_the_kernel(monkeypatch):
    def threefry(*_):
        raise AssertionError("rounds by NumPy")

    monkeypatch.setattr(random_bits, "threefry", threefry)
    ms.set_seed(3)
    drawn = [ops.rand(3, 3), ops.dropout(ops.ones((5, 5)), 0.5), ops.randperm(10), ops.bernoulli(ops.ones((3, 7)), 0.5)]
    ms.set_seed(3)
    again = [ops.rand(3, 3), ops.dropout(ops.ones((5, 5)), 0.5), ops.randperm(10), ops.bernoulli(ops.ones((3, 7)), 0.5)]
    for one, other in zip(drawn, again, strict=True):
        np.testing.assert_array_equal(one.asnumpy(), other.asnumpy())
