"""Wrappers that replace operators in compiled graphs, and declared shapes of their results."""

from __future__ import annotations

import enum
import os
from collections.abc import Callable
from typing import Any

from mindspore._engine.base.trace_state import state
from mindspore._engine.operator.registry import PRIMITIVES
from mindspore._utils import log
from mindspore._utils.checks import check_one_of, check_str, check_type, suggestion

__all__ = [
    "CustomPassType",
    "clear_op_infer",
    "clear_op_wrapper",
    "register_custom_backend",
    "register_custom_pass",
    "register_op_infer",
    "register_op_wrapper",
]

_wrappers: dict[str, Callable[..., Any]] = {}
_infers: dict[str, dict[str, Callable[..., Any]]] = {}
_originals: dict[type, Callable[..., Any]] = {}  # how the classes that are changed were called before


class CustomPassType(enum.Enum):
    """What a pass of a plugin looks at: a pattern of operators, or the whole graph.

    Examples:
        >>> from mindspore.graph import CustomPassType
        >>> [one.name for one in CustomPassType]
        ['PATTERN', 'FULL_GRAPH']
    """

    PATTERN = 0
    FULL_GRAPH = 1


def _primitive(owner: str, op_name: Any) -> type:
    if not isinstance(op_name, str) or not op_name:
        raise ValueError(f"For '{owner}', the 'op_name' must be a non-empty string, but got {op_name!r}.")
    if op_name not in PRIMITIVES:
        hint = suggestion(op_name, PRIMITIVES)
        raise ValueError(
            f"For '{owner}', the 'op_name' must be the name of an operator class, but got {op_name!r}.{hint}"
        )
    return PRIMITIVES[op_name]


def _change(kind: type, name: str) -> None:
    """Have calls of an operator's class pass by here while graphs are made."""
    if kind in _originals:
        return
    original = _originals[kind] = kind.__call__

    def call(self: Any, *args: Any, **kwargs: Any) -> Any:
        if state.scope is None:
            return original(self, *args, **kwargs)
        if name in _wrappers:
            result = _wrappers[name](*args, **kwargs)(*args, **kwargs)
        else:
            result = original(self, *args, **kwargs)
        for attribute, infer in _infers.get(name, {}).items():
            setattr(result, attribute, infer(*args, **kwargs))
        return result

    kind.__call__ = call  # type: ignore[method-assign]


def _restore() -> None:
    """Classes that nothing is registered for are as they were."""
    for kind in [
        original for original in _originals if original.__name__ not in _wrappers and original.__name__ not in _infers
    ]:
        kind.__call__ = _originals.pop(kind)  # type: ignore[method-assign]


def register_op_wrapper(op_name: str) -> Callable[[Callable[..., Any]], Callable[..., Any]]:
    """Decorator: in compiled graphs, calls of an operator's class compute something else.

    The decorated function gets the operator's inputs and gives a function, which gets them too and computes. Calls of
    the class are meant (``ops.Add()(x, y)``); ``x + y`` stays what it is.

    Examples:
        >>> from mindspore import Tensor, jit, ops
        >>> from mindspore.graph import clear_op_wrapper, register_op_wrapper
        >>> @register_op_wrapper("Add")
        ... def double_add(x, y):
        ...     return lambda x, y: x + 2 * y
        >>> print(jit(lambda x, y: ops.Add()(x, y))(Tensor([1.0]), Tensor([2.0])))
        [5.]
        >>> clear_op_wrapper()
    """
    kind = _primitive("register_op_wrapper", op_name)
    if op_name in _wrappers:
        raise RuntimeError(
            f"For 'register_op_wrapper', there is a wrapper for {op_name!r} already: clear_op_wrapper()."
        )

    def register(function: Callable[..., Any]) -> Callable[..., Any]:
        _wrappers[op_name] = function
        _change(kind, op_name)
        return function

    return register


def register_op_infer(op_name: str, infer_name: str) -> Callable[[Callable[..., Any]], Callable[..., Any]]:
    """Decorator: while a graph is made, results of an operator's class carry an attribute.

    The decorated function gets the operator's inputs and gives the attribute's value.

    Examples:
        >>> from mindspore import Tensor, jit, ops
        >>> from mindspore.graph import clear_op_infer, register_op_infer
        >>> @register_op_infer("Add", "layout")
        ... def add_layout(x, y):
        ...     return x.shape + y.shape
        >>> def scaled(x, y):
        ...     total = ops.Add()(x, y)
        ...     return total * len(total.layout)
        >>> print(jit(scaled)(Tensor([1.0]), Tensor([2.0])))
        [6.]
        >>> clear_op_infer()
    """
    kind = _primitive("register_op_infer", op_name)
    if not isinstance(infer_name, str) or not infer_name:
        raise ValueError(
            f"For 'register_op_infer', the 'infer_name' must be a non-empty string, but got {infer_name!r}."
        )
    if infer_name in _infers.get(op_name, {}):
        raise RuntimeError(
            f"For 'register_op_infer', there is a function for {infer_name!r} of {op_name!r} already: clear_op_infer()."
        )

    def register(function: Callable[..., Any]) -> Callable[..., Any]:
        _infers.setdefault(op_name, {})[infer_name] = function
        _change(kind, op_name)
        return function

    return register


def clear_op_wrapper() -> None:
    """Remove all wrappers of :func:`register_op_wrapper`.

    Examples:
        >>> from mindspore import graph
        >>> graph.clear_op_wrapper()
    """
    _wrappers.clear()
    _restore()


def clear_op_infer() -> None:
    """Remove all functions of :func:`register_op_infer`.

    Examples:
        >>> from mindspore import graph
        >>> graph.clear_op_infer()
    """
    _infers.clear()
    _restore()


def _refuse_plugin(owner: str, name: str, path: Any) -> bool:
    check_str(owner, name, path, allow_empty=False)
    if not os.path.isfile(path):
        raise ValueError(f"For '{owner}', the '{name}' must be a file that exists, but got {path!r}.")
    log.warning(
        f"The '{owner}' does not load {path!r}: it is made for MindSpore's own compiler, graphs are compiled by XLA here. "
        "Use register_op_wrapper to compute something else in the place of an operator."
    )
    return False


def register_custom_pass(pass_name: str, plugin_so_path: str, device: str = "all",
                         pass_type: CustomPassType = CustomPassType.PATTERN) -> bool:  # fmt: skip
    """Whether a pass of a plugin changes graphs from now on: never, for plugins know MindSpore's own compiler alone.

    Examples:
        >>> import tempfile
        >>> from mindspore import graph
        >>> with tempfile.NamedTemporaryFile(suffix=".so") as file:
        ...     graph.register_custom_pass("fuse", file.name)
        False
    """
    check_str("register_custom_pass", "pass_name", pass_name, allow_empty=False)
    check_one_of("register_custom_pass", "device", device, ("cpu", "gpu", "ascend", "all"))
    check_type("register_custom_pass", "pass_type", pass_type, CustomPassType)
    return _refuse_plugin("register_custom_pass", "plugin_so_path", plugin_so_path)


def register_custom_backend(backend_name: str, backend_path: str) -> bool:
    """Whether a plugin runs graphs from now on: never, for plugins know MindSpore's own compiler alone.

    Examples:
        >>> import tempfile
        >>> from mindspore import graph
        >>> with tempfile.NamedTemporaryFile(suffix=".so") as file:
        ...     graph.register_custom_backend("mine", file.name)
        False
    """
    check_str("register_custom_backend", "backend_name", backend_name, allow_empty=False)
    return _refuse_plugin("register_custom_backend", "backend_path", backend_path)
