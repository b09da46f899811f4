"""Lowerings of functions of single elements that are more than one ufunc, or another than their rule's."""

from __future__ import annotations

from typing import Any

import numpy as np
from jax.lax import RoundingMethod

from mindspore._engine.interpreter.native.writer import COSTLY, NativeValue, NativeWriter, Shape, lowers


@lowers("copy", "stop_gradient", "copy_p")
def _same(writer: NativeWriter, equation: Any, operands: list[NativeValue], shape: Shape) -> Any:
    return operands[0]


@lowers("convert_element_type")
def _convert(writer: NativeWriter, equation: Any, operands: list[NativeValue], shape: Shape) -> Any:
    return writer.convert(operands[0], np.dtype(equation.params["new_dtype"]))


@lowers("rsqrt")
def _rsqrt(writer: NativeWriter, equation: Any, operands: list[NativeValue], shape: Shape) -> Any:
    (x,) = operands
    return writer.loop(
        np.divide, [writer.constant(np.ones((), x.dtype)), writer.loop(np.sqrt, [x], x.dtype, shape)], x.dtype, shape
    )


@lowers("logistic")
def _logistic(writer: NativeWriter, equation: Any, operands: list[NativeValue], shape: Shape) -> Any:
    (x,) = operands
    one = writer.constant(np.ones((), x.dtype))
    power = writer.loop(np.exp, [writer.loop(np.negative, [x], x.dtype, shape)], x.dtype, shape, COSTLY)
    return writer.loop(np.divide, [one, writer.loop(np.add, [one, power], x.dtype, shape)], x.dtype, shape)


@lowers("clamp")
def _clamp(writer: NativeWriter, equation: Any, operands: list[NativeValue], shape: Shape) -> Any:
    low, x, high = operands
    return writer.loop(np.minimum, [writer.loop(np.maximum, [x, low], x.dtype, shape), high], x.dtype, shape)


@lowers("select_n")
def _select(writer: NativeWriter, equation: Any, operands: list[NativeValue], shape: Shape) -> Any:
    if len(operands) != 3 or operands[0].dtype != np.bool_:
        return None
    which, no, yes = operands
    return writer.select(which, no, yes, shape)


@lowers("integer_pow")
def _integer_pow(writer: NativeWriter, equation: Any, operands: list[NativeValue], shape: Shape) -> Any:
    exponent, (x,) = equation.params["y"], operands
    if exponent == 0 or x.dtype == np.bool_ or (exponent < 0 and x.dtype.kind != "f"):
        return None
    result: Any = None
    left, square = abs(exponent), x
    while left:
        if left & 1:
            result = square if result is None else writer.loop(np.multiply, [result, square], x.dtype, shape)
        left >>= 1
        if left:
            square = writer.loop(np.multiply, [square, square], x.dtype, shape)
    return (
        result
        if exponent > 0
        else writer.loop(np.divide, [writer.constant(np.ones((), x.dtype)), result], x.dtype, shape)
    )


@lowers("round")
def _round(writer: NativeWriter, equation: Any, operands: list[NativeValue], shape: Shape) -> Any:
    if equation.params["rounding_method"] != RoundingMethod.TO_NEAREST_EVEN:
        return None
    return writer.loop(np.rint, operands, operands[0].dtype, shape)


@lowers("div", "rem")
def _div(writer: NativeWriter, equation: Any, operands: list[NativeValue], shape: Shape) -> Any:
    if operands[0].dtype.kind != "f":
        return None
    ufunc = np.divide if equation.primitive.name == "div" else np.fmod
    return writer.loop(ufunc, operands, operands[0].dtype, shape)


@lowers("dim_as_value")
def _dim(writer: NativeWriter, equation: Any, operands: list[NativeValue], shape: Shape) -> Any:
    return writer.constant(np.asarray(equation.params["dim"], equation.outvars[0].aval.dtype))
