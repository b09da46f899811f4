"""Write MindRecord files."""

from __future__ import annotations

import contextlib
import enum
import itertools
import os
from typing import Any

from mindspore._utils import log
from mindspore._utils.checks import check_bool
from mindspore.mindrecord import _format, _index, config
from mindspore.mindrecord._format import Header
from mindspore.mindrecord._schema import RecordSchema, check_content
from mindspore.mindrecord._shard import ShardFile
from mindspore.mindrecord.common.exceptions import (
    MRMAddSchemaError,
    MRMDefineIndexError,
    MRMGetMetaError,
    ParamTypeError,
    ParamValueError,
)

__all__ = ["FAILED", "SUCCESS", "FileWriter", "MSRStatus"]


class MSRStatus(enum.IntEnum):
    """What calls that write files return."""

    SUCCESS = 0
    FAILED = 1


SUCCESS, FAILED = MSRStatus.SUCCESS, MSRStatus.FAILED


def check_filename(path: Any, name: str = "File path") -> str:
    """Check the name of a file to write or to read."""
    if not path:
        raise ParamValueError(f"{name} is not allowed None or empty!")
    if not isinstance(path, str):
        raise ParamValueError(f"File path: {path} is not string.")
    if path.endswith("/"):
        raise ParamValueError("File path can not end with '/'")
    last = os.path.basename(path)
    if set(last) & set("\\/:*?\"<>|`&';"):
        raise ParamValueError(f"File name should not contains \\/:*?\"<>|`&;\\', but got {last!r}.")
    if last != last.strip(" "):
        raise ParamValueError(f"File name should not start/end with space, but got {last!r}.")
    return path


def _check_size(what: str, size: Any, limits: tuple[int, int]) -> int:
    if isinstance(size, bool) or not isinstance(size, int):
        raise TypeError(
            f"For 'FileWriter', the '{what.replace(' ', '_')}' must be an int, but got {type(size).__name__}."
        )
    if not limits[0] <= size <= limits[1]:
        raise RuntimeError(f"Invalid data, {what}: {size} should be in range [{limits[0]} bytes, {limits[1]} bytes].")
    if size % 4:
        raise RuntimeError(f"Invalid data, {what} {size} should be divided by four.")
    return size


