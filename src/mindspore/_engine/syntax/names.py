"""Scope analysis: names that code binds, reads, and that are live afterwards."""

from __future__ import annotations

import ast
from collections.abc import Iterable, Sequence

Names = frozenset[str]
_NONE: Names = frozenset()
_FUNCTIONS = (ast.FunctionDef, ast.AsyncFunctionDef, ast.Lambda)
_DEFINITIONS = (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)
_COMPREHENSIONS = (ast.ListComp, ast.SetComp, ast.DictComp, ast.GeneratorExp)


# -- bound names ----------------------------------------------------------------------------------------------------
def bound(nodes: Iterable[ast.AST]) -> set[str]:
    """The names these statements bind in their function."""
    names: set[str] = set()
    for node in nodes:
        _collect_bound(node, names)
    return names


def _collect_bound(node: ast.AST, names: set[str]) -> None:
    if isinstance(node, _DEFINITIONS):
        names.add(node.name)
        return
    if isinstance(node, ast.Lambda):
        return
    if isinstance(node, _COMPREHENSIONS):  # comprehensions have their own scope; only := binds outside
        names.update(n.target.id for n in ast.walk(node) if isinstance(n, ast.NamedExpr))
        return
    if isinstance(node, ast.Name) and not isinstance(node.ctx, ast.Load):
        names.add(node.id)
    elif isinstance(node, ast.alias) and node.name != "*":
        names.add(node.asname or node.name.partition(".")[0])
    elif isinstance(node, (ast.MatchAs, ast.MatchStar, ast.ExceptHandler)) and node.name:
        names.add(node.name)
    elif isinstance(node, ast.MatchMapping) and node.rest:
        names.add(node.rest)
    for child in ast.iter_child_nodes(node):
        _collect_bound(child, names)


def only_augmented(body: Iterable[ast.AST]) -> set[str]:
    """The names a function assigns by `+=` and its kin alone, so that it never gives them a first value."""
    targets = [n.target for n in own_nodes(body) if isinstance(n, ast.AugAssign) and isinstance(n.target, ast.Name)]
    if not targets:
        return set()
    for target in targets:
        target.ctx = ast.Load()
    otherwise = bound(body)
    for target in targets:
        target.ctx = ast.Store()
    return {target.id for target in targets} - otherwise


def parameters(arguments: ast.arguments) -> set[str]:
    """The names of a function's parameters."""
    listed = [*arguments.posonlyargs, *arguments.args, *arguments.kwonlyargs]
    return {a.arg for a in listed} | {a.arg for a in (arguments.vararg, arguments.kwarg) if a is not None}


def first_parameter(arguments: ast.arguments) -> str | None:
    """The first parameter, usually self."""
    listed = [*arguments.posonlyargs, *arguments.args]
    return listed[0].arg if listed else None


def declared(nodes: Iterable[ast.AST], kind: type[ast.Global | ast.Nonlocal]) -> set[str]:
    """Names declared global (or nonlocal) in this function body."""
    return {name for node in own_nodes(nodes) if isinstance(node, kind) for name in node.names}


def own_nodes(nodes: Iterable[ast.AST]) -> Iterable[ast.AST]:
    """The nodes of a function without nested functions and classes."""
    pending = list(nodes)
    while pending:
        node = pending.pop()
        yield node
        if not isinstance(node, (*_FUNCTIONS, ast.ClassDef)):
            pending.extend(ast.iter_child_nodes(node))


# -- reads ------------------------------------------------------------------------------------------------------------
def reads(*nodes: ast.AST | None) -> set[str]:
    """Every name these nodes may read, nested functions included."""
    names: set[str] = set()
    for root in nodes:
        for node in ast.walk(root) if root is not None else ():
            if isinstance(node, ast.Name) and isinstance(node.ctx, (ast.Load, ast.Del)):
                names.add(node.id)
            elif isinstance(node, ast.AugAssign) and isinstance(node.target, ast.Name):
                names.add(node.target.id)
    return names


