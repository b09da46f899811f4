"""Comparisons, truth, finiteness, membership."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from mindspore import ops
from mindspore._engine.tensor import Tensor
from mindspore.numpy._inputs import ArrayLike, as_axes, as_tensor, cast, host_values
from mindspore.numpy.dtypes import bool_, float32


def _compared(function: Callable[..., Any], x1: ArrayLike, x2: ArrayLike, dtype: Any, owner: str) -> Tensor:
    return cast(function(as_tensor(x1, owner, "x1"), as_tensor(x2, owner, "x2")), dtype, owner)


def equal(x1: ArrayLike, x2: ArrayLike, dtype: Any = None) -> Tensor:
    """Whether ``x1 == x2``. || np.equal([0, 1, 3], [0, 2, 3])"""
    return _compared(ops.equal, x1, x2, dtype, "equal")


def not_equal(x1: ArrayLike, x2: ArrayLike, dtype: Any = None) -> Tensor:
    """Whether ``x1 != x2``. || np.not_equal([0, 1], 1)"""
    return _compared(ops.not_equal, x1, x2, dtype, "not_equal")


def less(x1: ArrayLike, x2: ArrayLike, dtype: Any = None) -> Tensor:
    """Whether ``x1 < x2``. || np.less([1, 2], [2, 2])"""
    return _compared(ops.less, x1, x2, dtype, "less")


def less_equal(x1: ArrayLike, x2: ArrayLike, dtype: Any = None) -> Tensor:
    """Whether ``x1 <= x2``. || np.less_equal([4, 2, 1], 2)"""
    return _compared(ops.less_equal, x1, x2, dtype, "less_equal")


def greater(x1: ArrayLike, x2: ArrayLike, dtype: Any = None) -> Tensor:
    """Whether ``x1 > x2``. || np.greater([4, 2], [2, 2])"""
    return _compared(ops.greater, x1, x2, dtype, "greater")


def greater_equal(x1: ArrayLike, x2: ArrayLike, dtype: Any = None) -> Tensor:
    """Whether ``x1 >= x2``. || np.greater_equal([4, 2, 1], 2)"""
    return _compared(ops.greater_equal, x1, x2, dtype, "greater_equal")


# -- truth: what is not zero is true ----------------------------------------------------------------------------------
def logical_and(x1: ArrayLike, x2: ArrayLike, dtype: Any = None) -> Tensor:
    """Whether both are true. || np.logical_and([True, False], True)"""
    return _compared(lambda x, y: ops.logical_and(_truth(x), _truth(y)), x1, x2, dtype, "logical_and")


def logical_or(x1: ArrayLike, x2: ArrayLike, dtype: Any = None) -> Tensor:
    """Whether one of them is true. || np.logical_or([True, False], False)"""
    return _compared(lambda x, y: ops.logical_or(_truth(x), _truth(y)), x1, x2, dtype, "logical_or")


def logical_xor(x1: ArrayLike, x2: ArrayLike, dtype: Any = None) -> Tensor:
    """Whether only one of them is true. || np.logical_xor([True, False], True)"""
    return _compared(lambda x, y: ops.logical_xor(_truth(x), _truth(y)), x1, x2, dtype, "logical_xor")


def logical_not(a: ArrayLike, dtype: Any = None) -> Tensor:
    """Whether each element is false. || np.logical_not([True, False])"""
    return cast(ops.logical_not(_truth(as_tensor(a, "logical_not", "a"))), dtype, "logical_not")


def sometrue(a: ArrayLike, axis: Any = None, keepdims: bool = False) -> Tensor:
    """Whether any element along axes is true. || np.sometrue([[0, 1], [0, 0]], axis=1)"""
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
    """Whether each element is neither infinite nor NaN. || np.isfinite([np.inf, 1.0, np.nan])"""
    return cast(ops.isfinite(_number(x, "isfinite")), dtype, "isfinite")


def isinf(x: ArrayLike, dtype: Any = None) -> Tensor:
    """Whether each element is infinite. || np.isinf([np.inf, 1.0, -np.inf])"""
    return cast(ops.isinf(_number(x, "isinf")), dtype, "isinf")


def isnan(x: ArrayLike, dtype: Any = None) -> Tensor:
    """Whether each element is NaN. || np.isnan([1.0, np.nan])"""
    return cast(ops.isnan(_number(x, "isnan")), dtype, "isnan")


def isneginf(x: ArrayLike) -> Tensor:
    """Whether each element is minus infinity. || np.isneginf([-np.inf, np.inf, np.nan])"""
    return ops.isneginf(_number(x, "isneginf"))


def isposinf(x: ArrayLike) -> Tensor:
    """Whether each element is plus infinity. || np.isposinf([-np.inf, np.inf, np.nan])"""
    return ops.isposinf(_number(x, "isposinf"))


def signbit(x: ArrayLike, dtype: Any = None) -> Tensor:
    """Whether each element is below zero. || np.signbit([-3.0, 2.0])"""
    return cast(ops.signbit(as_tensor(x, "signbit")), dtype, "signbit")


def isscalar(element: Any) -> bool:
    """Whether this is a number, bool or text of Python's. || np.isscalar(3.1), np.isscalar([3.1])"""
    return isinstance(element, (int, float, bool, str))


