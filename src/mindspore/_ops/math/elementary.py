"""Elementwise unary functions: powers, roots, logarithms, signs and rounding."""

from __future__ import annotations

from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
from jax import lax

from mindspore._engine.operator.arguments import Array
from mindspore._engine.operator.registry import op
from mindspore._engine.tensor.members import attach
from mindspore._engine.tensor.tensor import Tensor
from mindspore._ops.declaring.dtype_checks import accepts, halves_as_float32
from mindspore._ops.declaring.promotion import as_float, kind_of

_X = {"input": ("x", "input_x")}  # the names of 1.x


# -- exponentials and logarithms --------------------------------------------------------------------------------------
@op(primitive="Exp", aliases="tensor_exp", method="exp", old=_X, test=lambda t: [t.case(t.normal(2, 3), expect=np.exp)])
@halves_as_float32
def exp(input: Array):
    """The exponential function.

    Examples:
        >>> from mindspore import Tensor, ops
        >>> print(ops.exp(Tensor([0.0, 1.0])).asnumpy().round(4))
        [1.     2.7183]
    """
    return jnp.exp(as_float(input))


@op(method="exp2", test=lambda t: [t.case(t.normal(2, 3), expect=np.exp2)])
@halves_as_float32
def exp2(input: Array):
    """2 to the power of each element.

    Examples:
        >>> from mindspore import Tensor, ops
        >>> print(ops.exp2(Tensor([0.0, 3.0])))
        [1. 8.]
    """
    return jnp.exp2(as_float(input))


@op(primitive="Expm1", aliases="tensor_expm1", method="expm1", old=_X,
    test=lambda t: [t.case(t.normal(2, 3), expect=np.expm1)])  # fmt: skip
@halves_as_float32
def expm1(input: Array):
    """``exp(input) - 1``, exact for small values too.

    Examples:
        >>> from mindspore import Tensor, ops
        >>> print(ops.expm1(Tensor([0.0, 1.0])).asnumpy().round(4))
        [0.     1.7183]
    """
    return jnp.expm1(as_float(input))


@op(primitive="Log", method="log", old=_X, test=lambda t: [t.case(t.positive(2, 3), expect=np.log)])
@halves_as_float32
def log(input: Array):
    """The natural logarithm.

    Examples:
        >>> from mindspore import Tensor, ops
        >>> print(ops.log(Tensor([1.0, 2.0])).asnumpy().round(4))
        [0.     0.6931]
    """
    return jnp.log(as_float(input))


@op(primitive="Log1p", method="log1p", old=_X, test=lambda t: [t.case(t.positive(2, 3), expect=np.log1p)])
@halves_as_float32
def log1p(input: Array):
    """``log(1 + input)``, exact for small values too.

    Examples:
        >>> from mindspore import Tensor, ops
        >>> print(ops.log1p(Tensor([0.0, 1.0])).asnumpy().round(4))
        [0.     0.6931]
    """
    return jnp.log1p(as_float(input))


@op(method="log2", test=lambda t: [t.case(t.positive(2, 3), expect=np.log2)])
@halves_as_float32
def log2(input: Array):
    """The logarithm to base 2.

    Examples:
        >>> from mindspore import Tensor, ops
        >>> print(ops.log2(Tensor([1.0, 8.0])))
        [0. 3.]
    """
    return jnp.log2(as_float(input))


@op(method="log10", test=lambda t: [t.case(t.positive(2, 3), expect=np.log10)])
@halves_as_float32
def log10(input: Array):
    """The logarithm to base 10.

    Examples:
        >>> from mindspore import Tensor, ops
        >>> print(ops.log10(Tensor([1.0, 100.0])))
        [0. 2.]
    """
    return jnp.log10(as_float(input))


@op(primitive="Logit", init=("eps",), primitive_defaults={"eps": -1.0}, method="logit", old={"input": ("x",)},
    test=lambda t: [t.case(t.uniform(0.1, 0.9, 2, 3), expect=lambda x: np.log(x / (1 - x))),
                    t.case(t.uniform(0.1, 0.9, 2, 3), 0.05, expect=lambda x, eps: np.log(x / (1 - x)))])  # fmt: skip
