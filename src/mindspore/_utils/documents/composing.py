"""Docstrings get the sections that signatures and declarations know: Args, Inputs, Returns, Raises.

What is special is written in a docstring itself and stays as it is; parameters that it does not mention get the sentence of
:mod:`mindspore._utils.documents.words`. Composed while a package is loaded, a few microseconds each.
"""

from __future__ import annotations

import enum
import inspect
import re
import types
from collections.abc import Callable, Iterable, Sequence
from typing import Any

from mindspore._utils.documents.room_words import ROOM_PARAMETERS
from mindspore._utils.documents.words import (
    CHECKS,
    KINDS,
    PARAMETERS,
    RESULTS,
    RETURNS,
    TYPED,
    TYPES,
)

_EMPTY = object()
_ENTRY = re.compile(r"^ +(\*{0,2}\w+(?:, \*{0,2}\w+)*)(?: \([^)]*\))?:", re.MULTILINE)
_SECTION = re.compile(r"\n *(?:Inputs|Returns|Outputs|Raises|Examples|Note|Yields|Supported Platforms):|\n *>>> ")
Parameter = tuple[str, str, Any]  # name, annotation, default
_lines: dict[tuple, str] = {}
_done: set[int] = set()
result_kinds: dict[str, str] = {}  # what the operators' declarations return, by name: filled by mindspore._ops


def parameters_of(function: Callable[..., Any]) -> list[Parameter]:
    """The parameters of a function written in Python, without ``self``; ``inspect.signature`` would take longer."""
    while (inner := getattr(function, "__wrapped__", None)) is not None:
        function = inner
    code = getattr(function, "__code__", None)
    if code is None:
        return []
    if (signature := getattr(function, "__signature__", None)) is not None:
        given = [(one.name, one.annotation, _default(one.default)) for one in signature.parameters.values()]
        return [
            (name, "" if kind is inspect.Parameter.empty else kind, default)
            for name, kind, default in given
            if name != "self"
        ]
    count, only = code.co_argcount, code.co_kwonlyargcount
    names = code.co_varnames[: count + only]
    given = function.__defaults__ or ()
    defaults = [*[_EMPTY] * (count - len(given)), *given]
    defaults += [(function.__kwdefaults__ or {}).get(name, _EMPTY) for name in names[count:]]
    annotations = function.__annotations__
    found = [(name, annotations.get(name, ""), default) for name, default in zip(names, defaults, strict=True)]
    found = [one for one in found if one[0] not in ("self", "cls")]
    rest = code.co_varnames[count + only :]
    stars = ["*"] * bool(code.co_flags & 4) + ["**"] * bool(code.co_flags & 8)
    return found + [(star + name, annotations.get(name, ""), _EMPTY) for star, name in zip(stars, rest)]


def complete(thing: Any, *, name: str = "") -> None:
    """Give the docstring of a function or class the sections it lacks; once."""
    document = vars(thing).get("__doc__") if isinstance(thing, type) else getattr(thing, "__doc__", None)
    if not isinstance(document, str) or not document or id(thing) in _done:
        return
    _done.add(id(thing))
    name = name or thing.__name__
    if isinstance(thing, type):
        arguments, inputs, result = _of_class(thing)
    else:
        forms = getattr(thing, "forms", ())
        arguments = _joined(map(parameters_of, forms)) if forms else parameters_of(thing)
        inputs, result = None, str(getattr(forms[0] if forms else thing, "__annotations__", {}).get("return", ""))
    declared = getattr(thing, "op", None)
    raised = (
        _refusals(thing, declared, arguments, inputs or ())
        if declared is not None or not isinstance(thing, type)
        else []
    )
    names = [*_receiver(thing), *(one[0] for one in inputs or arguments)]
    returned = None if result is None else _returned(name, declared, result, names)
    room = ".".join((thing.__module__ or "").split(".")[:2])
    thing.__doc__ = composed(document, arguments, inputs, returned, raised, room)