class FileWriter:
    """Write rows into one MindRecord file, or spread over several.

    Args:
        file_name: path of the file; with several shards their numbers are appended to it.
        shard_num: how many files, from 1 to 1000.
        overwrite: whether files of that name may be replaced.

    >>> import os, tempfile
    >>> from mindspore.mindrecord import FileReader, FileWriter
    >>> path = os.path.join(tempfile.mkdtemp(), "rows.mindrecord")
    >>> writer = FileWriter(path)
    >>> _ = writer.add_schema({"name": {"type": "string"}, "label": {"type": "int32"}, "data": {"type": "bytes"}})
    >>> _ = writer.write_raw_data([{"name": "a.jpg", "label": 3, "data": b"123"}])
    >>> _ = writer.commit()
    >>> list(FileReader(path).get_next())
    [{'label': 3, 'name': 'a.jpg', 'data': b'123'}]
    """

    def __init__(self, file_name: str, shard_num: int = 1, overwrite: bool = False):
        self._file_name = check_filename(file_name)
        if isinstance(shard_num, bool) or not isinstance(shard_num, int):
            raise ParamValueError("Parameter shard_num's type is not int.")
        if not 1 <= shard_num <= _format.MAX_SHARDS:
            raise ParamValueError(
                f"Parameter shard_num's value: {shard_num} should between 1 and {_format.MAX_SHARDS}."
            )
        if not isinstance(overwrite, bool):
            raise ParamValueError("Parameter overwrite's type is not bool.")
        if shard_num > 1 and config.encryption_key() is not None:
            raise RuntimeError("With 'set_enc_key' only single files can be written: 'shard_num' must be 1.")
        digits = len(str(shard_num - 1))
        self._paths = [file_name] if shard_num == 1 else [f"{file_name}{shard:0{digits}}" for shard in range(shard_num)]
        self._overwrite = overwrite
        self._schema: RecordSchema | None = None
        self._index_fields: list[str] | None = None
        self._header_size = _format.DEFAULT_HEADER_SIZE
        self._page_size = _format.DEFAULT_PAGE_SIZE
        self._shards: list[ShardFile] | None = None
        self._parallel: bool | None = None
        self._next_shard = 0
        self._committed = False

    @classmethod
    def open_for_append(cls, file_name: str) -> FileWriter:
        """Open a file, and those written with it, to add rows."""
        check_filename(file_name)
        paths = _format.shard_paths(file_name)
        headers = [_format.read_header(path) for path in paths]
        writer = cls(file_name)
        writer._paths = paths
        writer._schema = headers[0].schema
        writer._index_fields = headers[0].index_fields
        writer._page_size, writer._header_size = headers[0].page_size, headers[0].header_size
        writer._shards = [ShardFile(path, header, append=True) for path, header in zip(paths, headers, strict=True)]
        return writer

    def add_schema(self, content: dict[str, dict[Any, Any]], desc: str | None = None) -> None:
        """Say what a row consists of."""
        check_content(content)
        if self._schema is not None:
            raise MRMAddSchemaError("A file has one schema, and it was already added.")
        self._schema = RecordSchema(content, desc or "")

    def add_index(self, index_fields: list[str]) -> None:
        """Choose the fields that stand in the index; all plain fields by default."""
        if not index_fields or not isinstance(index_fields, list):
            raise ParamTypeError("index_fields", "list")
        if self._schema is None:
            raise MRMGetMetaError("An index is made of fields of the schema: call 'add_schema' first.")
        schema = self._schema
        chosen = list(self._index_fields or [])
        for name in index_fields:
            if not isinstance(name, str):
                raise ParamTypeError("index field", "str")
            if name in schema.blob_fields:
                raise MRMDefineIndexError(f"Failed to set field {name} since it's not primitive type.")
            if name not in schema.fields:
                raise RuntimeError(
                    f"Invalid input, 'index_fields': {name} can not found in schema: {schema.fields}. Please use 'add_index' "
                    "function to add proper 'index_fields'."
                )
            if name in chosen:
                raise RuntimeError(f"The 'index_fields': {name} is added repeatedly. Please name it once.")
            chosen.append(name)
        self._index_fields = chosen

    def set_header_size(self, header_size: int) -> None:
        """Set the bytes set aside for the header, from 16 KB to 128 MB; needed when there are very many pages."""
        self._refuse_late("set_header_size")
        self._header_size = _check_size("header size", header_size, _format.HEADER_SIZES)

    def set_page_size(self, page_size: int) -> None:
        """Set the bytes of a page, from 32 KB to 256 MB; a row must fit a page."""
        self._refuse_late("set_page_size")
        self._page_size = _check_size("page size", page_size, _format.PAGE_SIZES)

    def open_and_set_header(self) -> MSRStatus:
        """Take note that the schema is complete, as programs of MindSpore 1.x do before they write; files are opened by the first rows."""
        self._known_schema()
        return MSRStatus.SUCCESS

    def _refuse_late(self, method: str) -> None:
        if self._shards is not None:
            raise RuntimeError(f"For 'FileWriter', '{method}' must be called before the first 'write_raw_data'.")

    def write_raw_data(self, raw_data: list[dict[str, Any]], parallel_writer: bool = False) -> None:
        """Write rows. Rows that do not fit the schema are left out with a warning.

        With ``parallel_writer`` each call fills the next file, and every file stands for itself.
        """
        check_bool("write_raw_data", "parallel_writer", parallel_writer)
        if not isinstance(raw_data, list):
            raise ParamTypeError("raw_data", "list")
        for row in raw_data:
            if not isinstance(row, dict):
                raise ParamTypeError("raw_data item", "dict")
        if self._committed:
            raise RuntimeError(
                "Not allowed to call `write_raw_data` on flushed MindRecord files. Call `commit` once, after the last "
                "`write_raw_data`; to add rows to existing files, start with `FileWriter.open_for_append`."
            )
        if self._parallel not in (None, parallel_writer):
            raise RuntimeError("The parameter `parallel_writer` must be consistent during use.")
        rows, saved = self._encode(raw_data)
        self._parallel = parallel_writer
        shards = self._open_shards()
        for shard in shards:
            shard.header.saved += saved
        remaining = iter(rows)
        for shard, count in self._distribute(shards, len(rows)):
            for raw, blob in itertools.islice(remaining, count):
                shard.add(raw, blob)

    def _encode(self, raw_data: list[dict[str, Any]]) -> tuple[list[tuple[bytes, bytes]], int]:
        """The rows that fit the schema as bytes, and how many bytes shrinking integers saved."""
        schema = self._known_schema()
        rows, total = [], 0
        for number, row in enumerate(raw_data):
            fault = schema.fault(row)
            if fault:
                log.warning("For 'write_raw_data', row %s is left out: %s.", number, fault)
                continue
            raw = schema.raw_bytes(row)
            blob, saved = schema.blob_bytes(row)
            largest = max(len(raw), len(blob)) + _format.LENGTH
            if largest > self._page_size:
                raise RuntimeError(
                    f"Invalid data, Page size: {self._page_size} is too small to save a blob row of {largest} bytes (row "
                    f"{number}). Please call 'set_page_size(value)' before writing, with a value in "
                    f"[{_format.PAGE_SIZES[0]}, {_format.PAGE_SIZES[1]}]."
                )
            rows.append((raw, blob))
            total += saved
        if not rows:
            raise RuntimeError(
                "There is no valid data which can be written by 'write_raw_data' to mindrecord file. "
                "Please check the abnormal input data indicated in the warning log above."
            )
        return rows, total

    def _known_schema(self) -> RecordSchema:
        if self._schema is None:
            raise RuntimeError(
                "Invalid data, schema is not found in header, please use 'add_schema' to add a schema for new mindrecord files."
            )
        return self._schema

    def _distribute(self, shards: list[ShardFile], count: int) -> list[tuple[ShardFile, int]]:
        """How many of the next rows go to which file: the same number to each, one more to those that have fewest."""
        if self._parallel:
            chosen = shards[self._next_shard]
            self._next_shard = (self._next_shard + 1) % len(shards)
            return [(chosen, count)]
        each, remaining = divmod(count, len(shards))
        fewest = sorted(range(len(shards)), key=lambda number: shards[number].rows)[:remaining]
        return [(shard, each + (number in fewest)) for number, shard in enumerate(shards)]

    def _open_shards(self) -> list[ShardFile]:
        if self._shards is None:
            schema = self._known_schema()
            existing = [name for path in self._paths for name in (path, f"{path}.db") if os.path.exists(name)]
            if existing and not self._overwrite:
                raise RuntimeError(
                    f"Invalid file, mindrecord files already exist. Please check file path: {existing[0]}. If you do not want "
                    "to keep the files, set the 'overwrite' parameter to True and try again."
                )
            folder = os.path.dirname(os.path.abspath(self._file_name))
            if not os.path.isdir(folder):
                raise RuntimeError(
                    f"Invalid dir, the folder of the mindrecord file does not exist. Please check path: {folder}"
                )
            for name in existing:
                with contextlib.suppress(FileNotFoundError):
                    os.remove(name)
            index_fields = schema.raw_fields if self._index_fields is None else self._index_fields
            names = [os.path.basename(path) for path in self._paths]
            self._shards = [
                ShardFile(path, Header(
                    schema, list(index_fields),
                    [names[number]] if self._parallel else names,
                    0 if self._parallel else number,
                    header_size=self._header_size, page_size=self._page_size,
                ))
                for number, path in enumerate(self._paths)
            ]  # fmt: skip
        return self._shards

    def commit(self) -> None:
        """Write the headers and the indexes; the files can be read from then on."""
        if self._committed:
            return
        for shard in self._open_shards():
            shard.finish()
        self._committed = True
        for path in self._paths:
            _index.build(path)
            config.encrypt(path)
            config.encrypt(f"{path}.db")
