"""Arrays from values, shapes and ranges."""

from __future__ import annotations

import math
from typing import Any

from mindspore import ops
from mindspore._engine.tensor.tensor import Tensor
from mindspore._ops.linalg.numpy_arrays import numpy_eye, numpy_full, numpy_geomspace, numpy_linspace
from mindspore._utils.checks import check_bool, check_int, shown
from mindspore._utils.refusals import refused
from mindspore.numpy._inputs import ArrayLike, as_dtype, as_shape, as_tensor, cast, floating, same_dtype
from mindspore.numpy.dtypes import float32, int32


# -- from values ------------------------------------------------------------------------------------------------------
def array(obj: ArrayLike, dtype: Any = None, copy: bool = True, ndmin: int = 0) -> Tensor:
    """A Tensor of numbers or nested lists: ints become int32, floats float32.

    Args:
        copy: whether a Tensor is copied.
        ndmin: with how many dimensions at least; the new ones come first.

    Examples:
        >>> import mindspore.numpy as np
        >>> print(np.array([[1, 2], [3, 4]]))
        [[1 2]
         [3 4]]
    """
    wanted = as_dtype(dtype, "array")
    result = cast(as_tensor(obj, "array", "obj", wanted), wanted, "array")
    if copy and result is obj:
        result = result.copy()
    missing = check_int("array", "ndmin", ndmin) - result.ndim
    return ops.reshape(result, (1,) * missing + result.shape) if missing > 0 else result


def asarray(a: ArrayLike, dtype: Any = None) -> Tensor:
    """A Tensor of numbers or nested lists; a Tensor stays itself.

    Examples:
        >>> import mindspore.numpy as np
        >>> print(np.asarray([1.5, 2]))
        [1.5 2. ]
    """
    wanted = as_dtype(dtype, "asarray")
    return cast(as_tensor(a, "asarray", "a", wanted), wanted, "asarray")


def asfarray(a: ArrayLike, dtype: Any = float32) -> Tensor:
    """A Tensor in floating point; a dtype of integers means float32.

    Examples:
        >>> import mindspore.numpy as np
        >>> print(np.asfarray([1, 2]))
        [1. 2.]
    """
    wanted = as_dtype(dtype, "asfarray")
    wanted = wanted if wanted is not None and wanted.is_floating else float32
    return as_tensor(a, "asfarray", "a", wanted).astype(wanted)


def copy(a: ArrayLike) -> Tensor:
    """A copy.

    Examples:
        >>> import mindspore.numpy as np
        >>> print(np.copy([1, 2]))
        [1 2]
    """
    return as_tensor(a, "copy", "a").copy()


# -- from a shape -----------------------------------------------------------------------------------------------------
def zeros(shape: Any, dtype: Any = float32) -> Tensor:
    """Zeros.

    Examples:
        >>> import mindspore.numpy as np
        >>> print(np.zeros((2, 2)))
        [[0. 0.]
         [0. 0.]]
    """
    return ops.zeros(as_shape(shape, "zeros"), as_dtype(dtype, "zeros"))


def ones(shape: Any, dtype: Any = float32) -> Tensor:
    """Ones.

    Examples:
        >>> import mindspore.numpy as np
        >>> print(np.ones((2, 2)))
        [[1. 1.]
         [1. 1.]]
    """
    return ops.ones(as_shape(shape, "ones"), as_dtype(dtype, "ones"))


def empty(shape: Any, dtype: Any = float32) -> Tensor:
    """An array whose elements do not matter; here they are zeros.

    Examples:
        >>> import mindspore.numpy as np
        >>> print(np.empty((2, 3)).shape)
        (2, 3)
    """
    return ops.zeros(as_shape(shape, "empty"), as_dtype(dtype, "empty"))


def full(shape: Any, fill_value: ArrayLike, dtype: Any = None) -> Tensor:
    """A number or an array broadcast to the shape.

    Examples:
        >>> import mindspore.numpy as np
        >>> print(np.full((2, 2), 3))
        [[3 3]
         [3 3]]
    """
    wanted = as_dtype(dtype, "full")
    return numpy_full(as_shape(shape, "full"), as_tensor(fill_value, "full", "fill_value", wanted), wanted)


