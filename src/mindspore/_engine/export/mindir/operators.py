"""Operators as primitives of MindSpore: arguments in the order and the forms of its files."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import jax.export
import numpy as np

from mindspore._engine.base.dtype import DType
from mindspore._engine.export.mindir.builder import GraphValue, PrimitiveBuilder, TensorForm, WithoutPrimitive
from mindspore._engine.export.mindir.elementwise import broadcast
from mindspore._engine.export.mindir.file_numbers import WORDS
from mindspore._engine.export.mindir.known_primitives import FUNCTIONS, WITH_ATTRIBUTES
from mindspore._engine.operator.arguments import OperandArgument

_RANDOM = frozenset({"Dropout", "Dropout2D", "Dropout3D"})
Attributes = Callable[[dict[str, Any], list[Any]], dict[str, Any]]


def emitted(
    builder: PrimitiveBuilder, declared: tuple[Any, tuple], inputs: list[GraphValue], forms: list[TensorForm]
) -> list[GraphValue]:
    """The nodes of an operator's primitive, or WithoutPrimitive."""
    op, key = declared
    supply, statics = iter(inputs), iter(key)
    values = [argument.give(supply, statics) for argument in op.arguments]
    for kind in op.primitives:
        name = kind.__name__
        if name in _RANDOM or not (name in FUNCTIONS or name in WITH_ATTRIBUTES):
            continue
        return _primitive(builder, kind, op, values, forms)
    composed = COMPOSED.get(op.name)
    if composed is not None:
        found = composed(builder, forms, *values)
        return [found] if isinstance(found, GraphValue) else list(found)
    raise WithoutPrimitive("")


def _primitive(
    builder: PrimitiveBuilder, kind: Any, op: Any, values: list[Any], forms: list[TensorForm]
) -> list[GraphValue]:
    name = kind.__name__
    names = [argument.name for argument in op.arguments]
    given = [values[index] for index in kind.call_indices]
    attributes = {own: values[names.index(own)] for own in kind.init_signature.parameters}
    covered = {*(names[index] for index in kind.call_indices), *attributes}
    for own, value, default in zip(names, values, op.defaults):
        if own not in covered and not _same(value, default):
            raise WithoutPrimitive("")
    given = _promoted(builder, op, kind, given, forms)
    form: Any = forms[0] if len(forms) == 1 else tuple(forms)
    if name in FUNCTIONS:
        flat = [*given, *attributes.values()]
        words = [*(names[index] for index in kind.call_indices), *attributes]
        flat = [_encoded(builder, own, value) for own, value in zip(words, flat)]
        flat = ADAPTED.get(name, lambda *same: list(same))(*flat)
        found = builder.call(name, *flat, form=form)
    else:
        chosen = (
            {own: _attribute(value) for own, value in attributes.items()} if name != "AdaptiveAvgPool2D" else attributes
        )
        chosen = ATTRIBUTES.get(name, lambda own, _: own)(chosen, given)
        found = builder.call(name, *[_encoded(builder, "", value) for value in given], form=form, **chosen)
    return [found] if isinstance(found, GraphValue) else list(found)


def _same(value: Any, default: Any) -> bool:
    return value is default or (not isinstance(value, GraphValue) and value == default)


def _promoted(builder: PrimitiveBuilder, op: Any, kind: Any, given: list[Any], forms: list[TensorForm]) -> list[Any]:
    """Operands in one dtype: numbers take that of the tensors; tensors of several dtypes are the body's matter."""
    operands = [
        position
        for position, index in enumerate(kind.call_indices)
        if isinstance(op.arguments[index], OperandArgument) and isinstance(given[position], GraphValue)
    ]
    if len(operands) < 2:
        return [_like_result(builder, one, forms) if p in operands else one for p, one in enumerate(given)]
    tensors = [given[p] for p in operands if given[p].array is None or given[p].array.ndim]
    dtypes = {one.dtype for one in tensors}
    if len(dtypes) != 1:
        raise WithoutPrimitive("")
    (dtype,) = dtypes
    if dtype == np.bool_ and kind.__name__ == "Sub":
        raise WithoutPrimitive("")
    given = list(given)
    for position in operands:
        one = given[position]
        if one.dtype != dtype:
            if not (np.issubdtype(dtype, np.floating) or (one.dtype.kind in "bi" and dtype.kind in "iu")):
                raise WithoutPrimitive("")
            given[position] = builder.known(one.array.astype(dtype))
    if forms[0].dtype not in (dtype, np.dtype(bool)):
        raise WithoutPrimitive("")
    return given


def _like_result(builder: PrimitiveBuilder, value: GraphValue, forms: list[TensorForm]) -> GraphValue:
    """A number beside tensors alone, in the dtype of a result of floats."""
    if value.array is None or value.array.ndim or not np.issubdtype(forms[0].dtype, np.floating):
        return value
    return builder.known(value.array.astype(forms[0].dtype)) if value.dtype.kind in "if" else value


