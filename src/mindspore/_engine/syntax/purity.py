"""Which calls only compute: builtins, methods of Python's own values, and functions of libraries.

What stands in none of these tables may do something at every call, and a graph would do it once.
"""

from __future__ import annotations

import bisect
import functools
import heapq
import inspect
import operator
import random
import re
import types
from typing import Any

import numpy as np

from mindspore._engine.base.mutation import CHANGING
from mindspore._engine.tracing.contents import is_library
from mindspore._utils.documented import written_in

_BUILTINS = {
    "abs", "all", "any", "ascii", "bin", "callable", "chr", "delattr", "dir", "divmod", "format", "getattr", "globals", "hasattr",
    "hash", "hex", "id", "isinstance", "issubclass", "iter", "len", "locals", "max", "min", "next", "oct", "ord", "pow", "repr",
    "round", "setattr", "sorted", "sum", "vars", "__build_class__", "__import__",
}  # fmt: skip
_MODULES = {
    "math", "cmath", "operator", "_operator", "functools", "_functools", "itertools", "collections", "_collections",
    "_collections_abc", "copy", "typing", "abc", "_abc", "dataclasses", "enum", "types", "string", "numbers", "fractions", "decimal",
    "_decimal", "statistics", "re", "inspect", "bisect", "_bisect", "textwrap", "keyword", "unicodedata", "struct", "_struct",
    "zlib", "hashlib", "numpy", "jax", "jaxlib", "scipy", "ml_dtypes", "mindspore", "typing_extensions",
}  # fmt: skip
_MODULES_WITH_EFFECTS = (
    "numpy.random", "numpy.lib.npyio", "numpy.lib._npyio", "scipy.io", "mindspore._utils.log", "mindspore.log",
    "mindspore._engine.runtime.context", "mindspore.train", "mindspore.dataset", "mindspore.profiler", "mindspore.hal",
)  # fmt: skip
_NAMES_WITH_EFFECTS = {
    "save", "savez", "savez_compressed", "savetxt", "load", "loadtxt", "fromfile", "memmap", "copyto", "put", "place", "putmask",
    "fill_diagonal", "seterr", "set_printoptions", "put_along_axis", "set_seed", "seed", "manual_seed", "set_rng_state",
}  # fmt: skip
CHANGING_METHODS = {
    "append", "extend", "insert", "pop", "remove", "clear", "reverse", "sort", "update", "setdefault", "popitem", "add", "discard",
    "appendleft", "extendleft", "popleft", "rotate", "__setitem__", "__delitem__", "__iadd__", "move_to_end", "subtract",
    "difference_update", "intersection_update", "symmetric_difference_update",
}  # fmt: skip
_CHANGING_ARRAYS = {"fill", "sort", "partition", "put", "resize", "itemset", "setfield", "setflags", "tofile", "dump"}
_VALUES = (
    str, bytes, int, float, complex, tuple, frozenset, range, slice, type(None), np.generic, np.dtype, re.Pattern, re.Match,
    types.MappingProxyType, property, type(NotImplemented), *(type(getattr({}, name)()) for name in ("keys", "values", "items")),
)  # fmt: skip
_MAKING = {"fromkeys", "from_bytes", "fromhex", "maketrans", "from_iterable", "_make"}
GETTING = {"get", "pop", "popleft", "popitem", "setdefault", "getattr", "next", "min", "max", "reduce", "vars", "globals", "locals",
           "__getitem__", "__getattribute__", "attrgetter", "itemgetter", "__next__"}  # fmt: skip


def is_library_module(module: str) -> bool:
    """Whether a module is not the program's own."""
    return is_library(module or "")


def is_program(function: Any) -> bool:
    """Whether a Python function is the program's own, or of a library that is traced like it."""
    return not is_library_module(written_in(function) or "")


@functools.lru_cache(maxsize=4096)
def _of_module(module: str, name: str) -> str | None:
    if module.startswith(_MODULES_WITH_EFFECTS) or (
        name in _NAMES_WITH_EFFECTS and not module.startswith("mindspore.ops")
    ):
        return f"it calls {module}.{name}"
    return None if module.partition(".")[0] in _MODULES else f"it calls {module}.{name}"


