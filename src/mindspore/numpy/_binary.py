"""Functions of two arrays, element by element; shapes broadcast and dtypes are promoted."""

from __future__ import annotations

import functools
from collections.abc import Callable
from typing import Any

from mindspore import ops
from mindspore._engine.tensor.tensor import Tensor
from mindspore._utils.refusals import refused
from mindspore.numpy._inputs import ArrayLike, as_tensor, cast, combined, floating, result_dtype
from mindspore.numpy.dtypes import bool_, float16, float32, int32


# -- arithmetic -------------------------------------------------------------------------------------------------------
def add(x1: ArrayLike, x2: ArrayLike, dtype: Any = None) -> Tensor:
    """The sum.

    Examples:
        >>> import mindspore.numpy as np
        >>> print(np.add([1, 2], [3, 4]))
        [4 6]
    """
    return combined(ops.add, x1, x2, dtype, "add")


def subtract(x1: ArrayLike, x2: ArrayLike, dtype: Any = None) -> Tensor:
    """The difference.

    Examples:
        >>> import mindspore.numpy as np
        >>> print(np.subtract([1, 2], [3, 5]))
        [-2 -3]
    """
    return combined(ops.sub, x1, x2, dtype, "subtract")


def multiply(x1: ArrayLike, x2: ArrayLike, dtype: Any = None) -> Tensor:
    """The product.

    Examples:
        >>> import mindspore.numpy as np
        >>> print(np.multiply([1, 2], 3.5))
        [3.5 7. ]
    """
    return combined(ops.mul, x1, x2, dtype, "multiply")


def divide(x1: ArrayLike, x2: ArrayLike, dtype: Any = None) -> Tensor:
    """The quotient; of integers, and of two float64, in float32.

    Examples:
        >>> import mindspore.numpy as np
        >>> print(np.divide([1, 2], 4))
        [0.25 0.5 ]
    """
    return _quotient(x1, x2, dtype, "divide")


def true_divide(x1: ArrayLike, x2: ArrayLike, dtype: Any = None) -> Tensor:
    """The quotient, see :func:`divide`.

    Examples:
        >>> import mindspore.numpy as np
        >>> print(np.true_divide([1, 2], 4))
        [0.25 0.5 ]
    """
    return _quotient(x1, x2, dtype, "true_divide")


def _quotient(x1: ArrayLike, x2: ArrayLike, dtype: Any, owner: str) -> Tensor:
    dividend, divisor = as_tensor(x1, owner, "x1"), as_tensor(x2, owner, "x2")
    quotient = ops.div(dividend, divisor)
    # MindSpore divides two arrays of equal dtype in float32, float16 excepted
    narrow = dividend.dtype == divisor.dtype != float16
    return cast(quotient.astype(float32) if narrow else quotient, dtype, owner)


def floor_divide(x1: ArrayLike, x2: ArrayLike, dtype: Any = None) -> Tensor:
    """The largest integer that is not above the quotient.

    Examples:
        >>> import mindspore.numpy as np
        >>> print(np.floor_divide([1, 5, -3], 2))
        [ 0  2 -2]
    """
    return combined(ops.floor_divide, x1, x2, dtype, "floor_divide")


def mod(x1: ArrayLike, x2: ArrayLike, dtype: Any = None) -> Tensor:
    """What remains of the division, with the sign of the divisor.

    Examples:
        >>> import mindspore.numpy as np
        >>> print(np.mod([-4, 7], [3, -3]))
        [ 2 -2]
    """
    return combined(functools.partial(_as_bits, _floor_mod), x1, x2, dtype, "mod")


def remainder(x1: ArrayLike, x2: ArrayLike, dtype: Any = None) -> Tensor:
    """What remains of the division, see :func:`mod`.

    Examples:
        >>> import mindspore.numpy as np
        >>> print(np.remainder([4, 7], [2, 3]))
        [0 1]
    """
    return combined(functools.partial(_as_bits, _floor_mod), x1, x2, dtype, "remainder")


def _floor_mod(dividend: Tensor, divisor: Tensor) -> Tensor:
    """Whole numbers divided by zero leave nothing."""
    found = ops.floor_mod(dividend, divisor)
    return found if found.is_floating_point() else ops.where(divisor == 0, ops.zeros_like(found), found)


def _as_bits(function: Callable[..., Any], dividend: Tensor, divisor: Tensor) -> Tensor:
    """Two arrays of bool are divided as integers."""
    if dividend.dtype == divisor.dtype == bool_:
        return function(dividend.astype(int32), divisor.astype(int32)).astype(bool_)
    return function(dividend, divisor)


