"""Finds the syntax tree of a function: its file is parsed once, the definition is told by the code object's position."""

from __future__ import annotations

import ast
import linecache
import types
from collections.abc import Iterator
from typing import NamedTuple, TypeVar

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
    found = [d for d in _definitions(code, function.__globals__) if _matches(d.node, code)]
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
    copy = type(node)()
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


_files: dict[str, tuple[list[str], dict[int, list[Definition]]]] = {}


def _definitions(code: types.CodeType, namespace: dict) -> list[Definition]:
    """The definitions that begin on the code's first line."""
    lines = linecache.getlines(code.co_filename, namespace)
    if not lines:
        raise OSError(f"there is no source file {code.co_filename!r}")
    known = _files.get(code.co_filename)
    if known is None or known[0] is not lines:  # linecache has read the file again
        index: dict[int, list[Definition]] = {}
        for definition in _walk(ast.parse("".join(lines)), ""):
            index.setdefault(_first_line(definition.node), []).append(definition)
        known = _files[code.co_filename] = (lines, index)
    return known[1].get(code.co_firstlineno, [])


def _walk(node: ast.AST, class_name: str) -> Iterator[Definition]:
    for child in ast.iter_child_nodes(node):
        if isinstance(child, (ast.FunctionDef, ast.Lambda)):
            yield Definition(child, class_name)
        yield from _walk(child, child.name if isinstance(child, ast.ClassDef) else class_name)


def _first_line(node: FunctionNode) -> int:
    if isinstance(node, ast.FunctionDef) and node.decorator_list:
        return node.decorator_list[0].lineno
    return node.lineno


def _matches(node: FunctionNode, code: types.CodeType) -> bool:
    name = node.name if isinstance(node, ast.FunctionDef) else "<lambda>"
    arguments = node.args
    listed = [*arguments.posonlyargs, *arguments.args, *arguments.kwonlyargs]
    listed += [a for a in (arguments.vararg, arguments.kwarg) if a is not None]
    # Names are compared by their ends: in code, private ones carry the class's name in front.
    same = len(listed) <= len(code.co_varnames) and all(v.endswith(a.arg) for a, v in zip(listed, code.co_varnames))
    last = max((line for _, _, line in code.co_lines() if line is not None), default=0)
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
