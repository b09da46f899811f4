"""Operators pass through a method of the program's own before they run."""

from __future__ import annotations

import contextlib
from typing import Any

from mindspore._engine.base.trace_state import state

__all__ = ["MsDispatchMode"]


class MsDispatchMode(contextlib.ContextDecorator):
    """While it is active, every operator that is executed in this thread goes through ``__ms_dispatch__``.

    Derive a class and write that method: to log, to measure, to change arguments or results. Modes may be nested: the
    innermost is asked, and what it runs is seen by the enclosing mode. As a decorator, a mode is active in a function.
    What belongs to a compiled graph is not seen.

    Examples:
        >>> import mindspore as ms
        >>> from mindspore import Tensor, ops
        >>> class Logger(ms.MsDispatchMode):
        ...     def __ms_dispatch__(self, func, args, kwargs=None):
        ...         print("executing", func.name)
        ...         return func(*args)
        >>> with Logger():
        ...     print(ops.relu(Tensor([1.0, -2.0])) + 1)
        executing ReLU
        executing Add
        [2. 1.]
    """

    def __enter__(self) -> MsDispatchMode:
        state.modes = (*state.modes, self)
        return self

    def __exit__(self, *error: object) -> bool:
        state.modes = state.modes[:-1]
        return False

    def __ms_dispatch__(self, func: Any, args: tuple[Any, ...], kwargs: dict[str, Any] | None = None) -> Any:
        """Answer for an operator.

        Args:
            func: the operator: ``func.name``, and ``func(*args)`` to run it.
            args: all its arguments in order, defaults included.
            kwargs: None; keyword arguments are passed by position in `args`.
        """
        return func(*args, **(kwargs or {}))
