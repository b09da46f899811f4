"""Functions of two arrays, element by element; shapes broadcast and dtypes are promoted."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from mindspore import ops
from mindspore._engine.tensor import Tensor
from mindspore.numpy._inputs import ArrayLike, as_tensor, cast, floating, result_dtype
from mindspore.numpy.dtypes import float16, float32


def _combined(function: Callable[..., Any], x1: ArrayLike, x2: ArrayLike, dtype: Any, owner: str) -> Tensor:
    return cast(function(as_tensor(x1, owner, "x1"), as_tensor(x2, owner, "x2")), dtype, owner)


# -- arithmetic -------------------------------------------------------------------------------------------------------
def add(x1: ArrayLike, x2: ArrayLike, dtype: Any = None) -> Tensor:
    """The sum. || np.add([1, 2], [3, 4])"""
    return _combined(ops.add, x1, x2, dtype, "add")


def subtract(x1: ArrayLike, x2: ArrayLike, dtype: Any = None) -> Tensor:
    """The difference. || np.subtract([1, 2], [3, 5])"""
    return _combined(ops.sub, x1, x2, dtype, "subtract")


def multiply(x1: ArrayLike, x2: ArrayLike, dtype: Any = None) -> Tensor:
    """The product. || np.multiply([1, 2], 3.5)"""
    return _combined(ops.mul, x1, x2, dtype, "multiply")


def divide(x1: ArrayLike, x2: ArrayLike, dtype: Any = None) -> Tensor:
    """The quotient: float16 for two float16, else float32. || np.divide([1, 2], 4)"""
    return _quotient(x1, x2, dtype, "divide")


def true_divide(x1: ArrayLike, x2: ArrayLike, dtype: Any = None) -> Tensor:
    """The quotient, see :func:`divide`. || np.true_divide([1, 2], 4)"""
    return _quotient(x1, x2, dtype, "true_divide")


def _quotient(x1: ArrayLike, x2: ArrayLike, dtype: Any, owner: str) -> Tensor:
    dividend, divisor = as_tensor(x1, owner, "x1"), as_tensor(x2, owner, "x2")
    if not dividend.dtype == divisor.dtype == float16:
        dividend, divisor = dividend.astype(float32), divisor.astype(float32)
    return cast(ops.div(dividend, divisor), dtype, owner)


def floor_divide(x1: ArrayLike, x2: ArrayLike, dtype: Any = None) -> Tensor:
    """The largest integer that is not above the quotient. || np.floor_divide([1, 5, -3], 2)"""
    return _combined(ops.floor_divide, x1, x2, dtype, "floor_divide")


def mod(x1: ArrayLike, x2: ArrayLike, dtype: Any = None) -> Tensor:
    """What remains of the division, with the sign of the divisor. || np.mod([-4, 7], [3, -3])"""
    return _combined(ops.floor_mod, x1, x2, dtype, "mod")


def remainder(x1: ArrayLike, x2: ArrayLike, dtype: Any = None) -> Tensor:
    """What remains of the division, see :func:`mod`. || np.remainder([4, 7], [2, 3])"""
    return _combined(ops.floor_mod, x1, x2, dtype, "remainder")


def fmod(x1: ArrayLike, x2: ArrayLike, dtype: Any = None) -> Tensor:
    """What remains of the division, with the sign of the dividend. || np.fmod([-4, 7], [3, -3])"""
    dividend, divisor = as_tensor(x1, "fmod", "x1"), as_tensor(x2, "fmod", "x2")
    kind = result_dtype([dividend.dtype, divisor.dtype])
    return cast(ops.fmod(dividend, divisor).astype(kind), dtype, "fmod")


def divmod(x1: ArrayLike, x2: ArrayLike, dtype: Any = None) -> tuple[Tensor, Tensor]:
    """:func:`floor_divide` and :func:`mod` together. || np.divmod([1, 2, 3, 4], 3)"""
    return floor_divide(x1, x2, dtype), mod(x1, x2, dtype)


def power(x1: ArrayLike, x2: ArrayLike, dtype: Any = None) -> Tensor:
    """``x1`` to the power of ``x2``. || np.power([1, 2, 3], 2)"""
    return _combined(ops.pow, x1, x2, dtype, "power")


def float_power(x1: ArrayLike, x2: ArrayLike, dtype: Any = None) -> Tensor:
    """``x1`` to the power of ``x2``, in float32. || np.float_power([2, 3], -1)"""
    return _combined(lambda x, y: ops.pow(x.astype(float32), y.astype(float32)), x1, x2, dtype, "float_power")


# -- comparison by size -----------------------------------------------------------------------------------------------
def maximum(x1: ArrayLike, x2: ArrayLike, dtype: Any = None) -> Tensor:
    """The larger of two elements; in the dtype of ``x1`` if ``x2`` is a number. || np.maximum([1, 5], [3, 2])"""
    return _extreme(ops.maximum, x1, x2, dtype, "maximum")


def minimum(x1: ArrayLike, x2: ArrayLike, dtype: Any = None) -> Tensor:
    """The smaller of two elements; in the dtype of ``x1`` if ``x2`` is a number. || np.minimum([1, 5], [3, 2])"""
    return _extreme(ops.minimum, x1, x2, dtype, "minimum")


def _extreme(function: Callable[..., Any], x1: ArrayLike, x2: ArrayLike, dtype: Any, owner: str) -> Tensor:
    x, y = as_tensor(x1, owner, "x1"), as_tensor(x2, owner, "x2")
    if isinstance(x1, (bool, int, float)):
        x = x.astype(y.dtype)
    elif isinstance(x2, (bool, int, float)):
        y = y.astype(x.dtype)
    return cast(function(x, y), dtype, owner)


def clip(x: ArrayLike, xmin: ArrayLike | None, xmax: ArrayLike | None, dtype: Any = None) -> Tensor:
    """The elements kept between two bounds; one of them may be None. || np.clip([1, 5, 9], 2, 6)

    The result has the dtype of ``x``.
    """
    if xmin is None and xmax is None:
        raise ValueError("For 'clip', one of 'xmin' and 'xmax' must be given, but got None for both.")
    result = x = as_tensor(x, "clip")
    if xmin is not None:
        result = ops.maximum(result, as_tensor(xmin, "clip", "xmin"))
    if xmax is not None:
        result = ops.minimum(result, as_tensor(xmax, "clip", "xmax"))
    return cast(result.astype(x.dtype), dtype, "clip")


def clamp(input: ArrayLike, min: ArrayLike | None = None, max: ArrayLike | None = None) -> Tensor:
    """The elements kept between two bounds, as :func:`clip` with names of :mod:`mindspore.ops`. || np.clamp([1, 5, 9], max=6)"""
    return clip(input, min, max)


def heaviside(x1: ArrayLike, x2: ArrayLike, dtype: Any = None) -> Tensor:
    """0 below zero, 1 above, and ``x2`` at zero. || np.heaviside([-1.5, 0.0, 2.0], 0.5)"""
    x, y = as_tensor(x1, "heaviside", "x1"), as_tensor(x2, "heaviside", "x2")
    kind = result_dtype([x.dtype, y.dtype])
    x, y = x.astype(kind), y.astype(kind)
    return cast(ops.where(x == 0, y, (x > 0).astype(kind)), dtype, "heaviside")


def copysign(x1: ArrayLike, x2: ArrayLike, dtype: Any = None) -> Tensor:
    """``x1`` with the sign of ``x2``, in the dtype of ``x1``. || np.copysign([1, -2], [-1.0, 1.0])"""
    x = as_tensor(x1, "copysign", "x1")
    return cast(ops.copysign(x, as_tensor(x2, "copysign", "x2")).astype(x.dtype), dtype, "copysign")


# -- floating point ---------------------------------------------------------------------------------------------------
def arctan2(x1: ArrayLike, x2: ArrayLike, dtype: Any = None) -> Tensor:
    """The angle of the point ``(x2, x1)``. || np.arctan2([1.0, -1.0], [1.0, 0.0])"""
    x, y = floating(x1, "arctan2", "x1", small=float16), floating(x2, "arctan2", "x2", small=float16)
    return cast(ops.atan2(x, y), dtype, "arctan2")


def hypot(x1: ArrayLike, x2: ArrayLike, dtype: Any = None) -> Tensor:
    """The length of the hypotenuse. || np.hypot([3.0, 5.0], [4.0, 12.0])"""
    return cast(ops.hypot(floating(x1, "hypot", "x1"), floating(x2, "hypot", "x2")), dtype, "hypot")


def logaddexp(x1: ArrayLike, x2: ArrayLike, dtype: Any = None) -> Tensor:
    """``log(exp(x1) + exp(x2))``. || np.logaddexp([0.0, 1.0], [0.0, 2.0])"""
    return cast(ops.logaddexp(floating(x1, "logaddexp", "x1"), floating(x2, "logaddexp", "x2")), dtype, "logaddexp")


def logaddexp2(x1: ArrayLike, x2: ArrayLike, dtype: Any = None) -> Tensor:
    """``log2(2**x1 + 2**x2)``. || np.logaddexp2([2.0, 1.0], [2.0, 2.0])"""
    return cast(ops.logaddexp2(floating(x1, "logaddexp2", "x1"), floating(x2, "logaddexp2", "x2")), dtype, "logaddexp2")


# -- integers ---------------------------------------------------------------------------------------------------------
def bitwise_and(x1: ArrayLike, x2: ArrayLike, dtype: Any = None) -> Tensor:
    """The bits that both have. || np.bitwise_and([13], [17])"""
    return _combined(ops.bitwise_and, x1, x2, dtype, "bitwise_and")


def bitwise_or(x1: ArrayLike, x2: ArrayLike, dtype: Any = None) -> Tensor:
    """The bits that one of them has. || np.bitwise_or([13], [16])"""
    return _combined(ops.bitwise_or, x1, x2, dtype, "bitwise_or")


def bitwise_xor(x1: ArrayLike, x2: ArrayLike, dtype: Any = None) -> Tensor:
    """The bits that only one of them has. || np.bitwise_xor([13], [17])"""
    return _combined(ops.bitwise_xor, x1, x2, dtype, "bitwise_xor")


def gcd(x1: ArrayLike, x2: ArrayLike, dtype: Any = None) -> Tensor:
    """The greatest common divisor. || np.gcd([12, 20], 8)"""
    return _combined(ops.gcd, x1, x2, dtype, "gcd")


def lcm(x1: ArrayLike, x2: ArrayLike, dtype: Any = None) -> Tensor:
    """The lowest common multiple. || np.lcm([4, 6], 10)"""
    return _combined(ops.lcm, x1, x2, dtype, "lcm")