def fmod(x1: ArrayLike, x2: ArrayLike, dtype: Any = None) -> Tensor:
    """What remains of the division, with the sign of the dividend.

    Examples:
        >>> import mindspore.numpy as np
        >>> print(np.fmod([-4, 7], [3, -3]))
        [-1  1]
    """
    return combined(
        lambda x, y: _as_bits(ops.truncate_mod, x, y).astype(result_dtype([x.dtype, y.dtype])), x1, x2, dtype, "fmod"
    )


def divmod(x1: ArrayLike, x2: ArrayLike, dtype: Any = None) -> tuple[Tensor, Tensor]:
    """:func:`floor_divide` and :func:`mod` together.

    Examples:
        >>> import mindspore.numpy as np
        >>> print(np.divmod([1, 2, 3, 4], 3))
        (Tensor(shape=[4], dtype=Int32, value= [0, 0, 1, 1]), Tensor(shape=[4], dtype=Int32, value= [1, 2, 0, 1]))
    """
    return floor_divide(x1, x2, dtype), mod(x1, x2, dtype)


def power(x1: ArrayLike, x2: ArrayLike, dtype: Any = None) -> Tensor:
    """``x1`` to the power of ``x2``.

    Examples:
        >>> import mindspore.numpy as np
        >>> print(np.power([1, 2, 3], 2))
        [1 4 9]
    """
    return combined(ops.pow, x1, x2, dtype, "power")


def float_power(x1: ArrayLike, x2: ArrayLike, dtype: Any = None) -> Tensor:
    """``x1`` to the power of ``x2``, in float32.

    Examples:
        >>> import mindspore.numpy as np
        >>> print(np.float_power([2, 3], -1))
        [0.5        0.33333334]
    """
    return combined(lambda x, y: ops.pow(x.astype(float32), y.astype(float32)), x1, x2, dtype, "float_power")


# -- comparison by size -----------------------------------------------------------------------------------------------
def maximum(x1: ArrayLike, x2: ArrayLike, dtype: Any = None) -> Tensor:
    """The larger of two elements; in the dtype of ``x1`` if ``x2`` is a number.

    Examples:
        >>> import mindspore.numpy as np
        >>> print(np.maximum([1, 5], [3, 2]))
        [3 5]
    """
    return _extreme(ops.maximum, x1, x2, dtype, "maximum")


def minimum(x1: ArrayLike, x2: ArrayLike, dtype: Any = None) -> Tensor:
    """The smaller of two elements; in the dtype of ``x1`` if ``x2`` is a number.

    Examples:
        >>> import mindspore.numpy as np
        >>> print(np.minimum([1, 5], [3, 2]))
        [1 2]
    """
    return _extreme(ops.minimum, x1, x2, dtype, "minimum")


def _extreme(function: Callable[..., Any], x1: ArrayLike, x2: ArrayLike, dtype: Any, owner: str) -> Tensor:
    x, y = as_tensor(x1, owner, "x1"), as_tensor(x2, owner, "x2")
    if isinstance(x1, (bool, int, float)):
        x = x.astype(y.dtype)
    elif isinstance(x2, (bool, int, float)):
        y = y.astype(x.dtype)
    return cast(function(x, y), dtype, owner)


def clip(x: ArrayLike, xmin: ArrayLike | None, xmax: ArrayLike | None, dtype: Any = None) -> Tensor:
    """The elements clipped to two bounds; one of the bounds may be None.

    The result has the dtype of ``x``.

    Examples:
        >>> import mindspore.numpy as np
        >>> print(np.clip([1, 5, 9], 2, 6))
        [2 5 6]
    """
    if xmin is None and xmax is None:
        raise refused(ValueError, "For 'clip', one of 'xmin' and 'xmax' must be given, but got None for both.")
    result = x = as_tensor(x, "clip")
    if xmin is not None:
        result = ops.maximum(result, as_tensor(xmin, "clip", "xmin"))
    if xmax is not None:
        result = ops.minimum(result, as_tensor(xmax, "clip", "xmax"))
    return cast(result.astype(x.dtype), dtype, "clip")


def clamp(input: ArrayLike, min: ArrayLike | None = None, max: ArrayLike | None = None) -> Tensor:
    """The elements kept between two bounds, as :func:`clip` with names of :mod:`mindspore.ops`.

    Examples:
        >>> import mindspore.numpy as np
        >>> print(np.clamp([1, 5, 9], max=6))
        [1 5 6]
    """
    return clip(input, min, max)


def heaviside(x1: ArrayLike, x2: ArrayLike, dtype: Any = None) -> Tensor:
    """0 below zero, 1 above, and ``x2`` at zero.

    Examples:
        >>> import mindspore.numpy as np
        >>> print(np.heaviside([-1.5, 0.0, 2.0], 0.5))
        [0.  0.5 1. ]
    """
    x, y = as_tensor(x1, "heaviside", "x1"), as_tensor(x2, "heaviside", "x2")
    kind = result_dtype([x.dtype, y.dtype])
    x, y = x.astype(kind), y.astype(kind)
    return cast(ops.where(x == 0, y, (x > 0).astype(kind)), dtype, "heaviside")


