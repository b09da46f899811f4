"""The names rewritten code calls, which it finds under ``ag__``."""

from typing import Any

from mindspore._engine.syntax.errors import assert_stmt, raised, trying
from mindspore._engine.syntax.operators import (
    and_,
    augments,
    changes,
    compare,
    deleted,
    for_stmt,
    has_key,
    if_exp,
    if_stmt,
    ld,
    not_,
    or_,
    outer,
    rebinds,
    returned,
    while_stmt,
)
from mindspore._engine.syntax.python_calls import call, converted
from mindspore._engine.syntax.texts import formatted, text
from mindspore._engine.syntax.values import NO_RESULT, Undefined, Variables


def born(value: Any) -> Any:
    """A new container or object; only watched code keeps a list of them."""
    return value


iterates = entered = taken = born

__all__ = [
    "NO_RESULT",
    "Undefined",
    "Variables",
    "and_",
    "assert_stmt",
    "augments",
    "born",
    "call",
    "changes",
    "compare",
    "converted",
    "deleted",
    "entered",
    "for_stmt",
    "formatted",
    "has_key",
    "if_exp",
    "if_stmt",
    "iterates",
    "ld",
    "not_",
    "or_",
    "outer",
    "raised",
    "rebinds",
    "returned",
    "taken",
    "text",
    "trying",
    "while_stmt",
]
