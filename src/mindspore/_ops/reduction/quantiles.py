"""Quantiles, the k-th element, covariance, norms that are bounded, distances."""

from __future__ import annotations

from typing import Any

import jax.numpy as jnp
import numpy as np
from jax import lax

from mindspore._engine.operator.arguments import Array, Axis, Operand
from mindspore._engine.operator.registry import op
from mindspore._kernels.sorting import sort
from mindspore._ops.declaring.conventions import safe_root
from mindspore._ops.declaring.dtype_checks import accepts, halves_as_float32
from mindspore._ops.declaring.promotion import as_float, normal_axes, normal_axis, promote
from mindspore._ops.declaring.requirements import (
    FOUND_BY_KERNEL,
    require,
    require_elements,
    require_float,
    require_form,
    require_rank,
    require_rank_from,
)
from mindspore._ops.linalg.matrix import pdist


def _quantile(x: Any, q: Any, axis: int | None, keepdims: bool, ignore_nan: bool) -> Any:
    require_float("input", x)
    shares = jnp.asarray(q)
    require(shares.ndim <= 1, f"the 'q' must be a number or a vector, but got shape {shares.shape}.")
    shares = shares.astype(x.dtype)
    if axis is not None:
        axis = normal_axis(axis, x.ndim)
    axis = axis if x.ndim else None
    require_elements("input", x, range(x.ndim) if axis is None else (axis,))
    rows = x.reshape(-1) if axis is None else jnp.moveaxis(x, axis, -1)
    found = _interpolated(sort(rows, -1)[0], shares.reshape(-1), ignore_nan)  # (..., shares)
    found = found.reshape((1,) * x.ndim + (-1,)) if axis is None and keepdims else found
    found = jnp.expand_dims(found, axis) if axis is not None and keepdims else found
    return jnp.moveaxis(found, -1, 0) if shares.ndim else found[..., 0]


def _interpolated(rows: Any, shares: Any, ignore_nan: bool) -> Any:
    """The quantiles ``shares`` of sorted rows, NaN last, interpolated linearly."""
    missing = jnp.sum(jnp.isnan(rows), -1, keepdims=True)
    last = rows.shape[-1] - 1 - (missing if ignore_nan else 0)
    fractional = shares * jnp.maximum(last, 0).astype(rows.dtype)
    low = jnp.broadcast_to(jnp.floor(fractional), (*rows.shape[:-1], shares.shape[0]))
    first, second = (
        jnp.take_along_axis(rows, jnp.clip(at, 0, rows.shape[-1] - 1).astype(jnp.int32), -1)
        for at in (low, jnp.ceil(fractional) + 0 * low)
    )
    weight = (fractional - low).astype(rows.dtype)
    found = first * (1 - weight) + second * weight
    lost = jnp.isnan(fractional) | (last < 0 if ignore_nan else missing > 0)
    return jnp.where(lost, jnp.nan, found)


def _check_shares(input: Any, q: Any, *_: Any) -> None:
    if isinstance(q, (int, float)) and not 0 <= q <= 1:
        raise ValueError(f"For 'quantile', the 'q' must be in [0, 1], but got {q}.")


@op(method="quantile", check=_check_shares,
    test=lambda t: [t.case(t.normal(5), 0.3, expect=np.quantile),
                    t.case(t.normal(3, 4), np.array([0.25, 0.5], np.float32), 1, True, grad=(0,),
                           expect=lambda x, q, axis, keep: np.quantile(x, q, axis, keepdims=keep))])  # fmt: skip
def quantile(input: Array, q: Operand, axis: int | None = None, keepdims: bool = False):
    """The values below which the shares ``q`` of the elements lie, interpolated between elements.

    Several shares give a result with a first axis for them.

    Examples:
        >>> from mindspore import Tensor, ops
        >>> print(ops.quantile(Tensor([1.0, 2.0, 3.0, 4.0, 5.0]), 0.25))
        2.0
    """
    return _quantile(input, q, axis, keepdims, False)


