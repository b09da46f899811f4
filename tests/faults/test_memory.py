"""A step that does not get its memory is an answer, not a loss: every Parameter stays, and smaller steps go on."""

import os
import subprocess
import sys

import pytest

import mindspore as ms
from mindspore import Tensor, ops
from mindspore._engine.base import unsettled_writes

SOURCES = os.path.dirname(os.path.dirname(os.path.abspath(ms.__file__)))
PROGRAM = """
import resource, sys
import numpy as np
import mindspore as ms
from mindspore import Parameter, Tensor, nn, ops

ms.set_context(mode=int(sys.argv[1]))

class Net(nn.Cell):
    def __init__(self):
        super().__init__()
        self.wide, self.norm, self.out = nn.Dense(64, 2048), nn.BatchNorm1d(2048), nn.Dense(2048, 1)

    def construct(self, x):
        return self.out(ops.relu(self.norm(self.wide(x))))

net = Net()
optimizer = nn.Adam(net.trainable_params(), 0.01)
if sys.argv[2] == "cell":
    step = nn.TrainOneStepCell(nn.WithLossCell(net, nn.MSELoss()), optimizer).set_train()
else:
    net.set_train()
    forward = ms.value_and_grad(lambda x, y: nn.MSELoss()(net(x), y), None, optimizer.parameters)
    def step(x, y):
        loss, grads = forward(x, y)
        optimizer(grads)
        return loss

def data(rows):
    return Tensor(np.ones((rows, 64), np.float32)), Tensor(np.ones((rows, 1), np.float32))

def state():
    return [p.asnumpy() for p in (*net.get_parameters(), *optimizer.get_parameters())]

step(*data(8)).asnumpy()
before, large = state(), data(200_000)
pages = int(open("/proc/self/statm").read().split()[0])
limit = pages * resource.getpagesize() + 600 * 2**20
resource.setrlimit(resource.RLIMIT_AS, (limit, limit))
try:
    step(*large).asnumpy()
    print("no error")
except MemoryError as error:
    print("MemoryError", "bytes" in str(error), isinstance(error, RuntimeError))
print("same", all(np.array_equal(old, new) for old, new in zip(before, state(), strict=True)))
print("next", bool(np.isfinite(step(*data(8)).asnumpy())))
"""


@pytest.mark.parametrize(
    ("mode", "kind"),
    [
        (0, "cell"),
        (1, "cell"),
        pytest.param(0, "function", marks=pytest.mark.heavy),
        pytest.param(1, "function", marks=pytest.mark.heavy),
    ],
)
def test_a_step_without_enough_memory_leaves_all_as_it_was(mode, kind):
    out = subprocess.run(
        [sys.executable, "-c", PROGRAM, str(mode), kind],
        env=os.environ | {"PYTHONPATH": SOURCES},
        capture_output=True,
        text=True,
        check=False,
        timeout=300,
    )
    assert out.stdout.splitlines() == ["MemoryError True True", "same True", "next True"], out.stderr


LARGE = """
import resource
import mindspore as ms
from mindspore import Tensor, ops
resource.setrlimit(resource.RLIMIT_AS, (24 * 2**30,) * 2)
ms.set_context(mode={mode})
x = ops.ones(1 << 19)
for attempt in (
    lambda: (x.reshape(-1, 1) + x.reshape(1, -1)).asnumpy(),
    lambda: ops.zeros((1 << 20, 1 << 20)).asnumpy(),
    lambda: ops.arange(1 << 45).asnumpy(),
    lambda: ops.randn(1 << 40).sum().item(),
    lambda: (x.reshape(-1, 1) * x.reshape(1, -1)).__dlpack__(),
):
    try:
        attempt()
        print("a value")
    except MemoryError as error:
        print("MemoryError")
print((x[:3] + 1).asnumpy().tolist())
"""


def test_results_too_large_for_memory_are_exceptions_when_fetched():
    out = subprocess.run(
        [sys.executable, "-c", LARGE.format(mode=1)],
        env=os.environ | {"PYTHONPATH": SOURCES},
        capture_output=True,
        text=True,
        check=False,
        timeout=300,
    )
    assert out.stdout.splitlines() == ["MemoryError"] * 5 + ["[2.0, 2.0, 2.0]"], out.stderr


@pytest.mark.parametrize("shape", [(1 << 40, 1 << 40), (1 << 62, 4), (2**31, 2**31)])
@pytest.mark.parametrize("make", [ops.zeros, ops.ones, lambda shape: ops.full(shape, 2.0)])
def test_sizes_that_no_machine_has_are_refused_at_once(mode, make, shape):
    with pytest.raises((ValueError, RuntimeError, MemoryError), match="shape"):
        make(shape)


def test_writes_that_are_done_are_let_go():
    parameter = ms.Parameter(Tensor([1.0]), "p")
    for _ in range(3):
        parameter.set_data(parameter + 1)
    assert parameter.asnumpy() == [4]
    unsettled_writes.settle(wait=True)
    assert unsettled_writes._writes == []
