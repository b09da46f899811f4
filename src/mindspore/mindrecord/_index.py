"""The index beside every MindRecord file: an SQLite table that says where each row is, with the values of index fields."""

from __future__ import annotations

import contextlib
import os
import re
import sqlite3
from collections.abc import Iterator
from pathlib import Path
from typing import Any, BinaryIO

import numpy as np

from mindspore.mindrecord import _msgpack
from mindspore.mindrecord._format import BLOB, LENGTH, RAW, Header, Page, read_header

_OFFSET_COLUMNS = (
    "ROW_ID", "PAGE_ID_RAW", "PAGE_OFFSET_RAW", "PAGE_OFFSET_RAW_END",
    "ROW_GROUP_ID", "PAGE_ID_BLOB", "PAGE_OFFSET_BLOB", "PAGE_OFFSET_BLOB_END",
)  # fmt: skip
_SQL_TYPES = {"string": "TEXT", "int32": "INTEGER", "int64": "INTEGER", "float32": "REAL", "float64": "REAL"}


def build(path: str) -> None:
    """Write the index of a file, replacing an old index only when the new index is complete."""
    header = read_header(path)
    temporary = f"{path}.db.new"
    with contextlib.suppress(FileNotFoundError):
        os.remove(temporary)
    with contextlib.closing(sqlite3.connect(temporary)) as database, open(path, "rb") as stream:
        database.execute("PRAGMA synchronous=OFF")
        _create(database, header)
        marks = ",".join("?" * (len(_OFFSET_COLUMNS) + 2 * len(header.index_fields)))
        database.executemany(f"INSERT INTO INDEXES VALUES({marks})", _entries(header, stream))
        database.execute("INSERT INTO SHARD_NAME VALUES(?)", (header.shard_names[header.shard],))
        database.commit()
    os.replace(temporary, f"{path}.db")


def _create(database: sqlite3.Connection, header: Header) -> None:
    columns = ",".join(f" {name:<20} INT  NOT NULL" for name in _OFFSET_COLUMNS)
    fields = ""
    keys = "ROW_ID"
    for number, name in enumerate(header.index_fields):
        if re.fullmatch(r"\w+", name) is None:
            raise RuntimeError(f"Invalid file, its index field {name!r:.80} is no name of letters, digits and '_'.")
        fields += f",INC_{number} INT, {name}_0 {_SQL_TYPES[header.schema.fields[name]['type']]}"
        keys += f",INC_{number}"
    database.execute("CREATE TABLE SHARD_NAME(NAME TEXT NOT NULL)")
    database.execute(f"CREATE TABLE INDEXES({columns}{fields}, PRIMARY KEY({keys}))")


def _entries(header: Header, stream: BinaryIO) -> Iterator[tuple]:
    blob_pages = {page.type_id: page for page in header.pages if page.kind == BLOB}
    for raw_page in (page for page in header.pages if page.kind == RAW):
        for group, offset in raw_page.groups:
            yield from _entries_of_group(header, stream, raw_page, group, offset, blob_pages[group])


def _entries_of_group(
    header: Header, stream: BinaryIO, raw_page: Page, group: int, raw_start: int, blob_page: Page
) -> Iterator[tuple]:
    stream.seek(header.page_start(raw_page.number))
    raw = stream.read(raw_page.size)
    blob_base = header.page_start(blob_page.number)
    blob_start = 0
    for row in range(blob_page.first_row, blob_page.end_row):
        raw_end = raw_start + LENGTH + int.from_bytes(raw[raw_start : raw_start + LENGTH], "little")
        stream.seek(blob_base + blob_start)
        blob_end = blob_start + LENGTH + int.from_bytes(stream.read(LENGTH), "little")
        values: list[Any] = []
        if header.index_fields:
            fields = _msgpack.unpack(raw[raw_start + LENGTH : raw_end])
            for name in header.index_fields:
                values += (0, fields[name])
        yield (row, raw_page.number, raw_start, raw_end, group, blob_page.number, blob_start, blob_end, *values)
        raw_start, blob_start = raw_end, blob_end


def connect(path: str) -> sqlite3.Connection:
    """The index of a MindRecord file, to be read."""
    name = f"{path}.db"
    if not os.path.isfile(name):
        raise RuntimeError(
            f"The input: {name} is not exists. It is the index of {path} and must stay beside it under this name."
        )
    return sqlite3.connect(f"{Path(name).absolute().as_uri()}?mode=ro", uri=True)


def load(path: str, header: Header) -> np.ndarray:
    """Where the rows are, in the order of rows: an array of shape (rows, 4), the start and end of the raw and the blob data."""
    columns = "PAGE_ID_RAW, PAGE_OFFSET_RAW, PAGE_OFFSET_RAW_END, PAGE_ID_BLOB, PAGE_OFFSET_BLOB, PAGE_OFFSET_BLOB_END"
    with reading(path), contextlib.closing(connect(path)) as database:
        found = database.execute(f"SELECT {columns} FROM INDEXES ORDER BY ROW_ID").fetchall()
        rows = np.array(found, np.int64).reshape(-1, 6)
    raw, blob = rows[:, :1] * header.page_size, rows[:, 3:4] * header.page_size
    return np.hstack([raw + rows[:, 1:3], blob + rows[:, 4:6]]) + header.header_size


def values_of(path: str, field: str) -> list[Any]:
    """The values of an indexed field, in the order of rows."""
    column = f"{field}_0".replace('"', '""')  # the name stands in the file
    with reading(path), contextlib.closing(connect(path)) as database:
        found = database.execute(f'SELECT "{column}" FROM INDEXES ORDER BY ROW_ID').fetchall()
    return [value for (value,) in found]


@contextlib.contextmanager
def reading(path: str) -> Iterator[None]:
    """Errors of reading an index name it: SQLite's own, text that is not UTF-8, what is no number."""
    try:
        yield
    except (sqlite3.Error, ValueError, TypeError, OverflowError) as error:
        raise RuntimeError(
            f"Invalid file, the index {path}.db can not be read ({error}). Please use 'FileWriter' to generate it again."
        ) from None
