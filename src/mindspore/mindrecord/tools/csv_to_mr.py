"""CSV files into MindRecord files."""

from __future__ import annotations

import csv
import os
from collections.abc import Callable
from typing import Any

from mindspore.mindrecord.filewriter import FileWriter, check_filename
from mindspore.mindrecord.tools import _convert

__all__ = ["CsvToMR"]

_BOOLEANS = {"True": 1, "TRUE": 1, "true": 1, "False": 0, "FALSE": 0, "false": 0}


def _reads(values: list[str], function: Callable[[str], Any]) -> bool:
    try:
        for value in values:
            function(value)
    except (ValueError, KeyError):
        return False
    return True


def _column_type(values: list[str]) -> tuple[str, Callable[[str], Any]]:
    """The field type for a column, and the function that reads its values."""
    if _reads(values, _BOOLEANS.__getitem__):
        return "int32", _BOOLEANS.__getitem__
    if _reads(values, int):
        return "int64", int
    if _reads(values, _number):
        return "float64", _number
    return "string", str


def _number(text: str) -> float:
    return float(text) if text else float("nan")  # a missing number among numbers


class CsvToMR:
    """Write a CSV file with a line of names into MindRecord files; the types of the columns are found out.

    Args:
        source: path of the CSV file.
        destination: path of the file to write.
        columns_list: names of the columns to write, all by default.
        partition_number: how many files it is spread over.

    Examples:
        >>> import os, tempfile
        >>> from mindspore.mindrecord import CsvToMR, FileReader
        >>> folder = tempfile.mkdtemp()
        >>> with open(os.path.join(folder, "a.csv"), "w", encoding="utf-8") as file:
        ...     print("name,age", "Ada,36", sep=chr(10), file=file)
        >>> _ = CsvToMR(os.path.join(folder, "a.csv"), os.path.join(folder, "a.mindrecord")).transform()
        >>> list(FileReader(os.path.join(folder, "a.mindrecord")).get_next())
        [{'age': 36, 'name': 'Ada'}]
    """

    def __init__(self, source: str, destination: str, columns_list: list[str] | None = None, partition_number: int = 1):
        for name, value in (("source", source), ("destination", destination)):
            if not isinstance(value, str):
                raise ValueError(f"The parameter {name} must be str, but got {type(value).__name__}.")
        if columns_list and not (
            isinstance(columns_list, list) and all(isinstance(column, str) for column in columns_list)
        ):
            raise ValueError("The parameter columns_list must be list of str.")
        self.source = check_filename(source)
        self.destination = check_filename(destination)
        self.columns_list = columns_list
        self.partition_number = _convert.check_partitions(partition_number)

    def transform(self) -> None:
        """Write the files."""
        names, lines = self._read()
        columns = {name: [line[index] for line in lines] for index, name in enumerate(names)}
        chosen = self.columns_list or names
        for name in chosen:
            if name not in columns:
                raise RuntimeError(
                    f"The parameter columns_list is illegal, column {name} does not exist, only {names} do."
                )
            if name[:1].isdigit():
                raise ValueError(
                    f"The first line content: {name} of the CSV file is used as a column name and does not allow starting "
                    "with a number."
                )
        types = {name: _column_type(columns[name]) for name in chosen}
        writer = FileWriter(self.destination, self.partition_number)
        writer.set_page_size(1 << 26)
        writer.add_schema({name: {"type": kind} for name, (kind, _) in types.items()}, "csv_schema")
        writer.add_index(list(chosen))
        rows = ({name: types[name][1](columns[name][row]) for name in chosen} for row in range(len(lines)))
        _convert.write(writer, rows)

    run = transform

    def _read(self) -> tuple[list[str], list[list[str]]]:
        if not os.path.isfile(self.source):
            raise OSError(f"Csv file {self.source} do not exist.")
        with open(self.source, newline="", encoding="utf-8") as stream:
            lines = [line for line in csv.reader(stream) if line]
        if not lines:
            raise RuntimeError(f"Failed to generate schema from csv file: {self.source} is empty.")
        for number, line in enumerate(lines, 1):
            if len(line) != len(lines[0]):
                raise RuntimeError(
                    f"Row {number} of {self.source} has {len(line)} values, but the first row names {len(lines[0])} columns."
                )
        return lines[0], lines[1:]
