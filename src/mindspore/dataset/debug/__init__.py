"""Hooks that look at what the operations of ``map`` get and give while a pipeline runs in debug mode.

>>> from mindspore.dataset import debug
>>> hook = debug.PrintMetaDataHook("Resize")
>>> hook.show((np.zeros((2, 3), np.uint8),))
Dataset debugger: what the operation 'Resize' gives.
Column 0: dtype uint8, shape (2, 3).
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
        moment = "gets" if self.is_first else "gives"
        print(f"Dataset debugger: what the operation '{self.prev_op_name}' {moment}.")
        self.compute(columns)


class PrintDataHook(DebugHook):
    """Prints the values of the columns."""

    def compute(self, *args: Any) -> Any:
        for number, column in enumerate(args[0]):
            print(f"Column {number}: {column}")
        return args


class PrintMetaDataHook(DebugHook):
    """Prints the types and shapes of the columns."""

    def compute(self, *args: Any) -> Any:
        for number, column in enumerate(args[0]):
            array = np.asarray(column)
            print(f"Column {number}: dtype {array.dtype}, shape {array.shape}.")
        return args


_claim(__name__)
