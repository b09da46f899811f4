"""Converters of elementwise primitives."""

from __future__ import annotations

from typing import Any

import numpy as np

from mindspore._engine.export.onnx.builder import Builder, Unsupported, Value, converts

_UNARY = {
    "neg": "Neg", "exp": "Exp", "log": "Log", "tanh": "Tanh", "sin": "Sin", "cos": "Cos", "tan": "Tan", "asin": "Asin",
    "acos": "Acos", "atan": "Atan", "sinh": "Sinh", "cosh": "Cosh", "asinh": "Asinh", "acosh": "Acosh", "atanh": "Atanh",
    "abs": "Abs", "sign": "Sign", "floor": "Floor", "ceil": "Ceil", "sqrt": "Sqrt", "logistic": "Sigmoid", "erf": "Erf",
}  # fmt: skip
_BINARY = {"add": "Add", "sub": "Sub", "mul": "Mul", "div": "Div", "max": "Max", "min": "Min", "pow": "Pow",
           "eq": "Equal", "lt": "Less", "le": "LessOrEqual", "gt": "Greater", "ge": "GreaterOrEqual"}  # fmt: skip
_LOGICAL = {"add": "Or", "max": "Or", "or": "Or", "mul": "And", "min": "And", "and": "And", "xor": "Xor"}
_BITWISE = {"and": "BitwiseAnd", "or": "BitwiseOr", "xor": "BitwiseXor"}


def operands(builder: Builder, equation: Any, values: tuple[Value, ...]) -> list[str]:
    """Names of the inputs. Broadcast ones are taken before the broadcast: ONNX broadcasts implicitly."""
    shape = equation.outvars[0].aval.shape
    whole = [index for index, var in enumerate(equation.invars) if var.aval.shape == shape]
    full = next((index for index in whole if values[index].narrow is None), whole[0] if whole else 0)
    return [
        value.narrow if value.narrow is not None and position != full else builder.name_of(value)
        for position, value in enumerate(values)
    ]


@converts(*_UNARY)
def unary(builder: Builder, equation: Any, value: Value) -> str:
    return builder.node(_UNARY[equation.primitive.name], [builder.name_of(value)])


@converts(*_BINARY, "and", "or", "xor")
def binary(builder: Builder, equation: Any, *values: Value) -> str:
    name, dtype = equation.primitive.name, equation.invars[0].aval.dtype
    if name == "max" and _is_zero(values[1]) and np.issubdtype(dtype, np.floating):
        return builder.node("Relu", [builder.name_of(values[0])])
    kinds: dict[str, str] = _BINARY
    if dtype == np.bool_ and name in _LOGICAL:
        kinds = _LOGICAL
    elif name in _BITWISE:
        kinds = _BITWISE
    elif dtype == np.bool_ and name != "eq":
        raise Unsupported("of bool")
    return builder.node(kinds[name], operands(builder, equation, values))


def _is_zero(value: Value) -> bool:
    return value.array is not None and value.array.size == 1 and not value.array.any()


@converts("ne")
def not_equal(builder: Builder, equation: Any, *values: Value) -> str:
    if equation.invars[0].aval.dtype == np.bool_:
        return builder.node("Xor", operands(builder, equation, values))
    return builder.node("Not", [builder.node("Equal", operands(builder, equation, values))])


@converts("rem")
def remainder(builder: Builder, equation: Any, *values: Value) -> str:
    return builder.node("Mod", operands(builder, equation, values), fmod=1)


@converts("not")
def negation(builder: Builder, equation: Any, value: Value) -> str:
    kind = "Not" if equation.invars[0].aval.dtype == np.bool_ else "BitwiseNot"
    return builder.node(kind, [builder.name_of(value)])


@converts("select_n")
def select(builder: Builder, equation: Any, which: Value, *cases: Value) -> str:
    names = operands(builder, equation, (which, *cases))
    if equation.invars[0].aval.dtype == np.bool_:
        return builder.node("Where", [names[0], names[2], names[1]])
    chosen = names[-1]
    for number, case in reversed(list(enumerate(names[1:-1]))):
        is_this = builder.node("Equal", [names[0], builder.scalar(number, equation.invars[0].aval.dtype)])
        chosen = builder.node("Where", [is_this, case, chosen])
    return chosen


