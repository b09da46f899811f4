"""Read MindRecord files by groups of equal values of an index field."""

from __future__ import annotations

import json
from typing import Any

from mindspore.mindrecord import _format, _index
from mindspore.mindrecord._reader import RecordFile
from mindspore.mindrecord.common.exceptions import (
    MRMDefineCategoryError,
    MRMFetchDataError,
    MRMReadCategoryInfoError,
    ParamTypeError,
    ParamValueError,
)
from mindspore.mindrecord.filereader import check_sources

__all__ = ["MindPage"]


class MindPage:
    """Rows grouped by the value of a field, a page of rows at a time.

    Args:
        file_name: one file, read together with all files written with it, or a list of files.
        num_consumer: accepted for compatibility.

    Examples:
        >>> import os, tempfile
        >>> from mindspore.mindrecord import FileWriter, MindPage
        >>> path = os.path.join(tempfile.mkdtemp(), "a.mindrecord")
        >>> writer = FileWriter(path)
        >>> _ = writer.add_schema({"label": {"type": "int64"}, "word": {"type": "string"}})
        >>> _ = writer.add_index(["label"])
        >>> _ = writer.write_raw_data([{"label": 0, "word": "a"}, {"label": 1, "word": "b"}])
        >>> _ = writer.commit()
        >>> page = MindPage(path)
        >>> page.candidate_fields
        ['label']
    """

    def __init__(self, file_name: str | list[str], num_consumer: int = 4):
        check_sources(file_name, num_consumer)
        self._records = RecordFile(file_name)
        self._candidates = _format.read_header(self._records.paths[0]).index_fields
        self._field: str | None = None
        self._groups: dict[Any, list[int]] = {}

    @property
    def candidate_fields(self) -> list[str]:
        """The fields that rows can be grouped by."""
        return list(self._candidates)

    @property
    def category_field(self) -> str | None:
        """The field that rows are grouped by; to be set before anything is read."""
        return self._field

    @category_field.setter
    def category_field(self, category_field: str) -> None:
        if not category_field or not isinstance(category_field, str):
            raise ParamTypeError("category_fields", "str")
        if category_field not in self._candidates:
            raise MRMDefineCategoryError(
                f"Field '{category_field}' is not a candidate category field, these are: {self._candidates}."
            )
        groups: dict[Any, list[int]] = {}
        first_row = 0
        for path in self._records.paths:
            found = _index.values_of(path, category_field)
            for row, value in enumerate(found, first_row):
                groups.setdefault(value, []).append(row)
            first_row += len(found)
        self._field, self._groups = category_field, dict(sorted(groups.items()))

    def get_category_fields(self) -> list[str]:
        """``candidate_fields``, as 1.x also calls it."""
        return self.candidate_fields

    def set_category_field(self, category_field: str) -> bool:
        """Set ``category_field``, as 1.x also writes it; True."""
        self.category_field = category_field
        return True

    def read_category_info(self) -> str:
        """The groups as JSON: their numbers, values and sizes."""
        if self._field is None:
            raise MRMReadCategoryInfoError("Set 'category_field' first.")
        groups = [
            {"count": len(rows), "id": number, "name": str(value)}
            for number, (value, rows) in enumerate(self._groups.items())
        ]
        content = {"categories": groups, "key": f"{self._field}_0"}
        return json.dumps(content, separators=(",", ":"), ensure_ascii=False)

    def read_at_page_by_id(self, category_id: int, page: int, num_row: int) -> list[dict[str, Any]]:
        """Page number ``page`` of ``num_row`` rows each, of the group with this number."""
        if not isinstance(category_id, int) or category_id < 0:
            raise ParamValueError("Category id should be int and greater than or equal to 0.")
        if self._field is None or category_id >= len(self._groups):
            raise MRMFetchDataError(
                f"Category id {category_id} must be less than the number of groups, {len(self._groups)}."
            )
        return self._page(list(self._groups.values())[category_id], page, num_row)

    def read_at_page_by_name(self, category_name: str, page: int, num_row: int) -> list[dict[str, Any]]:
        """Page number ``page`` of ``num_row`` rows each, of the group with this value."""
        if not isinstance(category_name, str):
            raise ParamValueError("Category name should be str.")
        by_name = {str(value): rows for value, rows in self._groups.items()}
        if category_name not in by_name:
            raise MRMFetchDataError(f"There is no group '{category_name}'. See 'read_category_info'.")
        return self._page(by_name[category_name], page, num_row)

    def _page(self, rows: list[int], page: int, num_row: int) -> list[dict[str, Any]]:
        if not isinstance(page, int) or page < 0:
            raise ParamValueError("Page should be int and greater than or equal to 0.")
        if not isinstance(num_row, int) or num_row <= 0:
            raise ParamValueError("num_row should be int and greater than 0.")
        if page * num_row >= len(rows):
            raise MRMFetchDataError(
                f"Invalid data, page no: {page} or page size: {num_row} is invalid: the group has {len(rows)} rows."
            )
        return [self._records.values(row) for row in rows[page * num_row : (page + 1) * num_row]]
