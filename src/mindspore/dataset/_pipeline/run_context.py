"""State shared by the stages of a pipeline run."""

from __future__ import annotations

import itertools
from collections import deque
from collections.abc import Callable, Iterator, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from mindspore.dataset._pipeline.prefetcher import computed_ahead
from mindspore.dataset._pipeline.processes import ProcessPool
from mindspore.dataset._pipeline.rows import Rows, join
from mindspore.dataset._pipeline.stages import Stage
from mindspore.dataset.core import config

if TYPE_CHECKING:
    from mindspore.dataset._pipeline.dataset_info import DatasetQuestions


class PipelineContext:
    """State of a pipeline run: seed, workers, and step numbers that seed random operations."""

    def __init__(self, silent: bool = False) -> None:
        self.silent = silent  # reads the first rows without calling the program's callbacks
        self.seed = config.pipeline_seed()
        self.workers = config.get_num_parallel_workers()
        self._numbers = itertools.count()
        self.computed = computed_ahead(self.workers)
        self.in_processes = False  # whether a node asked for worker processes
        self.passes: int | None = 1  # of the node that is being built in an epoch; None: they have no end
        self.shared: list[Any] = []  # sources and steps, which worker processes get once

    def processes(self) -> ProcessPool | None:
        """The worker processes of the run, if a node asked for them."""
        return ProcessPool(self.shared) if self.in_processes else None

    def share(self, item: Any, in_processes: bool = False) -> Any:
        """Note a source or step for the worker processes."""
        self.shared.append(item)
        self.in_processes = self.in_processes or in_processes
        return item

    def build(self, node: DatasetQuestions) -> Stage:
        """The stage of a node and all below it."""
        if node.num_parallel_workers:
            self.workers = max(self.workers, node.num_parallel_workers)
        return node._stage(self)

    def repeated(self, node: DatasetQuestions, count: int | None) -> Stage:
        """The stage of a node that is passed over several times in an epoch."""
        before = self.passes
        self.passes = None if before is None or count is None else before * count
        try:
            return self.build(node)
        finally:
            self.passes = before

    def number(self) -> int:
        """A number no other step of this run has."""
        return next(self._numbers)

    def chosen(self, stage: Stage, sampler: Any) -> Stage:
        """Some rows of a stage, by their position."""
        return ChosenStage(stage, sampler, self.seed)

    def gated(self, stage: Stage, gate: Any) -> Stage:
        """Rows that wait at a gate, one by one."""
        return EachStage(stage, lambda: gate.wait())

    def with_callbacks(self, stage: Stage, callbacks: Sequence[Any]) -> Stage:
        """A stage that reports its progress to the program."""
        return CallbackStage(stage, callbacks, self.passes) if callbacks and not self.silent else stage


class ChosenStage(Stage):
    """Some rows of another stage, by their position in the pass."""

    def __init__(self, child: Stage, sampler: Any, seed: int):
        self.child = child
        self.sampler = sampler
        self.seed = seed

    def epoch(self) -> Iterator[Rows]:
        """The chosen rows."""
        blocks = list(self.child.epoch())
        if blocks:
            whole = join(blocks)
            yield whole.take(np.asarray(self.sampler.start(len(whole), self.seed)(1), dtype=np.int64))


class EachStage(Stage):
    """Calls a function before every row."""

    def __init__(self, child: Stage, before: Callable[[], None]):
        self.child = child
        self.before = before

    def epoch(self) -> Iterator[Rows]:
        """The rows one by one."""
        for rows in self.child.epoch():
            for position in range(len(rows)):
                self.before()
                yield rows.take(slice(position, position + 1))


class CallbackStage(Stage):
    """Tells callbacks where the pipeline is: epochs and steps, as rows are handed on.

    An epoch is what the program iterates over: where ``repeat`` stands above, several passes; ``passes`` says how many.
    """

    def __init__(self, child: Stage, callbacks: Sequence[Any], passes: int | None):
        self.child = child
        self.callbacks = list(callbacks)
        self.passes = passes
        self.passed = 0
        self.epochs = 0
        self.step = 0  # in the epoch
        self.steps = 0  # in all

    def epoch(self) -> Iterator[Rows]:
        """The same rows, one by one."""
        if self.passed == 0:
            self._begin_epoch()
        begun: deque[tuple[int, int, Rows]] = deque()  # numbers of steps in the epoch and in all, and their rows
        ahead = 1 if any(callback.waits for callback in self.callbacks) else _AHEAD
        try:
            for rows in self.child.epoch():
                for position in range(len(rows)):
                    self.step += 1
                    self.steps += 1
                    self._tell("ds_step_begin", self.step)
                    begun.append((self.step, self.steps, rows.take(slice(position, position + 1))))
                    if len(begun) >= ahead:
                        yield from self._end_steps(begun)
            yield from self._end_steps(begun)
        except GeneratorExit:
            self.passed = 0  # nobody wants the rest: what follows is another epoch
            raise
        self.passed += 1
        if self.passed == self.passes:
            self.passed = 0
            self._tell("ds_epoch_end", self.step)

    def _begin_epoch(self) -> None:
        self.epochs += 1
        self.step = 0
        if self.epochs == 1:
            self._tell("ds_begin", 0)
        self._tell("ds_epoch_begin", 0)

    def _end_steps(self, begun: deque[tuple[int, int, Rows]]) -> Iterator[Rows]:
        while begun:
            step, total, rows = begun.popleft()
            yield rows
            self._tell("ds_step_end", step, total)

    def _tell(self, moment: str, step: int, total: int | None = None) -> None:
        for callback in self.callbacks:
            callback._happened(moment, self.epochs, step, self.steps if total is None else total)


_AHEAD = 16  # steps that begin before the first of them ends: as many rows wait between MindSpore's threads
