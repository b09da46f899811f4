"""Hooks on saved tensors (residuals) of the tape, and ``no_grad``."""

from __future__ import annotations

import functools
from collections.abc import Callable
from contextlib import ContextDecorator
from typing import Any

from mindspore._engine.autodiff import grad_switch
from mindspore._engine.base.trace_state import state
from mindspore._engine.execution.tape import paused
from mindspore._engine.tracing import invoke
from mindspore._utils.checks import check_callable


class saved_tensors_hooks:  # noqa: N801 - MindSpore's name
    """Inside the ``with`` block, every Tensor saved for backward is stored as ``pack_hook(tensor)``.

    Backward restores it with ``unpack_hook``. Use it to save Tensors in a smaller dtype, or in a file. It works in both
    modes.

    Args:
        pack_hook: gets a Tensor, returns anything.
        unpack_hook: gets what ``pack_hook`` returned, returns a Tensor.

    Examples:
        >>> import mindspore as ms
        >>> from mindspore import Tensor
        >>> def square(x):
        ...     with ms.saved_tensors_hooks(lambda kept: kept.astype(ms.float16), lambda kept: kept.astype(ms.float32)):
        ...         return x * x
        >>> print(ms.grad(square)(Tensor(3.0)))
        6.0
    """

    def __init__(self, pack_hook: Callable[[Any], Any], unpack_hook: Callable[[Any], Any]):
        self.pack_hook = check_callable("saved_tensors_hooks", "pack_hook", pack_hook)
        self.unpack_hook = check_callable("saved_tensors_hooks", "unpack_hook", unpack_hook)

    def _pack(self, tensor: Any) -> Any:
        return _unrecorded(self.pack_hook, tensor)

    def _unpack(self, kept: Any) -> Any:
        return _unrecorded(self.unpack_hook, kept)

    def __enter__(self) -> saved_tensors_hooks:
        self.before, state.saving = state.saving, (self._pack, self._unpack)
        return self

    def __exit__(self, *_: object) -> None:
        state.saving = self.before


def _unrecorded(hook: Callable[[Any], Any], value: Any) -> Any:
    """Call a hook with recording and saving disabled."""
    before, state.saving = state.saving, None
    try:
        with paused():
            return invoke.invoke(hook, (value,), {})
    finally:
        state.saving = before


def register_saved_tensors_hooks(pack_hook: Callable[[Any], Any],
                                 unpack_hook: Callable[[Any], Any]) -> Callable[..., Any]:  # fmt: skip
    """A decorator: the function runs inside ``saved_tensors_hooks(pack_hook, unpack_hook)``.

    Examples:
        >>> import mindspore as ms
        >>> from mindspore import Tensor
        >>> @ms.register_saved_tensors_hooks(lambda kept: kept * 10, lambda kept: kept)
        ... def square(x):
        ...     return x * x
        >>> print(square(Tensor(3.0)), ms.grad(square)(Tensor(3.0)))
        9.0 60.0
    """
    check_callable("register_saved_tensors_hooks", "pack_hook", pack_hook)
    check_callable("register_saved_tensors_hooks", "unpack_hook", unpack_hook)

    def decorate(function: Callable[..., Any]) -> Callable[..., Any]:
        @functools.wraps(function)
        def wrapper(*args: Any, **kwargs: Any) -> Any:
            with saved_tensors_hooks(pack_hook, unpack_hook):
                return invoke.invoke(function, args, kwargs)

        return wrapper

    return decorate


class no_grad(ContextDecorator):  # noqa: N801 - reads as a statement
    """Inside the ``with`` block, or the decorated function, no gradient is recorded.

    Examples:
        >>> import mindspore as ms
        >>> from mindspore import Tensor
        >>> def f(x):
        ...     with ms._no_grad():
        ...         y = x * 10
        ...     return x * x + y
        >>> print(ms.grad(f)(Tensor(3.0)))
        6.0
    """

    def __enter__(self) -> None:
        self.before = [*getattr(self, "before", ()), grad_switch.enabled()]
        grad_switch.set_enabled(False)

    def __exit__(self, *_: object) -> None:
        grad_switch.set_enabled(self.before.pop())
