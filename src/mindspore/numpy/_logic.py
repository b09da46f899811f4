"""Comparisons, truth, finiteness, membership."""

from __future__ import annotations

from typing import Any

import numpy as np

from mindspore import ops
from mindspore._engine.tensor.tensor import Tensor
from mindspore._ops.array.dynamic_shape import host_values
from mindspore._utils.checks import check_bool, check_type
from mindspore.numpy._inputs import ArrayLike, as_axes, as_tensor, cast, combined
from mindspore.numpy.dtypes import bool_, float32


def equal(x1: ArrayLike, x2: ArrayLike, dtype: Any = None) -> Tensor:
    """Whether ``x1 == x2``.

    Examples:
        >>> import mindspore.numpy as np
        >>> print(np.equal([0, 1, 3], [0, 2, 3]))
        [ True False  True]
    """
    return combined(ops.equal, x1, x2, dtype, "equal")


def not_equal(x1: ArrayLike, x2: ArrayLike, dtype: Any = None) -> Tensor:
    """Whether ``x1 != x2``.

    Examples:
        >>> import mindspore.numpy as np
        >>> print(np.not_equal([0, 1], 1))
        [ True False]
    """
    return combined(ops.not_equal, x1, x2, dtype, "not_equal")


def less(x1: ArrayLike, x2: ArrayLike, dtype: Any = None) -> Tensor:
    """Whether ``x1 < x2``.

    Examples:
        >>> import mindspore.numpy as np
        >>> print(np.less([1, 2], [2, 2]))
        [ True False]
    """
    return combined(ops.less, x1, x2, dtype, "less")


def less_equal(x1: ArrayLike, x2: ArrayLike, dtype: Any = None) -> Tensor:
    """Whether ``x1 <= x2``.

    Examples:
        >>> import mindspore.numpy as np
        >>> print(np.less_equal([4, 2, 1], 2))
        [False  True  True]
    """
    return combined(ops.less_equal, x1, x2, dtype, "less_equal")


def greater(x1: ArrayLike, x2: ArrayLike, dtype: Any = None) -> Tensor:
    """Whether ``x1 > x2``.

    Examples:
        >>> import mindspore.numpy as np
        >>> print(np.greater([4, 2], [2, 2]))
        [ True False]
    """
    return combined(ops.greater, x1, x2, dtype, "greater")


def greater_equal(x1: ArrayLike, x2: ArrayLike, dtype: Any = None) -> Tensor:
    """Whether ``x1 >= x2``.

    Examples:
        >>> import mindspore.numpy as np
        >>> print(np.greater_equal([4, 2, 1], 2))
        [ True  True False]
    """
    return combined(ops.greater_equal, x1, x2, dtype, "greater_equal")


# -- truth: what is not zero is true ----------------------------------------------------------------------------------
def logical_and(x1: ArrayLike, x2: ArrayLike, dtype: Any = None) -> Tensor:
    """Whether both are true.

    Examples:
        >>> import mindspore.numpy as np
        >>> print(np.logical_and([True, False], True))
        [ True False]
    """
    return combined(lambda x, y: ops.logical_and(_truth(x), _truth(y)), x1, x2, dtype, "logical_and")


def logical_or(x1: ArrayLike, x2: ArrayLike, dtype: Any = None) -> Tensor:
    """The logical or.

    Examples:
        >>> import mindspore.numpy as np
        >>> print(np.logical_or([True, False], False))
        [ True False]
    """
    return combined(lambda x, y: ops.logical_or(_truth(x), _truth(y)), x1, x2, dtype, "logical_or")


def logical_xor(x1: ArrayLike, x2: ArrayLike, dtype: Any = None) -> Tensor:
    """The logical exclusive or.

    Examples:
        >>> import mindspore.numpy as np
        >>> print(np.logical_xor([True, False], True))
        [False  True]
    """
    return combined(lambda x, y: ops.logical_xor(_truth(x), _truth(y)), x1, x2, dtype, "logical_xor")


