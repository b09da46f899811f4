"""Initializers of matrices and kernels with a structure: identity, Dirac, orthogonal and sparse."""

from __future__ import annotations

import math

import numpy as np

from mindspore._engine.tensor.initializer import Initializer, deviation, draw_seed, fill_normal, number, register
from mindspore._utils import philox


def _check_rank(name: str, arr: np.ndarray, allowed: tuple[int, ...]) -> None:
    if arr.ndim not in allowed:
        dims = " or ".join(map(str, allowed))
        raise ValueError(
            f"For '{name}', the initialized tensor must have {dims} dimensions, but got {arr.ndim} (shape {arr.shape})."
        )


@register()
class Identity(Initializer):
    """Ones on the diagonal of a matrix, zeros elsewhere. Also known as ``'identity'``.

    Examples:
        >>> from mindspore.common.initializer import initializer, Identity
        >>> print(initializer(Identity(), [2, 2]).init_data())
        [[1. 0.]
         [0. 1.]]
    """

    def _initialize(self, arr: np.ndarray) -> None:
        _check_rank("Identity", arr, (2,))
        arr[...] = np.eye(*arr.shape)


@register()
class Dirac(Initializer):
    """A convolution kernel that passes as many input channels through as it can. Also known as ``'dirac'``.

    Args:
        groups: the groups of the convolution; must divide the number of output channels.

    Examples:
        >>> from mindspore.common.initializer import initializer, Dirac
        >>> print(initializer(Dirac(), [2, 2, 1]).init_data().asnumpy()[:, :, 0])
        [[1. 0.]
         [0. 1.]]
    """

    def __init__(self, groups: int = 1):
        super().__init__(groups=groups)
        if not isinstance(groups, (int, np.integer)) or groups < 1:
            raise ValueError(f"For 'Dirac', the 'groups' must be a positive integer, but got {groups!r}.")
        self.groups = groups

    def _initialize(self, arr: np.ndarray) -> None:
        _check_rank("Dirac", arr, (3, 4, 5))
        if arr.shape[0] % self.groups:
            raise ValueError(
                f"For 'Dirac', the 'groups' must divide the first dimension of the initialized tensor, but got "
                f"groups={self.groups} and shape {arr.shape}."
            )
        per_group = arr.shape[0] // self.groups
        channels = np.arange(min(per_group, arr.shape[1]))
        centre = tuple(length // 2 for length in arr.shape[2:])
        arr[...] = 0
        for start in range(0, arr.shape[0], per_group):
            arr[(start + channels, channels, *centre)] = 1


@register()
class Orthogonal(Initializer):
    """A matrix with orthonormal rows or columns, times ``gain``. Also known as ``'orthogonal'``.

    Tensors of more than two dimensions count as matrices of ``shape[0]`` rows.

    Examples:
        >>> from mindspore.common.initializer import initializer, Orthogonal
        >>> q = initializer(Orthogonal(), [2, 3]).init_data().asnumpy()
        >>> abs((q @ q.T).round(4)).tolist()
        [[1.0, 0.0], [0.0, 1.0]]
    """

    def __init__(self, gain: float = 1.0):
        super().__init__(gain=gain)
        self.gain = number("Orthogonal", "gain", gain)

    def _initialize(self, arr: np.ndarray) -> None:
        if arr.ndim < 2:
            raise ValueError(
                f"For 'Orthogonal', the initialized tensor must have at least 2 dimensions, but got {arr.ndim}."
            )
        matrix = philox.normal(draw_seed(), arr.size, 0.0, 1.0).reshape(arr.shape[0], -1)
        is_wide = matrix.shape[0] < matrix.shape[1]
        q, r = np.linalg.qr(matrix.T if is_wide else matrix)
        # The signs of r make the factorisation, and so the distribution, unique.
        q = q * np.where(np.diag(r) < 0, np.float32(-1), np.float32(1))
        arr[...] = ((q.T if is_wide else q) * np.float32(self.gain)).reshape(arr.shape)


@register()
class Sparse(Initializer):
    """Normal values with deviation ``sigma``, where a ``sparsity`` fraction of each column is 0.

    Examples:
        >>> from mindspore.common.initializer import initializer, Sparse
        >>> weight = initializer(Sparse(sparsity=0.5), [4, 3]).init_data().asnumpy()
        >>> (weight == 0).sum(axis=0).tolist()
        [2, 2, 2]
    """

    def __init__(self, sparsity: float, sigma: float = 0.01):
        super().__init__(sparsity=sparsity, sigma=sigma)
        self.sparsity = number("Sparse", "sparsity", sparsity)
        if not 0 <= self.sparsity <= 1:
            raise ValueError(f"For 'Sparse', the 'sparsity' must be between 0 and 1, but got {sparsity}.")
        self.sigma = deviation("Sparse", sigma)

    def _initialize(self, arr: np.ndarray) -> None:
        _check_rank("Sparse", arr, (2,))
        rows, columns = arr.shape
        zeros = math.ceil(self.sparsity * rows)
        fill_normal(arr, 0.0, self.sigma)
        for column in range(columns):
            arr[np.random.permutation(rows)[:zeros], column] = 0
