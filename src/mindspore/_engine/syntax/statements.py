"""Rewrite statements: the bodies of `if` and loops become closures, which the runtime operators call.

    if x > 0:                   def ag__then_1():
        y = x                       nonlocal y
    else:                           y = x
        y = -x           ->     def ag__else_1(): ...
                                def ag__set_1(ag__values): ...
                                ag__.if_stmt(x > 0, ag__then_1, ag__else_1, ag__.Variables(lambda: (y,), ag__set_1, "y"))

The output variables of a construct are those it binds that are live afterwards.
"""

from __future__ import annotations

import ast
from collections.abc import Sequence
from typing import Any

from mindspore._engine.syntax import names
from mindspore._engine.syntax.exits import RESULT, lower_exits
from mindspore._engine.syntax.expressions import ExpressionRewriter, can_wait, looks_around
from mindspore._engine.syntax.object_syntax import PlainRewriter, operator, placed, thunk

_SUSPENDING = (ast.Yield, ast.YieldFrom, ast.Await)


def rewrite(function: ast.FunctionDef) -> ast.FunctionDef:
    """Rewrite a function; the AST is modified in place."""
    lower_exits(function)
    return _FunctionRewriter(function).rewritten()


def rewrite_generator(
    function: ast.FunctionDef, checked: set[str] | None = None, around: frozenset[str] = frozenset()
) -> None:
    """Rewrite what a generator does to objects; its control flow stays, it suspends."""
    body = function.body
    outside = names.declared(body, ast.Global) | (names.declared(body, ast.Nonlocal) - around)
    own = names.bound(body) | names.parameters(function.args)
    shared = names.declared(body, ast.Nonlocal) & around
    plain = PlainRewriter(names.first_parameter(function.args), (checked or set()) - own, outside, shared)
    noted = [operator("rebinds", ast.Constant(name), like=body[0]) for name in sorted(outside & _bound_otherwise(body))]
    notes = [placed(ast.Expr(note), body[0]) for note in noted]
    notes += [plain._shares(name, body[0]) for name in sorted(shared & _bound_otherwise(body))]
    function.body = [*notes, *plain.block(body)]


def rewrite_lambda(node: ast.Lambda) -> ast.Lambda:
    """Rewrite a lambda."""
    node.body = ExpressionRewriter(names.first_parameter(node.args), set()).visit(node.body)
    return node


