"""Covariance, histograms, search in sorted arrays, and the dtype of a combination."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from mindspore import ops
from mindspore._engine.base.dtype import DType
from mindspore._engine.tensor.tensor import Tensor
from mindspore._ops.array.dynamic_shape import host_values
from mindspore._ops.linalg.numpy_math import numpy_digitize, numpy_searchsorted
from mindspore._utils.checks import check_bool, check_int, check_one_of, shown
from mindspore._utils.refusals import refused, type_or_value
from mindspore.numpy._creation import linspace
from mindspore.numpy._inputs import ArrayLike, as_dtype, as_tensor, cast, floating, result_dtype
from mindspore.numpy._products import outer
from mindspore.numpy.dtypes import bool_, float16, float32, int32, int64


# -- covariance -------------------------------------------------------------------------------------------------------
def cov(m: ArrayLike, y: ArrayLike | None = None, rowvar: bool = True, bias: bool = False, ddof: int | None = None,
        fweights: ArrayLike | None = None, aweights: ArrayLike | None = None, dtype: Any = None) -> Tensor:  # fmt: skip
    """The covariances of variables, which are rows, from observations, which are columns.

    Args:
        y: more variables.
        rowvar: False when the variables are the columns.
        bias: divide by the number of observations, not by that number less 1; ``ddof`` says how much less exactly.
        fweights: how often each observation was made.
        aweights: how much each observation counts.

    Examples:
        >>> import mindspore.numpy as np
        >>> print(np.cov([[0.0, 2.0, 1.0], [2.0, 0.0, 1.0]]))
        [[ 1. -1.]
         [-1.  1.]]
    """
    check_bool("cov", "rowvar", rowvar)
    variables = _variables(m, rowvar, "m", dtype)
    if y is not None:
        variables = ops.concat([variables, _variables(y, rowvar, "y", dtype).astype(variables.dtype)])
    ddof = check_int("cov", "ddof", ddof) if ddof is not None else 0 if bias else 1
    weights = _observation_weights(fweights, aweights, variables)
    if weights is None:
        center, total = ops.mean(variables, 1, True), float(variables.shape[1])
        centered = weighted = variables - center
        factor = max(total - ddof, 0.0)  # of nothing there is no covariance: nan
    else:
        total = ops.sum(weights)
        centered = variables - ops.sum(variables * weights, 1, True) / total
        weighted = centered * weights
        factor = total - ddof
        if aweights is not None:
            factor = total - ddof * ops.sum(weights * floating(aweights, "cov", "aweights")) / total
    result = ops.matmul(weighted, ops.transpose(centered, (1, 0))) / factor
    return cast(ops.squeeze(result), dtype, "cov")


def _variables(values: ArrayLike, rowvar: bool, name: str, dtype: Any) -> Tensor:
    tensor = floating(values, "cov", name)
    tensor = cast(tensor, as_dtype(dtype, "cov") or (float32 if tensor.dtype == float16 else None), "cov")
    if tensor.ndim > 2:
        raise refused(
            ValueError, f"For 'cov', the '{name}' must have at most 2 dimensions, but got shape {tensor.shape}."
        )
    if tensor.ndim < 2:
        return ops.reshape(tensor, (1, -1))
    return tensor if rowvar else ops.transpose(tensor, (1, 0))


def _observation_weights(fweights: ArrayLike | None, aweights: ArrayLike | None, variables: Tensor) -> Tensor | None:
    found = None
    for given, name in ((fweights, "fweights"), (aweights, "aweights")):
        if given is None:
            continue
        weights = as_tensor(given, "cov", name)
        if weights.shape != variables.shape[1:]:
            raise refused(
                ValueError,
                f"For 'cov', the '{name}' must hold one number for each of the {variables.shape[1]} observations, but got "
                f"shape {weights.shape}.",
            )
        if name == "fweights" and weights.dtype.is_floating:
            raise refused(
                TypeError, "For 'cov', the 'fweights' must be integers, but got floats. Pass them as 'aweights'."
            )
        weights = weights.astype(variables.dtype)
        found = weights if found is None else found * weights
    return found


def corrcoef(x: ArrayLike, y: ArrayLike | None = None, rowvar: bool = True, dtype: Any = None) -> Tensor:
    """The correlation of variables, between -1 and 1, see :func:`cov`.

    Examples:
        >>> import mindspore.numpy as np
        >>> print(np.corrcoef([[0.0, 2.0, 1.0], [2.0, 0.0, 1.0]]))
        [[ 1. -1.]
         [-1.  1.]]
    """
    covariance = cov(x, y, rowvar, dtype=dtype)
    if covariance.ndim == 0:
        return covariance / covariance
    spread = ops.sqrt(ops.diagonal(covariance, 0, 0, 1))
    return covariance / outer(spread, spread)


# -- bins -------------------------------------------------------------------------------------------------------------
def bincount(x: ArrayLike, weights: ArrayLike | None = None, minlength: int = 0, length: int | None = None) -> Tensor:
    """How often each of 0, 1, 2, ... appears, or the sum of the weights where it does.

    Args:
        length: how many numbers to count; given, the function can be compiled.

    Examples:
        >>> import mindspore.numpy as np
        >>> print(np.bincount([0, 1, 1, 3]))
        [1. 2. 0. 1.]
    """
    tensor = as_tensor(x, "bincount")
    if tensor.ndim != 1:
        raise refused(ValueError, f"For 'bincount', the 'x' must have 1 dimension, but got shape {tensor.shape}.")
    if tensor.dtype.is_floating or tensor.dtype == bool_:
        raise refused(TypeError, f"For 'bincount', the 'x' must hold integers, but got {tensor.dtype}.")
    if length is None:
        largest = host_values(tensor, "bincount", "np.bincount(x, length=...), with a length you know.").max(initial=-1)
        length = max(int(largest) + 1, check_int("bincount", "minlength", minlength, 0), 1)
    counted = ops.ones_like(tensor, dtype=float32) if weights is None else floating(weights, "bincount", "weights")
    if counted.shape != tensor.shape:
        raise refused(
            ValueError, f"For 'bincount', the 'weights' must have the shape {tensor.shape}, but got {counted.shape}."
        )
    tensor = tensor.astype(int64)  # a small dtype may not hold the length
    outside = ops.logical_or(tensor < 0, tensor >= length)
    segments = ops.where(outside, ops.full_like(tensor, length), tensor)
    return ops.unsorted_segment_sum(counted, segments, length + 1)[:-1]


def histogram_bin_edges(a: ArrayLike, bins: Any = 10, range: Any = None, weights: ArrayLike | None = None) -> Tensor:
    """The edges of bins: given ones, or a number of equal ones.

    Examples:
        >>> import mindspore.numpy as np
        >>> print(np.histogram_bin_edges([0.0, 1.0, 4.0], 4))
        [0. 1. 2. 3. 4.]
    """
    if isinstance(bins, str):
        raise NotImplementedError(
            f"For 'histogram_bin_edges', the 'bins' must be an int or the edges, but got the rule {bins!r}."
        )
    if not isinstance(bins, int) or isinstance(bins, bool):
        return as_tensor(bins, "histogram_bin_edges", "bins")
    values = floating(a, "histogram_bin_edges", "a")
    if range is not None:
        if not isinstance(range, (list, tuple, Tensor)) or len(range) != 2:
            raise refused(
                type_or_value(ValueError),
                f"For 'histogram', the 'range' must be (lowest, highest), but got {shown(range)}.",
            )
        if not all(isinstance(bound, (int, float, Tensor, np.number)) for bound in range):
            raise refused(TypeError, f"For 'histogram', the 'range' must hold two numbers, but got {shown(range)}.")
        low, high = (as_tensor(float(bound), "histogram_bin_edges", "range") for bound in range)
    else:
        low, high = ops.amin(values), ops.amax(values)
    level = (low == high).astype(low.dtype) * 0.5  # a single value gets a bin of its own
    return linspace(low - level, high + level, check_int("histogram_bin_edges", "bins", bins, 1) + 1)


def histogram(
    a: ArrayLike, bins: Any = 10, range: Any = None, weights: ArrayLike | None = None, density: bool = False
) -> tuple[Tensor, Tensor]:
    """How many elements fall in each bin, and the edges of the bins.

    Args:
        bins: how many equal ones, or their edges.
        range: the lowest and the highest edge of equal bins; those of the data unless given.
        density: divide by the total and the width of the bin.

    Examples:
        >>> import mindspore.numpy as np
        >>> print(np.histogram([1.0, 2.0, 1.0], [0, 1, 2, 3])[0])
        [0. 2. 1.]
    """
    values = ops.reshape(as_tensor(a, "histogram", "a"), (-1,))
    flat = None if weights is None else ops.reshape(as_tensor(weights, "histogram", "weights"), (-1,))
    counts, (edges,) = _counted((values,), (bins,), (range,), flat, density, "histogram")
    return counts, edges


def histogram2d(
    x: ArrayLike,
    y: ArrayLike,
    bins: Any = 10,
    range: Any = None,
    weights: ArrayLike | None = None,
    density: bool = False,
) -> tuple[Tensor, Tensor, Tensor]:
    """How many points fall in each cell of a grid, and its edges along both axes.

    Examples:
        >>> import mindspore.numpy as np
        >>> print(np.histogram2d([1.0, 2.0], [1.0, 1.0], 2)[0])
        [[0. 1.]
         [0. 1.]]
    """
    several = isinstance(bins, (list, tuple, Tensor)) and len(bins) == 2
    counts, edges = histogramdd(
        (x, y), bins if several or isinstance(bins, int) else (bins, bins), range, weights, density
    )
    return counts, edges[0], edges[1]


def histogramdd(
    sample: Any, bins: Any = 10, range: Any = None, weights: ArrayLike | None = None, density: bool = False
) -> tuple[Tensor, list[Tensor]]:
    """How many points fall in each cell of a grid, and its edges along every axis.

    Args:
        sample: a row for each point, or a list with the coordinates along each axis.
        bins: how many equal ones along each axis, a number for each, or their edges.

    Examples:
        >>> import mindspore.numpy as np
        >>> print(np.histogramdd(([1.0, 2.0], [1.0, 1.0]), 2)[0])
        [[0. 1.]
         [0. 1.]]
    """
    axes = _coordinates(sample)
    if not axes:
        raise refused(
            ValueError, "For 'histogramdd', the 'sample' must have at least one axis of coordinates, but got none."
        )
    if not isinstance(bins, (int, list, tuple, Tensor)):
        raise refused(
            TypeError, f"For 'histogramdd', the 'bins' must be an int, a list or a tuple, but got {shown(bins)}."
        )
    if range is not None and not isinstance(range, (list, tuple)):
        text = f"For 'histogramdd', the 'range' must be a list or tuple of (lowest, highest), but got {shown(range)}."
        raise refused(TypeError, text)
    each = [bins] * len(axes) if isinstance(bins, int) else list(bins)
    if len(each) != len(axes):
        raise refused(
            ValueError,
            f"For 'histogramdd', the 'bins' must have one entry for each of {len(axes)} axes, but got {len(each)}.",
        )
    ranges = [None] * len(axes) if range is None else list(range)
    given = None if weights is None else as_tensor(weights, "histogramdd", "weights")
    return _counted(axes, each, ranges, given, density, "histogramdd")


def _coordinates(sample: Any) -> list[Tensor]:
    if isinstance(sample, (list, tuple)):
        return [as_tensor(column, "histogramdd", "sample") for column in sample]
    points = as_tensor(sample, "histogramdd", "sample")
    if points.ndim != 2:
        raise refused(
            ValueError, f"For 'histogramdd', the 'sample' must have 2 dimensions, but got shape {points.shape}."
        )
    return list(ops.unstack(points, 1))


def _counted(
    axes: Sequence[Tensor],
    bins: Sequence[Any],
    ranges: Sequence[Any],
    weights: Tensor | None,
    density: bool,
    owner: str,
) -> tuple[Tensor, list[Tensor]]:
    """The weight of the points in every cell; a point on the last edge belongs to the last bin."""
    edges = [histogram_bin_edges(x, bin_count, limits) for x, bin_count, limits in zip(axes, bins, ranges, strict=True)]
    counts = [steps.size - 1 for steps in edges]
    if weights is not None and weights.shape != axes[0].shape:
        raise refused(
            ValueError, f"For '{owner}', the 'weights' must have the shape {axes[0].shape}, but got {weights.shape}."
        )
    cell, inside = ops.zeros_like(axes[0], dtype=int32), ops.ones_like(axes[0], dtype=bool_)
    for x, steps, count in zip(axes, edges, counts, strict=True):
        position = numpy_searchsorted(x, steps, "right") - 1
        position = ops.where(x == steps[-1], ops.full_like(position, count - 1), position)
        cell = cell * count + position
        inside = ops.logical_and(inside, ops.logical_and(position >= 0, position < count))
    weight = inside.astype(float32) if weights is None else inside.astype(float32) * weights.astype(float32)
    cell = ops.where(inside, cell, ops.zeros_like(cell))
    result = ops.reshape(ops.unsorted_segment_sum(weight, cell, int(np.prod(counts))), counts)
    return (_as_density(result, edges) if density else result), edges


def _as_density(counts: Tensor, edges: Sequence[Tensor]) -> Tensor:
    result = counts / ops.sum(counts)
    for axis, steps in enumerate(edges):
        width = (steps[1:] - steps[:-1]).astype(float32)
        result = result / ops.reshape(width, [-1 if number == axis else 1 for number in range(counts.ndim)])
    return result


# -- search ------------------------------------------------------------------------------------------------------------
def digitize(x: ArrayLike, bins: ArrayLike, right: bool = False) -> Tensor:
    """The number of the bin each element falls in; the edges rise or fall.

    Args:
        right: whether a bin holds its right edge instead of its left edge.

    Examples:
        >>> import mindspore.numpy as np
        >>> print(np.digitize([0.2, 6.4, 3.0], [0.0, 1.0, 2.5, 4.0]))
        [1 4 3]
    """
    edges = as_tensor(bins, "digitize", "bins")
    if edges.ndim != 1:
        raise refused(ValueError, f"For 'digitize', the 'bins' must have 1 dimension, but got shape {edges.shape}.")
    return numpy_digitize(as_tensor(x, "digitize"), edges, right)


def searchsorted(a: ArrayLike, v: ArrayLike, side: str = "left", sorter: ArrayLike | None = None) -> Tensor:
    """Where each ``v`` would stand in the sorted ``a``.

    Args:
        side: 'left' or 'right' of elements that are equal to it.
        sorter: the order that sorts ``a``, if it is not sorted.

    Examples:
        >>> import mindspore.numpy as np
        >>> print(np.searchsorted([1, 2, 3, 4], [3, 0]))
        [2 0]
    """
    check_one_of("searchsorted", "side", side, ("left", "right"))
    ordered = as_tensor(a, "searchsorted", "a")
    if ordered.ndim != 1:
        raise refused(ValueError, f"For 'searchsorted', the 'a' must have 1 dimension, but got shape {ordered.shape}.")
    if sorter is not None:
        order = as_tensor(sorter, "searchsorted", "sorter")
        if order.shape != ordered.shape:
            raise refused(
                ValueError,
                f"For 'searchsorted', the 'sorter' must have the shape {ordered.shape}, but got {order.shape}.",
            )
        ordered = ops.gather(ordered, order, 0)
    return numpy_searchsorted(as_tensor(v, "searchsorted", "v"), ordered, side)


# -- dtypes -----------------------------------------------------------------------------------------------------------
def promote_types(type1: Any, type2: Any) -> DType:
    """The dtype in which values of two dtypes are combined.

    Examples:
        >>> import mindspore.numpy as np
        >>> print(np.promote_types(np.int32, np.float16))
        Float16
    """
    return result_dtype([as_dtype(type1, "promote_types"), as_dtype(type2, "promote_types")])


def result_type(*arrays_and_dtypes: Any) -> DType:
    """The dtype in which arrays, numbers and dtypes are combined.

    Examples:
        >>> import mindspore.numpy as np
        >>> print(np.result_type(np.int32, 1.5))
        Float32
    """
    if not arrays_and_dtypes:
        raise refused(ValueError, "For 'result_type', give at least one array or dtype, but got none.")
    return result_dtype([_dtype_of(item) for item in arrays_and_dtypes])


def _dtype_of(value: Any) -> DType:
    if isinstance(value, (Tensor, int, float, bool, list, tuple)):
        return as_tensor(value, "result_type", "arrays_and_dtypes").dtype
    if value is None:
        raise refused(TypeError, f"For 'result_type', the arguments must be arrays and dtypes, but got {shown(value)}.")
    return as_dtype(value, "result_type")
