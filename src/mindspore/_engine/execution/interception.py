"""User interception of eager operators: ``mindspore.MsDispatchMode``.

``dispatch.run`` calls this while a mode is active. The operator's arguments are reassembled from kernel operands and static
arguments, so that the user's handler sees the operator's own signature and may change any argument.
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
    """An intercepted operator: its name, and a call that runs it."""

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
    """Call the innermost mode's handler. Operators that it runs are seen by the outer modes only."""
    modes = state.modes
    state.modes = modes[:-1]
    try:
        result = modes[-1].__ms_dispatch__(OpFunc(kernel, run), _arguments(kernel, inputs))
    finally:
        state.modes = modes
    if isinstance(result, Tensor) or (isinstance(result, (tuple, list)) and all(isinstance(a, Tensor) for a in result)):
        return result
    raise TypeError(
        f"For '{type(modes[-1]).__name__}.__ms_dispatch__', the result must be a Tensor or a tuple of Tensors, but got "
        f"{result!r} for operator '{kernel.name}'. To let it run, write 'return func(*args)'."
    )


def _arguments(kernel: Kernel, inputs: Sequence[Any]) -> tuple[Any, ...]:
    """The operator's arguments in declared order, defaults included; the operands if the kernel is not a declared operator."""
    declared = getattr(kernel.function, "declared", None)
    if declared is None:
        return tuple(inputs)
    operator, key = declared
    supply, statics = iter(inputs), iter(key)
    return tuple(argument.give(supply, statics) for argument in operator.arguments)
