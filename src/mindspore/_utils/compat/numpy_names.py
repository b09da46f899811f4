"""Names that NumPy has removed since MindSpore's programs were written, given back to them.

MindSpore runs with NumPy 1, its older programs with NumPy 1.17; JAX needs NumPy 2. `np.float_`, `np.product` or `np.int` are in many
programs and libraries, and each has one plain meaning today. Only names that the installed NumPy lacks are affected; using one says,
as a DeprecationWarning, what to write instead.

>>> import warnings
>>> import mindspore
>>> import numpy as np
>>> with warnings.catch_warnings(record=True) as caught:
...     warnings.simplefilter("always")
...     print(np.float_ is np.float64)
True
>>> print(caught[0].message)
NumPy 2 has no 'np.float_'; Mycelium takes it as np.float64. Write np.float64 instead.
"""

from __future__ import annotations

import builtins
import warnings
from collections.abc import Callable
from typing import Any

import numpy as np

_LOOKUP = "mindspore._utils.compat.numpy_names.lookup"  # how the fallback is recognised once it is in place
_RENAMED = {  # the removed name: what to write today, an expression of `np` or of Python's builtins
    "Inf": "np.inf",
    "Infinity": "np.inf",
    "PINF": "np.inf",
    "infty": "np.inf",
    "NINF": "-np.inf",
    "NZERO": "-0.0",
    "PZERO": "0.0",
    "NaN": "np.nan",
    "NAN": "np.nan",
    "int": "int",
    "float": "float",
    "complex": "complex",
    "object": "object",
    "str": "str",
    "long": "int",
    "unicode": "str",
    "int0": "np.intp",
    "uint0": "np.uintp",
    "bool8": "np.bool_",
    "float_": "np.float64",
    "complex_": "np.complex128",
    "cfloat": "np.complex128",
    "singlecomplex": "np.complex64",
    "longfloat": "np.longdouble",
    "longcomplex": "np.clongdouble",
    "clongfloat": "np.clongdouble",
    "string_": "np.bytes_",
    "bytes0": "np.bytes_",
    "unicode_": "np.str_",
    "str0": "np.str_",
    "object0": "np.object_",
    "typeDict": "np.sctypeDict",
    "alltrue": "np.all",
    "sometrue": "np.any",
    "product": "np.prod",
    "cumproduct": "np.cumprod",
    "round_": "np.round",
    "row_stack": "np.vstack",
    "trapz": "np.trapezoid",
    "mat": "np.asmatrix",
    "issubclass_": "issubclass",
    "VisibleDeprecationWarning": "np.exceptions.VisibleDeprecationWarning",
    "ComplexWarning": "np.exceptions.ComplexWarning",
    "AxisError": "np.exceptions.AxisError",
    "RankWarning": "np.exceptions.RankWarning",
    "ModuleDeprecationWarning": "np.exceptions.ModuleDeprecationWarning",
    "TooHardError": "np.exceptions.TooHardError",
    "byte_bounds": "np.lib.array_utils.byte_bounds",
    "compare_chararrays": "np.char.compare_chararrays",
    "format_parser": "np.rec.format_parser",
    "DataSource": "np.lib.npyio.DataSource",
}


def _asfarray(a, dtype=float):
    """`a` as an array of floating-point numbers."""
    return np.asarray(a, dtype=dtype if np.issubdtype(dtype, np.inexact) else float)


def _msort(a):
    return np.sort(a, axis=0)


def _asscalar(a):
    return a.item()


def _in1d(ar1, ar2, assume_unique=False, invert=False, **options):
    return np.isin(np.ravel(ar1), ar2, assume_unique=assume_unique, invert=invert, **options)


def _find_common_type(array_types, scalar_types):
    """The common dtype; scalars count only if they are of a higher kind."""
    arrays, scalars = ([np.dtype(each) for each in types] for types in (array_types, scalar_types))
    if not arrays or not scalars:
        return np.result_type(*arrays, *scalars)
    common, scalar = np.result_type(*arrays), np.result_type(*scalars)
    kinds = "biufc"
    return scalar if kinds.find(scalar.kind) > kinds.find(common.kind) else common


