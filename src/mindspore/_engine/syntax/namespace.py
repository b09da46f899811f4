"""The names rewritten code calls, which it finds under ``ag__``."""

from mindspore._engine.syntax.errors import assert_stmt, raised
from mindspore._engine.syntax.operators import (
    and_,
    changes,
    compare,
    deleted,
    for_stmt,
    if_exp,
    if_stmt,
    ld,
    not_,
    or_,
    returned,
    while_stmt,
)
from mindspore._engine.syntax.python_calls import call, converted
from mindspore._engine.syntax.texts import text
from mindspore._engine.syntax.values import NO_RESULT, Undefined, Variables

__all__ = [
    "NO_RESULT",
    "Undefined",
    "Variables",
    "and_",
    "assert_stmt",
    "call",
    "changes",
    "compare",
    "converted",
    "deleted",
    "for_stmt",
    "if_exp",
    "if_stmt",
    "ld",
    "not_",
    "or_",
    "raised",
    "returned",
    "text",
    "while_stmt",
]
