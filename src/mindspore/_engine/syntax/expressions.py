"""Rewrite expressions: and/or, chained comparisons, conditional expressions, lambdas and f-strings become operator calls."""

from __future__ import annotations

import ast

from mindspore._engine.syntax.names import first_parameter
from mindspore._engine.syntax.object_syntax import CALLED_IN_PLACE, ObjectRewriter, called_name, operator, thunk

_COMPARISONS = {ast.Lt: "<", ast.LtE: "<=", ast.Gt: ">", ast.GtE: ">=", ast.Eq: "==", ast.NotEq: "!=", ast.Is: "is",
                ast.IsNot: "is not", ast.In: "in", ast.NotIn: "not in"}  # fmt: skip


def looks_around(node: ast.AST) -> bool:
    """Whether this call inspects the local variables of its caller."""
    return isinstance(node, ast.Call) and called_name(node) in CALLED_IN_PLACE


def can_wait(*nodes: ast.expr) -> bool:
    """Whether expressions may be moved into a lambda: not if they bind a name or suspend the function."""
    fixed = (ast.NamedExpr, ast.Await, ast.Yield, ast.YieldFrom)
    return not any(isinstance(part, fixed) for node in nodes for part in ast.walk(node))


class ExpressionRewriter(ObjectRewriter):
    """The expression part of the rewriter."""

    def __init__(self, self_name: str | None, checked: set[str]):
        self.self_name = self_name
        self.checked = checked

    def visit_Lambda(self, node: ast.Lambda) -> ast.expr:
        outer = self.self_name
        self.self_name = first_parameter(node.args) or outer
        self.generic_visit(node)
        self.self_name = outer
        return operator("converted", node, like=node)

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

    def visit_Compare(self, node: ast.Compare) -> ast.expr:
        if len(node.ops) == 1 or not can_wait(*node.comparators):
            return super().visit_Compare(node)
        self.generic_visit(node)
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
