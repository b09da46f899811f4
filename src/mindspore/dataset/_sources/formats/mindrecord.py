"""``MindDataset``: the rows of MindRecord files."""

from __future__ import annotations

import itertools
import os
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from mindspore._utils.compat.old_names import old_names
from mindspore.dataset._pipeline import arguments as check
from mindspore.dataset._pipeline.errors import pipeline_error
from mindspore.dataset._pipeline.random_orders.exact_random import below, mersenne_32
from mindspore.dataset._pipeline.random_orders.minimal_random import smallest_shuffle
from mindspore.dataset._pipeline.rows import Columns, each
from mindspore.dataset._pipeline.run_context import PipelineContext
from mindspore.dataset._pipeline.stages import SourceStage, Stage
from mindspore.dataset._pipeline.values import to_array
from mindspore.dataset._sources.random_access import RandomAccessDataset
from mindspore.dataset._sources.table_source import check_cache, check_file
from mindspore.dataset.engine.datasets import UnionBaseDataset
from mindspore.dataset.engine.samplers import (
    DistributedSampler,
    RandomSampler,
    Shuffle,
    SubsetRandomSampler,
)
from mindspore.mindrecord._reader import RecordFile

Order = Callable[[int], Sequence[int]]


class MindDataset(RandomAccessDataset, UnionBaseDataset):
    """The rows of MindRecord files, as :class:`mindspore.mindrecord.FileWriter` writes them.

    Args:
        dataset_files: a file, read together with those written with it, or a list of files.
        columns_list: names of the columns to read, in this order; None for all.
        shuffle: True, Shuffle.GLOBAL, Shuffle.FILES (the order of files only), Shuffle.INFILE (rows within each file) or False.
        padded_sample: a row, column name to value, that is added ``num_padded`` times, so that all shards get as many rows.

    Examples:
        >>> import os, tempfile
        >>> import mindspore.dataset as ds
        >>> from mindspore.mindrecord import FileWriter
        >>> path = os.path.join(tempfile.mkdtemp(), "rows.mindrecord")
        >>> writer = FileWriter(path)
        >>> _ = writer.add_schema({"label": {"type": "int32"}})
        >>> _ = writer.write_raw_data([{"label": 5}, {"label": 7}])
        >>> _ = writer.commit()
        >>> data = ds.MindDataset(path, shuffle=False)
        >>> [int(row["label"]) for row in data.create_dict_iterator(output_numpy=True, num_epochs=1)]
        [5, 7]
    """

    @old_names(dataset_file="dataset_files")
    def __init__(
        self,
        dataset_files: Any,
        columns_list: list[str] | None = None,
        num_parallel_workers: int | None = None,
        shuffle: Any = None,
        num_shards: int | None = None,
        shard_id: int | None = None,
        sampler: Any = None,
        padded_sample: dict[str, Any] | None = None,
        num_padded: int | None = None,
        num_samples: int | None = None,
        cache: Any = None,
    ):
        if shuffle is not None and not isinstance(shuffle, (bool, Shuffle)):
            raise TypeError(
                "shuffle must be of boolean or enum of 'Shuffle' values like 'Shuffle.GLOBAL' or 'Shuffle.FILES' or "
                f"'Shuffle.INFILE', but got {shuffle!r}."
            )
        within = shuffle if shuffle in (Shuffle.FILES, Shuffle.INFILE) else None
        super().__init__(num_samples, num_parallel_workers, False if within else shuffle, sampler, num_shards, shard_id)
        self.shuffle_within = within
        self.dataset_files = _files(dataset_files)
        self.columns_list = check.names(columns_list)
        self.cache = check_cache(cache)
        self.padded_sample, self.num_padded = _padding(padded_sample, num_padded, self.columns_list)
        self._records: RecordFile | None = None

    def __getstate__(self) -> dict[str, Any]:
        return {**self.__dict__, "_records": None}  # a worker process maps the files itself

    def _opened(self) -> RecordFile:
        if self._records is None:
            try:
                self._records = RecordFile(self.dataset_files, self.columns_list)
            except RuntimeError as error:
                raise pipeline_error(str(error)) from error
        return self._records

    def _length(self) -> int:
        count = len(self._opened()) + self.num_padded
        shards = getattr(self.sampler, "num_shards", None) or 1
        if self.num_padded and count % shards:
            raise pipeline_error(
                f"Invalid data, the size of dataset and padded samples: {count} can not be divisible by the value of 'num_shards': "
                f"{shards}. Please adjust the value of 'num_padded'."
            )
        return count

    def _labels(self, column: str) -> Sequence[int]:
        """The values of a column as numbers, in the order of the values."""
        if column not in self._opened().schema.raw_fields:  # fields with a shape and bytes are no classes
            raise pipeline_error(
                f"Invalid data, 'class_column': {column} can not found in fields of mindrecord files. Please check 'class_column' in "
                f"PKSampler. Fields that may be classes are {list(self._opened().schema.raw_fields)}."
            )
        records = RecordFile(self.dataset_files, [column])
        values = [
            value.item() for value in each(_as_text(records.read_many(list(range(len(records)))), records)[column])
        ]
        numbers = {value: number for number, value in enumerate(sorted(set(values)))}
        return [numbers[value] for value in values]

    def fetch(self, ids: np.ndarray) -> Columns:
        """Rows by number; those behind the last are padding rows."""
        return self._read(ids) if self.cache is None else self.cache.rows(id(self), ids, self._read)

    def _read(self, ids: np.ndarray) -> Columns:
        records = self._opened()
        real = ids < len(records)
        columns = _as_text(records.read_many(ids[real].tolist()), records)
        if real.all():
            return columns
        mixed: Columns = {}
        for name in records.names:
            padding = np.asarray(self._padding_value(name, records))
            values = iter(each(columns[name])) if real.any() else iter(())
            mixed[name] = [next(values) if is_real else padding for is_real in real.tolist()]
        return mixed

    def _padding_value(self, name: str, records: RecordFile) -> np.ndarray:
        value = self.padded_sample[name]
        dtype = records.columns[name].dtype
        if isinstance(value, bytes):
            return np.frombuffer(value, f"S{len(value)}") if value else np.array([b""])
        return to_array(value) if dtype.kind in "SU" else np.asarray(value, dtype)

    def describe(self, identity: int) -> str:
        """The number of the row, and the first file."""
        return (
            f"row {identity} of {self.dataset_files if isinstance(self.dataset_files, str) else self.dataset_files[0]}"
        )

    def _stage(self, plan: PipelineContext) -> Stage:
        order = self._shuffled_order(plan.seed)
        return super()._stage(plan) if order is None else SourceStage(plan.share(self, self._in_processes), order)

    def _shuffled_order(self, seed: int) -> Order | None:
        """The random orders of real MindSpore, which has another generator for MindRecord files; None for other orders."""
        sampler, count = self.sampler, self._length()
        if sampler.child_sampler is not None:
            return None
        if self.shuffle_within is not None:
            return self._within(seed)
        if type(sampler) is RandomSampler:
            if sampler.replacement:
                return _redrawn(list(range(count)), seed, sampler.num_samples or count)
            return _reshuffled([list(range(count))], seed, sampler.num_samples)
        if type(sampler) is SubsetRandomSampler:
            return lambda number: smallest_shuffle(sampler._checked(count), seed + 1)[: sampler.num_samples or None]
        if type(sampler) is DistributedSampler and sampler.shuffle:
            plain = DistributedSampler(sampler.num_shards, sampler.shard_id, False, sampler.num_samples, sampler.offset)
            share = plain.start(count, seed)

            def order(number: int) -> Sequence[int]:
                whole = smallest_shuffle(range(count), seed + number)
                return [whole[row] for row in share(number)]

            return order
        return None

    def _within(self, seed: int) -> Order:
        """Files in random order, or the rows of each file; then the sampler chooses."""
        records = self._opened()
        bounds = records._first_rows.tolist()
        files = [list(range(start, stop)) for start, stop in itertools.pairwise(bounds)]
        padded = list(range(len(records), self._length()))
        chosen = self.sampler.start(self._length(), seed)
        by_file, sharded = self.shuffle_within == Shuffle.FILES, self.sampler.is_sharded()
        file_order, rows_of = list(range(len(files))), list(files)

        def order(number: int) -> Sequence[int]:
            if by_file:
                file_order[:] = smallest_shuffle(file_order, seed + number)
            else:  # each pass shuffles the order of the previous pass, but each share that of the file
                rows_of[:] = [smallest_shuffle(rows, seed + number) for rows in (files if sharded else rows_of)]
            whole = [row for file in file_order for row in rows_of[file]] + padded
            return [whole[row] for row in chosen(number)]

        return order

    def is_shuffled(self) -> bool:
        """Whether the order is random."""
        return self.shuffle_within is not None or super().is_shuffled()


