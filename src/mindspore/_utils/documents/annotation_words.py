"""Types in the words of messages: of what was passed, and of what a parameter takes."""

from __future__ import annotations

import inspect
import re
from typing import Any

_EMPTY = inspect.Parameter.empty
_SEQUENCE = "int | tuple | list | Tensor"
# What the annotations of declarations mean to a caller.
WORDS = {
    "Array": "Tensor",
    "Operand": "Tensor | int | float | bool",
    "Arrays": "tuple | list of Tensor",
    "Listed": "tuple | list of Tensor",
    "Shape": _SEQUENCE,
    "Axis": _SEQUENCE,
    "DType": "mindspore.dtype",
    "Choice": "str",
    "Sizes": "int | tuple",
    "Ints": "tuple | list of int | Tensor",
    "float": "float | int",
    "complex": "int | float | bool | complex",
    "TensorLike": "Tensor | int | float | bool | list | tuple",
    "ArrayLike": "Tensor | int | float | bool | list | tuple",
}
# What parameters without an annotation take, by their names.
_USUAL = {
    **dict.fromkeys(("axis", "dim", "axes", "dims", "shape", "size", "numbers", "reps", "sizes"), _SEQUENCE),
    **dict.fromkeys(
        ("kernel_size", "stride", "padding", "dilation", "output_size", "ksize", "strides", "pads"),
        "int | tuple | list",
    ),
    **dict.fromkeys(("input", "input_x", "x", "mask", "condition", "index", "indices"), "Tensor"),
    **dict.fromkeys(("other", "y", "value", "alpha", "beta", "weight", "initial"), "Tensor | int | float | bool"),
    "dtype": "mindspore.dtype",
    "where": "Tensor | bool",
}
_SEQUENCES = re.compile(r"^(?:Sequence|tuple|list)\[.*\]$")
_SHOWN = 3  # elements of a sequence whose types are named


def described(value: Any) -> str:
    """The type of an argument: ``Tensor``, ``tuple[int, str]``, ``None``.

    >>> described((1, "a")), described(None), described([])
    ('tuple[int, str]', 'None', 'list')
    """
    if value is None:
        return "None"
    kind = type(value)
    if kind in (list, tuple) and value:
        kinds = list(dict.fromkeys(described(one) for one in value[:64]))
        return f"{kind.__name__}[{', '.join(kinds[:_SHOWN])}{', ...' if len(kinds) > _SHOWN else ''}]"
    return "Tensor" if any(base.__name__ == "Tensor" for base in kind.__mro__) else kind.__name__


def annotation_text(annotation: Any, default: Any = _EMPTY, name: str = "") -> str:
    """What an annotation allows; without one, the name of the parameter or the type of its default says it."""
    text = annotation if isinstance(annotation, str) else getattr(annotation, "__name__", "")
    if text in ("", "_empty", "Any", "Any | None"):
        kind = "" if default is _EMPTY or default is None else type(default).__name__
        return _USUAL.get(name) or WORDS.get(kind, kind)
    words = [_SEQUENCES.sub("tuple | list", word) for word in text.split(" | ") if word != "None"]
    return " | ".join(dict.fromkeys(part for word in words for part in WORDS.get(word, word).split(" | ")))


def parameter_text(parameter: inspect.Parameter) -> str:
    """A parameter as a signature shows it: ``axis: int | tuple = None``."""
    stars = {parameter.VAR_POSITIONAL: "*", parameter.VAR_KEYWORD: "**"}.get(parameter.kind, "")
    allowed = annotation_text(parameter.annotation, parameter.default, parameter.name)
    return stars + named_text(parameter.name, allowed, parameter.default)


def named_text(name: str, allowed: str, default: Any) -> str:
    """A parameter by its name, what it takes and its default."""
    text = default.__name__ if inspect.isroutine(default) or inspect.isclass(default) else repr(default)
    shown = f" = {text}" if allowed else f"={text}"
    return (f"{name}: {allowed}" if allowed else name) + ("" if default is _EMPTY else shown)
