"""Rules of elementwise primitives."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any

import numpy as np
from jax import lax

from mindspore._engine.interpreter.rules import LeftToXLA, dtypes_of, identity, rule, widened
from mindspore._utils.deferred import deferred

special: Any = deferred("scipy.special")  # a tenth of a second, for few programs

simple = partial(rule, elementwise=True, nanoseconds=0.15)
quiet = partial(rule, elementwise=True, nanoseconds=0.15, quiet=True)
costly = partial(rule, elementwise=True, nanoseconds=1.5)


def _kind(equation: Any) -> str:
    """The kind of the first operand: b, i, u, f or c."""
    (dtype, *_) = dtypes_of(equation.invars)
    return dtype.kind if dtype.kind != "V" else "f"  # bfloat16


def _declare(declare: Callable[..., Any], table: dict[str, Any], kinds: str = "biufc") -> None:
    for name, function in table.items():

        def make(equation: Any, function: Any = function) -> Any:
            if _kind(equation) not in kinds:
                raise LeftToXLA(f"{equation.primitive} of {_kind(equation)}")
            return widened(function, equation)

        declare(name)(make)


_declare(simple, {"add": np.add, "add_any": np.add, "sub": np.subtract, "mul": np.multiply, "square": np.square})
_declare(
    quiet,
    {
        "neg": np.negative, "abs": np.abs, "eq": np.equal, "ne": np.not_equal, "conj": np.conj, "copy": identity,
        "stop_gradient": identity, "copy_p": identity, "is_finite": np.isfinite,
    },
)  # fmt: skip
_declare(
    quiet,
    {
        "max": np.maximum, "min": np.minimum, "lt": np.less, "le": np.less_equal, "gt": np.greater,
        "ge": np.greater_equal,
    },
    "biuf",
)  # fmt: skip
_declare(quiet, {"floor": np.floor, "ceil": np.ceil, "nextafter": np.nextafter}, "f")
_declare(quiet, {"and": np.bitwise_and, "or": np.bitwise_or, "xor": np.bitwise_xor, "not": np.invert}, "biu")
_declare(quiet, {"shift_left": np.left_shift, "shift_right_arithmetic": np.right_shift}, "iu")
_declare(
    costly,
    {
        "exp2": np.exp2, "expm1": np.expm1, "log1p": np.log1p, "tanh": np.tanh,
        "sin": np.sin, "cos": np.cos, "tan": np.tan, "asin": np.arcsin, "acos": np.arccos, "atan": np.arctan,
        "sinh": np.sinh, "cosh": np.cosh, "asinh": np.arcsinh, "acosh": np.arccosh, "atanh": np.arctanh,
        "cbrt": np.cbrt, "atan2": np.arctan2,
    },
    "f",
)  # fmt: skip
_declare(costly, {"exp": np.exp, "log": np.log}, "fc")
_declare(simple, {"sqrt": np.sqrt}, "fc")


@simple("rsqrt")
def _rsqrt(equation: Any) -> Any:
    if _kind(equation) != "f":
        raise LeftToXLA("complex rsqrt")
    root, (dtype,) = widened(np.sqrt, equation), dtypes_of(equation.invars)
    one = np.ones((), np.float32 if dtype.itemsize == 2 else dtype)
    divide = widened(lambda x: np.divide(one, x), equation)
    return lambda x: divide(root(x))


@costly("logistic")
def _logistic(equation: Any) -> Any:
    if _kind(equation) != "f":
        raise LeftToXLA("complex logistic")
    (dtype,) = dtypes_of(equation.invars)
    one = np.ones((), np.float32 if dtype.itemsize == 2 else dtype)
    return widened(lambda x: np.divide(one, np.add(one, np.exp(np.negative(x)))), equation)


@quiet("sign")
def _sign(equation: Any) -> Any:
    if _kind(equation) == "c":
        raise LeftToXLA("complex sign")
    return widened(np.sign, equation)


@quiet("shift_right_logical")
def _shift_right_logical(equation: Any) -> Any:
    (dtype, *_) = dtypes_of(equation.invars)
    unsigned = np.dtype(f"u{dtype.itemsize}")
    return lambda x, n: np.right_shift(x.view(unsigned), n.view(unsigned)).view(dtype)


@simple("div")
def _div(equation: Any) -> Any:
    kind = _kind(equation)
    return _divide_integers(kind) if kind in "iu" else widened(np.divide, equation)


def _divide_integers(kind: str) -> Any:
    """Towards zero; by zero all bits of the result are set, as XLA has it."""

    def divide(x: Any, y: Any) -> Any:
        none = None if np.all(y) else np.equal(y, 0)
        if none is not None:
            y = np.where(none, np.ones((), y.dtype), y)
        # What is left of a multiple of y is divided without a rest, so that it does not matter where to it is rounded.
        quotient = np.floor_divide(x if kind == "u" else np.subtract(x, np.fmod(x, y)), y)
        return quotient if none is None else np.where(none, np.invert(np.zeros((), x.dtype)), quotient)

    return divide


@simple("rem")
def _rem(equation: Any) -> Any:
    if _kind(equation) not in "iu":
        return widened(np.fmod, equation)

    def remainder(x: Any, y: Any) -> Any:
        if np.all(y):
            return np.fmod(x, y)
        none = np.equal(y, 0)
        return np.where(none, x, np.fmod(x, np.where(none, np.ones((), y.dtype), y)))

    return remainder


@costly("pow")
def _pow(equation: Any) -> Any:
    base, exponent = dtypes_of(equation.invars)
    if _kind(equation) != "f":
        raise LeftToXLA("power of integers")
    if exponent != base:
        return widened(lambda x, y: np.power(x, y.astype(x.dtype)), equation)
    return widened(np.power, equation)


@simple("integer_pow")
def _integer_pow(equation: Any) -> Any:
    exponent = equation.params["y"]
    if _kind(equation) == "b" or (exponent < 0 and _kind(equation) in "iu"):
        raise LeftToXLA("integer power")

    def power(x: Any) -> Any:
        if exponent == 0:
            return np.ones_like(x)
        result: Any = None
        left, square = abs(exponent), x
        while left:
            if left & 1:
                result = square if result is None else np.multiply(result, square)
            left >>= 1
            if left:
                square = np.multiply(square, square)
        return np.divide(np.ones((), x.dtype), result) if exponent < 0 else result

    return widened(power, equation)


@quiet("round")
def _round(equation: Any) -> Any:
    if equation.params["rounding_method"] == lax.RoundingMethod.TO_NEAREST_EVEN:
        return widened(np.rint, equation)

    def away_from_zero(x: Any) -> Any:
        down = np.trunc(x)
        return np.where(np.abs(x - down) >= x.dtype.type(0.5), down + np.copysign(x.dtype.type(1), x), down)

    return widened(away_from_zero, equation)


@rule("select_n", elementwise=True, nanoseconds=0.5, quiet=True)
def _select_n(equation: Any) -> Any:
    (which, *_) = dtypes_of(equation.invars)
    if which == np.bool_ and len(equation.invars) == 3:
        return lambda which, no, yes: np.where(which, yes, no)
    if which == np.bool_ or len(equation.invars) > 30:
        raise LeftToXLA("selection")
    return lambda which, *cases: np.choose(which, cases)


@quiet("clamp")
def _clamp(equation: Any) -> Any:
    return widened(lambda low, x, high: np.minimum(np.maximum(x, low), high), equation)


@rule("convert_element_type", elementwise=True, nanoseconds=0.15, view=True)
def _convert(equation: Any) -> Any:
    (before,), after = dtypes_of(equation.invars), np.dtype(equation.params["new_dtype"])
    if before == after:
        return identity
    if after == np.bool_:
        return lambda x: np.not_equal(x, np.zeros((), x.dtype))
    if before.kind == "c" and after.kind != "c":
        return lambda x: x.real.astype(after)
    if after.kind in "iu" and before.kind not in "biu":
        return _saturating(after)
    return lambda x: x.astype(after)


def _saturating(after: np.dtype) -> Any:
    """Floating-point numbers become the nearest integer towards zero that there is, NaN zero."""
    limits = np.iinfo(after)

    def convert(x: Any) -> Any:
        x = x if x.dtype.itemsize > 2 else x.astype(np.float32)
        if x.size and float(limits.min) < np.minimum.reduce(x, None) and np.maximum.reduce(x, None) < float(limits.max):
            return x.astype(after)
        above, below = x >= float(limits.max), x <= float(limits.min)
        outside = np.not_equal(x, x) | above | below
        result = np.where(outside, np.zeros((), x.dtype), x).astype(after)
        return np.where(above, after.type(limits.max), np.where(below, after.type(limits.min), result))

    return convert


@quiet("bitcast_convert_type")
def _bitcast(equation: Any) -> Any:
    (before,), after = dtypes_of(equation.invars), np.dtype(equation.params["new_dtype"])
    if before.itemsize != after.itemsize or np.bool_ in (before, after):
        raise LeftToXLA("bits of another width")
    return lambda x: x.view(after)


@rule("reduce_precision", elementwise=True, quiet=True)
def _reduce_precision(equation: Any) -> Any:
    (dtype,) = dtypes_of(equation.invars)
    info = equation.params
    if dtype.kind != "f" or (info["exponent_bits"], info["mantissa_bits"]) != (5, 10):
        raise LeftToXLA("precision")
    return lambda x: x.astype(np.float16).astype(x.dtype)


# -- complex numbers -------------------------------------------------------------------------------------------------
_declare(partial(rule, elementwise=True, quiet=True, view=True), {"real": np.real, "imag": np.imag}, "c")


@quiet("complex")
def _complex(equation: Any) -> Any:
    (output,) = dtypes_of(equation.outvars)

    def join(real: Any, imag: Any) -> Any:
        result = np.empty(np.broadcast_shapes(real.shape, imag.shape), output)
        result.real, result.imag = real, imag
        return result

    return join


# -- total order: NaN after everything -----------------------------------------------------------------------------------
@quiet("lt_to")
def _before(equation: Any) -> Any:
    if _kind(equation) in "biu":
        return np.less
    return widened(lambda x, y: np.less(x, y) | (np.isnan(y) & ~np.isnan(x)), equation)


@quiet("le_to")
def _not_after(equation: Any) -> Any:
    if _kind(equation) in "biu":
        return np.less_equal
    return widened(lambda x, y: np.less_equal(x, y) | np.isnan(y), equation)


# -- special functions --------------------------------------------------------------------------------------------------
_SPECIAL = {"erf": "erf", "erfc": "erfc", "erf_inv": "erfinv", "lgamma": "gammaln", "bessel_i0e": "i0e",
            "bessel_i1e": "i1e"}  # fmt: skip
_SPECIAL_COSTS = {"erf": 4.0, "erfc": 5.0, "erf_inv": 12.0}


def _special(name: str) -> Any:
    def make(equation: Any) -> Any:
        return widened(getattr(special, name), equation)

    return make


for _name, _scipy_name in _SPECIAL.items():
    rule(_name, elementwise=True, nanoseconds=_SPECIAL_COSTS.get(_name, 20.0))(_special(_scipy_name))


@rule("digamma", elementwise=True, nanoseconds=40.0)
def _digamma(equation: Any) -> Any:
    def digamma(x: Any) -> Any:
        return np.where((x <= 0) & (np.floor(x) == x), x.dtype.type(np.nan), special.psi(x))

    return widened(digamma, equation)


@quiet("population_count")
def _population_count(equation: Any) -> Any:
    (dtype,) = dtypes_of(equation.invars)
    unsigned = np.dtype(f"u{dtype.itemsize}")
    return lambda x: np.bitwise_count(x.view(unsigned)).astype(dtype)
