"""Elements picked by index: gather and its relatives. An index out of range is an error."""

from __future__ import annotations

from typing import Any

import jax
import jax.numpy as jnp
import numpy as np

from mindspore._engine.base import dtype as dtypes
from mindspore._engine.execution.index_bounds import require_coordinates, require_inside
from mindspore._engine.operator.arguments import Array, DType, Operand
from mindspore._engine.operator.checked import check_bools
from mindspore._engine.operator.overloads import overloaded
from mindspore._engine.operator.registry import op, register_function
from mindspore._engine.operator.sharding import Labels
from mindspore._engine.tensor.members import attach
from mindspore._engine.tensor.tensor import Tensor
from mindspore._kernels.sorting import take_along
from mindspore._ops.declaring.promotion import normal_axis, promote
from mindspore._ops.declaring.requirements import require, require_choice, require_form, require_rank


def _require_int(name: str, positions: Any) -> None:
    got = dtypes.from_numpy(positions.dtype)
    text = f"the '{name}' must be a Tensor of integers, but got dtype {got}. Convert it with astype(mindspore.int32)."
    require(jnp.issubdtype(positions.dtype, jnp.integer), text, TypeError)


def _take(x: Any, positions: Any, axis: int) -> Any:
    if x.shape[axis] == 0:  # every position is out of range
        return jnp.zeros(x.shape[:axis] + positions.shape + x.shape[axis + 1 :], x.dtype)
    if x.dtype == jnp.float32 and axis == x.ndim - 1 > 0 and positions.ndim == 1:  # so its gradient adds along rows
        return take_along(x, jnp.broadcast_to(positions, (*x.shape[:-1], positions.shape[0])), axis, wraps=True)
    return jnp.take(x, positions, axis, mode="fill", fill_value=0)


def _inside_axis(input_params: Tensor, input_indices: Tensor, axis: int, batch_dims: int = 0) -> None:
    length = input_params.shape[axis]
    require_inside("Gather", "input_indices", input_indices, -length, length)


def _inside_dim(x: Tensor, dim: int, index: Tensor) -> None:
    require_inside("GatherD", "index", index, -x.shape[dim], x.shape[dim])


def _table_labels(attributes: dict[str, Any] | None, labels: Labels) -> Labels:
    """Table and indices have no axis in common."""
    if attributes is None or len(labels) < 2:
        return labels
    return [[f"{number}_{axis}" for axis in range(len(axes))] for number, axes in enumerate(labels)]


@op(
    bounds=_inside_axis,
    sharding=_table_labels,
    primitive=("Gather", "GatherV2", "SparseGatherV2"),
    init=("batch_dims",),
    old={"input_params": ("x", "input_x", "params"), "input_indices": ("indices",)},
    test=lambda t: [
        t.case(t.normal(3, 4), np.array([[0, 2], [-1, 1]]), 1, expect=np.take),
        t.case(t.normal(3, 4), np.array(2), 0, expect=np.take),
        t.case(
            t.normal(2, 3, 4),
            np.array([[0, 1], [2, 2]]),
            1,
            1,
            expect=lambda x, i, *_: np.stack([x[0, i[0]], x[1, i[1]]]),
        ),
    ],
)
def gather(input_params: Array, input_indices: Array, axis: int, batch_dims: int = 0):
    """Slices along an axis, picked by position; negative positions count from the end.

    Args:
        batch_dims: how many leading axes of both inputs belong together, element by element.

    Examples:
        >>> from mindspore import Tensor, ops
        >>> print(ops.gather(Tensor([10, 20, 30]), Tensor([2, 0, 0]), 0))
        [30 10 10]
    """
    _require_int("input_indices", input_indices)
    require(input_params.ndim, "the 'input_params' must have at least 1 dimension, but got a number.")
    axis = normal_axis(axis, input_params.ndim)
    batch = batch_dims + input_indices.ndim if batch_dims < 0 else batch_dims
    text = f"the 'batch_dims' must be in [0, {min(axis, input_indices.ndim)}], but got {batch_dims}."
    require(0 <= batch <= min(axis, input_indices.ndim), text)
    shapes = f"{input_params.shape} and {input_indices.shape}"
    text = f"the 'input_params' and 'input_indices' must agree in the first {batch} axes, but got shapes {shapes}."
    require(input_params.shape[:batch] == input_indices.shape[:batch], text)
    pick = lambda x, positions: _take(x, positions, axis - batch)  # noqa: E731
    for _ in range(batch):
        pick = jax.vmap(pick)
    return pick(input_params, input_indices)


