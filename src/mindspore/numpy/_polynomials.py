"""Polynomials as vectors of coefficients, highest power first; and interpolation."""

from __future__ import annotations

from typing import Any

from mindspore import ops
from mindspore._engine.tensor.tensor import Tensor
from mindspore._ops.linalg.numpy_math import numpy_convolve, numpy_interp, numpy_polyval
from mindspore._utils.checks import check_int
from mindspore._utils.refusals import refused
from mindspore.numpy._inputs import ArrayLike, as_tensor, floating, result_dtype, same_dtype
from mindspore.numpy.dtypes import float32, int32


def _coefficients(values: ArrayLike, owner: str, name: str) -> Tensor:
    tensor = as_tensor(values, owner, name)
    if tensor.ndim > 1:
        raise refused(ValueError, f"For '{owner}', the '{name}' must have 1 dimension, but got shape {tensor.shape}.")
    return ops.reshape(tensor, (-1,))


def _same_length(a1: ArrayLike, a2: ArrayLike, owner: str) -> list[Tensor]:
    tensors = same_dtype([_coefficients(a1, owner, "a1"), _coefficients(a2, owner, "a2")])
    length = max([tensor.size for tensor in tensors])
    return [ops.concat([ops.zeros(length - tensor.size, tensor.dtype), tensor]) for tensor in tensors]


def polyadd(a1: ArrayLike, a2: ArrayLike) -> Tensor:
    """The sum of two polynomials.

    Examples:
        >>> import mindspore.numpy as np
        >>> print(np.polyadd([1, 2], [9, 5, 4]))
        [9 6 6]
    """
    return ops.add(*_same_length(a1, a2, "polyadd"))


def polysub(a1: ArrayLike, a2: ArrayLike) -> Tensor:
    """The difference of two polynomials.

    Examples:
        >>> import mindspore.numpy as np
        >>> print(np.polysub([2, 10, -2], [3, 10, -4]))
        [-1  0  2]
    """
    return ops.sub(*_same_length(a1, a2, "polysub"))


def polymul(a1: ArrayLike, a2: ArrayLike) -> Tensor:
    """The product of two polynomials.

    Examples:
        >>> import mindspore.numpy as np
        >>> print(np.polymul([3, 1, 2], [2, 5]))
        [ 6 17  9 10]
    """
    return numpy_convolve(*same_dtype([_coefficients(a1, "polymul", "a1"), _coefficients(a2, "polymul", "a2")]), "full")


def polyval(p: ArrayLike, x: ArrayLike) -> Tensor:
    """The value of a polynomial at each ``x``, in floating point.

    Examples:
        >>> import mindspore.numpy as np
        >>> print(np.polyval([3, 0, 1], [1.0, 2.0]))
        [ 4. 13.]
    """
    return numpy_polyval(floating(_coefficients(p, "polyval", "p"), "polyval"), floating(x, "polyval"))


def polyder(p: ArrayLike, m: int = 1) -> Tensor:
    """The ``m``-th derivative of a polynomial.

    Examples:
        >>> import mindspore.numpy as np
        >>> print(np.polyder([1, 1, 1, 1], 2))
        [6 2]
    """
    tensor, count = _coefficients(p, "polyder", "p"), check_int("polyder", "m", m, 0)
    if count >= tensor.size:
        return ops.zeros(0, float32)
    for _ in range(count):
        powers = as_tensor(list(range(tensor.size - 1, 0, -1)), "polyder")
        tensor = tensor[:-1] * powers.astype(result_dtype([tensor.dtype, int32]))
    return tensor


def polyint(p: ArrayLike, m: int = 1, k: Any = None) -> Tensor:
    """The ``m``-th integral of a polynomial, with ``k`` as its constants.

    Examples:
        >>> import mindspore.numpy as np
        >>> print(np.polyint([3.0, 2.0, 1.0]))
        [1. 1. 1. 0.]
    """
    tensor, count = floating(_coefficients(p, "polyint", "p"), "polyint"), check_int("polyint", "m", m, 0)
    constants = _coefficients(0 if k is None else k, "polyint", "k").astype(tensor.dtype)
    if constants.size not in (1, count):
        raise refused(ValueError, f"For 'polyint', the 'k' must be one number or {count}, but got {constants.size}.")
    for step in range(count):
        powers = as_tensor([float(n) for n in range(tensor.size, 0, -1)], "polyint").astype(tensor.dtype)
        constant = constants[:1] if constants.size == 1 else constants[step : step + 1]
        tensor = ops.concat([tensor / powers, constant])
    return tensor


def interp(
    x: ArrayLike, xp: ArrayLike, fp: ArrayLike, left: ArrayLike | None = None, right: ArrayLike | None = None
) -> Tensor:
    """The piecewise linear function through the points ``(xp, fp)``.

    Args:
        left, right: what stands before the first and after the last point; the value there unless given.

    Examples:
        >>> import mindspore.numpy as np
        >>> print(np.interp([0.5, 1.5], [0, 1, 2], [1, 3, 2]))
        [2.  2.5]
    """
    points, heights = floating(xp, "interp", "xp"), floating(fp, "interp", "fp")
    if points.ndim != 1 or heights.shape != points.shape:
        raise refused(
            ValueError,
            f"For 'interp', the 'xp' and 'fp' must be vectors of one length, but got {points.shape} and {heights.shape}.",
        )
    ends = [None if end is None else floating(end, "interp", name) for end, name in ((left, "left"), (right, "right"))]
    return numpy_interp(*same_dtype([floating(x, "interp"), points, heights]), *ends)
