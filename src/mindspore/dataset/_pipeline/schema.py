"""``Schema``: names, types and shapes of the columns of a dataset."""

from __future__ import annotations

import json
import numbers
import os
from typing import Any

import numpy as np

from mindspore._utils.checks import shown
from mindspore.dataset._pipeline import arguments as check
from mindspore.dataset._pipeline.errors import pipeline_error

__all__ = ["Schema"]

_TYPES = {
    "bool", "int8", "int16", "int32", "int64", "uint8", "uint16", "uint32", "uint64", "float16", "float32", "float64", "string",
    "bytes",
}  # fmt: skip


class Schema:
    """The columns of a dataset: their names, types and shapes.

    Args:
        schema_file: a JSON file to read; None for a schema without columns.

    Examples:
        >>> import mindspore.dataset as ds
        >>> schema = ds.Schema()
        >>> schema.add_column("image", "uint8", [2, 2])
        >>> schema.columns_named()
        ['image']
    """

    def __init__(self, schema_file: str | None = None):
        self.columns: list[dict[str, Any]] = []
        self.dataset_type = ""
        self.num_rows = 0
        if schema_file is not None:
            if not isinstance(schema_file, (str, os.PathLike)):
                got = f"{schema_file!r} of type {type(schema_file).__name__}"
                raise TypeError(f"For 'Schema', the 'schema_file' must be the path of a JSON file, but got {got}.")
            self._load(os.fspath(schema_file))

    def _load(self, path: str) -> None:
        if not os.path.isfile(path):
            raise ValueError(f"The file {path} does not exist or permission denied!")
        with open(path, encoding="utf-8") as stream:
            try:
                content = json.load(stream)
            except (ValueError, RecursionError) as error:
                raise pipeline_error(f"Invalid schema file, {path} is not JSON: {error}.") from error
        try:
            self.from_json(content)
        except (RuntimeError, ValueError, TypeError, LookupError, AttributeError, OverflowError) as error:
            reason = str(error).split("\n", 1)[0]
            raise type(error if isinstance(error, (ValueError, TypeError)) else RuntimeError())(
                f"Invalid schema file, {path}: {reason}"
            ) from error

    def add_column(self, name: str, de_type: Any, shape: list[int] | None = None) -> None:
        """Add a column.

        Args:
            name: its name.
            de_type: its type: a name, or a MindSpore dtype.
            shape: its shape, with -1 for an unknown length; None for one axis of unknown length.
        """
        check.text("name", name)
        column: dict[str, Any] = {"name": name, "type": _type_name(de_type)}
        if shape is None:
            column["rank"] = 1
        else:
            if not isinstance(shape, (list, tuple)):
                raise TypeError(
                    f"Argument shape with value {shape!r} is not of type [<class 'list'>], but got {type(shape)}."
                )
            if not all(isinstance(length, numbers.Integral) and abs(length) < 2**31 for length in shape):
                raise TypeError(f"Argument shape must be a list of whole numbers, but got {shown(shape)}.")
            column |= {"rank": len(shape), "shape": [int(length) for length in shape]}
        self.columns.append(column)

    def parse_columns(self, columns: list[dict[str, Any]] | dict[str, dict[str, Any]]) -> None:
        """Add columns: a list of dicts with the keys name, type and shape, or a dict of such dicts.

        A column without shape is a single number.
        """
        if isinstance(columns, dict):
            listed = [{"name": name, **_column_described(columns[name])} for name in sorted(columns)]
        elif isinstance(columns, list):
            listed = columns
        else:
            raise pipeline_error("columns must be dict or list, columns contain name, type, shape(optional).")
        for column in map(_column_described, listed):
            for key in ("name", "type"):
                if key not in column:
                    raise pipeline_error(
                        f"Column's {key} is missing: a column needs 'name' and 'type', but got {column}."
                    )
            self.add_column(column["name"], column["type"], column.get("shape", []))

    def from_json(self, json_obj: dict[str, Any]) -> None:
        """Take everything from a dict as :meth:`to_json` writes it."""
        if not isinstance(json_obj, dict):
            raise ValueError(f"The schema must be an object of JSON, but got {json_obj!r:.80}.")
        for key in json_obj:
            if key not in ("datasetType", "numRows", "columns"):
                raise pipeline_error(f"Unknown field {key}: a schema has 'datasetType', 'numRows' and 'columns'.")
        if "columns" not in json_obj:
            raise pipeline_error('"columns" node is required in the schema JSON.')
        rows = json_obj.get("numRows", 0)
        if not isinstance(rows, int) or rows < 0:
            raise pipeline_error(f"numRows must be greater than or equal to 0, but got {rows!r}.")
        self.dataset_type, self.num_rows, self.columns = json_obj.get("datasetType", ""), rows, []
        self.parse_columns(json_obj["columns"])

    @staticmethod
    def get_num_rows(schema: Schema) -> int:
        """The number of rows that a schema tells, 0 if it tells none."""
        return schema.num_rows

    def to_json(self) -> str:
        """The schema as JSON."""
        content: dict[str, Any] = {"columns": [{key: column[key] for key in sorted(column)} for column in self.columns]}
        if self.dataset_type:
            content["datasetType"] = self.dataset_type
        if self.num_rows:
            content["numRows"] = self.num_rows
        return json.dumps(content, indent=2)

    def __str__(self) -> str:
        return self.to_json()

    def columns_named(self) -> list[str]:
        """The names of the columns, in order."""
        return [column["name"] for column in self.columns]

    def dtype(self, name: str) -> np.dtype | None:
        """The NumPy type of a column; None for text."""
        kind = next(column["type"] for column in self.columns if column["name"] == name)
        return None if kind in ("string", "bytes") else np.dtype(kind)

    def shape(self, name: str) -> tuple[int, ...] | None:
        """The shape of a column, None where only the number of its axes is known."""
        column = next(column for column in self.columns if column["name"] == name)
        return tuple(column["shape"]) if "shape" in column else None


def _column_described(column: Any) -> dict[str, Any]:
    if not isinstance(column, dict):
        raise pipeline_error(f"A column must be a dict with 'name' and 'type', but got {shown(column)}.")
    return column


def _type_name(de_type: Any) -> str:
    name = de_type if isinstance(de_type, str) else str(de_type).lower()  # of a MindSpore dtype: Int64, Float32, Bool
    if name not in _TYPES:
        raise TypeError(
            f"Unknown column type: {shown(de_type)}. It must be a MindSpore dtype or one of {sorted(_TYPES)}."
        )
    return name
