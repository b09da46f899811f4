"""Nested expressions as a row of simple statements: ``relu(conv(x))`` becomes ``conv_var = conv(x)`` and ``relu(conv_var)``."""

from __future__ import annotations

import ast
import copy
from collections.abc import Iterable
from typing import TypeGuard


class Names:
    """Names in use, and a generator of fresh names."""

    def __init__(self, taken: Iterable[str] = ()):
        self.taken = set(taken)

    def unique(self, name: str) -> str:
        """The name itself, or with a number when it is taken."""
        found, number = name, 0
        while found in self.taken:
            number += 1
            found = f"{name}_{number}"
        self.taken.add(found)
        return found


def callee_name(call: ast.Call) -> str:
    """The last part of what is called: 'conv' of ``self.conv(x)``."""
    function = call.func
    if isinstance(function, ast.Attribute):
        return function.attr
    return function.id if isinstance(function, ast.Name) else "call"


def is_comparison(value: ast.AST | None) -> TypeGuard[ast.Compare]:
    """Whether an expression compares two values; a chain of comparisons is no node of its own."""
    return isinstance(value, ast.Compare) and len(value.ops) == 1


def statement_name(value: ast.expr) -> str:
    """How a statement that computes a value is called."""
    if isinstance(value, ast.Call):
        return callee_name(value)
    if isinstance(value, ast.BinOp):
        return f"binop_{type(value.op).__name__.lower()}"
    if isinstance(value, ast.UnaryOp):
        return f"unaryop_{type(value.op).__name__.lower()}"
    if isinstance(value, ast.BoolOp):
        return f"boolop_{type(value.op).__name__.lower()}"
    if is_comparison(value):
        return f"compare_{type(value.ops[0]).__name__.lower()}"
    if isinstance(value, ast.Subscript):
        return "subscript_var"
    return type(value).__name__.lower()


def _variable_name(value: ast.expr) -> str:
    if is_comparison(value):
        return "compare_var"
    name = statement_name(value)
    return f"{name.removeprefix('binop_').removeprefix('unaryop_').removeprefix('boolop_')}_var"


class Flattener:
    """Makes simple statements of the statements of a function."""

    def __init__(self, names: Names):
        self.names = names
        self.statements: list[ast.stmt] = []
        self.tests: dict[str, ast.expr] = {}  # conditions of branches by the variables that hold them

    def add(self, statement: ast.stmt) -> None:
        """Add a statement, and before it what its expressions compute."""
        if isinstance(statement, (ast.Assign, ast.Expr)):
            statement.value = self.outer(statement.value)
        elif isinstance(statement, ast.Return) and statement.value is not None:
            statement.value = self.inner(statement.value)
        elif isinstance(statement, ast.If):
            test = copy.deepcopy(statement.test)
            statement.test = self.inner(statement.test)
            if isinstance(statement.test, ast.Name):
                self.tests[statement.test.id] = test
        elif isinstance(statement, ast.For):
            statement.iter = self.inner(statement.iter)
        self.statements.append(statement)

    def outer(self, value: ast.expr) -> ast.expr:
        """An expression whose parts are simple."""
        if isinstance(value, ast.Call):
            if isinstance(value.func, ast.Attribute) and isinstance(value.func.value, (ast.Call, ast.BinOp)):
                value.func.value = self.inner(value.func.value)
            value.args = [
                argument if isinstance(argument, ast.Starred) else self.inner(argument) for argument in value.args
            ]
            for keyword in value.keywords:
                keyword.value = self.inner(keyword.value)
        elif isinstance(value, ast.BinOp):
            value.left, value.right = self.inner(value.left), self.inner(value.right)
        elif isinstance(value, ast.UnaryOp):
            value.operand = self.inner(value.operand)
        elif is_comparison(value):
            value.left, value.comparators = self.inner(value.left), [self.inner(value.comparators[0])]
        elif isinstance(value, (ast.Tuple, ast.List)) and not any(
            isinstance(element, ast.Starred) for element in value.elts
        ):
            value.elts = [self.inner(element) for element in value.elts]
        return value

    def inner(self, value: ast.expr) -> ast.expr:
        """A simple expression: what computes something gets a statement and a name of its own."""
        constant = all(isinstance(part, _PLAIN) for part in ast.walk(value))
        computes = isinstance(value, (ast.Call, ast.BinOp, ast.UnaryOp, ast.BoolOp, ast.Tuple, ast.List))
        if constant or not (computes or is_comparison(value)):
            return value
        value = self.outer(value)
        name = self.names.unique(_variable_name(value))
        self.statements.append(ast.Assign(targets=[ast.Name(name, ast.Store())], value=value, lineno=0))
        return ast.Name(name, ast.Load())


_PLAIN = (ast.Constant, ast.Tuple, ast.List, ast.UnaryOp, ast.expr_context, ast.unaryop)