def _obj2sctype(rep, default=None):
    try:
        return np.dtype(rep if isinstance(rep, (type, str, np.dtype)) else np.asarray(rep).dtype).type
    except TypeError:
        return default


def _issubsctype(arg1, arg2):
    kinds = [
        each if isinstance(each, type) and issubclass(each, np.generic) else _obj2sctype(each, object)
        for each in (arg1, arg2)
    ]
    return issubclass(kinds[0], kinds[1])


def _deprecate(*arguments, **options):
    """A decorator, or what it gives: the function itself, since whoever wrote it will not see the warning."""
    return arguments[0] if arguments and callable(arguments[0]) else lambda function: function


class _Casts(dict):
    """`np.cast[dtype](x)`: x as an array of the dtype."""

    def __missing__(self, dtype):
        return lambda x: np.asarray(x).astype(dtype)


_WRITTEN: dict[str, tuple[Callable | dict, str]] = {
    "asfarray": (_asfarray, "np.asarray(a, dtype=float)"),
    "msort": (_msort, "np.sort(a, axis=0)"),
    "asscalar": (_asscalar, "a.item()"),
    "in1d": (_in1d, "np.isin(a, b).ravel()"),
    "find_common_type": (_find_common_type, "np.result_type"),
    "obj2sctype": (_obj2sctype, "np.dtype(x).type"),
    "issubsctype": (_issubsctype, "np.issubdtype"),
    "issctype": (
        lambda rep: isinstance(rep, (type, np.dtype)) and _obj2sctype(rep) not in (None, np.object_),
        "np.issubdtype",
    ),
    "sctype2char": (lambda sctype: np.dtype(_obj2sctype(sctype)).char, "np.dtype(x).char"),
    "cast": (_Casts(), "np.asarray(x).astype(dtype)"),
    "sctypes": (
        {
            "int": [np.int8, np.int16, np.int32, np.int64],
            "uint": [np.uint8, np.uint16, np.uint32, np.uint64],
            "float": [np.float16, np.float32, np.float64, np.longdouble],
            "complex": [np.complex64, np.complex128, np.clongdouble],
            "others": [bool, object, bytes, str, np.void],
        },
        "the dtypes themselves",
    ),
    "deprecate": (_deprecate, "warnings.warn(..., DeprecationWarning)"),
    "set_string_function": (
        lambda f, repr=True: np.set_printoptions(override_repr=f if repr else None),
        "np.set_printoptions(override_repr=f)",
    ),
}


def _evaluate(expression: str):
    """The value of `np.x.y`, a Python builtin, or a number."""
    sign, expression = (-1, expression[1:]) if expression.startswith("-") else (1, expression)
    if expression[0].isdigit():
        return sign * float(expression)
    first, *rest = expression.split(".")
    value: Any = np if first == "np" else getattr(builtins, first)
    for part in rest:
        value = getattr(value, part)
    return -value if sign < 0 else value


def removed_name(name: str):
    """The meaning of a name that NumPy has removed, with a warning; AttributeError if it is none."""
    if name in _WRITTEN:
        value, instead = _WRITTEN[name]
    elif name in _RENAMED:
        instead = _RENAMED[name]
        value = _evaluate(instead)
    else:
        raise AttributeError(name)
    # from here: removed_name, the fallback, the line that asked
    warnings.warn(
        f"NumPy 2 has no 'np.{name}'; Mycelium takes it as {instead}. Write {instead} instead.",
        DeprecationWarning,
        stacklevel=3,
    )
    return value


def install() -> None:
    """Let `numpy` find removed names. Python asks a module's `__getattr__` only for names it does not have."""
    numpys_own = vars(np).get("__getattr__")
    if getattr(numpys_own, "__qualname__", "") == _LOOKUP:
        return

    def lookup(name: str):
        if name in _RENAMED or name in _WRITTEN:
            return removed_name(name)
        if numpys_own is None:
            raise AttributeError(f"module 'numpy' has no attribute '{name}'")
        return numpys_own(name)

    lookup.__qualname__ = _LOOKUP
    np.__dict__["__getattr__"] = lookup
