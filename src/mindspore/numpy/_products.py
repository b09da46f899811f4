"""Products of vectors and matrices, norms, convolution."""

from __future__ import annotations

import functools
from typing import Any

from mindspore import ops
from mindspore._engine.tensor.tensor import Tensor
from mindspore._ops.linalg.numpy_math import numpy_convolve, numpy_correlate, numpy_cross
from mindspore._utils.checks import check_one_of, shown
from mindspore._utils.refusals import refused
from mindspore.numpy._inputs import ArrayLike, as_axis, as_tensor, as_tensors, cast, floating, same_dtype
from mindspore.numpy.dtypes import float16, float32


def _pair(a: ArrayLike, b: ArrayLike, owner: str, names: str = "ab") -> list[Tensor]:
    return same_dtype([as_tensor(a, owner, names[0]), as_tensor(b, owner, names[1])])


def dot(a: ArrayLike, b: ArrayLike) -> Tensor:
    """The sum of products over the last axis of ``a`` and the second to last of ``b``.

    Examples:
        >>> import mindspore.numpy as np
        >>> print(np.dot([[1, 2], [3, 4]], [1, 1]))
        [3 7]
    """
    x, y = _pair(a, b, "dot")
    if x.ndim == 0 or y.ndim == 0:
        return ops.mul(x, y)
    inner = y.shape[-2] if y.ndim > 1 else y.shape[0]
    _check_aligned(x.shape[-1], inner, x, y, "dot")
    return _contract(x, y, -1, max(y.ndim - 2, 0))


def inner(a: ArrayLike, b: ArrayLike) -> Tensor:
    """The sum of products over the last axis of both.

    Examples:
        >>> import mindspore.numpy as np
        >>> print(np.inner([1, 2, 3], [4, 5, 6]))
        32
    """
    x, y = _pair(a, b, "inner")
    if x.ndim == 0 or y.ndim == 0:
        return ops.mul(x, y)
    _check_aligned(x.shape[-1], y.shape[-1], x, y, "inner")
    return _contract(x, y, -1, -1)


def _check_aligned(first: int, second: int, x: Tensor, y: Tensor, owner: str) -> None:
    if first != second:
        raise refused(
            ValueError,
            f"For '{owner}', the axes summed over must have the same length, but got {first} and {second}: "
            f"shapes {x.shape} and {y.shape}.",
        )


def _contract(x: Tensor, y: Tensor, first: int, second: int) -> Tensor:
    """The contraction of an axis of each: the other axes of ``x``, then those of ``y``."""
    left = ops.reshape(ops.moveaxis(x, first, -1), (-1, x.shape[first]))
    right = ops.reshape(ops.moveaxis(y, second, 0), (y.shape[second], -1))
    rest = [n for number, n in enumerate(x.shape) if number != first % x.ndim]
    rest += [n for number, n in enumerate(y.shape) if number != second % y.ndim]
    return ops.reshape(ops.matmul(left, right), rest)


def outer(a: ArrayLike, b: ArrayLike) -> Tensor:
    """Each element of ``a`` times each of ``b``.

    Examples:
        >>> import mindspore.numpy as np
        >>> print(np.outer([1, 2], [3, 4]))
        [[3 4]
         [6 8]]
    """
    x, y = _pair(a, b, "outer")
    return ops.mul(ops.reshape(x, (-1, 1)), ops.reshape(y, (1, -1)))


def matmul(x1: ArrayLike, x2: ArrayLike, dtype: Any = None) -> Tensor:
    """The matrix product, of stacks of matrices too.

    Examples:
        >>> import mindspore.numpy as np
        >>> print(np.matmul([[1, 2], [3, 4]], [[1, 0], [0, 1]]))
        [[1 2]
         [3 4]]
    """
    x, y = same_dtype([as_tensor(x1, "matmul", "x1"), as_tensor(x2, "matmul", "x2")])
    if x.ndim == 0 or y.ndim == 0:
        raise refused(
            TypeError, "For 'matmul', the 'x1' and 'x2' must have at least 1 dimension, but got a number. Use multiply."
        )
    return cast(ops.matmul(x, y), dtype, "matmul")


def tensordot(a: ArrayLike, b: ArrayLike, axes: Any = 2) -> Tensor:
    """The sum of products over some axes of both.

    Args:
        axes: how many of the last of ``a`` and the first of ``b``, or two lists of axes.

    Examples:
        >>> import mindspore.numpy as np
        >>> print(np.tensordot(np.ones((2, 3)), np.ones((3, 4)), 1))
        [[3. 3. 3. 3.]
         [3. 3. 3. 3.]]
    """
    x, y = _pair(a, b, "tensordot")
    if isinstance(axes, bool) or not isinstance(axes, (int, list, tuple)):
        raise refused(
            TypeError, f"For 'tensordot', the 'axes' must be an int or two lists of axes, but got {shown(axes)}."
        )
    if axes == 0:
        return ops.reshape(outer(x, y), (*x.shape, *y.shape))
    return ops.tensor_dot(x, y, axes)


def kron(a: ArrayLike, b: ArrayLike) -> Tensor:
    """The Kronecker product: a block of ``b`` for each element of ``a``.

    Examples:
        >>> import mindspore.numpy as np
        >>> print(np.kron([1, 10], [1, 2]))
        [ 1  2 10 20]
    """
    return ops.kron(*_pair(a, b, "kron"))