@halves_as_float32
def logit(input: Array, eps: float | None = None):
    """``log(x / (1 - x))``, the inverse of sigmoid; with ``eps``, x is first kept in [eps, 1 - eps].

    Examples:
        >>> from mindspore import Tensor, ops
        >>> print(ops.logit(Tensor([0.5])))
        [0.]
    """
    x = as_float(input)
    if eps is not None and eps >= 0:
        x = jnp.where(x < eps, eps, jnp.where(x > 1 - eps, 1 - eps, x)).astype(x.dtype)
    if not jnp.issubdtype(x.dtype, jnp.complexfloating):
        x = x * jnp.where((x < 0) | (x > 1), jnp.nan, 1).astype(x.dtype)  # outside of [0, 1] no slope either
    return jnp.log(x) - jnp.log1p(-x)


# -- powers and roots -------------------------------------------------------------------------------------------------
@op(primitive="Square", method="square", old=_X, test=lambda t: [t.case(t.normal(2, 3), expect=np.square)])
def square(input: Array):
    """Each element times itself.

    Examples:
        >>> from mindspore import Tensor, ops
        >>> print(ops.square(Tensor([1.0, -3.0])))
        [1. 9.]
    """
    return input * input


@op(primitive="Sqrt", method="sqrt", old={"x": ("input", "input_x")},
    test=lambda t: [t.case(t.positive(2, 3), expect=np.sqrt)])  # fmt: skip
@halves_as_float32
def sqrt(x: Array):
    """The square root.

    Examples:
        >>> from mindspore import Tensor, ops
        >>> print(ops.sqrt(Tensor([1.0, 4.0])))
        [1. 2.]
    """
    return jnp.sqrt(as_float(x))


@op(primitive="Rsqrt", method="rsqrt", old=_X,
    test=lambda t: [t.case(t.positive(2, 3), expect=lambda x: 1 / np.sqrt(x))])  # fmt: skip
def rsqrt(input: Array):
    """1 divided by the square root.

    Examples:
        >>> from mindspore import Tensor, ops
        >>> print(ops.rsqrt(Tensor([1.0, 4.0])))
        [1.  0.5]
    """
    return lax.rsqrt(as_float(input))


@op(primitive="Reciprocal", method="reciprocal", old=_X,
    test=lambda t: [t.case(t.positive(2, 3), expect=np.reciprocal)])  # fmt: skip
@halves_as_float32
def reciprocal(input: Array):
    """1 divided by each element.

    Examples:
        >>> from mindspore import Tensor, ops
        >>> print(ops.reciprocal(Tensor([1.0, 4.0])))
        [1.   0.25]
    """
    return jnp.reciprocal(as_float(input))


