"""Finds the syntax tree of a function: its file is parsed once, the definition is told by the code object's position."""

from __future__ import annotations

import ast
import linecache
import os
import time
import types
from collections.abc import Iterator
from typing import NamedTuple, TypeVar

from mindspore._utils.folders import PACKAGE

FunctionNode = ast.FunctionDef | ast.Lambda
Node = TypeVar("Node", bound=ast.AST)


class Definition(NamedTuple):
    """Where a function is defined in the program's text."""

    node: FunctionNode
    class_name: str  # the innermost class around it, which names beginning with two underscores belong to


def definition_of(function: types.FunctionType) -> Definition:
    """The definition of a function, as a tree of its own that may be changed.

    Raises:
        OSError: the source is not to be had, or is not the one the function was made from.
    """
    code = function.__code__
    candidates, shift = _definitions(code, function.__globals__)
    found = [d for d in candidates if _matches(d.node, code, shift)]
    if len(found) > 1:
        found = _by_columns(found, code)
    if len(found) != 1:
        reason = "several functions begin on that line" if found else "the file changed since it was loaded"
        raise OSError(f"line {code.co_firstlineno} of {code.co_filename} does not tell it apart: {reason}")
    return found[0]._replace(node=copied(found[0].node))


def copied(node: Node) -> Node:
    """A copy of a tree, positions included.

    Only what belongs to the node: others who share the tree hang links on it (IPython sets ``parent`` to show an error).
    """
    copy = type(node).__new__(type(node))  # calling it without its fields is deprecated
    own = node.__dict__
    for name in (*node._fields, *node._attributes):
        if name not in own:
            continue
        value = own[name]
        if isinstance(value, ast.AST):
            value = copied(value)
        elif isinstance(value, list):
            value = [copied(v) if isinstance(v, ast.AST) else v for v in value]
        copy.__dict__[name] = value
    return copy


class _Text:
    """The text of a file: its definitions by their first line, and whether a function was made from it."""

    def __init__(self, lines: list[str], filename: str):
        self.lines = lines
        self.filename = filename
        tree = ast.parse("".join(lines))
        self.definitions: dict[int, list[Definition]] = {}
        for definition in _walk(tree, ""):
            self.definitions.setdefault(_first_line(definition.node), []).append(definition)
        self.places: dict[tuple, list[int]] | None = None  # what functions do -> first lines

    def line_of(self, code: types.CodeType) -> int | None:
        """The line where compiling the text gives this code, or None. The code's own where that cannot be found out."""
        if self.filename.startswith(PACKAGE):  # does not change while a program runs
            return code.co_firstlineno
        if self.places is None:
            try:
                whole = compile("".join(self.lines), self.filename, "exec", code.co_flags & _FUTURE, True)
            except SyntaxError:  # a notebook's cell may await outside of functions
                return code.co_firstlineno
            self.places = {}
            for inner in _codes_in(whole):
                self.places.setdefault(_essence(inner), []).append(inner.co_firstlineno)
        lines = self.places.get(_essence(code), [])
        if code.co_firstlineno in lines:
            return code.co_firstlineno
        return (
            lines[0] if len(lines) == 1 else None
        )  # %autoreload compiles a changed function alone: its lines are others


_FUTURE = 0x1FF0000  # the flags of `from __future__ import ...` in a code object
_STARTED = time.time()
_files: dict[str, _Text] = {}


def _definitions(code: types.CodeType, namespace: dict) -> tuple[list[Definition], int]:
    """The definitions that begin on the code's first line, and how far that line is from where the code has it."""
    text = _text(code.co_filename, namespace)
    line = text.line_of(code)
    if line is None:  # read before or after the function was made, or the code is not Python's own
        linecache.checkcache(code.co_filename)
        fresh = _text(code.co_filename, namespace)
        line = fresh.line_of(code)
        if line is None and (fresh is not text or _changed_lately(code.co_filename)):
            raise OSError(f"{code.co_filename} changed since it was loaded")
        text, line = fresh, line or code.co_firstlineno
    return text.definitions.get(line, []), line - code.co_firstlineno


def _text(filename: str, namespace: dict) -> _Text:
    lines = linecache.getlines(filename, namespace)
    if not lines:
        raise OSError(f"there is no source file {filename!r}")
    known = _files.get(filename)
    if known is None or known.lines is not lines:  # linecache has read the file again
        known = _files[filename] = _Text(lines, filename)
    return known


def _changed_lately(filename: str) -> bool:
    try:
        return os.stat(filename).st_mtime > _STARTED
    except OSError:
        return False


def _essence(code: types.CodeType) -> tuple:
    """What a function does, wherever it stands; a hashable."""
    constants = tuple(
        _essence(one) if isinstance(one, types.CodeType) else (type(one), repr(one)) for one in code.co_consts
    )
    names = (code.co_names, code.co_varnames, code.co_freevars, code.co_cellvars)
    return (code.co_name, code.co_argcount, code.co_kwonlyargcount, code.co_code, names, constants)


def _codes_in(code: types.CodeType) -> Iterator[types.CodeType]:
    for constant in code.co_consts:
        if isinstance(constant, types.CodeType):
            yield constant
            yield from _codes_in(constant)


def _walk(node: ast.AST, class_name: str) -> Iterator[Definition]:
    for child in ast.iter_child_nodes(node):
        if isinstance(child, (ast.FunctionDef, ast.Lambda)):
            yield Definition(child, class_name)
        yield from _walk(child, child.name if isinstance(child, ast.ClassDef) else class_name)


def _first_line(node: FunctionNode) -> int:
    if isinstance(node, ast.FunctionDef) and node.decorator_list:
        return node.decorator_list[0].lineno
    return node.lineno


def _matches(node: FunctionNode, code: types.CodeType, shift: int) -> bool:
    name = node.name if isinstance(node, ast.FunctionDef) else "<lambda>"
    arguments = node.args
    listed = [*arguments.posonlyargs, *arguments.args, *arguments.kwonlyargs]
    listed += [a for a in (arguments.vararg, arguments.kwarg) if a is not None]
    # Names are compared by their ends: in code, private ones carry the class's name in front.
    same = len(listed) <= len(code.co_varnames) and all(v.endswith(a.arg) for a, v in zip(listed, code.co_varnames))
    last = max((line for _, _, line in code.co_lines() if line is not None), default=0) + shift
    return same and code.co_name.endswith(name) and last <= (node.end_lineno or 0)


def _by_columns(candidates: list[Definition], code: types.CodeType) -> list[Definition]:
    """Of several lambdas on a line, the smallest one around all of the code."""
    places = [(line, column) for line, _, column, end in code.co_positions() if end]
    spots = [(line, column) for line, column in places if line is not None and column is not None]
    around = [d for d in candidates if spots and all(_is_inside(d.node, line, column) for line, column in spots)]
    return sorted(around, key=_extent)[:1]


def _is_inside(node: FunctionNode, line: int, column: int) -> bool:
    body = node.body if isinstance(node, ast.Lambda) else node
    end = (body.end_lineno or 0, body.end_col_offset or 0)
    return (body.lineno, body.col_offset) <= (line, column) < end


def _extent(definition: Definition) -> tuple[int, int]:
    node = definition.node
    return ((node.end_lineno or 0) - node.lineno, (node.end_col_offset or 0) - node.col_offset)
