"""Gradients of operators that select, repeat or rearrange elements."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import jax.numpy as jnp

from mindspore._engine.execution.index_bounds import require_inside
from mindspore._engine.execution.value_checks import require_values
from mindspore._engine.operator.arguments import Array, Arrays, Shape
from mindspore._engine.tensor.tensor import Tensor
from mindspore._ops.array.gather import gather_d
from mindspore._ops.array.rearrange import repeat_interleave
from mindspore._ops.array.slicing import strided_index
from mindspore._ops.declaring.gradient_primitives import forward_of, gradient, pull, pull_from
from mindspore._ops.declaring.value_rules import falling
from mindspore._ops.linalg.linalg import einsum_primitive
from mindspore._ops.linalg.matrix import trace


# -- slices ----------------------------------------------------------------------------------------------------------
@gradient("StridedSliceGrad", ("begin_mask", "end_mask", "ellipsis_mask", "new_axis_mask", "shrink_axis_mask"))
def strided_slice_grad(dy: Array, shapex: Shape, begin: Shape, end: Shape, strides: Shape, begin_mask: int = 0,
                       end_mask: int = 0, ellipsis_mask: int = 0, new_axis_mask: int = 0,
                       shrink_axis_mask: int = 0):  # fmt: skip
    """The gradient of ``StridedSlice``, from the shape of its input."""
    masks = (begin_mask, end_mask, ellipsis_mask, new_axis_mask, shrink_axis_mask)
    return jnp.zeros(shapex, dy.dtype).at[strided_index(begin, end, strides, masks)].add(dy)


@gradient("SliceGrad")
def slice_grad(dy: Array, x: Array, begin: Shape, size: Shape):
    """The gradient of ``Slice``."""
    ends = (n if count == -1 else low + count for n, low, count in zip(x.shape, begin, size, strict=True))
    piece = tuple(slice(low, high) for low, high in zip(begin, ends, strict=True))
    return jnp.zeros(x.shape, dy.dtype).at[piece].set(dy)


@gradient("FlattenGrad")
def flatten_grad(x: Array, shape: Shape):
    """The gradient of ``Flatten``: the cotangent ``x`` in the shape of the input."""
    return x.reshape(shape)


@gradient("ConcatOffset", ("N", "axis"))
def concat_offset(input_x: Arrays, N: int = 2, axis: int = 0):
    """Where each of several Tensors begins when they are joined, one row per Tensor."""
    rows, start = [], 0
    for one in input_x:
        rows.append([start if dim == axis % one.ndim else 0 for dim in range(one.ndim)])
        start += one.shape[axis]
    return jnp.asarray(rows, jnp.int64)


# -- by positions ----------------------------------------------------------------------------------------------------
@gradient("GatherDGradV2")
def gather_d_grad_v2(x: Array, dim: int, index: Array, dout: Array):
    """The gradient of ``GatherD``."""
    return pull(lambda values: forward_of(gather_d, {})(values, dim, index), dout, x)


@gradient("MaskedSelectGrad")
def masked_select_grad(input: Array, mask: Array, grad: Array):
    """The gradient of ``MaskedSelect``."""
    shape = jnp.broadcast_shapes(input.shape, mask.shape)
    chosen = jnp.broadcast_to(mask, shape)
    sources = jnp.clip(jnp.cumsum(chosen.reshape(-1)) - 1, 0, max(grad.size - 1, 0)).reshape(shape)
    spread = jnp.where(chosen, grad[sources] if grad.size else 0, 0).astype(grad.dtype)
    return pull(lambda x: jnp.broadcast_to(x, shape), spread, input)


@gradient("UniqueGrad")
def unique_grad(dy: Arrays, y: Arrays):
    """The gradient of ``Unique``, from the cotangents of its two results and these results."""
    return dy[0][y[1]]


@gradient("RepeatInterleaveGrad")
def repeat_interleave_grad(input: Array, repeats: Any, dim: int):
    """The gradient of ``RepeatInterleave``; ``input`` is the cotangent."""
    numbers: Any = repeats if isinstance(repeats, tuple) else (repeats,)
    times = numbers if len(numbers) > 1 else numbers[0]
    shape = list(input.shape)
    shape[dim] = len(numbers) if len(numbers) > 1 else shape[dim] // numbers[0]
    return pull_from(repeat_interleave, shape, input, repeats=times, axis=dim)


@gradient("MedianGrad", ("global_median", "axis", "keep_dims"))
def median_grad(y_grad: Array, x: Array, y: Array, indices: Array, global_median: bool = False, axis: int = 0,
                keep_dims: bool = False):  # fmt: skip
    """The gradient of ``Median``, from its results; all equal medians share that of the global one."""
    dtype = jnp.float64 if x.dtype == jnp.float64 else jnp.float32
    if global_median:
        equal = x == y
        return jnp.where(equal, y_grad / equal.sum(), 0).astype(dtype)
    if not keep_dims and x.ndim:
        y_grad, indices = (jnp.expand_dims(one, axis) for one in (y_grad, indices))
    return jnp.put_along_axis(jnp.zeros(x.shape, dtype), indices, y_grad.astype(dtype), axis, inplace=False)


# -- sums ------------------------------------------------------------------------------------------------------------
@gradient("TraceGrad")
def trace_grad(y_grad: Array, x_shape: Shape):
    """The gradient of ``Trace``, from the shape of its input."""
    return (jnp.eye(*x_shape, dtype=y_grad.dtype) * y_grad).astype(y_grad.dtype)


@gradient("TraceV2Grad")
def trace_v2_grad(dout: Array, shape: Shape, offset: int = 0, axis1: int = 1, axis2: int = 0):
    """The gradient of ``TraceV2``, from the shape of its input."""
    return pull_from(trace, shape, dout, offset=offset, axis1=axis1, axis2=axis2)


@gradient("EinsumGrad", ("equation",))
def einsum_grad(x: Arrays, dout: Array, equation: str):
    """The gradients of ``Einsum`` by all its operands."""
    found = pull(lambda *operands: forward_of(einsum_primitive, {})(equation, operands), dout, *x)
    return found if isinstance(found, tuple) else (found,)


# -- segments and sparse tensors -------------------------------------------------------------------------------------
def _segments(x: Any, indices: Any, segment_ids: Any, output_dim0: Any, share: Any) -> Any:
    counts = jnp.zeros(x.shape[0], x.dtype).at[segment_ids].add(1)
    rows = x * share(jnp.maximum(counts, 1)).reshape(-1, *[1] * (x.ndim - 1))
    return jnp.zeros((output_dim0[0], *x.shape[1:]), x.dtype).at[indices].add(rows[segment_ids])


def _inside_segments(owner: str) -> Callable[..., None]:
    def check(x: Tensor, indices: Tensor, segment_ids: Tensor, output_dim0: Any) -> None:
        sorted_ids = "the 'segment_ids' must be sorted, but {} follows a larger one."
        require_values(owner, sorted_ids, falling, segment_ids, kind=ValueError)
        require_inside(owner, "segment_ids", segment_ids, 0, x.shape[0], ValueError)
        rows = output_dim0[0] if isinstance(output_dim0, (tuple, list)) else output_dim0
        require_inside(owner, "indices", indices, 0, int(rows), ValueError)

    return check


@gradient("SparseSegmentSumGrad")
def sparse_segment_sum_grad(grad: Array, indices: Array, segment_ids: Array, output_dim0: Shape):
    return _segments(grad, indices, segment_ids, output_dim0, jnp.ones_like)


@gradient("SparseSegmentMeanGrad", bounds=_inside_segments("SparseSegmentMeanGrad"))
def sparse_segment_mean_grad(x: Array, indices: Array, segment_ids: Array, output_dim0: Shape):
    return _segments(x, indices, segment_ids, output_dim0, lambda counts: 1 / counts)


@gradient("SparseSegmentSqrtNGrad", bounds=_inside_segments("SparseSegmentSqrtNGrad"))
def sparse_segment_sqrt_n_grad(x: Array, indices: Array, segment_ids: Array, output_dim0: Shape):
    return _segments(x, indices, segment_ids, output_dim0, lambda counts: counts**-0.5)


@gradient("SparseFillEmptyRowsGrad")
def sparse_fill_empty_rows_grad(reverse_index_map: Array, grad_values: Array):
    """The gradients of ``SparseFillEmptyRows`` by the values and by the default that filled the empty rows."""
    kept = jnp.zeros(grad_values.shape, bool).at[reverse_index_map].set(True)
    return grad_values[reverse_index_map], jnp.where(kept, 0, grad_values).sum().astype(grad_values.dtype)


@gradient("SparseSliceGrad")
def sparse_slice_grad(backprop_val_grad: Array, indices: Array, start: Array, new_indices: Array):
    """The gradient of ``SparseSlice`` by the values: 0 where an element was left out."""
    same = (indices[:, None] == new_indices + start).all(-1)
    return jnp.where(same, backprop_val_grad, 0).sum(1).astype(backprop_val_grad.dtype)
