"""The names rewritten code calls, which it finds under ``ag__``."""

import builtins
import operator
from collections.abc import Callable
from typing import Any

from mindspore._engine.syntax.errors import assert_stmt, raised, trying
from mindspore._engine.syntax.object_syntax import BINARY, COMPARED, UNARY
from mindspore._engine.syntax.operators import (
    and_,
    augments,
    changes,
    compare,
    contains,
    deleted,
    differs,
    equals,
    for_stmt,
    has_key,
    if_exp,
    if_stmt,
    ld,
    not_,
    or_,
    outer,
    part_of,
    rebinds,
    returned,
    shares,
    while_stmt,
)
from mindspore._engine.syntax.python_calls import call, converted
from mindspore._engine.syntax.texts import formatted, text
from mindspore._engine.syntax.values import NO_RESULT, Undefined, Variables


def born(value: Any) -> Any:
    """A new container or object; only watched code keeps a list of them."""
    return value


iterates = entered = taken = mapping = key = truth = asked = matched = decorator = base = in_place = born
attribute, item, slice = getattr, operator.getitem, builtins.slice


def changed(owner: Any, *name: str) -> Any:
    """The owner of an attribute or element that is about to be assigned."""
    changes(owner, *name)
    return owner


def part(owner: Any, key: Any) -> Any:
    """owner[key], an item of which is about to be assigned."""
    return part_of(owner, key, owner[key])


def op_in(one: Any, container: Any) -> Any:
    """one in container"""
    return contains(container, one)


def op_not_in(one: Any, container: Any) -> Any:
    """one not in container"""
    return not_(contains(container, one))


def _augmenting(plain: Callable[[Any, Any], Any]) -> Callable[[Any, Any], Any]:
    def augment(left: Any, right: Any) -> Any:
        augments(left)
        return plain(left, right)

    return augment


BINARY_NAMES = tuple(BINARY.values())
PLAIN: dict[str, Callable[..., Any]] = {
    f"op_{name}": getattr(operator, f"__{name}__") for name in (*BINARY_NAMES, *UNARY.values(), *COMPARED.values())
} | {f"op_i{name}": _augmenting(getattr(operator, f"__i{name}__")) for name in BINARY_NAMES}
PLAIN |= {"op_eq": equals, "op_ne": differs}
globals().update(PLAIN)

__all__ = [
    "NO_RESULT",
    "Undefined",
    "Variables",
    "and_",
    "asked",
    "assert_stmt",
    "attribute",
    "base",
    "born",
    "call",
    "changed",
    "compare",
    "converted",
    "decorator",
    "deleted",
    "entered",
    "for_stmt",
    "formatted",
    "has_key",
    "if_exp",
    "if_stmt",
    "in_place",
    "item",
    "iterates",
    "key",
    "ld",
    "mapping",
    "matched",
    "not_",
    "op_in",
    "op_not_in",
    "or_",
    "outer",
    "part",
    "raised",
    "rebinds",
    "returned",
    "shares",
    "slice",
    "taken",
    "text",
    "truth",
    "trying",
    "while_stmt",
]
