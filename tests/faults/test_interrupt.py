"""Ctrl-C ends a loop that does not end by itself, and leaves everything as it was."""

import os
import signal
import subprocess
import sys
import time

import pytest

import mindspore as ms
from mindspore._kernels import library

SOURCES = os.path.dirname(os.path.dirname(os.path.abspath(ms.__file__)))
PROGRAM = """
import signal, sys, threading, time
import mindspore as ms
from mindspore import Parameter, Tensor, nn, ops

ms.set_context(mode=ms.GRAPH_MODE)

class Endless(nn.Cell):
    def __init__(self):
        super().__init__()
        self.total = Parameter(Tensor([1.0]), "total")

    def construct(self, x):
        while x < 3:
            x = x * {factor}
        self.total += x
        return x

net = Endless()
net(Tensor(5.0)).asnumpy()                      # compiled, and ends
{again}
print("begins", flush=True)
began = time.monotonic()
try:
    net(Tensor(0.5)).asnumpy()
    print("ended by itself")
except KeyboardInterrupt:
    print("interrupted", time.monotonic() - began < 8)
print(net.total.asnumpy().tolist(), net(Tensor(4.0)).asnumpy())
"""


@pytest.mark.skipif(not library.active(), reason="without the compiled kernels loops do not look")
@pytest.mark.parametrize(
    "again", ["", "signal.signal(signal.SIGINT, lambda *_: (_ for _ in ()).throw(KeyboardInterrupt))"]
)
def test_a_loop_without_an_end_is_interrupted(again):
    process = subprocess.Popen(
        [sys.executable, "-c", PROGRAM.format(factor=1.0, again=again)],
        env=os.environ | {"PYTHONPATH": SOURCES},
        preexec_fn=lambda: signal.signal(signal.SIGINT, signal.SIG_DFL),  # a job in the background ignores it
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )
    try:
        assert process.stdout.readline() == "begins\n"
        time.sleep(1.5)
        process.send_signal(signal.SIGINT)
        out, err = process.communicate(timeout=60)
    finally:
        process.kill()
    assert out.splitlines() == ["interrupted True", "[6.0] 4.0"], err
