"""Nodes of a pipeline that select, repeat and reorder rows."""

from __future__ import annotations

from typing import Any

from mindspore.dataset._pipeline import arguments as check
from mindspore.dataset._pipeline.dataset_info import DatasetQuestions
from mindspore.dataset._pipeline.run_context import PipelineContext
from mindspore.dataset._pipeline.stages import RepeatStage, ShuffleStage, Stage, WindowStage
from mindspore.dataset.core import config
from mindspore.dataset.engine.samplers import SequentialSampler, SubsetSampler


class ShuffleNode(DatasetQuestions):
    """What ``shuffle`` makes of a dataset."""

    def __init__(self, input_dataset: DatasetQuestions, buffer_size: int):
        super().__init__([input_dataset])
        self.buffer_size = check.number("shuffle", "buffer_size", buffer_size, low=2)

    def _stage(self, plan: PipelineContext) -> Stage:
        return ShuffleStage(plan.build(self.children[0]), self.buffer_size, plan.seed)

    def is_shuffled(self) -> bool:
        """Always."""
        return True


class RepeatNode(DatasetQuestions):
    """What ``repeat`` makes of a dataset."""

    def __init__(self, input_dataset: DatasetQuestions, count: int | None):
        super().__init__([input_dataset])
        self.count = check.repeat_count(count)

    def _stage(self, plan: PipelineContext) -> Stage:
        count = None if self.count == -1 else self.count
        return RepeatStage(plan.repeated(self.children[0], count), count)

    def _count(self) -> int | None:
        count = self.children[0].get_dataset_size()
        return count if self.count == -1 else count * self.count

    def get_repeat_count(self) -> int:
        """The count given."""
        return self.count


class TakeNode(DatasetQuestions):
    """What ``take`` makes of a dataset."""

    def __init__(self, input_dataset: DatasetQuestions, count: int):
        super().__init__([input_dataset])
        self.count = check.take_count(count)

    def _stage(self, plan: PipelineContext) -> Stage:
        return WindowStage(plan.build(self.children[0]), take=None if self.count == -1 else self.count)

    def _count(self) -> int | None:
        count = self.children[0]._count()
        return count if count is None or self.count == -1 else min(count, self.count)


class SkipNode(DatasetQuestions):
    """What ``skip`` makes of a dataset."""

    def __init__(self, input_dataset: DatasetQuestions, count: int):
        super().__init__([input_dataset])
        self.count = check.number("skip", "count", count, low=0)

    def _stage(self, plan: PipelineContext) -> Stage:
        return WindowStage(plan.build(self.children[0]), skip=self.count)

    def _count(self) -> int | None:
        count = self.children[0]._count()
        return None if count is None else max(count - self.count, 0)


class PartNode(DatasetQuestions):
    """What ``split`` makes of a dataset."""

    def __init__(self, whole: DatasetQuestions, rows: list[int]):
        super().__init__([whole])
        self.rows = rows

    def _stage(self, plan: PipelineContext) -> Stage:
        return plan.chosen(plan.build(self.children[0]), SubsetSampler(self.rows))

    def _count(self) -> int | None:
        return len(self.rows)

    def use_sampler(self, sampler: Any) -> None:
        """Another order among the rows of the part."""
        chosen = sampler if sampler is not None else SequentialSampler()
        self.rows = [self.rows[position] for position in chosen.start(len(self.rows), config.pipeline_seed())(1)]