class OBSMindDataset(MindDataset):
    """MindRecord files of an object storage. Copy the files, then read them with :class:`MindDataset`."""

    def __init__(self, dataset_files: Any, *arguments: Any, **options: Any):
        raise NotImplementedError(
            "OBSMindDataset needs an object storage server, which is not supported: download the files and use MindDataset."
        )


def sync_wait_for_dataset(rank_id: int, rank_size: int, current_epoch: int, obs_runtime: Any) -> None:
    """Wait until every device has its files of an object storage; there is none here, which is said when it is called."""
    raise NotImplementedError(
        "sync_wait_for_dataset waits for files of an object storage server, which is not supported: download the files and use "
        "MindDataset."
    )


def _reshuffled(whole: list[list[int]], seed: int, limit: int | None) -> Order:
    """Each pass shuffles the rows of the previous pass."""

    def order(number: int) -> Sequence[int]:
        whole[0] = smallest_shuffle(whole[0], seed + number)[: limit or None]
        return whole[0]

    return order


def _redrawn(rows: list[int], seed: int, draws: int) -> Order:
    """Each pass draws with replacement from the rows of the previous pass, every time with a generator of the next seed."""

    def order(number: int) -> Sequence[int]:
        first = seed + number
        chosen = [below(mersenne_32(first + turn).__next__, len(rows)) for turn in range(draws)]
        rows[:] = [rows[index] for index in chosen]
        return list(rows)

    return order


