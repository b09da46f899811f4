"""How a notebook shows a dataset: its columns and size as far as they are known without reading, and the steps."""

from __future__ import annotations

import os
import reprlib
from typing import Any

from mindspore._utils.notebook import escape, faint
from mindspore.dataset._pipeline.errors import function_name

# Attributes of nodes that are not shown.
_LEFT_OUT = {"children", "finish", "gate", "in_any_order", "data", "rows", "arguments", "names"}


def dataset_html(dataset: Any) -> str:
    """A pipeline in words. No row is read and no function of the program called, except the length of its source."""
    columns, size = known_columns(dataset), known_size(dataset)
    facts = [
        "columns: " + (", ".join(columns) if columns else "known when rows are read"),
        f"size: {size:,}" if size is not None else "size: not known without reading; get_dataset_size() counts",
    ]
    batch = _batch_size(dataset)
    if batch is not None:
        facts.append(f"batch size: {batch}")
    listed = "<br>".join(map(escape, facts))
    return f"<div><b>{escape(type(dataset).__name__)}</b><br>{listed}{_steps(dataset)}</div>"


def known_size(dataset: Any) -> int | None:
    """The rows of an epoch, where no file has to be read for it."""
    if dataset.dataset_size is not None:
        return dataset.dataset_size
    if dataset.children:
        known = all(known_size(child) is not None for child in dataset.children)
    else:  # in memory, or its table was read before
        known = hasattr(dataset, "data") or hasattr(dataset, "source") or "_table" in vars(dataset)
    try:
        return dataset._count() if known else None
    except Exception:  # of the program's own source: shown when it is read
        return None


def known_columns(dataset: Any) -> list[str] | None:
    """The names of the columns, where they follow from how the pipeline was made."""
    given = vars(dataset)
    if "_peeked" in given:
        return list(given["_peeked"])
    if not dataset.children:
        return list(given.get("column_names") or given.get("data") or given.get("_table") or ()) or None
    below = [known_columns(child) for child in dataset.children]
    kind = type(dataset).__name__
    if kind == "ProjectDataset":
        return list(dataset.columns)
    if None in below:
        return None
    columns = below[0] if kind != "ZipDataset" else [name for names in below for name in names or ()]
    if kind == "RenameDataset":
        return [dataset.columns.get(name, name) for name in columns or ()]
    columns = columns or []
    if "finish" in given:  # a function of whole batches takes all columns by default
        return _replaced(columns, dataset.finish.input_columns or columns, dataset.finish.output_columns)
    return _replaced(columns, given.get("input_columns") or columns[:1], given.get("output_columns"))


def _replaced(columns: list[str], taken: list[str], outputs: list[str] | None) -> list[str]:
    """The columns after an operation whose outputs are not its inputs' columns."""
    if not outputs:
        return columns
    if len(taken) == len(outputs):
        renamed = dict(zip(taken, outputs, strict=True))
        return [renamed.get(name, name) for name in columns]
    return [*outputs, *(name for name in columns if name not in taken)]


def _batch_size(dataset: Any) -> int | str | None:
    while dataset is not None:
        size = vars(dataset).get("batch_size")
        if size is not None:
            return function_name(size) if callable(size) else "all rows" if size == -1 else size
        dataset = dataset.children[0] if dataset.children else None
    return None


def _steps(dataset: Any) -> str:
    """The nodes from the source on, as a numbered list; several sources as a list each."""
    chain = []
    while True:
        chain.append(dataset)
        if len(dataset.children) != 1:
            break
        dataset = dataset.children[0]
    branches = "".join(_steps(child) for child in dataset.children)
    items = [f"<li>{_step(node)}{branches if node is dataset else ''}</li>" for node in reversed(chain)]
    return f'<ol style="margin:0.2em 0">{"".join(items)}</ol>'


def _step(node: Any) -> str:
    shown = {
        name: value
        for name, value in vars(node).items()
        if not name.startswith("_") and name not in _LEFT_OUT and not _is_nothing(value)
    }
    words = ", ".join(f"{name}={_word(value)}" for name, value in shown.items())
    kind = type(node).__name__.removesuffix("Dataset").lstrip("_")
    return f"{escape(kind)} {faint(words)}" if words else escape(kind)


def _is_nothing(value: Any) -> bool:
    return value is None or value is False or (isinstance(value, (list, tuple, dict)) and not value)


def _word(value: Any) -> str:
    """A setting in a few letters: functions and objects by their names.

    >>> _word([len, 3]), _word("/data/images")
    ('[len, 3]', '/data/images')
    """
    if isinstance(value, (list, tuple)):
        return "[" + ", ".join(map(_word, value[:6])) + (", ..." if len(value) > 6 else "") + "]"
    if isinstance(value, (str, os.PathLike)):
        text = os.fspath(value)
        return text if len(text) <= 60 else "..." + text[-57:]
    if isinstance(value, (int, float, dict)):
        return reprlib.repr(value)
    return function_name(value)
