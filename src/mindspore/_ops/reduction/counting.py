"""Counts: histograms, search in sorted values, counts of equal elements, packed comparisons."""

from __future__ import annotations

from typing import Any

import jax
import jax.numpy as jnp
import numpy as np

from mindspore._engine.base import dtype as dtypes
from mindspore._engine.execution.value_checks import require_values
from mindspore._engine.operator.arguments import Array, DType, Operand
from mindspore._engine.operator.registry import op
from mindspore._engine.tensor.tensor import Tensor
from mindspore._ops.declaring.dtype_checks import accepts, alike
from mindspore._ops.declaring.promotion import as_float
from mindspore._ops.declaring.requirements import (
    require,
    require_choice,
    require_rank,
    require_same_dtype,
    require_shape,
)
from mindspore._ops.declaring.value_rules import negative
from mindspore._ops.reduction.statistics import finite_range, histc


def _boundaries(values: Any) -> Any:
    listed = isinstance(values, tuple) and all(isinstance(v, (int, float)) for v in values)
    require(listed, f"the 'boundaries' must be a list of numbers, but got {values!r}.", TypeError)
    require(list(values) == sorted(values), f"the 'boundaries' must not fall, but got {values}.")
    return jnp.asarray(np.array(values, np.float64))


def _bucket(x: Any, boundaries: Any, right: bool) -> Any:
    edges = _boundaries(boundaries)
    return jnp.searchsorted(edges, x.astype(edges.dtype), "right" if right else "left").astype(jnp.int32)


@op(test=lambda t: [t.case(t.normal(2, 3), [-1.0, 0.0, 1.0], grad=False,
                           expect=lambda x, b: np.searchsorted(b, x)),
                    t.case(t.ints(5), [2, 4], True, expect=lambda x, b, _: np.searchsorted(b, x, "right"))])  # fmt: skip
@accepts("if", "input")
def bucketize(input: Array, boundaries: Any, right: bool = False):
    """For every element the number of the bucket it falls into, counted between rising ``boundaries``.

    A boundary itself belongs to the bucket below it; with ``right`` to the bucket above.

    Examples:
        >>> from mindspore import Tensor, ops
        >>> print(ops.bucketize(Tensor([0.5, 1.0, 7.0]), [1.0, 5.0]))
        [0 0 2]
    """
    return _bucket(input, boundaries, right)


@op(primitive="Bucketize", init=("boundaries",), public=False,
    test=lambda t: [t.case(t.ints(5), [2.0, 4.0], expect=lambda x, b: np.searchsorted(b, x, "right"))])  # fmt: skip
@accepts("if", "input")
def bucketize_primitive(input: Array, boundaries: Any):
    """For every element the number of the bucket it falls into; a boundary belongs to the bucket above it.

    Examples:
        >>> from mindspore import Tensor, ops
        >>> print(ops.Bucketize(boundaries=[0.0, 10.0, 100.0])(Tensor([-5.0, 5.0, 150.0])))
        [0 1 3]
    """
    return _bucket(input, boundaries, True)


def _bounds(sorted_x: Any, values: Any, side: str, out_type: Any) -> Any:
    require_rank("sorted_x", sorted_x, 2)
    require_rank("values", values, 2)
    require_same_dtype(sorted_x=sorted_x, values=values)
    text = f"the 'values' must have as many rows as 'sorted_x', but got {values.shape} and {sorted_x.shape}."
    require(values.shape[0] == sorted_x.shape[0], text)
    require(out_type in (dtypes.int32, dtypes.int64), f"the 'out_type' must be int32 or int64, but got {out_type}.")
    found = jax.vmap(lambda row, wanted: jnp.searchsorted(row, wanted, side))(sorted_x, values)
    return found.astype(out_type.np_dtype)


@op(primitive="LowerBound", init=("out_type",), public=False,
    test=lambda t: [t.case(np.array([[1, 2, 2, 4], [0, 1, 2, 3]]), np.array([[2, 5], [0, 9]]),
                           expect=lambda x, v: np.array([[1, 4], [0, 4]]))])  # fmt: skip
@accepts("if", "sorted_x", "values")
def lower_bound(sorted_x: Array, values: Array, out_type: DType = dtypes.int32):
    """Row by row, how many elements of a rising row are below each value.

    Examples:
        >>> import mindspore
        >>> from mindspore import Tensor, ops
        >>> print(ops.LowerBound()(Tensor([[1, 3, 5]], mindspore.int32), Tensor([[3, 4]], mindspore.int32)))
        [[1 2]]
    """
    return _bounds(sorted_x, values, "left", out_type)


