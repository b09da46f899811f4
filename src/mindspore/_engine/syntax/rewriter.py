"""Rewrite user functions so that control flow on tracers can be traced.

The rewritten code keeps the user's file name and line numbers, so that tracebacks, debuggers and error messages show what
the user wrote. It is cached on disk for the next process (``disk_cache``).
"""

from __future__ import annotations

import ast
import importlib
import inspect
import types
from collections.abc import Callable
from typing import Any

from mindspore._engine.base.user_frames import PARTS, UNREADABLE
from mindspore._engine.syntax import disk_cache, names, namespace, statements
from mindspore._engine.syntax.source import definition_of
from mindspore._engine.tracing import effects
from mindspore._utils import log
from mindspore._utils.documented import written_in

_FUTURE = 0x1FF0000  # the flags of `from __future__ import ...` in a code object
_codes: dict[tuple[types.CodeType, str], types.CodeType | None] = {}  # (user's code, file) -> rewritten code
_operators = types.CellType(namespace)
_watching = types.CellType()  # filled at the first trace that watches for effects


def convert(function: types.FunctionType) -> Callable[..., Any]:
    """The rewritten function; the function itself if its source is not available."""
    key = (function.__code__, function.__code__.co_filename)
    if key not in _codes:
        code = disk_cache.load(function.__code__) or _rewritten_code(function)
        _codes[key] = code and _named(code, function.__code__.co_name, function.__code__.co_qualname)
    code = _codes[key]
    watched = effects.tracked() and not written_in(function).startswith("mindspore.")
    if code is None:
        if watched and effects.counts() and (found := _watching_module().native_code.effect_of(function)):
            effects.lost(f"The source of '{function.__name__}' cannot be read, and {found}", "define it in a file.")
        return function
    own = _watched_operators() if watched else _operators
    cells = dict(zip(function.__code__.co_freevars, function.__closure__ or (), strict=True))
    closure = tuple(own if name == "ag__" else cells[name] for name in code.co_freevars)
    converted = types.FunctionType(code, function.__globals__, function.__name__, function.__defaults__, closure)
    converted.__kwdefaults__ = function.__kwdefaults__
    converted.__qualname__ = function.__qualname__
    return converted


def _watched_operators() -> types.CellType:
    if _watching == types.CellType():
        _watching.cell_contents = _watching_module().NAMESPACE
    return _watching


def _watching_module() -> Any:
    return importlib.import_module("mindspore._engine.syntax.watching")  # deferred: it calls back into this module


def _rewritten_code(function: types.FunctionType) -> types.CodeType | None:
    try:
        definition = definition_of(function)
    except (OSError, SyntaxError) as error:
        UNREADABLE[function.__code__] = str(error)
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
        node.name = "ag__function"  # its name must resolve as in the user's program
        if function.__code__.co_flags & inspect.CO_GENERATOR:
            statements.rewrite_generator(node)
            statement = node
        else:
            statement = statements.rewrite(node)
    code = _compiled(statement, function)
    disk_cache.store(function.__code__, code)
    return code


def _strip(arguments: ast.arguments) -> None:
    """Drop annotations and defaults: those of the original function are used."""
    for argument in [*arguments.posonlyargs, *arguments.args, *arguments.kwonlyargs, arguments.vararg, arguments.kwarg]:
        if argument is not None:
            argument.annotation = None
    arguments.defaults = [ast.copy_location(ast.Constant(None), d) for d in arguments.defaults]
    arguments.kw_defaults = [d and ast.copy_location(ast.Constant(None), d) for d in arguments.kw_defaults]


def _compiled(statement: ast.stmt, function: types.FunctionType) -> types.CodeType:
    """Compile the rewritten function. Its free variables are parameters of an enclosing factory."""
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
    """Rename code objects to the user's names: a construct is shown as the function it is part of."""
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
