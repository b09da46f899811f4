"""Functions of two and more tensors, element by element, beyond plain arithmetic."""

from __future__ import annotations

from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
from jax import lax

from mindspore._engine.operator.arguments import Array, Listed, Operand
from mindspore._engine.operator.registry import op
from mindspore._ops.declaring.dtype_checks import accepts, alike, halves_as_float32
from mindspore._ops.declaring.promotion import as_float, check_broadcast, common_dtype, is_weak, kind_of, promote
from mindspore._ops.math.soft_maximum import soft_maximum, soft_maximum_of_2

_PAIR = {"input": ("x", "x1"), "other": ("y", "x2")}  # the names of 1.x and of the Primitives


def _at_least_single(x: Any) -> Any:
    """The value in float32 where it is a half."""
    return x.astype(jnp.float32) if x.dtype.itemsize == 2 else x


@op(primitive="Maximum", method="maximum", old=_PAIR,
    test=lambda t: [t.case(t.normal(2, 3), t.normal(3), expect=np.maximum),
                    t.case(t.ints(4), 3, expect=np.maximum)])  # fmt: skip
@accepts("bif", "input", "other")
def maximum(input: Operand, other: Operand):
    """The larger of two values; where they are equal, each takes half of the gradient.

    Examples:
        >>> from mindspore import Tensor, ops
        >>> print(ops.maximum(Tensor([1.0, 5.0]), 2))
        [2. 5.]
    """
    return jnp.maximum(*promote(input, other))


@op(primitive="Minimum", method="minimum", old=_PAIR,
    test=lambda t: [t.case(t.normal(2, 3), t.normal(3), expect=np.minimum),
                    t.case(t.ints(4), 3, expect=np.minimum)])  # fmt: skip
@accepts("bif", "input", "other")
def minimum(input: Operand, other: Operand):
    """The smaller of two values; where they are equal, each takes half of the gradient.

    Examples:
        >>> from mindspore import Tensor, ops
        >>> print(ops.minimum(Tensor([1.0, 5.0]), 2))
        [1. 2.]
    """
    return jnp.minimum(*promote(input, other))


@op(primitive="Fmax", method="fmax", old=_PAIR, test=lambda t: [t.case(t.normal(2, 3), t.normal(3), expect=np.fmax)])
@accepts("if", "input", "other")
def fmax(input: Operand, other: Operand):
    """The larger of two values; a NaN loses against a number. Of equal values the first takes the gradient.

    Examples:
        >>> from mindspore import Tensor, ops
        >>> print(ops.fmax(Tensor([1.0, float("nan")]), Tensor([2.0, 3.0])))
        [2. 3.]
    """
    x, y = promote(input, other)
    return jnp.where((x >= y) | jnp.isnan(y), x, y)


@op(primitive="Fmin", method="fmin", old=_PAIR, test=lambda t: [t.case(t.normal(2, 3), t.normal(3), expect=np.fmin)])
@accepts("if", "input", "other")
def fmin(input: Operand, other: Operand):
    """The smaller of two values; a NaN loses against a number. Of equal values the first takes the gradient.

    Examples:
        >>> from mindspore import Tensor, ops
        >>> print(ops.fmin(Tensor([1.0, float("nan")]), Tensor([2.0, 3.0])))
        [1. 3.]
    """
    x, y = promote(input, other)
    return jnp.where((x <= y) | jnp.isnan(y), x, y)


@op(primitive="SquaredDifference", public=False,
    test=lambda t: [t.case(t.normal(2, 3), t.normal(3), expect=lambda x, y: (x - y) ** 2)])  # fmt: skip
def squared_difference(x: Operand, y: Operand):
    """The square of the difference.

    Examples:
        >>> from mindspore import Tensor, ops
        >>> print(ops.SquaredDifference()(Tensor([1.0, 4.0]), Tensor([3.0, 2.0])))
        [4. 4.]
    """
    x, y = promote(x, y)
    return jnp.square(x - y)


@op(primitive="DivNoNan", public=False,
    test=lambda t: [t.case(t.normal(2, 3), t.positive(3), expect=np.divide),
                    t.case(t.normal(3), np.zeros(3, np.float32), grad=False, expect=lambda x, y: y)])  # fmt: skip
