"""Joining and splitting tensors: concat, stack, split, chunk and their relatives."""

from __future__ import annotations

import functools
from collections.abc import Sequence
from typing import Any

import jax.numpy as jnp
import numpy as np
from jax import lax

from mindspore._engine.base import dtype as dtypes
from mindspore._engine.execution.views import cut
from mindspore._engine.operator.arguments import Array, Arrays, Listed
from mindspore._engine.operator.registry import op, register_function
from mindspore._engine.tensor.tensor import Tensor
from mindspore._ops.declaring.promotion import normal_axis, promote_dtypes
from mindspore._ops.declaring.requirements import require, require_rank_from

_TENSORS = ("input_x", "x", "inputs", "values")


def _check_alike(tensors: Sequence[Any], name: str, free_axis: int | None = None, mixed: bool = False) -> None:
    """Refuse tensors that differ in dtype, unless these may be mixed, or in shape on any axis but ``free_axis``."""
    if not tensors:
        raise ValueError(f"the '{name}' must hold at least one Tensor, but got none.")
    kinds = sorted({str(dtypes.from_numpy(t.dtype)) for t in tensors})
    if len(kinds) > 1 and not mixed:
        raise TypeError(
            f"the '{name}' must all have the same dtype, but got {', '.join(kinds)}. Use astype or ops.cast first."
        )
    _check_lined_up(tensors, name, free_axis)


def _check_lined_up(tensors: Sequence[Any], name: str, free_axis: int | None) -> None:
    """Refuse tensors that differ in shape on any axis but ``free_axis``."""
    shapes = [list(t.shape) for t in tensors]
    if len({len(s) for s in shapes}) > 1:
        raise ValueError(f"the '{name}' must all have the same number of dimensions, but got shapes {shapes}.")
    kept = [[n for axis, n in enumerate(s) if axis != free_axis] for s in shapes]
    if any(k != kept[0] for k in kept):
        where = "" if free_axis is None else f" except on axis {free_axis}"
        raise ValueError(f"the '{name}' must all have the same shape{where}, but got shapes {shapes}.")


@op(
    primitive="Concat",
    init=("axis",),
    old={"tensors": _TENSORS, "axis": ("dim",)},
    aliases="cat",
    test=lambda t: [
        t.case([t.normal(2, 3), t.normal(1, 3)], expect=np.concatenate),
        t.case([t.normal(2, 3), t.normal(2, 1)], -1, expect=np.concatenate),
    ],
)
def concat(tensors: Listed, axis: int = 0):
    """Tensors concatenated along an existing axis, in the dtype that holds them all.

    Examples:
        >>> from mindspore import Tensor, ops
        >>> print(ops.concat((Tensor([1, 2]), Tensor([3]))))
        [1 2 3]
        >>> print(ops.concat((Tensor([1, 2]), Tensor([0.5]))))
        [1.  2.  0.5]
    """
    if tensors and tensors[0].ndim == 0:
        raise ValueError("the 'tensors' must have at least 1 dimension, but got scalars. Use ops.stack.")
    axis = normal_axis(axis, tensors[0].ndim if tensors else 1)
    _check_alike(tensors, "tensors", axis, mixed=True)
    dtype = functools.reduce(promote_dtypes, [t.dtype for t in tensors])
    return jnp.concatenate([t.astype(dtype) for t in tensors], axis)


@op(
    primitive=("Stack", "Pack"),
    init=("axis",),
    old={"tensors": _TENSORS},
    aliases="pack",
    test=lambda t: [
        t.case([t.normal(2, 3), t.normal(2, 3)], expect=np.stack),
        t.case([t.normal(2, 3), t.normal(2, 3)], -1, expect=np.stack),
    ],
)
def stack(tensors: Arrays, axis: int = 0):
    """Tensors of equal shape stacked along a new axis.

    Examples:
        >>> from mindspore import Tensor, ops
        >>> print(ops.stack([Tensor([1, 2]), Tensor([3, 4])], axis=1))
        [[1 3]
         [2 4]]
    """
    _check_alike(tensors, "tensors")
    return jnp.stack(tensors, normal_axis(axis, tensors[0].ndim + 1))


def _parts(x: Any, axis: int) -> tuple:
    return tuple(jnp.squeeze(part, axis) for part in jnp.split(x, x.shape[axis], axis)) if x.shape[axis] else ()


def _numpy_parts(x: np.ndarray, axis: int = 0) -> tuple:
    return tuple(np.moveaxis(x, axis, 0))


