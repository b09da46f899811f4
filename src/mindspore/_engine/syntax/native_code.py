"""Code that Python calls inside a trace without the rewriter: methods that libraries call, functions without source.

Its bytecode tells whether it only computes. What is not known to be harmless counts as an effect.
"""

from __future__ import annotations

import builtins
import dis
import types
import weakref
from typing import Any

import numpy as np

from mindspore._engine.base.mutation import MISSING
from mindspore._engine.syntax import purity
from mindspore._engine.tensor.tensor import Tensor
from mindspore._engine.tracing import effects

_CHANGING = {"STORE_GLOBAL", "DELETE_GLOBAL", "STORE_SUBSCR", "DELETE_SUBSCR", "DELETE_ATTR", "DELETE_DEREF"}
_KNOWN_METHODS = frozenset(
    name for kind in (str, bytes, tuple, list, dict, set, int, float, range, np.ndarray, Tensor, type, object)
    for name in dir(kind)
)  # fmt: skip
_known: weakref.WeakKeyDictionary[Any, dict[Any, str | None]] = weakref.WeakKeyDictionary()
_DEEPEST = 8
_ELEMENTS = 64  # of a container that are looked at
_UNKNOWN = object()
_MAKING = ("__new__", "__init__", "__post_init__", "__del__")
# Python runs these for other reasons than computing with the object.
_ELSEWHERE = {*_MAKING, "__init_subclass__", "__set_name__", "__class_getitem__", "__call__", "__enter__", "__exit__",
              "__setattr__", "__delattr__", "__setitem__", "__delitem__"}  # fmt: skip


def defined(kind: type, name: str) -> tuple[type, Any]:
    """Which class defines a name, and as what; (object, MISSING) if none does."""
    for owner in kind.__mro__:
        found = owner.__dict__.get(name, MISSING)
        if found is not MISSING:
            return owner, found
    return object, MISSING


def effect_of(function: Any, depth: int = 0, kind: type | None = None) -> str | None:
    """What running this function natively may do, in words; None if it only computes. ``kind``: the class of `self`."""
    if isinstance(function, types.MethodType) and kind is None:
        kind = type(function.__self__)
    function = getattr(function, "__func__", function)
    if not isinstance(function, types.FunctionType):
        return purity.effect_of(function)
    known = _known.setdefault(function, {})
    if kind not in known:
        known[kind] = None  # a recursion adds nothing
        too_deep = depth > _DEEPEST
        known[kind] = "calls too deep to look at" if too_deep else _scan(function, function.__code__, depth, kind)
    return known[kind]


def _scan(function: types.FunctionType, code: types.CodeType, depth: int, kind: type | None) -> str | None:
    first = (code.co_varnames or ("",))[0] if code is function.__code__ else ""
    known: Any = _UNKNOWN  # what the last instruction has put on the stack
    before: Any = None
    for step in dis.get_instructions(code):
        name, found = step.opname, None
        value: Any = _UNKNOWN
        if name in _CHANGING or (name == "STORE_DEREF" and step.argval in code.co_freevars):
            return f"it changes {step.argval or 'elements of something'}"
        if name == "STORE_ATTR" and not (before and before.opname == "LOAD_FAST" and before.argval == first):
            return f"it sets the attribute '{step.argval}'"
        if name in ("LOAD_GLOBAL", "LOAD_NAME"):
            value = function.__globals__.get(step.argval, getattr(builtins, str(step.argval), _UNKNOWN))
            found = _of_value(value, depth)
        elif name in ("LOAD_DEREF", "LOAD_CLASSDEREF"):
            value = _of_closure(function, step.argval)
            found = _of_value(value, depth)
        elif name in ("LOAD_METHOD", "LOAD_ATTR"):
            called = name == "LOAD_METHOD" or "NULL" in step.argrepr
            own = before is not None and before.opname == "LOAD_FAST" and before.argval == first
            value, found = _of_member(known, kind if own else None, step.argval, called, depth)
        elif name == "LOAD_FAST" and before is not None and before.opname == "PUSH_NULL":
            found = f"it calls its variable '{step.argval}'"
        if found:
            return found
        known, before = value, step
    for inner in code.co_consts:
        if isinstance(inner, types.CodeType) and (found := _scan(function, inner, depth, kind)):
            return found
    return None


def _of_closure(function: types.FunctionType, name: str) -> Any:
    for free, cell in zip(function.__code__.co_freevars, function.__closure__ or (), strict=True):
        if free == name and cell != types.CellType():
            return cell.cell_contents
    return _UNKNOWN


def _of_member(owner: Any, kind: type | None, name: str, called: bool, depth: int) -> tuple[Any, str | None]:
    """An attribute that is read, if its value is known, and what that does."""
    if found := purity.effect_of_name(name):
        return _UNKNOWN, found
    if isinstance(owner, (types.ModuleType, type)):
        value = getattr(owner, name, _UNKNOWN)
        return value, _of_value(value, depth)
    if kind is not None:
        _, member = defined(kind, name)
        read = getattr(member, "fget", member)
        if isinstance(read, types.FunctionType):
            return _UNKNOWN, effect_of(read, depth + 1, kind) if purity.is_program(read) else None
    harmless = not called or name in _KNOWN_METHODS
    return _UNKNOWN, None if harmless else f"it calls {name}()"


def _of_value(value: Any, depth: int) -> str | None:
    if value is _UNKNOWN or not callable(value):
        return None
    if isinstance(value, types.FunctionType) and purity.is_program(value):
        return effect_of(value, depth + 1)
    if isinstance(value, type) and not purity.is_library_module(value.__module__):
        return effect_of_making(value, depth + 1)
    plain = getattr(value, "__func__", None)
    if isinstance(plain, types.FunctionType) and purity.is_program(plain):
        return effect_of(value, depth + 1)
    return purity.effect_of(value)


def effect_of_making(kind: type, depth: int = 0) -> str | None:
    """What making an object of a class of the program may do, and what its end may do."""
    for name in _MAKING:
        owner, made = defined(kind, name)
        made = getattr(made, "__func__", made)
        program = isinstance(made, types.FunctionType) and not purity.is_library_module(owner.__module__)
        if program and (found := effect_of(made, depth, kind)):
            return found
    return None


def effect_of_object(value: Any) -> str | None:
    """What Python or a library may run of an object by itself: its special methods and properties."""
    kind = type(value)
    if hasattr(kind, "construct") or isinstance(value, BaseException):
        return None
    for owner in kind.__mro__:
        if purity.is_library_module(owner.__module__):
            continue
        for name, member in owner.__dict__.items():
            by_itself = name.startswith("__") and name.endswith("__") and name not in _ELSEWHERE
            if by_itself and isinstance(member, types.FunctionType) and (found := effect_of(member, kind=kind)):
                return f"{kind.__name__}.{name} may run, and {found}"
    return None


def look_at(value: Any, depth: int = 3) -> None:
    """End the trace before a library or Python itself runs code of the program's objects that does more than compute."""
    if isinstance(value, (str, bytes, int, float, Tensor, np.ndarray, type, type(None))) or not effects.counts():
        return
    if isinstance(value, (list, tuple, set, frozenset, dict)):
        if depth:
            for index, one in enumerate((*value, *value.values()) if isinstance(value, dict) else value):
                if index == _ELEMENTS:
                    break
                look_at(one, depth - 1)
        if type(value) in (list, tuple, set, frozenset, dict):
            return
    if found := effect_of_object(value):
        effects.lost(
            found[:1].upper() + found[1:], "compare and show such objects outside, and pass in what that gives."
        )
