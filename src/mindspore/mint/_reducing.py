"""Reductions by PyTorch's argument names: ``dim`` and ``keepdim``."""

from __future__ import annotations

from typing import Any

from mindspore import ops
from mindspore._engine.base.dtype import DType
from mindspore._engine.operator.checked import check_ints, check_tensors
from mindspore._engine.operator.overloads import overloaded
from mindspore.common.dtype import int64
from mindspore.common.tensor import Tensor


def all(input: Tensor, dim: Any = None, keepdim: bool = False) -> Tensor:
    """Whether all elements are true.

    >>> print(all(Tensor([[True, False], [True, True]]), dim=1))
    [False  True]
    """
    check_tensors("all", input=input)
    return ops.all(input.bool(), dim, keepdim)


def any(input: Tensor, dim: Any = None, keepdim: bool = False) -> Tensor:
    """Whether any element is true.

    >>> print(any(Tensor([[True, False], [False, False]]), dim=1))
    [ True False]
    """
    check_tensors("any", input=input)
    return ops.any(input.bool(), dim, keepdim)


def mean(input: Tensor, dim: Any = None, keepdim: bool = False, *, dtype: DType | None = None) -> Tensor:
    """The mean, computed in ``dtype`` if that is given.

    >>> print(mean(Tensor([[1.0, 3.0], [5.0, 7.0]]), dim=1))
    [2. 6.]
    """
    check_tensors("mean", input=input)
    return ops.mean(input if dtype is None else input.astype(dtype), dim, keepdim)


def prod(input: Tensor, dim: int | None = None, keepdim: bool = False, *, dtype: DType | None = None) -> Tensor:
    """The product, computed in ``dtype`` if that is given.

    >>> print(prod(Tensor([[1.0, 3.0], [5.0, 7.0]]), dim=1))
    [ 3. 35.]
    """
    return ops.prod(input, dim, keepdim, dtype)


def sum(input: Tensor, dim: Any = None, keepdim: bool = False, *, dtype: DType | None = None) -> Tensor:
    """The sum, computed in ``dtype`` if that is given.

    >>> print(sum(Tensor([[1.0, 3.0], [5.0, 7.0]]), dim=1))
    [ 4. 12.]
    """
    return ops.sum(input, dim, keepdim, dtype=dtype)


def nansum(input: Tensor, dim: Any = None, keepdim: bool = False, *, dtype: DType | None = None) -> Tensor:
    """The sum of the elements that are numbers.

    >>> print(nansum(Tensor([1.0, float("nan"), 2.0])))
    3.0
    """
    return ops.nansum(input, dim, keepdim, dtype=dtype)


def amax(input: Tensor, dim: Any = (), keepdim: bool = False) -> Tensor:
    """The largest element.

    >>> print(amax(Tensor([[1.0, 3.0], [5.0, 7.0]]), dim=1))
    [3. 7.]
    """
    return ops.amax(input, None if isinstance(dim, tuple) and not dim else dim, keepdim)


def amin(input: Tensor, dim: Any = (), keepdim: bool = False) -> Tensor:
    """The smallest element.

    >>> print(amin(Tensor([[1.0, 3.0], [5.0, 7.0]]), dim=1))
    [1. 5.]
    """
    return ops.amin(input, None if isinstance(dim, tuple) and not dim else dim, keepdim)


def _max(input: Tensor) -> Tensor:
    """The largest element; with ``dim`` also its index; with another Tensor, the larger of two elements.

    >>> print(max(Tensor([[1.0, 3.0], [5.0, 7.0]])))
    7.0
    >>> values, indices = max(Tensor([[1.0, 3.0], [9.0, 7.0]]), 1)
    >>> print(values, indices)
    [3. 9.] [1 0]
    """
    return ops.max(input)[0].reshape(())


def _max_along(input: Tensor, dim: int, keepdim: bool = False) -> tuple[Tensor, Tensor]:
    values, indices = ops.max(input, dim, keepdim)
    return values, indices.long()


def _larger(input: Any, other: Tensor | complex) -> Tensor:
    return ops.maximum(input, other)


def _min(input: Tensor) -> Tensor:
    """The smallest element; with ``dim`` also its index; with another Tensor, the smaller of two elements.

    >>> print(min(Tensor([[1.0, 3.0], [5.0, 7.0]])))
    1.0
    """
    return ops.min(input)[0].reshape(())


def _min_along(input: Tensor, dim: int, keepdim: bool = False) -> tuple[Tensor, Tensor]:
    values, indices = ops.min(input, dim, keepdim)
    return values, indices.long()


def _smaller(input: Any, other: Tensor | complex) -> Tensor:
    return ops.minimum(input, other)


max = overloaded("mint.max", _max, _max_along, _larger)
min = overloaded("mint.min", _min, _min_along, _smaller)


def median(input: Tensor, dim: int | None = None, keepdim: bool = False) -> Any:
    """The lower of the middle elements; with ``dim`` also its index.

    >>> print(median(Tensor([4.0, 1.0, 3.0, 2.0])))
    2.0
    >>> print(median(Tensor([[4.0, 1.0, 3.0]]), 1)[0])
    [3.]
    """
    check_tensors("median", input=input)
    if dim is None:
        return ops.median(input.reshape(-1), 0)[0]
    values, indices = ops.median(input, dim, keepdim)
    return values, indices.long()


def std(input: Tensor, dim: Any = None, *, correction: int = 1, keepdim: bool = False) -> Tensor:
    """The standard deviation; the number of elements is reduced by ``correction``.

    >>> print(std(Tensor([1.0, 3.0]), correction=0))
    1.0
    """
    return ops.std(input, dim, correction, keepdim)


