"""Descriptions of operators for MindSpore's own code generators.

The generators do not exist here. Programs that build descriptions at import get the same dicts as from MindSpore.
"""

from __future__ import annotations

import functools
import inspect
import itertools
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

_TYPES = {
    "BOOL": "bool", "I8": "int8", "U8": "uint8", "I16": "int16", "U16": "uint16", "I32": "int32", "U32": "uint32",
    "I64": "int64", "U64": "uint64", "F16": "float16", "F32": "float32", "F64": "float64", "BF16": "bfloat16",
}  # fmt: skip
_LAYOUTS = {
    "None": "", "Default": "DefaultFormat", "5HD": "NC1HWC0", "FracZ": "FRACTAL_Z", "FracNZ": "FRACTAL_NZ",
    "C1HWNCoC0": "C1HWNCoC0", "NCHW": "NCHW", "NHWC": "NHWC", "HWCN": "HWCN", "NDHWC": "NDHWC",
    "ChannelLast": "ChannelLast",
}  # fmt: skip
_VOLUMES = {
    "NCDHW": "NCDHW", "DHWCN": "DHWCN", "NDC1HWC0": "NDC1HWC0", "FRACTAL_Z_3D": "FRACTAL_Z_3D",
    "FracZNLSTM": "FRACTAL_ZN_LSTM", "FracZNRNN": "FRACTAL_ZN_RNN", "ND_RNNBIAS": "ND_RNN_BIAS",
}  # fmt: skip
_BYTES = {"NCDHW": "NCDHW", "NDC1HWC0": "NDC1HWC0", "NC1HWC0": "NC1HWC0"}
_FURTHER = {  # layouts that only some types have
    **dict.fromkeys(("F16", "F32", "BF16"), _VOLUMES),
    **dict.fromkeys(("I8", "U8"), _BYTES),
    "I32": {"NCDHW": "NCDHW", "NDC1HWC0": "NDC1HWC0"},
}


class _Forms(type):
    if TYPE_CHECKING:

        def __getattr__(cls, name: str) -> tuple[str, ...]: ...  # all dtypes with all layouts, filled in below


class DataType(metaclass=_Forms):
    """A dtype and a layout, as ``DataType.F32_Default``.

    Examples:
        >>> from mindspore.ops.op_info_register import DataType
        >>> DataType.F32_Default, DataType.I8_5HD
        (('float32', 'DefaultFormat'), ('int8', 'NC1HWC0'))
    """

    None_None = ("", "")
    None_Default = ("", "DefaultFormat")


def _fill_data_types() -> None:
    for (short, dtype), (name, layout) in itertools.product(_TYPES.items(), _LAYOUTS.items()):
        setattr(DataType, f"{short}_{name}", (dtype, layout))
    for short, layouts in _FURTHER.items():
        for name, layout in layouts.items():
            setattr(DataType, f"{short}_{name}", (_TYPES[short], layout))
    for short, dtype in {**_TYPES, "C64": "complex64", "C128": "complex128"}.items():
        setattr(DataType, f"{short}_Default", (dtype, "DefaultFormat"))
        setattr(DataType, f"{short}_Default_Tuple", (dtype, "DefaultFormat", "tuple"))
        if not short.startswith("C"):
            setattr(DataType, f"{short}_Default_List", (dtype, "DefaultFormat", "list"))


_fill_data_types()