def zeros_like(a: ArrayLike, dtype: Any = None, shape: Any = None) -> Tensor:
    """Zeros in the shape and dtype of an array, unless given.

    Examples:
        >>> import mindspore.numpy as np
        >>> print(np.zeros_like([[1, 2], [3, 4]]))
        [[0 0]
         [0 0]]
    """
    return zeros(*_like(a, dtype, shape, "zeros_like", "a"))


def ones_like(a: ArrayLike, dtype: Any = None, shape: Any = None) -> Tensor:
    """Ones in the shape and dtype of an array, unless given.

    Examples:
        >>> import mindspore.numpy as np
        >>> print(np.ones_like([[1, 2], [3, 4]]))
        [[1 1]
         [1 1]]
    """
    return ones(*_like(a, dtype, shape, "ones_like", "a"))


def empty_like(prototype: ArrayLike, dtype: Any = None, shape: Any = None) -> Tensor:
    """An array like another, whose elements do not matter.

    Examples:
        >>> import mindspore.numpy as np
        >>> print(np.empty_like([[1, 2]]).shape)
        (1, 2)
    """
    return empty(*_like(prototype, dtype, shape, "empty_like", "prototype"))


def full_like(a: ArrayLike, fill_value: ArrayLike, dtype: Any = None, shape: Any = None) -> Tensor:
    """A number in the shape and dtype of an array, unless they are given.

    Examples:
        >>> import mindspore.numpy as np
        >>> print(np.full_like([1, 2, 3], 7))
        [7 7 7]
    """
    shape, dtype = _like(a, dtype, shape, "full_like", "a")
    return numpy_full(as_shape(shape, "full_like"), as_tensor(fill_value, "full_like", "fill_value", dtype), dtype)


def _like(a: ArrayLike, dtype: Any, shape: Any, owner: str, name: str) -> tuple[Any, Any]:
    tensor = as_tensor(a, owner, name)
    return tensor.shape if shape is None else shape, as_dtype(dtype, owner) or tensor.dtype


def eye(N: int, M: int | None = None, k: int = 0, dtype: Any = float32) -> Tensor:
    """Ones on the ``k``-th diagonal of an N × M matrix.

    Examples:
        >>> import mindspore.numpy as np
        >>> print(np.eye(2, 3, 1))
        [[0. 1. 0.]
         [0. 0. 1.]]
    """
    rows = check_int("eye", "N", N, 0)
    columns = rows if M is None else check_int("eye", "M", M, 0)
    return numpy_eye(rows, columns, check_int("eye", "k", k), as_dtype(dtype, "eye"))


def identity(n: int, dtype: Any = float32) -> Tensor:
    """Ones on the diagonal of a square matrix.

    Examples:
        >>> import mindspore.numpy as np
        >>> print(np.identity(2))
        [[1. 0.]
         [0. 1.]]
    """
    return eye(check_int("identity", "n", n, 0), dtype=dtype)


# -- ranges -----------------------------------------------------------------------------------------------------------
def arange(start: float, stop: float | None = None, step: float | None = None, dtype: Any = None) -> Tensor:
    """Numbers from ``start`` (0 unless given) up to, not including, ``stop``.

    The result is int32 when all numbers are ints, else float32, unless ``dtype`` says otherwise.

    Examples:
        >>> import mindspore.numpy as np
        >>> print(np.arange(1, 10, 3))
        [1 4 7]
    """
    first, last = (0, start) if stop is None else (start, stop)
    numbers = [
        _number(value, name)
        for value, name in ((first, "start"), (last, "stop"), (1 if step is None else step, "step"))
    ]
    if numbers[2] == 0:
        raise ZeroDivisionError("For 'arange', the 'step' must not be 0.")
    kind = as_dtype(dtype, "arange") or (int32 if all(isinstance(number, int) for number in numbers) else float32)
    if math.ceil((numbers[1] - numbers[0]) / numbers[2]) <= 0:
        return ops.zeros(0, kind)
    return ops.arange(*numbers).astype(
        dtype if isinstance(dtype, type) else kind
    )  # int and float are 64 bits wide here


def _number(value: Any, name: str) -> float:
    value = value.item() if isinstance(value, Tensor) else value
    if isinstance(value, bool) or not isinstance(value, (int, float)):
        raise refused(TypeError, f"For 'arange', the '{name}' must be a number, but got {shown(value)}.")
    return value


