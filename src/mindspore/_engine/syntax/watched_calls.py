"""Calls that run code of the program's objects: builtins that ask for special methods, classes, contexts, decorators.

What such a call would run unseen is called here instead, or looked at before.
"""

from __future__ import annotations

import builtins
import contextlib
import functools
import math
import operator
import types
from collections.abc import Callable
from typing import Any

from mindspore._engine.base.mutation import CHANGING, MISSING
from mindspore._engine.syntax import native_code, objects, operators, purity, python_calls
from mindspore._engine.syntax.native_code import defined
from mindspore._engine.syntax.objects import watching
from mindspore._engine.tensor.tensor import Tensor
from mindspore._engine.tracing import effects

_CACHED = type(functools.lru_cache(lambda: None))
_GENERATED_CONTEXT = type(contextlib.contextmanager(lambda: iter(()))())
_METHODS = {
    len: "__len__", abs: "__abs__", int: "__int__", float: "__float__", complex: "__complex__", bytes: "__bytes__",
    hash: "__hash__", repr: "__repr__", round: "__round__", reversed: "__reversed__", divmod: "__divmod__", next: "__next__",
    math.trunc: "__trunc__", math.ceil: "__ceil__", math.floor: "__floor__", operator.length_hint: "__length_hint__",
    operator.index: "__index__", operator.contains: "__contains__", operator.getitem: "__getitem__", dir: "__dir__",
}  # fmt: skip
_NOT_LOOKING = {
    isinstance,
    issubclass,
    id,
    type,
    callable,
    super,
    hasattr,
    getattr,
    setattr,
    object.__new__,
    print,
    vars,
}
# Methods of containers that neither compare nor hash what they are given.
_ONLY_HOLDING = {"append", "extend", "appendleft", "extendleft", "insert", "copy", "keys", "values", "items", "clear", "popleft",
                 "reverse", "rotate", "__new__", "__init__"}  # fmt: skip
_CALLING = ("functools", "_functools", "itertools", "numpy", "statistics", "bisect", "_bisect", "builtins", "re")


def is_cached(function: Any) -> bool:
    """Whether a function was decorated by lru_cache."""
    return isinstance(function, _CACHED)


# -- calls that are made here ---------------------------------------------------------------------------------------------
def handled(function: Any, args: tuple, kwargs: dict[str, Any]) -> Any:
    """The result of a call that would run code of the program's classes unseen; MISSING for every other call."""
    if isinstance(function, type):
        return _of_class(function, args, kwargs)
    if isinstance(function, types.BuiltinFunctionType):
        return _of_builtin(function, args, kwargs)
    if isinstance(function, (operator.attrgetter, operator.itemgetter, operator.methodcaller)):
        return _of_getter(function, args[0])
    name = getattr(function, "__name__", "")
    if name in ("__setattr__", "__delattr__") and isinstance(
        function, (types.WrapperDescriptorType, types.MethodWrapperType)
    ):
        owner, *rest = args if isinstance(function, types.WrapperDescriptorType) else (function.__self__, *args)
        watching.changes(owner, rest[0])
    return MISSING


def _of_builtin(function: Any, args: tuple, kwargs: dict[str, Any]) -> Any:
    handler = _HANDLERS.get(function) if isinstance(function.__self__, types.ModuleType) else None
    if handler is not None and not kwargs:
        return handler(*args)
    name = _METHODS.get(function) if handler is None and isinstance(function.__self__, types.ModuleType) else None
    if name is None or not args:
        return MISSING
    if function is next:
        objects.iterates(args[0])
    return objects.ask(args[0], name, *args[1:])


def _getattr(owner: Any, name: str, *default: Any) -> Any:
    try:
        return objects.attribute(owner, name)
    except AttributeError:
        if not default:
            raise
        return default[0]


def _hasattr(owner: Any, name: str) -> bool:
    return _getattr(owner, name, MISSING) is not MISSING


def _setattr(owner: Any, name: str, value: Any) -> None:
    setattr(watching.changed(owner, name), name, value)


def _delattr(owner: Any, name: str) -> None:
    delattr(watching.changed(owner, name), name)


def _setitem(owner: Any, key: Any, value: Any) -> None:
    operator.setitem(watching.changed(owner), objects.key(key), value)


