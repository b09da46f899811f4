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


class DType:
    """One element type. Instances are singletons: compare with ``==`` or ``is``, use as dict keys."""

    __slots__ = ("_repr", "kind", "name", "np_dtype")

    def __init__(self, name: str, spelling: str, np_dtype: Any = None, kind: str = "other"):
        self.name = name
        self.np_dtype = None if np_dtype is None else np.dtype(np_dtype)
        self.kind = kind
        self._repr = f"mindspore.{spelling}"

    def __str__(self) -> str:
        return self.name

    def __repr__(self) -> str:
        return self._repr

    def __reduce__(self):
        return (_by_name, (self.name,))

    def __copy__(self) -> DType:
        return self

    def __deepcopy__(self, memo: dict) -> DType:
        return self

    def __call__(self, value: Any) -> Any:
        raise TypeError(
            f"'{self!r}' is a dtype, not a function. Write Tensor({value!r}, {self!r}) to make a tensor of that dtype, "
            f"or tensor.astype({self!r}) to convert one."
        )

    @property
    def is_floating(self) -> bool:
        return self.kind == "float"

    @property
    def is_complex(self) -> bool:
        return self.kind == "complex"

    @property
    def is_integer(self) -> bool:
        return self.kind in ("int", "uint")


class ForeignDType(DType):
    """A named dtype without a representation: no Tensor can hold it."""

    __slots__ = ()

    def __init__(self, name: str, spelling: str, kind: str):
        self.name, self.kind, self._repr = name, kind, f"mindspore.{spelling}"

    @property
    def np_dtype(self) -> Any:  # type: ignore[override]
        raise TypeError(
            f"{self!r} is a format of Ascend's devices that XLA does not have. Write mindspore.float8_e4m3fn, "
            "mindspore.float8_e5m2 or mindspore.bfloat16 instead."
        )


bool_ = DType("Bool", "bool", np.bool_, "bool")
int8 = DType("Int8", "int8", np.int8, "int")
int16 = DType("Int16", "int16", np.int16, "int")
int32 = DType("Int32", "int32", np.int32, "int")
int64 = DType("Int64", "int64", np.int64, "int")
uint8 = DType("UInt8", "uint8", np.uint8, "uint")
uint16 = DType("UInt16", "uint16", np.uint16, "uint")
uint32 = DType("UInt32", "uint32", np.uint32, "uint")
uint64 = DType("UInt64", "uint64", np.uint64, "uint")
float16 = DType("Float16", "float16", np.float16, "float")
bfloat16 = DType("BFloat16", "bfloat16", ml_dtypes.bfloat16, "float")
float32 = DType("Float32", "float32", np.float32, "float")
float64 = DType("Float64", "float64", np.float64, "float")
complex64 = DType("Complex64", "complex64", np.complex64, "complex")
complex128 = DType("Complex128", "complex128", np.complex128, "complex")
string = DType("String", "string", None, "string")

# Every dtype a Tensor can hold, in MindSpore's promotion order.
ALL = (bool_, uint8, int8, int16, int32, int64, uint16, uint32, uint64,
       float16, bfloat16, float32, float64, complex64, complex128)  # fmt: skip

# Storage dtypes: they are stored and cast, and operators accept them with each other only.
float8_e4m3fn = DType("Float8E4M3FN", "float8_e4m3fn", ml_dtypes.float8_e4m3fn, "float")
float8_e5m2 = DType("Float8E5M2", "float8_e5m2", ml_dtypes.float8_e5m2, "float")
qint4x2 = DType("Int4", "int4", ml_dtypes.int4, "int")
hifloat8 = ForeignDType("HiFloat8", "hifloat8", "float")
SMALL = (float8_e4m3fn, float8_e5m2, qint4x2)

# Old and abbreviated spellings of the same objects.
byte, short, int_, long, half, single, float_, double = int8, int16, int64, int64, float16, float32, float64, float64
uint, ubyte, ushort = uint64, uint8, uint16
intp = int64

# Type names of values, not elements; old programs use them in type checks.
number = DType("Number", "number", None, "meta")
tensor = DType("Tensor", "tensor", None, "meta")
tensor_type = tensor
list_ = DType("List", "list_", None, "meta")
tuple_ = DType("Tuple", "tuple_", None, "meta")
function = DType("Func", "function", None, "meta")
type_type = DType("Type", "type_type", None, "meta")
type_none = DType("None", "type_none", None, "meta")
none_type = type_none
slice_type = DType("Slice", "slice", None, "meta")

number_type = (int8, int16, int32, int64, uint8, uint16, uint32, uint64,
               float16, float32, float64, bfloat16, complex64, complex128)  # fmt: skip
int_type = (int8, int16, int32, int64)
uint_type = (uint8, uint16, uint32, uint64)
float_type = (float16, float32, float64, bfloat16)
complex_type = (complex64, complex128)
all_types = (bool_, *number_type)

_NAMES = {
    d.name: d
    for d in (*ALL, *SMALL, hifloat8, string, number, tensor, list_, tuple_, function, type_type, type_none, slice_type)
}
_FROM_NUMPY = {d.np_dtype: d for d in (*ALL, *SMALL)}
_SPELLINGS = {repr(d).removeprefix("mindspore."): d for d in ALL} | {"bool_": bool_, "float": float32, "int": int32,
                                                                     "half": float16, "double": float64, "long": int64}  # fmt: skip
_FROM_PYTHON = {bool: bool_, int: int64, float: float32, complex: complex128}


def _by_name(name: str) -> DType:
    return _NAMES[name]


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
        found = _SPELLINGS.get(value.lower()) or _NAMES.get(value)
        if found is not None:
            return found
    elif value in _FROM_PYTHON:
        return _FROM_PYTHON[value]
    else:
        try:
            return from_numpy(value)
        except TypeError:
            pass
    raise TypeError(f"For '{owner}', the '{name}' must be one of [{allowed_names()}], but got {value!r}.")


def dtype_to_nptype(type_: DType) -> Any:
    """The NumPy scalar type of a MindSpore dtype.

    Examples:
        >>> import mindspore as ms
        >>> ms.dtype_to_nptype(ms.float16)
        <class 'numpy.float16'>
    """
    if not isinstance(type_, DType) or type_.np_dtype is None:
        raise TypeError(
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
    raise TypeError(f"For 'dtype_to_pytype', the 'type_' must be an element dtype, but got {type_!r}.")


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
    """The dtype a Python value would have inside a graph."""
    if hasattr(obj, "dtype"):
        return to_dtype(obj.dtype, "get_py_obj_dtype", "obj")
    if isinstance(obj, (list, tuple)):
        return list_ if isinstance(obj, list) else tuple_
    return pytype_to_dtype(type(obj))


def issubclass_(type_: Any, dtype: Any) -> bool:
    """Whether ``type_`` is ``dtype`` or one of its kinds (``number`` covers all numeric dtypes)."""
    if dtype is number:
        return type_ in number_type
    if isinstance(dtype, (tuple, list)):
        return any(issubclass_(type_, d) for d in dtype)
    return type_ == dtype


dtype = DType