class RegOp:
    """Builds the description of an operator, call by call; :meth:`get_op_info` gives it."""

    def __init__(self, op_name: str):
        self._check("op_name", op_name, str, ValueError)
        self._info: dict[str, Any] = {"op_name": op_name, "inputs": [], "outputs": [], "attr": [], "fusion_type": "",
                                      "dtype_format": []}  # fmt: skip

    def _check(self, name: str, value: Any, kind: type, error: type[Exception] = TypeError) -> Any:
        if not isinstance(value, kind):
            text = f"For '{type(self).__name__}', the '{name}' must be a {kind.__name__}, but got {value!r}."
            raise error(text)
        return value

    def _entry(self, field: str, names: tuple[str, ...], values: tuple[Any, ...], further: dict[str, Any]) -> Any:
        if len(values) > len(names):
            raise TypeError(f"For '{type(self).__name__}', the '{field}' takes {names}, but got {values}.")
        given = dict(zip(names, values, strict=False)) | further
        self._info[field].append({name: value for name, value in given.items() if value is not None})
        return self

    def fusion_type(self, fusion_type: str) -> Any:
        """How the operator may be fused."""
        self._info["fusion_type"] = self._check("fusion_type", fusion_type, str)
        return self

    def dtype_format(self, *args: tuple[str, ...]) -> Any:
        """A supported combination of dtypes and layouts, for all inputs and outputs."""
        wanted = len(self._info["inputs"]) + len(self._info["outputs"])
        if len(args) != wanted:
            raise ValueError(
                f"For '{type(self).__name__}', the 'dtype_format' must have one entry for each of the {wanted} inputs and "
                f"outputs, but got {len(args)}."
            )
        self._info["dtype_format"].append(tuple(args))
        return self

    def get_op_info(self) -> dict[str, Any]:
        """The description."""
        return self._info


class _PlainRegOp(RegOp):
    """Inputs, outputs and attributes with an index or name, and whether they are required."""

    imply_type: str | None = None

    def __init__(self, op_name: str):
        super().__init__(op_name)
        if self.imply_type is not None:
            self._info["imply_type"] = self.imply_type

    def input(self, index: int | None = None, name: str | None = None, param_type: str | None = None,
              **kwargs: Any) -> Any:  # fmt: skip
        """Describe an input."""
        return self._entry("inputs", ("index", "name", "paramType"), (index, name, param_type), kwargs)

    def output(self, index: int | None = None, name: str | None = None, param_type: str | None = None,
               **kwargs: Any) -> Any:  # fmt: skip
        """Describe an output."""
        return self._entry("outputs", ("index", "name", "paramType"), (index, name, param_type), kwargs)

    def attr(self, name: str | None = None, value_type: str | None = None, value: str | None = None,
             **kwargs: Any) -> Any:  # fmt: skip
        """Describe an attribute."""
        return self._entry("attr", ("name", "type", "value"), (name, value_type, value), kwargs)


class CpuRegOp(_PlainRegOp):
    """Describes an operator for CPUs.

    Examples:
        >>> from mindspore.ops import CpuRegOp, DataType
        >>> info = CpuRegOp("Twice").input(0, "x", "required").output(0, "y", "required")
        >>> info = info.dtype_format(DataType.F32_Default, DataType.F32_Default).get_op_info()
        >>> info["op_name"], len(info["inputs"])
        ('Twice', 1)
    """

    imply_type = "CPU"


class AiCPURegOp(_PlainRegOp):
    """Describes an operator for the CPU of an Ascend device.

    Examples:
        >>> from mindspore.ops import AiCPURegOp, DataType
        >>> info = AiCPURegOp("Twice").fusion_type("OPAQUE").input(0, "x", "required").output(0, "y", "required")
        >>> info = info.dtype_format(DataType.F32_Default, DataType.F32_Default).get_op_info()
        >>> info["op_name"], info["fusion_type"]
        ('Twice', 'OPAQUE')
    """

    imply_type = "AiCPU"


class AkgRegOp(_PlainRegOp):
    """Describes an operator for the compiler of polyhedra; the description names the processor."""

    imply_type = "AKG"

    def __init__(self, op_name: str, processor: str):
        super().__init__(op_name)
        self._info["processor"] = processor

    def attr(self, name: str | None = None, param_type: str | None = None,  # type: ignore[override]
             value_type: str | None = None, **kwargs: Any) -> Any:  # fmt: skip
        """Describe an attribute."""
        return self._entry("attr", ("name", "paramType", "type"), (name, param_type, value_type), kwargs)


