"""MindRecord files that real MindSpore writes once, and that tests write and read here: the same rows, the same calls."""

from __future__ import annotations

import pathlib
from typing import Any

import numpy as np

FIELDS = {
    "name": {"type": "string"},
    "label": {"type": "int32"},
    "single": {"type": "float32"},
    "double": {"type": "float64"},
    "long": {"type": "int64"},
    "data": {"type": "bytes"},
    "pairs": {"type": "int64", "shape": [-1, 2]},
    "three": {"type": "float32", "shape": [3]},
    "list": {"type": "int32", "shape": [-1]},
    "square": {"type": "float64", "shape": [2, 2]},
}


def _integers(random: np.random.RandomState, count: int, bits: int) -> np.ndarray:
    """Integers of all sizes, many of them at the edge of a byte length."""
    sizes = np.left_shift(1, random.randint(0, bits, count).astype(np.int64)) + random.randint(-1, 2, count)
    return sizes * random.choice([-1, 1], count)


def rows(count: int = 20) -> list[dict[str, Any]]:
    """Rows with every type of field."""
    random = np.random.RandomState(0)
    made = []
    for number in range(count):
        made.append({
            "name": f"ñ{number}" * number,
            "label": int(_integers(random, 1, 31)[0]),
            "single": float(random.randn()),
            "double": float(random.randn()) if number % 2 else number * 0.5,
            "long": int(_integers(random, 1, 62)[0]),
            "data": random.bytes(5 * number) + b"\0\0",
            "pairs": _integers(random, 2 * number + 2, 62).reshape(-1, 2),
            "three": random.randn(3).astype(np.float32),
            "list": _integers(random, number + 1, 31).astype(np.int32),
            "square": random.randn(2, 2),
        })  # fmt: skip
    return made


def large_rows(count: int = 30) -> list[dict[str, Any]]:
    """Rows that fill several pages."""
    return [{"label": number, "data": bytes([number]) * 7000, "name": "x" * 1500} for number in range(count)]


def _fields(*names: str) -> dict[str, Any]:
    return {name: FIELDS[name] for name in names}


# name: fields, rows, and how they are written
CASES: dict[str, dict[str, Any]] = {
    "full": {"fields": FIELDS, "rows": rows(), "index": ["label", "name"]},
    "default_index": {"fields": FIELDS, "rows": rows(5)},
    "one_blob": {"fields": _fields("list"), "rows": rows()},
    "one_bytes": {"fields": _fields("data", "label"), "rows": rows()},
    "no_blob": {"fields": _fields("name", "double"), "rows": rows()},
    "only_blobs": {"fields": _fields("data", "three"), "rows": rows()},
    "row_by_row": {"fields": FIELDS, "rows": rows(), "at_once": 1},
    "shards": {"fields": FIELDS, "rows": rows(18), "shards": 3},
    "appended": {"fields": FIELDS, "rows": rows(), "appended": 13},
    "pages": {"fields": _fields("label", "data", "name"), "rows": large_rows()},
}
# Real MindSpore numbers pages call by call, here pages are numbered as they fill: both can be read by both.
SAME_BYTES = [name for name in CASES if name != "pages"]


def write(writer_class: Any, folder: str, name: str) -> list[str]:
    """Write a case, and return the paths of its files."""
    case = CASES[name]
    given = [{field: row[field] for field in case["fields"]} for row in case["rows"]]
    first = len(given) - case.get("appended", 0)
    shards = case.get("shards", 1)
    path = pathlib.Path(folder) / f"{name}.mindrecord"
    writer = writer_class(str(path), shards)
    writer.set_header_size(1 << 14)
    writer.set_page_size(1 << 15)
    writer.add_schema(case["fields"], "every type of field")
    if "index" in case:
        writer.add_index(case["index"])
    step = case.get("at_once", first)
    for start in range(0, first, step):
        writer.write_raw_data(given[start : min(start + step, first)])
    writer.commit()
    if first < len(given):
        writer = writer_class.open_for_append(str(path))
        writer.write_raw_data(given[first:])
        writer.commit()
    return [str(path)] if shards == 1 else [f"{path}{number}" for number in range(shards)]
