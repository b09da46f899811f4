"""What Python runs by itself inside a trace, unseen by the rewriter: ``__init__``, properties, generators, code without a source.

Its bytecode tells whether it only computes. What is not known to be harmless counts as an effect.
"""

from __future__ import annotations

import builtins
import dis
import types
from typing import Any

from mindspore._engine.syntax import purity
from mindspore._engine.tracing import effects
from mindspore._engine.tracing.code_names import attributes_in

_CHANGING = {"STORE_GLOBAL", "DELETE_GLOBAL", "STORE_SUBSCR", "DELETE_SUBSCR", "DELETE_ATTR", "DELETE_DEREF"}
_known: dict[Any, str | None] = {}
_DEEPEST = 8


def effect_of(function: Any, depth: int = 0) -> str | None:
    """What running this function natively may do, in words; None if it only computes."""
    function = getattr(function, "__func__", function)
    if not isinstance(function, types.FunctionType):
        return purity.effect_of(function)
    key = (function.__code__, id(function.__globals__))
    if key not in _known:
        _known[key] = None  # a recursion adds nothing
        _known[key] = "calls too deep to look at" if depth > _DEEPEST else _scan(function, function.__code__, depth)
    return _known[key]


def _scan(function: types.FunctionType, code: types.CodeType, depth: int) -> str | None:
    before = None
    for step in dis.get_instructions(code):
        name = step.opname
        if name in _CHANGING or (name == "STORE_DEREF" and step.argval in code.co_freevars):
            return f"it changes {step.argval or 'elements of something'}"
        if name == "STORE_ATTR" and not (before and before.argval == (code.co_varnames or ("",))[0]):
            return f"it sets the attribute '{step.argval}'"
        if name in ("LOAD_METHOD", "LOAD_ATTR") and (found := purity.effect_of_name(step.argval)):
            return found
        if name in ("LOAD_GLOBAL", "LOAD_NAME"):
            value = function.__globals__.get(step.argval, getattr(builtins, str(step.argval), None))
            found = _of_value(value, depth) if callable(value) else None
            if found:
                return found
        before = step
    for inner in code.co_consts:
        if isinstance(inner, types.CodeType) and (found := _scan(function, inner, depth)):
            return found
    return None


def _of_value(value: Any, depth: int) -> str | None:
    if isinstance(value, types.FunctionType) and purity.is_program(value):
        return effect_of(value, depth + 1)
    return purity.effect_of(value)


def effect_of_making(kind: type) -> str | None:
    """What making an object of a class of the program may do."""
    for owner in kind.__mro__:
        if purity.is_library_module(owner.__module__):
            break
        for name in ("__new__", "__init__", "__post_init__"):
            made: Any = vars(owner).get(name)
            made = getattr(made, "__func__", made)
            if isinstance(made, types.FunctionType) and (found := effect_of(made)):
                return found
    return None


def look_at_properties(kind: type, code: types.CodeType) -> None:
    """End a trace before this code reads a property of its object that does more than compute."""
    if effects.counts() and (found := effect_of_properties(kind, code)):
        effects.lost(
            f"A property of {kind.__name__} is read, and {found}", "call it outside, and pass in what it gives."
        )


_properties: dict[tuple[type, types.CodeType], str | None] = {}


def effect_of_properties(kind: type, code: types.CodeType) -> str | None:
    """What properties of a class may do that this code reads."""
    key = (kind, code)
    if key not in _properties:
        found = None
        names = attributes_in(code)
        for owner in kind.__mro__:
            if purity.is_library_module(owner.__module__):
                break
            for name in names & vars(owner).keys():
                read = getattr(vars(owner)[name], "fget", None)
                found = found or (effect_of(read) if isinstance(read, types.FunctionType) else None)
        _properties[key] = found
    return _properties[key]
