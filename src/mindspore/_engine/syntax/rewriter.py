"""Turns the user's functions into a form a graph can follow, and errors into the user's own lines.

The new code is compiled under the name of the user's file with the line numbers of the statements it stands for, so
tracebacks, debuggers and error messages show what the user wrote. The next process finds it on disk (``kept.py``).
"""

from __future__ import annotations

import ast
import functools
import linecache
import os
import sys
import types
from collections.abc import Callable
from typing import Any

from mindspore._engine.base import errors
from mindspore._engine.base.trace_state import state
from mindspore._engine.syntax import disk_cache, names, namespace, python_calls, statements
from mindspore._engine.syntax.closure_snapshot import PARTS
from mindspore._engine.syntax.source import definition_of
from mindspore._engine.tracing import invoke
from mindspore._utils import log

_SHOWN = 10  # lines of a long path that are shown at its beginning and at its end
_FUTURE = 0x1FF0000  # the flags of `from __future__ import ...` in a code object
_PACKAGE = os.path.join(os.path.dirname(__file__).rsplit(os.sep, 2)[0], "")  # the folder of this software
_codes: dict[tuple[types.CodeType, str], types.CodeType | None] = {}  # by the user's code and file
_unreadable: dict[types.CodeType, str] = {}  # why the source of a function is not to be had
_operators = types.CellType(namespace)


def convert(function: types.FunctionType) -> Callable[..., Any]:
    """The function in the form a graph can follow; the function itself when its source cannot be read."""
    key = (function.__code__, function.__code__.co_filename)
    if key not in _codes:
        code = disk_cache.load(function.__code__) or _rewritten_code(function)
        _codes[key] = code and _named(code, function.__code__.co_name, function.__code__.co_qualname)
    code = _codes[key]
    if code is None:
        return function
    cells = dict(zip(function.__code__.co_freevars, function.__closure__ or (), strict=True))
    closure = tuple(_operators if name == "ag__" else cells[name] for name in code.co_freevars)
    converted = types.FunctionType(code, function.__globals__, function.__name__, function.__defaults__, closure)
    converted.__kwdefaults__ = function.__kwdefaults__
    converted.__qualname__ = function.__qualname__
    return converted


def _rewritten_code(function: types.FunctionType) -> types.CodeType | None:
    try:
        definition = definition_of(function)
    except (OSError, SyntaxError) as error:
        _unreadable[function.__code__] = str(error)
        log.once(f"source:{function.__code__}", f"The source of {_place(function)} cannot be read ({error}); it runs in "
                 "graphs as it is, without `if` and loops on Tensor values.", log.INFO)  # fmt: skip
        return None
    node = definition.node
    names.mangle(node, definition.class_name)
    _strip(node.args)
    if isinstance(node, ast.Lambda):
        statement: ast.stmt = ast.copy_location(ast.Expr(statements.rewrite_lambda(node)), node)
    else:
        node.decorator_list, node.returns = [], None
        node.name = "ag__function"  # its own name must lead to what it leads to in the user's program
        statement = statements.rewrite(node)
    code = _compiled(statement, function)
    disk_cache.store(function.__code__, code)
    return code


def _strip(arguments: ast.arguments) -> None:
    """Drop annotations and defaults: those of the function itself are used."""
    for argument in [*arguments.posonlyargs, *arguments.args, *arguments.kwonlyargs, arguments.vararg, arguments.kwarg]:
        if argument is not None:
            argument.annotation = None
    arguments.defaults = [ast.copy_location(ast.Constant(None), d) for d in arguments.defaults]
    arguments.kw_defaults = [d and ast.copy_location(ast.Constant(None), d) for d in arguments.kw_defaults]


def _compiled(statement: ast.stmt, function: types.FunctionType) -> types.CodeType:
    """The code object of the new function. The variables it takes from outside are parameters of a function around it."""
    outside = [ast.arg(name) for name in ("ag__", *function.__code__.co_freevars)]
    arguments = ast.arguments(posonlyargs=[], args=outside, kwonlyargs=[], kw_defaults=[], defaults=[])
    around = ast.copy_location(ast.FunctionDef("ag__around", arguments, [statement], []), statement)
    module = ast.fix_missing_locations(ast.Module([around], []))
    flags = function.__code__.co_flags & _FUTURE
    code = compile(module, function.__code__.co_filename, "exec", flags, dont_inherit=True)
    return _inner(_inner(code))


