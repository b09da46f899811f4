"""Branches that are decided before a network runs: ``if self.training_head:`` becomes the statements of the chosen branch."""

from __future__ import annotations

import ast
from typing import Any

from mindspore._engine.tensor.tensor import Tensor

_CALLED = {"isinstance": isinstance, "hasattr": hasattr, "len": len, "callable": callable}  # what a condition may call
_UNKNOWN = object()


def decided(statement: ast.stmt, network: Any, scope: dict[str, Any]) -> list[ast.stmt] | None:
    """The statements of the branch that is taken; None where only a call of the network decides."""
    if not isinstance(statement, ast.If):
        return None
    value = _value_of(statement.test, network, scope)
    if value is _UNKNOWN:
        return None
    return statement.body if value else statement.orelse


def _value_of(test: ast.expr, network: Any, scope: dict[str, Any]) -> Any:
    """What a condition of attributes, constants and global names gives; unknown if a variable of construct takes part."""
    known = {"self": network, **_CALLED}
    for part in ast.walk(test):
        if isinstance(part, ast.Call) and not (isinstance(part.func, ast.Name) and part.func.id in _CALLED):
            return _UNKNOWN
        if isinstance(part, ast.Name) and part.id not in known:
            if part.id not in scope:
                return _UNKNOWN
            known[part.id] = scope[part.id]
    try:
        value = eval(compile(ast.Expression(test), "<condition>", "eval"), {"__builtins__": {}}, known)
    except Exception:
        return _UNKNOWN
    return _UNKNOWN if isinstance(value, Tensor) else value