def var(input: Tensor, dim: Any = None, *, correction: int = 1, keepdim: bool = False) -> Tensor:
    """The variance; the number of elements is reduced by ``correction``.

    >>> print(var(Tensor([1.0, 3.0])))
    2.0
    """
    return ops.var(input, dim, correction, keepdim)


def std_mean(input: Tensor, dim: Any = None, *, correction: int = 1, keepdim: bool = False) -> tuple[Tensor, ...]:
    """The standard deviation and the mean.

    >>> print(std_mean(Tensor([1.0, 3.0]), correction=0)[1])
    2.0
    """
    return ops.std_mean(input, dim, correction, keepdim)


def var_mean(input: Tensor, dim: Any = None, *, correction: int = 1, keepdim: bool = False) -> tuple[Tensor, ...]:
    """The variance and the mean.

    >>> print(var_mean(Tensor([1.0, 3.0]))[0])
    2.0
    """
    return ops.var_mean(input, dim, correction, keepdim)


def argmax(input: Tensor, dim: int | None = None, keepdim: bool = False) -> Tensor:
    """The index of the largest element, of all without ``dim``.

    >>> print(argmax(Tensor([[1.0, 3.0], [9.0, 7.0]]), 1))
    [1 0]
    """
    return ops.argmax(input, dim, keepdim).long()


def argmin(input: Tensor, dim: int | None = None, keepdim: bool = False) -> Tensor:
    """The index of the smallest element, of all without ``dim``.

    >>> print(argmin(Tensor([[1.0, 3.0], [9.0, 7.0]]), 1))
    [0 1]
    """
    return ops.argmin(input, dim, keepdim).long()


def count_nonzero(input: Tensor, dim: Any = None) -> Tensor:
    """How many elements are not zero.

    >>> print(count_nonzero(Tensor([[0, 1], [2, 3]]), dim=1))
    [1 2]
    """
    check_tensors("count_nonzero", input=input)
    return ops.sum(input != 0, dim)


def norm(
    input: Tensor, p: Any = "fro", dim: Any = None, keepdim: bool = False, *, dtype: DType | None = None
) -> Tensor:
    """The norm: of all elements as a vector, or along ``dim``.

    >>> print(norm(Tensor([[3.0], [4.0]])))
    5.0
    >>> print(norm(Tensor([[3.0], [4.0]]), 1, 0))
    [7.]
    """
    check_tensors("norm", input=input)
    x = input if dtype is None else input.astype(dtype)
    if p == "nuc":
        return ops.matrix_norm(x, p, (-2, -1) if dim is None else dim, keepdim)
    order = 2 if p in ("fro", None) else p
    return ops.vector_norm(x, order, dim, keepdim)


def cumsum(input: Tensor, dim: int, dtype: DType | None = None) -> Tensor:
    """The sums of the elements so far; of whole numbers in int64.

    >>> print(cumsum(Tensor([1, 2, 3]), 0))
    [1 3 6]
    """
    check_tensors("cumsum", input=input)
    chosen = dtype if dtype is not None else None if input.is_floating_point() or input.is_complex() else int64
    return ops.cumsum(input if chosen is None else input.astype(chosen), dim)


def cummax(input: Tensor, dim: int) -> tuple[Tensor, Tensor]:
    """The largest element so far, and its index.

    >>> print(cummax(Tensor([1.0, 3.0, 2.0]), 0)[0])
    [1. 3. 3.]
    """
    values, indices = ops.cummax(input, dim)
    return values, indices.long()


def cummin(input: Tensor, dim: int) -> tuple[Tensor, Tensor]:
    """The smallest element so far, and its index.

    >>> print(cummin(Tensor([3.0, 1.0, 2.0]), 0)[0])
    [3. 1. 1.]
    """
    values, indices = ops.cummin(input, dim)
    return values, indices.long()


def kthvalue(input: Tensor, k: int, dim: int = -1, keepdim: bool = False) -> tuple[Tensor, Tensor]:
    """The ``k``-th smallest element along an axis, counted from 1, and its index.

    >>> print(kthvalue(Tensor([3.0, 1.0, 2.0]), 2)[0])
    2.0
    """
    check_tensors("kthvalue", input=input)
    check_ints("kthvalue", k=k, dim=dim)
    if not -max(input.ndim, 1) <= dim < max(input.ndim, 1):
        raise ValueError(f"For 'kthvalue', the 'dim' must be in [{-input.ndim}, {input.ndim}), but got {dim}.")
    length = input.shape[dim] if input.ndim else 1
    if not 1 <= k <= length:
        raise ValueError(f"For 'kthvalue', the 'k' must be in [1, {length}], but got {k}.")
    ordered, indices = ops.sort(input, dim)
    values, positions = ordered.narrow(dim, k - 1, 1), indices.narrow(dim, k - 1, 1).long()
    return (values, positions) if keepdim else (values.squeeze(dim), positions.squeeze(dim))


def diff(
    input: Tensor, n: int = 1, dim: int = -1, prepend: Tensor | None = None, append: Tensor | None = None
) -> Tensor:
    """The differences of neighbours, ``n`` times.

    >>> print(diff(Tensor([1, 4, 9])))
    [3 5]
    """
    return ops.diff(input, n, dim, prepend, append)


def bincount(input: Tensor, weights: Tensor | None = None, minlength: int = 0) -> Tensor:
    """How often each number occurs, or the sum of its weights.

    >>> print(bincount(Tensor([1, 2, 2])))
    [0 1 2]
    """
    counts = ops.bincount(input, weights, minlength)
    return counts.astype(int64) if weights is None else counts.astype(weights.dtype)
