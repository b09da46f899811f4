"""Thousands of steps over changing shapes, in both modes: memory, files and threads stay where they are."""

import os
import subprocess
import sys

import pytest

import mindspore as ms

SOURCES = os.path.dirname(os.path.dirname(os.path.abspath(ms.__file__)))
PROGRAM = """
import gc, os, sys, threading
import numpy as np
import mindspore as ms
import mindspore.dataset as ds
from mindspore import Tensor, nn, ops

mode, steps = int(sys.argv[1]), int(sys.argv[2])
ms.set_context(mode=mode)
net = nn.SequentialCell(nn.Dense(16, 32), nn.ReLU(), nn.Dense(32, 4))
optimizer = nn.Adam(net.trainable_params(), 0.001)
forward = ms.value_and_grad(lambda x, y: ops.cross_entropy(net(x), y), None, optimizer.parameters)
generator = np.random.default_rng(0)

def step(rows):
    x = Tensor(generator.standard_normal((rows, 16)).astype(np.float32))
    loss, grads = forward(x, Tensor(generator.integers(0, 4, rows).astype(np.int32)))
    optimizer(grads)
    return float(loss)

def rows_of_a_pipeline():
    data = ds.NumpySlicesDataset({"x": np.zeros((64, 3), np.float32)}).batch(8)
    return sum(1 for _ in data.create_dict_iterator(output_numpy=True))

def now():
    gc.collect()
    resident = int(open("/proc/self/statm").read().split()[1]) * os.sysconf("SC_PAGE_SIZE") / 2**20
    return resident, len(os.listdir("/proc/self/fd")), threading.active_count()

def part(number):
    for index in range(number):
        step(1 + index % 16)
        if index % 250 == 0:
            rows_of_a_pipeline()

part(max(200, steps // 5))
before = now()
part(steps)
after = now()
print(*(round(b - a) for a, b in zip(before, after, strict=True)))
"""


@pytest.mark.heavy
@pytest.mark.parametrize("mode", [0, 1])
def test_a_long_training_over_many_shapes_stays_flat(mode):
    out = subprocess.run(
        [sys.executable, "-c", PROGRAM, str(mode), "10000"],
        env=os.environ | {"PYTHONPATH": SOURCES},
        capture_output=True,
        text=True,
        check=False,
        timeout=1200,
    )
    assert out.returncode == 0, out.stderr
    megabytes, descriptors, threads = map(int, out.stdout.split())
    assert megabytes < 60 and descriptors <= 2 and threads <= 2, out.stdout


MANY_SIZES = """
import ctypes, gc, os, sys
import numpy as np
import mindspore as ms
from mindspore import Tensor, nn
from mindspore._engine.graph import new_graph

new_graph.MOST_SIGNATURES = int(sys.argv[1])
ms.set_context(mode=ms.GRAPH_MODE)
net = nn.Dense(3, 4)
gradient = ms.value_and_grad(lambda x: (net(x) ** 2).sum(), None, net.trainable_params())

def megabytes():
    gc.collect()
    ctypes.CDLL(None).malloc_trim(0)
    return int(open("/proc/self/statm").read().split()[1]) * os.sysconf("SC_PAGE_SIZE") / 2**20

def sizes(*range_):
    for rows in range(*range_):
        float(gradient(Tensor(np.ones((rows, 3), np.float32)))[0])

sizes(1, 60)
before = megabytes()
sizes(60, 260)
print(round(megabytes() - before))
"""


def grown(kept):
    command = [sys.executable, "-c", MANY_SIZES, str(kept)]
    environment = os.environ | {"PYTHONPATH": SOURCES}
    return int(subprocess.run(command, env=environment, capture_output=True, text=True, check=True, timeout=600).stdout)


@pytest.mark.heavy
def test_graphs_of_many_sizes_take_no_more_memory_than_those_that_are_kept():
    bounded, unbounded = grown(40), grown(10_000)
    assert bounded < 45 < unbounded, (bounded, unbounded)
