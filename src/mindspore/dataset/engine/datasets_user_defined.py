"""Datasets of data that a program has or makes: generators, arrays, single samples."""

from __future__ import annotations

import copy
import inspect
import itertools
import traceback
from collections.abc import Iterable, Iterator, Sequence
from typing import Any

import numpy as np

from mindspore._utils.checks import shown
from mindspore._utils.refusals import type_or_value
from mindspore.dataset._pipeline import arguments as check
from mindspore.dataset._pipeline.errors import pipeline_error, python_error
from mindspore.dataset._pipeline.rows import Columns
from mindspore.dataset._pipeline.run_context import PipelineContext
from mindspore.dataset._pipeline.sampled_batches import SampledBatches
from mindspore.dataset._pipeline.schema import Schema
from mindspore.dataset._pipeline.stages import Stage, StreamStage
from mindspore.dataset._pipeline.values import columns_of, to_array, with_known_type
from mindspore.dataset._sources.random_access import RandomAccessDataset
from mindspore.dataset.engine.datasets import UnionBaseDataset
from mindspore.dataset.engine.samplers import PKSampler
from mindspore.dataset.transforms._dtype import is_text, numpy_dtype, type_name

__all__ = ["GeneratorDataset", "NumpySlicesDataset", "PaddedDataset"]


