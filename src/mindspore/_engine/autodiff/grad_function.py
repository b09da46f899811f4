"""Custom vjp as a class: ``_Function`` with ``forward`` and ``backward``."""

from __future__ import annotations

import inspect
from collections.abc import Sequence
from typing import Any

from mindspore._engine.autodiff.custom_vjp import bprop_gradients
from mindspore._engine.base.pytree import flatten, unflatten
from mindspore._engine.base.trace_state import state
from mindspore._engine.execution.tape import PythonNode, Tape, paused
from mindspore._engine.tensor.tensor import Tensor
from mindspore._engine.tracing import invoke
from mindspore._engine.tracing.tensor_hooks import filled


class Function:
    """A function and its gradient: static methods ``forward(ctx, *args)`` and ``backward(ctx, *gradients)``.

    ``ctx`` carries what backward needs from forward: ``ctx.save_for_backward(...)`` and ``ctx.saved_tensors``, or any
    attribute. ``ctx.needs_input_grad`` tells which arguments a gradient is wanted of. With a static method
    ``setup_context(ctx, inputs, output)``, which is called afterwards, ``forward`` takes the arguments alone. Call it as
    ``YourFunction.apply(...)``.

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
        self.needs_input_grad: tuple[bool, ...] = ()
        self.materialize_grads = True
        self.dirty_tensors: tuple[Tensor, ...] = ()
        self.non_differentiable: tuple[Tensor, ...] = ()
        self._kept: tuple[Any, ...] = ()

    @staticmethod
    def forward(ctx: Any, *args: Any, **kwargs: Any) -> Any:
        """The function; every subclass defines its own."""
        raise NotImplementedError("define the static method 'forward(ctx, *args)' in the subclass.")

    @staticmethod
    def setup_context(ctx: Any, inputs: tuple[Any, ...], output: Any) -> Any:
        """Keep in ``ctx`` what backward needs; a subclass that defines this has a ``forward`` without ``ctx``."""
        raise NotImplementedError("define the static method 'setup_context(ctx, inputs, output)' in the subclass.")

    @staticmethod
    def backward(ctx: Any, *gradients: Any) -> Any:
        """The gradients of the arguments, given those of the results; every subclass defines its own."""
        raise NotImplementedError("define the static method 'backward(ctx, *gradients)' in the subclass.")

    def name(self) -> str:
        """The name of the class."""
        return type(self).__name__

    def save_for_backward(self, *tensors: Any) -> None:
        """Keep what backward needs: arguments, results and others; ``saved_tensors`` has them once forward is over."""
        self._kept = tensors

    def mark_dirty(self, *tensors: Tensor) -> None:
        """Declare arguments that forward changed in place and returned: they are results from then on."""
        self.dirty_tensors = tensors

    def mark_non_differentiable(self, *tensors: Tensor) -> None:
        """Declare results without a gradient: backward gets zeros for them."""
        self.non_differentiable = tensors

    def set_materialize_grads(self, value: bool) -> None:
        """Whether backward gets zeros for results that nothing depends on; None otherwise."""
        self.materialize_grads = value

    @classmethod
    def apply(cls, *args: Any, **kwargs: Any) -> Any:
        """Call the function; its gradient is ``backward``."""
        ctx, tape = cls(), state.tape
        args, kwargs = _all_arguments(cls, args, kwargs)
        inside = [[x for x in flatten(one)[0] if isinstance(x, Tensor)] for one in args]
        links = [[None if tape is None else tape.link_of(x) for x in tensors] for tensors in inside]
        ctx.needs_input_grad = tuple([any(link is not None for link in own) for own in links])
        with paused():
            outputs = _forward(ctx, args, kwargs)
        if tape is None or not any(ctx.needs_input_grad):
            ctx.saved_tensors = ctx._kept
            return outputs
        pairs = [pair for tensors, own in zip(inside, links, strict=True) for pair in zip(tensors, own, strict=True)]
        return _linked(ctx, tape, args, pairs, outputs)


def _all_arguments(cls: type[Function], args: tuple, kwargs: dict[str, Any]) -> tuple[tuple, dict[str, Any]]:
    """The arguments with the defaults of ``forward``, which ``setup_context`` sees, too."""
    if cls.setup_context is Function.setup_context:
        return args, kwargs
    bound = inspect.signature(cls.forward).bind(*args, **kwargs)
    bound.apply_defaults()
    return bound.args, bound.kwargs


def _forward(ctx: Function, args: tuple, kwargs: dict[str, Any]) -> Any:
    cls = type(ctx)
    if cls.setup_context is Function.setup_context:
        return invoke.invoke(cls.forward, (ctx, *args), kwargs)
    outputs = invoke.invoke(cls.forward, args, kwargs)
    invoke.invoke(cls.setup_context, (ctx, args, outputs), {})
    return outputs


def _linked(ctx: Function, tape: Tape, args: tuple, inputs: Sequence[tuple[Tensor, Any]], outputs: Any) -> Any:
    """The results behind a step whose vjp is ``backward``; ``inputs`` are the Tensors of ``args`` with their links."""
    leaves, description = flatten(outputs)
    made = [x for x in leaves if isinstance(x, Tensor)]

    def backward(cotangents: list[Any]) -> Sequence[Any]:
        given = filled(cotangents, made) if ctx.materialize_grads else cotangents
        supply = iter(given)
        douts = [next(supply) if isinstance(x, Tensor) else None for x in leaves]
        returned = invoke.invoke(type(ctx).backward, (ctx, *douts), {})
        returned = returned if isinstance(returned, tuple) else (returned,)
        _refuse_more(ctx, returned[len(args) :], len(args))
        return bprop_gradients(ctx.name(), returned, args, ())

    node = PythonNode(tape, backward, [link for _, link in inputs], len(made))
    results: dict[int, Tensor] = {}
    for index, tensor in enumerate(made):
        constant = _among(tensor, ctx.non_differentiable)
        results[id(tensor)] = Tensor.linked(tensor._read(), None if constant else (node, index))
    for tensor, link in inputs:  # forward may have written to it, with or without a word
        changed = _among(tensor, ctx.dirty_tensors) and id(tensor) in results
        tensor._link = results[id(tensor)]._link if changed else link
    kept = [x if any(x is tensor for tensor, _ in inputs) else results.get(id(x), x) for x in ctx._kept]
    ctx.saved_tensors = tuple(kept)
    return unflatten(description, iter([results[id(x)] if isinstance(x, Tensor) else x for x in leaves]))


def _among(value: Any, tensors: Sequence[Tensor]) -> bool:
    return any(value is one for one in tensors)


def _refuse_more(ctx: Function, rest: tuple, count: int) -> None:
    if any(gradient is not None for gradient in rest):
        raise RuntimeError(
            f"For '{ctx.name()}', the backward must return one gradient per argument of forward, which are {count}, but got "
            f"{count + len(rest)}. Gradients beyond them must be None."
        )
