"""``TFRecordDataset``: the rows of TFRecord files, by a schema or as they are."""

from __future__ import annotations

import os
import zlib
from typing import Any

import numpy as np

from mindspore._utils import tf_example as tf
from mindspore.dataset.engine import arguments as check
from mindspore.dataset.engine._record_files import RecordFilesDataset, mapped, matching_files
from mindspore.dataset.engine.failures import pipeline_error
from mindspore.dataset.engine.rows import Columns
from mindspore.dataset.engine.samplers import Shuffle
from mindspore.dataset.engine.schema import Schema


class TFRecordDataset(RecordFilesDataset):
    """The rows of TFRecord files with tf.train.Example messages. TensorFlow is not needed.

    Args:
        dataset_files: a path or a list of them; ``*`` and ``?`` stand for any characters.
        schema: a :class:`Schema`, or the path of a JSON file; None: columns as they stand in the files, by name.
        columns_list: names of the columns to read; None for all.
        shuffle: Shuffle.GLOBAL or True, Shuffle.FILES (the order of files only), or False.
        shard_equal_rows: whether shards get as many rows; otherwise each gets whole files.
        compression_type: 'GZIP', 'ZLIB', or None.
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
        data = mapped(path)
        if not self.compression_type:
            return data
        try:
            return memoryview(zlib.decompress(data, wbits=31 if self.compression_type == "GZIP" else 15))
        except zlib.error as error:
            raise _not_valid(path, f"it is not compressed by {self.compression_type}: {error}") from error

    def _positions(self, path: str, data: memoryview) -> np.ndarray:
        try:
            return tf.record_positions(data)
        except ValueError as error:
            raise _not_valid(path, str(error)) from error

    def _names(self, found: dict[str, Any]) -> list[str]:
        if self.columns_list is not None:
            return self.columns_list
        return sorted(found) if self.schema is None else self.schema.columns_named()

    def _parse(self, records: list[Any], ids: list[int]) -> Columns:
        rows = []
        for record, identity in zip(records, ids, strict=True):
            try:
                rows.append(tf.features(record))
            except (ValueError, IndexError, TypeError) as error:
                raise pipeline_error(
                    f"Invalid file, {self.describe(identity)} is no tf.train.Example: {error}."
                ) from error
        names = self._names(rows[0])
        for row in rows:
            for name in names:
                if name not in row:
                    raise pipeline_error(f"Invalid columns_list, tfrecord file failed to find column name: {name}")
        return {name: _stacked(self._column(name, [row[name] for row in rows])) for name in names}

    def _column(self, name: str, features: list[tuple[int, bytes]]) -> list[np.ndarray]:
        """The arrays of one feature of several rows."""
        kinds = {kind for kind, _ in features}
        contents = [content for _, content in features]
        if len(kinds) > 1:
            return [self._column(name, [one])[0] for one in features]
        if kinds == {tf.BYTES}:
            return [self._text(name, tf.byte_values(one)) for one in contents]
        arrays = tf.float_rows(contents) if kinds == {tf.FLOATS} else tf.integer_rows(contents)
        return arrays if self.schema is None else [self._shaped(name, one) for one in arrays]

    def _text(self, name: str, values: list[bytes]) -> np.ndarray:
        if self.schema is None:
            return _bytes_array(values, padded=self.columns_list is None)
        if self.schema.dtype(name) is None:
            return self._shaped(name, np.array([one.decode("utf-8") for one in values]))
        return self._shaped(name, _bytes_array(values, padded=False))

    def _shaped(self, name: str, array: np.ndarray) -> np.ndarray:
        """An array as the schema wants it."""
        schema = self.schema or Schema()
        dtype, shape = schema.dtype(name), schema.shape(name)
        if array.dtype.kind != "U":
            if dtype is None:
                raise pipeline_error(
                    f"Invalid column type, the column {name} holds numbers, but its type in the schema is text."
                )
            array = array.astype(dtype, copy=False)
        return array if shape is None else _reshaped(array, shape, name)


def _reshaped(array: np.ndarray, shape: tuple[int, ...], name: str) -> np.ndarray:
    try:
        return array.reshape(shape)
    except ValueError:
        raise pipeline_error(
            f"Invalid schema, the column {name} has the shape {list(shape)} in the schema, but a row holds {array.size} "
            "element(s)."
        ) from None


def _bytes_array(values: list[bytes], padded: bool) -> np.ndarray:
    """Bytes behind each other, each filled up with spaces to the longest where asked."""
    if padded and len(values) > 1:
        longest = max(map(len, values))
        values = [one.ljust(longest, b" ") for one in values]
    return np.frombuffer(b"".join(values), np.uint8)


def _stacked(values: list[np.ndarray]) -> Any:
    first = values[0]
    if first.dtype.kind != "U" and all(one.shape == first.shape and one.dtype == first.dtype for one in values):
        return np.stack(values)
    return values


def _not_valid(path: str, why: str) -> RuntimeError:
    return pipeline_error(
        "Invalid file. The following files either cannot be opened, or are not valid TFRecordDataset files:\n"
        f"    {path}: {why}."
    )
