"""Arithmetic on two operands, and the Python operators of Tensor."""

from __future__ import annotations

import functools
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
from jax import lax

from mindspore._engine.base import dtype as dtypes
from mindspore._engine.operator.arguments import Array, Operand
from mindspore._engine.operator.checked import check_strings
from mindspore._engine.operator.overloads import hands_on, overloaded
from mindspore._engine.operator.registry import op, register_function
from mindspore._engine.tensor.members import attach
from mindspore._engine.tensor.tensor import Tensor
from mindspore._kernels.matrices.few_rows import lined_up
from mindspore._kernels.remainders import floored_remainder
from mindspore._kernels.remainders import remainder as remainder_of
from mindspore._ops.declaring.dtype_checks import halves_as_float32
from mindspore._ops.declaring.promotion import as_float, kind_of, promote
from mindspore._ops.math import zero_divisors
from mindspore._utils.compat.old_names import old_names

_PAIR = {"input": ("x",), "other": ("y",)}  # the names of 1.x and of the Primitives


def _numbers(input: Any, other: Any) -> tuple:
    """Both operands in their common dtype, which must not be bool."""
    x, y = promote(input, other)
    if x.dtype == jnp.bool_:
        raise TypeError(
            "the 'input' and 'other' must not both be bool, but got Bool and Bool. "
            "Convert one of them, e.g. input.astype(mindspore.int32)."
        )
    return x, y


def _is_whole(x: Any) -> bool:
    return kind_of(x.dtype) in "bi"


@op(primitive=("Add", "TensorAdd"), aliases="tensor_add", operator="__add__", reflected="__radd__", old=_PAIR,
    test=lambda t: [t.case(t.normal(2, 3), t.normal(3), expect=np.add),
                    t.case(t.ints(4), 2, expect=np.add)])  # fmt: skip
def add(input: Operand, other: Operand):
    """The sum of two tensors or numbers, element by element.

    Examples:
        >>> from mindspore import Tensor, ops
        >>> print(ops.add(Tensor([1.0, 2.0]), 1))
        [2. 3.]
    """
    x, y = lined_up(*promote(input, other))
    return jnp.logical_or(x, y) if x.dtype == jnp.bool_ else x + y


@op(primitive="Sub", aliases="tensor_sub", operator="__sub__", reflected="__rsub__", old=_PAIR,
    test=lambda t: [t.case(t.normal(2, 3), t.normal(2, 1), expect=np.subtract),
                    t.case(t.ints(4), 2, expect=np.subtract)])  # fmt: skip
def sub(input: Operand, other: Operand):
    """The difference of two tensors or numbers, element by element.

    Examples:
        >>> from mindspore import Tensor, ops
        >>> print(ops.sub(Tensor([1.0, 2.0]), 1))
        [0. 1.]
    """
    x, y = lined_up(*promote(input, other))
    return jnp.logical_xor(x, y) if x.dtype == jnp.bool_ else x - y


@hands_on(sub)
def subtract(input: Any, other: Any, *, alpha: Any = 1) -> Any:
    """``input - alpha * other``, element by element.

    Examples:
        >>> from mindspore import Tensor, ops
        >>> print(ops.subtract(Tensor([5.0, 2.0]), Tensor([1.0, 1.0]), alpha=2))
        [3. 0.]
    """
    return sub(input, other) if alpha == 1 else sub(input, mul(other, alpha))


def _subtract(self: Tensor, other: Tensor | complex, *, alpha: Any = 1) -> Any:
    """``self - alpha * other``, element by element.

    Examples:
        >>> from mindspore import Tensor
        >>> print(Tensor([1.0, 2.0]).sub(Tensor([3.0, 4.0]), alpha=2))
        [-5. -6.]
    """
    return subtract(self, other, alpha=alpha)


def _subtract_y(self: Tensor, y: Any) -> Any:
    return self - y  # the method and the operator take lists, the function does not


register_function(subtract, method="subtract")
attach("sub", overloaded("Tensor.sub", _subtract, _subtract_y))