def _encoded(builder: PrimitiveBuilder, argument: str, value: Any) -> Any:
    """An argument as files have it."""
    if jax.export.is_symbolic_dim(value):
        return builder.size(str(value))
    if isinstance(value, DType):
        return value.np_dtype
    if isinstance(value, str) and argument in WORDS:
        for number, word in WORDS[argument].items():
            if word.lower() == value.lower():
                return number
        raise WithoutPrimitive("")
    if isinstance(value, (tuple, list)):
        return tuple(_encoded(builder, argument, one) for one in value)
    return value


def _attribute(value: Any) -> Any:
    if isinstance(value, DType):
        return value.np_dtype
    if (
        isinstance(value, GraphValue)
        or jax.export.is_symbolic_dim(value)
        or (isinstance(value, tuple) and None in value)
    ):
        raise WithoutPrimitive("")
    return value


# -- primitives whose files have more than the constructor's arguments -----------------------------------------------------
def _pair(value: Any, count: int = 2) -> tuple[int, ...]:
    values = tuple(value) if isinstance(value, (tuple, list)) else (value,) * count
    return values[-count:]


def _convolution(own: dict[str, Any], given: list[Any]) -> dict[str, Any]:
    """The attributes of convolutions: strides and dilations for all axes, paddings at both ends."""
    if own["data_format"] != "NCHW":
        raise WithoutPrimitive("")
    pad = own["pad"] if isinstance(own["pad"], (tuple, list)) else (own["pad"],) * 4
    flat = tuple(int(one) for part in pad for one in (part if isinstance(part, (tuple, list)) else (part,)))
    mode = own["pad_mode"].lower()
    size = _pair(own["kernel_size"])
    stride, dilation = _pair(own["stride"]), _pair(own["dilation"])
    padded = flat if len(flat) == 4 else (0, 0, 0, 0)
    if mode == "pad" and padded[::2] != padded[1::2]:
        raise WithoutPrimitive("with borders that differ")
    return {
        "kernel_size": size, "mode": own["mode"], "out_channel": own["out_channel"], "pad": padded, "pad_mode": mode,
        "format": "NCHW", "pad_list": _borders(mode, given[0].shape, size, stride, dilation, padded), "groups": own["group"],
        "stride": (1, 1, *stride), "group": own["group"], "dilation": (1, 1, *dilation),
        "input_names": ["x", "w"], "output_names": ["output"],
    }  # fmt: skip


