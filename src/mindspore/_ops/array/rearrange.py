"""Elements in another order or repeated: flip, roll, rotate, repeat."""

from __future__ import annotations

from typing import Any

import jax.numpy as jnp
import numpy as np

from mindspore._engine.execution.index_bounds import require_inside
from mindspore._engine.operator.arguments import Array, Axis, Ints
from mindspore._engine.operator.registry import op
from mindspore._engine.tensor.tensor import Tensor
from mindspore._ops.declaring.dtype_checks import accepts
from mindspore._ops.declaring.promotion import normal_axes, normal_axis
from mindspore._ops.declaring.requirements import require, require_form, require_rank_from


@op(
    old={"input": ("x",)},
    test=lambda t: [t.case(t.normal(2, 3), (0, 1), expect=np.flip), t.case(t.normal(2, 3), (-1,), expect=np.flip)],
)
def flip(input: Array, dims: Ints):
    """The order of elements reversed along some axes.

    Examples:
        >>> from mindspore import Tensor, ops
        >>> print(ops.flip(Tensor([[1, 2], [3, 4]]), (0,)))
        [[3 4]
         [1 2]]
    """
    return jnp.flip(input, _named_axes(dims, input.ndim, "dims"))


@op(
    primitive="ReverseV2",
    init=("axis",),
    aliases="reverse_v2",
    method="reverse",
    old={"x": ("input", "input_x")},
    test=lambda t: [t.case(t.normal(2, 3), [1], expect=lambda x, axis: np.flip(x, tuple(axis)))],
)
def reverse(x: Array, axis: Ints):
    """The order of elements reversed along some axes, see :func:`flip`.

    Examples:
        >>> from mindspore import Tensor, ops
        >>> print(ops.reverse(Tensor([1, 2, 3]), [0]))
        [3 2 1]
    """
    return jnp.flip(x, _named_axes(axis, x.ndim, "axis"))


def _named_axes(axes: Any, ndim: int, name: str) -> tuple[int, ...]:
    return () if axes == () else normal_axes(axes, ndim, name)


@op(method="fliplr", test=lambda t: [t.case(t.normal(2, 3), expect=np.fliplr)])
def fliplr(input: Array):
    """The order of elements reversed along the second axis.

    Examples:
        >>> from mindspore import Tensor, ops
        >>> print(ops.fliplr(Tensor([[1, 2], [3, 4]])))
        [[2 1]
         [4 3]]
    """
    require_rank_from("input", input, 2)
    return jnp.fliplr(input)


@op(method="flipud", test=lambda t: [t.case(t.normal(2, 3), expect=np.flipud)])
def flipud(input: Array):
    """The order of elements reversed along the first axis.

    Examples:
        >>> from mindspore import Tensor, ops
        >>> print(ops.flipud(Tensor([[1, 2], [3, 4]])))
        [[3 4]
         [1 2]]
    """
    require_rank_from("input", input, 1)
    return jnp.flipud(input)


@op(
    primitive="Roll",
    init=("shifts", "dims"),
    method="roll",
    old={"input": ("input_x", "x"), "shifts": ("shift",), "dims": ("axis",)},
    test=lambda t: [t.case(t.normal(2, 3), 2, expect=np.roll), t.case(t.normal(2, 3), (1, -1), (0, 1), expect=np.roll)],
)
def roll(input: Array, shifts: Axis, dims: Axis = None):
    """Elements moved along axes; what leaves at the end comes back at the start. Without ``dims`` on the flat elements.

    Examples:
        >>> from mindspore import Tensor, ops
        >>> print(ops.roll(Tensor([1, 2, 3, 4]), 1))
        [4 1 2 3]
    """
    shifts = (shifts,) if isinstance(shifts, int) else shifts
    if dims is None:
        require(len(shifts) == 1, f"the 'shifts' must be one number when 'dims' is not given, but got {shifts}.")
        return jnp.roll(input, shifts[0])
    dims = (dims,) if isinstance(dims, int) else dims
    require(
        len(shifts) == len(dims), f"the 'shifts' and 'dims' must have the same length, but got {shifts} and {dims}."
    )
    return jnp.roll(input, shifts, tuple(normal_axis(a, input.ndim, "dims") for a in dims))


@op(
    method="rot90",
    test=lambda t: [
        t.case(t.normal(2, 3), 1, (0, 1), expect=np.rot90),
        t.case(t.normal(2, 3, 2), -1, [1, 2], expect=np.rot90),
    ],
)
def rot90(input: Array, k: int, dims: Axis):
    """Turned by 90 degrees ``k`` times in the plane of two axes, from the first towards the second.

    Examples:
        >>> from mindspore import Tensor, ops
        >>> print(ops.rot90(Tensor([[1, 2], [3, 4]]), 1, (0, 1)))
        [[2 4]
         [1 3]]
    """
    require_form(isinstance(dims, tuple) and len(dims) == 2, f"the 'dims' must be two axes, but got {dims}.")
    first, second = normal_axes(dims, input.ndim, "dims")
    return jnp.rot90(input, k, (first, second))


