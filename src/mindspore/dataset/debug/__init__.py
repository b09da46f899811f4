"""Hooks that look at what the operations of ``map`` get and give while a pipeline runs in debug mode.

>>> from mindspore.dataset import debug
>>> hook = debug.PrintMetaDataHook("Resize")
>>> hook.show((np.zeros((2, 3), np.uint8),))
[Dataset debugger] Print the [OUTPUT] of the operation [Resize].
Column 0. The dtype is [uint8]. The shape is [(2, 3)].
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from typing import Any

import numpy as np

from mindspore._utils.documented import claim as _claim

__all__ = ["DebugHook", "PrintDataHook", "PrintMetaDataHook"]


class DebugHook(ABC):
    """Looks at the columns before the first operation of a map and after each. Subclasses say how in ``compute``."""

    def __init__(self, prev_op_name: str | None = None):
        self.prev_op_name = prev_op_name
        self.is_first = False

    @abstractmethod
    def compute(self, *args: Any) -> Any:
        """Inspect the columns, passed as a tuple."""

    def set_previous_op_name(self, prev_op_name: str) -> None:
        """Say which operation the columns belong to."""
        self.prev_op_name = prev_op_name

    def set_is_first(self, is_first: bool) -> None:
        """Say whether the columns are what the operation gets, not what it gives."""
        self.is_first = is_first

    def show(self, columns: tuple[Any, ...]) -> None:
        """Say whose columns these are, and look at them."""
        moment = "INPUT" if self.is_first else "OUTPUT"
        print(f"[Dataset debugger] Print the [{moment}] of the operation [{self.prev_op_name}].", flush=True)
        self.compute(columns)

    def __call__(self, *columns: Any) -> Any:
        """Look at the columns and pass them on: a hook may stand among the operations of a map."""
        self.compute(columns)
        return columns if len(columns) != 1 else columns[0]


class PrintDataHook(DebugHook):
    """Prints the values of the columns."""

    def compute(self, *args: Any) -> Any:
        for number, column in enumerate(args[0]):
            print(f"Column {number}. The data is [{np.asarray(column)}].", flush=True)
        return args


class PrintMetaDataHook(DebugHook):
    """Prints the types and shapes of the columns."""

    def compute(self, *args: Any) -> Any:
        for number, column in enumerate(args[0]):
            print(f"Column {number}. {_described(column)}", flush=True)
        return args


def _described(column: Any) -> str:
    if isinstance(column, np.ndarray):
        return f"The dtype is [{column.dtype}]. The shape is [{column.shape}]."
    kind = f"The type is [{type(column)}]."
    if hasattr(column, "size") and hasattr(column, "mode"):  # an image of Pillow
        return f"{kind} The shape is [{column.size}]."
    return f"{kind} The size is [{len(column)}]." if hasattr(column, "__len__") else kind


_claim(__name__)