# -- equality ---------------------------------------------------------------------------------------------------------
def isclose(a: ArrayLike, b: ArrayLike, rtol: float = 1e-05, atol: float = 1e-08, equal_nan: bool = False) -> Tensor:
    """Whether ``a`` and ``b`` differ by no more than ``atol + rtol * abs(b)``. || np.isclose([1.0, 2.0], [1.000001, 2.1])"""
    x, y = _number(a, "isclose"), _number(b, "isclose")
    # what is infinite has no distance: it is close to what is equal
    near = ops.logical_and(ops.abs(x - y) <= atol + rtol * ops.abs(y), ops.isfinite(y))
    found = ops.logical_or(near, x == y)
    return ops.logical_or(found, ops.logical_and(ops.isnan(x), ops.isnan(y))) if equal_nan else found


def array_equal(a1: ArrayLike, a2: ArrayLike, equal_nan: bool = False) -> Tensor:
    """Whether two arrays have the same shape and elements. || np.array_equal([0, 1, 2], [[0, 1, 2]])"""
    x, y = as_tensor(a1, "array_equal", "a1"), as_tensor(a2, "array_equal", "a2")
    if x.shape != y.shape:
        return Tensor(False)
    same = x == y
    if equal_nan:
        same = ops.logical_or(same, ops.logical_and(isnan(x), isnan(y)))
    return ops.all(same)


def array_equiv(a1: ArrayLike, a2: ArrayLike) -> Tensor:
    """Whether two arrays are equal once their shapes broadcast. || np.array_equiv([0, 1], [[0, 1], [0, 1]])"""
    x, y = as_tensor(a1, "array_equiv", "a1"), as_tensor(a2, "array_equiv", "a2")
    try:
        np.broadcast_shapes(x.shape, y.shape)
    except ValueError:
        return Tensor(False)
    return ops.all(x == y)


# -- membership -------------------------------------------------------------------------------------------------------
def isin(element: ArrayLike, test_elements: ArrayLike, invert: bool = False) -> Tensor:
    """Whether each element is among the others. || np.isin([0, 1, 2, 5], [0, 2])"""
    tensor = as_tensor(element, "isin", "element")
    tests = ops.reshape(as_tensor(test_elements, "isin", "test_elements"), (-1,))
    found = ops.any(ops.expand_dims(tensor, -1) == tests, -1)
    return ops.logical_not(found) if invert else found


def in1d(ar1: ArrayLike, ar2: ArrayLike, invert: bool = False) -> Tensor:
    """Whether each element of the flat ``ar1`` is in ``ar2``. || np.in1d([[0, 1], [2, 5]], [0, 2])"""
    return isin(ops.reshape(as_tensor(ar1, "in1d", "ar1"), (-1,)), as_tensor(ar2, "in1d", "ar2"), invert)


def setdiff1d(ar1: ArrayLike, ar2: ArrayLike, assume_unique: bool = False) -> Tensor:
    """The different elements of ``ar1`` that are not in ``ar2``, sorted. || np.setdiff1d([1, 2, 3, 2, 4], [3, 4, 5])

    Args:
        assume_unique: the elements of each are known to differ; then they keep their order.
    """
    instead = "np.isin(ar1, ar2, invert=True) as a mask."
    first = host_values(as_tensor(ar1, "setdiff1d", "ar1"), "setdiff1d", instead)
    second = host_values(as_tensor(ar2, "setdiff1d", "ar2"), "setdiff1d", instead)
    return Tensor(np.setdiff1d(first.reshape(-1), second.reshape(-1), assume_unique=assume_unique))
