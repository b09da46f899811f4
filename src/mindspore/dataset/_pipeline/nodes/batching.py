"""Nodes of a pipeline that put rows together."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from typing import Any

from mindspore.dataset._pipeline import arguments as check
from mindspore.dataset._pipeline.batches import BatchStage, Finish
from mindspore.dataset._pipeline.buckets import BucketStage
from mindspore.dataset._pipeline.dataset_info import DatasetQuestions
from mindspore.dataset._pipeline.nodes.waiting import Waiting
from mindspore.dataset._pipeline.run_context import PipelineContext
from mindspore.dataset._pipeline.stages import Stage


class BatchNode(DatasetQuestions):
    """What ``batch`` makes of a dataset."""

    def __init__(
        self,
        input_dataset: Waiting,
        batch_size: Any,
        drop_remainder: bool = False,
        num_parallel_workers: int | None = None,
        finish: Finish | None = None,
    ):
        if not isinstance(input_dataset, DatasetQuestions):
            got = f"{input_dataset!r} of type {type(input_dataset).__name__}"
            raise TypeError(f"For 'BatchDataset', the 'input_dataset' must be a dataset, but got {got}.")
        super().__init__([input_dataset], num_parallel_workers)
        self.batch_size = check.batch_size(batch_size)
        self.drop_remainder = check.flag("drop_remainder", drop_remainder)
        self.finish = finish or Finish()
        for wait in input_dataset._notifiers().values():
            wait.count_batches_of(self.batch_size)

    def _stage(self, plan: PipelineContext) -> Stage:
        size = self.batch_size
        if size == -1:
            size = max(self.children[0].get_dataset_size(), 1)
        return BatchStage(plan.build(self.children[0]), size, self.drop_remainder, self.finish, plan.passes)

    def _names(self) -> list[str] | None:
        return self.finish.names_after(self.children[0]._names())

    def _count(self) -> int | None:
        count = self.children[0]._count()
        if count is None or callable(self.batch_size):
            return None
        if self.batch_size == -1:
            return min(count, 1)
        return count // self.batch_size if self.drop_remainder else math.ceil(count / self.batch_size)

    def get_batch_size(self) -> int:
        """The number of rows in a batch; -1 where a function chooses it."""
        if callable(self.batch_size):
            return -1
        return self.children[0].get_dataset_size() if self.batch_size == -1 else self.batch_size


class BucketBatchByLengthNode(DatasetQuestions):
    """What ``bucket_batch_by_length`` makes of a dataset."""

    def __init__(
        self,
        input_dataset: DatasetQuestions,
        column_names: Any,
        bucket_boundaries: Sequence[int],
        bucket_batch_sizes: Sequence[int],
        element_length_function: Callable[..., Any] | None,
        pad_info: dict[Any, Any] | None,
        pad_to_bucket_boundary: bool,
        drop_remainder: bool,
    ):
        super().__init__([input_dataset])
        check.buckets(bucket_boundaries, bucket_batch_sizes)
        self.arguments = (
            check.names(column_names, "column_names", "bucket_batch_by_length") or [],
            list(bucket_boundaries),
            list(bucket_batch_sizes),
            check.function(element_length_function, "element_length_function", "bucket_batch_by_length"),
            check.padding(pad_info, "bucket_batch_by_length"),
            check.flag("pad_to_bucket_boundary", pad_to_bucket_boundary),
            check.flag("drop_remainder", drop_remainder),
        )

    def _stage(self, plan: PipelineContext) -> Stage:
        return BucketStage(plan.build(self.children[0]), *self.arguments, plan.computed)

    def _count(self) -> int | None:
        return None
