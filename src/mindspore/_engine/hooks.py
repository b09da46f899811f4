"""Hooks and custom backward functions: places on the tape where the user's Python code sees or makes the gradient.

They work in both modes: eagerly the code runs during backward, in a graph it is traced into the backward part.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable, Sequence
from typing import Any

from mindspore._engine import calls, context, traced
from mindspore._engine.primitive import Primitive
from mindspore._engine.registry import register_primitive
from mindspore._engine.state import state
from mindspore._engine.structure import flatten, unflatten
from mindspore._engine.tape import PythonNode, paused
from mindspore._engine.tensor import Tensor
from mindspore._engine.traced import zeros_like

Backward = Callable[[list[Any]], Sequence[Any]]


def through(tensors: Sequence[Tensor], backward: Backward, always: bool = False) -> list[Tensor]:
    """The same values, behind a step whose backward is ``backward``: gradients in, gradients out.

    Without a gradient being recorded (or, unless ``always``, when none of the tensors leads to one) nothing happens.
    """
    tape = state.tape
    if tape is None:
        return list(tensors)
    parents = [tape.link_of(t) for t in tensors]
    if not always and not any(parents):
        return list(tensors)
    node = PythonNode(tape, backward, parents, len(tensors))
    passed = []
    for index, tensor in enumerate(tensors):
        alias = Tensor.wrap(tensor._read())
        alias._link = (node, index)
        passed.append(alias)
    return passed


def filled(cotangents: Sequence[Tensor | None], likes: Sequence[Tensor]) -> list[Tensor]:
    """Cotangents with zeros where none arrived."""
    return [zeros_like(like) if c is None else c for c, like in zip(cotangents, likes, strict=True)]


def checked_gradient(owner: str, what: str, gradient: Any, like: Tensor) -> Tensor:
    """A gradient returned by the user's code; refuses another shape or kind."""
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
            raise TypeError(f"For 'HookBackward', the inputs must be Tensors, but got {[type(x).__name__ for x in inputs]}.")

        def backward(cotangents: list[Any]) -> Sequence[Any]:
            gradients = tuple(filled(cotangents, inputs))
            returned = calls.invoke(self.hook_fn, (gradients,), {})
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
            return [checked_gradient("InsertGradientOf", "the function", calls.invoke(self.f, (gradient,), {}), gradient)]

        return through([x], backward)[0]


def replaced(owner: str, gradients: tuple, returned: Any) -> Sequence[Any]:
    """The gradients after a hook: unchanged for None, else what it returned, checked."""
    if returned is None:
        return gradients
    values = tuple(returned) if isinstance(returned, (tuple, list)) else (returned,)
    if len(values) != len(gradients):
        raise RuntimeError(f"For '{owner}', the hook must return {len(gradients)} gradient(s) or None, but got {len(values)}.")
    return [
        g if v is None else checked_gradient(owner, "the hook function", v, g)
        for v, g in zip(values, gradients, strict=True)
    ]


class Handle:
    """What registering a hook returns; ``remove()`` takes the hook away again."""

    def __init__(self, hooks: dict[int, Any], hook: Any):
        self._hooks = hooks
        self._key = id(self)
        hooks[self._key] = hook

    def remove(self) -> None:
        self._hooks.pop(self._key, None)


def register_tensor_hook(tensor: Tensor, hook_fn: Callable[[Tensor], Any]) -> Handle:
    """Have ``hook_fn(gradient)`` called when the gradient of this Tensor is computed; it may return another."""
    if not callable(hook_fn):
        raise TypeError(f"For 'register_hook', the 'hook_fn' must be a function, but got {type(hook_fn).__name__}.")
    hooks = tensor.__dict__.setdefault("_hooks", {})
    handle = Handle(hooks, hook_fn)
    if state.tape is not None and state.tape.link_of(tensor) is not None:
        tensor._link = with_tensor_hooks(tensor, hooks)._link
    return handle


def with_tensor_hooks(tensor: Tensor, hooks: dict[int, Any]) -> Tensor:
    """The tensor behind a step that runs its hooks."""

    def backward(cotangents: list[Any]) -> Sequence[Any]:
        gradients = tuple(filled(cotangents, [tensor]))
        for hook in list(hooks.values()):
            gradients = tuple(replaced("register_hook", gradients, calls.invoke(hook, gradients, {})))
        return gradients

    return through([tensor], backward)[0]


Tensor.register_hook = register_tensor_hook  # type: ignore[attr-defined]
traced.on_hooked = with_tensor_hooks


