"""Sources whose samples can be read in any order."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from mindspore._utils.checks import shown
from mindspore._utils.refusals import WrongObject
from mindspore.dataset._pipeline.random_orders.exact_random import shuffle
from mindspore.dataset._pipeline.rows import Columns
from mindspore.dataset._pipeline.run_context import PipelineContext
from mindspore.dataset._pipeline.stages import SourceStage, Stage
from mindspore.dataset.engine.datasets import SourceDataset
from mindspore.dataset.engine.samplers import choose_sampler, to_sampler

__all__ = ["MappableDataset", "RandomAccessDataset"]


class RandomAccessDataset(SourceDataset):
    """Base of these sources: a subclass gives the number of samples and fetches some of them by number.

    It is also the origin of its rows: workers call ``fetch`` and ``describe``.

    Examples:
        >>> import mindspore.dataset as ds
        >>> issubclass(ds.MnistDataset, ds.MappableDataset), issubclass(ds.TFRecordDataset, ds.MappableDataset)
        (True, False)
    """

    def __init__(
        self,
        num_samples: int | None,
        num_parallel_workers: int | None,
        shuffle: Any,
        sampler: Any,
        num_shards: int | None,
        shard_id: int | None,
    ):
        super().__init__(num_parallel_workers=num_parallel_workers)
        self.sampler = choose_sampler(
            type(self).__name__, num_samples, sampler, shuffle, num_shards, shard_id, self._own_order
        )

    # -- what a source is ---------------------------------------------------------------------------------------------
    def _length(self) -> int:
        """The number of samples."""
        raise NotImplementedError

    def fetch(self, ids: np.ndarray) -> Columns:
        """The columns of these samples."""
        raise NotImplementedError

    def describe(self, identity: int) -> str:
        """What to call a sample in an error message."""
        return f"sample {identity}"

    def _labels(self, column: str) -> Sequence[int]:
        """The classes of all samples, for PKSampler."""
        raise RuntimeError(f"{type(self).__name__} does not tell the classes of its samples.")

    _own_order = False  # whether numbers given as sampler decide alone
    _in_processes = False  # whether samples are to be read in worker processes

    # -- what follows from it -----------------------------------------------------------------------------------------
    def _stage(self, plan: PipelineContext) -> Stage:
        column = getattr(self.sampler, "class_column", "label")
        order = self.sampler.start(self._length(), plan.seed, lambda: self._labels(column))
        return SourceStage(plan.share(self, self._in_processes), order)

    def _count(self) -> int | None:
        column = getattr(self.sampler, "class_column", "label")
        return self.sampler.length(self._length(), lambda: self._labels(column))

    def _order_to_split(self, total: int, seed: int) -> list[int]:
        """The random order that is divided: that of a sampler."""
        order = list(range(total))
        shuffle(order, seed)
        return order

    def add_sampler(self, new_sampler: Any) -> None:
        """Choose from what another sampler chooses."""
        if isinstance(new_sampler, (int, str)):
            raise WrongObject(f"For 'add_sampler', the 'new_sampler' must be a sampler, but got {shown(new_sampler)}.")
        sampler = to_sampler(new_sampler)
        sampler.add_child(self.sampler)
        self.sampler, self.dataset_size = sampler, None

    def use_sampler(self, new_sampler: Any) -> None:
        """Another sampler from now on."""
        if new_sampler is None:
            raise TypeError("Input sampler can not be None.")
        if isinstance(new_sampler, (int, str)):
            raise TypeError(f"Input sampler is not an instance of a sampler, but got {shown(new_sampler)}.")
        self.sampler, self.dataset_size = to_sampler(new_sampler), None

    def is_shuffled(self) -> bool:
        """Whether the sampler's order is random."""
        return self.sampler.is_shuffled()

    def is_sharded(self) -> bool:
        """Whether the samples were divided among processes."""
        return self.sampler.is_sharded()


MappableDataset = RandomAccessDataset  # MindSpore's name