def div_no_nan(x: Operand, y: Operand):
    """The quotient, and 0 where the divisor is 0.

    Examples:
        >>> from mindspore import Tensor, ops
        >>> print(ops.DivNoNan()(Tensor([1.0, 4.0]), Tensor([0.0, 2.0])))
        [0. 2.]
    """
    x, y = promote(x, y)
    zero = y == 0
    quotient = lax.div(*jnp.broadcast_arrays(x, jnp.where(zero, 1, y)))
    return jnp.where(zero, jnp.zeros_like(quotient), quotient)


@op(primitive="MulNoNan", public=False,
    test=lambda t: [t.case(t.normal(2, 3), t.positive(3), expect=np.multiply),
                    t.case(np.full(3, np.inf, np.float32), np.zeros(3, np.float32), grad=False,
                           expect=lambda x, y: y)])  # fmt: skip
@accepts("ifc", "x", "y")
def mul_no_nan(x: Operand, y: Operand):
    """The product, and 0 where the second factor is 0, also for infinities and NaN.

    Examples:
        >>> from mindspore import Tensor, ops
        >>> print(ops.MulNoNan()(Tensor([float("inf"), 4.0]), Tensor([0.0, 2.0])))
        [0. 8.]
    """
    x, y = promote(x, y)
    return jnp.where(y == 0, jnp.zeros_like(x * y), jnp.where(y == 0, 0, x) * y)


@op(primitive="Xlogy", method="xlogy", old={"input": ("x",), "other": ("y",)},
    test=lambda t: [t.case(t.normal(2, 3), t.positive(3), expect=lambda x, y: x * np.log(y))])  # fmt: skip
@halves_as_float32
def xlogy(input: Operand, other: Operand):
    """``input * log(other)``, and 0 where ``input`` is 0.

    Examples:
        >>> from mindspore import Tensor, ops
        >>> print(ops.xlogy(Tensor([0.0, 2.0]), Tensor([0.0, 1.0])))
        [0. 0.]
    """
    x, y = map(as_float, promote(input, other))
    if is_weak(input) or is_weak(other):  # a number counts as float32 here
        x, y = _at_least_single(x), _at_least_single(y)
    # Where x is 0 the logarithm of 1 is taken only if that of y does not exist: the derivative by x stays log(y).
    return x * jnp.log(jnp.where((x == 0) & (y == 0), 1, y))


@op(primitive="Xdivy", method="xdivy", old={"x": ("input",), "y": ("other",)},
    test=lambda t: [t.case(t.normal(2, 3), t.positive(3), expect=np.divide)])  # fmt: skip
@accepts("fc", "x", "y")
def xdivy(x: Operand, y: Operand):
    """``x / y``, and 0 where ``x`` is 0.

    Examples:
        >>> from mindspore import Tensor, ops
        >>> print(ops.xdivy(Tensor([0.0, 2.0]), Tensor([0.0, 4.0])))
        [0.  0.5]
    """
    x, y = map(as_float, promote(x, y))
    return jnp.where(x == 0, 0, x / jnp.where(x == 0, 1, y)).astype(x.dtype)


@op(primitive="Addcmul", method="addcmul", old={"input": ("input_data",), "tensor1": ("x1",), "tensor2": ("x2",)},
    test=lambda t: [t.case(t.normal(2, 3), t.normal(2, 3), t.normal(3), 0.5,
                           expect=lambda x, a, b, v: x + v * a * b)])  # fmt: skip
@accepts("if", "input", "tensor1", "tensor2")
@alike("input", "tensor1", "tensor2")
def addcmul(input: Array, tensor1: Array, tensor2: Array, value: Operand | list = 1):
    """``input + value * tensor1 * tensor2``.

    Examples:
        >>> from mindspore import Tensor, ops
        >>> print(ops.addcmul(Tensor([1.0]), Tensor([2.0]), Tensor([3.0]), 0.5))
        [4.]
    """
    x, first, second, factor = promote(input, tensor1, tensor2, value)
    return x + factor * first * second


@op(primitive="Addcdiv", method="addcdiv", old={"input": ("input_data",), "tensor1": ("x1",), "tensor2": ("x2",)},
    test=lambda t: [t.case(t.normal(2, 3), t.normal(2, 3), t.positive(3), 0.5,
                           expect=lambda x, a, b, v: x + v * a / b)])  # fmt: skip
@accepts("if", "input", "tensor1", "tensor2")
@alike("input", "tensor1", "tensor2")
def addcdiv(input: Array, tensor1: Array, tensor2: Array, value: Operand | list = 1):
    """``input + value * tensor1 / tensor2``.

    Examples:
        >>> from mindspore import Tensor, ops
        >>> print(ops.addcdiv(Tensor([1.0]), Tensor([2.0]), Tensor([4.0]), 0.5))
        [1.25]
    """
    x, first, second, factor = map(as_float, promote(input, tensor1, tensor2, value))
    return x + factor * first / second