@op(
    view=lambda x, shapes, axis=0, num=None: np.moveaxis(x, axis, 0),
    primitive=("Unstack", "Unpack"),
    init=("axis", "num"),
    old={"input_x": ("x", "input")},
    aliases="unpack",
    test=lambda t: [t.case(t.normal(2, 3), expect=_numpy_parts), t.case(t.normal(2, 3), -1, expect=_numpy_parts)],
)
def unstack(input_x: Array, axis: int = 0, num: int | None = None):
    """The tensors that lie side by side along an axis; the axis goes away.

    Examples:
        >>> from mindspore import Tensor, ops
        >>> first, second = ops.unstack(Tensor([[1, 2], [3, 4]]))
        >>> print(second)
        [3 4]
    """
    require_rank_from("input_x", input_x, 1)
    return _parts(input_x, normal_axis(axis, input_x.ndim))


@op(
    view=lambda x, shapes, dim=0: np.moveaxis(x, dim, 0),
    method="unbind",
    test=lambda t: [t.case(t.normal(2, 3), 1, expect=_numpy_parts)],
)
def unbind(input: Array, dim: int = 0):
    """The tensors that lie side by side along an axis, see :func:`unstack`.

    Examples:
        >>> from mindspore import Tensor, ops
        >>> len(ops.unbind(Tensor([[1, 2], [3, 4]])))
        2
    """
    return _parts(input, normal_axis(dim, input.ndim, "dim"))


def _cut(x: Any, sizes: Sequence[int], axis: int) -> tuple:
    return tuple(jnp.split(x, np.cumsum(sizes)[:-1].tolist(), axis))


def _numpy_cut(sizes: Sequence[int], axis: int = 0) -> Any:
    return lambda x, *_: tuple(np.split(x, np.cumsum(sizes)[:-1], axis))


