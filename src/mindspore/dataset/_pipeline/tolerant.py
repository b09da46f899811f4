"""Samples that fail in a map and are left out, or replaced by others: ``config.set_error_samples_mode``."""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterator

import numpy as np

from mindspore.dataset._pipeline.errors import pipeline_error
from mindspore.dataset._pipeline.rows import Columns, MemoryOrigin, Rows, Step, each, join, select
from mindspore.dataset._pipeline.stages import Stage, StepStage

_GOOD = " good"  # the marker column; a name with a leading space cannot clash


class TolerantStep:
    """A step that marks the rows it fails for instead of raising."""

    def __init__(self, step: Step):
        self.step = step

    def apply(self, columns: Columns, rows: Rows) -> Columns:
        """The columns after the step, of the rows that passed, and which those are."""
        try:
            return {**self.step.apply(columns, rows), _GOOD: np.ones(len(rows), bool)}
        except RuntimeError as error:
            if str(error).startswith("Invalid column"):
                raise  # wrong for all rows
            return self._one_by_one(columns, rows)

    def _one_by_one(self, columns: Columns, rows: Rows) -> Columns:
        good, results = [], []
        for position in range(len(rows)):
            own = np.array([position])
            try:
                results.append(self.step.apply({n: select(c, own) for n, c in columns.items()}, rows.take(own)))
            except RuntimeError:
                good.append(False)
            else:
                good.append(True)
        names = list(results[0]) if results else []
        joined = {name: [next(each(result[name])) for result in results] for name in names}
        return {**joined, _GOOD: np.array(good)}


class TolerantStage(Stage):
    """The rows that pass a step. With ``replaces``, the first of them come again at the end to replace those that failed."""

    def __init__(self, child: Stage, computed: Callable, replaces: bool):
        self.child = child
        self.computed = computed
        self.replaces = replaces

    def epoch(self) -> Iterator[Rows]:
        """The rows that pass, computed ahead of time by the workers."""
        failed = 0
        kept: list[Rows] = []
        for rows, columns in self.computed(self.child.epoch()):
            good = columns.pop(_GOOD)
            failed += int((~good).sum())
            if good.any():
                passed = Rows(MemoryOrigin(columns), np.arange(int(good.sum())), rows.tickets[good])
                if self.replaces:
                    kept.append(passed)
                yield passed
        if failed and self.replaces:
            yield self._again(kept, failed)

    def _again(self, kept: list[Rows], count: int) -> Rows:
        if not kept:
            raise pipeline_error("All data is garbage and cannot be replaced.")
        whole = join(kept)
        return whole.take(np.array(list(itertools.islice(itertools.cycle(range(len(whole))), count))))


def tolerant(child: Stage, step: Step, computed: Callable, replaces: bool) -> Stage:
    """A stage that takes a step, without the rows that fail in it."""
    return TolerantStage(StepStage(child, TolerantStep(step)), computed, replaces)