def _along_axis(x: Any, axis: int, positions: Any, name: str) -> Any:
    """Elements of ``x``: each element of ``positions`` is the index along ``axis``, its own coordinates are the others."""
    _require_int(name, positions)
    text = f"the '{name}' must have as many dimensions as the input, {x.ndim}, but got shape {positions.shape}."
    require(positions.ndim == x.ndim, text)
    axis = normal_axis(axis, x.ndim, "dim")
    fits = all(i <= n for a, (i, n) in enumerate(zip(positions.shape, x.shape, strict=True)) if a != axis)
    shapes = f"shape {positions.shape} for an input of shape {x.shape}"
    text = f"the '{name}' must not be longer than the input except on axis {axis}, but got {shapes}."
    require(fits, text)
    x = x[tuple(slice(None) if a == axis else slice(n) for a, n in enumerate(positions.shape))]
    return take_along(x, positions, axis, wraps=True)


def _numpy_along(x: np.ndarray, dim: int, index: np.ndarray) -> np.ndarray:
    return np.take_along_axis(
        x[tuple(slice(None) if a == dim else slice(n) for a, n in enumerate(index.shape))], index, dim
    )


@op(
    bounds=_inside_dim,
    primitive="GatherD",
    old={"x": ("input",)},
    test=lambda t: [
        t.case(t.normal(2, 3), 1, np.array([[0, 0], [1, -1]]), expect=_numpy_along),
        t.case(t.normal(3, 2), 0, np.array([[2, 1]]), expect=_numpy_along),
    ],
)
def gather_d(x: Array, dim: int, index: Array):
    """The elements of ``x`` at the coordinates of ``index``, with the coordinate on axis ``dim`` replaced by the index.

    Examples:
        >>> from mindspore import Tensor, ops
        >>> print(ops.gather_d(Tensor([[1, 2], [3, 4]]), 1, Tensor([[0, 0], [1, 0]])))
        [[1 1]
         [4 3]]
    """
    return _along_axis(x, dim, index, "index")


@op(
    bounds=_inside_dim,
    method="gather_elements",
    old={"input": ("x",)},
    test=lambda t: [t.case(t.normal(2, 3), 1, np.array([[0, 0], [1, -1]]), expect=_numpy_along)],
)
def gather_elements(input: Array, dim: int, index: Array):
    """Elements along an axis, see :func:`gather_d`.

    Examples:
        >>> from mindspore import Tensor, ops
        >>> print(ops.gather_elements(Tensor([[1, 2], [3, 4]]), 1, Tensor([[1], [0]])))
        [[2]
         [3]]
    """
    return _along_axis(input, dim, index, "index")


def nd_positions(x: Any, indices: Any, name: str = "indices") -> tuple:
    """One array of positions per axis from a last axis that holds coordinates."""
    _require_int(name, indices)
    shapes = f"shape {indices.shape} for an input of shape {x.shape}"
    text = f"the '{name}' must have a last axis of 1 to {x.ndim} coordinates, but got {shapes}."
    require_form(indices.ndim > 0 and indices.shape[-1] <= x.ndim, text)
    return tuple(jnp.moveaxis(indices, -1, 0))


