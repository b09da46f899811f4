"""Triangles and diagonals, index arrays, grids, windows."""

from __future__ import annotations

from typing import Any

import numpy as np

from mindspore import ops
from mindspore._engine.tensor.tensor import Tensor
from mindspore._utils.checks import check_bool, check_int, shown
from mindspore._utils.refusals import refused
from mindspore.numpy._creation import arange, linspace, ones
from mindspore.numpy._inputs import ArrayLike, as_axis, as_shape, as_tensor, cast, same_dtype
from mindspore.numpy.dtypes import float32, int32


# -- triangles and diagonals ------------------------------------------------------------------------------------------
def tri(N: int, M: int | None = None, k: int = 0, dtype: Any = float32) -> Tensor:
    """Ones on and below the ``k``-th diagonal.

    Examples:
        >>> import mindspore.numpy as np
        >>> print(np.tri(3, 3, -1))
        [[0. 0. 0.]
         [1. 0. 0.]
         [1. 1. 0.]]
    """
    rows = check_int("tri", "N", N, 0)
    return tril(ones((rows, rows if M is None else check_int("tri", "M", M, 0)), dtype), k)


def _as_matrix(tensor: Tensor) -> Tensor:
    """A vector as the square matrix whose rows it is."""
    return ops.tile(tensor, (tensor.size, 1)) if tensor.ndim == 1 else tensor


def tril(m: ArrayLike, k: int = 0) -> Tensor:
    """The elements on and below the ``k``-th diagonal, zeros above.

    Examples:
        >>> import mindspore.numpy as np
        >>> print(np.tril(np.ones((3, 3))))
        [[1. 0. 0.]
         [1. 1. 0.]
         [1. 1. 1.]]
    """
    return ops.tril(_as_matrix(as_tensor(m, "tril", "m")), k)


def triu(m: ArrayLike, k: int = 0) -> Tensor:
    """The elements on and above the ``k``-th diagonal, zeros below.

    Examples:
        >>> import mindspore.numpy as np
        >>> print(np.triu(np.ones((3, 3))))
        [[1. 1. 1.]
         [0. 1. 1.]
         [0. 0. 1.]]
    """
    return ops.triu(_as_matrix(as_tensor(m, "triu", "m")), k)


def diag(v: ArrayLike, k: int = 0) -> Tensor:
    """The ``k``-th diagonal of a matrix, or a matrix with a vector on it.

    Examples:
        >>> import mindspore.numpy as np
        >>> print(np.diag([1, 2]))
        [[1 0]
         [0 2]]
    """
    tensor = as_tensor(v, "diag", "v")
    if tensor.ndim == 1:
        return ops.diagflat(tensor, k)
    if tensor.ndim == 2:
        return ops.diagonal(tensor, k, 0, 1)
    raise refused(ValueError, f"For 'diag', the 'v' must have 1 or 2 dimensions, but got shape {tensor.shape}.")


def diagflat(v: ArrayLike, k: int = 0) -> Tensor:
    """A matrix with all elements on the ``k``-th diagonal.

    Examples:
        >>> import mindspore.numpy as np
        >>> print(np.diagflat([[1, 2]], 1))
        [[0 1 0]
         [0 0 2]
         [0 0 0]]
    """
    return ops.diagflat(ops.reshape(as_tensor(v, "diagflat", "v"), (-1,)), k)


def diagonal(a: ArrayLike, offset: int = 0, axis1: int = 0, axis2: int = 1) -> Tensor:
    """The diagonal of the planes of two axes, as the last axis.

    Examples:
        >>> import mindspore.numpy as np
        >>> print(np.diagonal([[0, 1], [2, 3]]))
        [0 3]
    """
    tensor = as_tensor(a, "diagonal", "a")
    first, second = _plane(tensor, axis1, axis2, "diagonal")
    return ops.diagonal(tensor, offset, first, second)


def trace(a: ArrayLike, offset: int = 0, axis1: int = 0, axis2: int = 1, dtype: Any = None) -> Tensor:
    """The sum of the diagonal, of integers in int64.

    Examples:
        >>> import mindspore.numpy as np
        >>> print(np.trace([[0, 1], [2, 3]]))
        3
    """
    tensor = as_tensor(a, "trace", "a")
    first, second = _plane(tensor, axis1, axis2, "trace")
    return cast(ops.sum(ops.diagonal(tensor, offset, first, second), -1), dtype, "trace")


