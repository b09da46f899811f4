"""Nodes of a pipeline that put rows together."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from typing import Any

from mindspore.dataset._pipeline import arguments as check
from mindspore.dataset._pipeline.batches import BatchStage, Finish
from mindspore.dataset._pipeline.buckets import BucketStage
from mindspore.dataset._pipeline.dataset_info import DatasetQuestions
from mindspore.dataset._pipeline.errors import pipeline_error
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
        if self.batch_size == -1:
            raise pipeline_error(
                "Batch size cannot be -1 without using batch sampler. Write batch(dataset.get_dataset_size()) for one batch of all rows."
            )
        return BatchStage(plan.build(self.children[0]), self.batch_size, self.drop_remainder, self.finish, plan.passes)

    def _names(self) -> list[str] | None:
        return self.finish.names_after(self.children[0]._names())

    def _count(self) -> int | None:
        count = self.children[0]._count()
        if count is None or callable(self.batch_size):
            return None
        if self.batch_size == -1:
            return count
        return count // self.batch_size if self.drop_remainder else math.ceil(count / self.batch_size)

    def get_batch_size(self) -> int:
        """The number of rows in a batch; -1 where a function chooses it."""
        return -1 if callable(self.batch_size) else self.batch_size


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
        names = check.names(column_names, "column_names", "bucket_batch_by_length") or []
        if not names:
            raise ValueError(
                "For 'bucket_batch_by_length', the column_names should not be empty: name what has the length."
            )
        if element_length_function is None and len(names) != 1:
            raise ValueError(
                "If element_length_function is not specified, exactly one column name should be passed. 'bucket_batch_by_length' "
                f"got {names}."
            )
        self.arguments = (
            names,
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
