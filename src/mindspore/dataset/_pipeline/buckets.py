"""Batches of rows of similar length."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Callable, Iterator, Sequence
from typing import Any

import numpy as np

from mindspore.dataset._pipeline.batches import BatchOrigin, Finish
from mindspore.dataset._pipeline.errors import pipeline_error
from mindspore.dataset._pipeline.rows import Columns, MemoryOrigin, Rows, join, value_at
from mindspore.dataset._pipeline.stages import Stage
from mindspore.dataset._pipeline.values import given


class BucketStage(Stage):
    """Rows wait in the bucket of their length until it holds a batch."""

    def __init__(
        self,
        child: Stage,
        column_names: Sequence[str],
        boundaries: Sequence[int],
        sizes: Sequence[int],
        length: Callable | None,
        pad_info: dict | None,
        pad_to_boundary: bool,
        drop_remainder: bool,
        computed: Callable,
    ):
        self.child = child
        self.column_names = list(column_names)
        self.boundaries = list(boundaries)
        self.sizes = list(sizes)
        self.length = length
        self.pad_info = pad_info
        self.pad_to_boundary = pad_to_boundary
        self.drop_remainder = drop_remainder
        self.computed = computed
        self.epochs = -1

    def epoch(self) -> Iterator[Rows]:
        """Full buckets as they fill; at the end those that are left, the shortest first."""
        self.epochs += 1
        waiting: list[list[Rows]] = [[] for _ in self.sizes]
        number = 0
        for rows, columns in self.computed(self.child.epoch()):
            here = Rows(MemoryOrigin(columns), np.arange(len(rows)), rows.tickets)
            for position in range(len(rows)):
                bucket = bisect_right(self.boundaries, self._length(columns, position))
                waiting[bucket].append(here.take(slice(position, position + 1)))
                if len(waiting[bucket]) == self.sizes[bucket]:
                    yield self._batch(waiting[bucket], bucket, number)
                    waiting[bucket] = []
                    number += 1
        for bucket, left in enumerate(waiting):
            if left and not self.drop_remainder:
                yield self._batch(left, bucket, number)
                number += 1

    def _length(self, columns: Columns, position: int) -> int:
        values = [next(iter(given([value_at(columns[name], position)]))) for name in self.column_names]
        length = int(self.length(*values)) if self.length is not None else values[0].shape[0]
        if self.pad_to_boundary and self.boundaries and length >= self.boundaries[-1]:
            raise pipeline_error(
                "Invalid data, 'pad_to_bucket_boundary' needs rows that are shorter than the last of 'bucket_boundaries', "
                f"{self.boundaries[-1]}, but got one of length {length}."
            )
        return length

    def _batch(self, rows: list[Rows], bucket: int, number: int) -> Rows:
        whole = join(rows)
        origin = BatchOrigin(whole, [(0, len(whole))], self._finish(bucket), number, self.epochs)
        return Rows(origin, np.arange(1), whole.tickets[:1])

    def _finish(self, bucket: int) -> Finish:
        info = self.pad_info
        if info and self.pad_to_boundary and bucket < len(self.boundaries):
            edge = self.boundaries[bucket] - 1
            info = {name: (_filled(shape, edge), value) for name, (shape, value) in info.items()}
        return Finish(pad_info=info or None, pads=True)


def _filled(shape: Any, edge: int) -> Any:
    return None if shape is None else [edge if length is None else length for length in shape]
