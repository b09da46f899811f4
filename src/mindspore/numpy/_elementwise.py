"""Elementwise unary functions."""

from __future__ import annotations

from typing import Any

from mindspore import ops
from mindspore._engine.tensor.tensor import Tensor
from mindspore._ops.linalg.numpy_math import numpy_cbrt, numpy_unwrap
from mindspore._utils.checks import check_type
from mindspore.numpy._inputs import ArrayLike, as_axis, as_tensor, cast, floating
from mindspore.numpy.dtypes import float16, float32, float64, pi


# -- signs and rounding -----------------------------------------------------------------------------------------------
def absolute(x: ArrayLike, dtype: Any = None) -> Tensor:
    """The absolute value.

    Examples:
        >>> import mindspore.numpy as np
        >>> print(np.absolute([-1.5, 2.0]))
        [1.5 2. ]
    """
    return cast(ops.abs(as_tensor(x, "absolute")), dtype, "absolute")


def abs(x: ArrayLike, dtype: Any = None) -> Tensor:
    """The absolute value, see :func:`absolute`.

    Examples:
        >>> import mindspore.numpy as np
        >>> print(np.abs([-1, 2]))
        [1 2]
    """
    return cast(ops.abs(as_tensor(x, "abs")), dtype, "abs")


def fabs(x: ArrayLike, dtype: Any = None) -> Tensor:
    """The absolute value; here integers stay integers.

    Examples:
        >>> import mindspore.numpy as np
        >>> print(np.fabs([-1.0, 2.0]))
        [1. 2.]
    """
    return cast(ops.abs(as_tensor(x, "fabs")), dtype, "fabs")


def negative(a: ArrayLike, dtype: Any = None) -> Tensor:
    """Each element with the other sign.

    Examples:
        >>> import mindspore.numpy as np
        >>> print(np.negative([1.0, -1.0]))
        [-1.  1.]
    """
    return cast(ops.neg(as_tensor(a, "negative", "a")), dtype, "negative")


def positive(a: ArrayLike, dtype: Any = None) -> Tensor:
    """The elements as they are.

    Examples:
        >>> import mindspore.numpy as np
        >>> print(np.positive([1.0, -1.0]))
        [ 1. -1.]
    """
    return cast(as_tensor(a, "positive", "a"), dtype, "positive")


def sign(x: ArrayLike, dtype: Any = None) -> Tensor:
    """-1, 0 or 1 in floating point.

    Examples:
        >>> import mindspore.numpy as np
        >>> print(np.sign([-5.0, 0.0, 4.5]))
        [-1.  0.  1.]
    """
    return cast(ops.sign(floating(x, "sign")), dtype, "sign")


def ceil(x: ArrayLike, dtype: Any = None) -> Tensor:
    """The next integer towards plus infinity, in float32.

    Examples:
        >>> import mindspore.numpy as np
        >>> print(np.ceil([-1.7, 0.2, 2.0]))
        [-1.  1.  2.]
    """
    return cast(ops.ceil(as_tensor(x, "ceil").astype(float32)), dtype, "ceil")


def floor(x: ArrayLike, dtype: Any = None) -> Tensor:
    """The next integer towards minus infinity.

    Examples:
        >>> import mindspore.numpy as np
        >>> print(np.floor([-1.7, 0.2, 2.0]))
        [-2.  0.  2.]
    """
    return cast(ops.floor(floating(x, "floor")), dtype, "floor")


def trunc(x: ArrayLike, dtype: Any = None) -> Tensor:
    """The next integer towards zero; of float64, too, in float32.

    Examples:
        >>> import mindspore.numpy as np
        >>> print(np.trunc([-1.7, 0.2, 2.0]))
        [-1.  0.  2.]
    """
    tensor = floating(x, "trunc")
    return cast(ops.trunc(tensor.astype(float32) if tensor.dtype == float64 else tensor), dtype, "trunc")