@op(
    bounds=lambda input_x, indices: require_coordinates("GatherNd", "indices", indices, input_x.shape),
    primitive="GatherNd",
    method="gather_nd",
    old={"input_x": ("x", "input")},
    test=lambda t: [
        t.case(t.normal(2, 3), np.array([[0, 1], [1, 2]]), expect=lambda x, i: x[tuple(i.T)]),
        t.case(t.normal(2, 3), np.array([[1], [0], [1]]), expect=lambda x, i: x[i[:, 0]]),
    ],
)
def gather_nd(input_x: Array, indices: Array):
    """Elements or slices picked by coordinates, which are the last axis of ``indices``.

    Examples:
        >>> from mindspore import Tensor, ops
        >>> print(ops.gather_nd(Tensor([[1, 2], [3, 4]]), Tensor([[0, 0], [1, 1]])))
        [1 4]
    """
    indices = indices.reshape(1) if indices.ndim == 0 else indices
    if indices.shape[-1] == 0:  # no coordinate at all picks the whole input
        return jnp.broadcast_to(input_x, indices.shape[:-1] + input_x.shape)
    positions = nd_positions(input_x, indices)
    picked = input_x.shape[: indices.shape[-1]]
    text = f"the 'indices' must be empty for an input of shape {input_x.shape}, which has no elements, but got shape {indices.shape}."
    require(0 not in picked or indices.size == 0, text, RuntimeError)
    return input_x.at[positions].get(mode="fill", fill_value=0)


@op(
    bounds=lambda input, axis, index: _inside_axis(input, index, axis),
    method="index_select",
    old={"axis": ("dim",)},
    test=lambda t: [t.case(t.normal(2, 3), 1, np.array([0, 2, 0]), expect=lambda x, axis, i: np.take(x, i, axis))],
)
def index_select(input: Array, axis: int, index: Array):
    """Slices along an axis, picked by a vector of positions.

    Examples:
        >>> from mindspore import Tensor, ops
        >>> print(ops.index_select(Tensor([[1, 2, 3]]), 1, Tensor([0, 2])))
        [[1 3]]
    """
    require_rank("index", index, 1)
    _require_int("index", index)
    require(input.ndim, "the 'input' must have at least 1 dimension, but got a number.")
    return _take(input, index, normal_axis(axis, input.ndim))


def _row_indices(table: Any, indices: Any, offset: Any) -> Any:
    """Indices of rows; the number of rows stands for a row that does not exist."""
    rows = indices - jnp.asarray(offset).astype(indices.dtype)
    return jnp.where(rows < 0, table.shape[0], rows)


@op(
    primitive="EmbeddingLookup",
    sharding=_table_labels,
    public=False,
    rows=_row_indices,
    test=lambda t: [
        t.case(t.normal(3, 2), np.array([1, 2]), 1, expect=lambda x, i, offset: x[i - 1]),
        t.case(t.normal(3, 2), np.array([0, 5]), 1, expect=lambda x, i, offset: np.zeros((2, 2))),
    ],
)
def embedding_lookup(input_params: Array, input_indices: Array, offset: Operand):
    """Rows picked by position minus an offset; rows that do not exist are zero.

    Examples:
        >>> import mindspore
        >>> from mindspore import Tensor, ops
        >>> print(ops.EmbeddingLookup()(Tensor([[1.0, 2.0], [3.0, 4.0]]), Tensor([5, 4], mindspore.int32), 4))
        [[3. 4.]
         [1. 2.]]
    """
    require_rank("input_params", input_params, 1, 2)
    _require_int("input_indices", input_indices)
    return _take(input_params, _row_indices(input_params, input_indices, offset), 0)


@op(
    bounds=lambda input, index: require_inside("take", "index", index, -input.size, input.size),
    test=lambda t: [t.case(t.normal(2, 3), np.array([4, 0]), expect=lambda x, i: x.ravel()[i])],
)
def take(input: Array, index: Array):
    """Elements picked by position in the flat input.

    Examples:
        >>> from mindspore import Tensor, ops
        >>> print(ops.take(Tensor([[1, 2], [3, 4]]), Tensor([3, 0])))
        [4 1]
    """
    _require_int("index", index)
    return _take(input.reshape(-1), index, 0)


