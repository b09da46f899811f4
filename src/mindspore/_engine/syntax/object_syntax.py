"""Rewrite what Python does to objects by their own code: attributes, items, operators, truth, iteration, decorators.

Each becomes a call, so that code of the program's classes is seen. ``ObjectRewriter`` does it in every expression,
``PlainRewriter`` also in the statements of generators and class bodies, whose control flow stays Python's.
"""

from __future__ import annotations

import ast
from typing import Any

from mindspore._engine.syntax.source import Node, copied

BINARY = {
    ast.Add: "add", ast.Sub: "sub", ast.Mult: "mul", ast.Div: "truediv", ast.FloorDiv: "floordiv", ast.Mod: "mod",
    ast.Pow: "pow", ast.MatMult: "matmul", ast.LShift: "lshift", ast.RShift: "rshift", ast.BitAnd: "and", ast.BitOr: "or",
    ast.BitXor: "xor",
}  # fmt: skip
UNARY = {ast.USub: "neg", ast.UAdd: "pos", ast.Invert: "invert"}
COMPARED = {ast.Lt: "lt", ast.LtE: "le", ast.Gt: "gt", ast.GtE: "ge", ast.Eq: "eq", ast.NotEq: "ne"}
# They inspect the caller's frame.
CALLED_IN_PLACE = {"breakpoint", "dir", "eval", "exec", "globals", "locals", "set_trace", "vars"}
_MAKING = (ast.List, ast.Dict, ast.Set, ast.ListComp, ast.DictComp, ast.SetComp, ast.GeneratorExp)


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


