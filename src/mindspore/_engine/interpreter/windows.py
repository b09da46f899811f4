"""Rules of pooling: one pass over the array for each element of the window."""

from __future__ import annotations

import itertools
import math
from typing import Any

import numpy as np

from mindspore._engine.interpreter.rules import HALVES, LeftToXLA, dtypes_of, rule, shape_of, widened
from mindspore._engine.interpreter.shapes import padded

_MOST_ELEMENTS = 512  # of a window


def _lowest(dtype: np.dtype) -> Any:
    return -np.inf if dtype.kind not in "iub" else np.iinfo(dtype).min if dtype.kind in "iu" else False


def _highest(dtype: np.dtype) -> Any:
    return np.inf if dtype.kind not in "iub" else np.iinfo(dtype).max if dtype.kind in "iu" else True


_EMPTY = {"reduce_window_sum": (np.add, lambda dtype: 0), "reduce_window_max": (np.maximum, _lowest),
          "reduce_window_min": (np.minimum, _highest)}  # fmt: skip


class WindowParts:
    """Where the elements of all windows lie in the padded array."""

    def __init__(self, params: dict[str, Any], shape: tuple[int, ...], output_shape: tuple[int, ...]):
        rank = len(shape)
        base = params.get("base_dilation") or (1,) * rank
        gaps = params.get("window_dilation") or (1,) * rank
        self.sizes, strides = params["window_dimensions"], params["window_strides"]
        if math.prod(self.sizes) > _MOST_ELEMENTS:
            raise LeftToXLA("a large window")
        self.config = [(*pad, gap - 1) for pad, gap in zip(params["padding"], base, strict=True)]
        self.pad = padded(shape, self.config) if any(map(any, self.config)) else None
        self.parts = [
            tuple(slice(o * gap, o * gap + (n - 1) * stride + 1, stride) if n else slice(0, 0)
                  for o, gap, n, stride in zip(offsets, gaps, output_shape, strides, strict=True))
            for offsets in itertools.product(*map(range, self.sizes))
        ]  # fmt: skip

    def padded(self, x: Any, value: Any) -> Any:
        """The array with ``value`` around it."""
        return x if self.pad is None else self.pad(x, value)


def _window_reduction(name: str) -> None:
    ufunc, empty = _EMPTY[name]

    @rule(name, nanoseconds=10.0)
    def make(equation: Any) -> Any:
        output_shape = shape_of(equation.outvars[0])
        windows = WindowParts(equation.params, shape_of(equation.invars[0]), output_shape)
        (dtype,) = dtypes_of(equation.outvars)
        if dtype.kind == "c" and ufunc is not np.add:
            raise LeftToXLA("order of complex numbers")
        value = empty(np.dtype(np.float32) if dtype in HALVES else dtype)

        def reduce(x: Any) -> Any:
            x = windows.padded(x, value)
            result = np.array(x[windows.parts[0]])
            for part in windows.parts[1:]:
                ufunc(result, x[part], out=result)
            return result

        return widened(reduce, equation)


for _name in _EMPTY:
    _window_reduction(_name)


@rule("select_and_scatter_add", nanoseconds=20.0)
def _select_and_scatter_add(equation: Any) -> Any:
    """Each number of the source goes to the element that its window chose, of equal ones the first."""
    output_shape, shape = (shape_of(variable) for variable in equation.invars)
    windows = WindowParts(equation.params, shape, output_shape)
    (dtype,) = dtypes_of(equation.outvars)
    if dtype.kind not in "fV" or not str(equation.params["select_prim"]) == "ge":
        raise LeftToXLA("selection")
    inner = tuple(slice(low, low + n) for n, (low, _, _) in zip(shape, windows.config, strict=True))
    if any(low < 0 or high < 0 for low, high, _ in windows.config):
        raise LeftToXLA("negative padding")

    def scatter(source: Any, x: Any) -> Any:
        x = windows.padded(x, -np.inf)
        best, chosen = np.array(x[windows.parts[0]]), np.zeros(output_shape, np.int32)
        for number, part in enumerate(windows.parts[1:], 1):
            larger = ~(best >= x[part])
            best, chosen = np.where(larger, x[part], best), np.where(larger, np.int32(number), chosen)
        result = np.zeros(x.shape, x.dtype)
        for number, part in enumerate(windows.parts):
            result[part] += np.where(chosen == number, source, x.dtype.type(0))
        return result[inner] if windows.pad is not None else result

    return widened(scatter, equation)
