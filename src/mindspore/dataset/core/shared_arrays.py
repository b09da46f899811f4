"""Arrays that worker processes pass on in shared memory, with a fallback if there is too little of it."""

from __future__ import annotations

import contextlib
import errno
import glob
import itertools
import os
import re
from collections.abc import Callable
from multiprocessing import resource_tracker, shared_memory
from typing import Any

import numpy as np

PREFIX = "mycelium-"
LEAST = 1 << 16  # bytes worth the way through shared memory
_FOLDER = "/dev/shm"  # where Linux shows it


class Shared:
    """An array in shared memory: its name, shape and dtype."""

    def __init__(self, name: str, shape: tuple[int, ...], dtype: np.dtype):
        self.name = name
        self.shape = shape
        self.dtype = dtype

    def take(self) -> np.ndarray:
        """The array, copied out of the shared memory, which is freed."""
        block = shared_memory.SharedMemory(self.name)
        try:
            return np.ndarray(self.shape, self.dtype, block.buf).copy()
        finally:
            block.close()
            block.unlink()


class Sender:
    """The worker's side: names what it makes, and takes it away if nobody comes for it."""

    def __init__(self) -> None:
        self._numbers = itertools.count()
        self._start = f"{PREFIX}{os.getpid()}-{_namespace()}-"
        self._latest: list[str] = []
        self.problem = ""  # why arrays went through the connection instead

    def columns(self, columns: dict[str, Any]) -> dict[str, Any]:
        """Columns for the way back: large arrays go to shared memory, as long as there is some."""
        self._latest, self.problem = [], ""
        return {name: self._column(column) for name, column in columns.items()}

    def _column(self, column: Any) -> Any:
        if isinstance(column, list):
            return [self._column(value) for value in column]
        if not isinstance(column, np.ndarray) or column.nbytes < LEAST or column.dtype.hasobject or self.problem:
            return column
        name = f"{self._start}{next(self._numbers)}"
        try:
            self._latest.append(name)
            _fill(name, column)
        except OSError as error:
            _remove(name)
            self.problem = f"{column.nbytes} bytes: {error.strerror or error}"
            return column
        return Shared(name, column.shape, column.dtype)

    def withdraw(self) -> None:
        """Free what was sent last: whoever should have taken it has ended."""
        for name in self._latest:
            _remove(name)


def _fill(name: str, array: np.ndarray) -> None:
    block = shared_memory.SharedMemory(name, create=True, size=array.nbytes)
    try:
        resource_tracker.unregister(block._name, "shared_memory")  # type: ignore[attr-defined]  # the receiver frees it
        _reserve(block._fd, array.nbytes)  # type: ignore[attr-defined]
        np.ndarray(array.shape, array.dtype, block.buf)[...] = array
    finally:
        block.close()


def _reserve(descriptor: int, size: int) -> None:
    """Allocate the pages now: writing to a page that cannot be allocated kills the process with SIGBUS."""
    reserve: Callable[[int, int, int], None] | None = getattr(os, "posix_fallocate", None)
    if reserve is None:
        return
    try:
        reserve(descriptor, 0, size)
    except OSError as error:
        if error.errno not in (errno.EOPNOTSUPP, errno.EINVAL, errno.ENOSYS):
            raise


def _namespace() -> int:
    """The PID namespace: containers may share memory, but not process ids."""
    try:
        return os.stat("/proc/self/ns/pid").st_ino
    except OSError:
        return 0


def _remove(name: str) -> None:
    with contextlib.suppress(OSError):
        os.unlink(os.path.join(_FOLDER, name))


# -- what processes left behind ---------------------------------------------------------------------------------------
def free_of(process: int) -> None:
    """Free what a worker left."""
    for path in glob.glob(f"{_FOLDER}/{PREFIX}{process}-*"):
        _remove(os.path.basename(path))


def free_abandoned() -> list[str]:
    """Free what workers of this user left that were ended before they could, such as by SIGKILL; tells the names."""
    pattern = re.compile(rf"{PREFIX}(\d+)-{_namespace()}-\d+")
    freed = []
    for path in glob.glob(f"{_FOLDER}/{PREFIX}*-*"):
        found = pattern.fullmatch(os.path.basename(path))
        if found is not None and not _runs(int(found[1])) and _is_own(path):
            _remove(found[0])
            freed.append(found[0])
    return freed


def _runs(process: int) -> bool:
    try:
        with open(f"/proc/{process}/stat", "rb") as stream:
            return stream.read().rpartition(b")")[2].split()[0] not in (b"Z", b"X")  # ended, but not collected yet
    except (FileNotFoundError, ProcessLookupError):
        return False
    except (OSError, IndexError):
        return True


def _is_own(path: str) -> bool:
    try:
        return os.lstat(path).st_uid == os.getuid()
    except OSError:
        return False
