"""What Python asks of an object by itself: operators, attributes, items, truth, iteration.

Where the program's own classes define it, their code is called like any function of the program: rewritten and watched.
Everything else is Python's.
"""

from __future__ import annotations

import functools
import operator
import types
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np

from mindspore._engine.base.mutation import CHANGING, MISSING
from mindspore._engine.syntax import namespace, native_code, operators, purity
from mindspore._engine.syntax.native_code import defined
from mindspore._engine.syntax.object_syntax import COMPARED, UNARY
from mindspore._engine.tensor.parameter import Parameter
from mindspore._engine.tensor.tensor import Tensor, is_traced
from mindspore._engine.tensor.traced_number import as_number, is_traced_number, unknown_key
from mindspore._engine.tracing import effects
from mindspore._utils.deferred import deferred

watching = deferred("mindspore._engine.syntax.watching")  # deferred: it offers these functions to rewritten code
_PLAIN = {Tensor, Parameter, bool, int, float, complex, str, bytes, tuple, list, dict, set, frozenset, range, slice, np.ndarray,
          type(None), type(...), types.FunctionType, types.MethodType, types.BuiltinFunctionType}  # fmt: skip
OUTSIDE = "call it outside of the network, and pass in what it gives."


def special(value: Any, name: str) -> Any:
    """A special method that a class of the program defines, bound to the object; None if it is Python's or a library's."""
    kind = type(value)
    if kind in _PLAIN:
        return None
    owner, found = defined(kind, name)
    if found is None or found is MISSING or purity.is_library_module(owner.__module__):
        return None
    if isinstance(found, (types.WrapperDescriptorType, types.MethodDescriptorType)):
        return None
    return found.__get__(value, kind) if hasattr(type(found), "__get__") else found


def ask(value: Any, name: str, *args: Any) -> Any:
    """Call a special method; MISSING if it is not the program's."""
    method = special(value, name)
    return MISSING if method is None else watching.call(method, *args)


# -- operators ----------------------------------------------------------------------------------------------------------
_REFLECTED = {"lt": "__gt__", "gt": "__lt__", "le": "__ge__", "ge": "__le__", "eq": "__eq__", "ne": "__ne__"}


def _binary(name: str) -> Callable[[Any, Any], Any]:
    plain, method = namespace.PLAIN[f"op_{name}"], f"__{name}__"
    reflected = _REFLECTED.get(name, f"__r{name}__")

    def apply(left: Any, right: Any) -> Any:
        if type(left) in _PLAIN and type(right) in _PLAIN:
            if type(left) is not Tensor:
                look_inside(left, right)
            return plain(left, right)
        mine, theirs = special(left, method), special(right, reflected)
        if mine is None and theirs is None:
            return plain(left, right)
        order = [(left, method, right), (right, reflected, left)]
        if type(right) is not type(left) and issubclass(type(right), type(left)) and _is_first(right, left, reflected):
            order.reverse()
        elif type(right) is type(left) and name not in _REFLECTED:
            order.pop()
        for one, asked_for, other in order:
            result = _tried(one, asked_for, other)
            if result is not NotImplemented:
                return result
        return plain(left, right)  # Python's own error, or comparison by identity

    return apply


def _is_first(right: Any, left: Any, reflected: str) -> bool:
    """Whether Python asks the right operand first: its class derives from that of the left, and has a method of its own."""
    theirs = defined(type(right), reflected)[1]
    compared = reflected in _REFLECTED.values()
    return theirs not in (None, MISSING) and (compared or theirs is not defined(type(left), reflected)[1])


def _tried(value: Any, name: str, other: Any) -> Any:
    method = special(value, name)
    if method is not None:
        return watching.call(method, other)
    _, found = defined(type(value), name)
    if found is None or found is MISSING:
        return NotImplemented
    try:
        return found(value, other)
    except TypeError:  # sequences do not say NotImplemented
        return NotImplemented


