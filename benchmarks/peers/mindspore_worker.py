"""Runs a program under a real MindSpore; started by ``process.py`` with that MindSpore's interpreter."""

from __future__ import annotations

import sys

import numpy as np

import mindspore as ms
from benchmarks.peers.worker_loop import serve
from mindspore import Tensor, ops


def three_operators(x, y):
    z = x * y
    z = z + x
    return z * y


ms.set_context(mode=ms.PYNATIVE_MODE)
x, y = (Tensor(array) for array in np.random.default_rng(0).normal(size=(2, 4, 4)).astype(np.float32))
if sys.argv[1] == "add":
    serve(lambda: ops.add(x, y), lambda result: result.asnumpy())
else:
    gradient = ms.grad(three_operators, (0, 1))
    serve(lambda: gradient(x, y), lambda result: result[0].asnumpy())
