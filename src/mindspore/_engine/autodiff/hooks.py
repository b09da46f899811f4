"""Gradient hooks: nodes on the tape where user code sees a cotangent and may replace it.

They work in both modes: eagerly the code runs in the backward pass, in a graph it is traced into it.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable, Sequence
from typing import Any

from mindspore._engine.base.pytree import flatten, unflatten
from mindspore._engine.operator.primitive import Primitive
from mindspore._engine.operator.registry import register_primitive
from mindspore._engine.tensor.tensor import Tensor
from mindspore._engine.tracing import invoke
from mindspore._engine.tracing.tensor_hooks import (
    filled,
    replaced,
    through,
)


def checked_gradient(owner: str, what: str, gradient: Any, like: Tensor) -> Tensor:
    """Validate shape and type of a gradient returned by user code."""
    if not isinstance(gradient, Tensor):
        raise TypeError(
            f"For '{owner}', the output type of {what} should be a tensor, but got {gradient!r} of type "
            f"{type(gradient).__name__}."
        )
    if gradient.shape != like.shape:
        raise RuntimeError(
            f"For '{owner}', the shape of {what} should be broadcast to expected shape {like.shape}, but got {gradient.shape}: "
            "a gradient has the shape of the value it belongs to."
        )
    return gradient if gradient.dtype == like.dtype else gradient.astype(like.dtype)


# -- operators --------------------------------------------------------------------------------------------------------
@register_primitive
class HookBackward(Primitive):
    """Passes its inputs on; during backward ``hook_fn`` gets the tuple of gradients and may return others.

    Examples:
        >>> from mindspore import Tensor, ops
        >>> hook = ops.HookBackward(lambda gradients: gradients[0] * 2)
        >>> print(ops.GradOperation()(lambda x: hook(x * x))(Tensor(3.0)))
        12.0
    """

    def __init__(self, hook_fn: Callable[..., Any], cell_id: str = ""):
        super().__init__()
        if not callable(hook_fn):
            raise TypeError(
                f"For 'HookBackward', the type of 'hook_fn' should be python function, but got {type(hook_fn).__name__}."
            )
        if not isinstance(cell_id, str):
            raise TypeError(f"For 'HookBackward', the 'cell_id' must be a str, but got {type(cell_id).__name__}.")
        self.hook_fn = hook_fn
        self.cell_id = cell_id

    def __call__(self, *inputs: Tensor) -> Any:
        if not inputs or not all(isinstance(x, Tensor) for x in inputs):
            raise TypeError(
                f"For 'HookBackward', the inputs must be Tensors, but got {[type(x).__name__ for x in inputs]}."
            )

        def backward(cotangents: list[Any]) -> Sequence[Any]:
            gradients = tuple(filled(cotangents, inputs))
            returned = invoke.invoke(self.hook_fn, (gradients,), {})
            return replaced("HookBackward", gradients, returned)

        passed = through(inputs, backward)
        return passed[0] if len(passed) == 1 else tuple(passed)


@register_primitive
class InsertGradientOf(Primitive):
    """Passes its input on; during backward the gradient ``g`` becomes ``f(g)``.

    Examples:
        >>> from mindspore import Tensor, ops
        >>> clip = ops.InsertGradientOf(lambda g: ops.minimum(g, Tensor(1.0)))
        >>> print(ops.GradOperation()(lambda x: clip(x) * 5)(Tensor(3.0)))
        1.0
    """

    def __init__(self, f: Callable[[Tensor], Tensor]):
        super().__init__()
        if not callable(f):
            raise TypeError(f"For 'InsertGradientOf', the 'f' must be a function, but got {type(f).__name__}.")
        self.f = f

    def __call__(self, x: Tensor) -> Tensor:
        def backward(cotangents: list[Any]) -> Sequence[Any]:
            gradient = filled(cotangents, [x])[0]
            returned = invoke.invoke(self.f, (gradient,), {})
            if returned is None:
                return [gradient]
            return [checked_gradient("InsertGradientOf", "what the function returns", returned, gradient)]

        return through([x], backward)[0]


# -- hooks of Cells -----------------------------------------------------------------------------------------------------
def wants_cell_id(hook: Callable[..., Any]) -> bool:
    """Whether a hook has the signature of MindSpore up to 2.3: its first parameter is named cell_id."""
    try:
        parameters = list(inspect.signature(hook).parameters)
    except (TypeError, ValueError):
        return False
    return bool(parameters) and parameters[0] == "cell_id"


def watch_cell(cell: Any, call: Callable[[tuple], Any], args: tuple, backward_hooks: dict, pre_hooks: dict) -> Any:
    """Run a Cell between two identity nodes on the tape, where its backward hooks see the cotangents of outputs and inputs.

    Hooks see cotangents of Tensors that are direct arguments. Tensors nested in tuples, lists and dicts are skipped, unless
    there are no others.
    """
    leaves, description = list(args), None
    if not any(isinstance(x, Tensor) for x in leaves):
        leaves, description = flatten(args)
    inputs = [x for x in leaves if isinstance(x, Tensor)]
    output_cotangents: list[tuple] = [()]

    def leaving(cotangents: list[Any]) -> Sequence[Any]:
        gradients = tuple(filled(cotangents, inputs))
        for hook in list(backward_hooks.values()):
            if wants_cell_id(hook):
                given = (f"{type(cell).__name__}({id(cell)})", output_cotangents[0], gradients)
            else:
                given = (cell, gradients, output_cotangents[0])
            gradients = tuple(replaced("register_backward_hook", gradients, invoke.invoke(hook, given, {})))
        return gradients

    if backward_hooks:
        watched = iter(through(inputs, leaving, always=True))
        passed = [next(watched) if isinstance(x, Tensor) else x for x in leaves]
        args = tuple(passed) if description is None else unflatten(description, iter(passed))
    outputs = call(args)
    out_leaves, out_description = flatten(outputs)
    output_tensors = [x for x in out_leaves if isinstance(x, Tensor)]

    def arriving(cotangents: list[Any]) -> Sequence[Any]:
        gradients = tuple(filled(cotangents, output_tensors))
        for hook in list(pre_hooks.values()):
            gradients = tuple(
                replaced("register_backward_pre_hook", gradients, invoke.invoke(hook, (cell, gradients), {}))
            )
        output_cotangents[0] = gradients
        return gradients

    seen = iter(through(output_tensors, arriving))
    return unflatten(out_description, iter([next(seen) if isinstance(x, Tensor) else x for x in out_leaves]))
