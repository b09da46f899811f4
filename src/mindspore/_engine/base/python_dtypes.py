"""The dtypes of Python's and NumPy's types and values, and the other way round.

>>> from mindspore._engine.base import python_dtypes
>>> python_dtypes.pytype_to_dtype(float), python_dtypes.get_py_obj_dtype([1, 2])
(mindspore.float64, mindspore.list_)
"""

from __future__ import annotations

import inspect
from typing import Any

import numpy as np

from mindspore._engine.base import dtype as dtypes
from mindspore._engine.base.dtype import DType
from mindspore._engine.base.dtype_classes import TensorType
from mindspore._engine.base.value_types import function, list_, string, tuple_, type_none, type_type
from mindspore._utils.refusals import refused, several

_OF_PYTHON: dict[type, DType] = {
    list: list_, tuple: tuple_, type(None): type_none, bool: dtypes.bool_, int: dtypes.int64, float: dtypes.float64,
    complex: dtypes.complex128, str: string, np.str_: string,
}  # fmt: skip
_KINDS = {"bool": bool, "int": int, "uint": int, "float": float, "complex": complex}
_VALUES = {list_: list, tuple_: tuple, string: str, type_none: type(None)}


def dtype_to_pytype(type_: DType) -> type:
    """The Python type of one element, or of the values that a type like ``mindspore.list_`` stands for.

    Examples:
        >>> import mindspore as ms
        >>> ms.dtype_to_pytype(ms.int32), ms.dtype_to_pytype(ms.list_)
        (<class 'int'>, <class 'list'>)
    """
    if isinstance(type_, DType):
        found = _KINDS.get(type_.kind) or _VALUES.get(type_)
        if found is not None:
            return found
    raise several(KeyError, TypeError)(
        f"For 'dtype_to_pytype', the 'type_' must be an element dtype or one of {list(_VALUES)}, but got {type_!r}."
    )


def pytype_to_dtype(obj: Any) -> DType:
    """The MindSpore dtype of a Python or NumPy type; a MindSpore dtype is returned unchanged.

    Examples:
        >>> import numpy as np
        >>> import mindspore as ms
        >>> ms.pytype_to_dtype(float), ms.pytype_to_dtype(np.float16), ms.pytype_to_dtype(tuple)
        (mindspore.float64, mindspore.float16, mindspore.tuple_)
    """
    if isinstance(obj, DType):
        return obj
    if isinstance(obj, type) and obj in _OF_PYTHON:
        return _OF_PYTHON[obj]
    if isinstance(obj, np.dtype) or (isinstance(obj, type) and issubclass(obj, np.generic)):
        try:
            return dtypes.from_numpy(obj)
        except TypeError:
            pass
    elif not isinstance(obj, type):
        raise refused(
            TypeError,
            f"For 'pytype_to_dtype', the 'obj' must be a type such as int, float or np.float32, but got {obj!r} of type {type(obj).__name__}.",
        )
    allowed = ", ".join(kind.__name__ for kind in _OF_PYTHON if kind is not np.str_)
    raise NotImplementedError(
        f"For 'pytype_to_dtype', the 'obj' must be one of [{allowed}] or a NumPy type of numbers, but got {obj!r}."
    )


def get_py_obj_dtype(obj: Any) -> DType:
    """The dtype of a Python value, or of a Python type.

    Examples:
        >>> import mindspore as ms
        >>> ms.get_py_obj_dtype(1.5), ms.get_py_obj_dtype(int), ms.get_py_obj_dtype(ms.Tensor([1.0]))
        (mindspore.float64, mindspore.int64, mindspore.tensor[float32])
    """
    if hasattr(obj, "shape") and isinstance(getattr(obj, "dtype", None), DType):
        return TensorType(obj.dtype)
    if hasattr(obj, "__primitive_flag__") or hasattr(obj, "construct") or inspect.isfunction(obj):
        return function
    if isinstance(obj, DType):
        return type_type
    return pytype_to_dtype(obj if isinstance(obj, type) else type(obj))


def issubclass_(type_: Any, dtype: Any) -> bool:
    """Whether a dtype is the other one or one of its kinds: ``number`` covers all dtypes of numbers, ``float_`` all floats.

    Args:
        type_: the dtype in question.
        dtype: the other dtype, or several of them.

    Examples:
        >>> import mindspore as ms
        >>> ms.issubclass_(ms.int32, ms.number), ms.issubclass_(ms.int32, (ms.float16, ms.float_))
        (True, False)
    """
    if isinstance(dtype, (tuple, list)):
        return any(issubclass_(type_, one) for one in dtype)
    if not isinstance(type_, DType):
        return False
    covers = dtype is getattr(type(dtype), "any", None) and isinstance(type_, type(dtype))
    return covers or type_ == dtype
