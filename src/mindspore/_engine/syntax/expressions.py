"""Rewrite expressions: calls, and/or/not, comparisons, conditional expressions and f-strings become operator calls."""

from __future__ import annotations

import ast
from typing import Any

from mindspore._engine.syntax.names import first_parameter
from mindspore._engine.syntax.source import Node

# They inspect the caller's frame.
_CALLED_IN_PLACE = {"breakpoint", "dir", "eval", "exec", "globals", "locals", "set_trace", "vars"}
_COMPARISONS = {ast.Lt: "<", ast.LtE: "<=", ast.Gt: ">", ast.GtE: ">=", ast.Eq: "==", ast.NotEq: "!=", ast.Is: "is",
                ast.IsNot: "is not", ast.In: "in", ast.NotIn: "not in"}  # fmt: skip
_MAKING = (ast.List, ast.Dict, ast.Set, ast.ListComp, ast.DictComp, ast.SetComp, ast.GeneratorExp)


def looks_around(node: ast.AST) -> bool:
    """Whether this call inspects the local variables of its caller."""
    return isinstance(node, ast.Call) and called_name(node) in _CALLED_IN_PLACE


def called_name(node: ast.Call) -> str:
    """The last component of the callee's name."""
    return getattr(node.func, "id", getattr(node.func, "attr", ""))


def operator(name: str, *args: ast.expr, keywords: list[ast.keyword] | None = None, like: ast.AST) -> ast.Call:
    """A call of a runtime operator, at the source position of the node it replaces."""
    function = ast.Attribute(ast.Name("ag__", ast.Load()), name, ast.Load())
    return placed(ast.Call(function, list(args), keywords or []), like)


def placed(node: Node, like: ast.AST) -> Node:
    """Copy source positions to a new node and its new children."""
    ast.copy_location(node, like)
    pending = list(ast.iter_child_nodes(node))
    while pending:
        child = pending.pop()
        positioned = "lineno" in child._attributes
        if positioned and hasattr(child, "lineno"):
            continue
        if positioned:
            ast.copy_location(child, like)
        pending.extend(ast.iter_child_nodes(child))
    return node


def thunk(body: ast.expr) -> ast.Lambda:
    """lambda: body"""
    empty = ast.arguments(posonlyargs=[], args=[], kwonlyargs=[], kw_defaults=[], defaults=[])
    return placed(ast.Lambda(empty, body), body)


def can_wait(*nodes: ast.expr) -> bool:
    """Whether expressions may be moved into a lambda: not if they bind a name or suspend the function."""
    fixed = (ast.NamedExpr, ast.Await, ast.Yield, ast.YieldFrom)
    return not any(isinstance(part, fixed) for node in nodes for part in ast.walk(node))


class ExpressionRewriter(ast.NodeTransformer):
    """The expression part of the rewriter."""

    def __init__(self, self_name: str | None, checked: set[str]):
        self.self_name = self_name  # first parameter of the enclosing function
        self.checked = checked  # possibly unbound names

    # -- names and calls ------------------------------------------------------------------------------------------
    def visit_Name(self, node: ast.Name) -> ast.expr:
        if isinstance(node.ctx, ast.Load) and node.id in self.checked:
            return operator("ld", node, like=node)
        return node

    def visit_Call(self, node: ast.Call) -> ast.expr:
        name = called_name(node)
        if name == "super" and not node.args and self.self_name:
            node.args = [placed(ast.Name(n, ast.Load()), node) for n in ("__class__", self.self_name)]
            return node
        self.generic_visit(node)
        if name in _CALLED_IN_PLACE:
            return node
        if name == "has_key" and isinstance(node.func, ast.Attribute):
            node.func = operator("has_key", node.func.value, like=node.func)
        return operator("call", node.func, *node.args, keywords=node.keywords, like=node)

    def visit_Lambda(self, node: ast.Lambda) -> ast.expr:
        outer = self.self_name
        self.self_name = first_parameter(node.args) or outer
        self.generic_visit(node)
        self.self_name = outer
        return operator("converted", node, like=node)

    # -- what is made here ------------------------------------------------------------------------------------------
    def visit(self, node: ast.AST) -> Any:
        made = super().visit(node)
        new = isinstance(node, _MAKING) and isinstance(getattr(node, "ctx", None), ast.Load | None)
        return operator("born", made, like=node) if new else made

    def visit_comprehension(self, node: ast.comprehension) -> ast.comprehension:
        self.generic_visit(node)
        if not node.is_async:
            node.iter = operator("iterates", node.iter, like=node.iter)
        return node

    # -- truth ------------------------------------------------------------------------------------------------------
    def visit_BoolOp(self, node: ast.BoolOp) -> ast.expr:
        self.generic_visit(node)
        if not can_wait(*node.values[1:]):
            return node
        name = "and_" if isinstance(node.op, ast.And) else "or_"
        result = node.values[-1]
        for left in reversed(node.values[:-1]):
            result = operator(name, left, thunk(result), like=node)
        return result

    def visit_UnaryOp(self, node: ast.UnaryOp) -> ast.expr:
        self.generic_visit(node)
        return operator("not_", node.operand, like=node) if isinstance(node.op, ast.Not) else node

    def visit_Compare(self, node: ast.Compare) -> ast.expr:
        self.generic_visit(node)
        plain = len(node.ops) == 1 and not isinstance(node.ops[0], (ast.In, ast.NotIn))
        if plain or not can_wait(*node.comparators):
            return node
        pairs: list[ast.expr] = []
        for sign, right in zip(node.ops, node.comparators, strict=True):
            pairs += [ast.Constant(_COMPARISONS[type(sign)]), thunk(right)]
        return operator("compare", node.left, *pairs, like=node)

    def visit_IfExp(self, node: ast.IfExp) -> ast.expr:
        text = ast.unparse(node)
        self.generic_visit(node)
        if not can_wait(node.body, node.orelse):
            return node
        return operator("if_exp", node.test, thunk(node.body), thunk(node.orelse), ast.Constant(text), like=node)

    # -- text -------------------------------------------------------------------------------------------------------
    def visit_BinOp(self, node: ast.BinOp) -> ast.expr:
        template = isinstance(node.left, ast.JoinedStr) or isinstance(getattr(node.left, "value", None), str)
        self.generic_visit(node)
        if template and isinstance(node.op, ast.Mod):
            return operator("formatted", node.left, node.right, like=node)
        return node

    def visit_JoinedStr(self, node: ast.JoinedStr) -> ast.expr:
        self.generic_visit(node)
        pieces: list[ast.expr] = []
        for value in node.values:
            if isinstance(value, ast.FormattedValue):
                way = ast.Constant(chr(value.conversion) if value.conversion > 0 else "")
                form = value.format_spec or ast.Constant("")
                pieces.append(ast.Tuple([value.value, way, form], ast.Load()))
            else:
                pieces.append(value)
        return operator("text", *pieces, like=node)
