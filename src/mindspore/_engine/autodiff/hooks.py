"""Hooks: places on the tape where the user's Python code sees the gradient and may replace it.

They work in both modes: eagerly the code runs during backward, in a graph it is traced into the backward part.
"""

from __future__ import annotations

import inspect
import itertools
from collections.abc import Callable, Sequence
from typing import Any

from mindspore._engine.base import version_counter
from mindspore._engine.base.pytree import flatten, unflatten
from mindspore._engine.base.trace_state import state
from mindspore._engine.execution.tape import PythonNode
from mindspore._engine.operator.primitive import Primitive
from mindspore._engine.operator.registry import register_primitive
from mindspore._engine.tensor.tensor import Tensor
from mindspore._engine.tracing import invoke, traced_kernel
from mindspore._engine.tracing.traced_kernel import zeros_like

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


def replaced(owner: str, gradients: tuple, returned: Any) -> Sequence[Any]:
    """The gradients after a hook: unchanged for None, else what it returned, checked."""
    if returned is None:
        return gradients
    values = tuple(returned) if isinstance(returned, (tuple, list)) else (returned,)
    if len(values) != len(gradients):
        raise TypeError(
            f"For '{owner}', the hook must return None or {len(gradients)} gradient(s), one for each it was given, but it "
            f"returned {len(values)}."
        )
    return [g if v is None else _checked_replacement(owner, v, g) for v, g in zip(values, gradients, strict=True)]


def _checked_replacement(owner: str, returned: Any, gradient: Tensor) -> Tensor:
    """What a hook returned in place of a gradient: a Tensor of the same shape and dtype."""
    if not isinstance(returned, Tensor):
        raise TypeError(
            f"For '{owner}', the output type of the hook function should be a tensor, but got {returned!r} of type "
            f"{type(returned).__name__}."
        )
    if returned.shape != gradient.shape or returned.dtype != gradient.dtype:
        raise ValueError(
            f"For '{owner}', the hook function must return a gradient like the one it was given, {gradient.dtype} of shape "
            f"{gradient.shape}, but got {returned.dtype} of shape {returned.shape}."
        )
    return returned


class Handle:
    """What registering a hook returns; ``remove()`` takes the hook away again."""

    _keys = itertools.count()

    def __init__(self, hooks: dict[int, Any], hook: Any):
        self._hooks = hooks
        self._key = next(Handle._keys)
        hooks[self._key] = hook
        version_counter.note()

    @property
    def id(self) -> int:
        """The number of the hook, the same for no other."""
        return self._key

    def remove(self) -> None:
        """Take the hook away. Doing it twice is no error."""
        self._hooks.pop(self._key, None)
        version_counter.note()


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
            gradients = tuple(replaced("register_hook", gradients, invoke.invoke(hook, gradients, {})))
        return gradients

    return through([tensor], backward)[0]


Tensor.register_hook = register_tensor_hook  # type: ignore[attr-defined]
traced_kernel.on_hooked = with_tensor_hooks


# -- hooks of Cells -----------------------------------------------------------------------------------------------------
def wants_cell_id(hook: Callable[..., Any]) -> bool:
    """Whether a backward hook is written for MindSpore up to 2.3: its first parameter is called cell_id."""
    try:
        parameters = list(inspect.signature(hook).parameters)
    except (TypeError, ValueError):
        return False
    return bool(parameters) and parameters[0] == "cell_id"


def watch_cell(cell: Any, call: Callable[[tuple], Any], args: tuple, backward_hooks: dict, pre_hooks: dict) -> Any:
    """Run a Cell between two steps on the tape, so that its backward hooks see what flows in and out.

    Hooks see the gradients of the Tensors among the arguments. Tensors inside tuples, lists and dicts pass by, unless there
    are no others.
    """
    leaves, description = list(args), None
    if not any(isinstance(x, Tensor) for x in leaves):
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
            gradients = tuple(replaced("register_backward_hook", gradients, invoke.invoke(hook, given, {})))
        return gradients

    if backward_hooks:
        watched = iter(through(inputs, leaving, always=True))
        passed = [next(watched) if isinstance(x, Tensor) else x for x in leaves]
        args = tuple(passed) if description is None else unflatten(description, iter(passed))
    outputs = call(args)
    out_leaves, out_description = flatten(outputs)
    made = [x for x in out_leaves if isinstance(x, Tensor)]

    def arriving(cotangents: list[Any]) -> Sequence[Any]:
        gradients = tuple(filled(cotangents, made))
        for hook in list(pre_hooks.values()):
            gradients = tuple(
                replaced("register_backward_pre_hook", gradients, invoke.invoke(hook, (cell, gradients), {}))
            )
        arrived[0] = gradients
        return gradients

    seen = iter(through(made, arriving))
    return unflatten(out_description, iter([next(seen) if isinstance(x, Tensor) else x for x in out_leaves]))
