"""Element types as transforms take them: MindSpore's, NumPy's, or their names."""

from __future__ import annotations

from typing import Any

import numpy as np

from mindspore._utils.checks import shown


def is_text(dtype: np.dtype) -> bool:
    """Whether elements are strings or bytes."""
    return dtype.kind in "US"


def type_name(dtype: np.dtype) -> str:
    """The name of an element type in error messages: strings of any length are one type.

    >>> type_name(np.dtype("U7")), type_name(np.dtype("int32"))
    ('string', 'int32')
    """
    return {"U": "string", "S": "bytes"}.get(dtype.kind, dtype.name)


def numpy_dtype(owner: str, name: str, value: Any) -> np.dtype:
    """The NumPy dtype for a MindSpore dtype, a NumPy dtype or a dtype name.

    >>> numpy_dtype("TypeCast", "data_type", "float32")
    dtype('float32')
    """
    # MindSpore's dtype objects carry NumPy's; asking for the attribute keeps this package free of the tensor side.
    known = getattr(value, "np_dtype", None)
    try:
        if known is None and isinstance(value, str | type | np.dtype):
            known = np.dtype(value)
    except TypeError:
        known = None
    if known is None or known.kind == "O":
        raise TypeError(
            f"For '{owner}', the '{name}' must be a MindSpore dtype such as mstype.int32, a NumPy dtype or the name of one, "
            f"but got {shown(value)}."
        )
    return known


def cast(array: np.ndarray, dtype: np.dtype) -> np.ndarray:
    """``array`` as ``dtype`` by the rules of C: towards zero, small integers wrap around.

    >>> cast(np.array([1.7, -1.7, 300.0]), np.dtype("uint8")).tolist()
    [1, 255, 44]
    """
    with np.errstate(invalid="ignore", over="ignore"):
        if array.dtype.kind == "f" and dtype.kind in "iu" and dtype.itemsize < 8 and dtype != np.int32:
            # NumPy leaves the result for values out of range open; through a wider integer it is what C compilers give.
            array = array.astype(np.int64 if dtype.itemsize == 4 else np.int32)
        return array.astype(dtype)