def _as_text(columns: dict[str, Any], records: RecordFile) -> Columns:
    """Text row by row: every row has its own length."""
    return {
        name: [np.array(str(value)) for value in values] if records.columns[name].dtype.kind == "U" else values
        for name, values in columns.items()
    }


def _files(value: Any) -> str | list[str]:
    if isinstance(value, (str, os.PathLike)):
        path = check_file(os.fspath(value))
        _check_index(path)
        return path
    if not isinstance(value, (list, tuple)) or not value:
        raise TypeError(f"dataset_files must be a path or a list of paths, but got {value!r}.")
    if not all(isinstance(element, (str, os.PathLike)) for element in value):
        raise TypeError(f"dataset_files must be a path or a list of paths, but got {value!r}.")
    if len(value) > 4096:
        raise ValueError(f"length of dataset_files should be less than or equal to 4096, but got {len(value)}.")
    paths = [check_file(os.fspath(element)) for element in value]
    for path in paths:
        _check_index(path)
    return paths


def _check_index(path: str) -> None:
    if not os.path.isfile(f"{path}.db"):
        raise RuntimeError(f"The input: {path}.db is not exists. A MindRecord file needs its index beside it.")


def _padding(sample: Any, count: Any, columns: list[str] | None) -> tuple[dict[str, Any], int]:
    if not sample:
        if count:
            raise RuntimeError("num_padded is specified but padded_sample is not.")
        return {}, 0
    if count is None:
        raise RuntimeError("padded_sample is specified and requires num_padded as well.")
    if columns is None:
        raise RuntimeError("padded_sample is specified and requires columns_list as well.")
    if not isinstance(sample, dict) or any(name not in sample for name in columns):
        raise ValueError("padded_sample cannot match columns_list.")
    return dict(sample), check.number("MindDataset", "num_padded", count)