def _augmented(name: str) -> Callable[[Any, Any], Any]:
    plain, method, otherwise = namespace.PLAIN[f"op_i{name}"], f"__i{name}__", _binary(name)

    def apply(left: Any, right: Any) -> Any:
        if isinstance(left, (*CHANGING, np.ndarray)):
            watching.changes(left)
        result = ask(left, method, right)
        if result is not MISSING and result is not NotImplemented:
            return result
        if (type(left) in _PLAIN and type(right) in _PLAIN) or defined(type(left), method)[1] is not MISSING:
            return plain(left, right)
        return otherwise(left, right)

    return apply


def _unary(name: str) -> Callable[[Any], Any]:
    plain, method = namespace.PLAIN[f"op_{name}"], f"__{name}__"

    def apply(value: Any) -> Any:
        result = MISSING if type(value) in _PLAIN else ask(value, method)
        return plain(value) if result is MISSING else result

    return apply


OPERATORS: dict[str, Callable[..., Any]] = {
    **{f"op_{name}": _binary(name) for name in (*namespace.BINARY_NAMES, *COMPARED.values())},
    **{f"op_i{name}": _augmented(name) for name in namespace.BINARY_NAMES},
    **{f"op_{name}": _unary(name) for name in UNARY.values()},
}


def look_inside(*values: Any) -> None:
    """Look at what Python may run of objects in containers: comparing and hashing them."""
    for value in values:
        if isinstance(value, (list, tuple, set, frozenset, dict)) and value:
            native_code.look_at(value)


def op_in(item_: Any, container: Any) -> Any:
    """item in container"""
    found = ask(container, "__contains__", item_)
    if found is not MISSING:
        return truth(found)
    walked = iterates(container)
    if walked is not container:
        return any(truth(OPERATORS["op_eq"](one, item_)) for one in walked)
    if isinstance(container, (dict, set, frozenset)):
        key(item_)
    native_code.look_at((item_, container))
    return as_bool(operators.contains(container, item_))


def op_not_in(item_: Any, container: Any) -> Any:
    """item not in container"""
    return as_bool(operators.not_(op_in(item_, container)))


def as_bool(found: Any) -> Any:
    """What Python answers with True or False is a bool, also where a Tensor decides and compiling must not show."""
    decided = effects.counts() and is_traced(found) and found.size == 1
    return as_number(found, bool) if decided else found


# -- truth ----------------------------------------------------------------------------------------------------------------
def truth(value: Any) -> Any:
    """What decides an `if`: the value itself, or what the program's `__bool__` or `__len__` says of it."""
    if type(value) in _PLAIN:
        return value
    said = ask(value, "__bool__")
    if said is MISSING and defined(type(value), "__bool__")[1] is MISSING:
        said = ask(value, "__len__")
    return value if said is MISSING else said


def asked(value: Any) -> Any:
    """A value that Python is about to ask for its truth."""
    for name in ("__bool__", "__len__"):
        refuse_method(value, name, "its truth is asked")
    return value


def refuse_method(value: Any, name: str, why: str) -> None:
    """End the trace if a special method that Python is about to run does more than compute."""
    method = special(value, name)
    if method is not None and effects.counts() and (found := native_code.effect_of(method, kind=type(value))):
        effects.lost(f"{why[:1].upper()}{why[1:]}, which runs {type(value).__name__}.{name}, and {found}", OUTSIDE)


# -- attributes and items -------------------------------------------------------------------------------------------------
def attribute(owner: Any, name: str) -> Any:
    """owner.name"""
    kind = type(owner)
    if kind in _PLAIN:
        return getattr(owner, name)
    getter = special(owner, "__getattribute__")
    if getter is not None:
        return _or_otherwise(owner, name, lambda: watching.call(getter, name))
    if isinstance(owner, types.ModuleType):
        made = vars(owner).get("__getattr__") if name not in vars(owner) else None
        return getattr(owner, name) if made is None else watching.call(made, name)
    found = defined(kind, name)[1]
    of_class = isinstance(owner, type) and (found is MISSING or not hasattr(type(found), "__set__"))
    if of_class:
        found = defined(owner, name)[1]
    held = not of_class and name in getattr(owner, "__dict__", ())
    if found is MISSING:
        other = None if held else special(owner, "__getattr__")
        return getattr(owner, name) if other is None else watching.call(other, name)
    if type(found) is property and not of_class:
        own = isinstance(found.fget, types.FunctionType) and purity.is_program(found.fget)
        return _or_otherwise(owner, name, lambda: watching.call(found.fget, owner)) if own else getattr(owner, name)
    if isinstance(found, functools.cached_property) and not held and not of_class:
        effects.lost(f"A cached property, '{name}', is computed and kept in a {kind.__name__}", OUTSIDE)
    given = special(found, "__get__")
    if given is None or (held and defined(type(found), "__set__")[1] is MISSING):
        return getattr(owner, name)
    return watching.call(given, *((None, owner) if of_class else (owner, kind)))