# -- custom bprop -----------------------------------------------------------------------------------------------------
def call_with_bprop(forward: Callable[..., Any], bprop: Callable[..., Any], args: tuple, owner: str) -> Any:
    """Run ``forward``; its backward is the user's ``bprop(*inputs, out, dout)``."""
    tape = state.tape
    if tape is None:
        return calls.invoke(forward, args, {})
    inputs, _ = flatten(args)
    tensors = [x for x in inputs if isinstance(x, Tensor)]
    with paused():
        outputs = calls.invoke(forward, args, {})
    leaves, description = flatten(outputs)
    made = [x for x in leaves if isinstance(x, Tensor)]

    def backward(cotangents: list[Any]) -> Sequence[Any]:
        supply = iter(filled(cotangents, made))
        douts = unflatten(description, iter([next(supply) if isinstance(x, Tensor) else x for x in leaves]))
        returned = calls.invoke(bprop, (*args, outputs, douts), {})
        return _bprop_gradients(owner, returned, args, tensors)

    parents = [tape.link_of(t) for t in tensors]
    if not any(parents):
        return outputs
    node = PythonNode(tape, backward, parents, len(made))
    linked = iter([Tensor.linked(t._read(), (node, i)) for i, t in enumerate(made)])
    return unflatten(description, iter([next(linked) if isinstance(x, Tensor) else x for x in leaves]))


def _bprop_gradients(owner: str, returned: Any, args: tuple, tensors: list[Tensor]) -> Sequence[Any]:
    gradients = returned if isinstance(returned, (tuple, list)) else (returned,)
    # 2.x: (input gradients, weight gradients) as two nested tuples.
    if len(gradients) == 2 and isinstance(gradients[0], tuple) and len(args) != 2:
        gradients = gradients[0]
    if len(gradients) < len(args):
        raise RuntimeError(
            f"For '{owner}', the bprop returned {len(gradients)} gradient(s) for {len(args)} input(s) of construct. Grad size "
            "should lager than forward inputs: return a tuple with one gradient per input."
        )
    found = []
    for index, (gradient, argument) in enumerate(zip(gradients, args)):
        inner = [x for x in flatten(argument)[0] if isinstance(x, Tensor)]
        given = flatten(gradient)[0] if len(inner) != 1 else [gradient]
        for like, value in zip(inner, given, strict=False):
            found.append(_checked_bprop(owner, index, value, like))
    return found + [None] * (len(tensors) - len(found))


def _checked_bprop(owner: str, index: int, gradient: Any, like: Tensor) -> Tensor:
    if isinstance(gradient, (int, float)) and not isinstance(gradient, bool):
        gradient = zeros_like(like) + gradient
    what = f"gradient {index} of the bprop"
    if context.state.check_bprop and isinstance(gradient, Tensor):
        if gradient.shape != like.shape:
            raise ValueError(f"For '{owner}', {what} must have the shape of input {index}, {like.shape}, but got {gradient.shape}.")
        if gradient.dtype != like.dtype:
            raise TypeError(f"For '{owner}', {what} must have the dtype of input {index}, {like.dtype}, but got {gradient.dtype}.")
    return checked_gradient(owner, what, gradient, like)


# -- hooks of Cells -----------------------------------------------------------------------------------------------------
def wants_cell_id(hook: Callable[..., Any]) -> bool:
    """Whether a backward hook is written for MindSpore up to 2.3: its first parameter is called cell_id."""
    try:
        parameters = list(inspect.signature(hook).parameters)
    except (TypeError, ValueError):
        return False
    return bool(parameters) and parameters[0] == "cell_id"


def watch_cell(cell: Any, call: Callable[[tuple], Any], args: tuple, backward_hooks: dict, pre_hooks: dict) -> Any:
    """Run a Cell between two steps on the tape, so that its backward hooks see what flows in and out."""
    leaves, description = flatten(args)
    inputs = [x for x in leaves if isinstance(x, Tensor)]
    arrived: list[tuple] = [()]

    def leaving(cotangents: list[Any]) -> Sequence[Any]:
        gradients = tuple(filled(cotangents, inputs))
        for hook in list(backward_hooks.values()):
            if wants_cell_id(hook):
                given = (f"{type(cell).__name__}({id(cell)})", arrived[0], gradients)
            else:
                given = (cell, gradients, arrived[0])
            gradients = tuple(replaced("register_backward_hook", gradients, calls.invoke(hook, given, {})))
        return gradients

    watched = iter(through(inputs, leaving, always=True)) if backward_hooks else iter(inputs)
    passed = unflatten(description, iter([next(watched) if isinstance(x, Tensor) else x for x in leaves]))
    outputs = call(passed)
    out_leaves, out_description = flatten(outputs)
    made = [x for x in out_leaves if isinstance(x, Tensor)]

    def arriving(cotangents: list[Any]) -> Sequence[Any]:
        gradients = tuple(filled(cotangents, made))
        for hook in list(pre_hooks.values()):
            gradients = tuple(replaced("register_backward_pre_hook", gradients, calls.invoke(hook, (cell, gradients), {})))
        arrived[0] = gradients
        return gradients

    seen = iter(through(made, arriving))
    return unflatten(out_description, iter([next(seen) if isinstance(x, Tensor) else x for x in out_leaves]))
