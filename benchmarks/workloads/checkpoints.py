"""Saves or loads a checkpoint under any MindSpore: ``python checkpoints.py save|load FILE MEGABYTES``."""

from __future__ import annotations

import sys

import numpy as np

import mindspore as ms
from benchmarks.peers.worker_loop import serve
from mindspore import Tensor

PARAMETERS = 100


def save(path: str, megabytes: float) -> None:
    """Writes as many bytes in parameters of equal size."""
    elements = int(megabytes * 2**20 / 4 / PARAMETERS)
    random = np.random.RandomState(1)
    parameters = [
        {"name": f"layer{number}.weight", "data": Tensor(random.rand(elements).astype(np.float32))}
        for number in range(PARAMETERS)
    ]
    ms.save_checkpoint(parameters, path)
    if sys.argv[1] == "save":
        serve(lambda: ms.save_checkpoint(parameters, path), lambda result: None)


def load(path: str, megabytes: float) -> None:
    """Reads what was written, down to the values."""
    save(path, megabytes)
    serve(lambda: [parameter.asnumpy() for parameter in ms.load_checkpoint(path).values()], lambda result: None)


if __name__ == "__main__":
    {"save": save, "load": load}[sys.argv[1]](sys.argv[2], float(sys.argv[3]))
