"""Size of the on-disk compilation cache, and how to clear it."""

from __future__ import annotations

import contextlib
import os
from typing import NamedTuple

_ENTRY = "-cache"
_BESIDE = ("-atime", "whole-entries", ".index-draft")  # suffixes of auxiliary files of entries


class CacheSize(NamedTuple):
    """Number of entries and their total bytes."""

    entries: int
    bytes: int


def size(folder: str) -> CacheSize:
    """The entries below a folder; zero if it does not exist."""
    sizes = [status.st_size for path, status in _files(folder) if path.endswith(_ENTRY)]
    return CacheSize(len(sizes), sum(sizes))


def clear(folder: str) -> CacheSize:
    """Delete all compiled programs below a folder, and nothing else; return what was deleted."""
    before = size(folder)
    for path, _ in _files(folder):
        if path.endswith((_ENTRY, *_BESIDE)):
            with contextlib.suppress(FileNotFoundError):  # deleted concurrently by another process
                os.unlink(path)
    return before


def _files(folder: str) -> list[tuple[str, os.stat_result]]:
    """The files one level down: there is a subfolder per platform and Python version."""
    found = []
    if not os.path.isdir(folder):
        return found
    for part in os.scandir(folder):
        if part.is_dir(follow_symlinks=False):
            for entry in os.scandir(part.path):
                with contextlib.suppress(FileNotFoundError):
                    if entry.is_file(follow_symlinks=False):
                        found.append((entry.path, entry.stat()))
    return found
