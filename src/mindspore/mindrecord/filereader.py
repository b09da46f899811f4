"""Read MindRecord files from the first row to the last."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from mindspore.mindrecord._reader import RecordFile
from mindspore.mindrecord.common.exceptions import ParamTypeError, ParamValueError
from mindspore.mindrecord.filewriter import check_filename

__all__ = ["FileReader"]


def check_sources(file_name: str | list[str], num_consumer: int) -> None:
    """Check the arguments that readers share."""
    if isinstance(file_name, list) and not file_name:
        raise ParamValueError("file_name is an empty list: name at least one file.")
    for path in file_name if isinstance(file_name, list) else [file_name]:
        check_filename(path)
    if isinstance(num_consumer, bool) or not isinstance(num_consumer, int):
        raise ParamValueError("Parameter num_consumer is not int.")
    if num_consumer < 1:
        raise ParamValueError(f"Parameter num_consumer: {num_consumer} should be at least 1.")


class FileReader:
    """Read rows as they were written: numbers, strings, bytes and arrays.

    Args:
        file_name: one file, read together with all files written with it, or a list of files.
        num_consumer: accepted for compatibility; rows are read as they are asked for.
        columns: names of the fields to read, all by default.
        operator: accepted for compatibility.

    Examples:
        >>> import os, tempfile
        >>> from mindspore.mindrecord import FileReader, FileWriter
        >>> path = os.path.join(tempfile.mkdtemp(), "a.mindrecord")
        >>> writer = FileWriter(path)
        >>> _ = writer.add_schema({"word": {"type": "string"}, "number": {"type": "int64"}})
        >>> _ = writer.write_raw_data([{"word": "one", "number": 1}])
        >>> _ = writer.commit()
        >>> reader = FileReader(path, columns=["word"])
        >>> list(reader.get_next())
        [{'word': 'one'}]
        >>> reader.close()
    """

    def __init__(
        self, file_name: str | list[str], num_consumer: int = 4, columns: list[str] | None = None, operator: Any = None
    ):
        check_sources(file_name, num_consumer)
        if columns and not isinstance(columns, list):
            raise ParamTypeError("columns", "list")
        self._records: RecordFile | None = RecordFile(file_name, columns or None)

    def _open(self) -> RecordFile:
        if self._records is None:
            raise RuntimeError("The reader is closed. Make a new FileReader to read again.")
        return self._records

    def get_next(self) -> Iterator[dict[str, Any]]:
        """The rows, one dict each; none after ``close``."""
        records = self._records
        for row in range(0 if records is None else len(records)):
            yield records.values(row)

    def schema(self) -> dict[str, dict[Any, Any]]:
        """The fields of the files, as they were given to ``add_schema``."""
        return {name: dict(field) for name, field in self._open().schema.fields.items()}

    def len(self) -> int:
        """The number of rows."""
        return len(self._open())

    def close(self) -> None:
        """Let go of the files."""
        self._records = None