@op(
    view=lambda x, shapes, sections=None, axis=0, *_: cut(x, shapes, axis),
    method="split",
    old={
        "tensor": ("input", "x", "input_x"),
        "split_size_or_sections": ("split_size",),
        "axis": ("dim",),
    },
    test=lambda t: [
        t.case(t.normal(5), 2, expect=_numpy_cut([2, 2, 1])),
        t.case(t.normal(2, 5), [1, 4], 1, expect=_numpy_cut([1, 4], 1)),
        t.case(t.normal(2, 6), axis=1, output_num=3, expect=lambda x, **_: tuple(np.split(x, 3, 1))),
    ],
)
def split(tensor: Array, split_size_or_sections: Any = None, axis: int = 0, output_num: int | None = None):
    """Pieces of a length along an axis (the last may be shorter), or of the lengths in a list.

    Args:
        output_num: of MindSpore 1.x, by name: the number of pieces, of equal length.

    Examples:
        >>> from mindspore import Tensor, ops
        >>> print(*ops.split(Tensor([1, 2, 3, 4, 5]), 2))
        [1 2] [3 4] [5]
    """
    require_rank_from("tensor", tensor, 1)
    axis = normal_axis(axis, tensor.ndim)
    length, sizes = tensor.shape[axis], split_size_or_sections
    if output_num is not None:
        text = f"the 'output_num' must be above 0 and divide the length of axis {axis}, {length}, but got {output_num}."
        require(output_num > 0 and length % output_num == 0, text)
        sizes = (length // output_num,) * output_num
    if isinstance(sizes, bool) or not isinstance(sizes, (int, tuple)):
        raise TypeError(f"the 'split_size_or_sections' must be an int or a list of ints, but got {sizes!r}.")
    if isinstance(sizes, int):
        if sizes <= 0:
            raise ValueError(f"the 'split_size_or_sections' must be greater than 0, but got {sizes}.")
        return _cut(tensor, [min(sizes, length - start) for start in range(0, max(length, 1), sizes)], axis)
    if sum(sizes) != length or min(sizes, default=0) < 0:
        raise ValueError(
            f"the 'split_size_or_sections' must be lengths whose sum is that of axis {axis}, {length}, but got "
            f"{sizes} with sum {sum(sizes)}."
        )
    return _cut(tensor, sizes, axis)


@op(
    primitive="Split",
    init=("axis", "output_num"),
    public=False,
    view=lambda x, shapes, axis=0, output_num=1: cut(x, shapes, axis),
    old={"input_x": ("x", "input")},
    test=lambda t: [t.case(t.normal(2, 6), 1, 3, expect=_numpy_cut([2, 2, 2], 1))],
)
def _split_evenly(input_x: Array, axis: int = 0, output_num: int = 1):
    """A number of pieces of equal length along an axis.

    Examples:
        >>> from mindspore import Tensor, ops
        >>> print(*ops.Split(axis=1, output_num=2)(Tensor([[1, 2], [3, 4]])))
        [[1]
         [3]] [[2]
         [4]]
    """
    axis = normal_axis(axis, input_x.ndim)
    length = input_x.shape[axis]
    if output_num < 1 or length % output_num:
        raise ValueError(f"the 'output_num' must divide the length of axis {axis}, {length}, but got {output_num}.")
    return _cut(input_x, [length // output_num] * output_num, axis)


@op(
    view=lambda x, shapes, chunks, axis=0: cut(x, shapes, axis),
    method="chunk",
    old={"axis": ("dim",)},
    test=lambda t: [
        t.case(t.normal(5), 2, expect=_numpy_cut([3, 2])),
        t.case(t.normal(2, 5), 4, 1, expect=_numpy_cut([2, 2, 1], 1)),
    ],
)
def chunk(input: Array, chunks: int, axis: int = 0):
    """At most ``chunks`` pieces of equal length along an axis; the last may be shorter.

    Examples:
        >>> from mindspore import Tensor, ops
        >>> print(*ops.chunk(Tensor([1, 2, 3, 4, 5]), 2))
        [1 2 3] [4 5]
    """
    if chunks <= 0:
        raise ValueError(f"the 'chunks' must be greater than 0, but got {chunks}.")
    require_rank_from("input", input, 1)
    axis = normal_axis(axis, input.ndim)
    length = input.shape[axis]
    size = max(-(-length // chunks), 1)
    return _cut(input, [min(size, length - start) for start in range(0, max(length, 1), size)], axis)


def _split_at(x: Any, indices_or_sections: Any, axis: int) -> tuple:
    require_rank_from("input", x, axis + 1)
    if isinstance(indices_or_sections, int):
        if indices_or_sections <= 0:
            raise ValueError(f"the 'indices_or_sections' must be greater than 0, but got {indices_or_sections}.")
        return tuple(jnp.array_split(x, indices_or_sections, axis))
    if not isinstance(indices_or_sections, tuple) or not all(isinstance(i, int) for i in indices_or_sections):
        raise TypeError(f"the 'indices_or_sections' must be an int or a list of ints, but got {indices_or_sections!r}.")
    length = x.shape[axis]
    ends = [slice(end).indices(length)[1] for end in (*indices_or_sections, length)]  # past the end is the end
    starts = [0, *ends[:-1]]
    return tuple(lax.slice_in_dim(x, a, max(a, b), axis=axis) for a, b in zip(starts, ends, strict=True))


@op(
    view=lambda x, shapes, places, axis=0: cut(x, shapes, axis),
    method="tensor_split",
    test=lambda t: [
        t.case(t.normal(5), 3, expect=_numpy_cut([2, 2, 1])),
        t.case(t.normal(5), (1, 3), expect=_numpy_cut([1, 2, 2])),
    ],
)
def tensor_split(input: Array, indices_or_sections: Any, axis: int = 0):
    """A number of pieces, as equal as can be, or pieces that end at the given indices.

    Examples:
        >>> from mindspore import Tensor, ops
        >>> print(*ops.tensor_split(Tensor([1, 2, 3, 4, 5]), (1, 3)))
        [1] [2 3] [4 5]
    """
    return _split_at(input, indices_or_sections, normal_axis(axis, input.ndim))


@op(
    view=lambda x, shapes, places: cut(x, shapes, 0),
    method="vsplit",
    test=lambda t: [t.case(t.normal(4, 3), 2, expect=lambda x, n: tuple(np.vsplit(x, n)))],
)
def vsplit(input: Array, indices_or_sections: Any):
    """Pieces along the first axis.

    Examples:
        >>> from mindspore import Tensor, ops
        >>> print(ops.vsplit(ops.zeros((4, 2)), 2)[0].shape)
        (2, 2)
    """
    return _split_at(input, indices_or_sections, 0)


@op(
    view=lambda x, shapes, places: cut(x, shapes, 0 if x.ndim == 1 else 1),
    method="hsplit",
    test=lambda t: [t.case(t.normal(3, 4), 2, expect=lambda x, n: tuple(np.hsplit(x, n)))],
)
def hsplit(input: Array, indices_or_sections: Any):
    """Pieces along the second axis (the first of a vector).

    Examples:
        >>> from mindspore import Tensor, ops
        >>> print(ops.hsplit(ops.zeros((2, 4)), 2)[0].shape)
        (2, 2)
    """
    return _split_at(input, indices_or_sections, 0 if input.ndim == 1 else 1)


@op(
    view=lambda x, shapes, places: cut(x, shapes, 2),
    method="dsplit",
    test=lambda t: [t.case(t.normal(2, 3, 4), 2, expect=lambda x, n: tuple(np.dsplit(x, n)))],
)
def dsplit(input: Array, indices_or_sections: Any):
    """Pieces along the third axis.

    Examples:
        >>> from mindspore import Tensor, ops
        >>> print(ops.dsplit(ops.zeros((2, 2, 4)), 2)[0].shape)
        (2, 2, 2)
    """
    return _split_at(input, indices_or_sections, 2)


@op(
    test=lambda t: [
        t.case([t.normal(2, 3), t.normal(2, 1)], expect=np.hstack),
        t.case([t.normal(2), t.normal(3)], expect=np.hstack),
    ]
)
def hstack(tensors: Listed):
    """Tensors concatenated along the second axis (vectors along their only axis).

    Examples:
        >>> from mindspore import Tensor, ops
        >>> print(ops.hstack([Tensor([1, 2]), Tensor([3])]))
        [1 2 3]
    """
    arrays = [jnp.atleast_1d(tensor) for tensor in tensors]
    _check_lined_up(arrays, "tensors", 0 if all(tensor.ndim == 1 for tensor in arrays) else 1)
    return jnp.hstack(arrays)


@op(
    aliases="row_stack",
    old={"inputs": ("tensors",)},
    test=lambda t: [t.case([t.normal(3), t.normal(3)], expect=np.vstack)],
)
def vstack(inputs: Listed):
    """Tensors concatenated along the first axis; vectors are rows.

    Examples:
        >>> from mindspore import Tensor, ops
        >>> print(ops.vstack([Tensor([1, 2]), Tensor([3, 4])]))
        [[1 2]
         [3 4]]
    """
    _check_lined_up([jnp.atleast_2d(tensor) for tensor in inputs], "inputs", 0)
    return jnp.vstack(inputs)


@op(old={"tensors": "inputs"}, test=lambda t: [t.case([t.normal(2, 3), t.normal(2, 3)], expect=np.dstack)])
def dstack(tensors: Listed):
    """Tensors concatenated along the third axis.

    Examples:
        >>> from mindspore import Tensor, ops
        >>> print(ops.dstack([Tensor([1, 2]), Tensor([3, 4])]).shape)
        (1, 2, 2)
    """
    _check_lined_up([jnp.atleast_3d(tensor) for tensor in tensors], "tensors", 2)
    return jnp.dstack(tensors)


@op(test=lambda t: [t.case([t.normal(3), t.normal(3)], expect=np.column_stack)])
def column_stack(tensors: Listed):
    """Tensors side by side as columns.

    Examples:
        >>> from mindspore import Tensor, ops
        >>> print(ops.column_stack([Tensor([1, 2]), Tensor([3, 4])]))
        [[1 3]
         [2 4]]
    """
    _check_lined_up([tensor if tensor.ndim > 1 else tensor.reshape(-1, 1) for tensor in tensors], "tensors", 1)
    return jnp.column_stack(tensors)


@op(
    primitive="Meshgrid",
    init=("indexing",),
    public=False,
    test=lambda t: [
        t.case([t.normal(2), t.normal(3)], expect=lambda xs: tuple(np.meshgrid(*xs))),
        t.case(
            [t.normal(2), t.normal(3)], "ij", expect=lambda xs, indexing: tuple(np.meshgrid(*xs, indexing=indexing))
        ),
    ],
)
def _meshgrid(inputs: Arrays, indexing: str = "xy"):
    """Coordinate grids from vectors of coordinates.

    Examples:
        >>> from mindspore import Tensor, ops
        >>> x, y = ops.Meshgrid()((Tensor([1, 2]), Tensor([3, 4, 5])))
        >>> print(x.shape, y[0])
        (3, 2) [3 3]
    """
    if indexing not in ("xy", "ij"):
        raise ValueError(f"the 'indexing' must be 'xy' or 'ij', but got {indexing!r}.")
    if any(x.ndim > 1 for x in inputs):
        raise ValueError(f"the 'inputs' must be vectors or numbers, but got shapes {[x.shape for x in inputs]}.")
    found = [str(dtypes.from_numpy(x.dtype)) for x in inputs]
    require(len(set(found)) < 2, f"the 'inputs' must have the same dtype, but got {', '.join(found)}.")
    return tuple(jnp.meshgrid(*[x.reshape(-1) for x in inputs], indexing=indexing))


def meshgrid(*inputs: Tensor, indexing: str = "xy") -> tuple[Tensor, ...]:
    """Coordinate grids from vectors of coordinates; "xy" puts the second vector on the first axis, "ij" the first.

    Examples:
        >>> from mindspore import Tensor, ops
        >>> print(ops.meshgrid(Tensor([1, 2]), Tensor([3, 4, 5]))[0])
        [[1 2]
         [1 2]
         [1 2]]
    """
    if len(inputs) == 1 and isinstance(inputs[0], (tuple, list)):
        inputs = tuple(inputs[0])
    return _meshgrid(inputs, indexing)


register_function(meshgrid)