def logical_not(a: ArrayLike, dtype: Any = None) -> Tensor:
    """Whether each element is false.

    Examples:
        >>> import mindspore.numpy as np
        >>> print(np.logical_not([True, False]))
        [False  True]
    """
    return cast(ops.logical_not(_truth(as_tensor(a, "logical_not", "a"))), dtype, "logical_not")


def sometrue(a: ArrayLike, axis: Any = None, keepdims: bool = False) -> Tensor:
    """Whether any element along axes is true.

    Examples:
        >>> import mindspore.numpy as np
        >>> print(np.sometrue([[0, 1], [0, 0]], axis=1))
        [ True False]
    """
    tensor = as_tensor(a, "sometrue", "a")
    return ops.any(_truth(tensor), as_axes(axis, tensor.ndim, "sometrue"), keepdims)


def _truth(tensor: Tensor) -> Tensor:
    return tensor if tensor.dtype == bool_ else tensor.astype(bool_)


# -- finiteness -------------------------------------------------------------------------------------------------------
def _number(x: ArrayLike, owner: str) -> Tensor:
    """Floating point as it is; integers, which are all finite, as float32."""
    tensor = as_tensor(x, owner)
    return tensor if tensor.dtype.is_floating else tensor.astype(float32)


def isfinite(x: ArrayLike, dtype: Any = None) -> Tensor:
    """Whether each element is neither infinite nor NaN.

    Examples:
        >>> import mindspore.numpy as np
        >>> print(np.isfinite([np.inf, 1.0, np.nan]))
        [False  True False]
    """
    return cast(ops.isfinite(_number(x, "isfinite")), dtype, "isfinite")


def isinf(x: ArrayLike, dtype: Any = None) -> Tensor:
    """Whether each element is infinite.

    Examples:
        >>> import mindspore.numpy as np
        >>> print(np.isinf([np.inf, 1.0, -np.inf]))
        [ True False  True]
    """
    return cast(ops.isinf(_number(x, "isinf")), dtype, "isinf")


def isnan(x: ArrayLike, dtype: Any = None) -> Tensor:
    """Whether each element is NaN.

    Examples:
        >>> import mindspore.numpy as np
        >>> print(np.isnan([1.0, np.nan]))
        [False  True]
    """
    return cast(ops.isnan(_number(x, "isnan")), dtype, "isnan")


def isneginf(x: ArrayLike) -> Tensor:
    """Whether each element is minus infinity.

    Examples:
        >>> import mindspore.numpy as np
        >>> print(np.isneginf([-np.inf, np.inf, np.nan]))
        [ True False False]
    """
    return ops.isneginf(_number(x, "isneginf"))


def isposinf(x: ArrayLike) -> Tensor:
    """Whether each element is plus infinity.

    Examples:
        >>> import mindspore.numpy as np
        >>> print(np.isposinf([-np.inf, np.inf, np.nan]))
        [False  True False]
    """
    return ops.isposinf(_number(x, "isposinf"))


def signbit(x: ArrayLike, dtype: Any = None) -> Tensor:
    """Whether each element is below zero.

    Examples:
        >>> import mindspore.numpy as np
        >>> print(np.signbit([-3.0, 2.0]))
        [ True False]
    """
    return cast(ops.signbit(as_tensor(x, "signbit")), dtype, "signbit")


def isscalar(element: Any) -> bool:
    """Whether this is a number, bool or text of Python's.

    Examples:
        >>> import mindspore.numpy as np
        >>> print(np.isscalar(3.1), np.isscalar([3.1]))
        True False
    """
    return isinstance(element, (int, float, bool, str))