def copysign(x1: ArrayLike, x2: ArrayLike, dtype: Any = None) -> Tensor:
    """``x1`` with the sign of ``x2``, in the dtype of ``x1``.

    Examples:
        >>> import mindspore.numpy as np
        >>> print(np.copysign([1, -2], [-1.0, 1.0]))
        [-1  2]
    """
    x = as_tensor(x1, "copysign", "x1")
    return cast(ops.copysign(x, as_tensor(x2, "copysign", "x2")).astype(x.dtype), dtype, "copysign")


# -- floating point ---------------------------------------------------------------------------------------------------
def arctan2(x1: ArrayLike, x2: ArrayLike, dtype: Any = None) -> Tensor:
    """The angle of the point ``(x2, x1)``.

    Examples:
        >>> import mindspore.numpy as np
        >>> print(np.arctan2([1.0, -1.0], [1.0, 0.0]).round(4))
        [ 0.7854 -1.5708]
    """
    x, y = floating(x1, "arctan2", "x1", small=float16), floating(x2, "arctan2", "x2", small=float16)
    return cast(ops.atan2(x, y), dtype, "arctan2")


def hypot(x1: ArrayLike, x2: ArrayLike, dtype: Any = None) -> Tensor:
    """The length of the hypotenuse.

    Examples:
        >>> import mindspore.numpy as np
        >>> print(np.hypot([3.0], [4.0]))
        [5.]
    """
    return cast(ops.hypot(floating(x1, "hypot", "x1"), floating(x2, "hypot", "x2")), dtype, "hypot")


def logaddexp(x1: ArrayLike, x2: ArrayLike, dtype: Any = None) -> Tensor:
    """``log(exp(x1) + exp(x2))``.

    Examples:
        >>> import mindspore.numpy as np
        >>> print(np.logaddexp([0.0, 1.0], [0.0, 2.0]).round(4))
        [0.6931 2.3133]
    """
    return cast(ops.logaddexp(floating(x1, "logaddexp", "x1"), floating(x2, "logaddexp", "x2")), dtype, "logaddexp")


def logaddexp2(x1: ArrayLike, x2: ArrayLike, dtype: Any = None) -> Tensor:
    """``log2(2**x1 + 2**x2)``.

    Examples:
        >>> import mindspore.numpy as np
        >>> print(np.logaddexp2([2.0, 1.0], [2.0, 2.0]).round(4))
        [3.    2.585]
    """
    return cast(ops.logaddexp2(floating(x1, "logaddexp2", "x1"), floating(x2, "logaddexp2", "x2")), dtype, "logaddexp2")


# -- integers ---------------------------------------------------------------------------------------------------------
def bitwise_and(x1: ArrayLike, x2: ArrayLike, dtype: Any = None) -> Tensor:
    """The bits that both have.

    Examples:
        >>> import mindspore.numpy as np
        >>> print(np.bitwise_and([13], [17]))
        [1]
    """
    return combined(ops.bitwise_and, x1, x2, dtype, "bitwise_and")


def bitwise_or(x1: ArrayLike, x2: ArrayLike, dtype: Any = None) -> Tensor:
    """The bitwise or.

    Examples:
        >>> import mindspore.numpy as np
        >>> print(np.bitwise_or([13], [16]))
        [29]
    """
    return combined(ops.bitwise_or, x1, x2, dtype, "bitwise_or")


def bitwise_xor(x1: ArrayLike, x2: ArrayLike, dtype: Any = None) -> Tensor:
    """The bitwise exclusive or.

    Examples:
        >>> import mindspore.numpy as np
        >>> print(np.bitwise_xor([13], [17]))
        [28]
    """
    return combined(ops.bitwise_xor, x1, x2, dtype, "bitwise_xor")


def gcd(x1: ArrayLike, x2: ArrayLike, dtype: Any = None) -> Tensor:
    """The greatest common divisor.

    Examples:
        >>> import mindspore.numpy as np
        >>> print(np.gcd([12, 20], 8))
        [4 4]
    """
    return combined(ops.gcd, x1, x2, dtype, "gcd")


def lcm(x1: ArrayLike, x2: ArrayLike, dtype: Any = None) -> Tensor:
    """The lowest common multiple.

    Examples:
        >>> import mindspore.numpy as np
        >>> print(np.lcm([4, 6], 10))
        [20 30]
    """
    return combined(ops.lcm, x1, x2, dtype, "lcm")