@old_names(y="other")
def _add_method(self: Tensor, other: Any, *, alpha: Any = 1) -> Any:
    """``self + alpha * other``, element by element.

    Examples:
        >>> from mindspore import Tensor
        >>> print(Tensor([1.0, 2.0]).add(Tensor([3.0, 4.0]), alpha=2))
        [ 7. 10.]
    """
    return self + other if alpha == 1 else add(self, mul(other, alpha))


attach("add", _add_method)


@op(primitive="Mul", aliases=("multiply", "tensor_mul"), method=("mul", "multiply"),
    operator="__mul__", reflected="__rmul__", old={"input": ("x",), "other": ("y", "value")},
    test=lambda t: [t.case(t.normal(2, 3), t.normal(3), expect=np.multiply),
                    t.case(3, t.ints(4), expect=np.multiply)])  # fmt: skip
def mul(input: Operand, other: Operand):
    """The product of two tensors or numbers, element by element.

    Examples:
        >>> from mindspore import Tensor, ops
        >>> print(ops.mul(Tensor([1.0, 2.0]), Tensor([3.0, 4.0])))
        [3. 8.]
    """
    x, y = lined_up(*promote(input, other))
    return x * y


@op(primitive="Div", method="true_divide", operator="__truediv__", reflected="__rtruediv__",
    old={"dividend": ("input", "x"), "divisor": ("other", "y", "value")},
    test=lambda t: [t.case(t.normal(2, 3), t.positive(3), expect=np.divide),
                    t.case(t.ints(4), t.ints(4, low=1), grad=False,
                           expect=lambda x, y: (x / y).astype(np.float32))])  # fmt: skip
def true_divide(dividend: Operand, divisor: Operand):
    """The quotient of two tensors or numbers; integers give float32.

    Examples:
        >>> from mindspore import Tensor, ops
        >>> print(ops.true_divide(Tensor([1, 2]), 2))
        [0.5 1. ]
    """
    x, y = lined_up(*promote(dividend, divisor))
    return as_float(x) / as_float(y)


@old_names(x="input", y="other", value="other")
def div(input: Any, other: Any, *, rounding_mode: str | None = None) -> Any:
    """The quotient of two tensors or numbers, rounded as ``rounding_mode`` says.

    Args:
        rounding_mode: None (integers give float32), ``"floor"`` or ``"trunc"`` (the dtype of the inputs).

    Examples:
        >>> from mindspore import Tensor, ops
        >>> print(ops.div(Tensor([-7, 7]), 2, rounding_mode="floor"))
        [-4  3]
    """
    if rounding_mode is None:
        return true_divide(input, other)
    if rounding_mode == "floor":
        return floor_div(input, other)
    if rounding_mode == "trunc":
        return _div_trunc(input, other)
    check_strings("div", rounding_mode=rounding_mode)
    raise ValueError(f"For 'div', the 'rounding_mode' must be None, 'floor' or 'trunc', but got {rounding_mode!r}.")


register_function(div, aliases="divide", method=("div", "divide"))


@op(primitive="RealDiv", aliases="tensor_div", old={"x": ("input",), "y": ("other",)},
    test=lambda t: [t.case(t.normal(2, 3), t.positive(3), expect=np.divide),
                    t.case(t.ints(4), t.ints(4, low=1),
                           expect=lambda x, y: np.trunc(x / y).astype(x.dtype))])  # fmt: skip
def real_div(x: Operand, y: Operand):
    """The quotient of two tensors or numbers in their own dtype: integers are cut off, as the Primitive RealDiv does.

    Examples:
        >>> from mindspore import Tensor, ops
        >>> print(ops.RealDiv()(Tensor([7.0, -7.0]), 2))
        [ 3.5 -3.5]
    """
    return _cut_quotient(*_numbers(x, y))


def _cut_quotient(x: Any, y: Any) -> Any:
    """The quotient in the dtype of the operands; that of whole numbers is cut off."""
    x, y = jnp.broadcast_arrays(x, y)
    return zero_divisors.quotient(lax.div(x, y), x, y) if _is_whole(x) else lax.div(x, y)


