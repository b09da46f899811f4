"""Sums, means, extremes and spreads along axes."""

from __future__ import annotations

from typing import Any

from mindspore import ops
from mindspore._engine.tensor.tensor import Tensor
from mindspore._utils.checks import shown
from mindspore._utils.refusals import refused
from mindspore.numpy._inputs import ArrayLike, as_axes, as_axis, as_tensor, cast, floating
from mindspore.numpy.dtypes import bool_, float16, float32, inf, int32

Axis = int | tuple[int, ...] | list[int] | None


# -- sums and means ---------------------------------------------------------------------------------------------------
def sum(
    a: ArrayLike, axis: Axis = None, dtype: Any = None, keepdims: bool = False, initial: float | None = None
) -> Tensor:
    """The sum along axes; of integers and bool in int64.

    Examples:
        >>> import mindspore.numpy as np
        >>> print(np.sum([[1.0, 2.0], [3.0, 4.0]], axis=0))
        [4. 6.]
    """
    tensor = as_tensor(a, "sum", "a")
    if initial is not None and not isinstance(initial, (int, float)):
        raise refused(TypeError, f"For 'sum', the 'initial' must be a number, but got {shown(initial)}.")
    total = ops.sum(tensor, as_axes(axis, tensor.ndim, "sum"), keepdims)
    return cast(total if initial is None else total + initial, dtype, "sum")


def mean(a: ArrayLike, axis: Axis = None, keepdims: bool = False, dtype: Any = None) -> Tensor:
    """The mean along axes; of integers an integer.

    Examples:
        >>> import mindspore.numpy as np
        >>> print(np.mean([[1.0, 2.0], [3.0, 4.0]], axis=0))
        [2. 3.]
    """
    tensor = as_tensor(a, "mean", "a")
    return cast(ops.mean(tensor, as_axes(axis, tensor.ndim, "mean"), keepdims), dtype, "mean")