def _receiver(thing: Any) -> list[str]:
    """``self`` for a method, which is its first operand."""
    first = (getattr(thing, "forms", ()) or (thing,))[0]
    while (inner := getattr(first, "__wrapped__", None)) is not None:
        first = inner
    code = None if isinstance(thing, type) else getattr(first, "__code__", None)
    return ["self"] if code is not None and code.co_varnames[:1] == ("self",) and code.co_argcount else []


def _joined(lists: Iterable[list[Parameter]]) -> list[Parameter]:
    found: dict[str, Parameter] = {}
    for one in lists:
        for parameter in one:
            found.setdefault(parameter[0], parameter)
    return list(found.values())


def _of_class(thing: type) -> tuple[list[Parameter], list[Parameter] | None, str | None]:
    """Parameters of the constructor, of the call, and the annotation of its result; None where instances are not called."""
    declared = getattr(thing, "op", None)
    if declared is not None:
        given = getattr(thing, "init_signature").parameters  # noqa: B009 - not every class has it
        every = [(a.name, a.annotation, _default(a.default)) for a in declared.arguments]
        init = [(n, kind, _default(given[n].default)) for n, kind, _ in every if n in given]
        return init, [every[index] for index in getattr(thing, "call_indices")], ""  # noqa: B009
    init = thing.__init__
    arguments = parameters_of(init) if isinstance(init, types.FunctionType) else []
    homes = (one for one in thing.__mro__ if one is thing or one.__name__.startswith("_"))
    construct = getattr(thing, "construct", None) or next(
        filter(None, (vars(one).get("__call__") for one in homes)), None
    )
    if not isinstance(construct, types.FunctionType):
        return arguments, None, None
    return arguments, parameters_of(construct), str(construct.__annotations__.get("return", ""))


def _default(value: Any) -> Any:
    return _EMPTY if isinstance(value, type) and value.__name__ == "_empty" else value


def composed(document: str, arguments: Sequence[Parameter], inputs: Sequence[Parameter] | None, returned: str | None,
             raised: Sequence[str], room: str = "") -> str:  # fmt: skip
    """The docstring with the sections it lacks, in the order Args, Inputs, Returns, Raises, and examples last.

    ``room`` is the package, such as 'mindspore.nn': some names of parameters mean something else in each.
    """
    found = re.search(r"\n( *)(?=\S)", document)
    indent = found[1] if found else "    "
    start = _SECTION.search(document)
    cut = start.start() if start else len(document)
    head, tail = document[:cut].rstrip(), document[cut:].lstrip("\n") if start else ""
    if tail.lstrip(" ").startswith(">>> "):  # an example without its heading: the sections come before it
        tail = f"{indent}Examples:\n" + re.sub(r"^(?=.*\S)", "    ", tail, flags=re.MULTILINE)
    made = [head]
    known = _mentioned(head) if "Args:" in head else ()
    missing = [_line(one, indent, room) for one in arguments if one[0] not in known and one[0][0] != "_"]
    if missing and "Args:" in head:
        after = re.search(rf"\n\n{indent}(?=\S)", head[head.index("Args:") :])  # text that goes on behind the section
        end = head.index("Args:") + after.start() if after else len(head)
        made = [head[:end] + "\n" + "\n".join(missing) + head[end:]]
    elif missing:
        made.append(f"{indent}Args:\n" + "\n".join(missing))
    if inputs and "Inputs:" not in document:
        made.append(f"{indent}Inputs:\n" + "\n".join(_line(one, indent, room) for one in inputs))
    if returned and "Returns:" not in document and "Outputs:" not in document:
        made.append(f"{indent}Returns:\n{indent}    {returned}")
    if raised and "Raises:" not in document:
        made.append(f"{indent}Raises:\n" + "\n".join(f"{indent}    {one}" for one in raised))
    return "\n\n".join([*made, tail] if tail else made) + ("" if tail else f"\n{indent}")


def _mentioned(head: str) -> set[str]:
    return {name for found in _ENTRY.finditer(head) for name in found[1].split(", ")}