class GeneratorDataset(RandomAccessDataset, UnionBaseDataset):
    """Rows from Python code.

    Args:
        source: an object with ``__getitem__`` and ``__len__``, an iterable, a function that returns an iterator, or a generator.
        column_names: the names of the values of a row.
        column_types: NumPy or MindSpore dtypes the values must have, or None.
        num_samples: how many rows; None for all.
        shuffle: whether the order is random; None: it is, where rows can be read in any order.
        sampler: see :mod:`mindspore.dataset.engine.samplers`.
        batch_sampler: an iterable of lists of indices; each becomes a batch.
        collate_fn: makes a batch of a list of values per column; by default they are stacked.

    Examples:
        >>> import mindspore.dataset as ds
        >>> data = ds.GeneratorDataset([(1, 2), (3, 4)], ["x", "y"], shuffle=False)
        >>> [[int(value) for value in row] for row in data.create_tuple_iterator(output_numpy=True, num_epochs=1)]
        [[1, 2], [3, 4]]
    """

    _own_order = True

    def __init__(
        self,
        source: Any,
        column_names: Any = None,
        column_types: Any = None,
        schema: Any = None,
        num_samples: int | None = None,
        num_parallel_workers: int | None = 1,
        shuffle: bool | None = None,
        sampler: Any = None,
        num_shards: int | None = None,
        shard_id: int | None = None,
        python_multiprocessing: bool = True,
        max_rowsize: Any = None,
        batch_sampler: Any = None,
        collate_fn: Any = None,
    ):
        if column_names is None and schema is None:
            raise ValueError("Neither columns_names nor schema are provided.")
        if column_names is not None:
            check.of_type("column_names", column_names, list, str)
        self.column_names = check.names(column_names, "column_names", "GeneratorDataset") or []
        self.column_types = None if column_types is None else check.of_type("column_types", column_types, list)
        self._wanted_types = [
            np.dtype(str) if str(one) == "String" else numpy_dtype("GeneratorDataset", "column_types", one)
            for one in self.column_types or ()
        ]
        if schema is not None or not self.column_names:  # names and types of a schema go before those beside it
            self.column_names, self._wanted_types = _columns_of(schema)
        _check_row_sizes(max_rowsize)
        if isinstance(source, zip):
            source = list(source)
        if batch_sampler is not None:
            if (num_samples, shuffle, sampler, num_shards, shard_id) != (None,) * 5:
                raise ValueError(
                    "batch_sampler is mutually exclusive with num_samples, shuffle, num_shards, shard_id and sampler."
                )
            source = SampledBatches(source, batch_sampler, collate_fn)
        elif collate_fn is not None:
            raise ValueError("collate_fn can be specified only when batch_sampler is set.")
        _check_shards(num_shards, shard_id)
        if isinstance(sampler, PKSampler):
            raise ValueError("GeneratorDataset doesn't support PKSampler: it does not know the classes of its rows.")
        self.source: Any = _Replayed(source) if inspect.isgenerator(source) else source
        if not (callable(source) or hasattr(source, "__iter__") or hasattr(source, "__getitem__")):
            raise TypeError(
                "Input `source` function of GeneratorDataset should be callable, iterable or random accessible, commonly it "
                "should implement one of the method like yield, __getitem__ or __next__(__iter__)."
            )
        self.in_any_order = hasattr(source, "__getitem__") and hasattr(source, "__len__")
        self.has_no_length = hasattr(source, "__getitem__") and not self.in_any_order and not callable(source)
        if not self.in_any_order:
            for name, value in (("sampler", sampler), ("num_shards", num_shards), ("shard_id", shard_id)):
                if value is not None:
                    raise ValueError(f"{name} is not supported if source does not have attribute '__getitem__'.")
        super().__init__(num_samples, num_parallel_workers, shuffle, sampler, num_shards, shard_id)
        self.num_samples = num_samples
        self._in_processes = (
            check.flag("python_multiprocessing", python_multiprocessing) and (num_parallel_workers or 1) > 1
        )

    def _names(self) -> list[str]:
        return self.column_names

    def get_batch_size(self) -> int:
        """1, or -1 where a ``batch_sampler`` chooses it."""
        return -1 if isinstance(self.source, SampledBatches) else 1

    def is_shuffled(self) -> bool:
        """Whether the order is random."""
        return not isinstance(self.source, SampledBatches) and super().is_shuffled()

    def _length(self) -> int:
        return len(self.source)

    def _tells_length(self) -> bool:
        return hasattr(self.source, "__len__") and not isinstance(self.source, SampledBatches)

    def _check_length(self) -> None:
        """Refuse a source that does not say how many samples it has, or has none."""
        if self.has_no_length:
            raise RuntimeError(
                "Attempt to construct a random access dataset, '__len__' method is required! Define "
                f"{type(self.source).__name__}.__len__, or __iter__ instead of __getitem__."
            )
        if self._tells_length() and not len(self.source):
            raise pipeline_error(
                "GeneratorNode: data row of input source must not be 0, got: 0. The source of GeneratorDataset is empty: its "
                "__len__ gives 0."
            )

    def _count(self) -> int | None:
        self._check_length()
        if self.in_any_order:
            return super()._count()
        length = len(self.source) if hasattr(self.source, "__len__") else None
        return length if length is None or not self.num_samples else min(length, self.num_samples)

    def _stage(self, plan: PipelineContext) -> Stage:
        self._check_length()
        if self.in_any_order:
            return super()._stage(plan)
        return StreamStage(self._stream)

    def fetch(self, ids: np.ndarray) -> Columns:
        """Rows of the source, by number."""
        rows = []
        for identity in ids.tolist():
            try:
                rows.append(self._row(self.source[identity]))
            except (Exception, SystemExit) as error:
                raise _failed(f"row {identity}", error) from error
        return {name: [row[name] for row in rows] for name in self.column_names}

    def _stream(self) -> Iterator[Columns]:
        """Rows one after the other, from the beginning."""
        number = 0
        try:
            values: Any = self.source() if callable(self.source) else self.source
            for value in itertools.islice(iter(values), self.num_samples or None):
                yield self._row(value)
                number += 1
            self._check_read(number)
        except GeneratorExit:
            raise
        except (Exception, SystemExit) as error:
            raise _failed(f"row {number}", error) from error

    def _check_read(self, number: int) -> None:
        """Refuse a source that has another number of samples than its ``__len__`` says."""
        expected = self._count() if self._tells_length() else None
        if expected is None or number == expected:
            return
        if not number:
            raise RuntimeError(
                "Unable to fetch data from GeneratorDataset: the source gave no sample in this epoch. An iterator that is used up "
                "can not be read again; let '__iter__' return a new one."
            )
        raise RuntimeError(
            f"The actual amount of data read from generator {number} is different from generator.len {expected}, you should adjust "
            "'__len__' of the source to make them match."
        )

    def _row(self, value: Any) -> dict[str, np.ndarray]:
        values = columns_of(value)
        if len(values) != len(self.column_names):
            raise ValueError(
                "Invalid Python function, the 'source' of 'GeneratorDataset' should return same number of NumPy arrays as "
                f"specified in column_names, the size of column_names is:{len(self.column_names)} and number of returned "
                f"NumPy array is:{len(values)}. The columns are {self.column_names}; a list is a row with one value per column, give "
                "an array or a tuple with the list in it where it is one value."
            )
        row = {name: to_array(item, name) for name, item in zip(self.column_names, values, strict=True)}
        if self._wanted_types:
            self._check_types(row)
        return row

    def _check_types(self, row: dict[str, np.ndarray]) -> None:
        for (name, array), wanted in itertools.zip_longest(row.items(), self._wanted_types[: len(row)]):
            if wanted is None:
                raise TypeError(
                    "Invalid Python function, type of returned data in 'GeneratorDataset' should be same with specified column_types, "
                    f"but column '{name}' has none: there are {len(self._wanted_types)} types for the columns {list(row)}."
                )
            if array.dtype != wanted and not (is_text(array.dtype) and is_text(wanted)):
                raise TypeError(
                    "Invalid Python function, type of returned data in 'GeneratorDataset' should be same with specified "
                    f"column_types, but column '{name}' is of type {type_name(array.dtype)}, specified column type: "
                    f"{type_name(wanted)}. Let the source give np.{type_name(wanted)}(...), or leave 'column_types' out."
                )