@op(primitive="Lerp", method="lerp", old={"input": ("start",)},
    test=lambda t: [t.case(t.normal(2, 3), t.normal(2, 3), 0.3, expect=lambda a, b, w: a + w * (b - a)),
                    t.case(t.normal(2, 3), t.normal(2, 3), t.normal(3),
                           expect=lambda a, b, w: a + w * (b - a))])  # fmt: skip
@accepts("f", "input", "end")
@alike("input", "end")
@halves_as_float32
def lerp(input: Array, end: Array, weight: Operand):
    """The point ``weight`` of the way from ``input`` to ``end``.

    Examples:
        >>> from mindspore import Tensor, ops
        >>> print(ops.lerp(Tensor([1.0, 2.0]), Tensor([3.0, 10.0]), 0.5))
        [2. 6.]
    """
    start, stop, share = map(as_float, promote(input, end, weight))
    return (start + share * (stop - start)).astype(as_float(input).dtype)


@op(primitive="Hypot", method="hypot", old=_PAIR,
    test=lambda t: [t.case(t.normal(2, 3), t.normal(3), expect=np.hypot)])  # fmt: skip
@accepts("f", "input", "other")
@halves_as_float32
def hypot(input: Operand, other: Operand):
    """The hypotenuse ``sqrt(input**2 + other**2)``, without overflow on the way.

    Examples:
        >>> from mindspore import Tensor, ops
        >>> print(ops.hypot(Tensor([3.0]), Tensor([4.0])))
        [5.]
    """
    return _hypotenuse(*map(as_float, promote(input, other)))


@jax.custom_jvp
def _hypotenuse(x: Any, y: Any) -> Any:
    return jnp.hypot(x, y)


@_hypotenuse.defjvp
def _along(primals: Any, tangents: Any) -> Any:
    (x, y), (dx, dy) = primals, tangents
    length = _hypotenuse(x, y)
    safe = jnp.where(length == 0, 1, length)  # the slope is 0 there, as that of a norm
    return length, dx * (x / safe) + dy * (y / safe)


@op(primitive=("AddN", "AccumulateNV2"), aliases="accumulate_n", old={"x": ("inputs",)},
    test=lambda t: [t.case([t.normal(2, 3), t.normal(2, 3)], expect=lambda x: x[0] + x[1])])  # fmt: skip
def addn(x: Listed):
    """The sum of a list of tensors of equal shape and dtype.

    Examples:
        >>> from mindspore import Tensor, ops
        >>> print(ops.addn([Tensor([1.0]), Tensor([2.0]), Tensor([3.0])]))
        [6.]
    """
    if not x:
        raise ValueError("the 'x' must hold at least one Tensor, but got an empty list.")
    if any(term.shape != x[0].shape or term.dtype != x[0].dtype for term in x):
        found = ", ".join(f"{term.dtype}{tuple(term.shape)}" for term in x)
        raise (ValueError if len({t.dtype for t in x}) == 1 else TypeError)(
            f"the 'x' must hold Tensors of one shape and dtype, but got {found}. The operator + broadcasts."
        )
    total = x[0]
    for term in x[1:]:
        total = total | term if total.dtype == jnp.bool_ else total + term
    return total


@op(method="ldexp", test=lambda t: [t.case(t.normal(4), t.ints(4), expect=np.ldexp)])
def ldexp(x: Operand, other: Operand):
    """``x * 2**other``.

    Examples:
        >>> from mindspore import Tensor, ops
        >>> print(ops.ldexp(Tensor([1.0, 3.0]), Tensor([2, -1])))
        [4.  1.5]
    """
    value, power = map(as_float, promote(x, other))
    return _at_least_single(value) * jnp.exp2(_at_least_single(power))


@op(method="copysign", old={"x": ("input",)}, test=lambda t: [t.case(t.normal(2, 3), t.normal(3), expect=np.copysign)])
@accepts("if", "x", "other")
@accepts("if", "x")
@halves_as_float32
def copysign(x: Operand, other: Operand):
    """The magnitude of ``x`` with the sign of ``other``.

    Examples:
        >>> from mindspore import Tensor, ops
        >>> print(ops.copysign(Tensor([1.0, -2.0]), -1))
        [-1. -2.]
    """
    x, other = jnp.asarray(x), jnp.asarray(other)
    check_broadcast(x, other)
    magnitude = x.astype(common_dtype(x, other)) if is_weak(x) else x  # the sign adds nothing to the precision
    magnitude = as_float(magnitude)
    signed = jnp.copysign(magnitude, as_float(other).astype(magnitude.dtype))
    return jnp.where(magnitude == 0, lax.stop_gradient(signed), signed)


