"""The text of type stubs for operators: functions, Primitive classes and Tensor methods."""

from __future__ import annotations

import inspect
import re
import sys
from collections.abc import Callable, Collection, Iterable
from typing import Any

import jax

from mindspore._engine.operator.primitive import OpPrimitive
from mindspore._engine.operator.registry import Op
from mindspore._engine.tensor.tensor import Tensor
from mindspore._utils.documented import written_in
from tests.ops.samples import Samples, to_tensors

PREAMBLE = """\
import builtins
from collections.abc import Callable, Iterable, Sequence
from typing import Any, TypeAlias, overload

import numpy as np

from mindspore._engine.base.dtype_classes import DType as _DType
from mindspore._engine.tensor.parameter import Parameter
from mindspore._engine.operator.primitive import Primitive
from mindspore._engine.tensor.tensor import Tensor

_Operand: TypeAlias = Tensor | complex | Sequence[Any]  # complex takes float, int and bool in
_Shape: TypeAlias = int | Sequence[int] | Tensor
_Axis: TypeAlias = int | Sequence[int] | None
"""
# Names with an underscore do not clash with operators: Shape and DType are Primitive classes too.
_MEANING = {"Array": "Tensor", "Arrays": "Sequence[Tensor]", "Listed": "Sequence[Tensor]", "jax.Array": "Tensor", "Operand": "_Operand",
            "Shape": "_Shape", "Axis": "_Axis", "DType": "_DType", "Choice": "str", "Sizes": "int | tuple[int, ...]",
            "Ints": "Sequence[int] | Tensor", "tuple": "tuple[Any, ...]", "list": "list[Any]", "dict": "dict[Any, Any]",
            "Sequence": "Sequence[Any]", "Callable": "Callable[..., Any]"}  # fmt: skip
_WORD = re.compile(r"[A-Za-z_]+")
_KNOWN = _WORD.findall(
    "Any Callable Iterable None Parameter Sequence Tensor _Axis _DType _Operand _Shape bool complex dict float generic "
    "int list ndarray np object str tuple type"
)
_BUILTINS = ("bool", "complex", "dict", "float", "int", "list", "object", "str", "tuple", "type")
_LITERALS = (bool, int, float, str, type(None))


def annotation(given: Any, default: Any = inspect.Parameter.empty) -> str:
    """What a type checker is told about an argument with this annotation; Any when it would need other imports."""
    if not isinstance(given, str):
        return "Any"
    words = [_MEANING.get(word.strip(), word.strip()) for word in given.split("|")]
    text = " | ".join(words)
    if not set(_WORD.findall(text)).issubset(_KNOWN):
        return "Any"
    return text if default is not None or "None" in words or text in ("Any", "_Axis") else f"{text} | None"


def default_text(value: Any) -> str:
    if isinstance(value, tuple):
        inner = ", ".join(map(default_text, value))
        return f"({inner},)" if len(value) == 1 else f"({inner})"
    return repr(value) if isinstance(value, _LITERALS) and value == value and abs_is_finite(value) else "..."


def abs_is_finite(value: Any) -> bool:
    return not isinstance(value, float) or value not in (float("inf"), float("-inf"))


def parameters(given: Iterable[inspect.Parameter], receiver: str = "") -> str:
    """The text between the brackets of a ``def``."""
    parts = [receiver] if receiver else []
    keyword_only = False
    for one in given:
        if one.kind is one.KEYWORD_ONLY and not keyword_only:
            parts.append("*")
        keyword_only = keyword_only or one.kind in (one.KEYWORD_ONLY, one.VAR_POSITIONAL)
        stars = {one.VAR_POSITIONAL: "*", one.VAR_KEYWORD: "**"}.get(one.kind, "")
        text = f"{stars}{one.name}: {annotation(one.annotation, one.default)}"
        parts.append(text if one.default is one.empty else f"{text} = {default_text(one.default)}")
    return ", ".join(parts)


def first_line(document: str | None) -> str:
    return (document or "").strip().split("\n", 1)[0].replace("\\", "\\\\")


def define(name: str, arguments: str, result: str, document: str | None = None, indent: str = "") -> str:
    """A function without a body."""
    head = f"{indent}def {name}({arguments}) -> {result}:"
    return f'{head}\n{indent}    """{first_line(document)}"""\n' if document else f"{head} ...\n"


def result_of(op: Op) -> str:
    """What an operator returns, found out by tracing its test cases."""
    kinds = set()
    for case in op.test(Samples(op.name)) if op.test is not None else ():
        inputs: list[Any] = []
        key: list[Any] = []
        values = op.complete(to_tensors(case.args), to_tensors(case.kwargs))
        for value, argument in zip(values, op.arguments, strict=True):
            argument.take(value, inputs, key, op.title)
        arrays = [x._read() if isinstance(x, Tensor) else x for x in inputs]
        outcome = jax.eval_shape(op.specialise(tuple(key)), *arrays)
        kinds.add("tuple[Tensor, ...]" if isinstance(outcome, (tuple, list)) else "Tensor")
    return kinds.pop() if len(kinds) == 1 else "Any"


