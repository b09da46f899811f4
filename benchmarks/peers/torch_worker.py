"""Runs a program under PyTorch; started by ``process.py`` with the interpreter of an environment that has it."""

from __future__ import annotations

import sys

import torch

from benchmarks.peers.worker_loop import serve


def three_operators(x, y):
    z = x * y
    z = z + x
    return z * y


wants_gradient = sys.argv[1] == "gradient"
x, y = (torch.randn(4, 4, requires_grad=wants_gradient) for _ in range(2))
if wants_gradient:
    serve(lambda: torch.autograd.grad(three_operators(x, y).sum(), (x, y)), lambda result: result[0].numpy())
else:
    serve(lambda: torch.add(x, y), lambda result: result.numpy())
