"""Custom vjp as a class: ``_Function`` with ``forward`` and ``backward``."""

from __future__ import annotations

from typing import Any

from mindspore._engine.autodiff.custom_vjp import call_with_bprop
from mindspore._engine.tensor.tensor import Tensor
from mindspore._engine.tracing import invoke


class Function:
    """A function and its gradient: static methods ``forward(ctx, *args)`` and ``backward(ctx, *gradients)``.

    ``ctx`` carries what backward needs from forward: ``ctx.save_for_backward(...)`` and ``ctx.saved_tensors``, or any
    attribute. Call it as ``YourFunction.apply(...)``.

    Examples:
        >>> import mindspore as ms
        >>> from mindspore import Tensor
        >>> class Double(ms.common._Function):
        ...     @staticmethod
        ...     def forward(ctx, x):
        ...         ctx.save_for_backward(x)
        ...         return x * 2
        ...     @staticmethod
        ...     def backward(ctx, gradient):
        ...         (x,) = ctx.saved_tensors
        ...         return gradient * 100 * x
        >>> print(Double.apply(Tensor(3.0)), ms.grad(Double.apply)(Tensor(3.0)))
        6.0 300.0
    """

    def __init__(self) -> None:
        self.saved_tensors: tuple[Any, ...] = ()
        self.materialize_grads = True
        self.not_differentiable: tuple[Tensor, ...] = ()

    @staticmethod
    def forward(ctx: Any, *args: Any, **kwargs: Any) -> Any:
        """The function; every subclass defines its own."""
        raise NotImplementedError("define the static method 'forward(ctx, *args)' in the subclass.")

    @staticmethod
    def backward(ctx: Any, *gradients: Any) -> Any:
        """The gradients of the arguments, given those of the results; every subclass defines its own."""
        raise NotImplementedError("define the static method 'backward(ctx, *gradients)' in the subclass.")

    def save_for_backward(self, *tensors: Any) -> None:
        """Keep what backward needs."""
        self.saved_tensors = tensors

    def mark_dirty(self, *tensors: Tensor) -> None:
        """Declare arguments modified in place; no effect here."""

    def mark_non_differentiable(self, *tensors: Tensor) -> None:
        """Declare outputs without a gradient: backward gets zeros for them."""
        self.not_differentiable = tensors

    def set_materialize_grads(self, value: bool) -> None:
        """Whether missing cotangents are passed as zeros; they always are."""
        self.materialize_grads = value

    @classmethod
    def apply(cls, *args: Any, **kwargs: Any) -> Any:
        """Call the function; its gradient is ``backward``."""
        ctx = cls()

        def forward() -> Any:
            return invoke.invoke(cls.forward, (ctx, *args), kwargs)

        def bprop(*cotangents: Any) -> tuple[Any, ...]:
            gradients = cotangents[-1] if isinstance(cotangents[-1], tuple) else (cotangents[-1],)
            returned = invoke.invoke(cls.backward, (ctx, *gradients), {})
            return returned if isinstance(returned, tuple) else (returned,)

        return call_with_bprop(forward, bprop, args, (), cls.__name__)