@op(primitive="FloorDiv", aliases=("floor_divide", "floordiv", "tensor_floordiv"), method="floor_divide",
    operator="__floordiv__", reflected="__rfloordiv__", old={"x": ("input",), "y": ("other",)},
    test=lambda t: [t.case(t.normal(2, 3), t.uniform(0.3, 0.4, 3), expect=np.floor_divide),
                    t.case(t.ints(4, low=-9), 2, expect=np.floor_divide)])  # fmt: skip
def floor_div(x: Operand, y: Operand):
    """The quotient rounded towards minus infinity.

    Examples:
        >>> from mindspore import Tensor, ops
        >>> print(ops.floor_div(Tensor([-7, 7]), 2))
        [-4  3]
    """
    x, y = promote(x, y)
    if x.dtype == jnp.bool_:  # divided by True it stays what it is
        return jnp.broadcast_arrays(x, y)[0]
    return zero_divisors.quotient(jnp.floor_divide(x, y), x, y) if _is_whole(x) else jnp.floor(_exact_quotient(x, y))


def _exact_quotient(x: Any, y: Any) -> Any:
    """The rounded quotient. XLA would multiply by the reciprocal of a constant, and 41 / 41 be less than 1."""
    x, y = jnp.broadcast_arrays(x, y)
    return lax.div(x, lax.optimization_barrier(y))


@op(primitive="TruncateDiv", old={"x": ("input",), "y": ("other",)},
    test=lambda t: [t.case(t.normal(2, 3), t.uniform(0.3, 0.4, 3), expect=lambda x, y: np.trunc(x / y)),
                    t.case(t.ints(4, low=-9), 2, expect=lambda x, y: np.trunc(x / y).astype(x.dtype))])  # fmt: skip
def truncate_div(x: Operand, y: Operand):
    """The quotient rounded towards zero.

    Examples:
        >>> from mindspore import Tensor, ops
        >>> print(ops.truncate_div(Tensor([-7, 7]), 2))
        [-3  3]
    """
    x, y = _numbers(x, y)
    return _cut_quotient(x, y) if _is_whole(x) else jnp.trunc(_exact_quotient(x, y))


@op(public=False, test=lambda t: [t.case(t.ints(4, low=-9), 2, expect=lambda x, y: np.trunc(x / y).astype(x.dtype))])
def _div_trunc(input: Operand, other: Operand):
    """The quotient rounded towards zero; of whole numbers by way of floating-point ones, as far as zero is concerned."""
    x, y = _numbers(input, other)
    if not _is_whole(x):
        return jnp.trunc(_exact_quotient(x, y))
    return zero_divisors.without_a_number(lax.div(*jnp.broadcast_arrays(x, y)), y)


@op(primitive="FloorMod", aliases=("floormod", "tensor_mod"), operator="__mod__", reflected="__rmod__",
    old={"x": ("input",), "y": ("other", "divisor")},
    test=lambda t: [t.case(t.normal(2, 3), t.uniform(0.3, 0.4, 3), expect=np.mod),
                    t.case(t.ints(4, low=-9), 3, expect=np.mod)])  # fmt: skip
@halves_as_float32
def floor_mod(x: Operand, y: Operand):
    """The remainder of the floor division; it has the divisor's sign, as Python's ``%``.

    Examples:
        >>> from mindspore import Tensor, ops
        >>> print(ops.floor_mod(Tensor([-7, 7]), 3))
        [2 1]
    """
    x, y = _numbers(x, y)
    return zero_divisors.without_a_number(jnp.mod(x, y), y) if _is_whole(x) else floored_remainder(x, y)


@op(method="remainder", old={"x": ("input",), "y": ("other", "divisor")},
    test=lambda t: [t.case(t.normal(2, 3), t.uniform(0.3, 0.4, 3), expect=np.mod),
                    t.case(t.ints(4, low=-9), 3, expect=np.mod),
                    t.case(np.array([7, -7]), 0, expect=lambda x, y: x)])  # fmt: skip
@halves_as_float32
def remainder(x: Operand, y: Operand):
    """The remainder of the floor division, see :func:`floor_mod`; of whole numbers divided by zero the dividend.

    Examples:
        >>> from mindspore import Tensor, ops
        >>> print(ops.remainder(Tensor([-7, 7]), 3))
        [2 1]
    """
    x, y = _numbers(x, y)
    return jnp.where(y == 0, x, jnp.mod(x, y)) if _is_whole(x) else floored_remainder(x, y)