def _inside_if_asked(input: Tensor, indices: Any, axis: int | None = None, mode: str = "clip") -> None:
    if mode == "raise":
        length = input.size if axis is None else input.shape[axis]
        require_inside("take", "indices", indices, -length, length, IndexError)


@op(
    bounds=_inside_if_asked,
    public=False,
    method="take",
    old={"indices": ("index",)},
    test=lambda t: [
        t.case(t.normal(2, 3), np.array([0, 1]), 1, expect=np.take),
        t.case(t.normal(2, 3), np.array([7, -8]), None, "wrap", expect=lambda x, i, *_: np.take(x, i, mode="wrap")),
    ],
)
def take_by_mode(input: Array, indices: Operand, axis: int | None = None, mode: str = "clip"):
    """Elements along an axis (of the flat tensor if ``axis`` is None), picked by position.

    Examples:
        >>> import mindspore
        >>> from mindspore import Tensor
        >>> print(Tensor([[1, 2], [3, 4]]).take(Tensor([0, 3], mindspore.int32)))
        [1 4]
    """
    require_choice("mode", mode, ("clip", "wrap", "raise"))
    x = input.reshape(-1) if axis is None else input
    axis = 0 if axis is None else normal_axis(axis, x.ndim)
    text = f"the 'indices' must be empty where there is nothing to take, but the input has shape {input.shape}."
    require((x.ndim and x.shape[axis]) or not jnp.size(indices), text)
    positions = jnp.asarray(indices)
    require(positions.dtype != bool, "the 'indices' must have an integer dtype, but got Bool.", TypeError)
    if mode == "wrap":
        return jnp.take(x, positions, axis, mode="wrap")
    return jnp.take(x, jnp.where(positions < 0, positions + x.shape[axis], positions), axis, mode="clip")


@op(
    primitive="OneHot",
    init=("axis",),
    test=lambda t: [
        t.case(np.array([0, 2, -1, 5]), 3, expect=lambda i, depth: (i[:, None] == np.arange(depth)).astype(np.int64)),
        t.case(np.array([0, 2]), 3, 1.0, 0.0, 0, expect=lambda i, *_: (i == np.arange(3)[:, None]).astype(np.float32)),
    ],
)
def one_hot(indices: Array, depth: int, on_value: Operand | list = 1, off_value: Operand | list = 0, axis: int = -1):
    """A new axis of length ``depth`` that holds ``on_value`` at the position and ``off_value`` elsewhere.

    Examples:
        >>> from mindspore import Tensor, ops
        >>> print(ops.one_hot(Tensor([0, 2]), 3, 1.0, 0.0))
        [[1. 0. 0.]
         [0. 0. 1.]]
    """
    _require_int("indices", indices)
    require(depth >= 0, f"the 'depth' must not be negative, but got {depth}.")
    on, off = promote(on_value, off_value)
    require(-1 <= axis <= indices.ndim, f"the 'axis' must be in [-1,{indices.ndim}], but got {axis}.")
    axis = normal_axis(axis, indices.ndim + 1)
    classes = jnp.arange(depth, dtype=indices.dtype).reshape((depth,) + (1,) * (indices.ndim - axis))
    return jnp.where(jnp.expand_dims(indices, axis) == classes, on.reshape(()), off.reshape(()))


