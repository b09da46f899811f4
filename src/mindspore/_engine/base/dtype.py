"""MindSpore's dtype objects, and conversion from and to NumPy and Python types.

>>> from mindspore._engine.base import dtype
>>> str(dtype.float32), repr(dtype.float32)
('Float32', 'mindspore.float32')
>>> dtype.dtype_to_nptype(dtype.int16)
<class 'numpy.int16'>
"""

from __future__ import annotations

from typing import Any

import ml_dtypes
import numpy as np

from mindspore._engine.base.dtype_classes import (
    NAMES,
    BFloat,
    Bool,
    Complex,
    DType,
    Float,
    ForeignDType,
    Int,
    Number,
    TensorType,
    UInt,
)
from mindspore._engine.base.dtype_classes import by_name as _by_name  # noqa: F401 - pickles of earlier versions name it
from mindspore._engine.base.value_types import (  # noqa: F401 - dtypes too
    function,
    list_,
    slice_type,
    string,
    tuple_,
    type_none,
    type_type,
)
from mindspore._utils.refusals import WrongType, several
from mindspore._utils.user_call import called_as

bool_ = Bool.define("Bool", "bool", np.bool_, "bool")
int8 = Int.define("Int8", "int8", np.int8, "int")
int16 = Int.define("Int16", "int16", np.int16, "int")
int32 = Int.define("Int32", "int32", np.int32, "int")
int64 = Int.define("Int64", "int64", np.int64, "int")
uint8 = UInt.define("UInt8", "uint8", np.uint8, "uint")
uint16 = UInt.define("UInt16", "uint16", np.uint16, "uint")
uint32 = UInt.define("UInt32", "uint32", np.uint32, "uint")
uint64 = UInt.define("UInt64", "uint64", np.uint64, "uint")
float16 = Float.define("Float16", "float16", np.float16, "float")
bfloat16 = BFloat.define("BFloat16", "bfloat16", ml_dtypes.bfloat16, "float")
float32 = Float.define("Float32", "float32", np.float32, "float")
float64 = Float.define("Float64", "float64", np.float64, "float")
complex64 = Complex.define("Complex64", "complex64", np.complex64, "complex")
complex128 = Complex.define("Complex128", "complex128", np.complex128, "complex")

# Every dtype a Tensor can hold, in MindSpore's promotion order.
ALL = (bool_, uint8, int8, int16, int32, int64, uint16, uint32, uint64,
       float16, bfloat16, float32, float64, complex64, complex128)  # fmt: skip

# Storage dtypes: they are stored and cast, and operators accept them with each other only.
float8_e4m3fn = Float.define("Float8E4M3FN", "float8_e4m3fn", ml_dtypes.float8_e4m3fn, "float")
float8_e5m2 = Float.define("Float8E5M2", "float8_e5m2", ml_dtypes.float8_e5m2, "float")
qint4x2 = Int.define("Int4", "int4", ml_dtypes.int4, "int")
hifloat8 = ForeignDType.define("HiFloat8", "hifloat8", None, "float")
SMALL = (float8_e4m3fn, float8_e5m2, qint4x2)

# Old and abbreviated spellings of the same objects.
byte, short, int_, long, half, single, float_, double = int8, int16, int64, int64, float16, float32, float64, float64
uint, ubyte, ushort = uint64, uint8, uint16
intp = int64

# Type names of values, not elements; old programs use them in type checks.
number, any_int, any_uint = Number.generic("Number", "number"), Int.generic("Int", "int"), UInt.generic("UInt", "uint")
any_float, any_bfloat = Float.generic("Float", "float"), BFloat.generic("BFloat", "bfloat")
any_complex = Complex.generic("Complex", "complex")
Bool.any = bool_
for _class, _dtypes in ((Int, (int8, int16, int32, int64)), (UInt, (uint8, uint16, uint32, uint64)), (BFloat, (bfloat16,)),
                        (Float, (float16, float32, float64)), (Complex, (complex64, complex128))):  # fmt: skip
    _class.by_bits.update({_dtype.np_dtype.itemsize * 8: _dtype for _dtype in _dtypes})
tensor = tensor_type = TensorType.generic("Tensor", "tensor")
none_type = type_none

number_type = (int8, int16, int32, int64, uint8, uint16, uint32, uint64,
               float16, float32, float64, bfloat16, complex64, complex128)  # fmt: skip
int_type = (int8, int16, int32, int64)
uint_type = (uint8, uint16, uint32, uint64)
float_type = (float16, float32, float64, bfloat16)
complex_type = (complex64, complex128)
all_types = (bool_, *number_type)

