"""Files of comma-separated values."""

from __future__ import annotations

import csv
import re
from typing import Any

import numpy as np

from mindspore._utils.files import atomic_file
from mindspore.dataset._pipeline import arguments as check
from mindspore.dataset._pipeline.errors import pipeline_error, reading
from mindspore.dataset._pipeline.rows import Columns
from mindspore.dataset._sources.record_source import RecordFilesDataset, line_positions, matching_files
from mindspore.dataset.engine.datasets import UnionBaseDataset
from mindspore.dataset.engine.samplers import Shuffle

_QUOTE = '"'
_NUMBERS = {int: re.compile(r"\s*[+-]?\d+"), float: re.compile(r"\s*[+-]?(\d+\.?\d*|\.\d+)([eE][+-]?\d+)?")}


def split_line(line: str, delimiter: str) -> list[str]:
    """The fields of a line.

    >>> split_line('a,"b, c"', ",")
    ['a', 'b, c']
    """
    if _QUOTE not in line:
        return line.split(delimiter)
    return next(csv.reader([line], delimiter=delimiter))


class CSVDataset(RecordFilesDataset, UnionBaseDataset):
    """The rows of CSV files.

    Args:
        dataset_files: a path or a list of them; ``*`` and ``?`` stand for any characters.
        field_delim: the character between fields.
        column_defaults: for each column a value of its type: int (int32), float (float32) or str. None: all are text, and so are
            the last columns of a shorter list.
        column_names: names of the columns; None: they stand in the first line of every file.
        shuffle: Shuffle.GLOBAL or True, Shuffle.FILES (the order of files only), or False.

    Examples:
        >>> import os, tempfile
        >>> import mindspore.dataset as ds
        >>> path = os.path.join(tempfile.mkdtemp(), "a.csv")
        >>> with open(path, "w") as stream:
        ...     _ = stream.write("x,y\\n1,one\\n2,two\\n")
        >>> data = ds.CSVDataset(path, column_defaults=[0, ""], shuffle=False)
        >>> [(int(row["x"]), str(row["y"])) for row in data.create_dict_iterator(output_numpy=True, num_epochs=1)]
        [(1, 'one'), (2, 'two')]
    """

    def __init__(
        self,
        dataset_files: Any,
        field_delim: str = ",",
        column_defaults: list[Any] | None = None,
        column_names: list[str] | None = None,
        num_samples: int | None = None,
        num_parallel_workers: int | None = None,
        shuffle: Any = Shuffle.GLOBAL,
        num_shards: int | None = None,
        shard_id: int | None = None,
        cache: Any = None,
    ):
        files = matching_files(dataset_files)
        super().__init__(files, num_samples, num_parallel_workers, shuffle, num_shards, shard_id, cache)
        self.field_delim = check.text("field_delim", field_delim)
        if len(self.field_delim) != 1:
            raise ValueError(f"field_delim is invalid: it should be a single character, but got {self.field_delim!r}.")
        if self.field_delim in '"\r\n':
            raise ValueError(f"field_delim is invalid: {self.field_delim!r} quotes fields or ends lines.")
        self.column_names = check.names(column_names)
        self.column_defaults = column_defaults
        self.names = self.column_names or self._header(self.files[0])
        self.types = _types(column_defaults, self.names, "" if column_names else f" of {self.files[0]}")

    def _header(self, path: str) -> list[str]:
        data = atomic_file.contents(path)
        positions = line_positions(data, ord(_QUOTE))
        if not len(positions):
            raise pipeline_error(f"Invalid csv file, {path} is empty: there are no column names.")
        with reading(lambda: f"the first line of {path}", "names of columns in UTF-8"):
            line = str(data[slice(*positions[0])], "utf-8").rstrip("\r")
        return line.split(self.field_delim)  # quotes are part of the names, as in MindSpore

    def _positions(self, path: str, data: memoryview) -> np.ndarray:
        if self.column_names is None and (names := self._header(path)) != self.names:
            raise pipeline_error(
                f"Invalid file, failed to obtain column name from input csv file list: {path} has the columns {names}, {self.files[0]} "
                f"{self.names}."
            )
        return line_positions(data, ord(_QUOTE))[1 if self.column_names is None else 0 :]

    def _parse(self, records: list[Any], ids: list[int]) -> Columns:
        rows = []
        for record, identity in zip(records, ids, strict=True):
            fields = split_line(str(record, "utf-8").rstrip("\r"), self.field_delim)
            if len(fields) != len(self.names):
                path, number = self.location(identity)
                raise pipeline_error(
                    f"Invalid file, failed to parse csv file: {path} at line {number}. Error message: Invalid columns, it has "
                    f"{len(fields)} fields, but there are {len(self.names)} columns: {self.names}."
                )
            rows.append(fields)
        return {
            name: self._column([row[index] for row in rows], kind, ids)
            for index, (name, kind) in enumerate(zip(self.names, self.types, strict=True))
        }

    def _column(self, values: list[str], kind: type, ids: list[int]) -> Any:
        if kind is str:
            return [np.array(value) for value in values]
        dtype = np.int32 if kind is int else np.float32
        try:
            return np.array([kind(value) for value in values], dtype)
        except (ValueError, OverflowError):
            return np.array(
                [self._number(value, kind, column) for value, column in zip(values, ids, strict=True)], dtype
            )

    def _number(self, value: str, kind: type, identity: int) -> Any:
        """The number a text begins with: what stands behind it is left out, as real MindSpore does."""
        found = _NUMBERS[kind].match(value)
        if found is None or (kind is int and not -(2**31) <= int(found[0]) < 2**31):
            path, number = self.location(identity)
            raise pipeline_error(
                f"Invalid csv, csv file: {path} parse failed at line {number}, type does not match: {value!r} is not "
                f"{'an int32' if kind is int else 'a float'}."
            )
        return kind(found[0])


def _types(defaults: list[Any] | None, names: list[str], origin: str) -> list[type]:
    if defaults is None:
        return [str] * len(names)
    if not isinstance(defaults, list):
        raise TypeError("column_defaults should be type of list, of int, float or str.")
    for value in defaults:
        if isinstance(value, bool) or not isinstance(value, (int, float, str)):
            raise TypeError(
                f"column type in column_defaults is invalid: it must be int, float or str, but got {type(value)}."
            )
    if len(defaults) > len(names):
        raise pipeline_error(
            f"Invalid columns, the size of column_names must be that of 'column_defaults', but got {len(names)} column_names"
            f"{origin} and {len(defaults)} column_defaults."
        )
    kinds = [str if isinstance(default, str) else type(default) for default in defaults]
    return kinds + [str] * (len(names) - len(kinds))  # columns without a default are text
