"""The folder ``data`` that examples in the documentation of datasets read: a few rows of every kind of file."""

from __future__ import annotations

from pathlib import Path

from tools.oracle import source_cases, source_files


def make(folder: Path) -> None:
    """Fill ``folder/data``: a fifth of a second."""
    source_cases.make_files(folder / "data")
    source_files.cifar100(folder / "data" / "cifar100")
