"""Primitives with data-dependent output shapes."""

from __future__ import annotations

from typing import Any

import jax.numpy as jnp
import numpy as np

from mindspore._engine.base import dtype as dtypes
from mindspore._engine.operator.arguments import Array
from mindspore._engine.operator.checked import check_tensors
from mindspore._engine.operator.primitive import Primitive
from mindspore._engine.operator.registry import op, register_primitive
from mindspore._engine.tensor.tensor import Tensor
from mindspore._ops.array.dynamic_shape import host_values, unique_consecutive
from mindspore._ops.declaring.requirements import require
from mindspore._utils import checks
from mindspore._utils.compat.old_names import old_names
from mindspore._utils.refusals import type_or_value

_STARTS = {"add": 0, "multiply": 1}


def checked_host_values(
    tensor: Any, owner: str, name: str, instead: str = "call it outside compiled code."
) -> np.ndarray:
    """:func:`host_values` of an argument that must be a Tensor."""
    return host_values(checks.check_type(owner, name, tensor, Tensor), owner, instead)


@op(public=False,
    test=lambda t: [t.case(t.normal(4, 2), np.array([0, 0, 2, 2], np.int32), 3, "mean",
                           expect=lambda x, *_: np.stack([x[:2].mean(0), np.zeros(2), x[2:].mean(0)])),
                    t.case(t.normal(3), np.array([0, 2, 2], np.int32), 3, "max", expect=lambda x, *_: np.array(
                        [x[0], 0, x[1:].max()]))])  # fmt: skip
def combined_segments(input_x: Array, segment_ids: Array, count: int, how: str):
    """Rows combined by the segment they belong to; an empty segment is 0, or 1 where rows are multiplied."""
    text = f"the 'segment_ids' must have one number per row of 'input_x', but got {segment_ids.shape}, {input_x.shape}."
    require(input_x.ndim and segment_ids.shape == input_x.shape[:1], text)
    sizes = jnp.zeros((count,), jnp.int32).at[segment_ids].add(1)
    sizes = sizes.reshape((count,) + (1,) * (input_x.ndim - 1))
    method = {"mean": "add", "prod": "multiply", "sum": "add"}.get(how, how)
    if method in _STARTS:
        start = jnp.full((count, *input_x.shape[1:]), _STARTS[method], input_x.dtype)
    else:
        limits = jnp.finfo if jnp.issubdtype(input_x.dtype, jnp.floating) else jnp.iinfo
        lowest, highest = limits(input_x.dtype).min, limits(input_x.dtype).max
        start = jnp.full((count, *input_x.shape[1:]), lowest if how == "max" else highest, input_x.dtype)
    result = getattr(start.at[segment_ids], method)(input_x)
    if how == "mean":
        divisor = jnp.maximum(sizes, 1).astype(input_x.dtype)
        is_whole = jnp.issubdtype(input_x.dtype, jnp.integer)
        return result // divisor if is_whole else result / divisor
    return jnp.where(sizes > 0, result, 0) if how in ("max", "min") else result


class _Segments(Primitive):
    """Rows combined by their segment, whose numbers rise."""

    how = ""

    def __call__(self, input_x: Tensor, segment_ids: Tensor) -> Tensor:
        check_tensors(self.name, input_x=input_x)
        ids = checked_host_values(segment_ids, self.name, "segment_ids")
        if ids.ndim != 1 or ids.shape != input_x.shape[:1]:
            raise ValueError(
                f"For '{self.name}', the 'segment_ids' must have shape {input_x.shape[:1]}, a number for each row, but got "
                f"shape {ids.shape}."
            )
        if not ids.size or np.any(np.diff(ids) < 0) or ids[0] < 0:
            raise ValueError(
                f"For '{self.name}', the 'segment_ids' must be a vector of rising numbers from 0 on, but got "
                f"{ids.tolist()}."
            )
        return combined_segments(input_x, segment_ids, int(ids[-1]) + 1, self.how)


@register_primitive
class SegmentSum(_Segments):
    """The sums of the rows of each segment.

    Examples:
        >>> from mindspore import Tensor, ops
        >>> print(ops.SegmentSum()(Tensor([1.0, 2.0, 3.0]), Tensor([0, 0, 1])))
        [3. 3.]
    """

    how = "sum"


@register_primitive
class SegmentMean(_Segments):
    """The means of the rows of each segment.

    Examples:
        >>> import mindspore
        >>> from mindspore import Tensor, ops
        >>> print(ops.SegmentMean()(Tensor([1.0, 5.0, 3.0]), Tensor([0, 0, 1], mindspore.int32)))
        [3. 3.]
    """

    how = "mean"


@register_primitive
class SegmentMax(_Segments):
    """The largest elements of the rows of each segment.

    Examples:
        >>> import mindspore
        >>> from mindspore import Tensor, ops
        >>> print(ops.SegmentMax()(Tensor([1.0, 5.0, 3.0]), Tensor([0, 0, 1], mindspore.int32)))
        [5. 3.]
    """

    how = "max"


@register_primitive
class SegmentMin(_Segments):
    """The smallest elements of the rows of each segment.

    Examples:
        >>> import mindspore
        >>> from mindspore import Tensor, ops
        >>> print(ops.SegmentMin()(Tensor([1.0, 5.0, 3.0]), Tensor([0, 0, 1], mindspore.int32)))
        [1. 3.]
    """

    how = "min"


