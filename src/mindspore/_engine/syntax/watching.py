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

from mindspore._engine.base.mutation import CHANGING, MISSING
from mindspore._engine.syntax import namespace, native_code, objects, operators, purity, python_calls, watched_calls
from mindspore._engine.syntax.native_code import defined
from mindspore._engine.syntax.objects import asked, attribute, item, iterates, key, mapping, op_in, op_not_in, truth
from mindspore._engine.syntax.purity import changed_by
from mindspore._engine.tensor.tensor import Tensor
from mindspore._engine.tracing import effects
from mindspore._engine.tracing.effects import born
from mindspore._engine.tracing.state_cell import in_branch

_ALONE = (
    3  # references to a value in a dict that is being looked at: the dict's, the variable's and the question itself
)
_IN_PLACE = {"reverse", "pop", "extend", "insert"}
_MADE = (list, dict, set, np.ndarray, *CHANGING)
_KEEP = (
    "compute with what is passed in and return the result, or keep it in an attribute of the Cell: self.name = value."
)


# -- calls ------------------------------------------------------------------------------------------------------------
def call(function: Any, /, *args: Any, **kwargs: Any) -> Any:
    """Call a function from rewritten code that is watched."""
    if not effects.tracked():
        return python_calls.call(function, *args, **kwargs)
    while isinstance(function, functools.partial):
        function, args, kwargs = function.func, (*function.args, *args), {**function.keywords, **kwargs}
    if python_calls.resolve(function)[0] is not None:
        return python_calls.call(function, *args, **kwargs)  # rewritten, and watched by itself
    handled = watched_calls.handled(function, args, kwargs)
    if handled is not MISSING:
        return handled
    if effects.counts():
        look_at_call(function, args)
        for argument in (*args, *kwargs.values()):  # map, sorted and reduce call it
            plain = isinstance(argument, (types.FunctionType, types.BuiltinFunctionType, types.MethodType))
            if plain and python_calls.resolve(argument)[0] is None:
                look_at_call(argument, ())
        args, kwargs = watched_calls.looked_at(function, args, kwargs)
    for one in changed_by(function, args, kwargs):
        changes(one)
    if not effects.counts() and _changes_its_owner(function):
        _change_where_it_was_taken(function, args)
    result = python_calls.call(function, *args, **kwargs)
    if function is copy.deepcopy and effects.counts():
        return effects.born_inside(result)
    return _made(function, result) if _is_made(function, result) else result


def _changes_its_owner(function: Any) -> bool:
    owner = getattr(function, "__self__", None)
    return isinstance(owner, CHANGING) and function.__name__ in purity.CHANGING_METHODS


def _change_where_it_was_taken(function: Any, args: tuple) -> None:
    """`inner = outer[0]` is a copy to what is assigned, not to the methods that MindSpore's graphs carry out in place."""
    if function.__name__ in _IN_PLACE:
        origins = effects.unchanged_origins(function.__self__)
        if origins and in_branch():
            effects.changed("It changes a list in place where a Tensor decides", _KEEP)
        for origin in origins:
            getattr(origin, function.__name__)(*args)
    elif not in_branch():
        effects.forget_origin(function.__self__)  # to MindSpore, appending makes another list


def look_at_call(function: Any, args: tuple) -> None:
    """Look at a function that is about to run as it is: not rewritten."""
    if hasattr(function, "construct") or hasattr(function, "identity"):  # Cells and jitted functions see to themselves
        if isinstance(function, type) and not purity.is_library_module(function.__module__):
            _refuse(native_code.effect_of_making(function))
        return
    if _changes_its_owner(function):
        changes(function.__self__)
        return
    unbound = isinstance(function, (types.MethodDescriptorType, types.WrapperDescriptorType)) and args
    if unbound and function.__name__ in purity.CHANGING_METHODS:  # list.append(log, x)
        changes(args[0])
        return
    _refuse(_effect_of(function, args))


def _effect_of(function: Any, args: tuple) -> str | None:
    marks = getattr(function, "__dict__", {})
    if "is_rewritten" in marks or "runs_at_compile_time" in marks or "op" in marks:
        return None
    if isinstance(function, type):
        program = not purity.is_library_module(function.__module__)
        return purity.effect_of(function) or (native_code.effect_of_making(function) if program else None)
    if watched_calls.is_cached(function) and not any(isinstance(one, Tensor) for one in args):
        return native_code.effect_of(function.__wrapped__)  # what it gave before it would give again
    return None if isinstance(function, np.ndarray) else purity.effect_of(function)


def _refuse(found: str | None) -> None:
    if found:
        effects.lost(found[:1].upper() + found[1:], objects.OUTSIDE)


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
    name = getattr(function, "__name__", "")
    if isinstance(result, types.GeneratorType) or name in ("iter", "__new__"):
        return True
    return isinstance(result, _MADE) and name not in purity.GETTING


