"""``mindspore.common.api``: compiling functions into graphs."""

from __future__ import annotations

import sys
from typing import Any

from mindspore._engine import device_state
from mindspore._engine.compiler import constexpr, jit, jit_class, ms_class, ms_function, mutable
from mindspore._utils.checks import check_positive_int

__all__ = ["constexpr", "jit", "jit_class", "ms_class", "ms_function", "mutable", "set_recursion_limit"]

cells_compile_cache: dict[int, Any] = {}  # graphs are kept by their Cells; programs only ever clear this


class _PyNativeExecutor:
    """What executes operators outside graphs; programs ask it to finish.

    >>> _pynative_executor.sync()
    """

    @staticmethod
    def sync() -> None:
        """Wait until everything that was asked of the devices is computed."""
        device_state.wait()


_pynative_executor = _PyNativeExecutor()


def set_recursion_limit(recursion_limit: int = 1000) -> None:
    """How deep functions that are compiled may call each other.

    They are traced by calling them, so that Python's own limit is what counts: it is raised when it is lower.

    Examples:
        >>> import mindspore as ms
        >>> ms.set_recursion_limit(2000)
    """
    check_positive_int("set_recursion_limit", "recursion_limit", recursion_limit)
    sys.setrecursionlimit(max(sys.getrecursionlimit(), recursion_limit))
