"""A forked child that computes is told what to do, at once; one that does not compute notices nothing."""

import os
import subprocess
import sys

import pytest

import mindspore as ms

SOURCES = os.path.dirname(os.path.dirname(os.path.abspath(ms.__file__)))
PROGRAM = """
import multiprocessing, sys, threading, warnings
import numpy as np
import mindspore as ms
from mindspore import Tensor, nn, ops

warnings.simplefilter("ignore")
ms.set_context(mode={mode})
x, net, other = Tensor(np.ones((300, 300), np.float32)), nn.Dense(300, 300), nn.Dense(300, 300)
{before}

def thread(work):
    found = []
    one = threading.Thread(target=lambda: found.append(answer(work)))
    one.start()
    one.join()
    return found[0]

WORK = {{
    "operator": lambda: ops.matmul(x, x).asnumpy(),
    "network": lambda: net(x).asnumpy(),
    "another network": lambda: other(x).asnumpy(),
    "gradient": lambda: ms.grad(lambda x: (x * x).sum())(x).asnumpy(),
    "thread": lambda: thread(WORK["operator"]),
    "reading": lambda: float(x.asnumpy()[0, 0]),
}}

def answer(work):
    try:
        return work()
    except RuntimeError as error:
        return "told" if "was forked" in str(error) and "spawn" in str(error) else str(error)

context = multiprocessing.get_context("fork")
for name, work in WORK.items():
    queue = context.Queue()
    process = context.Process(target=lambda: queue.put(answer(work)))
    process.start()
    found = queue.get(timeout=60)
    print(name, found if isinstance(found, (str, float)) else "computed", flush=True)
    process.join(60)
print("parent", float(net(ops.matmul(x, x)).asnumpy().sum()) != 0)
"""


def run(mode, before):
    return subprocess.run(
        [sys.executable, "-c", PROGRAM.format(mode=mode, before=before)],
        env=os.environ | {"PYTHONPATH": SOURCES},
        capture_output=True,
        text=True,
        check=False,
        timeout=300,
    )


@pytest.mark.parametrize("mode", [0, 1])
def test_a_fork_of_a_process_that_has_computed(mode):
    out = run(mode, "net(ops.matmul(x, x)).asnumpy()")
    told = ["operator", "network", "another network", "gradient", "thread"]
    assert out.stdout.splitlines() == [*(f"{name} told" for name in told), "reading 1.0", "parent True"], out.stderr
