"""Strings with traced Tensor values, formatted on the host when the graph runs; for print, raise and assert."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np

from mindspore._engine.base import dtype as dtypes
from mindspore._engine.tensor.tensor import Tensor, is_traced
from mindspore._utils import tensor_text

_CONVERSIONS = {"": lambda value: value, "s": str, "r": repr, "a": ascii}
Piece = str | tuple[Tensor, str, str]


class TracedText(str):
    """A string with traced Tensors in it; during the trace a placeholder is shown for them."""

    pieces: list[Piece]

    def __new__(cls, pieces: list[Piece]) -> TracedText:
        text = super().__new__(cls, "".join(p if isinstance(p, str) else str(p[0]) for p in pieces))
        text.pieces = pieces
        return text

    def __add__(self, other: str) -> str:
        return TracedText([*self.pieces, *pieces_of(other)]) if isinstance(other, str) else NotImplemented

    def __radd__(self, other: str) -> str:
        return TracedText([*pieces_of(other), *self.pieces])


def pieces_of(text: str) -> list[Piece]:
    return text.pieces if isinstance(text, TracedText) else [text]


def text(*pieces: Any) -> str:
    """An f-string: literals, and values with conversion and format spec."""
    parts: list[Piece] = []
    for piece in pieces:
        if isinstance(piece, str):
            parts += pieces_of(piece)
            continue
        value, conversion, form = piece
        if is_traced(value):
            parts.append((value, conversion, form))
        elif isinstance(value, TracedText) and not form and conversion in ("", "s"):
            parts += value.pieces
        else:
            parts.append(format(_CONVERSIONS[conversion](value), form))
    return "".join(parts) if all(isinstance(p, str) for p in parts) else TracedText(parts)  # type: ignore[arg-type]


def as_text(*args: Any, **options: Any) -> str:
    """str() of a value."""
    if len(args) == 1 and not options and is_traced(args[0]):
        return TracedText([(args[0], "", "")])
    return args[0] if len(args) == 1 and isinstance(args[0], TracedText) else str(*args, **options)


def tensors_of(value: Any) -> list[Tensor]:
    """The Tensors whose values are needed to format a value."""
    if isinstance(value, TracedText):
        return [piece[0] for piece in value.pieces if not isinstance(piece, str)]
    return [value] if is_traced(value) else []


def at_run_time(value: Any, arrays: Iterator[Any]) -> Any:
    """Substitute the arrays that ``tensors_of`` requested."""
    if isinstance(value, TracedText):
        return "".join(p if isinstance(p, str) else _formatted(next(arrays), *p[1:]) for p in value.pieces)
    return tensor_text.tensor_str(np.asarray(next(arrays))) if is_traced(value) else value


def _formatted(array: Any, conversion: str, form: str) -> str:
    array = np.asarray(array)
    if form and array.ndim == 0 and not conversion:
        return format(array.item(), form)
    if conversion in ("r", "a"):
        return format(tensor_text.tensor_repr(array, dtypes.from_numpy(array.dtype).name), form)
    return format(tensor_text.tensor_str(array), form)