def _search(sorted_sequence: Any, values: Any, right: bool, sorter: Any) -> Any:
    require(sorted_sequence.ndim, "the 'sorted_sequence' must have at least 1 dimension, but got a number.")
    sequence = sorted_sequence if sorter is None else jnp.take_along_axis(sorted_sequence, sorter, -1)
    shapes = f"{values.shape} and {sequence.shape}"
    text = f"the 'values' must agree with 'sorted_sequence' in all axes but the last, but got shapes {shapes}."
    require(sequence.ndim == 1 or sequence.shape[:-1] == values.shape[:-1], text)
    search = lambda s, v: jnp.searchsorted(s, v, side="right" if right else "left")  # noqa: E731
    for _ in range(sequence.ndim - 1):
        search = jax.vmap(search)
    return search(sequence, values)


@op(
    primitive="SearchSorted",
    init=("dtype", "right"),
    public=False,
    test=lambda t: [
        t.case(np.array([1.0, 3.0, 5.0], np.float32), t.normal(4), grad=False, expect=np.searchsorted),
        t.case(
            np.array([[1, 3], [2, 4]]),
            np.array([[3], [3]]),
            None,
            dtypes.int32,
            True,
            expect=lambda *_: np.array([[2], [1]]),
        ),
    ],
)
def _search_sorted(
    sorted_sequence: Array, values: Array, sorter: Array | None = None, dtype: DType = dtypes.int64, right: bool = False
):
    """Where values would have to be put into sorted rows to keep them sorted.

    Examples:
        >>> from mindspore import Tensor, ops
        >>> print(ops.SearchSorted()(Tensor([1.0, 3.0, 5.0]), Tensor([0.0, 3.0, 9.0])))
        [0 1 3]
    """
    return _search(sorted_sequence, values, right, sorter).astype(dtype.np_dtype)


def searchsorted(
    sorted_sequence: Tensor,
    values: Tensor,
    *,
    out_int32: bool = False,
    right: bool = False,
    side: str | None = None,
    sorter: Tensor | None = None,
) -> Tensor:
    """Where values would have to be put into sorted rows to keep them sorted: before equal ones, or after (``right``).

    Examples:
        >>> from mindspore import Tensor, ops
        >>> print(ops.searchsorted(Tensor([1, 3, 5]), Tensor([0, 3, 9])))
        [0 1 3]
    """
    check_bools("searchsorted", out_int32=out_int32, right=right)
    if side not in (None, "left", "right"):
        raise ValueError(f"For 'searchsorted', the 'side' must be 'left' or 'right', but got {side!r}.")
    if side == "left" and right:
        raise ValueError("For 'searchsorted', the 'side' cannot be 'left' when 'right' is True.")
    kind = dtypes.int32 if out_int32 else dtypes.int64
    return _search_sorted(sorted_sequence, values, sorter, kind, right or side == "right")


def _searchsorted_method(self: Tensor, v: Any, side: str = "left", sorter: Any = None) -> Tensor:
    """Where values would have to be put into this sorted vector to keep it sorted.

    Examples:
        >>> from mindspore import Tensor
        >>> print(Tensor([1.0, 3.0, 5.0]).searchsorted(Tensor([0.0, 3.0, 9.0])))
        [0 1 3]
    """
    values = v if isinstance(v, Tensor) else Tensor(v)
    return searchsorted(self, values, out_int32=True, side=side, sorter=sorter)


def _gather_slices(self: Tensor, input_indices: Any, axis: Any, batch_dims: int = 0) -> Tensor:
    """Slices along an axis, ``gather(input_indices, axis, batch_dims=0)``, or single elements, ``gather(dim, index)``.

    Examples:
        >>> from mindspore import Tensor
        >>> x = Tensor([[1, 2], [3, 4]])
        >>> print(x.gather(Tensor([1]), 0), x.gather(dim=1, index=Tensor([[1], [0]])))
        [[3 4]] [[2]
         [3]]
    """
    return gather(self, input_indices, axis, batch_dims)


def _gather_elements(self: Tensor, dim: int, index: Tensor) -> Tensor:
    return gather_elements(self, dim, index)


register_function(searchsorted)
attach("gather", overloaded("Tensor.gather", _gather_elements, _gather_slices))
attach("searchsorted", _searchsorted_method)