@register_primitive
class SegmentProd(_Segments):
    """The products of the rows of each segment.

    Examples:
        >>> import mindspore
        >>> from mindspore import Tensor, ops
        >>> print(ops.SegmentProd()(Tensor([1.0, 5.0, 3.0]), Tensor([0, 0, 1], mindspore.int32)))
        [5. 3.]
    """

    how = "prod"


@register_primitive
class ListDiff(Primitive):
    """The elements of a vector that another vector does not have, and their indices.

    Examples:
        >>> from mindspore import Tensor, ops
        >>> rest, indices = ops.ListDiff()(Tensor([3, 1, 2]), Tensor([1]))
        >>> print(rest, indices)
        [3 2] [0 2]
    """

    def __init__(self, out_idx: Any = dtypes.int32):
        super().__init__()
        self.add_prim_attr("out_idx", checks.check_one_of(self.name, "out_idx", out_idx, (dtypes.int32, dtypes.int64)))

    def __call__(self, x: Tensor, y: Tensor) -> tuple[Tensor, Tensor]:
        first, second = checked_host_values(x, self.name, "x"), checked_host_values(y, self.name, "y")
        if first.ndim != 1 or second.ndim != 1 or first.dtype != second.dtype:
            raise type_or_value(ValueError)(
                f"For '{self.name}', the 'x' and 'y' must be vectors of one dtype, but got shapes {first.shape} and "
                f"{second.shape} of {first.dtype} and {second.dtype}."
            )
        indices = np.flatnonzero(~np.isin(first, second))
        return Tensor(first[indices]), Tensor(indices.astype(self.out_idx.np_dtype))


@register_primitive
class UniqueConsecutive(Primitive):
    """Runs of equal elements as a single element each, and on request each element's run and the runs' lengths.

    Examples:
        >>> from mindspore import Tensor, ops
        >>> values, runs, lengths = ops.UniqueConsecutive(True, True)(Tensor([1, 1, 2]))
        >>> print(values, runs, lengths)
        [1 2] [0 0 1] [2 1]
    """

    @old_names(return_idx="return_inverse", axis="dim")
    def __init__(self, return_inverse: bool = False, return_counts: bool = False, dim: int | None = None):
        super().__init__()
        self.add_prim_attr("return_inverse", checks.check_bool(self.name, "return_inverse", return_inverse))
        self.add_prim_attr("return_counts", checks.check_bool(self.name, "return_counts", return_counts))
        self.add_prim_attr("dim", dim)

    def __call__(self, input: Tensor) -> tuple[Tensor, Tensor, Tensor]:
        values, runs, lengths = unique_consecutive(input, True, True, self.dim)
        nothing = Tensor(np.zeros((), np.int64))
        return values, runs if self.return_inverse else nothing, lengths if self.return_counts else nothing


@register_primitive
class RaggedRange(Primitive):
    """Several ranges, concatenated: where each begins, and their numbers.

    Examples:
        >>> import mindspore as ms
        >>> from mindspore import Tensor, ops
        >>> begins, numbers = ops.RaggedRange(ms.int64)(Tensor([0, 5]), Tensor([2, 8]), Tensor([1, 2]))
        >>> print(begins, numbers)
        [0 2 4] [0 1 5 7]
    """

    def __init__(self, Tsplits: Any):
        super().__init__()
        self.add_prim_attr("Tsplits", checks.check_one_of(self.name, "Tsplits", Tsplits, (dtypes.int32, dtypes.int64)))

    def __call__(self, starts: Tensor, limits: Tensor, deltas: Tensor) -> tuple[Tensor, Tensor]:
        named = {"starts": starts, "limits": limits, "deltas": deltas}
        first, last, step = (
            np.atleast_1d(checked_host_values(value, self.name, name)) for name, value in named.items()
        )
        if not first.shape == last.shape == step.shape:
            raise ValueError(
                f"For '{self.name}', the 'starts', 'limits' and 'deltas' must have the same shape, but got {first.shape}, "
                f"{last.shape} and {step.shape}."
            )
        if np.any(step == 0):
            raise ValueError(f"For '{self.name}', the 'deltas' must not contain 0, but got {step.tolist()}.")
        parts = [np.arange(a, b, d, dtype=first.dtype) for a, b, d in zip(first, last, step, strict=True)]
        begins = np.cumsum([0, *map(len, parts)]).astype(self.Tsplits.np_dtype)
        return Tensor(begins), Tensor(np.concatenate(parts))


@register_primitive
class SubAndFilter(Primitive):
    """Numbers less an offset, only those in [0, max_num), and their indices.

    Examples:
        >>> from mindspore import Tensor, ops
        >>> rest, indices = ops.SubAndFilter()(Tensor([1, 3, 5]), 3, 2)
        >>> print(rest, indices)
        [1] [1]
    """

    def __call__(self, input_x: Tensor, max_num: int, offset: int) -> tuple[Tensor, Tensor]:
        shifted = np.atleast_1d(checked_host_values(input_x, self.name, "input_x") - int(offset))
        indices = np.flatnonzero((shifted >= 0) & (shifted < int(max_num)))
        return Tensor(shifted[indices]), Tensor(indices.astype(shifted.dtype))
