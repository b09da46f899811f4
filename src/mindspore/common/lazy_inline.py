"""Hints about how a graph is built from its parts. XLA decides that itself: the result is the same with and without."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeVar

from mindspore._utils.checks import check_callable

__all__ = ["lazy_inline", "no_inline"]

Function = TypeVar("Function", bound=Callable[..., Any])


def lazy_inline(fn: Any = None, attrs: Any = None, policy: str | None = None) -> Any:
    """Decorates the ``__init__`` of a Cell that a network contains many times.

    Args:
        fn: the ``__init__``.
        attrs: names of attributes that tell kinds of the Cell apart.
        policy: None or "front".

    Examples:
        >>> from mindspore import lazy_inline, nn
        >>> class Block(nn.Cell):
        ...     @lazy_inline
        ...     def __init__(self):
        ...         super().__init__()
        ...         self.size = 3
        >>> Block().size
        3
    """
    if policy not in (None, "front"):
        raise ValueError(f"For 'lazy_inline', the 'policy' must be None or 'front', but got {policy!r}.")
    return _decorate("lazy_inline", fn)


def no_inline(fn: Any = None) -> Any:
    """Decorates a function that is to stay a part of its own in the graph.

    Examples:
        >>> from mindspore import Tensor, jit, no_inline
        >>> @no_inline
        ... def double(x):
        ...     return x * 2
        >>> print(jit(lambda x: double(x) + 1)(Tensor(3.0)))
        7.0
    """
    return _decorate("no_inline", fn)


def _decorate(owner: str, function: Any) -> Any:
    def decorate(function: Function) -> Function:
        check_callable(owner, "fn", function)
        return function

    return decorate if function is None else decorate(function)
