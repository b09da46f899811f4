"""Nodes of a pipeline with several inputs: zip and concat."""

from __future__ import annotations

from typing import Any

from mindspore.dataset._pipeline.concatenation import (
    ConcatStage,
    MixedStage,
    ShareStage,
    check_alike,
    check_sampler,
)
from mindspore.dataset._pipeline.dataset_info import DatasetQuestions
from mindspore.dataset._pipeline.run_context import PipelineContext
from mindspore.dataset._pipeline.stages import Stage, ZipStage
from mindspore.dataset.engine.samplers import DistributedSampler, RandomSampler


class ConcatNode(DatasetQuestions):
    """What ``concat`` makes of a dataset."""

    sampler: Any = None

    def use_sampler(self, sampler: Any) -> None:
        """Divide the rows among processes (DistributedSampler), or mix the datasets, each in its order (RandomSampler).

        Datasets behind each other that are parts of this one are mixed too.
        """
        self.sampler, self.dataset_size = check_sampler(sampler, self.children), None
        below = list(self.children) if isinstance(sampler, RandomSampler) else []
        while below:
            node = below.pop()
            below += node.children
            if isinstance(node, ConcatNode):
                node.sampler, node.dataset_size = sampler, None

    def _names(self) -> list[str] | None:
        check_alike([names for names in (child._names() for child in self.children) if names is not None])
        return self.children[0]._names()

    def _stage(self, plan: PipelineContext) -> Stage:
        self._names()
        stages = [plan.build(child) for child in self.children]
        if isinstance(self.sampler, RandomSampler):
            return MixedStage(stages, plan.seed)
        stage = ConcatStage(stages)
        return stage if self.sampler is None else ShareStage(stage, self.sampler.num_shards, self.sampler.shard_id)

    def _count(self) -> int | None:
        total = sum(child.get_dataset_size() for child in self.children)
        if not isinstance(self.sampler, DistributedSampler):
            return total
        return len(range(self.sampler.shard_id, total, self.sampler.num_shards))


class ZipNode(DatasetQuestions):
    """What ``zip`` makes of a dataset."""

    def _names(self) -> list[str] | None:
        every = [child._names() for child in self.children]
        names = [name for own in every for name in own or ()]
        return None if None in every or len(set(names)) < len(names) else names

    def _stage(self, plan: PipelineContext) -> Stage:
        return ZipStage([plan.build(child) for child in self.children])

    def _count(self) -> int | None:
        return min(child.get_dataset_size() for child in self.children)