def cross(
    a: ArrayLike, b: ArrayLike, axisa: int = -1, axisb: int = -1, axisc: int = -1, axis: int | None = None
) -> Tensor:
    """The vector product of vectors of 2 or 3 numbers.

    Args:
        axisa, axisb, axisc: along which axis the vectors of ``a``, ``b`` and the result lie; ``axis`` names all three.

    Examples:
        >>> import mindspore.numpy as np
        >>> print(np.cross([1, 2, 3], [4, 5, 6]))
        [-3  6 -3]
    """
    x, y = _pair(a, b, "cross")
    axisa, axisb, axisc = (axisa, axisb, axisc) if axis is None else (axis, axis, axis)
    axisa, axisb = as_axis(axisa, x.ndim, "cross", "axisa"), as_axis(axisb, y.ndim, "cross", "axisb")
    if x.shape[axisa] not in (2, 3) or y.shape[axisb] not in (2, 3):
        raise refused(
            ValueError,
            f"For 'cross', the vectors must have 2 or 3 numbers, but got {x.shape[axisa]} and {y.shape[axisb]}.",
        )
    ndim = max(x.ndim, y.ndim)
    return numpy_cross(x, y, axisa, axisb, as_axis(axisc, ndim, "cross", "axisc"))


def multi_dot(arrays: Any) -> Tensor:
    """The product of several matrices; the first and the last may be vectors.

    Examples:
        >>> import mindspore.numpy as np
        >>> print(np.multi_dot([np.eye(2), np.ones((2, 3))]))
        [[1. 1. 1.]
         [1. 1. 1.]]
    """
    tensors = as_tensors(arrays, "multi_dot")
    if len(tensors) < 2:
        raise refused(ValueError, "For 'multi_dot', the 'arrays' must hold at least 2 arrays, but got 1.")
    return functools.reduce(dot, _cheaper_end_first(tensors))


def _cheaper_end_first(tensors: list[Tensor]) -> list[Tensor]:
    """Of three matrices, the two whose product costs less to form first."""
    if len(tensors) != 3 or any(tensor.ndim != 2 for tensor in tensors):
        return tensors
    (rows, first), (_, second), (_, columns) = (tensor.shape for tensor in tensors)
    if rows * second * (first + columns) <= first * columns * (second + rows):
        return tensors
    return [tensors[0], dot(tensors[1], tensors[2])]


def matrix_power(a: ArrayLike, n: int) -> Tensor:
    """A square matrix times itself, ``n`` times.

    Examples:
        >>> import mindspore.numpy as np
        >>> print(np.matrix_power([[1.0, 1.0], [0.0, 1.0]], 3))
        [[1. 3.]
         [0. 1.]]
    """
    tensor = as_tensor(a, "matrix_power", "a")
    if tensor.ndim < 2 or tensor.shape[-1] != tensor.shape[-2]:
        raise refused(
            ValueError, f"For 'matrix_power', the last 2 axes of 'a' must be equal, but got shape {tensor.shape}."
        )
    if isinstance(n, bool) or not isinstance(n, int):
        raise refused(TypeError, f"For 'matrix_power', the 'n' must be an int, but got {shown(n)}.")
    return ops.matrix_power(tensor, n)


def norm(x: ArrayLike, ord: Any = None, axis: Any = None, keepdims: bool = False) -> Tensor:
    """The norm of vectors along an axis, or of matrices along two.

    Args:
        ord: None (2-norm), a number or inf, -inf for vectors; 'fro', 1, -1, inf, -inf for matrices.
        axis: None for all elements, an int for vectors, two ints for matrices.

    Examples:
        >>> import mindspore.numpy as np
        >>> print(np.norm([3.0, 4.0]))
        5.0
    """
    tensor = floating(x, "norm")
    if isinstance(ord, str) and ord not in ("fro", "nuc"):
        raise refused(ValueError, f"For 'norm', the 'ord' must be a number, inf, -inf or 'fro', but got {ord!r}.")
    axis = tuple(axis) if isinstance(axis, list) else axis
    tensor = tensor.astype(float32) if tensor.dtype == float16 else tensor
    return ops.norm(tensor, ord, axis, keepdims)


_MODES = ("full", "same", "valid")


def convolve(a: ArrayLike, v: ArrayLike, mode: str = "full") -> Tensor:
    """The convolution of two vectors: all of it, as long as the longer, or where both overlap.

    Examples:
        >>> import mindspore.numpy as np
        >>> print(np.convolve([1, 2, 3], [0, 1]))
        [0 1 2 3]
    """
    return numpy_convolve(*_vectors(a, v, mode, "convolve"), mode)


def correlate(a: ArrayLike, v: ArrayLike, mode: str = "valid") -> Tensor:
    """The correlation of two vectors, in floating point.

    Examples:
        >>> import mindspore.numpy as np
        >>> print(np.correlate([1.0, 2.0, 3.0], [0.0, 1.0, 0.5]))
        [3.5]
    """
    x, y = _vectors(a, v, mode, "correlate")
    return numpy_correlate(floating(x, "correlate"), floating(y, "correlate"), mode)


def _vectors(a: ArrayLike, v: ArrayLike, mode: str, owner: str) -> list[Tensor]:
    x, y = (ops.reshape(tensor, (1,)) if tensor.ndim == 0 else tensor for tensor in _pair(a, v, owner, "av"))
    if x.ndim != 1 or y.ndim != 1:
        raise refused(
            ValueError, f"For '{owner}', the 'a' and 'v' must have 1 dimension, but got shapes {x.shape} and {y.shape}."
        )
    if x.size == 0 or y.size == 0:
        raise refused(ValueError, f"For '{owner}', the 'a' and 'v' must not be empty.")
    check_one_of(owner, "mode", mode, _MODES)
    return [x, y]