def _delitem(owner: Any, key: Any) -> None:
    operator.delitem(watching.changed(owner), objects.key(key))


def _isinstance(value: Any, kinds: Any) -> Any:
    for kind in kinds if isinstance(kinds, tuple) else (kinds,):
        method = objects.special(kind, "__instancecheck__")
        if method is not None:
            return bool(objects.truth(watching.call(method, value)))
    return MISSING


_HANDLERS: dict[Any, Callable[..., Any]] = {
    getattr: _getattr, hasattr: _hasattr, setattr: _setattr, delattr: _delattr, isinstance: _isinstance,
    operator.setitem: _setitem, operator.delitem: _delitem, operator.truth: lambda value: bool(objects.truth(value)),
    operator.not_: lambda value: watching.not_(value), operator.concat: objects.OPERATORS["op_add"],
    operator.iconcat: objects.OPERATORS["op_iadd"],
    **{getattr(operator, f"__{name[3:]}__"): made for name, made in objects.OPERATORS.items()},
}  # fmt: skip


def _of_getter(function: Any, owner: Any) -> Any:
    """What attrgetter, itemgetter and methodcaller give of an object."""
    made: Any = function.__reduce__()
    if isinstance(function, operator.methodcaller):
        by_name = made[0] is not operator.methodcaller  # it has keyword arguments: partial(methodcaller, name, ...)
        name, *args = (*made[0].args, *made[1]) if by_name else made[1]
        return watching.call(objects.attribute(owner, name), *args, **(made[0].keywords if by_name else {}))
    parts = made[1]
    if isinstance(function, operator.itemgetter):
        found = [objects.item(owner, part) for part in parts]
    else:
        found = [functools.reduce(objects.attribute, part.split("."), owner) for part in parts]
    return found[0] if len(found) == 1 else tuple(found)


# -- classes ----------------------------------------------------------------------------------------------------------------
def _of_class(kind: type, args: tuple, kwargs: dict[str, Any]) -> Any:
    name = _METHODS.get(kind)
    if kind is bool and args:
        said = objects.truth(args[0])
        return MISSING if said is args[0] else bool(said)
    if kind is str and len(args) == 1:
        found = objects.ask(args[0], "__str__")
        return objects.ask(args[0], "__repr__") if found is MISSING else found
    if name is not None and len(args) == 1:
        return objects.ask(args[0], name)
    if kind is _GENERATED_CONTEXT and args:  # the generator is watched where it runs
        made = _GENERATED_CONTEXT(functools.partial(watching.call, args[0]), *args[1:], **kwargs)
        return effects.born(made)
    if purity.is_library_module(kind.__module__) or hasattr(kind, "construct"):
        return MISSING
    return _made_by_parts(kind, args, kwargs)


def _made_by_parts(kind: type, args: tuple, kwargs: dict[str, Any]) -> Any:
    """An object of a class of the program, with its `__new__` and `__init__` rewritten."""
    maker = objects.special(kind, "__call__")  # of its metaclass
    if maker is not None:
        return watching.call(maker, *args, **kwargs)
    new, start = defined(kind, "__new__")[1], defined(kind, "__init__")[1]
    new = getattr(new, "__func__", new)
    own_new, own_start = _is_readable(new), _is_readable(start)
    if not own_new and not own_start:
        return MISSING
    native_code_effect = native_code.effect_of(kind.__del__, kind=kind) if hasattr(kind, "__del__") else None
    if native_code_effect:
        effects.lost(f"The end of a {kind.__name__} runs its __del__, and {native_code_effect}", objects.OUTSIDE)
    made = watching.call(new, kind, *args, **kwargs) if own_new else effects.born(kind.__new__(kind, *args, **kwargs))
    if isinstance(made, kind):
        if own_start:
            watching.call(types.MethodType(start, made), *args, **kwargs)
        else:
            type(made).__init__(made, *args, **kwargs)
    return made


def _is_readable(function: Any) -> bool:
    """Whether a function of the program was written, not generated."""
    written = isinstance(function, types.FunctionType) and purity.is_program(function)
    return written and not function.__code__.co_filename.startswith("<string")


