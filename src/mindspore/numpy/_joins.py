"""Joining and splitting arrays."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from mindspore import ops
from mindspore._engine.tensor.tensor import Tensor
from mindspore._utils.checks import shown
from mindspore._utils.refusals import refused
from mindspore.numpy._inputs import ArrayLike, as_axis, as_tensor, as_tensors, same_dtype
from mindspore.numpy._moves import atleast_1d, atleast_2d, atleast_3d


# -- joining ----------------------------------------------------------------------------------------------------------
def concatenate(arrays: Any, axis: int | None = 0) -> Tensor:
    """Arrays concatenated along an existing axis; flattened first if it is None.

    Examples:
        >>> import mindspore.numpy as np
        >>> print(np.concatenate(([1, 2], [3])))
        [1 2 3]
    """
    tensors = same_dtype(as_tensors(arrays, "concatenate"))
    if axis is None:
        return ops.concat([ops.reshape(tensor, (-1,)) for tensor in tensors])
    if tensors[0].ndim == 0:
        raise refused(
            ValueError, "For 'concatenate', the 'arrays' must have at least 1 dimension, but got numbers. Use stack."
        )
    return ops.concat(tensors, as_axis(axis, tensors[0].ndim, "concatenate"))


def append(arr: ArrayLike, values: ArrayLike, axis: int | None = None) -> Tensor:
    """Values after the end of an array, both flat unless an axis is given.

    Examples:
        >>> import mindspore.numpy as np
        >>> print(np.append([1, 2], 3))
        [1 2 3]
    """
    return concatenate([as_tensor(arr, "append", "arr"), as_tensor(values, "append", "values")], axis)


def stack(arrays: Any, axis: int = 0) -> Tensor:
    """Arrays of equal shape stacked along a new axis.

    Examples:
        >>> import mindspore.numpy as np
        >>> print(np.stack(([1, 2], [3, 4]), 1))
        [[1 3]
         [2 4]]
    """
    tensors = same_dtype(as_tensors(arrays, "stack"))
    return ops.stack(tensors, as_axis(axis, tensors[0].ndim + 1, "stack"))


def hstack(tup: Any) -> Tensor:
    """Arrays concatenated along the second axis, vectors along their only axis; a Tensor stays itself.

    Examples:
        >>> import mindspore.numpy as np
        >>> print(np.hstack(([1, 2], [3])))
        [1 2 3]
    """
    if isinstance(tup, Tensor):
        return tup
    tensors = [atleast_1d(tensor) for tensor in as_tensors(tup, "hstack", "tup")]
    return concatenate(tensors, 0 if tensors[0].ndim == 1 else 1)


def vstack(tup: Any) -> Tensor:
    """Arrays below each other, vectors as rows; a Tensor stays itself.

    Examples:
        >>> import mindspore.numpy as np
        >>> print(np.vstack(([1, 2], [3, 4])))
        [[1 2]
         [3 4]]
    """
    if isinstance(tup, Tensor):
        return tup
    return concatenate([atleast_2d(tensor) for tensor in as_tensors(tup, "vstack", "tup")], 0)


def dstack(tup: Any) -> Tensor:
    """Arrays behind each other along the third axis; a Tensor stays itself.

    Examples:
        >>> import mindspore.numpy as np
        >>> print(np.dstack(([1, 2], [3, 4])))
        [[[1 3]
          [2 4]]]
    """
    if isinstance(tup, Tensor):
        return tup
    return concatenate([atleast_3d(tensor) for tensor in as_tensors(tup, "dstack", "tup")], 2)


def column_stack(tup: Any) -> Tensor:
    """Arrays side by side, vectors as columns; a Tensor stays itself.

    Examples:
        >>> import mindspore.numpy as np
        >>> print(np.column_stack(([1, 2], [3, 4])))
        [[1 3]
         [2 4]]
    """
    if isinstance(tup, Tensor):
        return tup
    tensors = [atleast_1d(tensor) for tensor in as_tensors(tup, "column_stack", "tup")]
    return concatenate([ops.expand_dims(tensor, 1) if tensor.ndim == 1 else tensor for tensor in tensors], 1)


# -- cutting ----------------------------------------------------------------------------------------------------------
def split(x: ArrayLike, indices_or_sections: Any, axis: int = 0) -> Sequence[Tensor]:
    """Parts of an array: a number of equal parts, or parts that end at given indices.

    Examples:
        >>> import mindspore.numpy as np
        >>> print(np.split(np.arange(6), 3)[1])
        [2 3]
    """
    return _cut(x, indices_or_sections, axis, "split", equal=True)


def array_split(x: ArrayLike, indices_or_sections: Any, axis: int = 0) -> Sequence[Tensor]:
    """Parts of an array; the first ones are longer when it does not divide.

    Examples:
        >>> import mindspore.numpy as np
        >>> print(np.array_split(np.arange(5), 2)[0])
        [0 1 2]
    """
    return _cut(x, indices_or_sections, axis, "array_split", equal=False)


def vsplit(x: ArrayLike, indices_or_sections: Any) -> Sequence[Tensor]:
    """Parts along the first axis, see :func:`split`.

    Examples:
        >>> import mindspore.numpy as np
        >>> print(np.vsplit(np.ones((4, 2)), 2)[0].shape)
        (2, 2)
    """
    return _cut(x, indices_or_sections, 0, "vsplit", equal=True)


def hsplit(x: ArrayLike, indices_or_sections: Any) -> Sequence[Tensor]:
    """Parts along the second axis, of a vector along its only axis, see :func:`split`.

    Examples:
        >>> import mindspore.numpy as np
        >>> print(np.hsplit(np.ones((2, 6)), 3)[0].shape)
        (2, 2)
    """
    tensor = as_tensor(x, "hsplit")
    return _cut(tensor, indices_or_sections, 0 if tensor.ndim == 1 else 1, "hsplit", equal=True)


def dsplit(x: ArrayLike, indices_or_sections: Any) -> Sequence[Tensor]:
    """Parts along the third axis, see :func:`split`.

    Examples:
        >>> import mindspore.numpy as np
        >>> print(np.dsplit(np.ones((2, 2, 4)), 2)[0].shape)
        (2, 2, 2)
    """
    return _cut(x, indices_or_sections, 2, "dsplit", equal=True)


def chunk(input: ArrayLike, chunks: int, axis: int = 0) -> tuple[Tensor, ...]:
    """At most ``chunks`` parts, all but the last of equal length.

    Examples:
        >>> import mindspore.numpy as np
        >>> print(np.chunk(np.arange(5), 2)[0])
        [0 1 2]
    """
    return ops.chunk(as_tensor(input, "chunk", "input"), chunks, axis)


def _cut(x: ArrayLike, indices_or_sections: Any, axis: int, owner: str, equal: bool) -> Sequence[Tensor]:
    tensor = as_tensor(x, owner)
    axis = as_axis(axis, tensor.ndim, owner)
    length = tensor.shape[axis]
    if isinstance(indices_or_sections, bool) or not isinstance(indices_or_sections, (int, list, tuple)):
        raise refused(
            TypeError,
            f"For '{owner}', the 'indices_or_sections' must be an int, or a list or tuple of indices, but got "
            f"{shown(indices_or_sections)}.",
        )
    if isinstance(indices_or_sections, int):
        if indices_or_sections < 1 or (equal and length % indices_or_sections):
            raise refused(
                ValueError,
                f"For '{owner}', the 'indices_or_sections' must divide the length {length} of axis {axis}, but got "
                f"{indices_or_sections}.{' Use array_split for parts of different length.' if equal else ''}",
            )
        short, longer = divmod(length, indices_or_sections)
        lengths = [short + (number < longer) for number in range(indices_or_sections)]
        stops = [sum(lengths[: number + 1]) for number in range(len(lengths) - 1)]
    else:
        stops = [slice(stop).indices(length)[1] for stop in indices_or_sections]
    bounds = zip([0, *stops], [*stops, length], strict=True)
    head = (slice(None),) * axis
    parts = [tensor[(*head, slice(start, max(start, stop)))] for start, stop in bounds]
    return tuple(parts) if isinstance(indices_or_sections, int) else parts  # as MindSpore has it
