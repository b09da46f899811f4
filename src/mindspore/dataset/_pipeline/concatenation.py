"""Concatenated datasets: they must have the same columns, and may be sharded over processes or mixed."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np

from mindspore.dataset._pipeline.errors import pipeline_error
from mindspore.dataset._pipeline.random_orders.exact_random import canonical, chosen, mersenne_32
from mindspore.dataset._pipeline.rows import Columns, Rows
from mindspore.dataset._pipeline.stages import Stage
from mindspore.dataset.engine.samplers import DistributedSampler, RandomSampler, SequentialSampler


def check_alike(names: Sequence[list[str]]) -> None:
    """Refuse datasets with other columns than the first, or in another order."""
    for own in names[1:]:
        if own != names[0]:
            raise pipeline_error(
                "Invalid columns, 'column name' or 'column order' of concat datasets should be the same, but got "
                f"{names[0]} and {own}. Use rename and project."
            )


class ColumnsAlike:
    """Compares the columns of datasets with those of the first dataset seen."""

    def __init__(self) -> None:
        self.first: tuple[Any, list[tuple[str, Any, int]]] | None = None

    def of(self, number: int) -> _Numbered:
        """The step of one of the datasets."""
        return _Numbered(self, number)

    def check(self, number: int, columns: Columns) -> None:
        """Refuse columns with other names, types or numbers of axes."""
        own = [(name, *_form(column)) for name, column in columns.items()]
        if self.first is None:
            self.first = (number, own)
        before, known = self.first
        if before == number or known == own:
            return
        check_alike([[name for name, *_ in columns] for columns in (known, own)])
        for (name, kind, rank), (_, other, axes) in zip(known, own, strict=True):
            where = f"in column '{name}', of datasets {before} and {number}"
            if kind != other:
                raise pipeline_error(
                    "Concat: the data types of the two datasets to be concatenated should be the same, but got: "
                    f"{kind} and {other} {where}. Convert one with transforms.TypeCast."
                )
            if rank != axes:
                raise pipeline_error(
                    "Concat: the data tensor rank of the two datasets to be concatenated should be the same, but got: "
                    f"{rank} and {axes} {where}."
                )


class _Numbered:
    def __init__(self, alike: ColumnsAlike, number: int):
        self.alike = alike
        self.number = number

    def apply(self, columns: Columns, rows: Rows) -> Columns:
        """The same columns, looked at."""
        self.alike.check(self.number, columns)
        return columns


def _form(column: Any) -> tuple[str, int]:
    """Type and number of axes of the values of a column."""
    array = np.asarray(column[0])
    return ("string" if array.dtype.kind in "SU" else str(array.dtype)), array.ndim


class ConcatStage(Stage):
    """Datasets one after another."""

    def __init__(self, children: Sequence[Stage]):
        self.children = list(children)
        alike = ColumnsAlike()
        self.steps = [alike.of(number) for number in range(len(self.children))]

    def epoch(self) -> Iterator[Rows]:
        """All rows of the first, then of the second."""
        for child, step in zip(self.children, self.steps, strict=True):
            for rows in child.epoch():
                yield rows.then(step)


class ShareStage(Stage):
    """The rows of one shard: every ``shards``-th."""

    def __init__(self, child: Stage, shards: int, shard: int):
        self.child = child
        self.shards = shards
        self.shard = shard

    def epoch(self) -> Iterator[Rows]:
        """Row ``shard``, ``shard + shards``, and so on."""
        seen = 0
        for rows in self.child.epoch():
            own = rows.take(slice((self.shard - seen) % self.shards, None, self.shards))
            seen += len(rows)
            if len(own):
                yield own


class MixedStage(Stage):
    """Datasets interleaved at random, each as often as it has rows left; each keeps its own order."""

    def __init__(self, children: Sequence[Stage], seed: int):
        self.stage = ConcatStage(children)
        self.draw = canonical(mersenne_32(seed).__next__)

    def epoch(self) -> Iterator[Rows]:
        """The rows one by one."""
        parts: list[list[Rows]] = []
        for child, step in zip(self.stage.children, self.stage.steps, strict=True):
            parts.append([rows.then(step).take(slice(p, p + 1)) for rows in child.epoch() for p in range(len(rows))])
        left = [len(part) for part in parts]
        while any(left):
            number = chosen(left, self.draw)
            yield parts[number][-left[number]]
            left[number] -= 1
        self.draw()  # MindSpore asks once more before it sees the end


def check_sampler(sampler: Any, children: Sequence[Any]) -> Any:
    """A sampler that datasets behind each other can have; those that are divided are then read in their own order."""
    if not isinstance(sampler, (DistributedSampler, RandomSampler)):
        raise TypeError(f"The parameter {sampler} of concat must be DistributedSampler or RandomSampler!")
    kind = type(sampler).__name__
    if isinstance(sampler, DistributedSampler) and sampler.shuffle:
        raise ValueError(f"The parameter shuffle of {kind} must be False!")
    if isinstance(sampler, RandomSampler) and sampler.replacement:
        raise ValueError(f"The parameter replacement of {kind} must be False!")
    if sampler.num_samples is not None:
        raise ValueError(f"The parameter num_samples of {kind} is not support to be set!")
    if isinstance(sampler, RandomSampler):
        return sampler
    for child in children:
        if hasattr(child, "get_batch_size") and hasattr(child, "batch_size"):
            raise TypeError(f"The parameter {child} of concat must not be BatchDataset or PaddedBatchDataset!")
    for child in children:
        _in_its_own_order(child)
    return sampler


def _in_its_own_order(dataset: Any) -> None:
    while len(dataset.children) == 1:
        dataset = dataset.children[0]
    if isinstance(getattr(dataset, "sampler", None), RandomSampler) and not dataset.sampler.replacement:
        dataset.use_sampler(SequentialSampler(num_samples=dataset.sampler.num_samples))
