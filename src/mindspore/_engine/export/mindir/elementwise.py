"""Rules for element-wise primitives of JAX, reductions and products."""

from __future__ import annotations

from typing import Any

import numpy as np

from mindspore._engine.export.mindir.builder import (
    GraphValue,
    PrimitiveBuilder,
    Size,
    TensorForm,
    WithoutPrimitive,
    form_of,
    is_open,
    known_shape,
    rule,
)

_UNARY = {
    "neg": "Neg", "exp": "Exp", "log": "Log", "tanh": "Tanh", "sin": "Sin", "cos": "Cos", "tan": "Tan", "asin": "Asin",
    "acos": "ACos", "atan": "Atan", "sinh": "Sinh", "cosh": "Cosh", "asinh": "Asinh", "acosh": "Acosh", "atanh": "Atanh",
    "abs": "Abs", "sign": "Sign", "floor": "Floor", "ceil": "Ceil", "sqrt": "Sqrt", "logistic": "Sigmoid", "erf": "Erf",
    "erfc": "Erfc", "erf_inv": "Erfinv", "log1p": "Log1p", "expm1": "Expm1", "rsqrt": "Rsqrt", "square": "Square",
    "is_finite": "IsFinite", "real": "Real", "imag": "Imag", "conj": "Conj", "lgamma": "Lgamma", "digamma": "Digamma",
    "bessel_i0e": "BesselI0e", "bessel_i1e": "BesselI1e", "population_count": "PopulationCount",
}  # fmt: skip
_BINARY = {
    "add": "Add", "add_any": "Add", "sub": "Sub", "mul": "Mul", "max": "Maximum", "min": "Minimum", "pow": "Pow", "atan2": "Atan2",
    "eq": "Equal", "ne": "NotEqual", "lt": "Less", "le": "LessEqual", "gt": "Greater", "ge": "GreaterEqual",
    "rem": "TruncateMod", "nextafter": "NextAfter", "complex": "Complex",
}  # fmt: skip
_LOGICAL = {"and": "LogicalAnd", "or": "LogicalOr", "xor": "LogicalXor", "add": "LogicalOr", "mul": "LogicalAnd", "max": "LogicalOr",
            "min": "LogicalAnd", "eq": "LogicalXor", "ne": "LogicalXor"}  # fmt: skip
_BITWISE = {"and": "BitwiseAnd", "or": "BitwiseOr", "xor": "BitwiseXor"}
_SHIFTS = {"shift_left": "LeftShift", "shift_right_arithmetic": "RightShift", "shift_right_logical": "RightShift"}


def out(equation: Any, index: int = 0) -> TensorForm:
    return form_of(equation.outvars[index].aval)


@rule(*_UNARY)
def unary(builder: PrimitiveBuilder, equation: Any, value: GraphValue) -> GraphValue:
    return builder.call(_UNARY[equation.primitive.name], value, form=out(equation))


@rule(*_BINARY, "and", "or", "xor")
def binary(builder: PrimitiveBuilder, equation: Any, x: GraphValue, y: GraphValue) -> GraphValue:
    name, form = equation.primitive.name, out(equation)
    if x.dtype == np.bool_ and name in _LOGICAL:
        found = builder.call(_LOGICAL[name], x, y, form=form)
        return builder.call("LogicalNot", found, form=form) if name == "eq" else found
    if name == "rem" and x.dtype.name in ("int64", "uint32", "uint64"):
        raise WithoutPrimitive("of long integers")
    return builder.call(_BITWISE.get(name) or _BINARY[name], x, y, form=form)


@rule(*_SHIFTS)
def shifted(builder: PrimitiveBuilder, equation: Any, x: GraphValue, y: GraphValue) -> GraphValue:
    name = equation.primitive.name
    if (name == "shift_right_logical" and x.dtype.kind == "i") or (
        name == "shift_right_arithmetic" and x.dtype.kind == "u"
    ):
        raise WithoutPrimitive("of this dtype")
    return builder.call(_SHIFTS[name], x, y, form=out(equation))


@rule("div")
def divided(builder: PrimitiveBuilder, equation: Any, x: GraphValue, y: GraphValue) -> GraphValue:
    exact = np.issubdtype(x.dtype, np.inexact)
    return builder.call("RealDiv" if exact else "TruncateDiv", x, y, form=out(equation))


@rule("not")
def inverted(builder: PrimitiveBuilder, equation: Any, x: GraphValue) -> GraphValue:
    return builder.call("LogicalNot" if x.dtype == np.bool_ else "Invert", x, form=out(equation))


@rule("integer_pow")
def power(builder: PrimitiveBuilder, equation: Any, x: GraphValue) -> GraphValue:
    exponent = equation.params["y"]
    if exponent == 2:
        return builder.call("Square", x, form=out(equation))
    return builder.call("Pow", x, builder.known(exponent, x.dtype), form=out(equation))


@rule("exp2")
def power_of_two(builder: PrimitiveBuilder, equation: Any, x: GraphValue) -> GraphValue:
    return builder.call("Pow", builder.known(2, x.dtype), x, form=out(equation))


_OF_TWO = {"igamma": "Igamma", "igammac": "Igammac", "zeta": "Zeta"}