def effect_of(function: Any) -> str | None:
    """What calling a function of a library may do, in words; None if it only computes."""
    if isinstance(function, type):
        return _of_class(function)
    if isinstance(function, types.BuiltinFunctionType):
        return _of_builtin(function)
    if isinstance(function, types.MethodType):
        return _of_method(function)
    if isinstance(function, (np.ufunc, functools.partial, types.MethodWrapperType, types.WrapperDescriptorType)):
        return effect_of(function.func) if isinstance(function, functools.partial) else None
    if isinstance(function, (types.MethodDescriptorType, types.ClassMethodDescriptorType)):
        changes = function.__name__ in CHANGING_METHODS
        return f"it calls {function.__qualname__}" if changes else None
    if isinstance(function, types.FunctionType):
        return _of_module(written_in(function) or "", function.__name__)
    kind = type(function)
    if any(base.__module__.startswith("mindspore") for base in kind.__mro__):
        return None
    return _of_module(
        getattr(function, "__module__", None) or kind.__module__ or "", getattr(function, "__name__", kind.__name__)
    )


def _of_class(kind: type) -> str | None:
    if kind.__module__ == "builtins" or issubclass(kind, BaseException):
        return None
    if any(base.__module__.startswith("mindspore") for base in kind.__mro__) or hasattr(kind, "_fields"):
        return None
    if not is_library_module(kind.__module__) or kind.__module__ in ("datetime", "argparse"):
        return None  # of the program: its methods are looked at by themselves
    return _of_module(kind.__module__, kind.__name__)


def _of_builtin(function: Any) -> str | None:
    owner, name = function.__self__, function.__name__
    if owner is None or inspect.ismodule(owner):
        module = function.__module__ or getattr(owner, "__name__", "")
        if module == "builtins":
            return None if name in _BUILTINS else f"it calls {name}()"
        return _of_module(module, name)
    if isinstance(owner, type):
        known = name in _MAKING or owner.__module__.partition(".")[0] in (
            "builtins",
            "numpy",
            "collections",
            "itertools",
        )
        return None if known else f"it calls {owner.__name__}.{name}()"
    if isinstance(owner, (*CHANGING, *_VALUES)):
        return None  # changes of containers are looked at by themselves
    if isinstance(owner, np.ndarray):
        return f"it calls {name}() of an array" if name in _CHANGING_ARRAYS else None
    return f"it calls {type(owner).__name__}.{name}()"


def _of_method(function: Any) -> str | None:
    owner = function.__self__
    if isinstance(owner, CHANGING):
        return None
    kind = owner if isinstance(owner, type) else type(owner)
    return _of_module(written_in(function.__func__) or kind.__module__, function.__name__)


def effect_of_name(name: Any) -> str | None:
    """What a method of this name may do, where its object is not known: changes of containers count."""
    return f"it calls {name}()" if name in CHANGING_METHODS or name in ("write", "writelines", "flush") else None


# -- changes of what is given ----------------------------------------------------------------------------------------
_METHODS_OF_ARRAYS = {"fill", "sort", "partition", "put", "resize", "itemset", "setfield", "setflags", "__setitem__"}
_IN_PLACE = ("iadd", "iand", "iconcat", "ifloordiv", "ilshift", "imatmul", "imod", "imul", "ior", "ipow", "irshift", "isub",
             "itruediv", "ixor", "setitem", "delitem")  # fmt: skip
_FUNCTIONS = {  # they change their first argument
    heapq.heapify, heapq.heappush, heapq.heappop, heapq.heappushpop, heapq.heapreplace, bisect.insort, bisect.insort_left,
    bisect.insort_right, random.shuffle, np.copyto, np.put, np.place, np.putmask, np.fill_diagonal, np.random.shuffle,
    *[getattr(operator, name) for name in _IN_PLACE],
}  # fmt: skip


def changed_by(function: Any, args: tuple, kwargs: dict[str, Any]) -> list[Any]:
    """The containers and arrays that a call of a function written in C or of a library changes."""
    owner, name = getattr(function, "__self__", None), getattr(function, "__name__", "")
    if isinstance(owner, CHANGING):
        found = [owner] if name in CHANGING_METHODS else []
    elif isinstance(owner, np.ndarray):
        found = [owner] if name in _METHODS_OF_ARRAYS else []
    elif isinstance(function, (types.MethodDescriptorType, types.WrapperDescriptorType)):  # list.append(log, x)
        found = [*args[:1]] if name in CHANGING_METHODS | _METHODS_OF_ARRAYS else []
    else:
        found = [*args[:1]] if _is_listed(function) else []
    out = kwargs.get("out")
    found += out if isinstance(out, tuple) else [out]
    return [one for one in found if isinstance(one, (*CHANGING, np.ndarray))]


def _is_listed(function: Any) -> bool:
    try:
        return function in _FUNCTIONS
    except TypeError:  # a method of an object without a hash
        return False
