"""Older names of arguments, for functions and methods that are no operators; operators declare theirs with ``old``."""

from __future__ import annotations

import functools
from collections.abc import Callable
from typing import Any, TypeVar, cast

Function = TypeVar("Function", bound=Callable[..., Any])


def old_names(**today: str | None) -> Callable[[Function], Function]:
    """Lets a function be called by older names of its arguments: ``@old_names(x="input")``; None: nothing depends on it."""

    def renamed(function: Function) -> Function:
        @functools.wraps(function)
        def call(*args: Any, **kwargs: Any) -> Any:
            if not kwargs:
                return function(*args)
            pairs = [(today.get(name, name), value) for name, value in kwargs.items()]
            kept = [(name, value) for name, value in pairs if name is not None]
            given = dict(kept)
            if len(given) < len(kept):
                raise TypeError(
                    f"For '{function.__name__}', an argument was given twice, by its present and its older name: "
                    f"{', '.join(kwargs)}."
                )
            return function(*args, **given)

        call.old_names = today  # type: ignore[attr-defined]
        return cast(Function, call)

    return renamed
