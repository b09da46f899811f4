"""The names MindSpore gives to kinds of values, for dispatch by type."""

from __future__ import annotations

from typing import Any

import numpy as np

from mindspore._engine.base import dtype as dtypes
from mindspore._engine.base.dtype import DType
from mindspore._engine.execution.row_gradient import RowGradient
from mindspore._engine.operator.primitive import Primitive
from mindspore._engine.tensor.tensor import Tensor
from mindspore._utils import checks

_NAMES = (
    "Any", "Bool", "Complex", "Dictionary", "Ellipsis", "Float", "Function", "Int", "List", "None", "Number", "Object",
    "RowTensor", "Slice", "String", "Tensor", "Tuple", "Type",
    # kinds of values that do not exist here: forms for them are accepted and never chosen
    "COOTensor", "CSRTensor", "Class", "EnvType", "External", "Keyword", "MapTensor", "Problem", "RefKey", "Undetermined",
    *[dtype.name for dtype in dtypes.ALL],
)  # fmt: skip
_OTHER_SPELLINGS = {"func": "Function", "str": "String", "dict": "Dictionary", "parameter": "Tensor", "ref": "Tensor",
                    "env": "EnvType", "rowtensorinner": "RowTensor", "typetype": "Type"}  # fmt: skip
_BY_LOWER_CASE = {name.lower(): name for name in _NAMES} | _OTHER_SPELLINGS
_PYTHON_TYPES = {Tensor: "Tensor", bool: "Bool", int: "Int", float: "Float", complex: "Complex", str: "String",
                 tuple: "Tuple", list: "List", dict: "Dictionary", type(None): "None", slice: "Slice"}  # fmt: skip


def type_name(given: Any, owner: str) -> str:
    """The name of a type that was given as a name, a dtype or a Python type."""
    if isinstance(given, DType):
        return "Function" if given is dtypes.function else given.name
    if isinstance(given, type) and given in _PYTHON_TYPES:
        return _PYTHON_TYPES[given]
    if isinstance(given, str):
        if given.lower() in _BY_LOWER_CASE:
            return _BY_LOWER_CASE[given.lower()]
        raise ValueError(f"For '{owner}', there is no type named {given!r}.{checks.suggestion(given, _NAMES)}")
    raise TypeError(
        f"For '{owner}', a type must be a name such as 'Tensor', or a dtype, but got {checks.shown(given)}."
    )


def kinds_of(value: Any) -> tuple[str, ...]:
    """Every name that covers a value, the most precise first."""
    if isinstance(value, Tensor):
        return ("RowTensor", "Tensor") if value.__class__ is RowGradient else ("Tensor",)
    if isinstance(value, np.generic):
        value = value.item()
    if isinstance(value, bool):
        return ("Bool", "Number")
    if isinstance(value, int):
        return ("Int", "Int64", "Number")
    if isinstance(value, float):
        return ("Float", "Float32", "Float64", "Number")
    for kind, name in _PYTHON_TYPES.items():
        if isinstance(value, kind):
            return (name, "Number") if name == "Complex" else (name,)
    if isinstance(value, DType):
        return ("Type",)
    if value is Ellipsis:
        return ("Ellipsis",)
    if callable(value) or isinstance(value, Primitive):
        return ("Function",)
    return (type(value).__name__, "Object")


def matches(value: Any, name: str) -> bool:
    """Whether a value is of the type with this name."""
    return name == "Any" or name in kinds_of(value)