@op(primitive="Mod", public=False, old=_PAIR,
    test=lambda t: [t.case(t.normal(2, 3), t.uniform(0.3, 0.4, 3), expect=np.fmod),
                    t.case(t.ints(4, low=-9), 3, expect=np.fmod)])  # fmt: skip
@halves_as_float32
def mod(input: Operand, other: Operand):
    """The remainder of the division rounded towards zero; of zero it is zero, whatever the divisor.

    Examples:
        >>> from mindspore import Tensor, ops
        >>> print(ops.Mod()(Tensor([-7.0, 7.0]), Tensor([3.0, 3.0])))
        [-1.  1.]
    """
    x, y = _numbers(input, other)
    found = remainder_of(x, y)
    found = zero_divisors.without_a_number(found, y) if _is_whole(x) else found
    return jnp.where(x == 0, jnp.zeros_like(found), found)


@op(primitive="TruncateMod", old=_PAIR,
    test=lambda t: [t.case(t.normal(2, 3), t.uniform(0.3, 0.4, 3), expect=np.fmod),
                    t.case(t.ints(4, low=-9), 3, expect=np.fmod),
                    t.case(np.array([7, -7]), 0, expect=lambda x, y: x * 0)])  # fmt: skip
@halves_as_float32
def truncate_mod(input: Operand, other: Operand):
    """The remainder of the division rounded towards zero; of whole numbers divided by zero it is zero.

    Examples:
        >>> from mindspore import Tensor, ops
        >>> print(ops.truncate_mod(Tensor([-7, 7]), 3))
        [-1  1]
    """
    x, y = jnp.broadcast_arrays(*_numbers(input, other))
    return jnp.where(y == 0, jnp.zeros_like(x), lax.rem(x, y)) if _is_whole(x) else remainder_of(x, y)


@op(method="fmod", old=_PAIR,
    test=lambda t: [t.case(t.normal(2, 3), t.uniform(0.3, 0.4, 3), expect=np.fmod),
                    t.case(t.ints(4, low=-9), 3, expect=np.fmod)])  # fmt: skip
@halves_as_float32
def fmod(input: Operand, other: Operand):
    """The remainder of the division rounded towards zero; it has the dividend's sign, as C's ``fmod``.

    Examples:
        >>> from mindspore import Tensor, ops
        >>> print(ops.fmod(Tensor([-7, 7]), 3))
        [-1  1]
    """
    return remainder_of(*_numbers(input, other))


@op(primitive="Pow", public=False, reflected="__rpow__", old={"input": ("x",), "exponent": ("y",)},
    test=lambda t: [t.case(t.positive(2, 3), t.normal(3), expect=np.power, tolerance=1e-4),
                    t.case(t.normal(4), 2, expect=np.power, tolerance=1e-4),
                    t.case(t.ints(4), t.ints(4, high=4), expect=np.power, grad=False)])  # fmt: skip
@halves_as_float32
def power(input: Operand, exponent: Operand):
    """``input`` to the power of ``exponent``; integers stay integers, also for a negative exponent.

    Examples:
        >>> from mindspore import Tensor, ops
        >>> print(ops.Pow()(Tensor([1.0, 2.0, 3.0]), 2))
        [1. 4. 9.]
    """
    x, y = _numbers(input, exponent)
    if not _is_whole(x):
        return jnp.power(x, y)
    # Of integers only 1 and -1 have an integer inverse; the inverse of others is cut off to 0.
    inverse = jnp.where(x == 1, 1, jnp.where(x == -1, 1 - 2 * (y & 1), 0)).astype(x.dtype)
    return jnp.where(y < 0, inverse, jnp.power(x, jnp.maximum(y, 0)))


# the exponents worth a kernel of their own: products and a root are 10 times faster
_OWN_KERNEL = (2, 3, 4, 0.5)
_OF_FLOATS = (-1, -2, 1.5, 2.5, -0.5, -1.5)  # the same for float32 and float64