class ObjectRewriter(ast.NodeTransformer):
    """The part of the rewriter that concerns single objects."""

    self_name: str | None = None  # first parameter of the enclosing function
    checked: set[str]  # possibly unbound names
    outside: frozenset[str] | set[str] = frozenset()  # variables that outlive the call
    shared: frozenset[str] | set[str] = frozenset()  # variables of enclosing functions that are being traced

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
        if name == "has_key" and isinstance(node.func, ast.Attribute):
            function: ast.expr = operator("has_key", self.visit(node.func.value), like=node.func)
        else:
            function = self.visit(node.func)
        node.args = [self.visit(argument) for argument in node.args]
        for keyword in node.keywords:
            value = self.visit(keyword.value)
            keyword.value = value if keyword.arg is not None else operator("mapping", value, like=value)
        if name in CALLED_IN_PLACE and not (name in ("dir", "vars") and node.args):
            node.func = operator("in_place", function, like=node) if name in ("eval", "exec") else function
            return node
        return operator("call", function, *node.args, keywords=node.keywords, like=node)

    # -- attributes and items ---------------------------------------------------------------------------------------
    def visit_Attribute(self, node: ast.Attribute) -> ast.expr:
        value = self.visit(node.value)
        if isinstance(node.ctx, ast.Load):
            return operator("attribute", value, ast.Constant(node.attr), like=node)
        node.value = operator("changed", value, ast.Constant(node.attr), like=node.value)
        return node

    def visit_Subscript(self, node: ast.Subscript) -> ast.expr:
        if isinstance(node.ctx, ast.Load):
            value, key = self.visit(node.value), self.visit(node.slice)
            return operator("item", value, as_key(key), like=node)
        value, key = self._written(node.value), self.visit(node.slice)
        node.value = operator("changed", value, like=node.value)
        hashed = not isinstance(key, (ast.Constant, ast.Slice, ast.Tuple))
        node.slice = operator("key", key, like=key) if hashed else key
        return node

    def _written(self, owner: ast.expr) -> ast.expr:
        """What an item is assigned to: `y[0]` of `y[0][1] = 2` is a part of y, which changes with it."""
        if not isinstance(owner, ast.Subscript):
            return self.visit(owner)
        return operator("part", self._written(owner.value), as_key(self.visit(owner.slice)), like=owner)

    def visit_Dict(self, node: ast.Dict) -> ast.expr:
        for index, (key, value) in enumerate(zip(node.keys, node.values, strict=True)):
            found = self.visit(value)
            node.values[index] = found if key is not None else operator("mapping", found, like=value)
            if key is not None and not isinstance(key, ast.Constant):
                node.keys[index] = operator("key", self.visit(key), like=key)
        return node

    def visit_Set(self, node: ast.Set) -> ast.expr:
        self.generic_visit(node)
        node.elts = [
            one if isinstance(one, (ast.Constant, ast.Starred)) else operator("key", one, like=one) for one in node.elts
        ]
        return node

    # -- operators --------------------------------------------------------------------------------------------------
    def visit_BinOp(self, node: ast.BinOp) -> ast.expr:
        template = isinstance(node.left, ast.JoinedStr) or isinstance(getattr(node.left, "value", None), str)
        constant = isinstance(node.left, ast.Constant) and isinstance(node.right, ast.Constant)
        if constant:
            return node
        self.generic_visit(node)
        if template and isinstance(node.op, ast.Mod):
            return operator("formatted", node.left, node.right, like=node)
        return operator(f"op_{BINARY[type(node.op)]}", node.left, node.right, like=node)

    def visit_UnaryOp(self, node: ast.UnaryOp) -> ast.expr:
        if isinstance(node.operand, ast.Constant):
            return node
        self.generic_visit(node)
        name = "not_" if isinstance(node.op, ast.Not) else f"op_{UNARY[type(node.op)]}"
        return operator(name, node.operand, like=node)

    def visit_Compare(self, node: ast.Compare) -> ast.expr:
        self.generic_visit(node)
        if len(node.ops) > 1:
            return node
        sign, right = node.ops[0], node.comparators[0]
        if type(sign) in COMPARED:
            return operator(f"op_{COMPARED[type(sign)]}", node.left, right, like=node)
        if isinstance(sign, (ast.In, ast.NotIn)):
            name = "op_in" if isinstance(sign, ast.In) else "op_not_in"
            return operator(name, node.left, right, like=node)
        return node

    # -- what is made here, and iterated over -----------------------------------------------------------------------
    def visit(self, node: ast.AST) -> Any:
        made = super().visit(node)
        new = isinstance(node, _MAKING) and isinstance(getattr(node, "ctx", None), ast.Load | None)
        return operator("born", made, like=node) if new else made

    def visit_Starred(self, node: ast.Starred) -> ast.expr:
        self.generic_visit(node)
        if isinstance(node.ctx, ast.Load):
            node.value = operator("iterates", node.value, like=node.value)
        return node

    def visit_comprehension(self, node: ast.comprehension) -> ast.comprehension:
        self.generic_visit(node)
        if not node.is_async:
            node.iter = operator("iterates", node.iter, like=node.iter)
        node.ifs = [operator("truth", test, like=test) for test in node.ifs]
        return node

    # -- statements that every function has -------------------------------------------------------------------------
    def visit_Assign(self, node: ast.Assign) -> Any:
        notes = [note for target in node.targets for note in self._notes(target)]
        makes = _may_make(node.value)
        takes = isinstance(node.value, ast.Subscript) and not isinstance(node.value.slice, ast.Slice)
        unpacks = len(node.targets) == 1 and isinstance(node.targets[0], (ast.Tuple, ast.List))
        self.generic_visit(node)
        if takes and isinstance(node.targets[0], ast.Name):
            node.value = operator("taken", node.value, like=node.value)
        if makes:
            node.value = operator("born", node.value, like=node.value)
        if unpacks and not isinstance(node.value, (ast.Tuple, ast.List)):
            node.value = operator("iterates", node.value, like=node.value)
        return [*notes, node]

    def visit_AugAssign(self, node: ast.AugAssign) -> Any:
        """`x.y += 1` becomes x.y = op_iadd(x.y, 1), with what leads to x computed once."""
        target, start = node.target, self._notes(node.target)
        if not isinstance(target, ast.Name) and not _is_path(target):
            start, target = self._once(target)
        present = self.visit(_loaded(target))
        name = f"op_i{BINARY[type(node.op)]}"
        value = operator(name, present, self.visit(node.value), like=node)
        return [*start, placed(ast.Assign([self.visit(target)], value), node)]

    def _once(self, target: Any) -> tuple[list[ast.stmt], Any]:
        """Statements that give names to the parts of a target, and the target by these names."""
        parts: list[tuple[str, ast.expr]] = [("ag__owner", self._written(target.value))]
        if isinstance(target, ast.Subscript):
            parts.append(("ag__key", as_key(self.visit(target.slice))))
        start: list[ast.stmt] = [placed(ast.Assign([ast.Name(n, ast.Store())], v), target) for n, v in parts]
        owner = ast.Name("ag__owner", ast.Load())
        if isinstance(target, ast.Subscript):
            made: ast.expr = ast.Subscript(owner, ast.Name("ag__key", ast.Load()), ast.Store())
        else:
            made = ast.Attribute(owner, target.attr, ast.Store())
        return start, placed(made, target)

    def _notes(self, target: ast.AST) -> list[ast.stmt]:
        """Statements that note a variable of outside before its assignment."""
        if isinstance(target, (ast.Tuple, ast.List)):
            return [note for part in target.elts for note in self._notes(part)]
        if isinstance(target, ast.Starred):
            return self._notes(target.value)
        if isinstance(target, ast.Name) and target.id in self.outside:
            return [placed(ast.Expr(operator("rebinds", ast.Constant(target.id), like=target)), target)]
        if isinstance(target, ast.Name) and target.id in self.shared:
            return [self._shares(target.id, target)]
        return []

    @staticmethod
    def _shares(name: str, like: ast.AST) -> ast.stmt:
        """The statement that notes a variable of an enclosing function before its assignment."""
        return placed(ast.Expr(operator("shares", thunk(ast.Name(name, ast.Load())), like=like)), like)

    def visit_With(self, node: ast.With) -> Any:
        self.generic_visit(node)
        for item in node.items:
            item.context_expr = operator("entered", item.context_expr, like=item.context_expr)
        return node

    def visit_Match(self, node: ast.Match) -> Any:
        self.generic_visit(node)
        node.subject = operator("matched", node.subject, like=node.subject)
        return node

    def visit_match_case(self, node: ast.match_case) -> Any:
        node.guard = node.guard and self.visit(node.guard)  # patterns are not expressions
        node.body = [self.visit(statement) for statement in node.body]
        return node

    def visit_ClassDef(self, node: ast.ClassDef) -> Any:
        node.decorator_list = [operator("decorator", self.visit(d), like=d) for d in node.decorator_list]
        node.bases = [operator("base", self.visit(base), like=base) for base in node.bases]
        for keyword in node.keywords:
            keyword.value = operator("base", self.visit(keyword.value), like=keyword.value)
        body = PlainRewriter(None, set())
        node.body = body.block(node.body)
        return node


