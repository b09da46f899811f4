"""Other shapes and orders of the same elements."""

from __future__ import annotations

from typing import Any

import numpy as np

from mindspore import ops
from mindspore._engine.tensor.tensor import Tensor
from mindspore._utils.checks import check_int, shown
from mindspore._utils.refusals import WrongObject, refused
from mindspore.numpy._inputs import ArrayLike, as_axes, as_axis, as_shape, as_tensor


# -- shape ------------------------------------------------------------------------------------------------------------
def reshape(x: ArrayLike, new_shape: Any) -> Tensor:
    """The same elements in another shape; one length may be -1.

    Examples:
        >>> import mindspore.numpy as np
        >>> print(np.reshape(np.arange(6), (2, -1)))
        [[0 1 2]
         [3 4 5]]
    """
    return ops.reshape(as_tensor(x, "reshape"), new_shape)


def ravel(x: ArrayLike) -> Tensor:
    """All elements as a vector.

    Examples:
        >>> import mindspore.numpy as np
        >>> print(np.ravel([[1, 2], [3, 4]]))
        [1 2 3 4]
    """
    return ops.reshape(as_tensor(x, "ravel"), (-1,))


def expand_dims(a: ArrayLike, axis: int | tuple[int, ...] | list[int]) -> Tensor:
    """New axes of length 1.

    Examples:
        >>> import mindspore.numpy as np
        >>> print(np.expand_dims([1, 2], 0).shape)
        (1, 2)
    """
    tensor = as_tensor(a, "expand_dims", "a")
    count = len(axis) if isinstance(axis, (list, tuple)) else 1
    for new_axis in sorted(as_axes(axis, tensor.ndim + count, "expand_dims")):
        tensor = ops.expand_dims(tensor, new_axis)
    return tensor


def squeeze(a: ArrayLike, axis: Any = None) -> Tensor:
    """The array without axes of length 1, or without those named.

    A named axis of another length stays.

    Examples:
        >>> import mindspore.numpy as np
        >>> print(np.squeeze(np.ones((1, 2, 1))).shape)
        (2,)
    """
    tensor = as_tensor(a, "squeeze", "a")
    axes = as_axes(axis, tensor.ndim, "squeeze")
    return ops.reshape(tensor, [n for number, n in enumerate(tensor.shape) if n != 1 or number not in axes])


def shape(a: ArrayLike) -> tuple[int, ...]:
    """The length of each axis.

    Examples:
        >>> import mindspore.numpy as np
        >>> print(np.shape([[1, 2], [3, 4]]))
        (2, 2)
    """
    return tuple(as_tensor(a, "shape", "a").shape)


def size(a: ArrayLike, axis: int | None = None) -> int:
    """How many elements there are, in all or along an axis.

    Examples:
        >>> import mindspore.numpy as np
        >>> print(np.size([[1, 2, 3], [4, 5, 6]], 1))
        3
    """
    tensor = as_tensor(a, "size", "a")
    return int(tensor.size) if axis is None else tensor.shape[as_axis(axis, tensor.ndim, "size")]


def atleast_1d(*arys: ArrayLike) -> Any:
    """Arrays with at least 1 axis.

    Examples:
        >>> import mindspore.numpy as np
        >>> print(np.atleast_1d(1.0))
        [1.]
    """
    return _each(arys, "atleast_1d", lambda tensor: ops.reshape(tensor, (1,)) if tensor.ndim == 0 else tensor)


def atleast_2d(*arys: ArrayLike) -> Any:
    """Arrays with at least 2 axes; new ones come first.

    Examples:
        >>> import mindspore.numpy as np
        >>> print(np.atleast_2d([1, 2]))
        [[1 2]]
    """
    return _each(arys, "atleast_2d", lambda tensor: ops.reshape(tensor, (1, -1)) if tensor.ndim < 2 else tensor)


def atleast_3d(*arys: ArrayLike) -> Any:
    """Arrays with at least 3 axes; a vector goes in the middle, a matrix first.

    Examples:
        >>> import mindspore.numpy as np
        >>> print(np.atleast_3d([1, 2]).shape)
        (1, 2, 1)
    """

    def deepened(tensor: Tensor) -> Tensor:
        if tensor.ndim > 2:
            return tensor
        return ops.expand_dims(tensor, -1) if tensor.ndim == 2 else ops.reshape(tensor, (1, -1, 1))

    return _each(arys, "atleast_3d", deepened)