def _line(parameter: Parameter, indent: str, room: str) -> str:
    name, annotation, default = parameter
    try:
        key = (name, annotation, default, type(default), indent, room)
        line = _lines.get(key)
    except TypeError:  # a default that cannot be hashed
        key, line = None, None
    if line is None:
        kind, shown = taken(parameter)
        plain = name.lstrip("*")
        only = kind.removesuffix(", optional").removesuffix("optional")
        sentence = (
            TYPED.get((plain, annotation))
            or ROOM_PARAMETERS.get(room, {}).get(plain)
            or PARAMETERS.get(plain)
            or _plain(name, only)
        )
        line = f"{indent}    {name} ({kind}): {sentence}{shown}" if kind else f"{indent}    {name}: {sentence}"
        if key is not None:
            _lines[key] = line
    return line


def taken(parameter: Parameter) -> tuple[str, str]:
    """What a parameter takes, as ``int, optional``, and the sentence about its default."""
    _, annotation, default = parameter
    kind = TYPES.get(annotation) or _kind(str(annotation))
    optional = "" if default is _EMPTY else ", optional" if kind else "optional"
    return kind + optional, f" Default: ``{text}``." if (text := _shown(default)) else ""


def _shown(default: Any) -> str:
    """A default as a program writes it; empty where that would be long, or no program's text."""
    if default is _EMPTY or callable(default):
        return ""
    text = f"{type(default).__name__}.{default.name}" if isinstance(default, enum.Enum) else repr(default)
    return "" if len(text) > 60 or "<" in text else text


def _kind(annotation: str) -> str:
    words = [TYPES.get(word, word) for word in annotation.split(" | ") if word not in ("None", "Any", "")]
    return " or ".join(dict.fromkeys(words)).replace("(", "").replace(")", "")


def _plain(name: str, kind: str) -> str:
    words = name.lstrip("*").strip("_").replace("_", " ")
    return KINDS.get(kind, "The {}.").format(words)


def _returned(name: str, declared: Any, annotation: str, names: Sequence[str]) -> str:
    names = [*names, "input", "other"]
    special = RETURNS.get(name) or RETURNS.get(name.rstrip("_"))
    if special:
        return special
    kind = result_kinds.get(declared.name if declared is not None else name, "")
    if kind.startswith("tuple"):
        count = kind.removeprefix("tuple").strip()
        return f"A tuple of {count} Tensors." if count else "A tuple of Tensors."
    if kind:
        return RESULTS[kind].format(*names)
    shown = _kind(annotation)
    return (
        f"{shown}, the result."
        if shown
        else "None."
        if annotation == "None"
        else "The result; a Tensor unless said otherwise above."
    )


def _refusals(thing: Any, declared: Any, arguments: Sequence[Parameter], inputs: Sequence[Parameter]) -> list[str]:
    """What a call is refused for: by the annotations, by the decorators of the declaration, and by its body's checks."""
    if declared is None:
        return []
    found: dict[str, list[str]] = {}
    for name, annotation, default in (*arguments, *inputs):
        kind = TYPES.get(annotation.removesuffix(" | None"))
        if kind:
            none = " or None" if annotation.endswith("| None") or default is None else ""
            found.setdefault(kind + none, []).append(f"`{name}`")
    lines = [f"TypeError: If {' or '.join(names)} is not {_article(kind)}." for kind, names in found.items()]
    lines += getattr(declared.body, "refusals", ())
    called = set(body_of(declared).__code__.co_names)
    lines += dict.fromkeys(sentence for check, sentence in CHECKS.items() if check in called)
    return [*lines, CHECKS["bounds"]] if declared.bounds or declared.outcome else lines


def body_of(declared: Any) -> Any:
    body = declared.body
    while hasattr(body, "__wrapped__"):
        body = body.__wrapped__
    return body


def _article(kind: str) -> str:
    return kind if kind.startswith("mindspore") else f"an {kind}" if kind[0] in "aeiou" else f"a {kind}"
