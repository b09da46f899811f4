"""The sampler of one rank of several."""

from __future__ import annotations

import itertools
from collections.abc import Iterator
from importlib import import_module
from typing import Any

import numpy as np

from mindspore.dataset.dataloader.sampler import Sampler

__all__ = ["DistributedSampler"]


class DistributedSampler(Sampler):
    """Every ``num_replicas``-th sample, from ``rank`` on. Call ``set_epoch`` before each pass to shuffle anew.

    Args:
        dataset: something with a length.
        num_replicas, rank: how many processes there are, and which one this is; those of the job by default.
        shuffle: whether samples are shuffled, in the same way in all processes.
        seed: of the shuffling.
        drop_last: whether samples that do not divide evenly are left out; otherwise the first ones come again.

    Examples:
        >>> from mindspore.dataset.dataloader import DistributedSampler
        >>> list(DistributedSampler(range(5), 2, 1, shuffle=False)), list(DistributedSampler(range(5), 2, 0, seed=3))
        ([1, 3, 0], [4, 1, 0])
    """

    def __init__(self, dataset: Any, num_replicas: int | None = None, rank: int | None = None, shuffle: bool | None = True,
                 seed: int | None = 0, drop_last: bool | None = False):  # fmt: skip
        super().__init__(dataset)
        processes = import_module("mindspore.communication")  # which worker processes do without
        self.num_replicas = processes.get_group_size() if num_replicas is None else num_replicas
        self.rank = processes.get_rank() if rank is None else rank
        if not 0 <= self.rank < self.num_replicas:
            raise ValueError(f"Invalid rank: {self.rank}, rank must be in the interval [0, {self.num_replicas - 1}]")
        self.dataset, self.shuffle, self.seed, self.drop_last = dataset, shuffle, seed or 0, drop_last
        self.epoch = 0

    @property
    def num_samples(self) -> int:
        """The number of samples of this process."""
        count = len(self.dataset)
        return count // self.num_replicas if self.drop_last else -(-count // self.num_replicas)

    def __iter__(self) -> Iterator[int]:
        count, total = len(self.dataset), self.num_samples * self.num_replicas
        order = list(range(count))
        if self.shuffle:
            order = np.random.default_rng(self.seed + self.epoch).permutation(count).tolist()
        repeated = itertools.islice(itertools.cycle(order), total)
        return itertools.islice(repeated, self.rank, None, self.num_replicas)

    def __len__(self) -> int:
        return self.num_samples

    def set_epoch(self, epoch: int) -> None:
        """Say which pass comes next: the order follows from it and the seed."""
        self.epoch = epoch
