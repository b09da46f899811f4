"""Older names of arguments, for functions that are no operators themselves; operators declare theirs with ``old``."""

from __future__ import annotations

import functools
from collections.abc import Callable
from typing import Any


def old_names(**today: str) -> Callable[[Callable[..., Any]], Callable[..., Any]]:
    """Lets a function be called by older names of its arguments: ``@old_names(x="input")``."""

    def renamed(function: Callable[..., Any]) -> Callable[..., Any]:
        @functools.wraps(function)
        def call(*args: Any, **kwargs: Any) -> Any:
            if not kwargs:
                return function(*args)
            given = {today.get(name, name): value for name, value in kwargs.items()}
            if len(given) < len(kwargs):
                raise TypeError(
                    f"For '{function.__name__}', an argument was given twice, by its present and its older name: "
                    f"{', '.join(kwargs)}."
                )
            return function(*args, **given)

        call.old_names = today  # type: ignore[attr-defined]
        return call

    return renamed
