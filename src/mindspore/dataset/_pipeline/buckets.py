"""Batches of rows of similar length."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Callable, Iterator, Sequence

import numpy as np

from mindspore.dataset._pipeline.batches import BatchOrigin, Finish
from mindspore.dataset._pipeline.errors import pipeline_error, users_code
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
            self._check_names(columns)
            here = Rows(MemoryOrigin(columns), np.arange(len(rows)), rows.tickets)
            for position in range(len(rows)):
                bucket = self._bucket(self._length(columns, position))
                waiting[bucket].append(here.take(slice(position, position + 1)))
                if len(waiting[bucket]) == self.sizes[bucket]:
                    yield self._batch(waiting[bucket], bucket, number)
                    waiting[bucket] = []
                    number += 1
        for bucket, left in enumerate(waiting):
            if left and not self.drop_remainder:
                yield self._batch(left, bucket, number)
                number += 1

    def _bucket(self, length: int) -> int:
        bucket = bisect_right(self.boundaries, length)
        if bucket == len(self.boundaries) and self._needs_edge():
            raise pipeline_error(
                "Invalid data, requested to pad to bucket boundary failed: 'pad_to_bucket_boundary' needs rows that are shorter "
                f"than the last of 'bucket_boundaries', {self.boundaries[-1]}, but got one of length {length}. Add a larger "
                "boundary, or give the shape in pad_info."
            )
        return bucket

    def _check_names(self, columns: Columns) -> None:
        for name in self.column_names:
            if name not in columns:
                raise pipeline_error(
                    f"Invalid parameter, input column name: {name} doesn't exist in the dataset columns {list(columns)}."
                )

    def _length(self, columns: Columns, position: int) -> int:
        values = [next(iter(given([value_at(columns[name], position)]))) for name in self.column_names]
        if self.length is None:
            return values[0].shape[0] if values[0].ndim else 0
        with users_code(lambda: "bucket_batch_by_length operation: the 'element_length_function' failed"):
            length = self.length(*values)
        whole = np.asarray(length)
        if whole.size != 1 or whole.dtype.kind not in "iu" or whole.item() < 0:
            raise pipeline_error(
                "Invalid element_length_function, element_length_function must return an integer greater than or equal to 0, "
                f"but got {length!r:.80}."
            )
        return whole.item()

    def _batch(self, rows: list[Rows], bucket: int, number: int) -> Rows:
        whole = join(rows)
        origin = BatchOrigin(whole, [(0, len(whole))], self._finish(bucket), number, self.epochs)
        return Rows(origin, np.arange(1), whole.tickets[:1])

    def _finish(self, bucket: int) -> Finish:
        info = self.pad_info
        if self._needs_edge():
            edge = self.boundaries[bucket] - 1
            info = {name: entry and (_filled(entry[0], edge), entry[1]) for name, entry in (info or {}).items()}
        return Finish(pad_info=info or None, pads=True)

    def _needs_edge(self) -> bool:
        """Whether ``pad_info`` needs the bucket's upper boundary, which the last bucket does not have."""
        shapes = [entry[0] for entry in (self.pad_info or {}).values() if entry]
        return self.pad_to_boundary and any(None in shape for shape in shapes if shape is not None)


def _filled(shape: list[int | None] | None, edge: int) -> list[int] | None:
    return None if shape is None else [edge if length is None else length for length in shape]
