"""The names rewritten code calls where compiling must not show: as in ``namespace``, with an eye on effects.

Each looks before anything happens: a call that may do more than compute, a change to something made outside, another value for a
global variable end the trace, and the program runs as Python. Code of this package is not watched.
"""

from __future__ import annotations

import copy
import functools
import sys
import types
from typing import Any

import numpy as np

from mindspore._engine.base.mutation import CHANGING
from mindspore._engine.syntax import namespace, native_code, operators, purity, python_calls
from mindspore._engine.tensor.tensor import Tensor
from mindspore._engine.tracing import effects
from mindspore._engine.tracing.effects import born

_ALONE = (
    3  # references to a value in a dict that is being looked at: the dict's, the variable's and the question itself
)
_MADE = (list, dict, set, np.ndarray, *CHANGING)
_ITERATORS = "returns what comes next and changes by that"
_KEEP = (
    "compute with what is passed in and return the result, or keep it in an attribute of the Cell: self.name = value."
)
_OUTSIDE = "call it outside of the network, and pass in what it gives."


# -- calls ------------------------------------------------------------------------------------------------------------
def call(function: Any, /, *args: Any, **kwargs: Any) -> Any:
    """Call a function from rewritten code that is watched."""
    if not effects.tracked():
        return python_calls.call(function, *args, **kwargs)
    if not effects.counts():
        return _call_tracked(function, args, kwargs)
    _look_at_call(function, args)
    for argument in (*args, *kwargs.values()):  # map, sorted and reduce call it
        if isinstance(argument, (types.FunctionType, types.BuiltinFunctionType, types.MethodType)):
            _look_at_call(argument, ())
    result = python_calls.call(function, *args, **kwargs)
    return _noted(function, result)


def _call_tracked(function: Any, args: tuple, kwargs: dict[str, Any]) -> Any:
    """Where a graph was asked for, what a call does besides changing things happens once."""
    if _changes_its_owner(function):
        changes(function.__self__)
    elif function is setattr or function is delattr:
        changes(*args[:2])
    result = python_calls.call(function, *args, **kwargs)
    return _made(function, result) if _is_made(function, result) else result


def _changes_its_owner(function: Any) -> bool:
    owner = getattr(function, "__self__", None)
    return isinstance(owner, CHANGING) and function.__name__ in purity.CHANGING_METHODS


def _look_at_call(function: Any, args: tuple) -> None:
    while isinstance(function, functools.partial):
        function = function.func
    if hasattr(function, "construct") or hasattr(function, "identity"):  # Cells and jitted functions see to themselves
        return
    if function is next:
        iterates(args[0])
        return
    if function in (setattr, delattr) and args:
        changes(*args[:2])
        return
    if _changes_its_owner(function):
        changes(function.__self__)
        return
    if python_calls.resolve(function)[0] is None:
        _refuse(_effect_of(function))


def _effect_of(function: Any) -> str | None:
    marks = getattr(function, "__dict__", {})
    if "is_rewritten" in marks or "runs_at_compile_time" in marks or "op" in marks:
        return None
    if isinstance(function, type):
        program = not purity.is_library_module(function.__module__) and not hasattr(function, "construct")
        return purity.effect_of(function) or (native_code.effect_of_making(function) if program else None)
    plain = getattr(function, "__func__", function)
    if isinstance(plain, types.FunctionType) and purity.is_program(plain):  # a generator
        return native_code.effect_of(plain)
    if isinstance(function, np.ndarray):
        return None
    return purity.effect_of(function)


def _refuse(found: str | None) -> None:
    if found:
        effects.lost(found[:1].upper() + found[1:], _OUTSIDE)


def _noted(function: Any, result: Any) -> Any:
    """The result of a call; what is new is noted."""
    if function is copy.deepcopy:
        return effects.born_inside(result)
    return _made(function, result) if _is_made(function, result) else result


def _made(function: Any, result: Any) -> Any:
    """Note something new; of an object, with the containers that its ``__init__`` made and nobody else holds."""
    if isinstance(function, type) and not purity.is_library_module(function.__module__):
        for value in getattr(result, "__dict__", {}).values():
            if isinstance(value, CHANGING) and sys.getrefcount(value) <= _ALONE:
                born(value)
    return born(result)


def _is_made(function: Any, result: Any) -> bool:
    """Whether a call gives something new, that nobody else holds."""
    if isinstance(function, type):
        return True
    if isinstance(result, types.GeneratorType) or getattr(function, "__name__", "") == "iter":
        return True
    return (
        isinstance(result, _MADE) and getattr(function, "__name__", "") not in purity.GETTING and not _is_own(function)
    )


def _is_own(function: Any) -> bool:
    """Whether a function is rewritten, so that what it makes is known already."""
    return python_calls.resolve(function)[0] is not None


# -- changes ----------------------------------------------------------------------------------------------------------
def changes(owner: Any, *name: str) -> None:
    """Look at an attribute or element before it is assigned."""
    by_itself = isinstance(owner, Tensor) or (name and hasattr(type(owner), "construct"))  # Tensors and Cells are state
    if not by_itself and not effects.is_own(owner):
        what = f"the attribute '{name[0]}' of a {type(owner).__name__}" if name else f"a {type(owner).__name__}"
        effects.changed(f"It changes {what} that was made outside", _KEEP)
    operators.changes(owner, *name)


def augments(value: Any) -> None:
    """Look at what `+=` and its kin may change in place."""
    if isinstance(value, (*CHANGING, np.ndarray)):
        changes(value)


def taken(value: Any) -> Any:
    """A list or dict taken out of another by index and given a name is a copy in a graph, as in MindSpore's."""
    if type(value) in (list, dict) and not effects.counts() and effects.is_own(value):
        return effects.born_inside(copy.copy(value))
    return value


def rebinds(name: str) -> None:
    """Look at an assignment to a variable of the module or of an enclosing function."""
    effects.changed(f"It assigns the variable '{name}' of outside", _KEEP)


# -- iterators and contexts -------------------------------------------------------------------------------------------
def iterates(iterated: Any) -> Any:
    """Look at what is iterated over: an iterator made outside goes on from call to call."""
    if hasattr(type(iterated), "__next__") and not effects.is_own(iterated):
        effects.lost(f"It takes from a {type(iterated).__name__} made outside, which {_ITERATORS}", _OUTSIDE)
    return iterated


def for_stmt(iterated: Any, *rest: Any) -> None:
    """for item in iterated: body(item), while goes_on()."""
    operators.for_stmt(iterates(iterated), *rest)


def entered(context: Any) -> Any:
    """Look at the context manager of a `with` statement."""
    kind = type(context)
    if not kind.__module__.startswith("mindspore") and kind.__name__ not in ("nullcontext", "suppress"):
        found = "its `__enter__` is not known to this compiler"
        if not purity.is_library_module(kind.__module__):
            found = native_code.effect_of(kind.__enter__) or native_code.effect_of(kind.__exit__)
        _refuse(found and f"a `with` enters a {kind.__name__}, and {found}")
    return context


NAMESPACE = types.SimpleNamespace(
    **{name: getattr(namespace, name) for name in namespace.__all__}
    | {one.__name__: one for one in (augments, born, call, changes, entered, for_stmt, iterates, rebinds, taken)}
)
