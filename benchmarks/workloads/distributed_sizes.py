"""What both sides of the distributed benchmark compute with."""

from __future__ import annotations

import numpy as np

MLP = (784, 1250, 1250, 10)
RATE, MOMENTUM = 0.01, 0.9
_SHAPES = {"lenet": (1, 32, 32), "mlp": (1, 28, 28)}


def inputs(name: str, batch: int, rank: int) -> tuple[np.ndarray, np.ndarray]:
    """Images and labels of one process."""
    random = np.random.RandomState(rank)
    images = random.rand(batch, *_SHAPES[name]).astype(np.float32)
    return images, random.randint(0, 10, batch).astype(np.int32)
