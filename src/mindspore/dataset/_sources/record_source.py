"""Files of rows that are read in their order: text, CSV, TFRecord.

The positions of all rows are found once; then a row is read where it stands. The order of rows is that of real MindSpore:
files are sorted by name and dealt to readers, which deliver one row each in turn.
"""

from __future__ import annotations

import functools
import glob
import itertools
import os
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from mindspore._utils.files import atomic_file
from mindspore.dataset._pipeline import arguments as check
from mindspore.dataset._pipeline.errors import reading
from mindspore.dataset._pipeline.random_orders.exact_random import shuffle as exact_shuffle
from mindspore.dataset._pipeline.rows import Columns
from mindspore.dataset._pipeline.run_context import PipelineContext
from mindspore.dataset._pipeline.stages import ShuffleStage, SourceStage, Stage
from mindspore.dataset._sources.table_source import check_cache, nothing_found
from mindspore.dataset.core.checks import type_words
from mindspore.dataset.engine.datasets import SourceDataset
from mindspore.dataset.engine.samplers import Shuffle

_READERS = 8  # readers, unless the source is given a number: the order should not depend on the machine
_LEAST_BUFFER = 10_000
_CHUNK = 2**26  # bytes looked at together


class RecordFilesDataset(SourceDataset):
    """Base of these sources: a subclass finds the rows of a file in ``_positions`` and reads some in ``_parse``."""

    shard_by_rows = True

    def __init__(
        self,
        files: Sequence[str],
        num_samples: int | None,
        num_parallel_workers: int | None,
        shuffle: Any,
        num_shards: int | None,
        shard_id: int | None,
        cache: Any = None,
    ):
        super().__init__(num_parallel_workers=num_parallel_workers)
        self.files = list(files)
        self.shuffle_mode = shuffle_mode(shuffle)
        self.num_samples = None if num_samples is None else check.number("dataset", "num_samples", num_samples)
        check_shards(num_shards, shard_id)
        self.num_shards = num_shards or 1
        self.shard_id = shard_id or 0
        self.cache = check_cache(cache)

    # -- what a kind of file is ---------------------------------------------------------------------------------------
    def _positions(self, path: str, data: memoryview) -> np.ndarray:
        """The first byte of every row and the byte behind it, <N,2>."""
        raise NotImplementedError

    def _parse(self, records: list[bytes], ids: list[int]) -> Columns:
        """The columns of some rows."""
        raise NotImplementedError

    def _parse_together(self, ids: np.ndarray, owners: np.ndarray) -> Columns | None:
        """The same for rows of files, by a faster reader; None where it has to be done one by one, or goes wrong."""

    def _contents(self, path: str) -> memoryview:
        """The bytes of a file."""
        return atomic_file.contents(path)

    # -- what follows from it -----------------------------------------------------------------------------------------
    @functools.cached_property
    def _index(self) -> tuple[list[memoryview], np.ndarray, np.ndarray]:
        """The contents of the files, the positions of all rows, and the first row of each file."""
        contents, found = [], []
        for path in self.files:
            with reading(lambda path=path: path, f"rows as {type(self).__name__} has them"):
                contents.append(self._contents(path))
                found.append(self._positions(path, contents[-1]))
        positions = np.concatenate([np.empty((0, 2), np.int64), *found])
        return contents, positions, np.cumsum([0, *map(len, found)])

    def __getstate__(self) -> dict[str, Any]:
        return {
            name: value for name, value in self.__dict__.items() if name != "_index"
        }  # workers map files themselves

    def fetch(self, ids: np.ndarray) -> Columns:
        """The rows with these numbers."""
        return self._read(ids) if self.cache is None else self.cache.rows(id(self), ids, self._read)

    def _read(self, ids: np.ndarray) -> Columns:
        contents, positions, first_rows = self._index
        owners = np.searchsorted(first_rows, ids, side="right") - 1
        if (together := self._parse_together(ids, owners)) is not None:
            return together
        offsets = positions[ids].tolist()
        records = [contents[owner][start:stop] for owner, (start, stop) in zip(owners.tolist(), offsets, strict=True)]
        try:
            return self._parse(records, ids.tolist())
        except (ImportError, NotImplementedError):
            raise
        except Exception:
            if len(records) == 1:
                with reading(lambda: self.describe(int(ids[0])), f"a row as {type(self).__name__} has them"):
                    raise
            for position in range(len(ids)):  # which one is it?
                self._read(ids[position : position + 1])
            with reading(lambda: self.describe(int(ids[-1])), "the columns of the rows before"):
                raise

    def location(self, identity: int) -> tuple[str, int]:
        """The file of a row, and its number in it, from 1."""
        first_rows = self._index[2]
        owner = int(np.searchsorted(first_rows, identity, side="right")) - 1
        return self.files[owner], identity - int(first_rows[owner]) + 1

    def describe(self, identity: int) -> str:
        """The file and the number of the row."""
        path, number = self.location(identity)
        return f"row {number} of {path}"

    def _count(self) -> int | None:
        sizes = np.diff(self._index[2])
        if self.shard_by_rows:
            count = -(-int(sizes.sum()) // self.num_shards)
        else:
            count = int(sizes[self.shard_id :: self.num_shards].sum())
        return count if self.num_samples in (None, 0) else min(count, self.num_samples)

    def _stage(self, plan: PipelineContext) -> Stage:
        if not len(self._index[1]):
            raise nothing_found(self, ", ".join(self.files))
        stage: Stage = SourceStage(plan.share(self), self._order(plan.seed))
        if self.shuffle_mode != Shuffle.GLOBAL:
            return stage
        average = -(-(self._count() or 0) // max(len(self.files), 1))
        return ShuffleStage(stage, max(4 * average, _LEAST_BUFFER), plan.seed)

    def _order(self, seed: int) -> Callable[[int], Any]:
        files = list(range(len(self.files)))
        limit = self.num_samples or None

        def order(number: int) -> np.ndarray:
            if self.shuffle_mode in (Shuffle.GLOBAL, Shuffle.FILES):
                # Shards must agree: they count passes from 1 instead of using the seed, as real MindSpore does.
                exact_shuffle(files, seed if self.num_shards == 1 else number)
            return self._dealt(self._pieces(files))[:limit]

        return order

    def _pieces(self, files: list[int]) -> list[np.ndarray]:
        """The rows of this shard, file by file."""
        first_rows = self._index[2]
        rows = [np.arange(first_rows[file], first_rows[file + 1]) for file in files]
        if self.num_shards == 1:
            return rows
        if not self.shard_by_rows:
            return rows[self.shard_id :: self.num_shards]
        total = int(first_rows[-1])
        share = -(-total // self.num_shards)
        start, stop = self.shard_id * share, (self.shard_id + 1) * share
        pieces, passed = [], 0
        for row in itertools.cycle(rows) if total else ():  # beyond the last row it goes on with the first
            if passed >= stop:
                break
            piece = row[max(start - passed, 0) : stop - passed]
            passed += len(row)
            if len(piece):
                pieces.append(piece)
        return pieces

    def _dealt(self, pieces: list[np.ndarray]) -> np.ndarray:
        """Rows in the order in which readers deliver them, one each in turn."""
        readers = max(min(self.num_parallel_workers or _READERS, len(pieces)), 1)
        queues = [np.concatenate([np.empty(0, np.int64), *pieces[reader::readers]]) for reader in range(readers)]
        turns = np.concatenate([np.arange(len(queue)) for queue in queues])
        return np.concatenate(queues)[np.argsort(turns, kind="stable")]

    def is_shuffled(self) -> bool:
        """Whether files or rows come in random order."""
        return self.shuffle_mode is not None

    def is_sharded(self) -> bool:
        """Whether the rows were divided among processes."""
        return self.num_shards > 1


def shuffle_mode(shuffle: Any) -> Shuffle | None:
    """How rows are shuffled; None for not at all."""
    if shuffle is not None and not isinstance(shuffle, (bool, Shuffle)):
        raise TypeError(
            "shuffle must be of boolean or enum of 'Shuffle' values like 'Shuffle.GLOBAL' or 'Shuffle.FILES', but got "
            f"{shuffle!r}."
        )
    if shuffle is None or shuffle is True or shuffle in (Shuffle.PARTIAL, Shuffle.ADAPTIVE):
        return Shuffle.GLOBAL
    return None if shuffle in (False, Shuffle.FALSE) else shuffle


def check_shards(num_shards: int | None, shard_id: int | None) -> None:
    """Both or none, and in range."""
    if num_shards is None and shard_id is not None:
        raise RuntimeError("shard_id is specified but num_shards is not.")
    if num_shards is not None and shard_id is None:
        raise RuntimeError("num_shards is specified and currently requires shard_id as well.")
    if num_shards is not None:
        check.number("dataset", "num_shards", num_shards, low=1)
        check.number("dataset", "shard_id", shard_id, low=0, high=num_shards - 1)


def matching_files(patterns: Any) -> list[str]:
    """The files that patterns with * and ? name, sorted."""
    listed = [patterns] if isinstance(patterns, (str, os.PathLike)) else patterns
    if not isinstance(listed, (list, tuple)) or not all(isinstance(item, (str, os.PathLike)) for item in listed):
        raise TypeError(
            f"{type_words('dataset files', patterns, (str, list))} It must be a path or a list of paths."
            if not isinstance(listed, (list, tuple))
            else f"dataset_files must be a path or a list of paths, but got {patterns!r}."
        )
    if not listed:
        raise ValueError(f"Input dataset_files can not be empty, but got '{patterns}'.")
    found: list[str] = []
    missing = []
    for pattern in listed:
        matches = [path for path in glob.glob(os.fspath(pattern), recursive=True) if os.path.isfile(path)]
        found += matches
        if not matches:
            missing.append(os.fspath(pattern))
    if missing:
        raise ValueError(f"The following patterns did not match any files: {missing}.")
    return sorted(found)


def line_positions(data: memoryview, quote: int | None = None) -> np.ndarray:
    """Where the lines of a text stand, without their ends and without empty lines.

    quote: a character; line ends between two of them belong to the line.
    """
    characters = np.frombuffer(data, np.uint8)
    found, inside = [], np.False_
    for start in range(0, characters.size, _CHUNK):
        part = characters[start : start + _CHUNK]
        is_end = part == ord("\n")
        if quote is not None:
            quoted = np.bitwise_xor.accumulate(part == quote) ^ inside
            is_end &= ~quoted
            inside = quoted[-1]
        found.append(start + np.flatnonzero(is_end))
    ends = np.concatenate([*found, [characters.size]])
    starts = np.concatenate([[0], ends[:-1] + 1])
    keep = ends > starts
    return np.stack([starts[keep], ends[keep]], axis=1).astype(np.int64)