_FROM_NUMPY = {d.np_dtype: d for d in (*ALL, *SMALL)}
_SPELLINGS = {repr(d).removeprefix("mindspore."): d for d in ALL} | {"bool_": bool_, "float": float32, "int": int32,
                                                                     "half": float16, "double": float64, "long": int64}  # fmt: skip
_FROM_PYTHON = {bool: bool_, int: int64, float: float32, complex: complex128}


def from_numpy(np_dtype: Any) -> DType:
    """The MindSpore dtype that stores ``np_dtype``."""
    found = _FROM_NUMPY.get(np_dtype)
    if found is None:
        found = _FROM_NUMPY.get(np.dtype(np_dtype))
    if found is None:
        raise TypeError(f"NumPy dtype '{np_dtype}' has no MindSpore counterpart; use one of {allowed_names()}.")
    return found


def allowed_names() -> str:
    return ", ".join(map(repr, ALL))


def to_dtype(value: Any, owner: str = "astype", name: str = "dtype") -> DType:
    """Accept a MindSpore dtype, a name such as ``'float16'``, a NumPy dtype or a Python type."""
    if isinstance(value, DType):
        return value
    if value is None:
        pass
    elif isinstance(value, str):
        found = _SPELLINGS.get(value.lower()) or NAMES.get(value)
        if found is not None:
            return found
    else:
        try:
            return _FROM_PYTHON.get(value) or from_numpy(value)
        except (TypeError, ValueError):
            pass
    got = f"{value!r} of type {type(value).__name__}"
    raise WrongType(f"For '{owner}', the '{name}' must be one of [{allowed_names()}], but got {got}.{called_as()}")


def dtype_to_nptype(type_: DType) -> Any:
    """The NumPy scalar type of a MindSpore dtype.

    Examples:
        >>> import mindspore as ms
        >>> ms.dtype_to_nptype(ms.float16)
        <class 'numpy.float16'>
    """
    if not isinstance(type_, DType) or type_.np_dtype is None:
        raise several(KeyError, TypeError)(
            f"For 'dtype_to_nptype', the 'type_' must be a dtype that a Tensor can hold, but got {type_!r}."
        )
    return type_.np_dtype.type


def dtype_to_pytype(type_: DType) -> type:
    """The Python type of one element.

    Examples:
        >>> import mindspore as ms
        >>> ms.dtype_to_pytype(ms.int32)
        <class 'int'>
    """
    kinds = {"bool": bool, "int": int, "uint": int, "float": float, "complex": complex, "string": str}
    if isinstance(type_, DType) and type_.kind in kinds:
        return kinds[type_.kind]
    if type_ is type_none:
        return type(None)
    raise several(KeyError, TypeError)(
        f"For 'dtype_to_pytype', the 'type_' must be an element dtype, but got {type_!r}."
    )


def pytype_to_dtype(obj: Any) -> DType:
    """The MindSpore dtype of a Python type or a NumPy dtype; a MindSpore dtype is returned unchanged.

    Examples:
        >>> import mindspore as ms
        >>> ms.pytype_to_dtype(float)
        mindspore.float32
    """
    if obj is type(None):
        return type_none
    if obj is str:
        return string
    return to_dtype(obj, "pytype_to_dtype", "obj")


def get_py_obj_dtype(obj: Any) -> DType:
    """The dtype a Python value would have inside a graph.

    Examples:
        >>> import mindspore
        >>> print(mindspore.get_py_obj_dtype(1.5))
        Float32
    """
    if hasattr(obj, "dtype"):
        return to_dtype(obj.dtype, "get_py_obj_dtype", "obj")
    if isinstance(obj, (list, tuple)):
        return list_ if isinstance(obj, list) else tuple_
    return pytype_to_dtype(type(obj))


def issubclass_(type_: Any, dtype: Any) -> bool:
    """Whether a type is the other one or one of its kinds: ``number`` covers all dtypes of numbers.

    Args:
        type_: the type in question.
        dtype: the other type, or several of them.

    Examples:
        >>> import mindspore as ms
        >>> ms.issubclass_(ms.int32, ms.number), ms.issubclass_(ms.int32, (ms.float16, ms.float32))
        (True, False)
    """
    if dtype is number:
        return type_ in number_type
    if isinstance(dtype, (tuple, list)):
        return any(issubclass_(type_, d) for d in dtype)
    return type_ == dtype


dtype = DType
