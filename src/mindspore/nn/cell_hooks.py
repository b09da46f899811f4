"""Hooks on Cells: code of the user's that sees inputs, outputs and gradients pass."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from mindspore._engine import calls, changes
from mindspore._engine.hooks import Handle


class CellHooks:
    """The hook part of Cell. Split off for readability; not used on its own."""

    _forward_pre_hooks: dict[int, Any]
    _forward_hooks: dict[int, Any]
    _backward_hooks: dict[int, Any]
    _backward_pre_hooks: dict[int, Any]

    def _init_hooks(self) -> None:
        for name in ("_forward_pre_hooks", "_forward_hooks", "_backward_hooks", "_backward_pre_hooks"):
            self.__dict__[name] = {}

    def register_forward_pre_hook(self, hook_fn: Callable[..., Any], with_kwargs: bool = False) -> Handle:
        """``hook_fn(cell, inputs)`` before construct; what it returns replaces the inputs."""
        return self._register("register_forward_pre_hook", self._forward_pre_hooks, hook_fn, with_kwargs)

    def register_forward_hook(self, hook_fn: Callable[..., Any], with_kwargs: bool = False) -> Handle:
        """``hook_fn(cell, inputs, output)`` after construct; what it returns replaces the output."""
        return self._register("register_forward_hook", self._forward_hooks, hook_fn, with_kwargs)

    def register_backward_hook(self, hook_fn: Callable[..., Any]) -> Handle:
        """A hook on the gradient through this Cell; it may return a new gradient of the inputs.

        ``hook_fn(cell, grad_input, grad_output)`` gets the gradients of the Cell's inputs and of its outputs. One whose
        first parameter is called ``cell_id`` is written for MindSpore up to 2.3 and gets ``(cell_id, gradient that arrives
        from above, gradient that is passed on)``.
        """
        return self._register("register_backward_hook", self._backward_hooks, hook_fn)

    def register_backward_pre_hook(self, hook_fn: Callable[..., Any]) -> Handle:
        """``hook_fn(cell, grad_output)`` before the Cell's backward; what it returns replaces the gradient."""
        return self._register("register_backward_pre_hook", self._backward_pre_hooks, hook_fn)

    def _register(self, owner: str, hooks: dict[int, Any], hook_fn: Any, with_kwargs: bool = False) -> Handle:
        if not callable(hook_fn):
            raise TypeError(f"For '{owner}', the 'hook_fn' must be a function, but got {hook_fn!r} of type {type(hook_fn).__name__}.")
        self.__dict__["graph_version"] += 1
        self.__dict__["last_change"] = f"{owner}"
        changes.note()
        return CellHandle(self, hooks, (hook_fn, with_kwargs) if owner.startswith("register_forward") else hook_fn)

    def _call_forward_pre_hooks(self, args: tuple, kwargs: dict[str, Any]) -> tuple[tuple, dict[str, Any]]:
        for hook, with_kwargs in list(self._forward_pre_hooks.values()):
            if with_kwargs:
                returned = calls.invoke(hook, (self, args, kwargs), {})
                if returned is not None:
                    args, kwargs = returned
            else:
                returned = calls.invoke(hook, (self, args), {})
                if returned is not None:
                    args = returned if isinstance(returned, tuple) else (returned,)
        return args, kwargs

    def _call_forward_hooks(self, args: tuple, kwargs: dict[str, Any], outputs: Any) -> Any:
        for hook, with_kwargs in list(self._forward_hooks.values()):
            given = (self, args, kwargs, outputs) if with_kwargs else (self, args, outputs)
            returned = calls.invoke(hook, given, {})
            if returned is not None:
                outputs = returned
        return outputs


class CellHandle(Handle):
    """Removes a Cell's hook; graphs that contain it are compiled again."""

    def __init__(self, cell: Any, hooks: dict[int, Any], hook: Any):
        super().__init__(hooks, hook)
        self._cell = cell

    def remove(self) -> None:
        super().remove()
        self._cell.__dict__["graph_version"] += 1
        changes.note()
