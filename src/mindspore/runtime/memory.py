"""The memory of the device that programs run on. What is counted, and how, says :mod:`mindspore.hal.memory`."""

from __future__ import annotations

import contextlib
import ctypes
import os
import re
from collections.abc import Iterator
from typing import Any

from mindspore._engine.runtime.context import set_context
from mindspore._utils import log
from mindspore._utils.checks import check_one_of, check_str, check_type
from mindspore.hal import memory as _memory
from mindspore.hal.memory import empty_cache

__all__ = [
    "MemPool",
    "PluggableAllocator",
    "empty_cache",
    "max_memory_allocated",
    "max_memory_reserved",
    "memory_allocated",
    "memory_replay",
    "memory_reserved",
    "memory_stats",
    "memory_summary",
    "reset_max_memory_allocated",
    "reset_max_memory_reserved",
    "reset_peak_memory_stats",
    "set_memory",
    "use_mem_pool",
]


def memory_allocated() -> int:
    """The bytes that arrays take now.

    Examples:
        >>> import mindspore as ms
        >>> before = ms.runtime.memory_allocated()
        >>> x = ms.Tensor([1.0, 2.0, 3.0])
        >>> ms.runtime.memory_allocated() - before
        12
    """
    return _memory.memory_allocated()


def max_memory_allocated() -> int:
    """The most bytes that arrays took so far.

    Examples:
        >>> from mindspore import runtime
        >>> print(runtime.max_memory_allocated() >= 0)
        True
    """
    return _memory.max_memory_allocated()


def memory_reserved() -> int:
    """The bytes XLA has taken from the device, used or not.

    Examples:
        >>> from mindspore import runtime
        >>> print(runtime.memory_reserved() >= 0)
        True
    """
    return _memory.memory_reserved()


def max_memory_reserved() -> int:
    """The most bytes XLA has taken from the device so far.

    Examples:
        >>> from mindspore import runtime
        >>> print(runtime.max_memory_reserved() >= 0)
        True
    """
    return _memory.max_memory_reserved()


def memory_stats() -> dict[str, int]:
    """All counters.

    Examples:
        >>> from mindspore import runtime
        >>> print(type(runtime.memory_stats()).__name__)
        dict
    """
    return _memory.memory_stats()


def memory_summary() -> str:
    """The counters as a table.

    Examples:
        >>> from mindspore import runtime
        >>> print(type(runtime.memory_summary()).__name__)
        str
    """
    return _memory.memory_summary()


def reset_peak_memory_stats() -> None:
    """Forget the highest amounts so far, where they are counted here.

    Examples:
        >>> from mindspore import runtime
        >>> runtime.reset_peak_memory_stats()
    """
    _memory.reset_peak_memory_stats()


def reset_max_memory_allocated() -> None:
    """See :func:`reset_peak_memory_stats`.

    Examples:
        >>> from mindspore import runtime
        >>> runtime.reset_max_memory_allocated()
    """
    _memory.reset_peak_memory_stats()


def reset_max_memory_reserved() -> None:
    """See :func:`reset_peak_memory_stats`.

    Examples:
        >>> from mindspore import runtime
        >>> runtime.reset_max_memory_reserved()
    """
    _memory.reset_peak_memory_stats()


_SIZE = re.compile(r"[1-9][0-9]*\.?[0-9]*GB|0\.[0-9]*GB", re.ASCII)


def set_memory(init_size: str = "2GB", increase_size: str = "2GB", max_size: str = "1024GB", optimize_level: str = "O0",
               huge_page_reserve_size: str = "0GB") -> None:  # fmt: skip
    """Sizes of the memory pool. They are checked and kept in the context; XLA manages the memory.

    Args:
        init_size, increase_size, max_size: sizes such as '2GB' or '0.5GB'.
        optimize_level: 'O0' or 'O1'.
        huge_page_reserve_size: a size, or '0GB'.

    Examples:
        >>> import mindspore as ms
        >>> ms.runtime.set_memory("2GB", "2GB", "10GB")
        >>> ms.runtime.set_memory("2")
        Traceback (most recent call last):
        ...
        ValueError: For 'set_memory', the 'init_size' must look like '2GB' or '0.5GB', but got '2'.
    """
    owner = "set_memory"
    sizes = {"init_size": init_size, "increase_size": increase_size, "max_size": max_size}
    for name, value in {**sizes, "huge_page_reserve_size": huge_page_reserve_size}.items():
        check_str(owner, name, value)
        if not _SIZE.fullmatch(value) and not (name not in sizes and value == "0GB"):
            raise ValueError(f"For '{owner}', the '{name}' must look like '2GB' or '0.5GB', but got {value!r}.")
    check_one_of(owner, "optimize_level", optimize_level, ("O0", "O1"))
    set_context(max_device_memory=max_size, memory_optimize_level=optimize_level)