def linspace(start: ArrayLike, stop: ArrayLike, num: int = 50, endpoint: bool = True, retstep: bool = False,
             dtype: Any = None, axis: int = 0) -> Any:  # fmt: skip
    """``num`` numbers at equal distances from ``start`` to ``stop``.

    Args:
        endpoint: whether ``stop`` is the last of them.
        retstep: return the distance too.
        axis: along which axis they lie when ``start`` and ``stop`` are arrays.

    Examples:
        >>> import mindspore.numpy as np
        >>> print(np.linspace(0, 1, 5))
        [0.   0.25 0.5  0.75 1.  ]
    """
    first, last = _ends(start, stop, num, endpoint, "linspace")
    points = cast(numpy_linspace(first, last, num, endpoint, axis), dtype, "linspace")
    if not check_bool("linspace", "retstep", retstep):
        return points
    gaps = num - 1 if endpoint else num
    return points, (last - first) / gaps if gaps else ops.full_like(last - first, math.nan)


def _ends(start: ArrayLike, stop: ArrayLike, num: int, endpoint: bool, owner: str) -> list[Tensor]:
    check_int(owner, "num", num, 1)
    check_bool(owner, "endpoint", endpoint)
    return same_dtype([floating(start, owner, "start"), floating(stop, owner, "stop")])


def logspace(start: ArrayLike, stop: ArrayLike, num: int = 50, endpoint: bool = True, base: ArrayLike = 10.0,
             dtype: Any = None, axis: int = 0) -> Tensor:  # fmt: skip
    """``base`` to the power of numbers at equal distances, see :func:`linspace`.

    Examples:
        >>> import mindspore.numpy as np
        >>> print(np.logspace(0, 3, 4, base=2))
        [1. 2. 4. 8.]
    """
    exponents = numpy_linspace(*_ends(start, stop, num, endpoint, "logspace"), num, endpoint, axis)
    return cast(ops.pow(floating(base, "logspace", "base"), exponents), dtype, "logspace")


def geomspace(
    start: ArrayLike, stop: ArrayLike, num: int = 50, endpoint: bool = True, dtype: Any = None, axis: int = 0
) -> Tensor:
    """``num`` numbers in equal proportions from ``start`` to ``stop``.

    Examples:
        >>> import mindspore.numpy as np
        >>> print(np.geomspace(1, 8, 4))
        [1.        2.        4.0000005 8.       ]
    """
    points = numpy_geomspace(*_ends(start, stop, num, endpoint, "geomspace"), num, endpoint, axis)
    return cast(points, dtype, "geomspace")


# -- random -----------------------------------------------------------------------------------------------------------
def rand(*shape: Any, dtype: Any = float32) -> Tensor:
    """Uniform numbers in [0, 1).

    Examples:
        >>> import mindspore.numpy as np
        >>> print(np.rand(2, 3).shape)
        (2, 3)
    """
    return ops.rand(*_sizes(shape, "rand"), dtype=as_dtype(dtype, "rand"))


def randn(*shape: Any, dtype: Any = float32) -> Tensor:
    """Numbers of the standard normal distribution.

    Examples:
        >>> import mindspore.numpy as np
        >>> print(np.randn(2, 3).shape)
        (2, 3)
    """
    return ops.randn(*_sizes(shape, "randn"), dtype=as_dtype(dtype, "randn"))


def _sizes(shape: tuple, owner: str) -> tuple[int, ...]:
    listed = shape[0] if len(shape) == 1 and isinstance(shape[0], (list, tuple)) else shape
    return as_shape(listed or (1,), owner)


def randint(minval: int, maxval: int | None = None, shape: Any = None, dtype: Any = int32) -> Tensor:
    """Whole numbers from ``minval`` up to, not including, ``maxval``; with a single number, up to that.

    Examples:
        >>> import mindspore.numpy as np
        >>> print(np.randint(3, 9, (2, 3)).shape)
        (2, 3)
    """
    low, high = (0, minval) if maxval is None else (minval, maxval)
    low, high = check_int("randint", "minval", low), check_int("randint", "maxval", high)
    if low >= high:
        raise refused(
            ValueError,
            f"For 'randint', the 'minval' must be below 'maxval' (or above 0 alone), but got {low} and {high}.",
        )
    size = (1,) if shape is None else as_shape(shape, "randint")
    return ops.randint(low, high, size, dtype=as_dtype(dtype, "randint"))
