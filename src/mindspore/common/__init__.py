"""Tensor, Parameter, dtypes, seeds and initializers, under the paths programs of every version import them from."""

from typing import TYPE_CHECKING as _TYPE_CHECKING

from mindspore._engine.tensor.buffers import frombuffer, swap_tensors
from mindspore._ops.functional.values import is_tensor
from mindspore._ops.methods.tensor_memory import UntypedStorage
from mindspore._utils.checks import unknown_attribute as _unknown_attribute
from mindspore._utils.documented import claim as _claim
from mindspore._utils.submodules import submodule as _submodule
from mindspore.common import api, dtype, hook_handle, initializer, jit_config, parameter, seed, symbol, tensor
from mindspore.common._grad_function import (
    _Function,
    _no_grad,
    register_saved_tensors_hooks,
    saved_tensors_hooks,
)
from mindspore.common.api import jit, jit_class, ms_class, ms_function, ms_memory_recycle, set_recursion_limit
from mindspore.common.device import DeviceCtx
from mindspore.common.dtype import (
    Int,
    QuantDtype,
    TensorType,
    Type,
    _null,
    _NullType,
    bfloat16,
    bool_,
    byte,
    cdouble,
    cfloat,
    complex64,
    complex128,
    double,
    dtype_to_nptype,
    dtype_to_pytype,
    float8_e4m3fn,
    float8_e5m2,
    float16,
    float32,
    float64,
    float_,
    get_py_obj_dtype,
    half,
    hifloat8,
    int8,
    int16,
    int32,
    int64,
    int_,
    intc,
    intp,
    list_,
    long,
    number,
    pytype_to_dtype,
    qint4x2,
    short,
    single,
    string,
    tensor_type,
    tuple_,
    type_none,
    ubyte,
    uint,
    uint8,
    uint16,
    uint32,
    uint64,
    uintc,
    uintp,
    ushort,
)
from mindspore.common.dump import set_dump
from mindspore.common.dynamic_shape import enable_dynamic
from mindspore.common.file_system import mindio_preload, set_mindio_server_info
from mindspore.common.generator import (
    Generator,
    default_generator,
    get_rng_state,
    initial_seed,
    manual_seed,
    set_rng_state,
)
from mindspore.common.jit_config import JitConfig
from mindspore.common.lazy_inline import lazy_inline, no_inline
from mindspore.common.mutable import mutable
from mindspore.common.parameter import Parameter, ParameterTuple
from mindspore.common.recompute import recompute
from mindspore.common.seed import get_seed, set_seed
from mindspore.common.sparse_tensor import COOTensor, CSRTensor, RowTensor, SparseTensor
from mindspore.common.symbol import Symbol
from mindspore.common.tensor import Tensor

from_numpy = Tensor.from_numpy

__all__ = [
    "COOTensor",
    "CSRTensor",
    "DeviceCtx",
    "Generator",
    "Int",
    "JitConfig",
    "Parameter",
    "ParameterTuple",
    "QuantDtype",
    "RowTensor",
    "SparseTensor",
    "Symbol",
    "Tensor",
    "TensorType",
    "Type",
    "UntypedStorage",
    "_Function",
    "_NullType",
    "_no_grad",
    "_null",
    "api",
    "bfloat16",
    "bool_",
    "byte",
    "cdouble",
    "cfloat",
    "complex64",
    "complex128",
    "default_generator",
    "double",
    "dtype",
    "dtype_to_nptype",
    "dtype_to_pytype",
    "enable_dynamic",
    "float8_e4m3fn",
    "float8_e5m2",
    "float16",
    "float32",
    "float64",
    "float_",
    "from_numpy",
    "frombuffer",
    "get_py_obj_dtype",
    "get_rng_state",
    "get_seed",
    "half",
    "hifloat8",
    "hook_handle",
    "initial_seed",
    "initializer",
    "int8",
    "int16",
    "int32",
    "int64",
    "int_",
    "intc",
    "intp",
    "is_tensor",
    "jit",
    "jit_class",
    "jit_config",
    "lazy_inline",
    "list_",
    "long",
    "manual_seed",
    "mindio_preload",
    "ms_class",
    "ms_function",
    "ms_memory_recycle",
    "mutable",
    "no_inline",
    "number",
    "parameter",
    "pytype_to_dtype",
    "qint4x2",
    "recompute",
    "register_saved_tensors_hooks",
    "saved_tensors_hooks",
    "seed",
    "set_dump",
    "set_mindio_server_info",
    "set_recursion_limit",
    "set_rng_state",
    "set_seed",
    "short",
    "single",
    "string",
    "swap_tensors",
    "symbol",
    "tensor",
    "tensor_type",
    "tuple_",
    "type_none",
    "ubyte",
    "uint",
    "uint8",
    "uint16",
    "uint32",
    "uint64",
    "uintc",
    "uintp",
    "ushort",
]

_claim(__name__)

if not _TYPE_CHECKING:

    def __getattr__(name: str) -> object:
        if found := _submodule(__name__, name):  # programs reach for modules without importing them
            return found
        raise _unknown_attribute(__name__, name, globals())
