"""The message for code that can not be rewritten."""

from __future__ import annotations

import ast

_LINE = "-" * 100


def error_str(reason: str, child_node: ast.AST | None = None, father_node: ast.AST | None = None) -> str:
    """The reason, and the code it is about inside the code around it.

    >>> import ast
    >>> print(error_str("no star", ast.parse("f(*x)").body[0]).splitlines()[2])
    f(*x)
    """
    text = f"Unsupported grammar in MindSpore Rewrite, {reason}"
    shown = [ast.unparse(node) for node in (child_node, father_node) if node is not None]
    return "\n".join([text, _LINE, *(line for code in shown for line in (code, _LINE)), ""]) if shown else text