def _each(arrays: tuple, owner: str, function: Any) -> Any:
    results = [function(as_tensor(array, owner, "arys")) for array in arrays]
    return results[0] if len(results) == 1 else results


# -- order of axes ----------------------------------------------------------------------------------------------------
def transpose(a: ArrayLike, axes: Any = None) -> Tensor:
    """The axes in another order, reversed unless given.

    Examples:
        >>> import mindspore.numpy as np
        >>> print(np.transpose(np.ones((1, 2, 3))).shape)
        (3, 2, 1)
    """
    tensor = as_tensor(a, "transpose", "a")
    order = tuple(range(tensor.ndim))[::-1] if axes is None else as_axes(axes, tensor.ndim, "transpose", "axes")
    if len(order) != tensor.ndim:
        raise refused(ValueError, f"For 'transpose', the 'axes' must name all {tensor.ndim} axes, but got {axes}.")
    return ops.transpose(tensor, order)


def swapaxes(x: ArrayLike, axis1: int, axis2: int) -> Tensor:
    """Two axes exchanged.

    Examples:
        >>> import mindspore.numpy as np
        >>> print(np.swapaxes(np.ones((2, 3, 4)), 0, 2).shape)
        (4, 3, 2)
    """
    tensor = as_tensor(x, "swapaxes")
    first, second = (as_axis(axis, tensor.ndim, "swapaxes", n) for axis, n in ((axis1, "axis1"), (axis2, "axis2")))
    return ops.swapaxes(tensor, first, second)


def moveaxis(a: ArrayLike, source: Any, destination: Any) -> Tensor:
    """Axes moved to other positions; the others keep their order.

    Examples:
        >>> import mindspore.numpy as np
        >>> print(np.moveaxis(np.ones((3, 4, 5)), 0, -1).shape)
        (4, 5, 3)
    """
    tensor = as_tensor(a, "moveaxis", "a")
    origins = as_axes(source, tensor.ndim, "moveaxis", "source")
    targets = as_axes(destination, tensor.ndim, "moveaxis", "destination")
    if len(origins) != len(targets):
        raise refused(
            ValueError,
            f"For 'moveaxis', give as many sources as destinations, but got {len(origins)} and {len(targets)}.",
        )
    return ops.moveaxis(tensor, origins, targets)


def rollaxis(x: ArrayLike, axis: int, start: int = 0) -> Tensor:
    """An axis moved to stand before another.

    Examples:
        >>> import mindspore.numpy as np
        >>> print(np.rollaxis(np.ones((3, 4, 5)), 2).shape)
        (5, 3, 4)
    """
    tensor = as_tensor(x, "rollaxis")
    axis = as_axis(axis, tensor.ndim, "rollaxis")
    start = (
        as_axis(start, tensor.ndim + 1, "rollaxis", "start")
        if start >= 0
        else as_axis(start, tensor.ndim, "rollaxis", "start")
    )
    return ops.moveaxis(tensor, axis, start - 1 if start > axis else start)


# -- order of elements ------------------------------------------------------------------------------------------------
def flip(m: ArrayLike, axis: Any = None) -> Tensor:
    """The elements in reverse order along axes, all unless given.

    Examples:
        >>> import mindspore.numpy as np
        >>> print(np.flip([[1, 2], [3, 4]], 1))
        [[2 1]
         [4 3]]
    """
    tensor = as_tensor(m, "flip", "m")
    return ops.flip(tensor, as_axes(axis, tensor.ndim, "flip"))


def flipud(m: ArrayLike) -> Tensor:
    """The first axis in reverse order.

    Examples:
        >>> import mindspore.numpy as np
        >>> print(np.flipud([[1, 2], [3, 4]]))
        [[3 4]
         [1 2]]
    """
    return flip(as_tensor(m, "flipud", "m"), 0)


def fliplr(m: ArrayLike) -> Tensor:
    """The second axis in reverse order.

    Examples:
        >>> import mindspore.numpy as np
        >>> print(np.fliplr([[1, 2], [3, 4]]))
        [[2 1]
         [4 3]]
    """
    return flip(as_tensor(m, "fliplr", "m"), 1)