class PlainRewriter(ObjectRewriter):
    """Rewrites a generator or a class body: every object is seen, `if` and loops stay."""

    def __init__(self, self_name: str | None, checked: set[str], outside: frozenset[str] | set[str] = frozenset(),
                 shared: frozenset[str] | set[str] = frozenset()):  # fmt: skip
        self.self_name = self_name
        self.checked = checked
        self.outside = outside
        self.shared = shared

    def block(self, body: list[ast.stmt]) -> list[ast.stmt]:
        result: list[ast.stmt] = []
        for statement in body:
            made = self.visit(statement)
            result += made if isinstance(made, list) else [made]
        return result

    def visit_FunctionDef(self, node: ast.FunctionDef) -> ast.stmt:
        return node  # rewritten when it is called

    def visit_AsyncFunctionDef(self, node: ast.AsyncFunctionDef) -> ast.stmt:
        return node

    def visit_Lambda(self, node: ast.Lambda) -> ast.expr:
        return node

    def visit_For(self, node: ast.For) -> ast.stmt:
        self.generic_visit(node)
        node.iter = operator("iterates", node.iter, like=node.iter)
        return node

    def visit_YieldFrom(self, node: ast.YieldFrom) -> ast.expr:
        self.generic_visit(node)
        node.value = operator("iterates", node.value, like=node.value)
        return node

    def _asks(self, node: Any) -> Any:
        self.generic_visit(node)
        node.test = operator("truth", node.test, like=node.test)
        return node

    def visit_If(self, node: ast.If) -> ast.stmt:
        return self._asks(node)

    def visit_While(self, node: ast.While) -> ast.stmt:
        return self._asks(node)

    def visit_IfExp(self, node: ast.IfExp) -> ast.expr:
        return self._asks(node)

    def visit_Assert(self, node: ast.Assert) -> ast.stmt:
        return self._asks(node)

    def visit_BoolOp(self, node: ast.BoolOp) -> ast.expr:
        self.generic_visit(node)
        node.values = [*[operator("asked", one, like=one) for one in node.values[:-1]], node.values[-1]]
        return node

    def visit_AnnAssign(self, node: ast.AnnAssign) -> ast.stmt:
        node.value = node.value and self.visit(node.value)  # what annotations mean is the class's matter
        return node


def as_key(key: ast.expr) -> ast.expr:
    """The expression between brackets, with slices as objects."""
    if isinstance(key, ast.Slice):
        bounds = [ast.Constant(None) if one is None else one for one in (key.lower, key.upper, key.step)]
        return operator("slice", *bounds, like=key)
    if isinstance(key, ast.Tuple):
        key.elts = [as_key(one) for one in key.elts]
    return key


def _is_path(node: ast.AST) -> bool:
    """Whether an expression only follows names, attributes and elements: safe to evaluate twice."""
    while isinstance(node, (ast.Attribute, ast.Subscript)):
        if isinstance(node, ast.Subscript) and any(isinstance(p, ast.Call) for p in ast.walk(node.slice)):
            return False
        node = node.value
    return isinstance(node, ast.Name)


def _may_make(node: ast.expr) -> bool:
    """Whether an expression gives a new list where its operands are lists."""
    if isinstance(node, ast.BinOp):
        return isinstance(node.op, (ast.Add, ast.Mult))
    return isinstance(node, ast.Subscript) and isinstance(node.slice, ast.Slice)


def _loaded(node: ast.expr) -> ast.expr:
    """A copy of a path in load context."""
    copy = copied(node)
    copy.ctx = ast.Load()  # type: ignore[attr-defined]
    return copy