def fix(x: ArrayLike) -> Tensor:
    """The next integer towards zero, see :func:`trunc`.

    Examples:
        >>> import mindspore.numpy as np
        >>> print(np.fix([2.1, -2.9]))
        [ 2. -2.]
    """
    return trunc(as_tensor(x, "fix"))


def rint(x: ArrayLike, dtype: Any = None) -> Tensor:
    """The nearest integer; halves go to the even neighbour.

    Examples:
        >>> import mindspore.numpy as np
        >>> print(np.rint([-1.7, 0.5, 1.5]))
        [-2.  0.  2.]
    """
    return cast(ops.round(floating(x, "rint")), dtype, "rint")


def around(a: ArrayLike, decimals: int = 0) -> Tensor:
    """Each element rounded to a number of decimals; halves go to the even neighbour.

    Examples:
        >>> import mindspore.numpy as np
        >>> print(np.around([1.234, 0.5], 1))
        [1.2 0.5]
    """
    return ops.round(as_tensor(a, "around", "a"), decimals)


def round(a: ArrayLike, decimals: int = 0) -> Tensor:
    """Each element rounded to a number of decimals, see :func:`around`.

    Examples:
        >>> import mindspore.numpy as np
        >>> print(np.round([1.5, 2.5]))
        [2. 2.]
    """
    return ops.round(as_tensor(a, "round", "a"), decimals)


def invert(x: ArrayLike, dtype: Any = None) -> Tensor:
    """All bits of integers turned.

    Examples:
        >>> import mindspore.numpy as np
        >>> print(np.invert([13, -1]))
        [-14   0]
    """
    return cast(ops.bitwise_not(as_tensor(x, "invert")), dtype, "invert")


def bitwise_not(x: ArrayLike, dtype: Any = None) -> Tensor:
    """All bits of integers turned, see :func:`invert`.

    Examples:
        >>> import mindspore.numpy as np
        >>> print(np.bitwise_not([13]))
        [-14]
    """
    return cast(ops.bitwise_not(as_tensor(x, "bitwise_not")), dtype, "bitwise_not")


# -- powers, roots, logarithms ----------------------------------------------------------------------------------------
def square(x: ArrayLike, dtype: Any = None) -> Tensor:
    """Each element times itself.

    Examples:
        >>> import mindspore.numpy as np
        >>> print(np.square([1.0, -3.0]))
        [1. 9.]
    """
    return cast(ops.square(as_tensor(x, "square")), dtype, "square")


def sqrt(x: ArrayLike, dtype: Any = None) -> Tensor:
    """The square root.

    Examples:
        >>> import mindspore.numpy as np
        >>> print(np.sqrt([1.0, 4.0]))
        [1. 2.]
    """
    return cast(ops.sqrt(floating(x, "sqrt")), dtype, "sqrt")


def cbrt(x: ArrayLike, dtype: Any = None) -> Tensor:
    """The cube root, float32 or float64.

    Examples:
        >>> import mindspore.numpy as np
        >>> print(np.cbrt([8.0, -27.0]).round(4))
        [ 2. -3.]
    """
    tensor = floating(x, "cbrt")
    return cast(numpy_cbrt(tensor.astype(float32) if tensor.dtype == float16 else tensor), dtype, "cbrt")


def reciprocal(x: ArrayLike, dtype: Any = None) -> Tensor:
    """1 divided by each element; of integers cut off.

    Examples:
        >>> import mindspore.numpy as np
        >>> print(np.reciprocal([1.0, 4.0]))
        [1.   0.25]
    """
    tensor = as_tensor(x, "reciprocal")
    result = (
        ops.reciprocal(tensor)
        if tensor.dtype.is_floating or tensor.dtype.is_complex
        else ops.div(1, tensor, rounding_mode="trunc")
    )
    return cast(result, dtype, "reciprocal")