class _FunctionRewriter(ExpressionRewriter):
    """Rewrites one function; nested functions get their own rewriter."""

    def __init__(
        self, function: ast.FunctionDef, enclosing: set[str] | None = None, around: frozenset[str] = frozenset()
    ):
        body = function.body
        self.function = function
        self.globals = names.declared(body, ast.Global)
        self.nonlocals = names.declared(body, ast.Nonlocal)
        parameters = names.parameters(function.args)
        constructs = [n for n in names.own_nodes(body) if isinstance(n, (ast.If, ast.While, ast.For))]
        deleted = names.bound(n for n in names.own_nodes(body) if isinstance(n, ast.Delete))
        # Construct variables are nonlocals of the generated closures, so the enclosing function must bind them.
        elsewhere = parameters | self.globals | self.nonlocals
        self.read_outside = names.only_augmented(body) - elsewhere
        self.undefined = sorted((names.bound(constructs) | deleted | self.read_outside) - elsewhere)
        own = (names.bound(body) | parameters) - self.nonlocals
        checked = ({*self.undefined, *deleted} | ((enclosing or set()) - own)) - {RESULT}
        super().__init__(names.first_parameter(function.args), checked)
        self.outside = self.globals | (self.nonlocals - around)  # variables that outlive the call
        self.shared = self.nonlocals & around
        self.around = around | own
        otherwise = _bound_otherwise(body)
        self.bound_otherwise, self.shared_otherwise = self.outside & otherwise, self.shared & otherwise
        self.own = sorted(own - self.globals - {RESULT})
        self.kept = frozenset(names.captured(body) | self.globals | self.nonlocals)  # live beyond any construct
        self.count = 0
        names.mark_live(body)

    def rewritten(self) -> ast.FunctionDef:
        function = self.function
        first = function.body[0]
        body = self._block(function.body)
        start: list[ast.stmt] = []
        for kind, listed in ((ast.Global, self.globals), (ast.Nonlocal, self.nonlocals)):
            if listed:
                start.append(placed(kind(sorted(listed)), first))
        for name in self.undefined:
            value = operator("Undefined", ast.Constant(name), like=first)
            if name in self.read_outside:
                variables = ast.Call(ast.Name("globals", ast.Load()), [], [])
                value = operator("outer", variables, ast.Constant(name), like=first)
            start.append(placed(ast.Assign([ast.Name(name, ast.Store())], value), first))
        if function.args.kwarg is not None:
            made = operator("born", ast.Name(function.args.kwarg.arg, ast.Load()), like=first)
            start.append(placed(ast.Expr(made), first))
        for name in sorted(self.bound_otherwise):
            start.append(placed(ast.Expr(operator("rebinds", ast.Constant(name), like=first)), first))
        start += [self._shares(name, first) for name in sorted(self.shared_otherwise)]
        function.body = [*start, *body] or [placed(ast.Pass(), first)]
        return function

    def _block(self, body: Sequence[ast.stmt]) -> list[ast.stmt]:
        result: list[ast.stmt] = []
        for statement in body:
            new = self.visit(statement)
            result.extend(new if isinstance(new, list) else [new] if new is not None else [])
        return result

    def generic_visit(self, node: Any) -> Any:
        for field, value in ast.iter_fields(node):
            if isinstance(value, list) and value and isinstance(value[0], ast.stmt):
                setattr(node, field, self._block(value) or [placed(ast.Pass(), value[0])])
            elif isinstance(value, list):
                value[:] = [self.visit(v) if isinstance(v, ast.AST) else v for v in value]
            elif isinstance(value, ast.AST):
                setattr(node, field, self.visit(value))
        return node

    # -- constructs -------------------------------------------------------------------------------------------------
    def visit_If(self, node: ast.If) -> list[ast.stmt]:
        test, number = self.visit(node.test), self._number()
        variables, made = self._variables(node, [*node.body, *node.orelse], number)
        then = self._part(f"ag__then_{number}", node.body, node)
        other = self._part(f"ag__else_{number}", node.orelse, node)
        called = operator("if_stmt", test, _name(then), _name(other), variables, like=node)
        return [*made, then, other, placed(ast.Expr(called), node)]

    def visit_While(self, node: ast.While) -> list[ast.stmt]:
        number = self._number()
        variables, made = self._variables(node, [node.test, *node.body], number)
        test: ast.expr = ast.Constant(True)
        if can_wait(node.test):
            test = thunk(self.visit(node.test))
        else:  # `:=` in a lambda would bind a name of the lambda
            asked = self._part(f"ag__test_{number}", [placed(ast.Return(node.test), node)], node)
            made, test = [*made, asked], _name(asked)
        body = self._part(f"ag__body_{number}", node.body, node)
        called = operator("while_stmt", test, _name(body), variables, like=node)
        return [*made, body, placed(ast.Expr(called), node)]

    def visit_For(self, node: ast.For) -> list[ast.stmt]:
        iterated, number = self.visit(node.iter), self._number()
        goes_on = getattr(node, "goes_on", None)
        again = ast.Constant(None) if goes_on is None else thunk(self.visit(goes_on))
        variables, made = self._variables(node, [node.target, *node.body], number)
        item = f"ag__item_{number}"
        take = placed(ast.Assign([node.target], ast.Name(item, ast.Load())), node)
        body = self._part(f"ag__body_{number}", [take, *node.body], node, item)
        called = operator("for_stmt", iterated, again, _name(body), variables, like=node)
        return [*made, body, placed(ast.Expr(called), node)]

    def _number(self) -> int:
        self.count += 1
        return self.count

    def _variables(self, node: ast.stmt, parts: list, number: int) -> tuple[ast.expr, list[ast.stmt]]:
        """The expression for a construct's output variables, and the closure that sets them."""
        listed = sorted(names.bound(parts) & (node.live | self.kept))  # type: ignore[attr-defined]
        if not listed:
            return ast.Constant(None), []
        setter = f"ag__set_{number}"
        target = ast.Tuple([ast.Name(n, ast.Store()) for n in listed], ast.Store())
        assign = placed(ast.Assign([target], ast.Name("ag__values", ast.Load())), node)
        noted = [self._shares(name, node) for name in listed if name in self.shared]
        made = self._function(setter, [*noted, assign], set(listed), node, "ag__values")
        current = placed(ast.Tuple([ast.Name(n, ast.Load()) for n in listed], ast.Load()), node)
        words = [ast.Constant(name) for name in listed]
        variables = operator("Variables", thunk(current), ast.Name(setter, ast.Load()), *words, like=node)
        return variables, [made]

    def _part(
        self, name: str, body: Sequence[ast.stmt], like: ast.stmt, argument: str | None = None
    ) -> ast.FunctionDef:
        """A closure made from a part of this function."""
        assigned = names.bound(body)
        seen = self._in_sight(body)
        return self._function(name, [*seen, *self._block(body)], assigned, body[0] if body else like, argument)

    def _in_sight(self, body: Sequence[ast.stmt]) -> list[ast.stmt]:
        """For debuggers and ``locals()``: reference all local variables, though this part does not use them."""
        if not any(looks_around(node) for node in names.own_nodes(body)):
            return []
        mentioned: list[ast.stmt] = [ast.Expr(ast.Name(name, ast.Load())) for name in self.own]
        # dead code: referencing a name captures it
        return [placed(ast.If(ast.Constant(False), mentioned or [ast.Pass()], []), body[0])]

    def _function(self, name: str, body: list[ast.stmt], assigned: set[str], like: ast.stmt,
                  argument: str | None = None) -> ast.FunctionDef:  # fmt: skip
        start: list[ast.stmt] = []
        for kind, listed in ((ast.Global, assigned & self.globals), (ast.Nonlocal, assigned - self.globals)):
            if listed:
                start.append(kind(sorted(listed)))
        given = [] if argument is None else [ast.arg(argument)]
        arguments = ast.arguments(posonlyargs=[], args=given, kwonlyargs=[], kw_defaults=[], defaults=[])
        return placed(ast.FunctionDef(name, arguments, [*start, *body] or [ast.Pass()], []), like)

    # -- other statements -------------------------------------------------------------------------------------------
    def visit_FunctionDef(self, node: ast.FunctionDef) -> ast.stmt:
        node.decorator_list = [operator("decorator", self.visit(d), like=d) for d in node.decorator_list]
        node.args.defaults = [self.visit(d) for d in node.args.defaults]
        node.args.kw_defaults = [d and self.visit(d) for d in node.args.kw_defaults]
        if any(isinstance(part, _SUSPENDING) for part in names.own_nodes(node.body)):
            rewrite_generator(node, self.checked, self.around)
            return self._converted(node)
        lower_exits(node)
        node = _FunctionRewriter(node, self.checked, self.around).rewritten()
        return self._converted(node)

    @staticmethod
    def _converted(node: ast.FunctionDef) -> ast.FunctionDef:
        node.decorator_list.append(placed(ast.Attribute(ast.Name("ag__", ast.Load()), "converted", ast.Load()), node))
        return node

    def visit_AsyncFunctionDef(self, node: ast.AsyncFunctionDef) -> ast.stmt:
        return node

    def visit_Global(self, node: ast.stmt) -> None:
        return None  # declared at the start of every closure that binds it

    def visit_Nonlocal(self, node: ast.stmt) -> None:
        return None

    def visit_AnnAssign(self, node: ast.AnnAssign) -> ast.stmt | list[ast.stmt] | None:
        if node.value is None:
            return None
        return self.visit(placed(ast.Assign([node.target], node.value), node))

    def visit_Delete(self, node: ast.Delete) -> list[ast.stmt]:
        result = [note for target in node.targets for note in self._notes(target)]
        for target in node.targets:
            if isinstance(target, ast.Name):
                value = operator("deleted", ast.Name(target.id, ast.Load()), ast.Constant(target.id), like=node)
                result.append(placed(ast.Assign([ast.Name(target.id, ast.Store())], value), node))
            else:
                result.append(placed(ast.Delete([self.visit(target)]), node))
        return result

    def visit_Try(self, node: ast.Try) -> ast.stmt:
        self.generic_visit(node)
        if node.handlers:
            item = ast.withitem(operator("trying", like=node))
            node.body = [placed(ast.With([item], node.body), node)]
        return node

    def visit_Assert(self, node: ast.Assert) -> ast.stmt:
        self.generic_visit(node)
        message = ast.Constant(None) if node.msg is None else thunk(node.msg)
        return placed(ast.Expr(operator("assert_stmt", node.test, message, like=node)), node)

    def visit_Raise(self, node: ast.Raise) -> ast.stmt:
        self.generic_visit(node)
        if node.exc is not None:
            node.exc = operator("raised", node.exc, like=node)
        return node

    def visit_match_case(self, node: ast.match_case) -> ast.AST:
        node.guard = node.guard and self.visit(node.guard)  # patterns are not expressions
        node.body = self._block(node.body)
        return node

    def visit_ExceptHandler(self, node: ast.ExceptHandler) -> ast.AST:
        self.generic_visit(node)
        if node.name in self.checked:  # Python unbinds the name at the end; a construct's variable must stay bound
            kept = placed(ast.Assign([ast.Name(node.name, ast.Store())], ast.Name("ag__error", ast.Load())), node)
            node.body.insert(0, kept)
            node.name = "ag__error"
        return node


def _bound_otherwise(body: Sequence[ast.stmt]) -> set[str]:
    """The names a function binds by other statements than assignments."""
    found: set[str] = set()
    for node in names.own_nodes(body):
        if isinstance(node, (ast.For, ast.NamedExpr)):
            found |= names.bound([node.target])
        elif isinstance(node, ast.withitem) and node.optional_vars is not None:
            found |= names.bound([node.optional_vars])
        elif isinstance(node, (ast.Import, ast.ImportFrom, ast.FunctionDef, ast.ClassDef)):
            found |= names.bound([node])
    return found


def _name(function: ast.FunctionDef) -> ast.expr:
    return placed(ast.Name(function.name, ast.Load()), function)
