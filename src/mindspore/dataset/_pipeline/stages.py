"""A running pipeline: every node of a dataset becomes a stage that passes on rows, epoch by epoch.

A stage keeps what lasts from one epoch to the next (the order of a sampler, the generator of a shuffle). Each call of
``epoch()`` is one pass over the data.
"""

from __future__ import annotations

import itertools
import time
from collections.abc import Callable, Iterable, Iterator, Sequence

import numpy as np

from mindspore.dataset._pipeline.errors import pipeline_error
from mindspore.dataset._pipeline.random_orders.exact_random import buffered_order, mersenne_64
from mindspore.dataset._pipeline.rows import Columns, MemoryOrigin, Origin, Rows, Step, join, slim
from mindspore.dataset._pipeline.steps import chained
from mindspore.dataset._pipeline.values import to_array

# Rows of one pass get consecutive numbers; the numbers of passes are this far apart.
_PASS = 1 << 40


class Stage:
    """A node of a running pipeline."""

    def epoch(self) -> Iterator[Rows]:
        """The rows of the next pass."""
        raise NotImplementedError


class SourceStage(Stage):
    """Samples that can be read in any order, in the order of a sampler."""

    def __init__(self, origin: Origin, order: Callable[[int], Sequence[int]]):
        self.origin = origin
        self.order = order
        self.passes = 0

    def epoch(self) -> Iterator[Rows]:
        """All samples of the pass, as a block of row numbers."""
        self.passes += 1
        ids = np.asarray(self.order(self.passes), dtype=np.int64)
        if len(ids):
            yield Rows(self.origin, ids, _PASS * self.passes + np.arange(len(ids)))


class StreamStage(Stage):
    """Rows that come one after the other, from Python code."""

    LONGEST = 64  # rows handed on together, unless the source is slow
    PATIENCE = 0.005  # seconds

    def __init__(self, iterate: Callable[[], Iterator[Columns]]):
        self.iterate = iterate
        self.passes = 0

    def epoch(self) -> Iterator[Rows]:
        """Blocks of a few rows, as they come."""
        self.passes += 1
        block: list[Columns] = []
        count, since = 0, time.perf_counter()
        for row in self.iterate():
            block.append(row)
            count += 1
            if len(block) == self.LONGEST or time.perf_counter() - since > self.PATIENCE:
                yield self._rows(block, count)
                block, since = [], time.perf_counter()
        if block:
            yield self._rows(block, count)

    def _rows(self, block: list[Columns], count: int) -> Rows:
        return rows_in_memory(block, _PASS * self.passes, count - len(block))


def rows_in_memory(block: Sequence[Columns], first_ticket: int, first: int) -> Rows:
    """Rows that are there already, from one dict per row."""
    columns = {name: [to_array(row[name]) for row in block] for name in block[0]}
    count = len(block)
    return Rows(MemoryOrigin(columns, first), np.arange(count), first_ticket + first + np.arange(count))


class StepStage(Stage):
    """A step that the rows will take when they are computed."""

    def __init__(self, child: Stage, step: Step):
        joined = chained(child.step, step) if isinstance(child, StepStage) else None
        self.child: Stage = child if joined is None else child.child  # type: ignore[attr-defined]
        self.step = step if joined is None else joined

    def epoch(self) -> Iterator[Rows]:
        """The same rows, with the step."""
        for rows in self.child.epoch():
            yield rows.then(self.step)


class ShuffleStage(Stage):
    """A shuffle buffer: every incoming row replaces a random row of it, which is emitted."""

    BLOCK = 4096

    def __init__(self, child: Stage, buffer_size: int, seed: int):
        self.child = child
        self.buffer_size = buffer_size
        self.draw = mersenne_64(seed).__next__  # continues over the epochs

    def epoch(self) -> Iterator[Rows]:
        """The rows in another order."""
        blocks = self.child.epoch()
        first = next(blocks, None)
        if first is None:
            return
        second = next(blocks, None)
        if second is None:  # all rows are known: their numbers are enough
            yield first.take(np.array(buffered_order(len(first), self.buffer_size, self.draw)))
            return
        yield from self._drawn(itertools.chain((first, second), blocks))

    def _drawn(self, blocks: Iterable[Rows]) -> Iterator[Rows]:
        """The same for rows that come block by block: no more of them are held than the buffer has room for."""
        coming = ((rows, position) for rows in blocks for position in range(len(rows)))
        buffer = list(itertools.islice(coming, self.buffer_size))
        draw, leaving = self.draw, []
        while buffer:
            slot = draw() % len(buffer)
            leaving.append(buffer[slot])
            last = buffer.pop()
            if slot < len(buffer):
                buffer[slot] = last
            following = next(coming, None)
            if following is not None:
                buffer.append(following)
            if len(leaving) == self.BLOCK:
                yield _gathered(leaving)
                leaving = []
        if leaving:
            yield _gathered(leaving)


