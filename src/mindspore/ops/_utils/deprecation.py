"""Marks what should no longer be used."""

from __future__ import annotations

import functools
from collections.abc import Callable
from typing import Any

from mindspore import log


def deprecated(
    version: str, substitute: str, use_substitute_name: bool = False, module_prefix: str = ""
) -> Callable[[Callable[..., Any]], Callable[..., Any]]:
    """A decorator: the function warns at its first call that another one is to be used.

    >>> @deprecated("2.0", "new")
    ... def old(x):
    ...     return x
    >>> old(3)
    3
    """

    def decorate(function: Callable[..., Any]) -> Callable[..., Any]:
        name = substitute if use_substitute_name else function.__name__
        warned: list[bool] = []

        @functools.wraps(function)
        def wrapped(*args: Any, **kwargs: Any) -> Any:
            if not warned:
                warned.append(True)
                log.warning(
                    f"'{module_prefix}{name}' is deprecated from version {version}; use '{substitute}' instead."
                )
            return function(*args, **kwargs)

        return wrapped

    return decorate
