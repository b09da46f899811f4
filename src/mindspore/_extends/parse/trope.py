"""Python's operators and built-in functions by the names that MindSpore's compiler resolves them to."""

from __future__ import annotations

import builtins
from functools import partial as partial
from operator import (
    abs,
    add,
    and_,
    contains,
    eq,
    floordiv,
    ge,
    getitem,
    gt,
    invert,
    is_,
    is_not,
    le,
    lshift,
    lt,
    matmul,
    mod,
    mul,
    ne,
    neg,
    not_,
    or_,
    pos,
    pow,
    rshift,
    setitem,
    sub,
    truediv,
    xor,
)
from typing import Any

__all__ = [
    "abs", "add", "and_", "contains", "eq", "floordiv", "ge", "getitem", "gt", "hasnext", "invert", "is_", "is_not", "le",
    "lshift", "lt", "make_dict", "make_list", "make_range", "make_slice", "matmul", "mod", "mul", "ne", "neg", "not_",
    "not_contains", "or_", "partial", "pos", "pow", "rshift", "setitem", "sub", "switch", "truediv", "xor",
]  # fmt: skip

make_range, make_slice = range, slice


def not_contains(values: Any, value: Any) -> bool:
    """``value not in values``."""
    return value not in values


def hasnext(values: Any) -> bool:
    """Whether a sequence has a first member."""
    return len(values) > 0


def make_list(*values: Any) -> list[Any]:
    return list(values)


def make_dict(keys: Any, values: Any) -> dict[Any, Any]:
    return dict(zip(keys, values, strict=True))


def switch(condition: Any, true_branch: Any, false_branch: Any) -> Any:
    """One of two values."""
    return true_branch if condition else false_branch


def __getattr__(name: str) -> Any:
    """Every other name is that of a built-in function."""
    if name.startswith("__") or not hasattr(builtins, name):
        raise AttributeError(f"module 'mindspore._extends.parse.trope' has no attribute '{name}'")
    return getattr(builtins, name)
