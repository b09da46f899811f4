"""Mycelium: MindSpore's API, executed by XLA.

>>> import mindspore as ms
>>> from mindspore import Tensor, ops
>>> print(ms.grad(ops.square)(Tensor(3.0)))
6.0
"""

from importlib import import_module as _import_module
from typing import TYPE_CHECKING

from mindspore._utils.conflict import refuse_mixed_installation

refuse_mixed_installation()

from mindspore import amp, common, communication, context, log, nn, ops, train  # noqa: E402 - nothing of ours is loaded beside a real MindSpore
from mindspore._engine.compiler import (  # noqa: E402
    JitConfig,
    constexpr,
    jit,
    jit_class,
    ms_class,
    ms_function,
    mutable,
)
from mindspore._engine.context import (  # noqa: E402
    COMPATIBLE,
    DEBUG,
    GRAPH_MODE,
    LAX,
    PYNATIVE_MODE,
    RELEASE,
    STRICT,
    ParallelMode,
    get_auto_parallel_context,
    get_context,
    get_ps_context,
    reset_auto_parallel_context,
    reset_ps_context,
    set_auto_parallel_context,
    set_context,
    set_device,
    set_ps_context,
)
from mindspore._engine.gradients import (  # noqa: E402
    get_grad,
    grad,
    jacfwd,
    jacrev,
    jvp,
    value_and_grad,
    vjp,
)
from mindspore._ops.values import is_tensor  # noqa: E402
from mindspore._utils.checks import unknown_attribute as _unknown_attribute  # noqa: E402
from mindspore.common import dtype  # noqa: E402
from mindspore.common.dtype import (  # noqa: E402
    Type,
    bfloat16,
    bool,
    bool_,
    byte,
    cdouble,
    cfloat,
    complex64,
    complex128,
    double,
    dtype_to_nptype,
    dtype_to_pytype,
    float,
    float16,
    float32,
    float64,
    float_,
    get_py_obj_dtype,
    half,
    int,
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
    number_type,
    pytype_to_dtype,
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
from mindspore.common.parameter import Parameter, ParameterTuple  # noqa: E402
from mindspore.common.seed import get_seed, set_seed  # noqa: E402
from mindspore.common.tensor import Tensor, tensor  # noqa: E402
from mindspore.train import (  # noqa: E402
    DatasetHelper,
    DynamicLossScaleManager,
    FixedLossScaleManager,
    LossScaleManager,
    Model,
    build_train_network,
    connect_network_with_dataset,
    data_sink,
    load_checkpoint,
    load_param_into_net,
    save_checkpoint,
)

__version__ = "2.10.0"  # the MindSpore whose API this is: programs compare it
mycelium_version = "0.1.0"
from_numpy = Tensor.from_numpy

_HINTS = {
    "no_grad": "Gradients are recorded only inside mindspore.grad and its relatives; cut one with ops.stop_gradient.",
    "cuda": "Choose the device with mindspore.set_context(device_target='GPU').",
    "FloatTensor": "Write mindspore.Tensor(data, mindspore.float32).",
    "LongTensor": "Write mindspore.Tensor(data, mindspore.int64).",
    "ms": "The package itself is usually imported so: import mindspore as ms.",
}

__all__ = [
    "COMPATIBLE",
    "DEBUG",
    "GRAPH_MODE",
    "LAX",
    "PYNATIVE_MODE",
    "RELEASE",
    "STRICT",
    "DatasetHelper",
    "DynamicLossScaleManager",
    "FixedLossScaleManager",
    "JitConfig",
    "LossScaleManager",
    "Model",
    "ParallelMode",
    "Parameter",
    "ParameterTuple",
    "Tensor",
    "Type",
    "amp",
    "bfloat16",
    "bool",
    "bool_",
    "build_train_network",
    "byte",
    "cdouble",
    "cfloat",
    "common",
    "communication",
    "complex64",
    "complex128",
    "connect_network_with_dataset",
    "constexpr",
    "context",
    "data_sink",
    "double",
    "dtype",
    "dtype_to_nptype",
    "dtype_to_pytype",
    "float",
    "float16",
    "float32",
    "float64",
    "float_",
    "from_numpy",
    "get_auto_parallel_context",
    "get_context",
    "get_grad",
    "get_ps_context",
    "get_py_obj_dtype",
    "get_seed",
    "grad",
    "half",
    "int",
    "int8",
    "int16",
    "int32",
    "int64",
    "int_",
    "intc",
    "intp",
    "is_tensor",
    "jacfwd",
    "jacrev",
    "jit",
    "jit_class",
    "jvp",
    "list_",
    "load_checkpoint",
    "load_param_into_net",
    "log",
    "long",
    "ms_class",
    "ms_function",
    "mutable",
    "mycelium_version",
    "nn",
    "number",
    "number_type",
    "ops",
    "pytype_to_dtype",
    "reset_auto_parallel_context",
    "reset_ps_context",
    "save_checkpoint",
    "set_auto_parallel_context",
    "set_context",
    "set_device",
    "set_ps_context",
    "set_seed",
    "short",
    "single",
    "string",
    "tensor",
    "tensor_type",
    "train",
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
    "value_and_grad",
    "vjp",
]

_ON_DEMAND = ("dataset", "experimental", "mindrecord")  # packages loaded when a program names them

if not TYPE_CHECKING:  # to a type checker an unknown name stays an error

    def __getattr__(name: str) -> object:
        if name in _ON_DEMAND:
            return _import_module(f"mindspore.{name}")
        raise _unknown_attribute("mindspore", name, globals(), _HINTS)
