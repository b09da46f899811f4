"""Steps that repeat: after about a dozen of them XLA is asked for nothing any more."""

from __future__ import annotations

import jax
import numpy as np
import pytest

import mindspore as ms
from mindspore import Tensor, nn, ops
from mindspore._engine.execution import recorded_walk
from mindspore._engine.execution.dispatch import call
from mindspore._engine.interpreter import choice
from mindspore._engine.runtime import transfer

_COMPILATION = "/jax/core/compile/backend_compile_duration"
_seen: list[str] = []
jax.monitoring.register_event_duration_secs_listener(lambda event, *_, **__: _seen.append(event))


@pytest.fixture(autouse=True)
def seen(monkeypatch):
    ms.set_context(mode=ms.PYNATIVE_MODE)
    monkeypatch.setattr(transfer, "_compiled", set())
    _seen.clear()
    return _seen


def numbers(*shape):
    return Tensor(np.random.default_rng(1).normal(size=shape).astype(np.float32))


class Classifier(nn.Cell):
    """Large and small operators, with a gradient and without."""

    def __init__(self):
        super().__init__()
        self.conv, self.norm, self.dense = nn.Conv2d(3, 8, 3), nn.BatchNorm2d(8), nn.Dense(8, 4)

    def construct(self, x, labels):
        x = ops.relu(self.norm(self.conv(x)))
        return ops.cross_entropy(self.dense(x.mean((2, 3))) * 2 - 1, labels.reshape(-1))


class Residual(nn.Cell):
    """u'' - u of a network u: two derivatives inside, and the gradient of training around them."""

    def __init__(self):
        super().__init__()
        self.network = nn.SequentialCell(nn.Dense(1, 16), nn.Tanh(), nn.Dense(16, 1))

    def construct(self, x):
        slope = ms.grad(lambda x: self.network(x).sum())
        curvature = ms.grad(lambda x: slope(x).sum())
        return ((curvature(x) - self.network(x)) ** 2).mean()


@pytest.mark.parametrize("kind", [Classifier, Residual])
def test_after_a_dozen_steps_of_training_nothing_is_compiled(seen, kind):
    net = kind()
    labels = Tensor(np.array([[0, 1], [2, 3]]), ms.int32)
    inputs = (numbers(4, 3, 16, 16), labels) if kind is Classifier else (numbers(4000, 1),)
    optimizer = nn.Adam(net.trainable_params(), 1e-3)
    gradient = ms.value_and_grad(net, None, optimizer.parameters)

    def losses(steps):
        for _ in range(steps):
            loss, gradients = gradient(*inputs)
            optimizer(gradients)
            yield float(loss.asnumpy())

    first = list(losses(recorded_walk.WALKS + transfer.OFTEN + 2))
    assert _COMPILATION in seen
    seen.clear()
    assert list(losses(2 * choice.OFTEN))[-1] < first[0]
    assert _COMPILATION not in seen


def test_arrays_of_the_host_and_of_the_device_are_counted_together():
    x = np.random.default_rng(1).normal(size=(120, 100)).astype(np.float32)
    kernel, _ = ops.sin.op.select((Tensor(x),), {})
    call(kernel, [x])
    forms = len(kernel.forms)
    call(kernel, [jax.device_put(x, jax.devices()[0])])
    assert len(kernel.forms) == forms


def test_arrays_that_are_sent_often_are_placed_like_those_that_are_not():
    sent = [transfer.to_device((np.full((3, 5), float(i)),))[0] for i in range(transfer.OFTEN + 2)]
    assert {(array.sharding, array.committed) for array in sent} == {(sent[0].sharding, True)}
    assert [float(array[0, 0]) for array in sent] == [float(i) for i in range(transfer.OFTEN + 2)]