class PluggableAllocator:
    """Two functions of a shared library that give and take back memory.

    The library is loaded and the functions are found; XLA keeps its own allocator, which cannot be exchanged while a
    program runs, so :func:`use_mem_pool` says that they are not called.

    Args:
        path_to_so_file: the library.
        alloc_fn_name, free_fn_name: the names of the functions.

    Examples:
        >>> from mindspore import runtime
        >>> try:
        ...     runtime.PluggableAllocator("libmine.so", "take", "give")
        ... except (RuntimeError, ValueError) as error:
        ...     print(type(error).__name__)
        ValueError
    """

    def __init__(self, path_to_so_file: str, alloc_fn_name: str, free_fn_name: str):
        owner = "PluggableAllocator"
        path = check_str(owner, "path_to_so_file", path_to_so_file, allow_empty=False)
        if not os.path.exists(path):
            raise ValueError(f"For '{owner}', the 'path_to_so_file' must be a file that exists, but got {path!r}.")
        library = ctypes.CDLL(path)
        self._allocate = self._address(library, "alloc_fn_name", alloc_fn_name)
        self._free = self._address(library, "free_fn_name", free_fn_name)

    @property
    def alloc_fn_ptr(self) -> int:
        """The address of the function that gives memory."""
        return self._allocate

    @property
    def free_fn_ptr(self) -> int:
        """The address of the function that takes memory back."""
        return self._free

    @staticmethod
    def _address(library: Any, name: str, function: str) -> int:
        check_str("PluggableAllocator", name, function, allow_empty=False)
        if not hasattr(library, function):
            raise ValueError(f"For 'PluggableAllocator', the library has no function {function!r}, given as '{name}'.")
        return int(ctypes.cast(getattr(library, function), ctypes.c_void_p).value or 0)


class MemPool:
    """Memory that an allocator gives.

    Args:
        allocator: the :class:`PluggableAllocator`.
    """

    def __init__(self, allocator: PluggableAllocator):
        self._allocator = check_type("MemPool", "allocator", allocator, PluggableAllocator)

    @property
    def allocator(self) -> PluggableAllocator:
        """The allocator."""
        return self._allocator


@contextlib.contextmanager
def use_mem_pool(pool: MemPool) -> Iterator[None]:
    """Take memory from a pool within a ``with`` block. XLA takes it from its own allocator, and this says so once."""
    check_type("use_mem_pool", "pool", pool, MemPool)
    log.once("use_mem_pool", "The 'use_mem_pool' changes nothing: XLA's allocator cannot be exchanged in a program.")
    yield


def memory_replay(file_path: str) -> None:
    """Repeat recorded requests for memory: such records are made by MindSpore's own memory pool alone.

    Examples:
        >>> from mindspore import runtime
        >>> try:
        ...     runtime.memory_replay("memory.csv")
        ... except Exception as error:
        ...     print(type(error).__name__)
        ValueError
    """
    path = check_str("memory_replay", "file_path", file_path, allow_empty=False)
    if not os.path.isfile(path):
        raise ValueError(f"For 'memory_replay', the 'file_path' must be a file that exists, but got {path!r}.")
    raise NotImplementedError(
        "For 'memory_replay', requests are answered by XLA's allocator, which cannot repeat records of MindSpore's memory "
        "pool. Use mindspore.runtime.memory_stats() or the Profiler to see the memory of this program."
    )
