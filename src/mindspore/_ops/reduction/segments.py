"""Elements combined by the segment they belong to."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np

from mindspore._engine.base.deferred_checks import LOWEST
from mindspore._engine.execution.index_bounds import require_inside
from mindspore._engine.operator.arguments import Array
from mindspore._engine.operator.registry import op
from mindspore._engine.tensor.tensor import Tensor
from mindspore._ops.declaring.requirements import require, require_index_dtype


def _flat_ids(x: Any, segment_ids: Any, num_segments: int) -> Any:
    """The flat segment numbers; those of elements that belong nowhere are out of range."""
    require_index_dtype("segment_ids", segment_ids)
    shape = segment_ids.shape
    text = (
        f"the 'segment_ids' must have the shape of the input's first axes, but got {shape} for an input of {x.shape}."
    )
    require(shape and x.shape[: len(shape)] == shape, text)
    require(num_segments > 0, f"the 'num_segments' must be greater than 0, but got {num_segments}.")
    ids = segment_ids if num_segments < 2**31 else segment_ids.astype(jnp.int64)
    return jnp.where(ids < 0, num_segments, ids).reshape(-1)


def _inside(owner: str) -> Callable[..., None]:
    """Refuses numbers of segments that do not exist; negative ones belong to none."""

    def check(x: Tensor, segment_ids: Tensor, num_segments: int) -> None:
        require_inside(owner, "segment_ids", segment_ids, LOWEST, int(num_segments))

    return check


def _combined(x: Any, segment_ids: Any, num_segments: int, how: str, start: Any) -> Any:
    flat_ids = _flat_ids(x, segment_ids, num_segments)
    rest = x.shape[segment_ids.ndim :]
    base = jnp.full((num_segments, *rest), start, x.dtype)
    return getattr(base.at[flat_ids], how)(x.reshape(flat_ids.size, *rest), mode="drop")


def _lowest(dtype: Any) -> Any:
    return jnp.finfo(dtype).min if jnp.issubdtype(dtype, jnp.floating) else jnp.iinfo(dtype).min


def _highest(dtype: Any) -> Any:
    return jnp.finfo(dtype).max if jnp.issubdtype(dtype, jnp.floating) else jnp.iinfo(dtype).max


def _numpy(ufunc: Any, start: Any) -> Callable[..., np.ndarray]:
    def reference(x: np.ndarray, ids: np.ndarray, count: int) -> np.ndarray:
        result = np.full((count, *x.shape[ids.ndim :]), start, x.dtype)
        ufunc.at(result, ids[ids >= 0], x[ids >= 0])
        return result

    return reference


_LIMITS = np.finfo(np.float32)


@op(
    primitive="UnsortedSegmentSum",
    bounds=_inside("UnsortedSegmentSum"),
    method="unsorted_segment_sum",
    old={"input_x": ("x",)},
    test=lambda t: [
        t.case(t.normal(4, 2), np.array([0, 2, 0, -1]), 3, expect=_numpy(np.add, 0)),
        t.case(t.normal(2, 2), np.array([[0, 2], [1, 1]]), 3, expect=_numpy(np.add, 0)),
    ],
)
def unsorted_segment_sum(input_x: Array, segment_ids: Array, num_segments: int):
    """The sum of the elements of each segment; negative numbers belong to none.

    Examples:
        >>> from mindspore import Tensor, ops
        >>> print(ops.unsorted_segment_sum(Tensor([1.0, 2.0, 3.0]), Tensor([0, 2, 0]), 3))
        [4. 0. 2.]
    """
    return _combined(input_x, segment_ids, num_segments, "add", 0)


@op(
    primitive="UnsortedSegmentMax",
    bounds=_inside("UnsortedSegmentMax"),
    method="unsorted_segment_max",
    test=lambda t: [t.case(t.normal(4, 2), np.array([0, 1, 0, -1]), 2, expect=_numpy(np.maximum, _LIMITS.min))],
)
def unsorted_segment_max(x: Array, segment_ids: Array, num_segments: int):
    """The largest element of each segment; the lowest number of the dtype for an empty segment.

    Examples:
        >>> from mindspore import Tensor, ops
        >>> print(ops.unsorted_segment_max(Tensor([1.0, 2.0, 3.0]), Tensor([0, 1, 0]), 2))
        [3. 2.]
    """
    return _combined(x, segment_ids, num_segments, "max", _lowest(x.dtype))


@op(
    primitive="UnsortedSegmentMin",
    bounds=_inside("UnsortedSegmentMin"),
    method="unsorted_segment_min",
    test=lambda t: [t.case(t.normal(4, 2), np.array([0, 1, 0, -1]), 2, expect=_numpy(np.minimum, _LIMITS.max))],
)
def unsorted_segment_min(x: Array, segment_ids: Array, num_segments: int):
    """The smallest element of each segment; the highest number of the dtype for an empty segment.

    Examples:
        >>> from mindspore import Tensor, ops
        >>> print(ops.unsorted_segment_min(Tensor([1.0, 2.0, 3.0]), Tensor([0, 1, 0]), 2))
        [1. 2.]
    """
    return _combined(x, segment_ids, num_segments, "min", _highest(x.dtype))


@jax.custom_vjp
def _product(x: Any, flat_ids: Any, ones: Any) -> Any:
    return ones.at[flat_ids].multiply(x, mode="drop")


def _product_forward(x: Any, flat_ids: Any, ones: Any) -> tuple:
    return _product(x, flat_ids, ones), (x, flat_ids, ones)


def _product_backward(saved: tuple, cotangent: Any) -> tuple:
    # The product of the others, also where an element is zero.
    x, flat_ids, ones = saved
    zero = x == 0
    zeros = jnp.zeros_like(ones).at[flat_ids].add(zero.astype(x.dtype), mode="drop")
    others = _product(jnp.where(zero, 1, x), flat_ids, ones)
    factor, count, seed = (a.at[flat_ids].get(mode="fill", fill_value=0) for a in (others, zeros, cotangent))
    alone = jnp.where(count == 0, factor / jnp.where(zero, 1, x), jnp.where(zero & (count == 1), factor, 0))
    return seed * alone, np.zeros(flat_ids.shape, jax.dtypes.float0), jnp.zeros_like(ones)


_product.defvjp(_product_forward, _product_backward)


@op(
    primitive="UnsortedSegmentProd",
    bounds=_inside("UnsortedSegmentProd"),
    method="unsorted_segment_prod",
    test=lambda t: [
        t.case(t.normal(4, 2), np.array([0, 2, 0, -1]), 3, expect=_numpy(np.multiply, 1)),
        t.case(np.array([0.0, 2.0, 3.0], np.float32), np.array([0, 0, 0]), 2, expect=_numpy(np.multiply, 1)),
    ],
)
def unsorted_segment_prod(x: Array, segment_ids: Array, num_segments: int):
    """The product of the elements of each segment.

    Examples:
        >>> from mindspore import Tensor, ops
        >>> print(ops.unsorted_segment_prod(Tensor([1.0, 2.0, 3.0]), Tensor([0, 1, 0]), 2))
        [3. 2.]
    """
    flat_ids = _flat_ids(x, segment_ids, num_segments)
    rest = x.shape[segment_ids.ndim :]
    return _product(x.reshape(flat_ids.size, *rest), flat_ids, jnp.ones((num_segments, *rest), x.dtype))