def _plane(tensor: Tensor, axis1: int, axis2: int, owner: str) -> tuple[int, int]:
    if tensor.ndim < 2:
        raise refused(
            ValueError, f"For '{owner}', the 'a' must have at least 2 dimensions, but got shape {tensor.shape}."
        )
    first, second = as_axis(axis1, tensor.ndim, owner, "axis1"), as_axis(axis2, tensor.ndim, owner, "axis2")
    if first == second:
        raise refused(ValueError, f"For '{owner}', the 'axis1' and 'axis2' must differ, but both are {axis1}.")
    return first, second


# -- indices ----------------------------------------------------------------------------------------------------------
def _as_indices(found: Any) -> tuple[Tensor, ...]:
    return tuple(Tensor(indices.astype(np.int32)) for indices in found)


def _lengths(owner: str, n: int, k: int, m: int | None) -> tuple[int, int, int | None]:
    return check_int(owner, "n", n, 0), check_int(owner, "k", k), None if m is None else check_int(owner, "m", m, 0)


def tril_indices(n: int, k: int = 0, m: int | None = None) -> tuple[Tensor, ...]:
    """The rows and columns of the lower triangle of an n × m matrix.

    Examples:
        >>> import mindspore.numpy as np
        >>> print(np.tril_indices(2))
        (Tensor(shape=[3], dtype=Int32, value= [0, 1, 1]), Tensor(shape=[3], dtype=Int32, value= [0, 0, 1]))
    """
    return _as_indices(np.tril_indices(*_lengths("tril_indices", n, k, m)))


def triu_indices(n: int, k: int = 0, m: int | None = None) -> tuple[Tensor, ...]:
    """The rows and columns of the upper triangle of an n × m matrix.

    Examples:
        >>> import mindspore.numpy as np
        >>> print(np.triu_indices(2))
        (Tensor(shape=[3], dtype=Int32, value= [0, 0, 1]), Tensor(shape=[3], dtype=Int32, value= [0, 1, 1]))
    """
    return _as_indices(np.triu_indices(*_lengths("triu_indices", n, k, m)))


def tril_indices_from(arr: ArrayLike, k: int = 0) -> tuple[Tensor, ...]:
    """The rows and columns of the lower triangle of a matrix.

    Examples:
        >>> import mindspore.numpy as np
        >>> print(np.tril_indices_from(np.ones((2, 2))))
        (Tensor(shape=[3], dtype=Int32, value= [0, 1, 1]), Tensor(shape=[3], dtype=Int32, value= [0, 0, 1]))
    """
    return tril_indices(*_matrix_lengths(arr, k, "tril_indices_from"))


def triu_indices_from(arr: ArrayLike, k: int = 0) -> tuple[Tensor, ...]:
    """The rows and columns of the upper triangle of a matrix.

    Examples:
        >>> import mindspore.numpy as np
        >>> print(np.triu_indices_from(np.ones((2, 2))))
        (Tensor(shape=[3], dtype=Int32, value= [0, 0, 1]), Tensor(shape=[3], dtype=Int32, value= [0, 1, 1]))
    """
    return triu_indices(*_matrix_lengths(arr, k, "triu_indices_from"))


def _matrix_lengths(arr: ArrayLike, k: int, owner: str) -> tuple[int, int, int]:
    tensor = as_tensor(arr, owner, "arr")
    if tensor.ndim != 2:
        raise refused(ValueError, f"For '{owner}', the 'arr' must have 2 dimensions, but got shape {tensor.shape}.")
    return tensor.shape[0], k, tensor.shape[1]


def diag_indices(n: int, ndim: int = 2) -> tuple[Tensor, ...]:
    """The indices of the diagonal of an array with ``ndim`` axes of length ``n``.

    Examples:
        >>> import mindspore.numpy as np
        >>> print(np.diag_indices(3))
        (Tensor(shape=[3], dtype=Int32, value= [0, 1, 2]), Tensor(shape=[3], dtype=Int32, value= [0, 1, 2]))
    """
    return _as_indices(
        np.diag_indices(check_int("diag_indices", "n", n, 0), check_int("diag_indices", "ndim", ndim, 1))
    )


def indices(dimensions: Any, dtype: Any = int32, sparse: bool = False) -> list[Tensor]:
    """The index of each element along each axis.

    Examples:
        >>> import mindspore.numpy as np
        >>> print(np.indices((2, 2))[0])
        [[0 0]
         [1 1]]
    """
    check_bool("indices", "sparse", sparse)
    axes = [arange(n, dtype=dtype) for n in as_shape(dimensions, "indices", "dimensions")]
    return meshgrid(*axes, sparse=sparse, indexing="ij")