@op(method="nanquantile", check=_check_shares,
    test=lambda t: [t.case(np.array([[1, np.nan, 3], [4, 5, 7]], np.float32), 0.5, 1, grad=False,
                           expect=np.nanquantile)])  # fmt: skip
def nanquantile(input: Array, q: Operand, axis: int | None = None, keepdims: bool = False):
    """The :func:`quantile` of the elements that are not NaN.

    Examples:
        >>> from mindspore import Tensor, ops
        >>> print(ops.nanquantile(Tensor([1.0, float("nan"), 3.0]), 0.5))
        2.0
    """
    return _quantile(input, q, axis, keepdims, True)


@op(primitive="Quantile", init=("dim", "keep_dims", "ignore_nan"), public=False,
    test=lambda t: [t.case(t.normal(3, 4), np.array(0.5, np.float32), 0, grad=(0,),
                           expect=lambda x, q, dim: np.quantile(x, q, dim))])  # fmt: skip
def quantile_primitive(input: Array, q: Operand, dim: int | None = None, keep_dims: bool = False,
                       ignore_nan: bool = False):  # fmt: skip
    """The values below which the shares ``q`` of the elements lie, interpolated between elements.

    Examples:
        >>> from mindspore import Tensor, ops
        >>> print(ops.Quantile()(Tensor([1.0, 2.0, 3.0]), Tensor(0.5)))
        2.0
    """
    return _quantile(input, q, dim, keep_dims, ignore_nan)


@op(public=False, method="kthvalue", old={"dim": ("axis",), "keepdim": ("keepdims",)},
    test=lambda t: [t.case(t.normal(2, 5), 2, expect=lambda x, k: (np.sort(x)[:, 1], np.argsort(x)[:, 1])),
                    t.case(t.normal(4, 3), 4, 0, True,
                           expect=lambda x, k, *_: (x.max(0, keepdims=True), x.argmax(0)[None]))])  # fmt: skip
def kthvalue(input: Array, k: int, dim: int = -1, keepdim: bool = False):
    """The k-th smallest element along an axis, counted from 1, and its position.

    Examples:
        >>> from mindspore import Tensor
        >>> values, index = Tensor([3.0, 1.0, 2.0]).kthvalue(2)
        >>> print(values, index)
        2.0 2
    """
    axis = normal_axis(dim, input.ndim, "dim")
    input = input.reshape(1) if input.ndim == 0 else input
    require(1 <= k <= input.shape[axis], f"the 'k' must be in [1, {input.shape[axis]}], but got {k}.")
    value, position = (lax.slice_in_dim(each, k - 1, k, 1, axis) for each in sort(input, axis))
    if not keepdim:
        value, position = value.squeeze(axis), position.squeeze(axis)
    return value, position.astype(jnp.int64)


@op(primitive="NthElement", init=("reverse",), public=False,
    test=lambda t: [t.case(t.normal(2, 5), 1, expect=lambda x, n: np.sort(x)[:, 1]),
                    t.case(t.normal(5), 0, True, expect=lambda x, *_: x.max())])  # fmt: skip
@accepts("if", "input")
def nth_element(input: Array, n: int, reverse: bool = False):
    """The n-th smallest, or with ``reverse`` largest, element of the last axis, counted from 0.

    Examples:
        >>> import mindspore
        >>> from mindspore import Tensor, ops
        >>> print(ops.NthElement()(Tensor([3, 1, 2], mindspore.int32), Tensor(1, mindspore.int32)))
        2
    """
    require_rank_from("input", input, 1)
    length = input.shape[-1]
    require(0 <= n < length, f"the 'n' must be in [0, {length}), but got {n}.")
    return sort(input, -1)[0][..., length - 1 - n if reverse else n]


@op(method="cov",
    test=lambda t: [t.case(t.normal(3, 5), expect=np.cov), t.case(t.normal(5), 0, expect=lambda x, d: np.cov(x, ddof=d)),
                    t.case(t.normal(2, 3), 1, np.array([1, 2, 3]), t.positive(3), grad=(0,),
                           expect=lambda x, d, f, a: np.cov(x, ddof=d, fweights=f, aweights=a))])  # fmt: skip