@op(primitive="UpperBound", init=("out_type",), public=False,
    test=lambda t: [t.case(np.array([[1, 2, 2, 4], [0, 1, 2, 3]]), np.array([[2, 5], [0, 9]]),
                           expect=lambda x, v: np.array([[3, 4], [1, 4]]))])  # fmt: skip
@accepts("if", "sorted_x", "values")
def upper_bound(sorted_x: Array, values: Array, out_type: DType = dtypes.int32):
    """Row by row, how many elements of a rising row are not above each value.

    Examples:
        >>> import mindspore
        >>> from mindspore import Tensor, ops
        >>> print(ops.UpperBound()(Tensor([[1, 3, 5]], mindspore.int32), Tensor([[3, 4]], mindspore.int32)))
        [[2 2]]
    """
    return _bounds(sorted_x, values, "right", out_type)


@op(primitive="Histogram", init=("bins", "min", "max"), public=False, bounds=finite_range,
    test=lambda t: [t.case(t.uniform(0, 4, 9), 4, 0.0, 4.0, grad=False,
                           expect=lambda x, bins, low, high: np.histogram(x, bins, (low, high))[0])])  # fmt: skip
@accepts("if", "x")
def histogram(x: Array, bins: int = 100, min: float = 0.0, max: float = 0.0):
    """How many elements fall into each of ``bins`` equal parts of [min, max]; when both are 0, of the range of x.

    Examples:
        >>> from mindspore import Tensor, ops
        >>> print(ops.Histogram(bins=4, min=0.0, max=4.0)(Tensor([0.5, 1.5, 1.7, 3.2])))
        [1. 2. 0. 1.]
    """
    return histc.__wrapped__(x, bins, min, max)  # type: ignore[attr-defined]


@op(primitive="HistogramFixedWidth", init=("nbins", "dtype"), public=False,
    test=lambda t: [t.case(np.array([-1, 0, 1.5, 2, 5, 15], np.float32), np.array([0, 5], np.float32), 5, grad=False,
                           expect=lambda x, r, n: np.array([2, 1, 1, 0, 2]))])  # fmt: skip
def histogram_fixed_width(x: Array, range_: Array, nbins: int, dtype: str = "int32"):
    """How many elements fall into each of ``nbins`` equal parts of ``range_``; what is outside counts at the ends.

    Examples:
        >>> from mindspore import Tensor, ops
        >>> print(ops.HistogramFixedWidth(4)(Tensor([0.5, 1.5, 1.7, 3.2]), Tensor([0.0, 4.0])))
        [1 2 0 1]
    """
    require(nbins > 0, f"the 'nbins' must be positive, but got {nbins}.")
    require(dtype in ("int32", "int64"), f"the 'dtype' must be 'int32' or 'int64', but got {dtype!r}.")
    require_shape("range_", range_, (2,))
    low, high = as_float(range_)
    bins = jnp.floor((as_float(x).reshape(-1) - low) / (high - low) * nbins).astype(jnp.int32)
    return jnp.zeros((nbins,), dtype).at[jnp.clip(bins, 0, nbins - 1)].add(1)


def _counted(array: Tensor, *_: Any) -> None:
    require_values("Bincount", "the 'array' must not be negative, but got {}.", negative, array)


@op(primitive="Bincount", public=False, bounds=_counted,
    test=lambda t: [t.case(np.array([1, 2, 5], np.int32), 3, t.normal(3), grad=(2,),
                           expect=lambda x, n, w: np.array([0, w[0], w[1]], np.float32)),
                    t.case(np.array([1, 2, 2], np.int32), 5, np.zeros(0, np.float32), grad=False,
                           expect=lambda x, n, w: np.bincount(x, minlength=n))])  # fmt: skip
@accepts("i", "size")
def bincount_primitive(array: Array, size: int, weights: Array):
    """How often each number below ``size`` occurs, or with weights the sum of its weights.

    Examples:
        >>> import mindspore
        >>> from mindspore import Tensor, ops
        >>> numbers, size = Tensor([0, 1, 1, 3], mindspore.int32), Tensor(4, mindspore.int32)
        >>> print(ops.Bincount()(numbers, size, Tensor([], mindspore.float32)))
        [1. 2. 0. 1.]
    """
    require(size >= 0, f"the 'size' must not be negative, but got {size}.")
    require(
        jnp.issubdtype(array.dtype, jnp.integer), f"the 'array' must hold integers, but got {array.dtype}.", TypeError
    )
    text = f"the 'weights' must be empty or have the shape of 'array' {array.shape}, but got {weights.shape}."
    require(weights.size == 0 or weights.shape == array.shape, text)
    amounts = weights if weights.size else jnp.ones(array.shape, weights.dtype)
    bins = jnp.where(array < 0, size, array).reshape(-1)
    return jnp.zeros((size,), weights.dtype).at[bins].add(amounts.reshape(-1), mode="drop")


