"""Operators that a program wants to see before they run: ``mindspore.MsDispatchMode``.

``dispatch.run`` hands an eager call here while a mode is active. The operator's arguments are put together again from
what its kernel was selected by, so that the program sees those of the operator and may change any of them.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from mindspore._engine.base.kernel import Kernel
from mindspore._engine.base.trace_state import state
from mindspore._engine.tensor.tensor import Tensor

Handler = Callable[..., Any]
Modes = tuple[Any, ...]  # outermost first


class OpFunc:
    """An operator that is about to run: its name, and a call that runs it."""

    def __init__(self, kernel: Kernel, run: Callable[..., Any]):
        self.name = kernel.name
        self._kernel = kernel
        self._run = run

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        declared = getattr(self._kernel.function, "declared", None)
        if declared is None:
            return self._run(self._kernel, args)
        return self._run(*declared[0].select(args, kwargs))


def intercept(kernel: Kernel, inputs: Sequence[Any], run: Callable[..., Any]) -> Any:
    """Let the innermost mode answer. What it runs itself is seen by those around it alone."""
    modes = state.modes
    state.modes = modes[:-1]
    try:
        answer = modes[-1].__ms_dispatch__(OpFunc(kernel, run), _arguments(kernel, inputs))
    finally:
        state.modes = modes
    if isinstance(answer, Tensor) or (isinstance(answer, (tuple, list)) and all(isinstance(a, Tensor) for a in answer)):
        return answer
    raise TypeError(
        f"For '{type(modes[-1]).__name__}.__ms_dispatch__', the result must be a Tensor or a tuple of Tensors, but got "
        f"{answer!r} for operator '{kernel.name}'. To let it run, write 'return func(*args)'."
    )


def _arguments(kernel: Kernel, inputs: Sequence[Any]) -> tuple[Any, ...]:
    """The operator's arguments in its order, defaults included; of what is no operator, the Tensors it runs on."""
    declared = getattr(kernel.function, "declared", None)
    if declared is None:
        return tuple(inputs)
    operator, key = declared
    supply, statics = iter(inputs), iter(key)
    return tuple(argument.give(supply, statics) for argument in operator.arguments)