def average(x: ArrayLike, axis: Axis = None, weights: ArrayLike | None = None, returned: bool = False) -> Any:
    """The mean, weighted if weights are given; with ``returned`` also their sum.

    Examples:
        >>> import mindspore.numpy as np
        >>> print(np.average([1.0, 2.0], weights=[1, 3]))
        1.75
    """
    x = as_tensor(x, "average")
    axes = as_axes(axis, x.ndim, "average")
    if weights is None:
        result = ops.mean(x, axes)
        return (result, ops.full_like(result, x.size // (result.size or 1))) if returned else result
    weights = _fitting_weights(x, as_tensor(weights, "average", "weights"), axis)
    total = ops.sum(ops.broadcast_to(weights, x.shape), axes)
    result = ops.div(ops.sum(x * weights, axes), total)
    return (result, ops.broadcast_to(total.astype(result.dtype), result.shape)) if returned else result


def _fitting_weights(x: Tensor, weights: Tensor, axis: Axis) -> Tensor:
    """Weights in a shape that broadcasts with ``x``: its own, or one for each position along the axis."""
    if weights.shape == x.shape:
        return weights
    if axis is None:
        raise refused(
            TypeError,
            f"For 'average', the 'axis' must be given when the shapes differ, but got {x.shape} and {weights.shape}.",
        )
    if not isinstance(axis, int) or weights.shape != (x.shape[axis],):
        raise refused(
            ValueError,
            f"For 'average', the 'weights' must have the shape of 'x', {x.shape}, or its length along the axis, but got "
            f"shape {weights.shape}.",
        )
    return ops.reshape(weights, [n if number == axis % x.ndim else 1 for number, n in enumerate(x.shape)])


def std(x: ArrayLike, axis: Axis = None, ddof: int = 0, keepdims: bool = False) -> Tensor:
    """The standard deviation; divides by the count less ``ddof``.

    Examples:
        >>> import mindspore.numpy as np
        >>> print(np.std([1.0, 2.0, 3.0, 4.0]))
        1.118034
    """
    return ops.sqrt(var(as_tensor(x, "std"), axis, ddof, keepdims))


def var(x: ArrayLike, axis: Axis = None, ddof: int = 0, keepdims: bool = False) -> Tensor:
    """The variance; divides by the count less ``ddof``.

    Examples:
        >>> import mindspore.numpy as np
        >>> print(np.var([1.0, 2.0, 3.0, 4.0]))
        1.25
    """
    tensor = floating(x, "var")
    return ops.var(tensor, as_axes(axis, tensor.ndim, "var"), ddof, keepdims)


# -- extremes ---------------------------------------------------------------------------------------------------------
def amax(
    a: ArrayLike, axis: Axis = None, keepdims: bool = False, initial: float | None = None, where: Any = True
) -> Tensor:
    """The largest element along axes, of those where ``where`` holds and of ``initial``.

    Examples:
        >>> import mindspore.numpy as np
        >>> print(np.amax([[1, 2], [3, 0]], axis=0))
        [3 2]
    """
    return _extreme(ops.amax, a, axis, keepdims, initial, where, "amax")


def max(
    a: ArrayLike, axis: Axis = None, keepdims: bool = False, initial: float | None = None, where: Any = True
) -> Tensor:
    """The largest element along axes, see :func:`amax`.

    Examples:
        >>> import mindspore.numpy as np
        >>> print(np.max([[1, 2], [3, 0]]))
        3
    """
    return _extreme(ops.amax, a, axis, keepdims, initial, where, "max")


def amin(
    a: ArrayLike, axis: Axis = None, keepdims: bool = False, initial: float | None = None, where: Any = True
) -> Tensor:
    """The smallest element along axes, of those where ``where`` holds and of ``initial``.

    Examples:
        >>> import mindspore.numpy as np
        >>> print(np.amin([[1, 2], [3, 0]], axis=0))
        [1 0]
    """
    return _extreme(ops.amin, a, axis, keepdims, initial, where, "amin")


def min(
    a: ArrayLike, axis: Axis = None, keepdims: bool = False, initial: float | None = None, where: Any = True
) -> Tensor:
    """The smallest element along axes, see :func:`amin`.

    Examples:
        >>> import mindspore.numpy as np
        >>> print(np.min([[1, 2], [3, 0]]))
        0
    """
    return _extreme(ops.amin, a, axis, keepdims, initial, where, "min")


def _extreme(function: Any, a: ArrayLike, axis: Axis, keepdims: bool, initial: Any, where: Any, owner: str) -> Tensor:
    tensor = as_tensor(a, owner, "a")
    if initial is not None and not isinstance(initial, (int, float)):
        raise refused(TypeError, f"For '{owner}', the 'initial' must be a number, but got {shown(initial)}.")
    if where is True:
        where = None
    elif initial is None:
        raise refused(ValueError, f"For '{owner}', the 'initial' must be given together with 'where', but got None.")
    else:
        where = ops.broadcast_to(as_tensor(where, owner, "where").astype(bool_), tensor.shape)
    return function(tensor, as_axes(axis, tensor.ndim, owner), keepdims, initial=initial, where=where)


def ptp(x: ArrayLike, axis: Axis = None, keepdims: bool = False) -> Tensor:
    """The largest element less the smallest.

    Examples:
        >>> import mindspore.numpy as np
        >>> print(np.ptp([[4, 9], [2, 10]], axis=1))
        [5 8]
    """
    tensor = as_tensor(x, "ptp")
    return amax(tensor, axis, keepdims) - amin(tensor, axis, keepdims)


def argmax(a: ArrayLike, axis: int | None = None) -> Tensor:
    """Where the largest element stands, in int64.

    Examples:
        >>> import mindspore.numpy as np
        >>> print(np.argmax([[1, 5], [7, 2]], axis=0))
        [1 0]
    """
    tensor = as_tensor(a, "argmax", "a")
    return ops.argmax(tensor, None if axis is None else as_axis(axis, tensor.ndim, "argmax"))


def argmin(a: ArrayLike, axis: int | None = None) -> Tensor:
    """Where the smallest element stands, in int32.

    Examples:
        >>> import mindspore.numpy as np
        >>> print(np.argmin([[1, 5], [7, 2]], axis=0))
        [0 1]
    """
    tensor = as_tensor(a, "argmin", "a")
    return ops.argmin(tensor, None if axis is None else as_axis(axis, tensor.ndim, "argmin")).astype(int32)


def count_nonzero(x: ArrayLike, axis: Axis = None, keepdims: bool = False) -> Tensor:
    """How many elements are not zero, in int32.

    Examples:
        >>> import mindspore.numpy as np
        >>> print(np.count_nonzero([[0, 1], [2, 3]], axis=0))
        [1 2]
    """
    tensor = as_tensor(x, "count_nonzero")
    return ops.sum((tensor != 0).astype(int32), as_axes(axis, tensor.ndim, "count_nonzero"), keepdims).astype(int32)


# -- without NaN ------------------------------------------------------------------------------------------------------
def _without_nan(a: ArrayLike, owner: str, instead: float) -> tuple[Tensor, Tensor]:
    """The array with NaN replaced by a number, and the mask of what was no NaN."""
    tensor = as_tensor(a, owner, "a")
    if not tensor.dtype.is_floating:
        return tensor, ops.ones_like(tensor, dtype=bool_)
    missing = ops.isnan(tensor)
    return ops.where(missing, ops.full_like(tensor, instead), tensor), ops.logical_not(missing)


def nansum(a: ArrayLike, axis: Axis = None, dtype: Any = None, keepdims: bool = False) -> Tensor:
    """The sum of what is not NaN, in the dtype of ``a``.

    Examples:
        >>> import mindspore.numpy as np
        >>> print(np.nansum([1.0, np.nan, 2.0]))
        3.0
    """
    tensor, _ = _without_nan(a, "nansum", 0.0)
    total = ops.sum(tensor, as_axes(axis, tensor.ndim, "nansum"), keepdims).astype(tensor.dtype)
    return cast(total, dtype, "nansum")


def nanmax(a: ArrayLike, axis: Axis = None, dtype: Any = None, keepdims: bool = False) -> Tensor:
    """The largest of what is not NaN.

    Examples:
        >>> import mindspore.numpy as np
        >>> print(np.nanmax([1.0, np.nan, 2.0]))
        2.0
    """
    return cast(amax(_without_nan(a, "nanmax", -inf)[0], axis, keepdims), dtype, "nanmax")


def nanmin(a: ArrayLike, axis: Axis = None, dtype: Any = None, keepdims: bool = False) -> Tensor:
    """The smallest of what is not NaN.

    Examples:
        >>> import mindspore.numpy as np
        >>> print(np.nanmin([1.0, np.nan, 2.0]))
        1.0
    """
    return cast(amin(_without_nan(a, "nanmin", inf)[0], axis, keepdims), dtype, "nanmin")


def nanmean(a: ArrayLike, axis: Axis = None, dtype: Any = None, keepdims: bool = False) -> Tensor:
    """The mean of what is not NaN.

    Examples:
        >>> import mindspore.numpy as np
        >>> print(np.nanmean([1.0, np.nan, 2.0]))
        1.5
    """
    tensor, present = _without_nan(a, "nanmean", 0.0)
    tensor = tensor if tensor.dtype.is_floating and tensor.dtype != float16 else tensor.astype(float32)
    axes = as_axes(axis, tensor.ndim, "nanmean")
    count = ops.sum(present.astype(tensor.dtype), axes, keepdims)
    return cast(ops.sum(tensor, axes, keepdims) / count, dtype, "nanmean")


def nanvar(a: ArrayLike, axis: Axis = None, dtype: Any = None, ddof: int = 0, keepdims: bool = False) -> Tensor:
    """The variance of what is not NaN, in float32.

    Examples:
        >>> import mindspore.numpy as np
        >>> print(np.nanvar([1.0, np.nan, 3.0]))
        1.0
    """
    tensor, present = _without_nan(a, "nanvar", 0.0)
    tensor, weight = tensor.astype(float32), present.astype(float32)
    axes = as_axes(axis, tensor.ndim, "nanvar")
    center = ops.sum(tensor, axes, True) / ops.sum(weight, axes, True)
    squares = ops.sum(ops.square((tensor - center) * weight), axes, keepdims)
    freedom = ops.maximum(ops.sum(weight, axes, keepdims) - ddof, 0)  # of nothing there is no variance: nan
    return cast(squares / freedom, dtype, "nanvar")


def nanstd(a: ArrayLike, axis: Axis = None, dtype: Any = None, ddof: int = 0, keepdims: bool = False) -> Tensor:
    """The standard deviation of what is not NaN, in float32.

    Examples:
        >>> import mindspore.numpy as np
        >>> print(np.nanstd([1.0, np.nan, 3.0]))
        1.0
    """
    return cast(ops.sqrt(nanvar(as_tensor(a, "nanstd", "a"), axis, None, ddof, keepdims)), dtype, "nanstd")