def _check_shards(num_shards: int | None, shard_id: int | None) -> None:
    if (num_shards is None) != (shard_id is None):
        raise ValueError(f"num_shards and shard_id need to be passed in together, but got {num_shards} and {shard_id}.")


class _Replayed:
    """What a generator yields, kept for later passes: the generator itself runs once."""

    def __init__(self, generator: Iterator[Any]):
        (self._values,) = itertools.tee(generator, 1)

    def __iter__(self) -> Iterator[Any]:
        return copy.copy(self._values)  # a tee, which begins where this one stands: at the first value


def _columns_of(schema: Any) -> tuple[list[str], list[np.dtype]]:
    """The names and types of the columns of a schema or of its file."""
    if schema is None:
        raise ValueError(
            "For 'GeneratorDataset', either 'column_names' or 'schema' must say what the columns are called."
        )
    if not isinstance(schema, (str, Schema)):
        raise ValueError(f"schema should be a path to schema file or a schema object, but got {shown(schema)}.")
    known = Schema(schema) if isinstance(schema, str) else schema
    names = known.columns_named()
    return names, [np.dtype(str) if (kind := known.dtype(name)) is None else kind for name in names]


def _check_row_sizes(value: Any) -> None:
    """Megabytes of shared memory for a row, which grows by itself here; several for inputs and outputs."""
    for size in () if value is None else value if isinstance(value, (list, tuple)) and value else (value,):
        check.number("GeneratorDataset", "max_rowsize", size, low=-1)


def _failed(where: str, error: BaseException) -> RuntimeError:
    reason = str(error).split("\n\n---", 1)[0]
    trace = error.__traceback__ and error.__traceback__.tb_next  # the first frame is ours
    lines = "".join(
        traceback.format_exception(type(error), type(error)(reason) if reason != str(error) else error, trace)
    )
    return python_error(f"GeneratorDataset failed at {where}: {reason}", lines)