class Stubs:
    """Makes stubs; remembers what each operator returns."""

    def __init__(self) -> None:
        self._results: dict[str, str] = {}

    def result(self, function: Callable[..., Any]) -> str:
        op = getattr(function, "op", None)
        if op is None:
            return annotation(inspect.signature(function).return_annotation)
        if op.name not in self._results:
            self._results[op.name] = result_of(op)
        return self._results[op.name]

    def says_less(self, function: Callable[..., Any]) -> bool:
        """Whether the source of a function has types that a stub cannot repeat: its own names, or a result that follows from arguments."""
        if getattr(function, "op", None) is not None or len(getattr(function, "forms", ())) > 1:
            return False
        home = sys.modules.get(written_in(function))
        if getattr(home, function.__name__, None) is not function:
            return False
        if written_in(function).startswith("mindspore._engine.transforms."):
            return True
        signature = inspect.signature(function)
        given = [signature.return_annotation, *(one.annotation for one in signature.parameters.values())]
        return any(
            isinstance(one, str) and one not in ("Any", "Any | None") and annotation(one) == "Any" for one in given
        )

    def function(self, name: str, function: Callable[..., Any]) -> str:
        given = list(inspect.signature(function).parameters.values())
        text = define(name, parameters(given), self.result(function), function.__doc__)
        if (more := _spellings(function, given)) is None:
            return text
        return f"@overload\n{text}@overload\n{define(name, parameters(more), self.result(function))}"

    def method(self, name: str, function: Callable[..., Any], names: Collection[str]) -> str:
        """A function as a method: its first argument is the Tensor itself. ``names`` are all members of the class."""
        forms = getattr(function, "forms", ())
        if len(forms) > 1:
            first = function.__doc__
            texts = [self._method(name, form, names, document) for form, document in zip(forms, [first, *[None] * 9])]
            return "".join(f"    @overload\n{text}" for text in texts)
        text = self._method(name, function, names, function.__doc__)
        rest = list(inspect.signature(function).parameters.values())[1:]
        if name.startswith("__") or (more := _spellings(function, rest)) is None:
            return text
        return f"    @overload\n{text}    @overload\n{self._method(name, function, names, None, more)}"

    def _method(self, name: str, function: Callable[..., Any], names: Collection[str], document: str | None,
                rest: list[inspect.Parameter] | None = None) -> str:  # fmt: skip
        rest = list(inspect.signature(function).parameters.values())[1:] if rest is None else rest
        result = "Tensor" if function.__module__ == Op.__module__ else self.result(function)
        if result == "Any" and name.endswith("_") and not name.startswith("_"):
            result = "Tensor"  # what works in place returns the Tensor itself
        text = define(name, parameters(rest, "self"), result, indent="    ")
        hidden = "|".join(sorted(set(names).intersection(_BUILTINS)))  # inside the class, `int` is the method
        text = re.sub(rf"\b({hidden})\b(?![:(])", r"builtins.\1", text) if hidden else text
        text = re.sub(rf"-> ({hidden}):", r"-> builtins.\1:", text) if hidden else text
        if name in ("__eq__", "__ne__"):  # object's own return bool
            text = text.replace(": ...", ": ...  # type: ignore[override]")
        elif document:
            text = text.replace(": ...", f':\n        """{first_line(document)}"""')
        return text

    def primitive(self, name: str, primitive: type) -> str:
        """A Primitive class that was made from an operator or a function."""
        if issubclass(primitive, OpPrimitive):
            op = primitive.op
            declared = inspect.signature(op.body).parameters
            init = [declared[p.name].replace(default=p.default) for p in primitive.init_signature.parameters.values()]
            call = [declared[op.arguments[place].name] for place in primitive.call_indices]
            result, document = self.result(op.function), op.body.__doc__
        else:
            function = getattr(primitive, "function", None)
            if function is None:
                raise SystemExit(f"The Primitive class {name} is neither in the source nor made from a function.")
            init, call = [], list(inspect.signature(function).parameters.values())
            result, document = self.result(function), function.__doc__
        lines = [f"class {name}(Primitive):\n", f'    """{first_line(document)}"""\n']
        lines.append(define("__init__", parameters(_positional(init), "self"), "None", indent="    "))
        lines.append(define("__call__", parameters(_positional(call), "self"), result, indent="    "))
        return "".join(lines)


def _spellings(function: Callable[..., Any], given: list[inspect.Parameter]) -> list[inspect.Parameter] | None:
    """The parameters with the older names of arguments beside them, all by name and optional; None where there are none.

    Which go together is for the call to say: a checker takes every one of them.
    """
    declared = getattr(function, "op", None)
    old = {one.name: one.old_names for one in declared.arguments} if declared is not None else {}
    taken = {one.name for one in given}
    others = {other: one for one in given for other in old.get(one.name, ()) if other not in taken}
    if not others or any(one.kind in (one.VAR_POSITIONAL, one.VAR_KEYWORD) for one in given):
        return None
    found, optional = [], False
    for one in given:
        optional = optional or one in others.values() or one.default is not one.empty
        found.append(one.replace(default=...) if optional and one.default is one.empty else one)
    named = inspect.Parameter.KEYWORD_ONLY
    return found + [one.replace(name=other, kind=named, default=...) for other, one in others.items()]


def _positional(given: Iterable[inspect.Parameter]) -> list[inspect.Parameter]:
    """The same parameters, all usable by position; after one with a default the others have one too."""
    found, optional = [], False
    for one in given:
        if one.kind in (one.VAR_POSITIONAL, one.VAR_KEYWORD):
            found.append(one)
            continue
        optional = optional or one.default is not one.empty
        default = ... if optional and one.default is one.empty else one.default
        found.append(one.replace(kind=one.POSITIONAL_OR_KEYWORD, default=default))
    return found
