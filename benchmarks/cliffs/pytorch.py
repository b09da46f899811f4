"""A case in PyTorch, eagerly, as its users run it."""

from __future__ import annotations

import os
from collections.abc import Callable
from typing import Any

import torch
from torch.nn import functional

from benchmarks.cliffs.case import Case


def prepare(case: Case) -> Callable[[], Any]:
    torch.set_num_threads(len(os.sched_getaffinity(0)))
    names = {"torch": torch, "F": functional}
    function = case.function(case.pytorch, {**names, "layer": eval(case.pytorch_layer or "None", names)})
    inputs = [torch.from_numpy(array).to(getattr(torch, dtype)) for array, dtype in case.arrays()]
    wanted = [inputs[place].requires_grad_() for place in case.differentiated()]
    if wanted:
        return lambda: torch.autograd.grad((function(*inputs) ** 2).sum(), wanted, allow_unused=True)
    return lambda: function(*inputs)
