"""Several arrays to one, and one to several."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from mindspore import ops
from mindspore._engine.tensor.tensor import Tensor
from mindspore._utils.checks import shown
from mindspore.numpy._inputs import ArrayLike, as_axis, as_tensor, as_tensors, same_dtype
from mindspore.numpy._moves import atleast_1d, atleast_2d, atleast_3d


# -- joining ----------------------------------------------------------------------------------------------------------
def concatenate(arrays: Any, axis: int | None = 0) -> Tensor:
    """Arrays one after the other along an axis they have; flat if it is None.

    Examples:
        >>> import mindspore.numpy as np
        >>> print(np.concatenate(([1, 2], [3])))
        [1 2 3]
    """
    tensors = same_dtype(as_tensors(arrays, "concatenate"))
    if axis is None:
        return ops.concat([ops.reshape(one, (-1,)) for one in tensors])
    if tensors[0].ndim == 0:
        raise ValueError("For 'concatenate', the 'arrays' must have at least 1 dimension, but got numbers. Use stack.")
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
    """Arrays of one shape side by side along a new axis.

    Examples:
        >>> import mindspore.numpy as np
        >>> print(np.stack(([1, 2], [3, 4]), 1))
        [[1 3]
         [2 4]]
    """
    tensors = same_dtype(as_tensors(arrays, "stack"))
    return ops.stack(tensors, as_axis(axis, tensors[0].ndim + 1, "stack"))


def hstack(tup: Any) -> Tensor:
    """Arrays one after the other along the second axis, vectors along their only one.

    Examples:
        >>> import mindspore.numpy as np
        >>> print(np.hstack(([1, 2], [3])))
        [1 2 3]
    """
    tensors = [atleast_1d(one) for one in as_tensors(tup, "hstack", "tup")]
    return concatenate(tensors, 0 if tensors[0].ndim == 1 else 1)


def vstack(tup: Any) -> Tensor:
    """Arrays below each other, vectors as rows.

    Examples:
        >>> import mindspore.numpy as np
        >>> print(np.vstack(([1, 2], [3, 4])))
        [[1 2]
         [3 4]]
    """
    return concatenate([atleast_2d(one) for one in as_tensors(tup, "vstack", "tup")], 0)


def dstack(tup: Any) -> Tensor:
    """Arrays behind each other along the third axis.

    Examples:
        >>> import mindspore.numpy as np
        >>> print(np.dstack(([1, 2], [3, 4])))
        [[[1 3]
          [2 4]]]
    """
    return concatenate([atleast_3d(one) for one in as_tensors(tup, "dstack", "tup")], 2)


def column_stack(tup: Any) -> Tensor:
    """Arrays side by side, vectors as columns.

    Examples:
        >>> import mindspore.numpy as np
        >>> print(np.column_stack(([1, 2], [3, 4])))
        [[1 3]
         [2 4]]
    """
    tensors = [atleast_1d(one) for one in as_tensors(tup, "column_stack", "tup")]
    return concatenate([ops.expand_dims(one, 1) if one.ndim == 1 else one for one in tensors], 1)


# -- cutting ----------------------------------------------------------------------------------------------------------
def split(x: ArrayLike, indices_or_sections: Any, axis: int = 0) -> Sequence[Tensor]:
    """Parts of an array: a number of equal ones, or cut at places.

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
    """Parts along the second axis, of a vector along its only one, see :func:`split`.

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
    """At most ``chunks`` parts, all but the last of one length.

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
        raise TypeError(
            f"For '{owner}', the 'indices_or_sections' must be an int, or a list or tuple of places, but got "
            f"{shown(indices_or_sections)}."
        )
    if isinstance(indices_or_sections, int):
        if indices_or_sections < 1 or (equal and length % indices_or_sections):
            raise ValueError(
                f"For '{owner}', the 'indices_or_sections' must divide the length {length} of axis {axis}, but got "
                f"{indices_or_sections}.{' Use array_split for parts of different length.' if equal else ''}"
            )
        short, longer = divmod(length, indices_or_sections)
        lengths = [short + (place < longer) for place in range(indices_or_sections)]
        places = [sum(lengths[: place + 1]) for place in range(len(lengths) - 1)]
    else:
        places = [slice(one).indices(length)[1] for one in indices_or_sections]
    bounds = zip([0, *places], [*places, length], strict=True)
    head = (slice(None),) * axis
    parts = [tensor[(*head, slice(start, max(start, stop)))] for start, stop in bounds]
    return tuple(parts) if isinstance(indices_or_sections, int) else parts  # as MindSpore has it