@accepts("ifc", "input")
def cov(input: Array, correction: int = 1, fweights: Array | None = None, aweights: Array | None = None):
    """The covariances of variables in rows with observations in columns.

    Args:
        correction: the sums are divided by the count of observations less this.
        fweights: how often each observation was made, whole numbers.
        aweights: how much each observation counts.

    Examples:
        >>> from mindspore import Tensor, ops
        >>> print(ops.cov(Tensor([[1.0, 2.0, 3.0], [3.0, 2.0, 1.0]])))
        [[ 1. -1.]
         [-1.  1.]]
    """
    require(input.ndim <= 2, f"the 'input' must have at most 2 dimensions, but got {input.ndim}.")
    x = jnp.atleast_2d(as_float(input))
    x = x.astype(jnp.float32) if x.dtype.itemsize == 2 else x  # covariances of halves are single, as in MindSpore
    weights = jnp.ones((x.shape[1],), x.dtype)
    for name, given in (("fweights", fweights), ("aweights", aweights)):
        if given is not None:
            require(
                given.shape == weights.shape, f"the '{name}' must have shape {weights.shape}, but got {given.shape}."
            )
            weights = weights * given.astype(x.dtype)
    total = weights.sum()
    centred = x - (x * weights).sum(1, keepdims=True) / total
    squares = 1 if aweights is None else (weights * aweights.astype(x.dtype)).sum() / total
    result = (centred * weights) @ jnp.conj(centred.T) / jnp.maximum(total - correction * squares, 0)
    return result.reshape(()) if result.shape == (1, 1) else result  # a single variable has a variance, no matrix


@op(primitive="Renorm", init=("p", "dim", "maxnorm"), public=False,
    test=lambda t: [t.case(t.normal(2, 3), 2.0, 0, 1.0, tolerance=1e-5, expect=lambda x, p, dim, most: x * np.minimum(
        1, most / (np.linalg.norm(x, axis=1, keepdims=True) + 1e-7)))])  # fmt: skip
def renorm_primitive(input_x: Array, p: Any, dim: int, maxnorm: float):
    """Slices along ``dim`` with a p-norm above ``maxnorm`` scaled down to it.

    Examples:
        >>> from mindspore import Tensor, ops
        >>> print(ops.Renorm(p=2, dim=0, maxnorm=5.0)(Tensor([[3.0, 4.0], [6.0, 8.0]])).round(3))
        [[3. 4.]
         [3. 4.]]
    """
    return _renormed(input_x, p, dim, maxnorm)


@op(method="renorm", old={"input": ("input_x",), "axis": ("dim",)},
    test=lambda t: [t.case(t.normal(2, 3), 1, 1, 1.0, expect=lambda x, p, axis, most: x * np.minimum(
        1, most / (np.abs(x).sum(0, keepdims=True) + 1e-7)))])  # fmt: skip
def renorm(input: Array, p: Any, axis: int, maxnorm: float):
    """Slices along ``axis`` with a p-norm above ``maxnorm`` scaled down to it; the others stay.

    Examples:
        >>> from mindspore import Tensor, ops
        >>> print(ops.renorm(Tensor([[3.0, 4.0], [0.5, 0.0]]), 2, 0, 1.0))
        [[0.6 0.8]
         [0.5 0. ]]
    """
    return _renormed(input, p, axis, maxnorm)


def _renormed(x: Any, p: Any, axis: int, maxnorm: float) -> Any:
    require_form(isinstance(p, (int, float)) and p > 0, f"the 'p' must be a positive number, but got {p!r}.")
    require(maxnorm >= 0, f"the 'maxnorm' must not be negative, but got {maxnorm}.", FOUND_BY_KERNEL)
    require_float("input", x)
    kept = normal_axis(axis, x.ndim)
    others = tuple(a for a in range(x.ndim) if a != kept)
    norm = safe_root(jnp.sum(jnp.abs(x) ** p, others, keepdims=True), 1 / p)
    return jnp.where(norm > maxnorm, x * (maxnorm / (norm + 1e-7)).astype(x.dtype), x)


