"""dtypes: ``from mindspore import dtype as mstype``, then ``mstype.float32``.

>>> from mindspore import dtype as mstype
>>> mstype.float32, str(mstype.float32)
(mindspore.float32, 'Float32')
>>> mstype.dtype_to_nptype(mstype.int16)
<class 'numpy.int16'>
"""

from __future__ import annotations

import builtins

from mindspore._engine.base.dtype import (
    DType,
    all_types,
    bfloat16,
    bool_,
    byte,
    complex64,
    complex128,
    complex_type,
    double,
    dtype_to_nptype,
    float8_e4m3fn,
    float8_e5m2,
    float16,
    float32,
    float64,
    float_,
    float_type,
    function,
    half,
    hifloat8,
    int8,
    int16,
    int32,
    int64,
    int_,
    int_type,
    intp,
    list_,
    long,
    none_type,
    number,
    number_type,
    qint4x2,
    short,
    single,
    slice_type,
    string,
    tensor,
    tensor_type,
    tuple_,
    type_none,
    type_type,
    ubyte,
    uint,
    uint8,
    uint16,
    uint32,
    uint64,
    uint_type,
    ushort,
)
from mindspore._engine.base.dtype_classes import Bool, Float, Int, TensorType
from mindspore._engine.base.python_dtypes import dtype_to_pytype, get_py_obj_dtype, issubclass_, pytype_to_dtype
from mindspore._engine.base.value_types import (
    CSRTensorType,
    Dict,
    EnvType,
    FunctionType,
    List,
    RefType,
    Slice,
    String,
    Tuple,
    coo_tensor,
    csr_tensor,
    env_type,
    index_slices,
    symbolic_key,
    type_refkey,
    undetermined,
)
from mindspore._engine.base.value_types import TypeAny as AnythingType
from mindspore._engine.base.value_types import TypeEllipsis as Ellipsis_
from mindspore._engine.base.value_types import TypeMsClassType as MsClassType
from mindspore._engine.base.value_types import TypeNone as NoneType
from mindspore._engine.base.value_types import TypeNull as _NullType
from mindspore._engine.base.value_types import null as _null
from mindspore._utils.checks import check_type
from mindspore.common.quant_dtype import QuantDtype

__all__ = [
    "AnythingType",
    "Bool",
    "CSRTensorType",
    "DType",
    "Dict",
    "Ellipsis_",
    "EnvType",
    "Float",
    "FunctionType",
    "Int",
    "List",
    "MsClassType",
    "NoneType",
    "QuantDtype",
    "RefType",
    "Slice",
    "String",
    "TensorType",
    "Tuple",
    "Type",
    "_NullType",
    "_null",
    "all_types",
    "bfloat16",
    "bool",
    "bool_",
    "byte",
    "cdouble",
    "cfloat",
    "complex64",
    "complex128",
    "complex_type",
    "coo_tensor",
    "csr_tensor",
    "double",
    "dtype_to_nptype",
    "dtype_to_pytype",
    "env_type",
    "float",
    "float8_e4m3fn",
    "float8_e5m2",
    "float16",
    "float32",
    "float64",
    "float_",
    "float_type",
    "function",
    "get_py_obj_dtype",
    "half",
    "hifloat8",
    "index_slices",
    "int",
    "int8",
    "int16",
    "int32",
    "int64",
    "int_",
    "int_type",
    "intc",
    "intp",
    "issubclass_",
    "list_",
    "long",
    "none_type",
    "number",
    "number_type",
    "pytype_to_dtype",
    "qint4x2",
    "short",
    "signed_type",
    "single",
    "slice_type",
    "string",
    "symbolic_key",
    "tensor",
    "tensor_type",
    "tuple_",
    "type_none",
    "type_refkey",
    "type_size_in_bytes",
    "type_type",
    "ubyte",
    "uint",
    "uint8",
    "uint16",
    "uint32",
    "uint64",
    "uint_type",
    "uintc",
    "uintp",
    "undetermined",
    "ushort",
]

Type = DType
intc, uintc, uintp, cfloat, cdouble = int32, uint32, uint64, complex64, complex128
signed_type = (*int_type, *float_type, *complex_type)
# Python's own names, as MindSpore 2.x has them; in this file the builtins are `builtins.int` and so on.
bool, int, float = bool_, int32, float32


_issubclass_ = issubclass_


def type_size_in_bytes(dtype: DType) -> builtins.int:
    """The bytes one element takes; 0 of what no Tensor holds.

    >>> type_size_in_bytes(float16)
    2
    """
    check_type("type_size_in_bytes", "dtype", dtype, DType)
    return getattr(dtype, "itemsize", 0)
