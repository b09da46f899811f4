# ruff: noqa: N816 - names of MindSpore
"""``mindspore._c_expression.typing``: the classes of dtypes, the dtypes themselves and functions on them."""

from __future__ import annotations

from typing import Any as Any
from typing import ClassVar as ClassVar

from mindspore._engine.base import dtype as dtypes
from mindspore._engine.base.dtype_classes import BFloat, Bool, Complex, Float, Int, Number, TensorType, UInt
from mindspore._engine.base.dtype_classes import DType as DType  # annotations of the classes name it
from mindspore._engine.base.dtype_classes import DType as Type
from mindspore._engine.base.value_types import (
    COOTensorType,
    CSRTensorType,
    Dict,
    EnvType,
    Keyword,
    List,
    RefKeyType,
    RefType,
    RowTensorType,
    Slice,
    String,
    SymbolicKeyType,
    Tuple,
    TypeAny,
    TypeEllipsis,
    TypeMsClassType,
    TypeNone,
    TypeNull,
    TypeType,
    UndeterminedType,
    coo_tensor,
    csr_tensor,
    env_type,
    index_slices,
    null,
    type_refkey,
)
from mindspore._engine.base.value_types import FunctionType as Function
from mindspore._utils.checks import check_type

__all__ = [
    "BFloat", "Bool", "COOTensorType", "CSRTensorType", "Complex", "Dict", "EnvType", "Float", "Function", "Int", "Keyword",
    "List", "Number", "RefKeyType", "RefType", "RowTensorType", "Slice", "String", "SymbolicKeyType", "TensorType", "Tuple",
    "Type", "TypeAny", "TypeEllipsis", "TypeId", "TypeMsClassType", "TypeNone", "TypeNull", "TypeType", "UInt",
    "UndeterminedType", "dump_type", "is_subclass", "load_type", "str_to_type", "type_id_to_type", "type_size_in_bytes",
    "type_to_type_id",
]  # fmt: skip


kBool, kInt, kUInt, kFloat, kBFloat, kNumber = (
    dtypes.bool_, dtypes.any_int, dtypes.any_uint, dtypes.any_float, dtypes.any_bfloat, dtypes.number,
)  # fmt: skip
kInt4, kInt8, kInt16, kInt32, kInt64 = dtypes.qint4x2, dtypes.int8, dtypes.int16, dtypes.int32, dtypes.int64
kUInt8, kUInt16, kUInt32, kUInt64 = dtypes.uint8, dtypes.uint16, dtypes.uint32, dtypes.uint64
kFloat16, kFloat32, kFloat64, kBFloat16 = dtypes.float16, dtypes.float32, dtypes.float64, dtypes.bfloat16
kFloat8E4M3FN, kFloat8E5M2, kHiFloat8 = dtypes.float8_e4m3fn, dtypes.float8_e5m2, dtypes.hifloat8
kComplex64, kComplex128, kString, kTensorType = dtypes.complex64, dtypes.complex128, dtypes.string, dtypes.tensor
kList, kTuple, kTypeType, kTypeNone, kTypeNull = dtypes.list_, dtypes.tuple_, dtypes.type_type, dtypes.type_none, null
kRowTensorType, kCOOTensorType, kCSRTensorType = index_slices, coo_tensor, csr_tensor
kRefKeyType, kTypeEnv = type_refkey, env_type


class TypeId(int):
    """The number of a dtype, as MindSpore's files and C interface have it."""


def is_subclass(type_: Type, of: Type) -> bool:
    """Whether a dtype is another one, or of the kind that the other one stands for.

    Examples:
        >>> import mindspore as ms
        >>> from mindspore._c_expression import typing
        >>> typing.is_subclass(ms.float32, ms.number), typing.is_subclass(ms.float32, typing.Int())
        (True, False)
    """
    check_type("is_subclass", "type_", type_, Type)
    check_type("is_subclass", "of", of, Type)
    return type_ == of or (of is getattr(type(of), "any", None) and isinstance(type_, type(of)))


def str_to_type(name: str) -> Type:
    """The dtype of a name, in either spelling.

    Examples:
        >>> from mindspore._c_expression import typing
        >>> typing.str_to_type("float32"), typing.str_to_type("Int8")
        (mindspore.float32, mindspore.int8)
    """
    return dtypes.to_dtype(check_type("str_to_type", "name", name, str), "str_to_type", "name")


def type_size_in_bytes(type_: Type) -> int:
    """The bytes one element takes; 0 of what no Tensor holds."""
    return getattr(check_type("type_size_in_bytes", "type_", type_, Type), "itemsize", 0)


def type_to_type_id(type_: Type) -> int:
    """The number of a dtype.

    Examples:
        >>> import mindspore as ms
        >>> from mindspore._c_expression import typing
        >>> typing.type_to_type_id(ms.float32), typing.type_id_to_type(43)
        (43, mindspore.float32)
    """
    check_type("type_to_type_id", "type_", type_, Type)
    if type_ not in _IDS:
        raise ValueError(
            f"For 'type_to_type_id', the 'type_' must be a dtype that a Tensor can hold, but got {type_!r}."
        )
    return _IDS[type_]


def type_id_to_type(number: int) -> Type:
    """The dtype of a number."""
    for type_, one in _IDS.items():
        if one == number:
            return type_
    raise ValueError(f"For 'type_id_to_type', the 'number' must be one of {sorted(_IDS.values())}, but got {number!r}.")


def dump_type(type_: Type) -> TypeId:
    """The number of a dtype, as an object that ``load_type`` takes."""
    return TypeId(type_to_type_id(type_))


load_type = type_id_to_type
_IDS: dict[Type, int] = {
    kTypeType: 4, kTypeNone: 7, kTypeNull: 8, kNumber: 11, kString: 12, kList: 13, kTuple: 14, kTensorType: 17,
    kRowTensorType: 18, kCOOTensorType: 19, kTypeEnv: 26, kRefKeyType: 27, kBool: 30, kInt: 31, kInt8: 32, kInt16: 33,
    kInt32: 34, kInt64: 35, kUInt: 36, kUInt8: 37, kUInt16: 38, kUInt32: 39, kUInt64: 40, kFloat: 41, kFloat16: 42,
    kFloat32: 43, kFloat64: 44, kBFloat16: 45, kFloat8E4M3FN: 46, kFloat8E5M2: 47, kHiFloat8: 48, kComplex64: 51,
    kComplex128: 52, kInt4: 53, kCSRTensorType: 60,
}  # fmt: skip
