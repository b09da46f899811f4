"""Strings with traced Tensor values, formatted on the host when the graph runs; for print, raise and assert."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any, NamedTuple

import numpy as np

from mindspore._engine.base import dtype as dtypes
from mindspore._engine.base.errors import needs_value
from mindspore._engine.base.pytree import flatten, unflatten
from mindspore._engine.tensor.tensor import Tensor, is_traced
from mindspore._engine.tensor.traced_number import TracedNumber
from mindspore._utils import tensor_text

_CONVERSIONS: dict[str, Callable[[Any], Any]] = {"": lambda value: value, "s": str, "r": repr, "a": ascii}


class Deferred(NamedTuple):
    """A piece of text that is made of values known when the graph runs."""

    value: Any  # with Tensors in it
    make: Callable[[Any], str]

    def tensors(self) -> list[Tensor]:
        return [leaf for leaf in flatten(self.value)[0] if is_traced(leaf)]

    def at_run_time(self, arrays: Iterator[Any]) -> str:
        leaves, description = flatten(self.value)
        shown = [_of_array(leaf, next(arrays)) if is_traced(leaf) else leaf for leaf in leaves]
        return self.make(unflatten(description, iter(shown)))


Piece = str | Deferred


class TracedText(str):
    """A string with traced Tensors in it; during the trace a placeholder is shown for them."""

    pieces: list[Piece]

    def __new__(cls, pieces: list[Piece]) -> TracedText:
        text = super().__new__(cls, "".join(p if isinstance(p, str) else str(p.value) for p in pieces))
        text.pieces = pieces
        return text

    def __add__(self, other: str) -> str:
        return TracedText([*self.pieces, *pieces_of(other)]) if isinstance(other, str) else NotImplemented

    def __radd__(self, other: str) -> str:
        return TracedText([*pieces_of(other), *self.pieces])


def _refuse(name: str) -> None:
    def method(self: Any, *args: Any, **kwargs: Any) -> Any:
        raise needs_value(
            f"str.{name} of a text with Tensors", "print the text, raise it, or compute with the Tensors."
        )

    setattr(TracedText, name, method)


_KEPT = {"__add__", "__class__", "__new__", "__init__", "__getattribute__", "__str__", "__repr__", "__format__", "__doc__",
         "__sizeof__", "__reduce__", "__reduce_ex__", "__getnewargs__", "__dir__", "__hash__", "__init_subclass__",
         "__subclasshook__", "__setattr__", "__delattr__", "__getstate__", "maketrans", "encode"}  # fmt: skip
for _name in set(dir(str)) - _KEPT:
    _refuse(_name)


def pieces_of(text: str) -> list[Piece]:
    return text.pieces if isinstance(text, TracedText) else [text]


def _holds_traced(value: Any) -> bool:
    return any(is_traced(leaf) or isinstance(leaf, TracedText) for leaf in flatten(value)[0])


def text(*pieces: Any) -> str:
    """An f-string: literals, and values with conversion and format spec."""
    parts: list[Piece] = []
    for piece in pieces:
        if isinstance(piece, str):
            parts += pieces_of(piece)
            continue
        value, conversion, form = piece
        if isinstance(value, TracedText) and not form and conversion in ("", "s"):
            parts += value.pieces
        elif _holds_traced(value):
            parts.append(Deferred(value, lambda v, c=conversion, f=form: format(_CONVERSIONS[c](v), f)))
        else:
            parts.append(format(_CONVERSIONS[conversion](value), form))
    return "".join(parts) if all(isinstance(p, str) for p in parts) else TracedText(parts)  # type: ignore[arg-type]


def formatted(template: str, values: Any) -> str:
    """template % values"""
    if not isinstance(template, str) or not _holds_traced(values):
        return template % values
    return TracedText([Deferred(values, lambda found: template % found)])


def of_method(method: Any, args: tuple, kwargs: dict[str, Any]) -> str | None:
    """What a method of str makes of Tensors; None if there are none, or the method is no matter of this file."""
    template = method.__self__
    if method.__name__ == "format" and _holds_traced((args, kwargs)):
        return TracedText([Deferred((args, kwargs), lambda found: template.format(*found[0], **found[1]))])
    if method.__name__ == "join" and isinstance(args[0], (list, tuple)) and _holds_traced(args[0]):
        parts: list[Piece] = []
        for item in args[0]:
            parts += [template, *pieces_of(item)] if parts else pieces_of(item)
        return TracedText(parts)
    return None


def as_text(*args: Any, **options: Any) -> str:
    """str() of a value."""
    return _made(str, args, options)


def as_repr(*args: Any) -> str:
    """repr() of a value."""
    return _made(repr, args, {})


def _made(kind: Callable[..., str], args: tuple, options: dict[str, Any]) -> str:
    if len(args) == 1 and not options:
        if isinstance(args[0], TracedText):
            return args[0] if kind is str else TracedText([Deferred(args[0], repr)])
        if _holds_traced(args[0]):
            return TracedText([Deferred(args[0], kind)])
    return kind(*args, **options)


def tensors_of(value: Any) -> list[Tensor]:
    """The Tensors whose values are needed to format a value."""
    if isinstance(value, TracedText):
        return [tensor for piece in value.pieces if isinstance(piece, Deferred) for tensor in piece.tensors()]
    return [value] if is_traced(value) else []


def at_run_time(value: Any, arrays: Iterator[Any]) -> Any:
    """Substitute the arrays that ``tensors_of`` requested."""
    if isinstance(value, TracedText):
        return "".join(p if isinstance(p, str) else p.at_run_time(arrays) for p in value.pieces)
    return tensor_text.tensor_str(np.asarray(next(arrays))) if is_traced(value) else value


class _Shown:
    """A Tensor on the host, as text and as number."""

    def __init__(self, array: np.ndarray):
        self.array = array

    def __str__(self) -> str:
        return tensor_text.tensor_str(self.array)

    def __repr__(self) -> str:
        return tensor_text.tensor_repr(self.array, dtypes.from_numpy(self.array.dtype).name)

    def __format__(self, form: str) -> str:
        return format(self.array.item() if form and self.array.ndim == 0 else str(self), form)

    def __int__(self) -> int:
        return int(self.array.item())

    def __float__(self) -> float:
        return float(self.array.item())

    __index__ = __int__


def _of_array(leaf: Any, array: Any) -> Any:
    array = np.asarray(array)
    return leaf.number(array.item()) if isinstance(leaf, TracedNumber) else _Shown(array)
