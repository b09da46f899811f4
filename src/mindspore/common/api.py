"""``mindspore.common.api``: compiling functions into graphs."""

from __future__ import annotations

import gc
import sys
from typing import Any

from mindspore._engine.graph.jit import constexpr, jit, jit_class, ms_class, ms_function, mutable
from mindspore._engine.runtime import device_state
from mindspore._utils.checks import check_positive_int

__all__ = [
    "constexpr",
    "jit",
    "jit_class",
    "ms_class",
    "ms_function",
    "ms_memory_recycle",
    "mutable",
    "set_recursion_limit",
]

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


class _CellGraphExecutor:
    """What compiles and runs networks; programs ask it to compile one for some inputs."""

    @staticmethod
    def compile(obj: Any, *args: Any, phase: str = "predict", do_convert: bool = True, jit_config_dict: Any = None,
                **kwargs: Any) -> tuple[str, bool]:  # fmt: skip
        """Compile a Cell for these inputs without running it; the phase, and whether it was compiled now.

        >>> from mindspore import Tensor, nn
        >>> _cell_graph_executor.compile(nn.ReLU(), Tensor([1.0]), phase="train")
        ('train', True)
        """
        obj.compile(*args, **kwargs)
        return phase, True

    @staticmethod
    def run(obj: Any, *args: Any, phase: str = "predict") -> Any:
        """Run a Cell as a compiled graph, in either mode."""
        return obj.compile_and_run(*args)


_cell_graph_executor = _executor = _CellGraphExecutor()  # the second name is 1.x's


def set_recursion_limit(recursion_limit: int = 1000) -> None:
    """How deep functions that are compiled may call each other.

    They are traced by calling them, so that Python's own limit is what counts: it is raised when it is lower.

    Examples:
        >>> import mindspore as ms
        >>> ms.set_recursion_limit(2000)
    """
    check_positive_int("set_recursion_limit", "recursion_limit", recursion_limit)
    sys.setrecursionlimit(max(sys.getrecursionlimit(), recursion_limit))


def ms_memory_recycle() -> None:
    """Give back the memory of networks and Tensors that the program has dropped, now instead of some time later.

    Examples:
        >>> import mindspore as ms
        >>> ms.ms_memory_recycle()
    """
    gc.collect()
