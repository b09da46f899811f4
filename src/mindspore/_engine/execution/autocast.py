"""Autocast: which operators run in half precision, and which in float32.

A Cell under ``amp`` sets ``state.precision`` while it runs; dispatch then casts the inputs of every operator.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import Any, NamedTuple

from mindspore._engine.base import dtype as dtypes
from mindspore._engine.base.trace_state import state
from mindspore._engine.tensor.tensor import Tensor

# Functions that compute what a Primitive class does under another name.
_FUNCTIONS = {
    "Conv2D": ("conv1d", "conv2d"),
    "Conv3D": ("conv3d",),
    "Conv2DTranspose": ("conv2d_transpose", "conv_transpose2d"),
    "Conv3DTranspose": ("conv3d_transpose",),
    "MatMul": ("matmul", "Dense", "addmm", "mv", "addmv"),
    "BatchMatMul": ("matmul", "bmm", "baddbmm", "addbmm"),
}


def operator_names(names: Sequence[str]) -> frozenset[str]:
    """The operators that the names of Primitive classes stand for."""
    return frozenset([*names, *(other for name in names for other in _FUNCTIONS.get(name, ()))])


class AllBut(NamedTuple):
    """Every operator but those named."""

    names: frozenset[str]

    def __contains__(self, name: object) -> bool:
        return name not in self.names


class Precision:
    """Autocast lists: operators in ``low`` run in ``dtype``, those in ``full`` in float32, all others as given.

    restore: whether results of ``low`` operators are cast back to float32.
    """

    def __init__(self, dtype: dtypes.DType, low: frozenset[str] | AllBut, full: frozenset[str], restore: bool):
        self.dtype = dtype
        self.low = low
        self.full = full
        self.restore = restore
        self.key = (str(dtype), low, full, restore)

    def inputs(self, name: str, inputs: Sequence[Any]) -> Sequence[Any]:
        """Cast the inputs of an operator to the dtype it runs in."""
        if name in self.low:
            return [self._cast(x, dtypes.float32, self.dtype) for x in inputs]
        if name in self.full:
            return [self._cast(x, self.dtype, dtypes.float32) for x in inputs]
        return inputs

    def output(self, name: str, output: Any) -> Any:
        """Cast the result of an operator back, if ``restore``."""
        if not self.restore or name not in self.low:
            return output
        if isinstance(output, tuple):
            return tuple(self._cast(x, self.dtype, dtypes.float32) for x in output)
        return self._cast(output, self.dtype, dtypes.float32)

    @staticmethod
    def _cast(value: Any, source: dtypes.DType, target: dtypes.DType) -> Any:
        if isinstance(value, Tensor) and value.dtype == source:
            return value.astype(target)
        return value


@contextmanager
def precision(chosen: Precision | None) -> Iterator[None]:
    """Context manager: autocast by ``chosen``; None disables it."""
    before = state.precision
    state.precision = chosen
    try:
        yield
    finally:
        state.precision = before
