"""``DatasetCache``: rows kept in memory, so that later epochs do not read and decode again."""

from __future__ import annotations

import threading
from collections.abc import Callable
from typing import Any

import numpy as np

from mindspore.dataset._pipeline import arguments as check
from mindspore.dataset._pipeline.rows import Columns, select, value_at

__all__ = ["DatasetCache"]

_MEGABYTE = 2**20


class DatasetCache:
    """Keeps the rows of the sources it is given to, in the memory of the process.

    Real MindSpore keeps them in a server of its own; here no server has to be started.

    Args:
        session_id: a number the program chooses; kept.
        size: the most memory to use, in megabytes; 0 for no limit.
        spilling: kept for old programs: rows that do not fit are read again.

    Examples:
        >>> import mindspore.dataset as ds
        >>> cache = ds.DatasetCache(session_id=1, size=100)
        >>> cache.get_stat().num_mem_cached
        0
    """

    def __init__(
        self,
        session_id: int,
        size: int = 0,
        spilling: bool = False,
        hostname: str | None = None,
        port: int | None = None,
        num_connections: int | None = None,
        prefetch_size: int | None = None,
    ):
        self.session_id = check.number("DatasetCache", "session_id", session_id)
        self.size = check.number("DatasetCache", "size", size)
        self.spilling = check.flag("spilling", spilling)
        self.hostname = hostname
        self.port = port
        self.num_connections = num_connections
        self.prefetch_size = prefetch_size
        self._start_empty()

    def _start_empty(self) -> None:
        self._rows: dict[tuple[int, int], dict[str, Any]] = {}
        self._bytes = 0
        self._lock = threading.Lock()

    def __getstate__(self) -> dict[str, Any]:
        return {name: value for name, value in self.__dict__.items() if not name.startswith("_")}

    def __setstate__(self, state: dict[str, Any]) -> None:
        self.__dict__.update(state)
        self._start_empty()

    def rows(self, owner: int, ids: np.ndarray, read: Callable[[np.ndarray], Columns]) -> Columns:
        """Rows of a source: from memory, or read and kept."""
        numbers = ids.tolist()
        missing = np.array([row for row in dict.fromkeys(numbers) if (owner, row) not in self._rows], np.int64)
        if missing.size:
            columns = read(missing)
            fresh = {
                row: {name: value_at(column, position) for name, column in columns.items()}
                for position, row in enumerate(missing.tolist())
            }
            self._keep(owner, fresh)
        else:
            fresh = {}
        found = [fresh.get(number) or self._rows[owner, number] for number in numbers]
        return {name: _together([row[name] for row in found]) for name in found[0]}

    def _keep(self, owner: int, fresh: dict[int, dict[str, Any]]) -> None:
        for identity, row in fresh.items():
            size = sum(value.nbytes for value in row.values())
            with self._lock:
                if self.size and self._bytes + size > self.size * _MEGABYTE:
                    return
                self._bytes += size
                self._rows[owner, identity] = {name: np.array(value) for name, value in row.items()}

    def get_stat(self) -> CacheStatistics:
        """How many rows are kept, and how large they are."""
        count = len(self._rows)
        return CacheStatistics(count, self._bytes // count if count else 0)


class CacheStatistics:
    """What a cache holds."""

    num_disk_cached = 0

    def __init__(self, num_mem_cached: int, avg_cache_sz: int):
        self.num_mem_cached = num_mem_cached
        self.avg_cache_sz = avg_cache_sz


def _together(values: list[Any]) -> Any:
    """Values of equal shape and type stacked into an array, others as a list."""
    first = values[0]
    equal = first.dtype.kind != "U" and all(
        value.shape == first.shape and value.dtype == first.dtype for value in values
    )
    return np.stack(values) if equal else select(values, np.arange(len(values)))