def exp(x: ArrayLike, dtype: Any = None) -> Tensor:
    """The exponential function.

    Examples:
        >>> import mindspore.numpy as np
        >>> print(np.exp([0.0]))
        [1.]
    """
    return cast(ops.exp(floating(x, "exp")), dtype, "exp")


def exp2(x: ArrayLike, dtype: Any = None) -> Tensor:
    """2 to the power of each element; of integers an integer.

    Examples:
        >>> import mindspore.numpy as np
        >>> print(np.exp2([2, 3]))
        [4 8]
    """
    return cast(ops.pow(2, as_tensor(x, "exp2")), dtype, "exp2")


def expm1(x: ArrayLike, dtype: Any = None) -> Tensor:
    """``exp(x) - 1``, exact for small values too.

    Examples:
        >>> import mindspore.numpy as np
        >>> print(np.expm1([0.0]))
        [0.]
    """
    return cast(ops.expm1(floating(x, "expm1")), dtype, "expm1")


def log(x: ArrayLike, dtype: Any = None) -> Tensor:
    """The natural logarithm.

    Examples:
        >>> import mindspore.numpy as np
        >>> print(np.log([1.0, 2.0]))
        [0.        0.6931472]
    """
    return cast(ops.log(floating(x, "log")), dtype, "log")


def log1p(x: ArrayLike, dtype: Any = None) -> Tensor:
    """``log(1 + x)``, exact for small values too.

    Examples:
        >>> import mindspore.numpy as np
        >>> print(np.log1p([0.0, 1.0]))
        [0.        0.6931472]
    """
    return cast(ops.log1p(floating(x, "log1p")), dtype, "log1p")


def log2(x: ArrayLike, dtype: Any = None) -> Tensor:
    """The logarithm to base 2.

    Examples:
        >>> import mindspore.numpy as np
        >>> print(np.log2([1.0, 8.0]))
        [0. 3.]
    """
    return cast(ops.log2(floating(x, "log2")), dtype, "log2")


def log10(x: ArrayLike, dtype: Any = None) -> Tensor:
    """The logarithm to base 10.

    Examples:
        >>> import mindspore.numpy as np
        >>> print(np.log10([1.0, 100.0]))
        [0. 2.]
    """
    return cast(ops.log10(floating(x, "log10")), dtype, "log10")


# -- angles -----------------------------------------------------------------------------------------------------------
def deg2rad(x: ArrayLike, dtype: Any = None) -> Tensor:
    """Degrees as radians.

    Examples:
        >>> import mindspore.numpy as np
        >>> print(np.deg2rad([0.0, 180.0]))
        [0.        3.1415927]
    """
    return cast(ops.deg2rad(floating(x, "deg2rad")), dtype, "deg2rad")


def radians(x: ArrayLike, dtype: Any = None) -> Tensor:
    """Degrees as radians, see :func:`deg2rad`.

    Examples:
        >>> import mindspore.numpy as np
        >>> print(np.radians([0.0, 180.0]))
        [0.        3.1415927]
    """
    return cast(ops.deg2rad(floating(x, "radians")), dtype, "radians")


def rad2deg(x: ArrayLike, dtype: Any = None) -> Tensor:
    """Radians as degrees.

    Examples:
        >>> import mindspore.numpy as np
        >>> print(np.rad2deg([0.0, np.pi]))
        [  0. 180.]
    """
    return cast(ops.rad2deg(floating(x, "rad2deg")), dtype, "rad2deg")


def unwrap(p: ArrayLike, discont: float = pi, axis: int = -1) -> Tensor:
    """Angles with the jumps of whole turns taken out along ``axis``.

    Examples:
        >>> import mindspore.numpy as np
        >>> print(np.unwrap([0.0, 1.0, 8.0]))
        [0.       1.       1.716815]
    """
    angles = floating(p, "unwrap", "p")
    check_type("unwrap", "discont", discont, (int, float))
    return numpy_unwrap(angles, float(discont), as_axis(axis, angles.ndim, "unwrap"))
