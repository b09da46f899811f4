"""Decorators of networks."""

from __future__ import annotations

import functools
import inspect
from collections.abc import Callable
from typing import Any

__all__ = ["cell_attr_register"]


def cell_attr_register(fn: Callable[..., None] | None = None, attrs: str | list[str] | None = None) -> Any:
    """Decorates ``__init__`` of a Cell: its arguments, or those named in ``attrs``, are kept in ``cell_init_args``.

    Examples:
        >>> from mindspore import nn
        >>> from mindspore._extends import cell_attr_register
        >>> class Net(nn.Cell):
        ...     @cell_attr_register(attrs="depth")
        ...     def __init__(self, depth, width=3):
        ...         super().__init__()
        >>> Net(2).cell_init_args
        "Net{'depth': 2}"
    """

    def decorate(function: Callable[..., None]) -> Callable[..., None]:
        signature = inspect.signature(function)

        @functools.wraps(function)
        def initialize(self: Any, *arguments: Any, **keywords: Any) -> None:
            bound = signature.bind(self, *arguments, **keywords)
            bound.apply_defaults()
            given = dict(list(bound.arguments.items())[1:])
            names = [attrs] if isinstance(attrs, str) else attrs
            kept = given if names is None else {name: given[name] for name in names if name in given}
            function(self, *arguments, **keywords)
            self.cell_init_args = f"{type(self).__name__}{kept}"

        return initialize

    return decorate(fn) if fn is not None else decorate
