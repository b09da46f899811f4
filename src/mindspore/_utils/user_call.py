"""The call as the user wrote it, read from the stack after an argument was refused: what was passed, and what may be.

    For 'ReduceMean', the 'axis' must be an int, but got 'a' of type str.
    Called as mean(Tensor, dim=str); it takes mean(input: Tensor, axis: int | tuple | list | Tensor = None, keep_dims: bool = False).

Nothing here runs while calls succeed.
"""

from __future__ import annotations

import dis
import inspect
import os
import sys
import types
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any, NamedTuple

from mindspore._utils.documents.annotation_words import described, parameter_text
from mindspore._utils.folders import PACKAGE


class UserCall(NamedTuple):
    """What was called: the names it has, what was passed, and the parameters of each of its forms as text."""

    names: Sequence[str]
    args: Sequence[Any]
    kwargs: Mapping[str, Any]
    forms: Sequence[str]


READERS: dict[types.CodeType, Callable[[dict[str, Any]], UserCall]] = {}  # by the code of functions made by engines
_ROOMS = tuple(
    os.path.join(PACKAGE, *room.split("/")) + os.sep
    for room in (
        "_ops",
        "ops",
        "mint",
        "numpy",
        "nn",
        "train",
        "amp",
        "dataset",
        "common",
        "_engine/operator",
        "_engine/tensor",
        "_engine/base",
    )
)
_BETWEEN = (
    *(os.path.join(PACKAGE, "_engine", room) + os.sep for room in ("syntax", "tracing")),
    os.path.join(PACKAGE, "_engine", "execution", "views.py"),  # around operators whose results share their elements
)
_LIBRARY = f"{os.sep}jax{os.sep}"
_STANDARD = os.path.dirname(os.__file__) + os.sep
_EXTENSION = os.path.join(PACKAGE, "_ops", "functional", "extension_tensors.py")
_MEMBERS = ("LOAD_ATTR", "LOAD_METHOD")
_LOADS = (*_MEMBERS, "LOAD_NAME", "LOAD_GLOBAL", "LOAD_FAST", "LOAD_DEREF")


def called_as() -> str:
    """A line about the operator, method or Primitive that the user called; empty if that was something else."""
    ours: types.FrameType | None = None
    frame: types.FrameType | None = sys._getframe(1)
    while frame is not None and frame.f_code.co_filename.startswith(PACKAGE):
        if not frame.f_code.co_filename.startswith(_BETWEEN):
            ours = frame
        frame = frame.f_back
    if ours is None or frame is None or not ours.f_code.co_filename.startswith(_ROOMS):
        return ""
    if _LIBRARY in frame.f_code.co_filename:  # a trace that the library began: no call of the user
        return ""
    if _is_standard(frame.f_code.co_filename) or ours.f_code.co_filename == _EXTENSION:  # a thread's, or one in C++
        return ""
    try:
        return _line(ours, _word(frame))
    except Exception:  # a message about a wrong call must not become another error
        return ""


def _is_standard(path: str) -> bool:
    """Whether a file is Python's own."""
    return path.startswith(_STANDARD) and "site-packages" not in path


def _line(frame: types.FrameType, word: tuple[str, bool]) -> str:
    reader = READERS.get(frame.f_code) or _reader_of_class(frame.f_locals)
    call = reader(frame.f_locals) if reader is not None else _plain_call(frame, word[0])
    is_name = word[0] in call.names or (word[1] and word[0].isidentifier())
    name = word[0] if is_name or not call.names else call.names[0]
    by_name = [f"{key}={described(value)}" for key, value in call.kwargs.items()]
    passed = ", ".join([*map(described, call.args), *by_name])
    forms = " or ".join(f"{name}{form}" for form in call.forms)
    return f"\nCalled as {name}({passed}); it takes {forms}."


def _reader_of_class(values: Mapping[str, Any]) -> Callable[[dict[str, Any]], UserCall] | None:
    """How to read a call of an object whose class adds checks to a constructor or call that has a reader."""
    if not {"self", "args", "kwargs"} <= values.keys():
        return None
    made = [base.__dict__.get("__init__") for base in type(values["self"]).__mro__]
    return next((READERS[one.__code__] for one in made if getattr(one, "__code__", None) in READERS), None)