@op(primitive="Heaviside", method="heaviside", old={"input": ("x",)},
    test=lambda t: [t.case(t.normal(2, 3), t.normal(3), expect=np.heaviside)])  # fmt: skip
@accepts("if", "input", "values")
@alike("input", "values")
def heaviside(input: Operand, values: Operand):
    """0 below zero, 1 above, and ``values`` at zero.

    Examples:
        >>> from mindspore import Tensor, ops
        >>> print(ops.heaviside(Tensor([-1.0, 0.0, 2.0]), 0.5))
        [0.  0.5 1. ]
    """
    x, at_zero = promote(input, values)
    return jnp.where(x == 0, at_zero, (x > 0).astype(x.dtype))


@op(method="logaddexp", old=_PAIR, test=lambda t: [t.case(t.normal(2, 3), t.normal(3), expect=np.logaddexp)])
@accepts("f", "input")
@accepts("f", "other")
@halves_as_float32
def logaddexp(input: Operand, other: Operand):
    """``log(exp(input) + exp(other))`` without overflow.

    Examples:
        >>> from mindspore import Tensor, ops
        >>> print(ops.logaddexp(Tensor([0.0]), Tensor([0.0])).asnumpy().round(4))
        [0.6931]
    """
    return soft_maximum(*map(as_float, promote(input, other)))


@op(method="logaddexp2", old=_PAIR, test=lambda t: [t.case(t.normal(2, 3), t.normal(3), expect=np.logaddexp2)])
@accepts("f", "input", "other")
@halves_as_float32
def logaddexp2(input: Operand, other: Operand):
    """``log2(2**input + 2**other)`` without overflow.

    Examples:
        >>> from mindspore import Tensor, ops
        >>> print(ops.logaddexp2(Tensor([2.0]), Tensor([2.0])))
        [3.]
    """
    return soft_maximum_of_2(*map(as_float, promote(input, other)))


@op(primitive="NextAfter", method="nextafter", old=_PAIR,
    test=lambda t: [t.case(t.normal(2, 3), t.normal(3), expect=np.nextafter, grad=False)])  # fmt: skip
@accepts("f", "input", "other")
@alike("input", "other")
def nextafter(input: Array, other: Array):
    """The next floating-point number after ``input`` in the direction of ``other``.

    Examples:
        >>> from mindspore import Tensor, ops
        >>> print(ops.nextafter(Tensor([0.0]), Tensor([1.0])))
        [1.e-45]
    """
    return _next(*map(as_float, promote(input, other)))


@jax.custom_jvp
def _next(x: Any, y: Any) -> Any:
    return jnp.nextafter(x, y)


@_next.defjvp
def _next_along(primals: Any, tangents: Any) -> tuple[Any, Any]:
    result = _next(*primals)
    return result, jnp.broadcast_to(tangents[0], result.shape)  # MindSpore's slope: 1, and 0 for the other


@op(primitive="Gcd", method="gcd", old=_PAIR,
    test=lambda t: [t.case(t.ints(4, high=60), t.ints(4, high=60), expect=np.gcd, grad=False)])  # fmt: skip
def gcd(input: Array, other: Array):
    """The greatest common divisor of integers.

    Examples:
        >>> from mindspore import Tensor, ops
        >>> print(ops.gcd(Tensor([12, 7]), Tensor([18, 3])))
        [6 1]
    """
    return jnp.gcd(*_whole(input, other))


@op(primitive="Lcm", method="lcm", old=_PAIR,
    test=lambda t: [t.case(t.ints(4, high=60), t.ints(4, high=60), expect=np.lcm, grad=False)])  # fmt: skip
def lcm(input: Array, other: Array):
    """The least common multiple of integers.

    Examples:
        >>> from mindspore import Tensor, ops
        >>> print(ops.lcm(Tensor([4, 7]), Tensor([6, 3])))
        [12 21]
    """
    return jnp.lcm(*_whole(input, other))


def _whole(input: Array, other: Array) -> tuple:
    x, y = promote(input, other)
    if kind_of(x.dtype) != "i":
        raise TypeError(f"the 'input' and 'other' must hold integers, but got {input.dtype} and {other.dtype}.")
    return x, y
