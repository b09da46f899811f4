"""Find the AST of a function: its file is parsed once, the definition is located by the code object's position."""

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
    """A function definition in the source text."""

    node: FunctionNode
    class_name: str  # the innermost enclosing class, for name mangling


def definition_of(function: types.FunctionType) -> Definition:
    """The definition of a function, as a copy that may be modified.

    Raises:
        OSError: the source is unavailable, or does not match the function.
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
    """A deep copy of an AST, positions included.

    Only AST fields: tools attach links to shared trees (IPython sets ``parent``).
    """
    copy = type(node).__new__(type(node))  # the constructor without fields is deprecated
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
    """The source text of a file: definitions by first line, and whether a code object matches it."""

    def __init__(self, lines: list[str], filename: str):
        self.lines = lines
        self.filename = filename
        tree = ast.parse("".join(lines))
        self.definitions: dict[int, list[Definition]] = {}
        for definition in _walk(tree, ""):
            self.definitions.setdefault(_first_line(definition.node), []).append(definition)
        self.lines_of: dict[tuple, list[int]] | None = None  # essence of a code object -> first lines

    def line_of(self, code: types.CodeType) -> int | None:
        """The line whose definition compiles to this code, or None; the code's own line if that cannot be determined."""
        if self.filename.startswith(PACKAGE):  # library code does not change at run time
            return code.co_firstlineno
        if self.lines_of is None:
            try:
                whole = compile("".join(self.lines), self.filename, "exec", code.co_flags & _FUTURE, True)
            except SyntaxError:  # top-level await in a notebook cell
                return code.co_firstlineno
            self.lines_of = {}
            for inner in _codes_in(whole):
                self.lines_of.setdefault(_essence(inner), []).append(inner.co_firstlineno)
        lines = self.lines_of.get(_essence(code), [])
        if code.co_firstlineno in lines:
            return code.co_firstlineno
        return (
            lines[0] if len(lines) == 1 else None
        )  # %autoreload recompiles a changed function alone, with other line numbers


_FUTURE = 0x1FF0000  # the flags of `from __future__ import ...` in a code object
_STARTED = time.time()
_files: dict[str, _Text] = {}


def _definitions(code: types.CodeType, namespace: dict) -> tuple[list[Definition], int]:
    """The definitions that start on the code's first line, and the line offset between text and code."""
    text = _text(code.co_filename, namespace)
    line = text.line_of(code)
    if line is None:  # the text is older or newer than the function, or the code is generated
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
    if known is None or known.lines is not lines:  # linecache reloaded the file
        known = _files[filename] = _Text(lines, filename)
    return known


def _changed_lately(filename: str) -> bool:
    try:
        return os.stat(filename).st_mtime > _STARTED
    except OSError:
        return False


def _essence(code: types.CodeType) -> tuple:
    """A hashable fingerprint of a code object, independent of its line numbers."""
    constants = tuple(
        _essence(const) if isinstance(const, types.CodeType) else (type(const), repr(const)) for const in code.co_consts
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
    # Compare suffixes: private names are mangled in code objects.
    same = len(listed) <= len(code.co_varnames) and all(v.endswith(a.arg) for a, v in zip(listed, code.co_varnames))
    last = max((line for _, _, line in code.co_lines() if line is not None), default=0) + shift
    return same and code.co_name.endswith(name) and last <= (node.end_lineno or 0)


def _by_columns(candidates: list[Definition], code: types.CodeType) -> list[Definition]:
    """Of several lambdas on a line, the smallest that encloses all column positions of the code."""
    positions = [(line, column) for line, _, column, end in code.co_positions() if end]
    spots = [(line, column) for line, column in positions if line is not None and column is not None]
    around = [d for d in candidates if spots and all(_is_inside(d.node, line, column) for line, column in spots)]
    return sorted(around, key=_extent)[:1]


def _is_inside(node: FunctionNode, line: int, column: int) -> bool:
    body = node.body if isinstance(node, ast.Lambda) else node
    end = (body.end_lineno or 0, body.end_col_offset or 0)
    return (body.lineno, body.col_offset) <= (line, column) < end


def _extent(definition: Definition) -> tuple[int, int]:
    node = definition.node
    return ((node.end_lineno or 0) - node.lineno, (node.end_col_offset or 0) - node.col_offset)