class NumpySlicesDataset(RandomAccessDataset, UnionBaseDataset):
    """Rows of arrays: slices along the first axis.

    Args:
        data: an array or list (one column), a tuple of them, or a dict of them.
        column_names: names of the columns; by default column_0 and so on, or the keys.

    Examples:
        >>> import mindspore.dataset as ds
        >>> data = ds.NumpySlicesDataset({"x": [1, 2], "y": [[3, 4], [5, 6]]}, shuffle=False)
        >>> [row["y"].tolist() for row in data.create_dict_iterator(output_numpy=True, num_epochs=1)]
        [[3, 4], [5, 6]]
    """

    _own_order = True

    def __init__(
        self,
        data: Any,
        column_names: Any = None,
        num_samples: int | None = None,
        num_parallel_workers: int | None = 1,
        shuffle: bool | None = None,
        sampler: Any = None,
        num_shards: int | None = None,
        shard_id: int | None = None,
    ):
        check.of_type("data", data, list, tuple, dict, np.ndarray)
        columns = list(data.values()) if isinstance(data, dict) else list(data) if isinstance(data, tuple) else [data]
        arrays = [_rows_of(column) for column in columns]
        if not arrays or not all(
            np.ndim(array) and len(array) if not isinstance(array, list) else array for array in arrays
        ):
            raise type_or_value(ValueError)(
                "Argument data cannot be empty. For 'NumpySlicesDataset', every column must have at least one axis, of the rows, "
                f"but got shapes {[np.shape(array) for array in arrays]}."
            )
        if len({len(array) for array in arrays}) > 1:
            lengths = {
                name: len(column) for name, column in zip(data if isinstance(data, dict) else itertools.count(), arrays)
            }
            raise ValueError(f"Data length in each column is not equal. The numbers of rows are {lengths}.")
        default = list(data) if isinstance(data, dict) else [f"column_{number}" for number in range(len(arrays))]
        names = check.some_names(column_names, "column_names", "NumpySlicesDataset")
        names = names or check.names(default, "column_names", "NumpySlicesDataset") or []
        if len(names) != len(arrays):
            raise ValueError(f"Num of input column names is {len(names)}, but required is {len(arrays)}.")
        self.data = dict(zip(names, arrays, strict=True))
        self.column_names = list(names)
        _check_shards(num_shards, shard_id)
        super().__init__(num_samples, num_parallel_workers, shuffle, sampler, num_shards, shard_id)

    def _names(self) -> list[str]:
        return self.column_names

    def _length(self) -> int:
        return len(next(iter(self.data.values())))

    def fetch(self, ids: np.ndarray) -> Columns:
        """The slices, stacked."""
        return {
            name: [array[index] for index in ids] if isinstance(array, list) else with_known_type(array[ids], name)
            for name, array in self.data.items()
        }

    def _labels(self, column: str) -> Sequence[int]:
        if column not in self.data:
            raise ValueError(
                f"For 'PKSampler', the 'class_column' must be one of the columns {list(self.data)}, but got {column!r}."
            )
        return np.asarray(self.data[column]).tolist()


def _rows_of(column: Any) -> np.ndarray | list[np.ndarray]:
    """A column as one array, or as a list of arrays where its rows have different shapes or types."""
    if not isinstance(column, (list, tuple)):
        column = (
            np.asarray(column) if hasattr(column, "__array__") or not isinstance(column, Iterable) else list(column)
        )
    if isinstance(column, np.ndarray) and (not column.ndim or not column.dtype.hasobject):
        return column
    kinds = set(map(type, column))
    if len(kinds) == 1 and kinds <= {int, float, bool, str, bytes}:
        whole = np.asarray(column)
        if int not in kinds or whole.dtype == np.int64:
            return whole
    rows = [to_array(row) for row in column]
    alike = len({(row.dtype, row.shape) for row in rows}) == 1 and not rows[0].dtype.hasobject
    return np.stack(rows) if alike else rows


class PaddedDataset(RandomAccessDataset, UnionBaseDataset):
    """Single samples to fill up another dataset, so that every process gets as many rows.

    Args:
        padded_samples: a list of dicts, column name to value.

    Examples:
        >>> import numpy as np
        >>> import mindspore.dataset as ds
        >>> data = ds.NumpySlicesDataset({"x": [1, 2, 3]}, shuffle=False) + ds.PaddedDataset([{"x": np.array(0)}])
        >>> len(data)
        4
    """

    def __init__(self, padded_samples: list[dict[str, Any]]):
        if not padded_samples:
            raise ValueError("padded_samples cannot be empty. Give a list of dicts.")
        for row in check.of_type("padded_samples", padded_samples, list):
            check.of_type("padded_samples element", row, dict)
        self.padded_samples = [{name: to_array(value) for name, value in row.items()} for row in padded_samples]
        self.column_names = list(self.padded_samples[0])
        super().__init__(None, None, False, None, None, None)

    def _names(self) -> list[str]:
        return self.column_names

    def _length(self) -> int:
        return len(self.padded_samples)

    def fetch(self, ids: np.ndarray) -> Columns:
        """The samples by number."""
        rows = [self.padded_samples[identity] for identity in ids.tolist()]
        return {name: [row[name] for row in rows] for name in rows[0]}