class AkgGpuRegOp(AkgRegOp):
    """Describes an operator for GPUs.

    Examples:
        >>> from mindspore.ops.op_info_register import AkgGpuRegOp
        >>> AkgGpuRegOp("Add").get_op_info()["processor"]
        'CUDA'
    """

    def __init__(self, op_name: str):
        super().__init__(op_name, "CUDA")


class AkgAscendRegOp(AkgRegOp):
    """Describes an operator for Ascend devices.

    Examples:
        >>> from mindspore.ops.op_info_register import AkgAscendRegOp
        >>> AkgAscendRegOp("Add").get_op_info()["processor"]
        'AiCore'
    """

    def __init__(self, op_name: str):
        super().__init__(op_name, "AiCore")


class CustomRegOp(RegOp):
    """Describes a user's operator.

    Examples:
        >>> from mindspore.ops.op_info_register import CustomRegOp, DataType
        >>> form = DataType.F32_Default
        >>> CustomRegOp("square").input(0, "x").output(0, "y").dtype_format(form, form).target("GPU").get_op_info()["target"]
        'GPU'
    """

    def __init__(self, op_name: str = "Custom"):
        super().__init__(op_name)
        self._info["target"] = ""

    def input(self, index: int | None = None, name: str | None = None, param_type: str = "required",
              **kwargs: Any) -> CustomRegOp:  # fmt: skip
        """Describe an input."""
        return self._entry("inputs", ("index", "name", "paramType"), (index, name, param_type), kwargs)

    def output(self, index: int | None = None, name: str | None = None, param_type: str = "required",
               **kwargs: Any) -> CustomRegOp:  # fmt: skip
        """Describe an output."""
        return self._entry("outputs", ("index", "name", "paramType"), (index, name, param_type), kwargs)

    def attr(self, name: str | None = None, param_type: str | None = None, value_type: str | None = None,
             default_value: str | None = None, **kwargs: Any) -> CustomRegOp:  # fmt: skip
        """Describe an attribute."""
        values = (name, param_type, value_type, default_value)
        return self._entry("attr", ("name", "paramType", "type", "defaultValue"), values, kwargs)

    def target(self, target: str | None = None) -> CustomRegOp:
        """The kind of device: 'Ascend', 'GPU' or 'CPU'."""
        if target is not None:
            self._info["target"] = self._check("target", target, str)
        return self


def _setter(key: str, kind: type, name: str, default: Any = inspect.Parameter.empty) -> Callable[..., Any]:
    either = inspect.Parameter.POSITIONAL_OR_KEYWORD
    taken = inspect.Signature([inspect.Parameter("self", either), inspect.Parameter(name, either, default=default)])

    def put(*args: Any, **kwargs: Any) -> Any:
        bound = taken.bind(*args, **kwargs)
        bound.apply_defaults()
        description, value = bound.arguments["self"], bound.arguments[name]
        description._info[key] = value if value is None else description._check(key, value, kind)
        return description

    put.__signature__ = taken  # type: ignore[attr-defined]

    put.__doc__ = f"Set '{key}' of the description, a {kind.__name__}."
    return put