# -- norms and distances -----------------------------------------------------------------------------------------------
@op(test=lambda t: [t.case(t.normal(2, 3), t.normal(3), expect=lambda x, y: np.linalg.norm(x - y)),
                    t.case(t.normal(4), t.normal(4), 3, expect=lambda x, y, p: np.linalg.norm(x - y, p)),
                    t.case(t.normal(4), t.normal(4), float("inf"), expect=lambda x, y, p: abs(x - y).max()),
                    t.case(t.normal(4), t.normal(4), 0, expect=lambda x, y, p: np.float32(4))])  # fmt: skip
def dist(input: Array, other: Array, p: Any = 2):
    """The p-norm of the difference of two tensors, which broadcast.

    Examples:
        >>> from mindspore import Tensor, ops
        >>> print(ops.dist(Tensor([0.0, 0.0]), Tensor([3.0, 4.0])))
        5.0
    """
    require_form(
        isinstance(p, (int, float)) and p >= 0, f"the 'p' must be a number that is not negative, but got {p!r}."
    )
    x, y = promote(input, other)
    require_float("input", x)
    apart = jnp.abs(x - y)
    if p == 0:
        return jnp.sum(apart != 0).astype(x.dtype)
    return apart.max() if p == float("inf") else safe_root(jnp.sum(apart**p), 1 / p)


@op(primitive="Pdist", init=("p",), public=False, test=lambda t: [t.case(t.normal(4, 2))])
def pdist_primitive(x: Array, p: float = 2.0):
    """The p-norm distances between the rows of a matrix.

    Examples:
        >>> from mindspore import Tensor, ops
        >>> print(ops.Pdist()(Tensor([[0.0, 0.0], [3.0, 4.0]])))
        [5.]
    """
    return pdist.__wrapped__(x, p)  # type: ignore[attr-defined]


@op(primitive="EuclideanNorm", init=("keep_dims",), public=False,
    test=lambda t: [t.case(t.normal(2, 3), (1,), expect=lambda x, axes: np.linalg.norm(x, axis=1))])  # fmt: skip
def euclidean_norm(x: Array, axes: Axis, keep_dims: bool = False):
    """The root of the sum of squares over ``axes``.

    Examples:
        >>> import mindspore
        >>> from mindspore import Tensor, ops
        >>> print(ops.EuclideanNorm()(Tensor([[3.0, 4.0]]), Tensor([1], mindspore.int32)))
        [5.]
    """
    return safe_root(jnp.sum(jnp.square(jnp.abs(x)), normal_axes(axes, x.ndim, "axes"), keepdims=keep_dims), 0.5)


@op(primitive="NuclearNorm", init=("dim", "keepdim"), public=False,
    test=lambda t: [t.case(t.normal(2, 3), expect=lambda x: np.linalg.norm(x, "nuc")),
                    t.case(t.normal(2, 3, 4), (0, 2), True,
                           expect=lambda x, *_: np.linalg.norm(x, "nuc", (0, 2), keepdims=True))])  # fmt: skip
@halves_as_float32
def nuclear_norm(x: Array, dim: Axis = None, keepdim: bool = False):
    """The sum of the singular values of the matrices in two axes.

    Examples:
        >>> from mindspore import Tensor, ops
        >>> print(ops.NuclearNorm()(Tensor([[3.0, 0.0], [0.0, 2.0]])))
        5.0
    """
    require_float("x", x)
    if dim is None:
        require_rank("x", x, 2)
        dim = (0, 1)
    axes = normal_axes(dim, x.ndim, "dim")
    require_form(len(axes) == 2 and dim != (), f"the 'dim' must name two axes, but got {dim}.")
    total = jnp.linalg.svd(jnp.moveaxis(x, axes, (-2, -1)), compute_uv=False).sum(-1)
    return jnp.expand_dims(total, axes) if keepdim else total