@op(public=False,
    test=lambda t: [t.case(t.normal(4), 3, expect=np.power), t.case(t.positive(4), 0.5, expect=np.power),
                    t.case(t.positive(4), 2.5, expect=np.power), t.case(t.positive(4), -1.5, expect=np.power),
                    t.case(t.ints(4), 2, expect=np.power),
                    t.case(t.ints(4), 2.0, expect=np.power, grad=False)])  # fmt: skip
def power_of_number(input: Array, exponent: Any):
    """:func:`power` with an exponent that is known before the kernel is compiled."""
    x, _ = promote(input, exponent)
    if exponent == 0.5:
        return jnp.sqrt(x)
    return lax.integer_pow(x, int(exponent)) if exponent == int(exponent) else _power_of_root(x, int(2 * exponent))


@functools.partial(jax.custom_jvp, nondiff_argnums=(1,))
def _power_of_root(x: Any, halves: int) -> Any:
    """``x ** (halves / 2)`` for an odd number of halves, also of infinities and -0."""
    size = jnp.abs(x)
    root = jnp.where((x < 0) & (x > -jnp.inf), jnp.nan, jnp.sqrt(size))
    found = lax.integer_pow(size, abs(halves) // 2) * root
    return found if halves > 0 else 1 / found


@_power_of_root.defjvp
def _along_power(halves: int, primals: Any, tangents: Any) -> Any:
    (x,), (dx,) = primals, tangents
    return _power_of_root(x, halves), halves / 2 * _power_of_root(x, halves - 2) * dx


@old_names(x="input", y="exponent", other="exponent", power="exponent")
def pow(input: Any, exponent: Any) -> Tensor:
    """``input`` to the power of ``exponent``; integers stay integers, also for a negative exponent.

    Examples:
        >>> from mindspore import Tensor, ops
        >>> print(ops.pow(Tensor([1.0, 2.0, 3.0]), 2))
        [1. 4. 9.]
    """
    if (
        type(exponent) in (int, float)
        and isinstance(input, Tensor)
        and (exponent in _OWN_KERNEL or (exponent in _OF_FLOATS and input.dtype in (dtypes.float32, dtypes.float64)))
    ):
        return power_of_number(input, exponent)
    return power(input, exponent)


register_function(pow, aliases=("tensor_pow", "pows"), method=("pow", "__pow__"))


@op(method="float_power", old={"exponent": ("other",)},
    test=lambda t: [t.case(t.positive(2, 3), t.normal(3), tolerance=1e-4,
                           expect=lambda x, y: np.float_power(x, y))])  # fmt: skip
def float_power(input: Operand, exponent: Operand):
    """``input`` to the power of ``exponent``, computed in float64.

    Examples:
        >>> from mindspore import Tensor, ops
        >>> print(ops.float_power(Tensor([2, 4]), -1))
        [0.5  0.25]
    """
    x, y = promote(input, exponent)
    wide = jnp.complex128 if kind_of(x.dtype) == "c" else jnp.float64
    return jnp.power(x.astype(wide), y.astype(wide))


@op(primitive="Neg", aliases=("negative", "neg_tensor"), method=("neg", "negative"), operator="__neg__", old={"input": ("x",)},
    test=lambda t: [t.case(t.normal(2, 3), expect=np.negative)])  # fmt: skip
def neg(input: Array):
    """Every element with the other sign.

    Examples:
        >>> from mindspore import Tensor, ops
        >>> print(ops.neg(Tensor([1.0, -2.0])))
        [-1.  2.]
    """
    if input.dtype == jnp.bool_:
        raise TypeError("the 'input' must be a Tensor of numbers, but got Bool. Use logical_not for truth values.")
    return -input


@op(method="positive", operator="__pos__", test=lambda t: [t.case(t.normal(2, 3), expect=np.positive)])
def positive(input: Array):
    """The input itself, as Python's unary ``+``.

    Examples:
        >>> from mindspore import Tensor, ops
        >>> print(ops.positive(Tensor([1.0, -2.0])))
        [ 1. -2.]
    """
    return input
