"""Identity nodes on the tape whose vjp is user code, and the Tensor hooks built on them."""

from __future__ import annotations

import itertools
from collections.abc import Callable, Sequence
from typing import Any

import jax.numpy as jnp

from mindspore._engine.base import version_counter
from mindspore._engine.base.kernel import Kernel
from mindspore._engine.base.trace_state import state
from mindspore._engine.execution.dispatch import call
from mindspore._engine.execution.tape import PythonNode
from mindspore._engine.tensor.members import attach
from mindspore._engine.tensor.parameter import Parameter
from mindspore._engine.tensor.tensor import Tensor
from mindspore._engine.tracing import invoke
from mindspore._utils.refusals import several

_NO_TENSOR = several(TypeError, RuntimeError)
Backward = Callable[[list[Any]], Sequence[Any]]

_zeros = Kernel("ZerosLike", jnp.zeros_like)


def zeros_like(tensor: Tensor) -> Tensor:
    value = tensor._read()
    return Tensor.wrap(_zeros.jitted(value) if state.scope is not None else call(_zeros, [value]))


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
    """Replace missing cotangents by zeros."""
    return [zeros_like(like) if c is None else c for c, like in zip(cotangents, likes, strict=True)]


def replaced(owner: str, gradients: tuple, returned: Any) -> Sequence[Any]:
    """The gradients after a hook: unchanged for None, else its validated result."""
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
        raise _NO_TENSOR(
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


def register_tensor_hook(tensor: Tensor, hook: Callable[[Tensor], Any]) -> Handle:
    """Have ``hook(gradient)`` called when the gradient of this Tensor is computed; it may return another.

    Examples:
        >>> import mindspore
        >>> from mindspore import Tensor
        >>> def double(gradient):
        ...     return gradient * 2
        >>> def square(x):
        ...     y = x * x
        ...     y.register_hook(double)
        ...     return y
        >>> print(mindspore.grad(square)(Tensor(3.0)))
        12.0
    """
    if not callable(hook):
        raise TypeError(f"For 'register_hook', the 'hook' must be a function, but got {type(hook).__name__}.")
    hooks = tensor.__dict__.setdefault("_hooks", {})
    handle = Handle(hooks, hook)
    if state.tape is not None and state.tape.link_of(tensor) is not None:
        link, keys = tensor.__dict__.get("_hooked", (None, None))
        if link is not None and link is tensor._link:
            keys.append(handle.id)  # the step of the earlier hooks
        else:  # a step of its own: values that were written over keep the hooks they had
            tensor._link = with_tensor_hooks(tensor, hooks, keys := [handle.id])._link
            tensor.__dict__["_hooked"] = (tensor._link, keys)
    return handle


def with_tensor_hooks(tensor: Tensor, hooks: dict[int, Any], keys: list[int] | None = None) -> Tensor:
    """The tensor behind an identity node that runs its hooks: all of them, or those with these keys."""

    def backward(cotangents: list[Any]) -> Sequence[Any]:
        gradients = tuple(filled(cotangents, [tensor]))
        for hook in [hooks[key] for key in (hooks if keys is None else keys) if key in hooks]:
            returned = invoke.invoke(hook, gradients, {})
            if isinstance(returned, Tensor) and returned.shape == tensor.shape:
                returned = returned.astype(tensor.dtype)  # unlike hooks of Cells, these may answer in another precision
            gradients = tuple(replaced("register_hook", gradients, returned))
        return gradients

    return through([tensor], backward)[0]


def _register_parameter_hook(parameter: Parameter, hook_fn: Callable[[Tensor], Any]) -> Handle:
    """Have ``hook_fn(gradient)`` called when the gradient of this Parameter is computed; it may return another."""
    return register_tensor_hook(parameter, hook_fn)


attach("register_hook", register_tensor_hook)
setattr(Parameter, "register_hook", _register_parameter_hook)  # noqa: B010 - type checkers know Tensor's method
