"""Primitive classes of Python functions that call operators: ``SumExt`` is ``mint.sum`` with its arguments in order."""

from __future__ import annotations

import inspect
from collections.abc import Callable
from typing import Any

from mindspore._engine.operator.primitive import Primitive
from mindspore._utils.user_call import called_as

MODULE = "mindspore.ops.auto_generate.gen_ops_prim"  # where programs find them
_KEYWORD = inspect.Parameter.KEYWORD_ONLY
_POSITIONAL = inspect.Parameter.POSITIONAL_OR_KEYWORD


class FunctionPrimitive(Primitive):
    """A Primitive generated from a function: keyword-only parameters belong to the constructor, the others to the call."""

    function: Callable[..., Any]
    init_signature: inspect.Signature

    def __init__(self, *args: Any, **kwargs: Any):
        super().__init__()
        try:
            bound = self.init_signature.bind(*args, **kwargs)
        except TypeError as error:
            names = ", ".join(map(str, self.init_signature.parameters.values()))
            raise TypeError(f"For '{self.name}', the constructor takes ({names}): {error}.{called_as()}") from None
        bound.apply_defaults()
        self.attrs = dict(bound.arguments)
        self.__dict__.update(bound.arguments)


def function_primitive(name: str, function: Callable[..., Any], document: str | None = None) -> type[FunctionPrimitive]:
    """The Primitive class of a function."""
    parameters = list(inspect.signature(function).parameters.values())
    attributes = [p.replace(kind=_POSITIONAL) for p in parameters if p.kind is _KEYWORD]
    names = tuple(p.name for p in attributes)
    inputs = [p for p in parameters if p.kind is not _KEYWORD]
    function.__name__ = function.__qualname__ = name  # Python's own errors about arguments name the operator

    def call(self: FunctionPrimitive, *args: Any, **kwargs: Any) -> Any:
        return function(*args, **kwargs, **{attribute: self.__dict__[attribute] for attribute in names})

    call.__name__, call.__qualname__ = "__call__", f"{name}.__call__"
    call.__signature__ = inspect.Signature([inspect.Parameter("self", _POSITIONAL), *inputs])  # type: ignore[attr-defined]
    signature = inspect.Signature(attributes)
    return type(name, (FunctionPrimitive,), {
        "__call__": call,
        "__doc__": document or function.__doc__ or f"The operator {name}{inspect.Signature(inputs)}.",
        "__module__": MODULE,
        "__signature__": signature,
        "function": staticmethod(function),
        "init_signature": signature,
    })  # fmt: skip


def form_of(function: Callable[..., Any], attributes: str = "", **renamed: str) -> Callable[..., Any]:
    """The function as a primitive takes it: every parameter by position, but for those of the constructor.

    Args:
        attributes: the parameters of the constructor, separated by spaces.
        renamed: new names of parameters.
    """
    declared = list(inspect.signature(function).parameters.values())
    inputs, others = [], []
    for parameter in declared:
        name = renamed.get(parameter.name, parameter.name)
        follows_default = bool(inputs) and inputs[-1].default is not inspect.Parameter.empty
        missing = parameter.default is inspect.Parameter.empty and follows_default and name not in attributes.split()
        default = None if missing else parameter.default
        chosen = others if name in attributes.split() else inputs
        chosen.append(inspect.Parameter(name, _KEYWORD if chosen is others else _POSITIONAL, default=default))
    others.sort(key=lambda parameter: attributes.split().index(parameter.name))
    signature = inspect.Signature([*inputs, *others])
    own = {renamed.get(parameter.name, parameter.name): parameter for parameter in declared}

    def form(*args: Any, **kwargs: Any) -> Any:
        try:
            bound = signature.bind(*args, **kwargs)
        except TypeError as error:
            raise TypeError(
                f"For '{form.__name__}', the arguments must be {signature}: {error}.{called_as()}"
            ) from None
        bound.apply_defaults()
        return function(**{own[name].name: value for name, value in bound.arguments.items()})

    form.__signature__ = signature  # type: ignore[attr-defined]
    form.__doc__ = function.__doc__
    return form