def ix_(*args: ArrayLike) -> tuple[Tensor, ...]:
    """Vectors turned so that they index all combinations.

    Examples:
        >>> import mindspore.numpy as np
        >>> print(np.ix_([0, 1], [2, 4])[0])
        [[0]
         [1]]
    """
    vectors = [as_tensor(item, "ix_", "args") for item in args]
    if any(vector.ndim != 1 for vector in vectors):
        raise refused(
            ValueError, f"For 'ix_', the 'args' must have 1 dimension each, but got {[one.shape for one in vectors]}."
        )
    return tuple(meshgrid(*vectors, sparse=True, indexing="ij"))


# -- grids ------------------------------------------------------------------------------------------------------------
def meshgrid(*xi: ArrayLike, sparse: bool = False, indexing: str = "xy") -> list[Tensor]:
    """The coordinates of every point of a grid.

    Args:
        sparse: keep lengths of 1 where a coordinate does not change.
        indexing: 'xy' has the first coordinate along the columns, 'ij' along the rows.

    Examples:
        >>> import mindspore.numpy as np
        >>> print(np.meshgrid(np.arange(2), np.arange(2))[0])
        [[0 1]
         [0 1]]
    """
    check_bool("meshgrid", "sparse", sparse)
    if indexing not in ("xy", "ij"):
        raise refused(TypeError, f"For 'meshgrid', the 'indexing' must be 'xy' or 'ij', but got {shown(indexing)}.")
    vectors = [ops.reshape(as_tensor(item, "meshgrid", "xi"), (-1,)) for item in xi]
    order = list(range(len(vectors)))
    if indexing == "xy" and len(vectors) > 1:
        order[:2] = [1, 0]
    lengths = [vectors[number].size for number in order]
    grid = [
        ops.reshape(vector, [-1 if number == axis else 1 for number in order]) for axis, vector in enumerate(vectors)
    ]
    return grid if sparse else [ops.broadcast_to(tensor, lengths) for tensor in grid]


class _Grid:
    """Coordinates from slices; an imaginary step counts the points, the end included."""

    def __init__(self, sparse: bool):
        self.sparse = sparse

    def __getitem__(self, index: Any) -> Any:
        if isinstance(index, slice):
            return _axis(index)
        grid = meshgrid(*[_axis(limits) for limits in index], sparse=self.sparse, indexing="ij")
        return grid if self.sparse else ops.stack(same_dtype(grid))


def _axis(limits: slice) -> Tensor:
    start = 0 if limits.start is None else limits.start
    if isinstance(limits.step, complex):
        return linspace(start, limits.stop, int(abs(limits.step)))
    return arange(start, limits.stop, limits.step)


mgrid = _Grid(sparse=False)
ogrid = _Grid(sparse=True)


# -- windows ----------------------------------------------------------------------------------------------------------
def _window(M: int, shape: Any, owner: str) -> Tensor:
    if isinstance(M, bool) or not isinstance(M, int):
        raise refused(TypeError, f"For '{owner}', the 'M' must be an int, but got {shown(M)}.")
    return Tensor(shape(M).astype(np.float32))


def bartlett(M: int) -> Tensor:
    """The triangular window.

    Examples:
        >>> import mindspore.numpy as np
        >>> print(np.bartlett(5))
        [0.  0.5 1.  0.5 0. ]
    """
    return _window(M, np.bartlett, "bartlett")


def blackman(M: int) -> Tensor:
    """The Blackman window.

    Examples:
        >>> import mindspore.numpy as np
        >>> print(np.blackman(5).shape)
        (5,)
    """
    return _window(M, np.blackman, "blackman")


def hamming(M: int) -> Tensor:
    """The Hamming window.

    Examples:
        >>> import mindspore.numpy as np
        >>> print(np.hamming(3))
        [0.08 1.   0.08]
    """
    return _window(M, np.hamming, "hamming")


def hanning(M: int) -> Tensor:
    """The Hann window.

    Examples:
        >>> import mindspore.numpy as np
        >>> print(np.hanning(5))
        [0.  0.5 1.  0.5 0. ]
    """
    return _window(M, np.hanning, "hanning")


def vander(x: ArrayLike, N: int | None = None, increasing: bool = False) -> Tensor:
    """The powers of each element in a row, the highest first.

    Examples:
        >>> import mindspore.numpy as np
        >>> print(np.vander([1, 2, 3]))
        [[1 1 1]
         [4 2 1]
         [9 3 1]]
    """
    tensor = as_tensor(x, "vander")
    if tensor.ndim != 1:
        raise refused(ValueError, f"For 'vander', the 'x' must have 1 dimension, but got shape {tensor.shape}.")
    count = tensor.size if N is None else check_int("vander", "N", N, 0)
    powers = range(count) if check_bool("vander", "increasing", increasing) else range(count - 1, -1, -1)
    return ops.pow(ops.expand_dims(tensor, 1), as_tensor(list(powers), "vander").astype(tensor.dtype))
