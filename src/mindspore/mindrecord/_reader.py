"""Read MindRecord files row by row, in any order: the index is loaded once, the data is mapped into memory."""

from __future__ import annotations

import mmap
from collections.abc import Iterable, Sequence
from typing import Any, NamedTuple

import numpy as np

from mindspore.mindrecord import _index, _msgpack, config
from mindspore.mindrecord._format import LENGTH, Header, read_header, shard_paths
from mindspore.mindrecord._schema import RecordSchema


class Column(NamedTuple):
    """The element type and the shape of a column; -1 stands for a length that differs from row to row."""

    dtype: np.dtype
    shape: tuple[int, ...]


class RecordFile:
    """The rows of MindRecord files.

    Args:
        paths: one file, read together with all files written with it, or a list of the files to read, in this order.
        columns: names of the columns to read, all by default.
    """

    def __init__(self, paths: str | Sequence[str], columns: Sequence[str] | None = None):
        self._arguments = (paths, columns)
        if config.encryption_key() is not None:
            paths = [config.decrypted(path) for path in ([paths] if isinstance(paths, str) else paths)]
        self.paths = shard_paths(paths) if isinstance(paths, str) else list(paths)
        headers = [read_header(path) for path in self.paths]
        self.schema: RecordSchema = headers[0].schema
        for path, header in zip(self.paths, headers, strict=True):
            if header.schema.fields != self.schema.fields:
                raise RuntimeError(
                    f"Invalid file, the schema of {path} is {header.schema.fields}, that of {self.paths[0]} is "
                    f"{self.schema.fields}. Files that are read together must have the same schema."
                )
        self.names = self._select(columns)
        self._raw_names = [name for name in self.names if name in self.schema.raw_fields]
        self._blob_names = [name for name in self.names if name in self.schema.blob_fields]
        indices = [_index.load(path, header) for path, header in zip(self.paths, headers, strict=True)]
        self._maps = [self._map(*file) for file in zip(self.paths, headers, indices, strict=True)]
        self._offsets = np.concatenate(indices)
        self._first_rows = np.cumsum([0, *(len(rows) for rows in indices)])

    def _select(self, columns: Sequence[str] | None) -> list[str]:
        if columns is None:
            return list(self.schema.fields)
        for name in columns:
            if name not in self.schema.fields:
                raise RuntimeError(
                    f"Invalid data, column name: {name} can not found in schema. Please check the 'columns_list': the file "
                    f"{self.paths[0]} has {list(self.schema.fields)}."
                )
        return list(columns)

    @staticmethod
    def _map(path: str, header: Header, rows: np.ndarray) -> memoryview:
        if len(rows) != header.rows:
            raise RuntimeError(
                f"Invalid file, {path} holds {header.rows} rows, but its index {path}.db lists {len(rows)}. "
                "They do not belong together."
            )
        with open(path, "rb") as stream:
            view = memoryview(mmap.mmap(stream.fileno(), 0, access=mmap.ACCESS_READ))
        if rows.size and (rows.max() > len(view) or rows.min() < 0):
            raise RuntimeError(
                f"Invalid file, {path} is cut off: it has {len(view)} bytes, but by its index {path}.db rows reach from byte "
                f"{rows.min()} to byte {rows.max()}."
            )
        return view

    def __reduce__(self) -> tuple:
        return RecordFile, self._arguments  # a worker process maps the files itself

    def __len__(self) -> int:
        return len(self._offsets)

    @property
    def columns(self) -> dict[str, Column]:
        """The columns that are read, by name."""
        columns = {}
        for name in self.names:
            field = self.schema.fields[name]
            shape = (1,) if field["type"] == "bytes" else tuple(field.get("shape", ()))
            columns[name] = Column(self.schema.dtypes[name], shape)
        return columns

    def values(self, row: int) -> dict[str, Any]:
        """A row as it was written: numbers, strings and bytes of Python, and arrays."""
        if not -len(self) <= row < len(self):
            raise IndexError(f"Row {row} does not exist: there are {len(self)} rows.")
        row %= len(self)
        shard = int(np.searchsorted(self._first_rows, row, "right")) - 1
        view = self._maps[shard]
        raw_start, raw_end, blob_start, blob_end = self._offsets[row].tolist()
        found: dict[str, Any] = {}
        try:
            if self._raw_names:
                fields = _msgpack.unpack(view[raw_start + LENGTH : raw_end].tobytes())
                found = {name: fields[name] for name in self._raw_names}
            if self._blob_names:
                parts = self.schema.blob_parts(view[blob_start + LENGTH : blob_end])
                for name in self._blob_names:
                    plain = self.schema.fields[name]["type"] == "bytes"
                    found[name] = parts[name].tobytes() if plain else self.schema.array(name, parts[name])
        except (ValueError, LookupError) as error:
            raise RuntimeError(
                f"Invalid file, row {row - int(self._first_rows[shard])} of {self.paths[shard]} can not be read: {error}."
            ) from None
        return found

    def read(self, row: int) -> dict[str, np.ndarray]:
        """A row as arrays; bytes become an array of one element."""
        values = self.values(row)
        arrays = {}
        for name in self.names:
            value = values[name]
            if isinstance(value, bytes):
                # The element type has the exact length: NumPy would take zeros at the end for padding.
                value = np.frombuffer(value, f"S{len(value)}").copy() if value else np.array([b""])
            elif not isinstance(value, np.ndarray):
                value = np.array(value, self.schema.dtypes[name])
            arrays[name] = value
        return arrays

    def read_many(self, rows: Iterable[int]) -> dict[str, np.ndarray | list[np.ndarray]]:
        """Several rows: numbers and strings of equal shape stacked along the first axis, others as a list."""
        samples = [self.values(row) for row in rows]
        many: dict[str, np.ndarray | list[np.ndarray]] = {}
        for name in self.names:
            values = [sample[name] for sample in samples]
            dtype = self.schema.dtypes[name]
            if dtype.kind == "S":
                many[name] = [
                    np.frombuffer(text, f"S{len(text)}").copy() if text else np.array([b""]) for text in values
                ]
            elif name in self._raw_names:
                many[name] = np.array(values, dtype)
            else:
                equal = bool(values) and all(value.shape == values[0].shape for value in values)
                many[name] = np.stack(values) if equal else values
        return many