class TBERegOp(RegOp):
    """Describes an operator for the matrix units of an Ascend device.

    Examples:
        >>> from mindspore.ops import DataType, TBERegOp
        >>> info = TBERegOp("Twice").fusion_type("OPAQUE").input(0, "x", False, "required", "all")
        >>> info = info.output(0, "y", False, "required", "all")
        >>> info = info.dtype_format(DataType.F32_Default, DataType.F32_Default).get_op_info()
        >>> info["op_name"], info["imply_type"]
        ('Twice', 'TBE')
    """

    def __init__(self, op_name: str):
        super().__init__(op_name)
        flags = (
            "dynamicRankSupport",
            "dynamicShapeSupport",
            "dynamicCompileStatic",
            "needCheckSupport",
            "dynamicFormat",
        )
        self._info |= {"imply_type": "TBE", "async_flag": False, "binfile": "", "compute_cost": 10, "kernel": "",
                       "partial_flag": False, "reshape_type": "", **dict.fromkeys(flags, False), "op_pattern": "",
                       "real_input_index": [], "input_to_attr_index": [], "unknown_shape_formats": []}  # fmt: skip

    async_flag = _setter("async_flag", bool, "async_flag", False)
    binfile_name = _setter("binfile", str, "binfile_name")
    compute_cost = _setter("compute_cost", int, "compute_cost", 10)
    kernel_name = _setter("kernel", str, "kernel_name")
    partial_flag = _setter("partial_flag", bool, "partial_flag", True)
    reshape_type = _setter("reshape_type", str, "reshape_type")
    op_pattern = _setter("op_pattern", str, "pattern", None)
    dynamic_rank_support = _setter("dynamicRankSupport", bool, "dynamic_rank_support")
    dynamic_shape = _setter("dynamicShapeSupport", bool, "dynamic_shape", False)
    dynamic_compile_static = _setter("dynamicCompileStatic", bool, "dynamic_compile_static", False)
    need_check_supported = _setter("needCheckSupport", bool, "need_check_supported", False)
    is_dynamic_format = _setter("dynamicFormat", bool, "is_dynamic_format", False)
    real_input_index = _setter("real_input_index", list, "real_input_index")
    input_to_attr_index = _setter("input_to_attr_index", list, "input_to_attr_index")

    def unknown_shape_formats(self, unknown_shape_formats: Any) -> TBERegOp:
        """Layouts for shapes that are not known."""
        self._info["unknown_shape_formats"].append(unknown_shape_formats)
        return self

    def attr(self, name: str | None = None, param_type: str | None = None, value_type: str | None = None,
             value: str | None = None, default_value: str | None = None, **kwargs: Any) -> TBERegOp:  # fmt: skip
        """Describe an attribute."""
        values = (name, param_type, value_type, value, default_value)
        return self._entry("attr", ("name", "paramType", "type", "value", "defaultValue"), values, kwargs)

    def input(self, index: int | None = None, name: str | None = None, need_compile: bool | None = None,
              param_type: str | None = None, shape: str | None = None, value_depend: str | None = None,
              **kwargs: Any) -> TBERegOp:  # fmt: skip
        """Describe an input."""
        names = ("index", "name", "need_compile", "paramType", "shape", "value_depend")
        return self._entry("inputs", names, (index, name, need_compile, param_type, shape, value_depend), kwargs)

    def output(self, index: int | None = None, name: str | None = None, need_compile: bool | None = None,
               param_type: str | None = None, shape: str | None = None, **kwargs: Any) -> TBERegOp:  # fmt: skip
        """Describe an output."""
        names = ("index", "name", "need_compile", "paramType", "shape")
        return self._entry("outputs", names, (index, name, need_compile, param_type, shape), kwargs)


def op_info_register(op_info: dict[str, Any] | str) -> Callable[[Callable[..., Any]], Callable[..., Any]]:
    """Decorator that names the description of an operator; the function stays as it is.

    Examples:
        >>> from mindspore.ops.op_info_register import TBERegOp, op_info_register
        >>> @op_info_register(TBERegOp("Twice").get_op_info())
        ... def twice():
        ...     return 2
        >>> twice()
        2
    """

    def decorate(function: Callable[..., Any]) -> Callable[..., Any]:
        return function

    return decorate


def custom_info_register(*reg_info: dict[str, Any]) -> Callable[[Callable[..., Any]], Callable[..., Any]]:
    """Decorator that keeps descriptions with a function for ``ops.Custom``, as its attribute ``reg_info``.

    Examples:
        >>> from mindspore.ops.op_info_register import CustomRegOp, custom_info_register
        >>> @custom_info_register(CustomRegOp("twice").get_op_info())
        ... def twice(x):
        ...     return x + x
        >>> twice(2), twice.reg_info[0]["op_name"]
        (4, 'twice')
    """

    def decorate(function: Callable[..., Any]) -> Callable[..., Any]:
        @functools.wraps(function)
        def same(*args: Any, **kwargs: Any) -> Any:
            return function(*args, **kwargs)

        same.reg_info = reg_info  # type: ignore[attr-defined]
        return same

    return decorate