def _or_otherwise(owner: Any, name: str, get: Callable[[], Any]) -> Any:
    """What a getter gives; where it says AttributeError, what `__getattr__` gives."""
    try:
        return get()
    except AttributeError:
        other = special(owner, "__getattr__")
        if other is None:
            raise
        return watching.call(other, name)


def item(owner: Any, key_: Any) -> Any:
    """owner[key]"""
    found = ask(owner, "__getitem__", key_)
    if found is not MISSING:
        return found
    if isinstance(owner, dict):
        key(key_)
        if type(owner) is not dict and key_ not in owner:
            return _missing(owner, key_)
    elif not isinstance(owner, Tensor):
        refuse_method(key_, "__index__", "it is an index")
    if isinstance(owner, type) and defined(type(owner), "__getitem__")[1] is MISSING:
        _, made = defined(owner, "__class_getitem__")
        if isinstance(made, classmethod) and purity.is_program(made.__func__):
            return watching.call(made.__func__, owner, key_)
    return operator.getitem(owner, key_)  # type: ignore[call-overload]


def part(owner: Any, key_: Any) -> Any:
    """owner[key], an item of which is about to be assigned."""
    return operators.part_of(owner, key_, item(owner, key_))


def _missing(owner: Any, key_: Any) -> Any:
    found = ask(owner, "__missing__", key_)
    if found is not MISSING:
        return found
    if getattr(owner, "default_factory", None) is not None:
        watching.changes(owner)
        made = owner[key_] = watching.call(owner.default_factory)
        return made
    return operator.getitem(owner, key_)


def key(value: Any) -> Any:
    """A value that is about to be hashed and compared."""
    if is_traced_number(value):
        raise unknown_key()
    if type(value) not in _PLAIN or type(value) is tuple:
        native_code.look_at(value)
    return value


# -- iteration --------------------------------------------------------------------------------------------------------------
def iterates(iterated: Any) -> Any:
    """What is iterated over: an iterator made outside goes on from call to call, an object of the program runs its own code."""
    kind = type(iterated)
    if kind in _PLAIN or is_traced(iterated):
        return iterated
    if hasattr(kind, "__next__") and not effects.is_own(iterated):
        effects.changed(
            f"It takes from a {kind.__name__} made outside, which returns what comes next and changes by that", OUTSIDE
        )
    if hasattr(kind, "__next__") and effects.is_of_outer_scope(iterated):
        effects.changed(
            f"Where a Tensor decides, it takes from a {kind.__name__} made before, which returns what comes next and changes by that",
            "make the iterator there, or take from it before.",
        )
    made = ask(iterated, "__iter__")
    if made is not MISSING:
        return made if special(made, "__next__") is None else _steps(made)
    if special(iterated, "__next__") is not None:
        return _steps(iterated)
    by_index = defined(kind, "__iter__")[1] is MISSING and special(iterated, "__getitem__") is not None
    return effects.born(_by_index(iterated)) if by_index else iterated


def _steps(iterator: Any) -> Iterator[Any]:
    def steps() -> Iterator[Any]:
        while True:
            try:
                step = ask(iterator, "__next__")
            except StopIteration:
                return
            yield step

    return effects.born(steps())


def _by_index(sequence: Any) -> Iterator[Any]:
    position = 0
    while True:
        try:
            found = ask(sequence, "__getitem__", position)
        except IndexError:
            return
        yield found
        position += 1


def mapping(value: Any) -> Any:
    """What `**` spreads."""
    if type(value) not in _PLAIN and special(value, "keys") is not None:
        names = list(iterates(ask(value, "keys")))
        return effects.born({name: item(value, name) for name in names})
    return value