@converts("clamp")
def clamp(builder: Builder, equation: Any, low: Value, value: Value, high: Value) -> str:
    at_least = builder.node("Max", [builder.name_of(value), builder.name_of(low)])
    return builder.node("Min", [at_least, builder.name_of(high)])


@converts("convert_element_type")
def convert_element_type(builder: Builder, equation: Any, value: Value) -> Value | str:
    before, after = equation.invars[0].aval.dtype, equation.params["new_dtype"]
    return value if before == after else builder.cast(builder.name_of(value), after)


@converts("square")
def square(builder: Builder, equation: Any, value: Value) -> str:
    return builder.node("Mul", [builder.name_of(value)] * 2)


@converts("integer_pow")
def integer_pow(builder: Builder, equation: Any, value: Value) -> str:
    exponent = builder.scalar(equation.params["y"], equation.invars[0].aval.dtype)
    return builder.node("Pow", [builder.name_of(value), exponent])


@converts("rsqrt")
def rsqrt(builder: Builder, equation: Any, value: Value) -> str:
    return builder.node("Reciprocal", [builder.node("Sqrt", [builder.name_of(value)])])


def _with_number(builder: Builder, kind: str, name: str, number: float, dtype: Any) -> str:
    return builder.node(kind, [name, builder.scalar(number, dtype)])


@converts("log1p")
def log1p(builder: Builder, equation: Any, value: Value) -> str:
    return builder.node("Log", [_with_number(builder, "Add", builder.name_of(value), 1, equation.invars[0].aval.dtype)])


@converts("expm1")
def expm1(builder: Builder, equation: Any, value: Value) -> str:
    raised = builder.node("Exp", [builder.name_of(value)])
    return _with_number(builder, "Sub", raised, 1, equation.invars[0].aval.dtype)


@converts("exp2")
def exp2(builder: Builder, equation: Any, value: Value) -> str:
    return builder.node("Pow", [builder.scalar(2, equation.invars[0].aval.dtype), builder.name_of(value)])


@converts("erfc")
def erfc(builder: Builder, equation: Any, value: Value) -> str:
    unit = builder.scalar(1, equation.invars[0].aval.dtype)
    return builder.node("Sub", [unit, builder.node("Erf", [builder.name_of(value)])])


@converts("cbrt")
def cbrt(builder: Builder, equation: Any, value: Value) -> str:
    name = builder.name_of(value)
    root = _with_number(builder, "Pow", builder.node("Abs", [name]), 1 / 3, equation.invars[0].aval.dtype)
    return builder.node("Mul", [builder.node("Sign", [name]), root])


@converts("round")
def rounded(builder: Builder, equation: Any, value: Value) -> str:
    name = builder.name_of(value)
    if int(equation.params["rounding_method"]) == 1:  # round half to even
        return builder.node("Round", [name])
    away = _with_number(builder, "Add", builder.node("Abs", [name]), 0.5, equation.invars[0].aval.dtype)
    return builder.node("Mul", [builder.node("Sign", [name]), builder.node("Floor", [away])])


@converts("is_finite")
def is_finite(builder: Builder, equation: Any, value: Value) -> str:
    name = builder.name_of(value)
    return builder.node("Not", [builder.node("Or", [builder.node("IsInf", [name]), builder.node("IsNaN", [name])])])


@converts("atan2")
def atan2(builder: Builder, equation: Any, y: Value, x: Value) -> str:
    """Atan(y / x), shifted by pi for negative x; pi / 2 with the sign of y for x = 0."""
    rise, run, dtype = builder.name_of(y), builder.name_of(x), equation.invars[0].aval.dtype
    zero = builder.scalar(0, dtype)
    upper = builder.node("GreaterOrEqual", [rise, zero])
    half = builder.node("Where", [upper, builder.scalar(np.pi, dtype), builder.scalar(-np.pi, dtype)])
    quarter = _with_number(builder, "Mul", builder.node("Sign", [rise]), np.pi / 2, dtype)
    angle = builder.node("Atan", [builder.node("Div", [rise, run])])
    moved = builder.node("Where", [builder.node("Less", [run, zero]), builder.node("Add", [angle, half]), angle])
    return builder.node("Where", [builder.node("Equal", [run, zero]), quarter, moved])
