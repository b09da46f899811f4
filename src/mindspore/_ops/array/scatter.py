"""Out-of-place scatters. An index out of range is an error, except along a single axis.

Along a single axis MindSpore drops the update silently; so do we.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np

from mindspore._engine.base.convert import convert
from mindspore._engine.execution.index_bounds import require_coordinates, require_inside
from mindspore._engine.operator.arguments import Array, Axis, Operand, Shape
from mindspore._engine.operator.registry import op
from mindspore._engine.tensor.tensor import Tensor
from mindspore._ops.array.gather import nd_positions
from mindspore._ops.declaring.dtype_checks import accepts, alike
from mindspore._ops.declaring.promotion import normal_axis
from mindspore._ops.declaring.requirements import require, require_choice, require_same_dtype, require_storable

Coordinates = tuple


def _check_updates(x: Any, coordinates: Coordinates, updates: Any, name: str = "updates") -> None:
    require(coordinates, "the 'indices' must have a last axis of at least one coordinate, but it has length 0.")
    wanted = coordinates[0].shape + x.shape[len(coordinates) :]
    text = f"the '{name}' must have shape {wanted} for this input and these indices, but got {updates.shape}."
    require(updates.shape == wanted, text)


def put(x: Any, coordinates: Coordinates, updates: Any, how: str) -> Any:
    """The array with elements at the coordinates set, or combined with the updates by add, subtract, multiply, ..."""
    if how in ("multiply", "divide"):
        return _scaled(x, coordinates, updates, how)
    if how == "add" and x.dtype == jnp.bool_:
        how = "max"  # the maximum of bools is their logical or
    if how == "subtract":
        return x.at[coordinates].add(-updates, mode="drop")
    return getattr(x.at[coordinates], how)(updates, mode="drop")


@jax.custom_vjp
def _product(x: Any, coordinates: Coordinates, updates: Any) -> Any:
    return x.at[coordinates].multiply(updates, mode="drop")


def _product_forward(x: Any, coordinates: Coordinates, updates: Any) -> tuple:
    return _product(x, coordinates, updates), (x, coordinates, updates)


def _product_backward(saved: tuple, cotangent: Any) -> tuple:
    # MindSpore's rule: updates of the same element do not see each other.
    x, coordinates, updates = saved
    none = tuple(np.zeros(p.shape, jax.dtypes.float0) for p in coordinates)
    return (
        _product(cotangent, coordinates, updates),
        none,
        (cotangent * x).at[coordinates].get(mode="fill", fill_value=0),
    )


_product.defvjp(_product_forward, _product_backward)


def _scaled(x: Any, coordinates: Coordinates, updates: Any, how: str) -> Any:
    if how == "multiply":
        return _product(x, coordinates, updates)
    if jnp.issubdtype(x.dtype, jnp.inexact):
        return _product(x, coordinates, 1 / updates)
    # integers: the quotient of all divisors at once, cut towards zero
    return jax.lax.div(x, jnp.ones_like(x).at[coordinates].multiply(updates, mode="drop"))


def _declare(name: str, primitive: str, how: str, summary: str, printed: str) -> Callable[..., Any]:
    """An operator of the TensorScatter family; they differ only in how elements are combined."""

    def body(input_x: Array, indices: Array, updates: Array):
        coordinates = nd_positions(input_x, indices)
        require_same_dtype(input_x=input_x, updates=updates)
        _check_updates(input_x, coordinates, updates)
        return put(input_x, coordinates, updates, how)

    if how in ("max", "min"):
        body = accepts("if", "input_x", "updates")(body)
    body.__name__ = body.__qualname__ = name
    body.__doc__ = f"""{summary} The last axis of ``indices`` holds coordinates.

    Examples:
        >>> from mindspore import Tensor, ops
        >>> x = Tensor([1.0, 6.0])
        >>> print(ops.{name}(x, Tensor([[1], [1]]), Tensor([2.0, 3.0])))
        {printed}
    """

    def reference(x: np.ndarray, indices: np.ndarray, updates: np.ndarray) -> np.ndarray:
        result = x.copy()
        if how == "set":
            result[tuple(indices.T)] = updates
        else:
            ufunc = {
                "add": np.add,
                "subtract": np.subtract,
                "multiply": np.multiply,
                "divide": np.divide,
                "max": np.maximum,
                "min": np.minimum,
            }[how]
            ufunc.at(result, tuple(indices.T), updates)
        return result

    kind = (RuntimeError, ValueError) if how == "set" else RuntimeError

    def inside(input_x: Tensor, indices: Tensor, updates: Tensor) -> None:
        require_coordinates(primitive, "indices", indices, input_x.shape, kind=kind)

    return op(
        primitive=primitive,
        bounds=inside,
        in_parts=True,
        old={"input_x": ("x", "input")},
        test=lambda t: [
            t.case(t.normal(3, 2), np.array([[0, 1], [2, 0]]), t.positive(2), expect=reference),
            t.case(t.normal(3, 2), np.array([[0], [2]]), t.positive(2, 2), expect=reference),
        ],
    )(body)


tensor_scatter_update = _declare(
    "tensor_scatter_update", "TensorScatterUpdate", "set", "The input with elements replaced.", "[1. 3.]"
)
tensor_scatter_add = _declare(
    "tensor_scatter_add", "TensorScatterAdd", "add", "The input with values added.", "[ 1. 11.]"
)
tensor_scatter_sub = _declare(
    "tensor_scatter_sub", "TensorScatterSub", "subtract", "The input with values subtracted.", "[1. 1.]"
)
tensor_scatter_mul = _declare(
    "tensor_scatter_mul", "TensorScatterMul", "multiply", "The input with elements multiplied.", "[ 1. 36.]"
)
tensor_scatter_div = _declare(
    "tensor_scatter_div", "TensorScatterDiv", "divide", "The input with elements divided.", "[1. 1.]"
)
tensor_scatter_max = _declare(
    "tensor_scatter_max", "TensorScatterMax", "max", "The larger of input and updates.", "[1. 6.]"
)
tensor_scatter_min = _declare(
    "tensor_scatter_min", "TensorScatterMin", "min", "The smaller of input and updates.", "[1. 2.]"
)


@op(
    primitive="ScatterNd",
    bounds=lambda indices, updates, shape: require_coordinates("ScatterNd", "indices", indices, _lengths(shape)),
    test=lambda t: [
        t.case(
            np.array([[0], [2], [0]]),
            np.array([1, 2, 3], np.float32),
            (4,),
            expect=lambda *_: np.array([4, 0, 2, 0], np.float32),
        ),
        t.case(np.array([[0, 1]]), t.normal(1), (2, 2), expect=lambda i, u, s: np.array([[0, u[0]], [0, 0]])),
    ],
)
def scatter_nd(indices: Array, updates: Array, shape: Shape):
    """Zeros of a shape with values added at coordinates, which are the last axis of ``indices``.

    Examples:
        >>> from mindspore import Tensor, ops
        >>> print(ops.scatter_nd(Tensor([[0], [2], [0]]), Tensor([1.0, 2.0, 3.0]), (4,)))
        [4. 0. 2. 0.]
    """
    require(min(shape, default=0) >= 0, f"the 'shape' must not hold negative lengths, but got {shape}.")
    zeros = jnp.zeros(shape, updates.dtype)
    coordinates = nd_positions(zeros, indices if max(shape, default=0) < 2**31 else indices.astype(jnp.int64))
    _check_updates(zeros, coordinates, updates)
    return put(zeros, coordinates, updates, "add")


def _lengths(shape: Any) -> tuple[int, ...]:
    return tuple(map(int, shape)) if isinstance(shape, (tuple, list, Tensor)) else (int(shape),)


def _element_coordinates(x: Any, axis: int, positions: Any, name: str) -> Coordinates:
    """The coordinates of every element of ``positions``, that on ``axis`` replaced by the position itself."""
    text = f"the '{name}' must have as many dimensions as the input, {x.ndim}, but got shape {positions.shape}."
    require(positions.ndim == x.ndim, text)
    require(
        jnp.issubdtype(positions.dtype, jnp.integer),
        f"the '{name}' must be a Tensor of integers, but got {positions.dtype}.",
        TypeError,
    )
    axis = normal_axis(axis, x.ndim)
    mesh = jnp.meshgrid(*[jnp.arange(n) for n in positions.shape], indexing="ij")
    return tuple(positions if a == axis else mesh[a] for a in range(x.ndim))


def put_elements(
    x: Any, axis: int, positions: Any, updates: Any, how: str, names: tuple[str, str] = ("index", "src")
) -> Any:
    coordinates = _element_coordinates(x, axis, positions, names[0])
    updates = convert(updates, x.dtype)
    got = f"{updates.shape} for positions of shape {positions.shape}"
    text = f"the '{names[1]}' must be one number or have the shape of '{names[0]}', but got {got}."
    require(updates.ndim == 0 or all(u >= n for u, n in zip(updates.shape, positions.shape, strict=False)), text)
    if updates.ndim:
        require(updates.ndim == positions.ndim, text)
        updates = updates[tuple(slice(n) for n in positions.shape)]
    if (
        x.ndim > 1
        and normal_axis(axis, x.ndim) == x.ndim - 1
        and positions.shape[:-1] == x.shape[:-1]
        and positions.size
    ):
        # row by row: the other coordinates need not be written
        rows = [a.reshape(-1, a.shape[-1]) for a in (x, positions, jnp.broadcast_to(updates, positions.shape))]
        return jax.vmap(lambda x, position, update: put(x, (position,), update, how))(*rows).reshape(x.shape)
    return put(x, coordinates, updates, how)


def _numpy_elements(x: np.ndarray, axis: int, index: np.ndarray, src: Any) -> np.ndarray:
    result = x.copy()
    np.put_along_axis(result, index, src, axis)
    return result


@op(
    primitive="TensorScatterElements",
    in_parts=True,
    init=("axis", "reduction"),
    old={"input_x": ("x", "data"), "reduction": "reduce"},
    test=lambda t: [
        t.case(
            t.normal(2, 3), np.array([[0, 1, 0]]), t.normal(1, 3), expect=lambda x, i, u: _numpy_elements(x, 0, i, u)
        ),
        t.case(
            t.normal(1, 3),
            np.array([[0, 0]]),
            np.array([[1, 2]], np.float32),
            1,
            "add",
            expect=lambda x, *_: x + np.array([[3, 0, 0]], np.float32),
        ),
    ],
)
@alike("input_x", "updates")
def tensor_scatter_elements(input_x: Array, indices: Array, updates: Array, axis: int = 0, reduction: str = "none"):
    """The input with elements replaced (or added to, with ``reduction="add"``) along an axis.

    Examples:
        >>> from mindspore import Tensor, ops
        >>> print(ops.tensor_scatter_elements(Tensor([[1, 2], [3, 4]]), Tensor([[1, 0]]), Tensor([[8, 9]]), axis=0))
        [[1 9]
         [8 4]]
    """
    require_choice("reduction", reduction, ("none", "add"))
    return put_elements(
        input_x, axis, indices, updates, "set" if reduction == "none" else "add", ("indices", "updates")
    )


@op(
    method="scatter",
    in_parts=True,
    old={"axis": ("dim",), "src": ("value",)},
    test=lambda t: [
        t.case(t.normal(2, 3), 1, np.array([[0], [2]]), t.normal(2, 1), expect=_numpy_elements),
        t.case(t.normal(2, 3), 1, np.array([[0], [2]]), 5.0, expect=_numpy_elements),
        t.case(
            np.ones((1, 2), np.float32),
            1,
            np.array([[1]]),
            5.0,
            "add",
            expect=lambda *_: np.array([[1, 6]], np.float32),
        ),
    ],
)
@alike("input", "src")
def scatter(input: Array, axis: int, index: Array, src: Operand, reduce: str = "none"):
    """The input with elements replaced along an axis: ``input[i][index[i][j]] = src[i][j]`` for axis 1 of a matrix.

    Args:
        reduce: 'add' or 'multiply' combines with what is there instead.

    Examples:
        >>> from mindspore import Tensor, ops
        >>> print(ops.scatter(Tensor([[1, 2], [3, 4]]), 1, Tensor([[1], [0]]), Tensor([[8], [9]])))
        [[1 8]
         [9 4]]
    """
    require_choice("reduce", reduce, ("none", "add", "multiply"))
    return put_elements(input, axis, index, src, "set" if reduce == "none" else reduce)


@op(
    public=False,
    primitive="ScatterAddWithAxis",
    in_parts=True,
    init=("axis",),
    test=lambda t: [
        t.case(
            t.normal(1, 3),
            np.array([[0, 0]]),
            np.array([[1, 2]], np.float32),
            1,
            expect=lambda x, *_: x + np.array([[3, 0, 0]]),
        )
    ],
)
def scatter_elements_add(input: Array, indices: Array, updates: Array, axis: int = 0):
    """The input with values added along an axis.

    Examples:
        >>> import mindspore
        >>> from mindspore import Tensor, ops
        >>> print(ops.ScatterAddWithAxis(axis=0)(Tensor([1.0, 2.0, 3.0]), Tensor([1], mindspore.int32), Tensor([10.0])))
        [ 1. 12.  3.]
    """
    require(
        updates.shape == indices.shape,
        f"the 'updates' must have the shape of 'indices', {indices.shape}, but got {updates.shape}.",
    )
    return put_elements(input, axis, indices, updates, "add", ("indices", "updates"))


def _axis_coordinates(axis: int, index: Any) -> Coordinates:
    return (slice(None),) * axis + (index,)


def _inside_axis(x: Tensor, indices: Tensor, y: Tensor, axis: int, alpha: Any = 1, owner: str = "IndexAdd") -> None:
    require_inside(owner, "indices", indices, 0, x.shape[axis])


@op(
    bounds=_inside_axis,
    in_parts=True,
    public=False,
    test=lambda t: [
        t.case(
            t.normal(3, 2),
            np.array([0, 2, 0]),
            t.normal(3, 2),
            0,
            expect=lambda x, i, y, axis: _numpy_index_add(x, i, y),
        )
    ],
)
def index_add(x: Array, indices: Array, y: Array, axis: int, alpha: Operand = 1):
    """The input with slices added at positions of an axis."""
    axis = normal_axis(axis, x.ndim)
    wanted = x.shape[:axis] + indices.shape + x.shape[axis + 1 :]
    require(indices.ndim == 1 and y.shape == wanted, f"the 'y' must have shape {wanted}, but got {y.shape}.")
    amounts = convert(y * alpha, x.dtype)
    return x.at[_axis_coordinates(axis, indices)].add(amounts, mode="drop")


def _numpy_index_add(x: np.ndarray, index: np.ndarray, y: np.ndarray) -> np.ndarray:
    result = x.copy()
    np.add.at(result, index, y)
    return result


@op(
    primitive="IndexFill",
    bounds=lambda x, axis, index, value: require_inside("IndexFill", "index", index, -x.shape[axis], x.shape[axis]),
    in_parts=True,
    method="index_fill",
    old={"axis": ("dim",)},
    test=lambda t: [
        t.case(
            t.normal(2, 3),
            1,
            np.array([0, 2]),
            5.0,
            expect=lambda x, *_: np.stack([np.full(2, 5), x[:, 1], np.full(2, 5)], 1),
        )
    ],
)
def index_fill(x: Array, axis: int, index: Array, value: Operand):
    """The input with whole slices of an axis replaced by a number.

    Examples:
        >>> from mindspore import Tensor, ops
        >>> print(ops.index_fill(Tensor([[1, 2, 3]]), 1, Tensor([0, 2]), 9))
        [[9 2 9]]
    """
    require_storable("value", value, x.dtype)
    value = convert(value, x.dtype)
    require(value.size == 1, f"the 'value' must be one number, but got shape {value.shape}.")
    axis = normal_axis(axis, x.ndim)
    chosen = jnp.zeros(x.shape[axis], jnp.bool_).at[index].set(True, mode="drop")
    return jnp.where(jnp.expand_dims(chosen, tuple(i for i in range(x.ndim) if i != axis)), value.reshape(()), x)


def _rows(indices: Any) -> np.ndarray:
    return np.array((indices,) if isinstance(indices, int) else indices)


def _inplace_like(x: Any, v: Any, indices: Any, how: str) -> Any:
    rows = _rows(indices)
    require(x.ndim, "the 'x' must have at least 1 dimension, but got a number.")
    wanted = (len(rows), *x.shape[1:])
    require(v.shape == wanted, f"the 'v' must have shape {wanted}, but got {v.shape}.")
    low, kind = (-x.shape[0], RuntimeError) if how == "set" and x.shape[0] else (0, ValueError)
    inside = all(low <= i < x.shape[0] for i in rows)
    require(inside, f"the 'indices' must be rows of the input, in [{low}, {x.shape[0]}), but got {indices}.", kind)
    return put(x, (rows,), v, how)


@op(
    primitive="InplaceUpdate",
    init=("indices",),
    test=lambda t: [t.case(t.normal(3, 2), t.normal(1, 2), 1, expect=lambda x, v, i: np.stack([x[0], v[0], x[2]]))],
)
@alike("x", "v")
def inplace_update(x: Array, v: Array, indices: Axis):
    """A copy of the input with rows replaced.

    Examples:
        >>> from mindspore import Tensor, ops
        >>> print(ops.inplace_update(Tensor([[1], [2], [3]]), Tensor([[9]]), 1))
        [[1]
         [9]
         [3]]
    """
    return _inplace_like(x, v, indices, "set")


@op(
    primitive="InplaceAdd",
    init=("indices",),
    test=lambda t: [t.case(t.normal(2, 2), t.normal(1, 2), (1,), expect=lambda x, v, i: np.stack([x[0], x[1] + v[0]]))],
)
@alike("x", "v")
def inplace_add(x: Array, v: Array, indices: Axis):
    """A copy of the input with values added to rows.

    Examples:
        >>> from mindspore import Tensor, ops
        >>> print(ops.inplace_add(Tensor([[1], [2]]), Tensor([[9]]), 1))
        [[ 1]
         [11]]
    """
    return _inplace_like(x, v, indices, "add")


@op(
    primitive="InplaceSub",
    init=("indices",),
    test=lambda t: [t.case(t.normal(2, 2), t.normal(1, 2), (1,), expect=lambda x, v, i: np.stack([x[0], x[1] - v[0]]))],
)
@alike("x", "v")
def inplace_sub(x: Array, v: Array, indices: Axis):
    """A copy of the input with values subtracted from rows.

    Examples:
        >>> from mindspore import Tensor, ops
        >>> print(ops.inplace_sub(Tensor([[1], [2]]), Tensor([[9]]), 1))
        [[ 1]
         [-7]]
    """
    return _inplace_like(x, v, indices, "subtract")


@op(
    method="select_scatter",
    test=lambda t: [t.case(t.normal(2, 3), t.normal(3), 0, 1, expect=lambda x, s, *_: np.stack([x[0], s]))],
)
@alike("input", "src")
def select_scatter(input: Array, src: Array, axis: int, index: int):
    """The input with a slice of an axis replaced.

    Examples:
        >>> from mindspore import Tensor, ops
        >>> print(ops.select_scatter(Tensor([[1, 2], [3, 4]]), Tensor([8, 9]), 0, 1))
        [[1 2]
         [8 9]]
    """
    require(input.ndim, "the 'input' must have at least 1 dimension, but got a number.")
    axis = normal_axis(axis, input.ndim)
    index = normal_axis(index, input.shape[axis], "index")
    wanted = input.shape[:axis] + input.shape[axis + 1 :]
    require(src.shape == wanted, f"the 'src' must have shape {wanted}, but got {src.shape}.")
    return input.at[_axis_coordinates(axis, index)].set(convert(src, input.dtype))