# -- changes ----------------------------------------------------------------------------------------------------------
def changes(owner: Any, *name: str) -> None:
    """Look at an attribute or element before it is assigned."""
    by_itself = isinstance(owner, Tensor) or (name and hasattr(type(owner), "construct"))  # Tensors and Cells are state
    if not by_itself and not effects.is_own(owner):
        what = f"the attribute '{name[0]}' of a {type(owner).__name__}" if name else f"a {type(owner).__name__}"
        effects.changed(f"It changes {what} that was made outside", _KEEP)
    operators.changes(owner, *name)


def changed(owner: Any, *name: str) -> Any:
    """The owner of an attribute or element that is about to be assigned, after a look at what that runs."""
    changes(owner, *name)
    if effects.counts() and not isinstance(owner, (Tensor, np.ndarray)):
        for method in ("__setattr__", "__delattr__") if name else ("__setitem__", "__delitem__"):
            objects.refuse_method(owner, method, "something is assigned")
        member = defined(type(owner), name[0])[1] if name else MISSING
        setters = [member.fset, member.fdel] if isinstance(member, property) else [objects.special(member, "__set__")]
        for setter in setters:
            if setter is not None and (found := native_code.effect_of(setter, kind=type(owner))):
                _refuse(f"the attribute '{name[0]}' of a {type(owner).__name__} is assigned, and {found}")
    return owner


def taken(value: Any) -> Any:
    """A list or dict taken out of another by index and given a name is a copy in a graph, as in MindSpore's."""
    if type(value) in (list, dict) and not effects.counts() and effects.is_own(value):
        return effects.taken_from(value, effects.born_inside(copy.copy(value)))
    return value


def rebinds(name: str) -> None:
    """Look at an assignment to a variable of the module or of an enclosing function."""
    effects.changed(f"It assigns the variable '{name}' of outside", _KEEP)


# -- constructs ---------------------------------------------------------------------------------------------------------
def for_stmt(iterated: Any, *rest: Any) -> None:
    """for item in iterated: body(item), while goes_on()."""
    operators.for_stmt(iterates(iterated), *rest)


def if_stmt(condition: Any, *rest: Any) -> None:
    """if condition: then, else: otherwise."""
    operators.if_stmt(truth(condition), *rest)


def if_exp(condition: Any, *rest: Any) -> Any:
    """then if condition else otherwise"""
    return operators.if_exp(truth(condition), *rest)


def while_stmt(test: Any, *rest: Any) -> None:
    """while test(): body()"""
    operators.while_stmt(lambda: truth(test()), *rest)


def assert_stmt(condition: Any, message: Any) -> None:
    """assert condition, message()"""
    namespace.assert_stmt(truth(condition), message)


def not_(value: Any) -> Any:
    """not value"""
    return objects.as_bool(operators.not_(truth(value)))


def and_(left: Any, right: Any) -> Any:
    """left and right()"""
    said = truth(left)
    return operators.and_(left, right) if said is left else right() if said else left


def or_(left: Any, right: Any) -> Any:
    """left or right()"""
    said = truth(left)
    return operators.or_(left, right) if said is left else left if said else right()


_SIGNS = {**operators.SIGNS, **{sign: objects.OPERATORS[f"op_{name}"] for sign, name in operators.SIGN_NAMES.items()},
          "in": op_in, "not in": op_not_in}  # fmt: skip


def compare(left: Any, *pairs: Any) -> Any:
    """A chained comparison, a < b() < c(); every operand is evaluated once."""
    sign, right, more = pairs[0], pairs[1], pairs[2:]
    value = right()
    result = _SIGNS[sign](left, value)
    return and_(result, lambda: compare(value, *more)) if more else result


def text(*pieces: Any) -> str:
    """An f-string."""
    for piece in pieces:
        if isinstance(piece, tuple):
            native_code.look_at(piece[0])
    return namespace.text(*pieces)


def formatted(template: str, values: Any) -> str:
    """template % values"""
    native_code.look_at(values)
    return namespace.formatted(template, values)


_OWN = (asked, assert_stmt, and_, attribute, born, call, changed, compare, for_stmt, formatted, if_exp, if_stmt, item, iterates,
        key, mapping, not_, op_in, op_not_in, or_, rebinds, taken, text, truth, while_stmt, watched_calls.base,
        watched_calls.decorator, watched_calls.entered, watched_calls.in_place, watched_calls.matched)  # fmt: skip
NAMESPACE = types.SimpleNamespace(
    **{name: getattr(namespace, name) for name in namespace.__all__}
    | {one.__name__: one for one in _OWN}
    | objects.OPERATORS
)
