"""Running sums, products and extremes along an axis."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import jax.numpy as jnp
import numpy as np
from jax import lax

from mindspore._engine.operator.arguments import Array, DType
from mindspore._engine.operator.registry import op
from mindspore._kernels.reductions import running_extreme, running_log_sum, running_product
from mindspore._kernels.sorting import running_sum
from mindspore._ops.declaring.dtype_checks import accepts
from mindspore._ops.declaring.promotion import HALF_PRECISION, as_float, axis_of, kind_of
from mindspore._ops.reduction.reduce import in_dtype

_DIM = {"axis": ("dim",)}
_SUMMED = (jnp.float64, jnp.int32, jnp.int64)
_KERNELS = {lax.cumsum: running_sum, lax.cumprod: running_product, lax.cumlogsumexp: running_log_sum}


def _scan(running: Callable[..., Any], neutral: float, x: Any, axis: int, exclusive: bool = False,
          reverse: bool = False) -> Any:  # fmt: skip
    """Cumulative reduction along the axis; an exclusive scan starts with the neutral element and drops the last."""
    axis = axis_of(x, axis)
    if exclusive:
        padding = [(0, 0, 0)] * x.ndim
        padding[axis] = (-1, 1, 0) if reverse else (1, -1, 0)
        x = lax.pad(x, jnp.asarray(neutral, x.dtype), padding)
    if x.dtype == jnp.float32 or (running is lax.cumsum and x.dtype in _SUMMED):
        return _KERNELS[running](x, axis, reverse)
    if x.dtype in HALF_PRECISION:  # as float32, rounded once
        return _KERNELS[running](x.astype(jnp.float32), axis, reverse).astype(x.dtype)
    return running(x, axis=axis, reverse=reverse)


@op(old={"x": ("input",), **_DIM},
    test=lambda t: [t.case(t.normal(2, 3), 1, expect=np.cumsum),
                    t.case(t.ints(2, 3), 0, expect=lambda x, axis: np.cumsum(x, axis, dtype=x.dtype))])  # fmt: skip
def cumsum(x: Array, axis: int, dtype: DType | None = None):
    """The running sum along ``axis``.

    Examples:
        >>> from mindspore import Tensor, ops
        >>> print(ops.cumsum(Tensor([1.0, 2.0, 3.0]), 0))
        [1. 3. 6.]
    """
    return _scan(lax.cumsum, 0, in_dtype(x, dtype), axis)


@op(primitive="CumSum", init=("exclusive", "reverse"), public=False, old={"input": ("x",)},
    test=lambda t: [t.case(t.normal(2, 3), 1, expect=np.cumsum),
                    t.case(t.normal(2, 3), 1, True, True,
                           expect=lambda x, *_: np.flip(np.cumsum(np.flip(x, 1), 1), 1) - x)])  # fmt: skip
def cumulative_sum(input: Array, axis: int, exclusive: bool = False, reverse: bool = False):
    """The running sum along ``axis``, from the end with ``reverse``, without the element with ``exclusive``.

    Examples:
        >>> from mindspore import Tensor, ops
        >>> print(ops.CumSum(exclusive=True)(Tensor([1, 2, 3]), 0))
        [0 1 3]
    """
    return _scan(lax.cumsum, 0, input, axis, exclusive, reverse)


@op(method="cumprod", old={"input": ("x",), "dim": ("axis",)},
    test=lambda t: [t.case(t.normal(2, 3), 1, expect=np.cumprod),
                    t.case(t.ints(2, 3), 0, expect=lambda x, axis: np.cumprod(x, axis, dtype=np.int64))])  # fmt: skip
def cumprod(input: Array, dim: int, dtype: DType | None = None):
    """The running product along ``dim``; integers are multiplied as int64.

    Examples:
        >>> from mindspore import Tensor, ops
        >>> print(ops.cumprod(Tensor([1.0, 2.0, 3.0]), 0))
        [1. 2. 6.]
    """
    x = in_dtype(input, dtype)
    return _scan(lax.cumprod, 1, x.astype(jnp.int64) if dtype is None and kind_of(x.dtype) in "bi" else x, dim)


@op(primitive="CumProd", init=("exclusive", "reverse"), public=False, old={"x": ("input",)},
    test=lambda t: [t.case(t.normal(2, 3), 1, expect=np.cumprod),
                    t.case(t.positive(2, 3), 1, True, False, expect=lambda x, *_: np.cumprod(x, 1) / x)])  # fmt: skip
def cumulative_product(x: Array, axis: int, exclusive: bool = False, reverse: bool = False):
    """The running product along ``axis``, from the end with ``reverse``, without the element with ``exclusive``.

    Examples:
        >>> from mindspore import Tensor, ops
        >>> print(ops.CumProd()(Tensor([1.0, 2.0, 3.0]), 0))
        [1. 2. 6.]
    """
    return _scan(lax.cumprod, 1, x, axis, exclusive, reverse)


@op(method="logcumsumexp", old={"input": ("x",), **_DIM},
    test=lambda t: [t.case(t.normal(2, 3), 1, expect=lambda x, axis: np.log(np.cumsum(np.exp(x), axis)))])  # fmt: skip
@accepts("f", "input")
def logcumsumexp(input: Array, axis: int):
    """The logarithm of the running sum of exponentials along ``axis``, without overflow.

    Examples:
        >>> from mindspore import Tensor, ops
        >>> print(ops.logcumsumexp(Tensor([0.0, 0.0]), 0).asnumpy().round(4))
        [0.     0.6931]
    """
    return _scan(lax.cumlogsumexp, 0, as_float(input), axis)


@op(primitive="CumulativeLogsumexp", init=("exclusive", "reverse"), public=False,
    test=lambda t: [t.case(t.normal(2, 3), 1, expect=lambda x, axis: np.log(np.cumsum(np.exp(x), axis)))])  # fmt: skip
def cumulative_logsumexp(x: Array, axis: int, exclusive: bool = False, reverse: bool = False):
    """The logarithm of the running sum of exponentials; the sum of nothing is the dtype's lowest number.

    Examples:
        >>> import mindspore
        >>> from mindspore import Tensor, ops
        >>> print(ops.CumulativeLogsumexp()(Tensor([0.0, 0.0]), Tensor(0, mindspore.int32)).round(4))
        [0.     0.6931]
    """
    x = as_float(x)
    return _scan(lax.cumlogsumexp, float(jnp.finfo(x.dtype).min), x, axis, exclusive, reverse)


def _extremes(x: Any, axis: int, largest: bool) -> tuple[Any, Any]:
    wide = x.astype(jnp.float32) if x.dtype in HALF_PRECISION else x
    value, position = running_extreme(wide, axis_of(x, axis), largest)
    return value.astype(x.dtype), position


@op(primitive="Cummax", init=("axis",), method="cummax", old=_DIM,
    test=lambda t: [t.case(np.array([[1, 3, 2]], np.float32), 1,
                           expect=lambda x, axis: (np.array([[1.0, 3, 3]]), np.array([[0, 1, 1]])))])  # fmt: skip
@accepts("bif", "input")
def cummax(input: Array, axis: int):
    """The largest element so far along ``axis`` and its position (int64).

    Examples:
        >>> from mindspore import Tensor, ops
        >>> value, position = ops.cummax(Tensor([1.0, 3.0, 2.0]), 0)
        >>> print(value, position)
        [1. 3. 3.] [0 1 1]
    """
    value, position = _extremes(input, axis, True)
    return value, position.astype(jnp.int64)


@op(primitive="Cummin", init=("axis",), method="cummin", old=_DIM,
    test=lambda t: [t.case(np.array([[3, 1, 2]], np.float32), 1,
                           expect=lambda x, axis: (np.array([[3.0, 1, 1]]), np.array([[0, 1, 1]])))])  # fmt: skip
@accepts("bif", "input")
def cummin(input: Array, axis: int):
    """The smallest element so far along ``axis`` and its position (int32).

    Examples:
        >>> from mindspore import Tensor, ops
        >>> value, position = ops.cummin(Tensor([3.0, 1.0, 2.0]), 0)
        >>> print(value, position)
        [3. 1. 1.] [0 1 1]
    """
    return _extremes(input, axis, False)