def _gathered(pairs: list[tuple[Rows, int]]) -> Rows:
    """Single rows of several blocks, joined into a block."""
    blocks = list({id(rows): rows for rows, _ in pairs}.values())
    starts, total = {}, 0
    for rows in blocks:
        starts[id(rows)] = total
        total += len(rows)
    return join(blocks).take(np.array([starts[id(rows)] + position for rows, position in pairs]))


class RepeatStage(Stage):
    """Several passes joined into a pass. Without a count there is no end."""

    def __init__(self, child: Stage, count: int | None):
        self.child = child
        self.count = count

    def epoch(self) -> Iterator[Rows]:
        """The passes in order."""
        done = 0
        while self.count is None or done < self.count:
            any_rows = False
            for rows in self.child.epoch():
                any_rows = True
                yield rows
            done += 1
            if not any_rows:
                return


class WindowStage(Stage):
    """Some rows in the middle: skip and take."""

    def __init__(self, child: Stage, skip: int = 0, take: int | None = None):
        self.child = child
        self.skip = skip
        self.take = take

    def epoch(self) -> Iterator[Rows]:
        """The rows of the window."""
        to_skip, left = self.skip, self.take
        for rows in self.child.epoch():
            skipped = min(to_skip, len(rows))
            to_skip -= skipped
            rows = rows.take(slice(skipped, None)) if skipped else rows
            if left is not None:
                rows = rows.take(slice(0, left))
                left -= len(rows)
            if len(rows):
                yield rows
            if left == 0:
                return


class ZipStage(Stage):
    """Datasets side by side, as long as the shortest."""

    def __init__(self, children: Sequence[Stage]):
        self.children = list(children)

    def epoch(self) -> Iterator[Rows]:
        """Rows with the columns of all."""
        sources = [child.epoch() for child in self.children]
        waiting: list[Rows | None] = [None] * len(sources)
        while True:
            for number, source in enumerate(sources):
                if waiting[number] is None:
                    waiting[number] = next(source, None)
            if any(rows is None for rows in waiting):
                return
            ready: list[Rows] = waiting  # type: ignore[assignment]
            count = min(map(len, ready))
            origin = ZippedOrigin([rows.take(slice(0, count)) for rows in ready])
            yield Rows(origin, np.arange(count), ready[0].tickets[:count])
            waiting = [rows.take(slice(count, None)) if len(rows) > count else None for rows in ready]


class ZippedOrigin:
    """Rows of several origins side by side."""

    def __init__(self, parts: list[Rows]):
        self.parts = parts

    def fetch(self, ids: np.ndarray) -> Columns:
        """The columns of all parts."""
        together: Columns = {}
        for part in self.parts:
            for name, column in part.take(ids).compute().items():
                if name in together:
                    raise pipeline_error(
                        f"Invalid data, duplicate column {name} already exists when zipping datasets: it is found in more than one dataset. Rename it first: "
                        f"dataset.rename('{name}', 'other')."
                    )
                together[name] = column
        return together

    def narrow(self, ids: np.ndarray) -> Rows:
        """These rows without the others."""
        return Rows(ZippedOrigin([slim(part.take(ids)) for part in self.parts]), np.arange(len(ids)), ids)

    def describe(self, identity: int) -> str:
        """As the first part calls it."""
        return self.parts[0].describe(identity)


class FilterStage(Stage):
    """Rows that a predicate accepts. It must see them, so they are computed here, ahead of time by the workers."""

    def __init__(self, child: Stage, accepts: Callable[[Columns, Rows], list[bool]], computed: Callable):
        self.child = child
        self.accepts = accepts
        self.computed = computed

    def epoch(self) -> Iterator[Rows]:
        """The accepted rows."""
        for rows, columns in self.computed(self.child.epoch()):
            kept = np.flatnonzero(self.accepts(columns, rows))
            if len(kept):
                yield Rows(MemoryOrigin(columns), kept, rows.tickets[kept])