def rot90(a: ArrayLike, k: int = 1, axes: tuple[int, int] = (0, 1)) -> Tensor:
    """Turned ``k`` quarters from the first of two axes towards the second.

    Examples:
        >>> import mindspore.numpy as np
        >>> print(np.rot90([[1, 2], [3, 4]]))
        [[2 4]
         [1 3]]
    """
    tensor = as_tensor(a, "rot90", "a")
    plane = as_axes(axes, tensor.ndim, "rot90", "axes")
    if len(plane) != 2:
        raise refused(ValueError, f"For 'rot90', the 'axes' must be 2 axes, but got {axes}.")
    return ops.rot90(tensor, check_int("rot90", "k", k), plane)


def roll(a: ArrayLike, shift: Any, axis: Any = None) -> Tensor:
    """The elements moved along axes; what leaves at the end comes in at the front.

    Examples:
        >>> import mindspore.numpy as np
        >>> print(np.roll([1, 2, 3, 4], 1))
        [4 1 2 3]
    """
    tensor = as_tensor(a, "roll", "a")
    if axis is None:
        return ops.reshape(ops.roll(ops.reshape(tensor, (-1,)), shift, 0), tensor.shape)
    listed = tuple(axis) if isinstance(axis, (list, tuple)) else (axis,)
    axes = tuple(as_axis(number, tensor.ndim, "roll") for number in listed)
    shifts = tuple(shift) if isinstance(shift, (list, tuple)) else (shift,) * len(axes)
    return ops.roll(tensor, shifts, axes * len(shifts) if len(axes) == 1 else axes)


# -- copies -----------------------------------------------------------------------------------------------------------
def tile(a: ArrayLike, reps: Any) -> Tensor:
    """The whole array over and over along each axis.

    Examples:
        >>> import mindspore.numpy as np
        >>> print(np.tile([0, 1], 2))
        [0 1 0 1]
    """
    tensor, counts = as_tensor(a, "tile", "a"), as_shape(reps, "tile", "reps")
    return ops.tile(tensor, (1,) * (tensor.ndim - len(counts)) + counts)


def repeat(a: ArrayLike, repeats: Any, axis: int | None = None) -> Tensor:
    """Each element several times: all as often, or each as often as ``repeats`` says.

    Examples:
        >>> import mindspore.numpy as np
        >>> print(np.repeat([1, 2], 2))
        [1 1 2 2]
    """
    tensor, counts = as_tensor(a, "repeat", "a"), as_shape(repeats, "repeat", "repeats")
    tensor = ops.reshape(tensor, (-1,)) if axis is None else tensor
    axis = 0 if axis is None else as_axis(axis, tensor.ndim, "repeat")
    if len(counts) not in (1, tensor.shape[axis]):
        raise refused(
            ValueError,
            f"For 'repeat', the 'repeats' must be one number or {tensor.shape[axis]}, but got {len(counts)}.",
        )
    positions = np.repeat(np.arange(tensor.shape[axis]), counts)
    return ops.gather(tensor, Tensor(positions.astype(np.int32)), axis)


def broadcast_to(array: ArrayLike, shape: Any) -> Tensor:
    """The array with axes of length 1 as long as wanted, and new ones in front.

    Examples:
        >>> import mindspore.numpy as np
        >>> print(np.broadcast_to([1, 2], (2, 2)))
        [[1 2]
         [1 2]]
    """
    return ops.broadcast_to(as_tensor(array, "broadcast_to", "array"), as_shape(shape, "broadcast_to"))


def broadcast_arrays(*args: ArrayLike) -> list[Tensor]:
    """Arrays in their common shape.

    Examples:
        >>> import mindspore.numpy as np
        >>> print(np.broadcast_arrays([1, 2], [[3], [4]])[0])
        [[1 2]
         [1 2]]
    """
    tensors = [as_tensor(array, "broadcast_arrays", "args") for array in args]
    try:
        common = np.broadcast_shapes(*[tensor.shape for tensor in tensors])
    except ValueError:
        shapes = ", ".join(str(tensor.shape) for tensor in tensors)
        raise refused(ValueError, f"For 'broadcast_arrays', the shapes must broadcast, but got {shapes}.") from None
    return [ops.broadcast_to(tensor, common) for tensor in tensors]


def array_str(a: Tensor) -> str:
    """The numbers as text.

    Examples:
        >>> import mindspore.numpy as np
        >>> print(np.array_str(np.arange(3)))
        [0 1 2]
    """
    if not isinstance(a, Tensor):
        raise refused(WrongObject, f"For 'array_str', the 'a' must be a Tensor, but got {shown(a)}.")
    return str(a)