def captured(nodes: Sequence[ast.AST]) -> set[str]:
    """Names captured by nested functions and generators: live at any time."""
    names: set[str] = set()
    for root in nodes:
        for node in ast.walk(root):
            if isinstance(node, (*_FUNCTIONS, ast.ClassDef, ast.GeneratorExp)):
                names |= reads(node)
    return names


# -- liveness -----------------------------------------------------------------------------------------------------------
def mark_live(body: Sequence[ast.stmt], after: Names = _NONE) -> Names:
    """Liveness analysis: annotate every `if` and loop with the names live after it; returns those live before ``body``.

    Requires code without break, continue, and return inside `if` and loops (see ``exits``).
    """
    live = after
    for statement in reversed(body):
        live = _before(statement, live)
    return live


def _before(node: ast.stmt, live: Names) -> Names:
    if isinstance(node, ast.If):
        node.live = live  # type: ignore[attr-defined]
        return mark_live(node.body, live) | mark_live(node.orelse, live) | reads(node.test)
    if isinstance(node, ast.While):
        return _before_loop(node, live | reads(node.test), _NONE)
    if isinstance(node, ast.For):
        again = reads(getattr(node, "goes_on", None))
        return _before_loop(node, live | again, frozenset(bound([node.target]))) | reads(node.iter, node.target)
    if isinstance(node, ast.With):
        return mark_live(node.body, live) | reads(*node.items)
    if isinstance(node, ast.Try):
        return _before_try(node, live)
    if isinstance(node, ast.Match):
        after = live
        for case in node.cases:
            live |= mark_live(case.body, after) | reads(case.pattern, case.guard)
        return live | reads(node.subject)
    if isinstance(node, ast.Return):
        return frozenset(reads(node.value))
    return (live - _replaced(node)) | reads(node)


def _before_loop(node: ast.While | ast.For, head: Names, given: Names) -> Names:
    """Live names at the head of a loop: read by its test, by what follows, or by the next iteration."""
    while True:
        needed = head | (mark_live(node.body, head) - given)
        if needed == head:
            node.live = head  # type: ignore[attr-defined]
            return head
        head = needed


def _before_try(node: ast.Try, live: Names) -> Names:
    # An exception may leave the body anywhere: names live in the handlers are live throughout.
    live |= reads(*node.handlers, *node.orelse, *node.finalbody)
    before = live
    for part in (node.body, node.orelse, node.finalbody, *[handler.body for handler in node.handlers]):
        before |= mark_live(part, live)
    return before


def _replaced(node: ast.stmt) -> set[str]:
    """Names certainly overwritten by this statement."""
    if isinstance(node, ast.Assign):
        return {target.id for target in node.targets if isinstance(target, ast.Name)}
    return {node.name} if isinstance(node, _DEFINITIONS) else set()


# -- private names ------------------------------------------------------------------------------------------------------
def mangle(node: ast.AST, class_name: str) -> None:
    """Apply Python's private name mangling: self.__x becomes self._Class__x."""
    prefix = class_name.lstrip("_")
    if not prefix:
        return

    def mangled(name: str) -> str:
        private = name.startswith("__") and not name.endswith("__") and "." not in name
        return f"_{prefix}{name}" if private else name

    pending = [node]
    while pending:
        part = pending.pop()
        for field in () if isinstance(part, (ast.alias, ast.keyword)) else ("id", "attr", "arg", "name"):
            value = part.__dict__.get(field)
            if isinstance(value, str):
                part.__dict__[field] = mangled(value)
        if isinstance(part, (ast.Global, ast.Nonlocal)):
            part.names = [mangled(name) for name in part.names]
        if not isinstance(part, ast.ClassDef):  # a nested class mangles with its own name
            pending.extend(ast.iter_child_nodes(part))
