"""``TFRecordDataset``: the rows of TFRecord files, by a schema or as they are."""

from __future__ import annotations

import functools
import math
import os
import zlib
from collections.abc import Iterable, Sequence
from typing import Any

import numpy as np

from mindspore._utils.files import atomic_file
from mindspore._utils.files import tf_example as tf
from mindspore._utils.files import tf_example_reader as reader
from mindspore._utils.files.file_limit import TooLarge, check_unfolded, decompressed
from mindspore._utils.files.tf_example_table import feature_table
from mindspore.dataset._pipeline import arguments as check
from mindspore.dataset._pipeline.errors import pipeline_error
from mindspore.dataset._pipeline.rows import Columns
from mindspore.dataset._pipeline.schema import Schema
from mindspore.dataset._sources.record_source import RecordFilesDataset, matching_files
from mindspore.dataset.engine.datasets import UnionBaseDataset
from mindspore.dataset.engine.samplers import Shuffle

_DTYPES = {tf.BYTES: "u1", tf.FLOATS: "<f4"}  # of lists that are kept as they are


class TFRecordDataset(RecordFilesDataset, UnionBaseDataset):
    """The rows of TFRecord files with tf.train.Example messages. TensorFlow is not needed.

    Args:
        dataset_files: a path or a list of them; ``*`` and ``?`` stand for any characters.
        schema: a :class:`Schema`, or the path of a JSON file; None: columns as they stand in the files, by name.
        columns_list: names of the columns to read; None for all.
        shuffle: Shuffle.GLOBAL or True, Shuffle.FILES (the order of files only), or False.
        shard_equal_rows: whether shards get as many rows; otherwise each gets whole files.
        compression_type: 'GZIP', 'ZLIB', or None.

    Examples:
        >>> import mindspore.dataset as ds
        >>> dataset = ds.TFRecordDataset(["data/tfrecord/a.tfrecord"], "data/tfrecord/schema.json", shuffle=False)
        >>> row = next(dataset.create_dict_iterator(num_epochs=1, output_numpy=True))
        >>> {name: value.shape for name, value in row.items()}
        {'floats': (3,), 'number': ()}
    """

    def __init__(
        self,
        dataset_files: Any,
        schema: Schema | str | None = None,
        columns_list: list[str] | None = None,
        num_samples: int | None = None,
        num_parallel_workers: int | None = None,
        shuffle: Any = Shuffle.GLOBAL,
        num_shards: int | None = None,
        shard_id: int | None = None,
        shard_equal_rows: bool = False,
        cache: Any = None,
        compression_type: str | None = None,
    ):
        files = matching_files(dataset_files)
        super().__init__(files, num_samples, num_parallel_workers, shuffle, num_shards, shard_id, cache)
        if compression_type not in (None, "", "GZIP", "ZLIB"):
            raise ValueError("Input compression_type can only be '', 'ZLIB' or 'GZIP'.")
        self.compression_type = compression_type or ""
        self.shard_by_rows = check.flag("shard_equal_rows", shard_equal_rows)
        self.schema = Schema(os.fspath(schema)) if isinstance(schema, (str, os.PathLike)) else schema
        if self.schema is not None and not isinstance(self.schema, Schema):
            raise TypeError(f"Argument schema must be a Schema or the path of a JSON file, but got {type(schema)}.")
        self.columns_list = check.names(columns_list)
        if self.num_samples is None and self.schema is not None and self.schema.num_rows:
            self.num_samples = self.schema.num_rows
        if not self.shard_by_rows and self.num_shards > len(files):
            raise pipeline_error(
                "Invalid file, numbers of tfrecord file should not less than num_shards when shard_equal_rows is false, but "
                f"got numbers of tfrecord file: {len(files)}, num_shards: {self.num_shards}"
            )

    def _contents(self, path: str) -> memoryview:
        data = atomic_file.contents(path)
        if not self.compression_type:
            return data
        try:
            return memoryview(decompressed(data, wbits=31 if self.compression_type == "GZIP" else 15))
        except TooLarge as error:
            raise _not_valid(path, str(error)) from error
        except zlib.error as error:
            raise _not_valid(path, f"it is not compressed by {self.compression_type}: {error}") from error

    def _positions(self, path: str, data: memoryview) -> np.ndarray:
        try:
            return tf.record_positions(data)
        except ValueError as error:
            raise _not_valid(path, str(error)) from error

    def _columns_of(self, found: Iterable[str]) -> list[str]:
        if self.columns_list is not None:
            return self.columns_list
        return sorted(found) if self.schema is None else self.schema.columns_named()

    @functools.cached_property
    def _addresses(self) -> np.ndarray:
        """The addresses of the files' contents in memory."""
        return np.array([reader.address(content) for content in self._index[0]], np.int64)

    def __getstate__(self) -> dict[str, Any]:
        return {name: value for name, value in super().__getstate__().items() if name != "_addresses"}

    def _parse_together(self, ids: np.ndarray, owners: np.ndarray) -> Columns | None:
        if reader.library() is None or not len(ids):
            return None
        contents, positions, _ = self._index
        try:
            names = self._columns_of(tf.features(contents[owners[0]][slice(*positions[ids[0]])]))
            bounds = positions[ids]
            starts, sizes = self._addresses[owners] + bounds[:, 0], bounds[:, 1] - bounds[:, 0]
            found = reader.features(starts, sizes, names)
            if found is None:
                return None
            columns = {name: self._listed(name, lists) for name, lists in zip(names, found, strict=True)}
        except (ValueError, IndexError, TypeError, RuntimeError):
            return None  # the reader that works row by row raises the error
        return None if any(column is None for column in columns.values()) else columns

    def _listed(self, name: str, lists: reader.Lists) -> Any:
        """The values of a feature; None for a kind that there is not."""
        if lists.kind not in (tf.BYTES, tf.FLOATS, tf.INTEGERS):
            return None
        arrays = reader.integers(lists) if lists.kind == tf.INTEGERS else reader.raw(lists, _DTYPES[lists.kind])
        if arrays is None:
            return None
        if lists.kind == tf.BYTES and self.schema is not None:
            return _stacked([self._text(name, [row.tobytes()]) for row in arrays])
        return self._in_schema(name, arrays)

    def _parse(self, records: list[Any], ids: list[int]) -> Columns:
        table = feature_table(records)
        if table is None:
            return self._parse_each(records, ids)
        names = self._columns_of(table)
        for name in names:
            if name not in table:
                raise _no_column(name)
        columns = {}
        for name in names:
            packed = table.packed(name)
            columns[name] = self._column(name, *table.column(name)) if packed is None else self._packed(name, *packed)
        return columns

    def _parse_each(self, records: list[Any], ids: list[int]) -> Columns:
        """The same for messages that do not have the same features or are written in another form."""
        rows = []
        for record, identity in zip(records, ids, strict=True):
            try:
                rows.append(tf.features(record))
            except (ValueError, IndexError, TypeError) as error:
                raise pipeline_error(
                    f"Invalid file, {self.describe(identity)} is no tf.train.Example: {error}."
                ) from error
        names = self._columns_of(rows[0])
        for row in rows:
            for name in names:
                if name not in row:
                    raise _no_column(name)
        columns = {}
        for name in names:
            kinds, contents = zip(*(row[name] for row in rows), strict=True)
            columns[name] = self._column(name, kinds, contents)
        return columns

    def _column(self, name: str, kinds: Sequence[int], contents: Sequence[bytes]) -> Any:
        """The values of a feature of several rows."""
        readers = {tf.FLOATS: tf.floats, tf.INTEGERS: tf.integers}
        if not set(kinds) <= {tf.BYTES, *readers}:
            raise ValueError(f"the feature '{name:.80}' is no list of bytes, floats or integers")
        values = []
        for kind, content in zip(kinds, contents, strict=True):
            if kind == tf.BYTES:
                values.append(self._text(name, tf.byte_values(content)))
            else:
                array = readers[kind](content)
                values.append(array if self.schema is None else self._shaped(name, array))
        return _stacked(values)

    def _packed(self, name: str, kind: int, lists: list[bytes]) -> Any:
        """The same where all lists are of equal kind and contiguous."""
        if kind == tf.BYTES:
            if self.schema is not None:
                return _stacked([self._text(name, [row]) for row in lists])
            return tf.packed_bytes(lists)
        return self._in_schema(name, tf.packed_floats(lists) if kind == tf.FLOATS else tf.packed_integers(lists))

    def _in_schema(self, name: str, arrays: np.ndarray | list[np.ndarray]) -> Any:
        """The arrays of a column as the schema wants them."""
        if self.schema is None:
            return arrays
        if isinstance(arrays, np.ndarray):
            return self._shaped(name, arrays, len(arrays))
        return _stacked([self._shaped(name, array) for array in arrays])

    def _text(self, name: str, values: list[bytes]) -> np.ndarray:
        if self.schema is None:
            return _bytes_array(values, padded=self.columns_list is None)
        if self.schema.dtype(name) is None:
            return self._shaped(name, np.array([value.decode("utf-8") for value in values]))
        return self._shaped(name, _bytes_array(values, padded=False))

    def _shaped(self, name: str, array: np.ndarray, *rows: int) -> np.ndarray:
        """An array as the schema wants it: that of a row, or of a number of rows."""
        schema = self.schema or Schema()
        dtype, shape = schema.dtype(name), schema.shape(name)
        if array.dtype.kind != "U":
            if dtype is None:
                raise pipeline_error(
                    f"Invalid column type, the column {name} holds numbers, but its type in the schema is text."
                )
            array = array.astype(dtype, copy=False)
        if shape is None:
            return array
        try:
            return array.reshape((*rows, *shape))
        except ValueError:
            raise pipeline_error(
                f"Invalid schema, the column {name} has the shape {list(shape)} in the schema, but a row holds "
                f"{array.size // math.prod(rows)} element(s)."
            ) from None


def _no_column(name: str) -> RuntimeError:
    return pipeline_error(f"Invalid columns_list, tfrecord file failed to find column name: {name}")


def _bytes_array(values: list[bytes], padded: bool) -> np.ndarray:
    """Bytes behind each other, each filled up with spaces to the longest where asked."""
    if padded and len(values) > 1:
        longest = max(map(len, values))
        check_unfolded("a feature, filled up to its longest text,", longest * len(values), sum(map(len, values)))
        values = [value.ljust(longest, b" ") for value in values]
    return np.frombuffer(b"".join(values), np.uint8)


def _stacked(values: list[np.ndarray]) -> Any:
    first = values[0]
    if first.dtype.kind != "U" and all(value.shape == first.shape and value.dtype == first.dtype for value in values):
        return np.stack(values)
    return values


def _not_valid(path: str, why: str) -> RuntimeError:
    return pipeline_error(
        "Invalid file. The following files either cannot be opened, or are not valid TFRecordDataset files:\n"
        f"    {path}: {why}."
    )
