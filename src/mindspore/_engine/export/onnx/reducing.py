"""Converters of reductions, sorts and cumulative operations."""

from __future__ import annotations

from typing import Any

import numpy as np

from mindspore._engine.export.onnx.builder import Builder, Unsupported, Value, converts, known_shape
from mindspore._engine.export.onnx.shaping import padded

_REDUCE = {"reduce_sum": "ReduceSum", "reduce_max": "ReduceMax", "reduce_min": "ReduceMin", "reduce_prod": "ReduceProd"}


@converts(*_REDUCE)
def reduction(builder: Builder, equation: Any, value: Value) -> str:
    axes = builder.constant(equation.params["axes"], np.int64)
    name, dtype = builder.name_of(value), equation.invars[0].aval.dtype
    kind = _REDUCE[equation.primitive.name]
    if dtype == np.bool_:
        return builder.cast(builder.node(kind, [builder.cast(name, np.int32), axes], keepdims=0), dtype)
    return builder.node(kind, [name, axes], keepdims=0)


@converts("reduce_and", "reduce_or")
def logical_reduction(builder: Builder, equation: Any, value: Value) -> str:
    axes = builder.constant(equation.params["axes"], np.int64)
    kind = "ReduceMin" if equation.primitive.name == "reduce_and" else "ReduceMax"
    counted = builder.node(kind, [builder.cast(builder.name_of(value), np.int32), axes], keepdims=0)
    return builder.cast(counted, np.bool_)


@converts("argmax", "argmin")
def index_of_extreme(builder: Builder, equation: Any, value: Value) -> str:
    kind = "ArgMax" if equation.primitive.name == "argmax" else "ArgMin"
    name, dtype = builder.name_of(value), equation.invars[0].aval.dtype
    name = builder.cast(name, np.int32) if dtype in (np.bool_, np.int64, np.int16) else name
    found = builder.node(kind, [name], axis=int(equation.params["axes"][0]), keepdims=0)
    return _as_index(builder, found, equation.outvars[0].aval.dtype)


def _as_index(builder: Builder, name: str, dtype: Any) -> str:
    return name if dtype == np.int64 else builder.cast(name, dtype)


@converts("cumsum")
def cumsum(builder: Builder, equation: Any, value: Value) -> str:
    axis = builder.scalar(equation.params["axis"], np.int64)
    if builder.target < 11:
        raise Unsupported("before opset 11")
    return builder.node("CumSum", [builder.name_of(value), axis], reverse=int(equation.params["reverse"]))


@converts("cumprod", "cummax", "cummin")
def cumulation(builder: Builder, equation: Any, value: Value) -> str:
    """Hillis-Steele scan, combining with elements 1, 2, 4, ... before: ONNX only has CumSum."""
    name, aval, axis = builder.name_of(value), equation.invars[0].aval, int(equation.params["axis"])
    kind, start = _CUMULATIONS[equation.primitive.name]
    (length,) = known_shape([aval.shape[axis]], "an axis")
    first = start(aval.dtype)
    distance = 1
    while distance < length:
        ends = (-distance, distance) if equation.params["reverse"] else (distance, -distance)
        moved = padded(builder, name, builder.scalar(first, aval.dtype),
                       [ends if index == axis else (0, 0) for index in range(len(aval.shape))])  # fmt: skip
        name = builder.node(kind, [name, moved])
        distance *= 2
    return name


def _least(dtype: Any) -> Any:
    return -np.inf if np.issubdtype(dtype, np.floating) else np.iinfo(dtype).min


def _largest(dtype: Any) -> Any:
    return np.inf if np.issubdtype(dtype, np.floating) else np.iinfo(dtype).max


_CUMULATIONS = {"cumprod": ("Mul", lambda dtype: 1), "cummax": ("Max", _least), "cummin": ("Min", _largest)}


@converts("top_k")
def top_k(builder: Builder, equation: Any, value: Value) -> list[str]:
    count = builder.size(equation.params["k"])
    axis = int(equation.params.get("axis", len(equation.invars[0].aval.shape) - 1))
    values, indices = builder.nodes_of("TopK", [builder.name_of(value), count], 2, axis=axis, largest=1, sorted=1)
    return [values, _as_index(builder, indices, equation.outvars[1].aval.dtype)]


@converts("sort")
def sort(builder: Builder, equation: Any, *values: Value) -> list[str]:
    """Sort by the first operand; with several keys from the last to the first, because TopK is stable."""
    axis, keys = int(equation.params["dimension"]), int(equation.params["num_keys"])
    names = [builder.name_of(value) for value in values]
    count = builder.size(equation.invars[0].aval.shape[axis])
    for key in reversed(range(keys)):
        dtype = equation.invars[key].aval.dtype
        source = builder.cast(names[key], np.int32) if dtype == np.bool_ else names[key]
        _, order = builder.nodes_of("TopK", [source, count], 2, axis=axis, largest=0, sorted=1)
        names = [builder.node("GatherElements", [name, order], axis=axis) for name in names]
    return names