def _repeated(x: Any, repeats: Any, axis: int | None) -> Any:
    counts = (repeats,) if isinstance(repeats, int) else repeats
    right = isinstance(counts, tuple) and all(isinstance(n, int) and not isinstance(n, bool) for n in counts)
    require(right, f"the 'repeats' must be an int, or a list or Tensor of ints, but got {repeats!r}.", TypeError)
    require(min(counts, default=0) >= 0, f"the 'repeats' must not be negative, but got {repeats}.")
    require(
        axis is None or x.ndim, "the 'input' must have at least 1 dimension to repeat along an axis, but got a number."
    )
    length = x.size if axis is None else x.shape[normal_axis(axis, x.ndim)]
    text = f"the 'repeats' must be one number or one for each of the {length} elements, but got {len(counts)} numbers."
    require(len(counts) in (1, length), text)
    if len(counts) == 1:
        return jnp.repeat(x, counts[0], axis)  # a broadcast: its gradient is a sum, not a scatter
    return jnp.repeat(x, np.array(counts), axis, total_repeat_length=sum(counts))


@op(
    method="repeat_interleave",
    old={"axis": ("dim",)},
    test=lambda t: [
        t.case(t.normal(2, 3), 2, expect=np.repeat),
        t.case(t.normal(2, 3), 2, -1, expect=np.repeat),
        t.case(t.normal(2, 3), [1, 2], 0, expect=np.repeat),
    ],
)
def repeat_interleave(input: Array, repeats: Any, axis: int | None = None, output_size: int | None = None):
    """Each element repeated along an axis; without ``axis`` on the flat elements.

    Args:
        repeats: how often, a number for all elements or one for each.
        output_size: the length of the repeated axis, where it is known.

    Examples:
        >>> from mindspore import Tensor, ops
        >>> print(ops.repeat_interleave(Tensor([1, 2]), 2), ops.repeat_interleave(Tensor([1, 2]), [1, 3], 0))
        [1 1 2 2] [1 2 2 2]
    """
    result = _repeated(input, repeats, axis)
    length = result.shape[0 if axis is None else axis] if result.ndim else 1
    text = f"the 'output_size' must be {length}, the length of the repeated axis, but got {output_size}."
    require(output_size is None or output_size == length, text)
    return result


@op(test=lambda t: [t.case(t.normal(2, 3), 2, 1, expect=np.repeat)])
def repeat_elements(x: Array, rep: int, axis: int = 0):
    """Each element repeated ``rep`` times along an axis.

    Examples:
        >>> from mindspore import Tensor, ops
        >>> print(ops.repeat_elements(Tensor([1, 2]), 2))
        [1 1 2 2]
    """
    return _repeated(x, rep, axis)


def _inside_rows(x: Tensor, seq_lengths: Tensor, seq_dim: int, batch_dim: int) -> None:
    require_inside("ReverseSequence", "seq_lengths", seq_lengths, 0, x.shape[seq_dim] + 1)


@op(
    primitive="ReverseSequence",
    bounds=_inside_rows,
    init=("seq_dim", "batch_dim"),
    method="reverse_sequence",
    test=lambda t: [
        t.case(t.normal(2, 4), np.array([2, 3]), 1, expect=_numpy_reversed),
        t.case(t.normal(4, 2, 3), np.array([4, 1]), 0, 1, expect=_numpy_reversed),
    ],
)
@accepts("i", "seq_lengths")
def reverse_sequence(x: Array, seq_lengths: Array, seq_dim: int = 0, batch_dim: int = 0):
    """In each row of the batch the first ``seq_lengths[i]`` elements in reverse order, the rest as they are.

    Examples:
        >>> from mindspore import Tensor, ops
        >>> print(ops.reverse_sequence(Tensor([[1, 2, 3], [4, 5, 6]]), Tensor([2, 3]), 1))
        [[2 1 3]
         [6 5 4]]
    """
    seq, batch = normal_axis(seq_dim, x.ndim, "seq_dim"), normal_axis(batch_dim, x.ndim, "batch_dim")
    require(seq != batch, f"the 'seq_dim' must differ from 'batch_dim', but both are {seq_dim}.")
    text = f"the 'seq_lengths' must have a number for each of {x.shape[batch]} rows, but got shape {seq_lengths.shape}."
    require(seq_lengths.shape == (x.shape[batch],), text)
    steps = jnp.arange(x.shape[seq])
    lengths = seq_lengths[:, None]
    source = jnp.where(steps < lengths, lengths - 1 - steps, steps)  # rows × steps
    if seq < batch:
        source = source.T
    others = [axis for axis in range(x.ndim) if axis not in (seq, batch)]
    return jnp.take_along_axis(x, jnp.expand_dims(source, others), seq)


def _numpy_reversed(x: np.ndarray, lengths: np.ndarray, seq_dim: int, batch_dim: int = 0) -> np.ndarray:
    rows = np.moveaxis(x, (batch_dim, seq_dim), (0, 1)).copy()
    for row, length in zip(rows, lengths, strict=True):
        row[:length] = row[:length][::-1].copy()
    return np.moveaxis(rows, (0, 1), (batch_dim, seq_dim))