def _inner(code: types.CodeType) -> types.CodeType:
    return next(constant for constant in code.co_consts if isinstance(constant, types.CodeType))


def _named(code: types.CodeType, name: str, qualname: str) -> types.CodeType:
    """The code under the user's names: a construct is called like the function it stands in."""
    constants = []
    for constant in code.co_consts:
        if isinstance(constant, types.CodeType):
            made = constant.co_name.startswith("ag__") or constant.co_name == "<lambda>"
            inner = name if made else constant.co_name
            constant = _named(constant, inner, qualname if made else f"{qualname}.<locals>.{inner}")
            if made:
                PARTS.add(constant)
        constants.append(constant)
    return code.replace(co_consts=tuple(constants), co_name=name, co_qualname=qualname)


def _place(function: Any) -> str:
    code = function.__code__
    return f"'{function.__qualname__}' ({code.co_filename}:{code.co_firstlineno})"


def call(function: Any, args: tuple, kwargs: dict[str, Any]) -> Any:
    """Call a user's function inside a trace."""
    return python_calls.call(function, *args, **kwargs)


def user_frames(error: BaseException) -> list[tuple[str, int, str, str]]:
    """The user's own lines on the way to an error: file, line, function, source; outermost first."""
    calls_made: list[tuple[types.CodeType, int]] = []
    trace = error.__traceback__
    while trace is not None:
        if not _is_internal(trace.tb_frame.f_code.co_filename):
            calls_made.append((trace.tb_frame.f_code, trace.tb_lineno))
        trace = trace.tb_next
    return _shortened(_lines(calls_made))


def user_stack() -> tuple[list[tuple[str, int, str, str]], list[str]]:
    """The user's own lines inside the present graph, else the one that called it, and the Cells on the way."""
    calls_made: list[tuple[types.CodeType, int]] = []
    cells: list[str] = []
    inside = state.scope is not None
    frame: types.FrameType | None = sys._getframe(1)
    while frame is not None and (inside or not calls_made):
        code = frame.f_code
        if code.co_name == "construct" and code.co_argcount and code not in PARTS:
            cells.append(type(frame.f_locals.get(code.co_varnames[0])).__name__)
        if not _is_internal(code.co_filename) and not code.co_filename.startswith(_PACKAGE):
            calls_made.append((code, frame.f_lineno))
        inside = inside and not _begins_graph(code)
        frame = frame.f_back
    return _shortened(_lines(calls_made[::-1])), cells[::-1]


def _begins_graph(code: types.CodeType) -> bool:
    return code.co_name == "on_tensors" and code.co_filename.endswith(os.path.join("_engine", "graph.py"))


def _lines(calls_made: list[tuple[types.CodeType, int]]) -> list[tuple[str, int, str, str]]:
    frames: list[tuple[str, int, str, str]] = []
    for code, line in calls_made:
        if code in PARTS and frames and frames[-1][2] == code.co_name:
            frames.pop()  # the line of an `if` or loop gives way to the line inside it
        frames.append((code.co_filename, line, code.co_name, _source_line(code, line)))
    return frames


def _source_line(code: types.CodeType, line: int) -> str:
    if code in _unreadable:
        return (
            f"(The compiler cannot read this function: {_unreadable[code]}. It needs the source for `if` and loops on "
            "Tensors: define it in a file or in a notebook's cell, and reload a file that was edited.)"
        )
    return linecache.getline(code.co_filename, line).strip()


def _shortened(frames: list[tuple[str, int, str, str]]) -> list[tuple[str, int, str, str]]:
    """A deep recursion shown by its beginning and its end."""
    left_out = len(frames) - 2 * _SHOWN
    if left_out <= 0:
        return frames
    file, line, name, text = frames[_SHOWN - 1]
    return [*frames[: _SHOWN - 1], (file, line, name, f"{text}\n  ... {left_out} more calls ..."), *frames[-_SHOWN:]]


@functools.cache
def _is_internal(path: str) -> bool:
    folders = ("mindspore/_engine/", "mindspore/_ops/", "mindspore/_utils/", "/jax/", "mindspore/nn/cell")
    return path.startswith("<frozen") or any(folder in path.replace("\\", "/") for folder in folders)


invoke.convert_and_call = call
python_calls.convert = convert
errors.user_frames = user_frames
errors.user_stack = user_stack