def _word(frame: types.FrameType) -> tuple[str, bool]:
    """What the user's line calls, and whether it is a member: ``mean`` of ``x.mean(dim=0)``."""
    instructions = list(dis.get_instructions(frame.f_code))
    call = max((one for one in instructions if one.offset <= frame.f_lasti), key=lambda one: one.offset)
    # Of `ops.cat(x).sum()` both calls begin at the same place; what the line goes on to do comes behind the one that failed.
    loads = [
        one for one in instructions if one.opname in _LOADS and _start(one) == _start(call) and _end(one) <= _end(call)
    ]
    if not loads:
        return "", False
    last = max(loads, key=_end)
    return str(last.argval), last.opname in _MEMBERS


def _start(instruction: dis.Instruction) -> tuple[Any, Any]:
    found = instruction.positions
    return (found.lineno, found.col_offset) if found else (None, None)


def _end(instruction: dis.Instruction) -> tuple[int, int]:
    found = instruction.positions
    return (found.end_lineno or 0, found.end_col_offset or 0) if found else (0, 0)


def _plain_call(frame: types.FrameType, word: str) -> UserCall:
    """A call of a function or class written by hand."""
    code, values = frame.f_code, frame.f_locals
    names = code.co_varnames[: code.co_argcount + code.co_kwonlyargcount]
    first = values.get(names[0]) if names else None
    is_object = names[:1] == ("self",) and code.co_name in ("__init__", "__call__")
    of_object = is_object or (
        names[:1] == ("self",) and described(first) != "Tensor"
    )  # a Tensor is shown as an argument
    title = type(first).__name__ if is_object else getattr(_inner(values), "__name__", code.co_name)
    if title.startswith("__") and title.endswith("__"):  # an operator or assignment: the line shows it
        raise ValueError(title)
    function = next(_functions(frame, first, word), None)
    parameters = dict(_signature(function).parameters) if function is not None else {}
    if of_object:
        parameters.pop("self", None)
    args, kwargs = _passed(code, values, names[of_object:], parameters)
    text = ", ".join(map(parameter_text, parameters.values())) if parameters else ", ".join(names[of_object:])
    return UserCall((title.lstrip("_"),), args, kwargs, (f"({text})",))


def _passed(code: types.CodeType, values: Mapping[str, Any], names: Sequence[str],
            parameters: Mapping[str, inspect.Parameter]) -> tuple[list[Any], dict[str, Any]]:  # fmt: skip
    """What a function written by hand was given, as far as it has not given its variables other values since."""
    changed = {one.argval for one in dis.get_instructions(code) if one.opname == "STORE_FAST"}
    known = {name: values[name] for name in names if name in values and name not in changed}
    given = {
        name: value for name, value in known.items() if name not in parameters or value is not parameters[name].default
    }
    rest = list(code.co_varnames[code.co_argcount + code.co_kwonlyargcount :])
    if not code.co_flags & inspect.CO_VARARGS:
        args = [given.pop(name) for name in names[:1] if name in given]
    else:
        args = [*(given.pop(name) for name in names[: code.co_argcount] if name in given), *values.get(rest.pop(0), ())]
    return args, given | values.get(rest[0], {}) if code.co_flags & inspect.CO_VARKEYWORDS else given


def _inner(values: Mapping[str, Any]) -> Any:
    """The function that a decorated one calls."""
    inner = values.get("function")
    return inner if callable(inner) else None


def _signature(function: Callable[..., Any]) -> inspect.Signature:
    """What a function takes; a decorated one may say it in ``taken``."""
    return getattr(function, "taken", None) or inspect.signature(function)


def _functions(frame: types.FrameType, first: Any, word: str) -> Iterator[Callable[..., Any]]:
    """The function whose frame this is, as far as it is found by its name."""
    code, inner = frame.f_code, _inner(frame.f_locals)
    if inner is not None:
        yield inner
    bases = type(first).__mro__ if code.co_name == "__init__" else ()  # the frame may be that of any of them
    members = (
        *(getattr(type(first), name, None) for name in (code.co_name, word) if name),
        *(vars(base).get(code.co_name) for base in bases),
    )
    for found in (*members, frame.f_globals.get(code.co_name), frame.f_globals.get(word)):
        function = found
        while function is not None:
            if getattr(function, "__code__", None) is code:
                yield function
            function = getattr(function, "__wrapped__", None)
