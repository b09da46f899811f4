"""Primitives as functions of all their arguments: inputs first, then what the constructor takes."""

from __future__ import annotations

import functools
import inspect
from collections.abc import Callable
from typing import Any

_EMPTY = inspect.Parameter.empty
_POSITIONAL = inspect.Parameter.POSITIONAL_OR_KEYWORD


@functools.cache
def parameters(kind: Any) -> tuple[tuple[inspect.Parameter, ...], tuple[inspect.Parameter, ...]]:
    """The parameters of a primitive's call and of its constructor."""
    attributes = tuple(
        p for p in inspect.signature(kind).parameters.values() if p.kind is _POSITIONAL and p.name != "name"
    )
    if hasattr(kind, "call_indices"):
        chosen = [kind.op.arguments[index] for index in kind.call_indices]
        return tuple(inspect.Parameter(one.name, _POSITIONAL, default=one.default) for one in chosen), attributes
    inputs = tuple(inspect.signature(kind.__call__).parameters.values())[1:]
    return inputs, attributes


def run(kind: Any, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
    """Make the primitive of the last arguments and call it with the first."""
    inputs, attributes = parameters(kind)
    count = len(inputs) if all(p.kind is _POSITIONAL for p in inputs) else len(args)
    names = [p.name for p in attributes]
    if len(args) > count + len(names):
        raise TypeError(f"For '{kind.__name__}', there are {count + len(names)} arguments, but got {len(args)}.")
    chosen = dict(zip(names, args[count:], strict=False))
    chosen |= {name: kwargs.pop(name) for name in names if name in kwargs}
    return kind(**chosen)(*args[:count], **kwargs)


def flat_function(kind: Any, name: str) -> Callable[..., Any]:
    """The primitive as a function."""

    def function(*args: Any, **kwargs: Any) -> Any:
        return run(kind, args, dict(kwargs))

    inputs, attributes = parameters(kind)
    ordered = [*inputs, *attributes]
    if all(p.kind is _POSITIONAL for p in ordered):
        ordered.sort(key=lambda p: p.default is not _EMPTY)  # a required attribute stands before optional inputs
        function.__signature__ = inspect.Signature(ordered)  # type: ignore[attr-defined]
    function.__name__ = function.__qualname__ = name
    function.__module__ = "mindspore.ops.auto_generate.gen_ops_def"
    function.__doc__ = kind.__doc__
    function.op = getattr(kind, "op", None)  # type: ignore[attr-defined]
    return function


def flat_object(kind: Any, name: str) -> Callable[..., Any]:
    """The function of a primitive's object and a list of all arguments; some versions of MindSpore take the list alone."""

    def function(prim: Any, args: Any = None) -> Any:
        return run(kind, tuple(prim if args is None else args), {})

    function.__name__ = function.__qualname__ = name
    function.__doc__ = f"{kind.__name__} of a list of all its arguments."
    return function


class FlatPrimitive:
    """An operator whose call takes all arguments."""

    kind: Any
    name: str

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        return run(self.kind, args, dict(kwargs))

    def __repr__(self) -> str:
        return f"PrimFunc[{self.name}]"


@functools.cache
def inner_classes(kind: Any) -> tuple[type, type]:
    """The two classes of a flat primitive: the base, and that of its object."""
    name = kind.__name__
    inputs, attributes = parameters(kind)

    def call(self: FlatPrimitive, *args: Any, **kwargs: Any) -> Any:
        return run(kind, args, dict(kwargs))

    own = [inspect.Parameter("self", _POSITIONAL), *(p.replace(default=_EMPTY) for p in (*inputs, *attributes))]
    call.__signature__ = inspect.Signature(own)  # type: ignore[attr-defined]
    base = type(f"{name}Prim_", (FlatPrimitive,), {"kind": kind, "name": name, "__module__": "mindspore._c_expression"})
    module = "mindspore.ops.auto_generate.pyboost_inner_prim"
    return base, type(f"_Pyboost{name}Prim", (base,), {"__call__": call, "__module__": module, "__doc__": kind.__doc__})


def defaults(kind: Any) -> dict[str, Any]:
    """The defaults of a primitive's arguments."""
    return {p.name: p.default for part in parameters(kind) for p in part if p.default is not _EMPTY}