# -- equality ---------------------------------------------------------------------------------------------------------
def isclose(a: ArrayLike, b: ArrayLike, rtol: float = 1e-05, atol: float = 1e-08, equal_nan: bool = False) -> Tensor:
    """Whether ``a`` and ``b`` differ by no more than ``atol + rtol * abs(b)``.

    Examples:
        >>> import mindspore.numpy as np
        >>> print(np.isclose([1.0, 2.0], [1.000001, 2.1]))
        [ True False]
    """
    check_bool("isclose", "equal_nan", equal_nan)
    check_type("isclose", "rtol", rtol, (int, float, Tensor))
    check_type("isclose", "atol", atol, (int, float, Tensor))
    x, y = _number(a, "isclose"), _number(b, "isclose")
    # an infinite value is close only to an equal one
    near = ops.logical_and(ops.abs(x - y) <= atol + rtol * ops.abs(y), ops.isfinite(y))
    found = ops.logical_or(near, x == y)
    return ops.logical_or(found, ops.logical_and(ops.isnan(x), ops.isnan(y))) if equal_nan else found


def array_equal(a1: ArrayLike, a2: ArrayLike, equal_nan: bool = False) -> Tensor:
    """Whether two arrays have the same shape and elements.

    Examples:
        >>> import mindspore.numpy as np
        >>> print(np.array_equal([0, 1, 2], [[0, 1, 2]]))
        False
    """
    x, y = as_tensor(a1, "array_equal", "a1"), as_tensor(a2, "array_equal", "a2")
    if x.shape != y.shape:
        return Tensor(False)
    same = x == y
    if check_bool("array_equal", "equal_nan", equal_nan):
        same = ops.logical_or(same, ops.logical_and(isnan(x), isnan(y)))
    return ops.all(same)


def array_equiv(a1: ArrayLike, a2: ArrayLike) -> Tensor:
    """Whether two arrays are equal once their shapes broadcast.

    Examples:
        >>> import mindspore.numpy as np
        >>> print(np.array_equiv([0, 1], [[0, 1], [0, 1]]))
        True
    """
    x, y = as_tensor(a1, "array_equiv", "a1"), as_tensor(a2, "array_equiv", "a2")
    try:
        np.broadcast_shapes(x.shape, y.shape)
    except ValueError:
        return Tensor(False)
    return ops.all(x == y)


# -- membership -------------------------------------------------------------------------------------------------------
def isin(element: ArrayLike, test_elements: ArrayLike, invert: bool = False) -> Tensor:
    """Whether each element is among the others.

    Examples:
        >>> import mindspore.numpy as np
        >>> print(np.isin([0, 1, 2, 5], [0, 2]))
        [ True False  True False]
    """
    tensor = as_tensor(element, "isin", "element")
    tests = ops.reshape(as_tensor(test_elements, "isin", "test_elements"), (-1,))
    found = ops.any(ops.expand_dims(tensor, -1) == tests, -1)
    return ops.logical_not(found) if invert else found


def in1d(ar1: ArrayLike, ar2: ArrayLike, invert: bool = False) -> Tensor:
    """Whether each element of the flat ``ar1`` is in ``ar2``.

    Examples:
        >>> import mindspore.numpy as np
        >>> print(np.in1d([[0, 1], [2, 5]], [0, 2]))
        [ True False  True False]
    """
    return isin(ops.reshape(as_tensor(ar1, "in1d", "ar1"), (-1,)), as_tensor(ar2, "in1d", "ar2"), invert)


def setdiff1d(ar1: ArrayLike, ar2: ArrayLike, assume_unique: bool = False) -> Tensor:
    """The different elements of ``ar1`` that are not in ``ar2``, sorted.

    Args:
        assume_unique: the elements of each are known to differ; then they keep their order.

    Examples:
        >>> import mindspore.numpy as np
        >>> print(np.setdiff1d([1, 2, 3, 2, 4], [3, 4, 5]))
        [1 2]
    """
    instead = "np.isin(ar1, ar2, invert=True) as a mask."
    first = host_values(as_tensor(ar1, "setdiff1d", "ar1"), "setdiff1d", instead)
    second = host_values(as_tensor(ar2, "setdiff1d", "ar2"), "setdiff1d", instead)
    return Tensor(
        np.setdiff1d(
            first.reshape(-1), second.reshape(-1), assume_unique=check_bool("setdiff1d", "assume_unique", assume_unique)
        )
    )
