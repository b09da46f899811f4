"""``enable_dynamic``: which axes of the inputs of a compiled function change from call to call."""

from __future__ import annotations

import inspect
from collections.abc import Callable
from typing import Any

from mindspore._engine.graph.jit import JitFunction, mark_declared
from mindspore._engine.tensor.tensor import Tensor
from mindspore._utils.refusals import WrongObject, refused

__all__ = ["enable_dynamic"]


def enable_dynamic(**kwargs: Any) -> Callable[[Callable[..., Any]], Callable[..., Any]]:
    """Says the shapes a function under ``jit`` is called with; None stands for any length.

    One graph serves many lengths where their results do not depend on each other's; the results are the same with and without.
    A call with another dtype, or with a shape that does not fit, is refused.

    Args:
        kwargs: for names of the function's arguments, a Tensor whose shape has a None, or a list of such Tensors.

    Examples:
        >>> import mindspore as ms
        >>> from mindspore import Tensor, enable_dynamic, jit
        >>> @enable_dynamic(x=Tensor(shape=[None, 2], dtype=ms.float32))
        ... @jit
        ... def double(x):
        ...     return x * 2
        >>> print(double(Tensor([[1.0, 2.0]])))
        [[2. 4.]]
    """
    if not kwargs:
        raise ValueError(
            "For 'enable_dynamic', give a Tensor with an open shape for at least one argument by its name."
        )
    for name, value in kwargs.items():
        described = value if isinstance(value, (list, tuple)) else [value]
        if not described or not all(isinstance(argument, Tensor) for argument in described):
            raise refused(
                WrongObject,
                f"For 'enable_dynamic', the '{name}' must be a Tensor or a list of Tensors, but got {value!r}.",
            )
        if all(-1 not in argument.shape for argument in described):
            shapes = ", ".join(str(argument.shape) for argument in described)
            raise TypeError(
                f"For 'enable_dynamic', the shape of '{name}' must have an axis of open length, written None, but got {shapes}."
            )

    def decorate(function: Callable[..., Any]) -> Callable[..., Any]:
        known = inspect.signature(function).parameters
        unknown = [name for name in kwargs if name not in known]
        if unknown:
            raise ValueError(
                f"For 'enable_dynamic', '{unknown[0]}' is no argument of '{getattr(function, '__name__', function)}', "
                f"which has {', '.join(known)}."
            )
        if isinstance(function, JitFunction):
            function.declare(kwargs)
        else:
            mark_declared(function, kwargs)  # for the `jit` above this decorator
        return function

    return decorate