@rule(*_OF_TWO, "polygamma")
def special(builder: PrimitiveBuilder, equation: Any, x: GraphValue, y: GraphValue) -> GraphValue:
    if equation.primitive.name == "polygamma":
        raise WithoutPrimitive("of orders that are no integers")
    return builder.call(_OF_TWO[equation.primitive.name], x, y, form=out(equation))


@rule("round")
def rounded(builder: PrimitiveBuilder, equation: Any, x: GraphValue) -> GraphValue:
    if "EVEN" not in str(equation.params["rounding_method"]):
        raise WithoutPrimitive("away from zero")
    return builder.call("Round", x, 0, form=out(equation))


@rule("select_n")
def chosen(builder: PrimitiveBuilder, equation: Any, which: GraphValue, *cases: GraphValue) -> GraphValue:
    form = out(equation)
    if which.dtype != np.bool_ or len(cases) != 2:
        raise WithoutPrimitive("among more than two")
    return builder.call("Select", _spread(builder, which, form.shape), cases[1], cases[0], form=form)


def _spread(builder: PrimitiveBuilder, value: GraphValue, shape: tuple[Size, ...]) -> GraphValue:
    """A condition of the shape of what it chooses."""
    if value.shape == shape or not shape:
        return value
    return broadcast(builder, value, shape)


def broadcast(builder: PrimitiveBuilder, value: GraphValue, shape: tuple[Size, ...]) -> GraphValue:
    if value.shape == shape:
        return value
    if value.array is not None and not is_open(shape) and np.prod(known_shape(shape)) <= 1 << 16:
        return builder.known(np.broadcast_to(value.array, known_shape(shape)))
    return builder.call("BroadcastTo", value, builder.shape(shape), form=TensorForm(shape, value.dtype))


@rule("clamp")
def clamped(builder: PrimitiveBuilder, equation: Any, low: GraphValue, x: GraphValue, high: GraphValue) -> GraphValue:
    form = out(equation)
    return builder.call("Minimum", builder.call("Maximum", x, low, form=form), high, form=form)


@rule("convert_element_type")
def converted(builder: PrimitiveBuilder, equation: Any, x: GraphValue) -> GraphValue:
    return builder.cast(x, out(equation).dtype)


_REDUCTIONS = {
    "reduce_sum": "ReduceSum", "reduce_max": "ReduceMax", "reduce_min": "ReduceMin", "reduce_prod": "ReduceProd",
    "reduce_and": "ReduceAll", "reduce_or": "ReduceAny",
}  # fmt: skip


@rule(*_REDUCTIONS)
def reduced(builder: PrimitiveBuilder, equation: Any, x: GraphValue) -> GraphValue:
    axes = tuple(equation.params["axes"])
    if not axes:
        return x
    extra = (False,) if equation.primitive.name == "reduce_sum" else ()  # skip_mode
    return builder.call(_REDUCTIONS[equation.primitive.name], x, axes, False, *extra, form=out(equation))


@rule("argmax", "argmin")
def extreme(builder: PrimitiveBuilder, equation: Any, x: GraphValue) -> GraphValue:
    (axis,) = equation.params["axes"]
    form = out(equation)
    name = "Argmax" if equation.primitive.name == "argmax" else "Argmin"
    found = builder.call(name, x, int(axis), np.dtype(np.int32), form=TensorForm(form.shape, np.dtype(np.int32)))
    return builder.cast(found, form.dtype)


@rule("cumsum", "cumprod")
def accumulated(builder: PrimitiveBuilder, equation: Any, x: GraphValue) -> GraphValue:
    name = "CumSum" if equation.primitive.name == "cumsum" else "CumProd"
    axis, reverse = int(equation.params["axis"]), bool(equation.params["reverse"])
    return builder.call(name, x, axis, False, reverse, form=out(equation))


@rule("dot_general")
def product(builder: PrimitiveBuilder, equation: Any, x: GraphValue, y: GraphValue) -> GraphValue:
    """A product of matrices, of batches of them, after the axes are brought into their order."""
    (over_x, over_y), (batch_x, batch_y) = equation.params["dimension_numbers"]
    form = out(equation)
    x, y = builder.cast(x, form.dtype), builder.cast(y, form.dtype)
    free_x = [a for a in range(len(x.shape)) if a not in (*over_x, *batch_x)]
    free_y = [a for a in range(len(y.shape)) if a not in (*over_y, *batch_y)]
    first = builder.transpose(x, [*batch_x, *free_x, *over_x])
    second = builder.transpose(y, [*batch_y, *over_y, *free_y])
    batch = tuple(x.shape[a] for a in batch_x)
    rows, columns = _count(x, free_x), _count(y, free_y)
    inner = _count(x, over_x)
    first = builder.reshape(first, (*batch, rows, inner))
    second = builder.reshape(second, (*batch, inner, columns))
    name = "BatchMatMul" if batch else "MatMul"
    found = builder.call(name, first, second, False, False, form=TensorForm((*batch, rows, columns), form.dtype))
    return builder.reshape(found, form.shape)


def _count(value: GraphValue, axes: Any) -> Size:
    sizes = [value.shape[axis] for axis in axes]
    if is_open(sizes):
        return "*".join(f"({size})" for size in sizes)
    return int(np.prod(known_shape(sizes), dtype=np.int64))
