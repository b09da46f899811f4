"""Choosing elements by condition, by index, by a function; distinct elements."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from mindspore import ops
from mindspore._engine.tensor.tensor import Tensor
from mindspore._ops.array.dynamic_shape import host_values
from mindspore._ops.linalg.numpy_arrays import numpy_choose, numpy_take_along_axis
from mindspore._utils.checks import check_bool, check_callable, check_one_of
from mindspore._utils.refusals import WrongObject, refused, type_or_value
from mindspore.numpy._inputs import (
    ArrayLike,
    as_axes,
    as_axis,
    as_shape,
    as_tensor,
    as_tensors,
    same_dtype,
)
from mindspore.numpy.dtypes import bool_, float32


# -- by condition -----------------------------------------------------------------------------------------------------
def where(condition: ArrayLike, x: ArrayLike | None = None, y: ArrayLike | None = None) -> Tensor:
    """``x`` where the condition holds, else ``y``.

    Examples:
        >>> import mindspore.numpy as np
        >>> print(np.where([True, False], [1, 2], 3))
        [1 3]
    """
    first, second = same_dtype([as_tensor(x, "where", "x"), as_tensor(y, "where", "y")])
    return ops.where(as_tensor(condition, "where", "condition").astype(bool_), first, second)


def select(condlist: Any, choicelist: Any, default: ArrayLike = 0) -> Tensor:
    """The choice of the first condition that holds, else ``default``.

    Examples:
        >>> import mindspore.numpy as np
        >>> print(np.select([[True, False], [True, True]], [[1, 2], [3, 4]]))
        [1 4]
    """
    conditions, choices = as_tensors(condlist, "select", "condlist"), as_tensors(choicelist, "select", "choicelist")
    if len(conditions) != len(choices):
        raise refused(
            ValueError,
            f"For 'select', give as many choices as conditions, but got {len(choices)} and {len(conditions)}.",
        )
    *choices, result = same_dtype([*choices, as_tensor(default, "select", "default")])
    for condition, choice in zip(reversed(conditions), reversed(choices), strict=True):
        result = ops.where(condition.astype(bool_), choice, result)
    return result


def piecewise(x: ArrayLike, condlist: Any, funclist: Any, *args: Any, **kw: Any) -> Tensor:
    """Where a condition holds, the value of its function or its number.

    A function more than conditions is the default where none holds; without it the default is 0.

    Examples:
        >>> import mindspore.numpy as np
        >>> print(np.piecewise([-1.0, 2.0], [[True, False]], [0.0, lambda v: v * 2]))
        [0. 4.]
    """
    tensor = as_tensor(x, "piecewise")
    if not isinstance(condlist, (list, tuple, Tensor)) or len(condlist) == 0:
        raise type_or_value(ValueError)(
            f"For 'piecewise', the 'condlist' must be a list of conditions, but got {condlist!r}."
        )
    if not isinstance(funclist, (list, tuple)):
        raise TypeError(
            f"For 'piecewise', the 'funclist' must be a list of functions and numbers, but got {funclist!r}."
        )
    single = isinstance(condlist, (list, tuple)) and not isinstance(condlist[0], (list, tuple, Tensor))
    conditions = [
        as_tensor(item, "piecewise", "condlist").astype(bool_) for item in ([condlist] if single else condlist)
    ]
    functions = list(funclist)
    if len(functions) not in (len(conditions), len(conditions) + 1):
        raise refused(
            ValueError,
            f"For 'piecewise', the 'funclist' must have {len(conditions)} or {len(conditions) + 1} entries, but got "
            f"{len(functions)}.",
        )
    if len(functions) == len(conditions):
        functions.append(0)
    values = [choice(tensor, *args, **kw) if callable(choice) else choice for choice in functions]
    *choices, result = same_dtype([as_tensor(value, "piecewise", "funclist") for value in values])
    for condition, choice in zip(conditions, choices, strict=True):
        result = ops.where(condition, choice, result)
    return ops.broadcast_to(result, tensor.shape)


# -- by index ---------------------------------------------------------------------------------------------------------
def take(a: ArrayLike, indices: ArrayLike, axis: int | None = None, mode: str = "clip") -> Tensor:
    """Elements by index along an axis, of the flat array unless given.

    Args:
        mode: what an index outside means: 'clip' the nearest element, 'wrap' counts on from the other end.

    Examples:
        >>> import mindspore.numpy as np
        >>> print(np.take([4, 3, 5, 7], [0, 2]))
        [4 5]
    """
    tensor, positions = as_tensor(a, "take", "a"), as_tensor(indices, "take", "indices")
    check_one_of("take", "mode", mode, ("clip", "wrap"))
    tensor = ops.reshape(tensor, (-1,)) if axis is None else tensor
    axis = 0 if axis is None else as_axis(axis, tensor.ndim, "take")
    length = tensor.shape[axis]
    if mode == "wrap":
        positions = ops.floor_mod(positions, length)
    else:
        positions = ops.clamp(ops.where(positions < 0, positions + length, positions), 0, length - 1)
    return ops.gather(tensor, positions, axis)


def take_along_axis(arr: ArrayLike, indices: Tensor, axis: int | None) -> Tensor:
    """Along an axis, an element for each index; the other axes match.

    Examples:
        >>> import mindspore.numpy as np
        >>> print(np.take_along_axis([[1, 2], [3, 4]], np.array([[0], [1]]), 1))
        [[1]
         [4]]
    """
    tensor = as_tensor(arr, "take_along_axis", "arr")
    if not isinstance(indices, Tensor):
        raise refused(
            WrongObject, f"For 'take_along_axis', the 'indices' must be a Tensor, but got {type(indices).__name__}."
        )
    if axis is None:
        tensor, axis = ops.reshape(tensor, (-1,)), 0
    if indices.ndim != tensor.ndim:
        raise refused(
            ValueError,
            f"For 'take_along_axis', the 'arr' and 'indices' must have as many dimensions, but got shapes {tensor.shape} and "
            f"{indices.shape}.",
        )
    return numpy_take_along_axis(tensor, indices, as_axis(axis, tensor.ndim, "take_along_axis"))


def choose(a: ArrayLike, choices: Any, mode: str = "clip") -> Tensor:
    """For each element the choice it numbers.

    Args:
        mode: what a number outside means: 'clip' the nearest choice, 'wrap' counts on from the other end.

    Examples:
        >>> import mindspore.numpy as np
        >>> print(np.choose([1, 0], [[1, 2], [3, 4]]))
        [3 2]
    """
    check_one_of("choose", "mode", mode, ("clip", "wrap"))
    return numpy_choose(as_tensor(a, "choose", "a"), same_dtype(as_tensors(choices, "choose", "choices")), mode)


def unravel_index(indices: ArrayLike, shape: Any, order: str = "C") -> tuple[Tensor, ...]:
    """The coordinates of indices into the flat array.

    Examples:
        >>> import mindspore.numpy as np
        >>> print(np.unravel_index([3, 5], (2, 3)))
        (Tensor(shape=[2], dtype=Int32, value= [1, 1]), Tensor(shape=[2], dtype=Int32, value= [0, 2]))
    """
    check_one_of("unravel_index", "order", order, ("C", "F"))
    rest, lengths = as_tensor(indices, "unravel_index", "indices"), as_shape(shape, "unravel_index")
    last = int(np.prod(lengths)) - 1
    rest = ops.clamp(rest, -last - 1, last)
    rest = ops.where(rest < 0, rest + last + 1, rest)
    found = []
    for length in lengths if order == "F" else lengths[::-1]:
        found.append(ops.floor_mod(rest, length))
        rest = ops.floor_divide(rest, length)
    return tuple(found if order == "F" else found[::-1])


def ravel_multi_index(multi_index: Any, dims: Any, mode: str = "clip", order: str = "C") -> Tensor:
    """The flat index of coordinates, in float32.

    Examples:
        >>> import mindspore.numpy as np
        >>> print(np.ravel_multi_index([[1, 0], [2, 1]], (2, 3)))
        [5. 1.]
    """
    check_one_of("ravel_multi_index", "mode", mode, ("clip", "wrap"))
    check_one_of("ravel_multi_index", "order", order, ("C", "F"))
    lengths = as_shape(dims, "ravel_multi_index", "dims")
    coordinates = as_tensors(multi_index, "ravel_multi_index", "multi_index")
    if len(coordinates) != len(lengths):
        raise refused(
            ValueError,
            f"For 'ravel_multi_index', give a coordinate for each of {len(lengths)} dims, but got {len(coordinates)}.",
        )
    result = ops.zeros_like(coordinates[0])
    for coordinate, length in list(zip(coordinates, lengths, strict=True))[:: 1 if order == "C" else -1]:
        inside = ops.floor_mod(coordinate, length) if mode == "wrap" else ops.clamp(coordinate, 0, length - 1)
        result = result * length + inside
    return result.astype(float32)


# -- by a function ----------------------------------------------------------------------------------------------------
def apply_along_axis(func1d: Callable[..., Any], axis: int, arr: ArrayLike, *args: Any, **kwargs: Any) -> Tensor:
    """What a function makes of each vector along an axis.

    Examples:
        >>> import mindspore.numpy as np
        >>> print(np.apply_along_axis(lambda v: v.sum(), 0, [[1.0, 2.0], [3.0, 4.0]]))
        [4. 6.]
    """
    check_callable("apply_along_axis", "func1d", func1d)
    tensor = as_tensor(arr, "apply_along_axis", "arr")
    axis = as_axis(axis, tensor.ndim, "apply_along_axis")
    moved = ops.moveaxis(tensor, axis, -1)
    results = [
        as_tensor(func1d(row, *args, **kwargs), "apply_along_axis") for row in ops.reshape(moved, (-1, moved.shape[-1]))
    ]
    stacked = ops.reshape(ops.stack(results), (*moved.shape[:-1], *results[0].shape))
    new = range(axis, axis + results[0].ndim)
    return (
        ops.moveaxis(stacked, tuple(range(tensor.ndim - 1, stacked.ndim)), tuple(new)) if results[0].ndim else stacked
    )


def apply_over_axes(func: Callable[..., Any], a: ArrayLike, axes: Any) -> Tensor:
    """A function of an array and an axis, applied for each axis in turn.

    Examples:
        >>> import mindspore.numpy as np
        >>> print(np.apply_over_axes(np.sum, [[1, 2], [3, 4]], (0, 1)))
        [[10]]
    """
    check_callable("apply_over_axes", "func", func)
    tensor = as_tensor(a, "apply_over_axes", "a")
    for axis in as_axes(axes, tensor.ndim, "apply_over_axes", "axes"):
        result = func(tensor, axis)
        tensor = ops.expand_dims(result, axis) if result.ndim == tensor.ndim - 1 else result
    return tensor


# -- how many there are depends on the values -------------------------------------------------------------------------
def argwhere(a: ArrayLike) -> Tensor:
    """The coordinates of the elements that are not zero.

    Examples:
        >>> import mindspore.numpy as np
        >>> print(np.argwhere([[1, 0], [0, 2]]))
        [[0 0]
         [1 1]]
    """
    return ops.argwhere(as_tensor(a, "argwhere", "a"))


def unique(x: ArrayLike, return_inverse: bool = False) -> Any:
    """The different elements as they first appear, and if wanted where each element stands among them.

    Examples:
        >>> import mindspore.numpy as np
        >>> print(np.unique([2, 1, 2, 3]))
        [2 1 3]
    """
    values, inverse = ops.unique(ops.reshape(as_tensor(x, "unique"), (-1,)))
    return (values, inverse) if return_inverse else values


def intersect1d(ar1: ArrayLike, ar2: ArrayLike, assume_unique: bool = False, return_indices: bool = False) -> Any:
    """The elements both have, sorted, and if wanted where they first stand in each.

    Examples:
        >>> import mindspore.numpy as np
        >>> print(np.intersect1d([1, 3, 4], [3, 1, 2]))
        [1 3]
    """
    check_bool("intersect1d", "assume_unique", assume_unique)
    check_bool("intersect1d", "return_indices", return_indices)
    instead = "np.isin(ar1, ar2) as a mask."
    first, second = same_dtype([as_tensor(ar1, "intersect1d", "ar1"), as_tensor(ar2, "intersect1d", "ar2")])
    values = (host_values(tensor, "intersect1d", instead) for tensor in (first, second))
    if not return_indices:
        return Tensor(np.intersect1d(*values, assume_unique=assume_unique))
    found = np.intersect1d(*values, assume_unique=assume_unique, return_indices=True)
    return Tensor(found[0]), *(Tensor(indices.astype(np.int32)) for indices in found[1:])