def base(kind: Any) -> Any:
    """A base of a class that is being defined, or its metaclass."""
    if isinstance(kind, type):
        metaclass = kind if issubclass(kind, type) else type(kind)
        checked = [defined(kind, "__init_subclass__")[1]]
        checked += [defined(metaclass, name)[1] for name in ("__new__", "__init__", "__prepare__")]
        for one in checked:
            plain = getattr(one, "__func__", one)
            program = isinstance(plain, types.FunctionType) and purity.is_program(plain)
            if program and (found := native_code.effect_of(plain, kind=metaclass)):
                effects.lost(f"A class is derived from {kind.__name__}, and {found}", objects.OUTSIDE)
    return kind


def decorator(function: Any) -> Any:
    """A decorator that is about to be called."""
    return functools.partial(watching.call, function)


# -- other calls --------------------------------------------------------------------------------------------------------------
def looked_at(function: Any, args: tuple, kwargs: dict[str, Any]) -> tuple[tuple, dict[str, Any]]:
    """The arguments of a call that runs as it is: what it iterates over and calls is watched, the rest is looked at."""
    if _is_only_holding(function):
        return args, kwargs
    if isinstance(getattr(function, "__self__", None), CHANGING):  # index, count and remove compare
        native_code.look_at(function.__self__)
    module = getattr(function, "__module__", None) or type(function).__module__ or ""
    calls = module.partition(".")[0] in _CALLING
    iterating = calls and (not isinstance(function, types.FunctionType) or module.startswith("itertools"))
    args = tuple([_looked_at(one, calls, iterating) for one in args])
    return args, {name: _looked_at(one, calls, iterating) for name, one in kwargs.items()}


def _is_only_holding(function: Any) -> bool:
    if isinstance(function, types.BuiltinFunctionType):
        if isinstance(function.__self__, types.ModuleType):
            return function in _NOT_LOOKING
        return isinstance(function.__self__, CHANGING) and function.__name__ in _ONLY_HOLDING
    return isinstance(function, type) and (function in _NOT_LOOKING or issubclass(function, BaseException))


def _looked_at(argument: Any, calls: bool, iterating: bool) -> Any:
    if isinstance(argument, (Tensor, type, str, int, float)):
        return argument
    called = calls and callable(argument) and not isinstance(argument, types.FunctionType)
    if called and python_calls.resolve(argument)[0] is not None:
        return functools.partial(watching.call, argument)
    if iterating or hasattr(type(argument), "__next__"):
        argument = objects.iterates(argument)
    native_code.look_at(argument)
    return argument


def in_place(function: Any) -> Any:
    """eval and exec, whose texts nobody has looked at."""
    if function in (builtins.eval, builtins.exec):
        effects.lost(f"It calls {function.__name__}()", "write the code itself.")
    return function


# -- contexts and patterns ----------------------------------------------------------------------------------------------------
class Entered:
    """A context manager of the program, whose two methods are rewritten."""

    def __init__(self, context: Any):
        self.context = context

    def __enter__(self) -> Any:
        return watching.call(types.MethodType(type(self.context).__enter__, self.context))

    def __exit__(self, *error: Any) -> Any:
        return watching.call(types.MethodType(type(self.context).__exit__, self.context), *error)


def entered(context: Any) -> Any:
    """The context manager of a `with` statement."""
    kind = type(context)
    if kind.__module__.startswith("mindspore") or kind.__name__ in ("nullcontext", "suppress"):
        return context
    if kind is _GENERATED_CONTEXT and effects.is_own(context):
        return context
    if objects.special(context, "__enter__") is not None and isinstance(kind.__exit__, types.FunctionType):
        return Entered(context)
    effects.lost(
        f"A `with` enters a {kind.__name__}, and its `__enter__` is not known to this compiler", objects.OUTSIDE
    )
    return context


def matched(subject: Any) -> Any:
    """The subject of a `match` statement: patterns read attributes and compare."""
    kind = type(subject)
    native_code.look_at(subject)
    for owner in kind.__mro__ if not purity.is_library_module(kind.__module__) else ():
        for member in list(vars(owner).values()):
            getter = getattr(member, "fget", None)
            if isinstance(getter, types.FunctionType) and (found := native_code.effect_of(getter, kind=kind)):
                effects.lost(f"A property of {kind.__name__} may be read by a pattern, and {found}", objects.OUTSIDE)
    return operators.ld(subject)
