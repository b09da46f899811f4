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
byte, short, long, half, single, double = int8, int16, int64, float16, float32, float64
ubyte, ushort, intp = uint8, uint16, int64

# Type names of values, not elements; old programs use them in type checks.
number, any_int, any_uint = Number.generic("Number", "number"), Int.generic("Int", "int"), UInt.generic("UInt", "uint")
any_float, any_bfloat = Float.generic("Float", "float"), BFloat.generic("BFloat", "bfloat")
any_complex = Complex.generic("Complex", "complex")
int_, uint, float_ = any_int, any_uint, any_float
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
_SPELLINGS = {repr(d).removeprefix("mindspore."): d for d in ALL} | {
    "bool_": bool_, "byte": int8, "short": int16, "intc": int32, "long": int64, "int": int64, "int_": int64, "uint": uint64,
    "half": float16, "single": float32, "double": float64, "float": float64, "float_": float64,
}  # NumPy's names  # fmt: skip
_OF_OPERATORS = {int_: int32, float_: float32}  # what operators make of a kind of numbers
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
    """Accept a MindSpore dtype, a name such as ``'float16'``, a NumPy dtype or a Python type.

    Types of values, such as ``list_`` and ``number``, are refused: no element has them.
    """
    if isinstance(value, DType):
        found = value if value.np_dtype is not None else _OF_OPERATORS.get(value)
        if found is not None:
            return found
    elif value is None:
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


dtype = DType