def _borders(mode: str, shape: Any, size: Any, stride: Any, dilation: Any, pad: tuple[int, ...]) -> tuple[int, ...]:
    if mode != "same":
        return pad if mode == "pad" else (0, 0, 0, 0)
    borders: list[int] = []
    for length, one, step, apart in zip(shape[2:], size, stride, dilation):
        whole = (
            max((-(-length // step) - 1) * step + (one - 1) * apart + 1 - length, 0) if isinstance(length, int) else 0
        )
        borders += [whole // 2, whole - whole // 2]
    return tuple(borders)


def _pooling(own: dict[str, Any], given: list[Any]) -> dict[str, Any]:
    if own["data_format"] != "NCHW":
        raise WithoutPrimitive("")
    return {
        "kernel_size": (1, 1, *_pair(own["kernel_size"])), "strides": (1, 1, *_pair(own["strides"])),
        "pad_mode": own["pad_mode"].upper(), "format": "NCHW", "input_names": ["x"], "output_names": ["output"],
    }  # fmt: skip


def _stacked(own: dict[str, Any], given: list[Any]) -> dict[str, Any]:
    return {**own, "num": len(given[0]), "N": len(given[0])}


def _refused(own: dict[str, Any], given: list[Any]) -> dict[str, Any]:
    raise WithoutPrimitive("")


ATTRIBUTES: dict[str, Attributes] = {
    "Conv2D": _convolution,
    "MaxPool": _pooling,
    "Stack": _stacked,
    "AdaptiveAvgPool2D": lambda own, given: {
        "output_size": tuple(-1 if n is None else n for n in _pair(own["output_size"]))
    },
    **dict.fromkeys(
        (
            "MatrixTriangularSolve",
            "Conv2DTranspose",
            "Conv2DBackpropInput",
            "Conv3D",
            "Conv3DTranspose",
            "MaxPool3D",
            "AvgPool3D",
        ),
        _refused,
    ),
    **dict.fromkeys(
        ("MaxPoolWithArgmax", "MaxPoolWithArgmaxV2", "MaxPool3DWithArgmax", "MaxUnpool2D", "MaxUnpool3D"), _refused
    ),
}


def _as_tuple(value: Any) -> Any:
    return (value,) if isinstance(value, int) else () if value is None else value


def _reduction(x: Any, axis: Any, keep_dims: Any, *rest: Any) -> list[Any]:
    return [x, _as_tuple(axis), keep_dims, *rest]


def _average(x: Any, size: Any, strides: Any, mode: Any, layout: Any) -> list[Any]:
    if layout != 0:
        raise WithoutPrimitive("")
    return [x, _pair(size), _pair(strides), mode, layout]


def _turned(x: GraphValue) -> list[Any]:
    if x.dtype.kind != "c":
        raise WithoutPrimitive("of real numbers")
    return [x]


def _rounded(x: Any, decimals: Any = 0) -> list[Any]:
    if decimals:
        raise WithoutPrimitive("to decimals")
    return [x, decimals]


def _softmax(x: Any, axis: Any) -> list[Any]:
    if len(_as_tuple(axis)) != 1:
        raise WithoutPrimitive("")
    return [x, _as_tuple(axis)]


ADAPTED: dict[str, Callable[..., list[Any]]] = {
    **dict.fromkeys(
        ("ReduceMean", "ReduceSum", "ReduceMax", "ReduceMin", "ReduceProd", "ReduceAll", "ReduceAny"), _reduction
    ),
    "AvgPool": _average,
    "Round": _rounded,
    "Angle": _turned,
    "Softmax": _softmax,
    "Squeeze": lambda x, axis: [x, _as_tuple(axis)],
    "ReverseV2": lambda x, axis: [x, _as_tuple(axis)],
}


# -- operators that are several primitives -----------------------------------------------------------------------------------
def _flatten(builder: PrimitiveBuilder, forms: list[TensorForm], x: GraphValue, *rest: Any) -> GraphValue:
    if "F" in rest:
        raise WithoutPrimitive("")
    return builder.reshape(x, forms[0].shape)


def _gelu(builder: PrimitiveBuilder, forms: list[TensorForm], x: GraphValue, approximate: str = "none") -> GraphValue:
    if approximate == "tanh":
        return builder.call("GeLU", x, form=forms[0])
    raise WithoutPrimitive("")


def _batch_norm(builder: PrimitiveBuilder, forms: list[TensorForm], x: GraphValue, scale: Any, bias: Any, mean: GraphValue, variance: GraphValue,
                epsilon: float, data_format: str) -> GraphValue:  # fmt: skip
    """The primitive with statistics that are given: the first of its five results."""
    if scale is None or bias is None or data_format not in ("NCHW",) or len(x.shape) not in (2, 4):
        raise WithoutPrimitive("")
    per_channel = TensorForm(mean.shape, mean.dtype)
    result = builder.call(
        "BatchNorm", x, scale, bias, mean, variance, False, float(epsilon), 0.1, 0,
        form=(forms[0], per_channel, per_channel, per_channel, per_channel),
    )  # fmt: skip
    return result[0]


def _matmul(builder: PrimitiveBuilder, forms: list[TensorForm], x: GraphValue, y: GraphValue, *_: Any) -> GraphValue:
    if x.dtype != y.dtype:
        raise WithoutPrimitive("")
    if len(x.shape) == len(y.shape) == 2:
        return builder.call("MatMul", x, y, False, False, form=forms[0])
    if len(x.shape) == len(y.shape) > 2 and x.shape[:-2] == y.shape[:-2]:
        return builder.call("BatchMatMul", x, y, False, False, form=forms[0])
    raise WithoutPrimitive("")


def _with_sign(builder: PrimitiveBuilder, forms: list[TensorForm], x: GraphValue, other: GraphValue) -> GraphValue:
    """Also the sign of zero counts: its reciprocal is infinite."""
    (form,) = forms
    if x.dtype != other.dtype or x.dtype != form.dtype or form.dtype.kind != "f":
        raise WithoutPrimitive("")
    truth = TensorForm(other.shape, np.dtype(bool))
    zero, one = builder.known(0, form.dtype), builder.known(1, form.dtype)
    reciprocal = builder.call("RealDiv", one, other, form=other.form)
    below = builder.call("LogicalOr", builder.call("Less", other, zero, form=truth), builder.call("Less", reciprocal, zero, form=truth), form=truth)  # fmt: skip
    sign = builder.call("Select", below, broadcast(builder, builder.known(-1, form.dtype), other.shape),
                        broadcast(builder, one, other.shape), form=other.form)  # fmt: skip
    return builder.call("Mul", builder.call("Abs", x, form=x.form), sign, form=form)


COMPOSED: dict[str, Callable[..., Any]] = {
    "flatten": _flatten,
    "gelu": _gelu,
    "batch_norm_with_statistics": _batch_norm,
    "matmul": _matmul,
    "copysign": _with_sign,
}