@op(primitive="Inv", method="inv",
    test=lambda t: [t.case(t.positive(2, 3), expect=np.reciprocal),
                    t.case(t.ints(4, low=1), expect=lambda x: 1 // x)])  # fmt: skip
@halves_as_float32
def inv(x: Array):
    """1 divided by each element, in the dtype of the input: integers are cut off.

    Examples:
        >>> from mindspore import Tensor, ops
        >>> print(ops.inv(Tensor([1.0, 4.0])))
        [1.   0.25]
    """
    return lax.div(jnp.ones_like(x), x)


# -- signs ------------------------------------------------------------------------------------------------------------
@jax.custom_jvp
def magnitude(x: Any) -> Any:
    """``abs`` with the derivative 0 at 0; JAX's is 1."""
    return jnp.abs(x)


@magnitude.defjvp
def _magnitude_slope(primals: tuple, tangents: tuple) -> tuple:
    (x,), (step,) = primals, tangents
    return jnp.abs(x), jnp.real(jnp.conj(jnp.sign(x)) * step) if jnp.iscomplexobj(x) else jnp.sign(x) * step


@op(primitive="Abs", aliases="absolute", method=("abs", "absolute"), operator="__abs__", old=_X,
    test=lambda t: [t.case(t.normal(2, 3), expect=np.abs), t.case(t.ints(4, low=-9), expect=np.abs)])  # fmt: skip
def abs(input: Array):
    """The absolute value; its derivative at 0 is 0.

    Examples:
        >>> from mindspore import Tensor, ops
        >>> print(ops.abs(Tensor([-1.0, 2.0])))
        [1. 2.]
    """
    return magnitude(input).astype(input.dtype)


@op(primitive="Sign", aliases="sgn", method=("sign", "sgn"), old=_X,
    test=lambda t: [t.case(t.normal(2, 3), expect=np.sign)])  # fmt: skip
def sign(input: Array):
    """-1, 0 or 1; of a complex number the number of length 1 in its direction.

    Examples:
        >>> from mindspore import Tensor, ops
        >>> print(ops.sign(Tensor([-3.0, 0.0, 2.0])))
        [-1.  0.  1.]
    """
    return input if input.dtype == jnp.bool_ else jnp.sign(input)


@op(method="signbit", test=lambda t: [t.case(t.normal(2, 3), expect=np.signbit, grad=False)])
@accepts("bif", "input")
def signbit(input: Array):
    """Whether each element is below zero.

    Examples:
        >>> from mindspore import Tensor, ops
        >>> print(ops.signbit(Tensor([-3.0, 2.0])))
        [ True False]
    """
    return jnp.zeros(input.shape, jnp.bool_) if input.dtype == jnp.bool_ else input < 0


# -- rounding: of integers and bool each of these is the input itself --------------------------------------------------
@op(primitive="Floor", method="floor", old=_X, test=lambda t: [t.case(t.normal(2, 3), expect=np.floor)])
@halves_as_float32
def floor(input: Array):
    """The next integer towards minus infinity.

    Examples:
        >>> from mindspore import Tensor, ops
        >>> print(ops.floor(Tensor([-1.5, 2.7])))
        [-2.  2.]
    """
    return input if kind_of(input.dtype) in "bi" else jnp.floor(input)


@op(primitive="Ceil", method="ceil", old=_X, test=lambda t: [t.case(t.normal(2, 3), expect=np.ceil)])
@accepts("f", "input")
@halves_as_float32
def ceil(input: Array):
    """The next integer towards plus infinity.

    Examples:
        >>> from mindspore import Tensor, ops
        >>> print(ops.ceil(Tensor([-1.5, 2.2])))
        [-1.  3.]
    """
    return input if kind_of(input.dtype) in "bi" else jnp.ceil(input)


@op(primitive=("Round", "Rint"), method="round", old=_X,
    test=lambda t: [t.case(t.normal(2, 3), expect=np.round),
                    t.case(t.normal(2, 3), decimals=2, grad=False,
                           expect=lambda x, decimals: np.round(x, 2))])  # fmt: skip
@accepts("if", "input")
@halves_as_float32
def round(input: Array, decimals: int = 0):
    """The nearest integer, or multiple of 10**-decimals; halves go to the even neighbour.

    Examples:
        >>> from mindspore import Tensor, ops
        >>> print(ops.round(Tensor([0.5, 1.5, -2.6])))
        [ 0.  2. -3.]
    """
    if kind_of(input.dtype) in "bi" and decimals >= 0:
        return input
    return jnp.round(input, decimals)


def _round(self: Tensor, ndigits: int | None = None) -> Tensor:
    return round(self, ndigits or 0)


attach("__round__", _round)


@op(primitive="Trunc", method="trunc", old=_X, test=lambda t: [t.case(t.normal(2, 3), expect=np.trunc)])
@halves_as_float32
def trunc(input: Array):
    """The next integer towards zero.

    Examples:
        >>> from mindspore import Tensor, ops
        >>> print(ops.trunc(Tensor([-1.5, 2.7])))
        [-1.  2.]
    """
    return input if kind_of(input.dtype) in "bi" else jnp.trunc(input)


@op(method="frac", old={"x": ("input",)}, test=lambda t: [t.case(t.normal(2, 3), expect=lambda x: x - np.trunc(x))])
@halves_as_float32
def frac(x: Array):
    """What remains of each element without its integer part.

    Examples:
        >>> from mindspore import Tensor, ops
        >>> print(ops.frac(Tensor([-1.5, 2.25])))
        [-0.5   0.25]
    """
    if kind_of(x.dtype) in "bi":
        return jnp.zeros_like(x, jnp.int64 if x.dtype == jnp.bool_ else x.dtype)
    return x - jnp.trunc(x)


@op(primitive="NanToNum", init=("nan", "posinf", "neginf"), method="nan_to_num",
    test=lambda t: [t.case(t.normal(2, 3), expect=np.nan_to_num),
                    t.case(np.array([np.nan, np.inf, -np.inf, 1], np.float32), 5.0, grad=False,
                           expect=lambda x, nan: np.nan_to_num(x, nan=nan))])  # fmt: skip
def nan_to_num(input: Array, nan: float | None = None, posinf: float | None = None, neginf: float | None = None):
    """NaN replaced by 0, infinities by the largest and smallest number of the dtype.

    Examples:
        >>> from mindspore import Tensor, ops
        >>> print(ops.nan_to_num(Tensor([1.0, float("nan")]), 5.0))
        [1. 5.]
    """
    return jnp.nan_to_num(input, nan=0.0 if nan is None else nan, posinf=posinf, neginf=neginf)