_COUNT_DTYPES = ("int8", "int16", "int32", "int64", "uint8", "float16", "float32", "float64")


@op(primitive="ConfusionMatrix", init=("num_classes", "dtype"), public=False,
    test=lambda t: [t.case(np.array([0, 1, 1], np.int32), np.array([1, 1, 0], np.int32), None, 2,
                           expect=lambda *_: np.array([[0, 1], [1, 1]])),
                    t.case(np.array([0, 1], np.int32), np.array([1, 1], np.int32), np.array([2, 3], np.int32), 2,
                           expect=lambda *_: np.array([[0, 2], [0, 3]]))],
    call_order=("labels", "predictions", "weights"))  # fmt: skip
def confusion_matrix(labels: Array, predictions: Array, weights: Array | None = None, num_classes: int = 1,
                     dtype: str = "int32"):  # fmt: skip
    """How often each label (row) was predicted as each class (column); weights count instead of 1.

    Examples:
        >>> import mindspore
        >>> from mindspore import Tensor, ops
        >>> print(ops.ConfusionMatrix(3)(Tensor([0, 1, 2, 2], mindspore.int32), Tensor([0, 2, 2, 2], mindspore.int32)))
        [[1 0 0]
         [0 0 1]
         [0 0 2]]
    """
    require_rank("labels", labels, 1)
    require_shape("predictions", predictions, labels.shape)
    if weights is not None:
        require_shape("weights", weights, labels.shape)
    require_choice("dtype", dtype, _COUNT_DTYPES)
    amounts = jnp.ones(labels.shape, dtype) if weights is None else weights.astype(dtype)
    return jnp.zeros((num_classes, num_classes), dtype).at[labels, predictions].add(amounts, mode="drop")


@op(primitive="EqualCount", public=False,
    test=lambda t: [t.case(np.array([1, 2, 3], np.int32), np.array([1, 3, 3], np.int32),
                           expect=lambda x, y: np.array([2]))])  # fmt: skip
def equal_count(x: Array, y: Array):
    """How many elements of two tensors of equal shape are equal.

    Examples:
        >>> import mindspore
        >>> from mindspore import Tensor, ops
        >>> print(ops.EqualCount()(Tensor([1, 2, 3], mindspore.int32), Tensor([1, 2, 4], mindspore.int32)))
        [2]
    """
    require_same_dtype(x=x, y=y)
    require_shape("y", y, x.shape)
    return jnp.sum(x == y).astype(x.dtype).reshape(1)


@op(primitive="CompareAndBitpack", public=False,
    test=lambda t: [t.case(t.normal(2, 16), 0.0, grad=False,
                           expect=lambda x, limit: np.packbits(x > limit, -1))])  # fmt: skip
@alike("x", "threshold")
def compare_and_bitpack(x: Array, threshold: Operand):
    """Eight comparisons ``x > threshold`` along the last axis as the bits of a byte, the first comparison the highest bit.

    Examples:
        >>> from mindspore import Tensor, ops
        >>> print(ops.CompareAndBitpack()(Tensor([1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 7.0, 8.0]), Tensor(6.0)))
        [3]
    """
    require(x.ndim and x.shape[-1] % 8 == 0, f"the 'x' must have a last axis divisible by 8, but got {x.shape}.")
    return jnp.packbits(x > jnp.asarray(threshold).astype(x.dtype), -1)


@op(primitive="UnravelIndex", public=False,
    test=lambda t: [t.case(np.array([5, 3]), np.array([2, 3]),
                           expect=lambda i, dims: np.stack(np.unravel_index(i, tuple(dims))))])  # fmt: skip
@accepts("i", "indices", "dims")
def unravel_index(indices: Array, dims: Array):
    """Flat indices as coordinates in a shape, one row per axis.

    Examples:
        >>> import mindspore
        >>> from mindspore import Tensor, ops
        >>> print(ops.UnravelIndex()(Tensor([3, 5], mindspore.int32), Tensor([2, 3], mindspore.int32)))
        [[1 1]
         [0 2]]
    """
    require_rank("dims", dims, 1)
    require_rank("indices", indices, 0, 1)
    require_same_dtype(indices=indices, dims=dims)
    inner = jnp.cumprod(jnp.concatenate([dims[1:], jnp.ones((1,), dims.dtype)])[::-1])[::-1]
    shape = (-1,) + (1,) * indices.ndim
    return (indices // inner.reshape(shape) % dims.reshape(shape)).astype(indices.dtype)
