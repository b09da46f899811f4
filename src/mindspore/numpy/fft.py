"""Fourier transforms.

Args of all of them:
    a: a Tensor, a number, or nested lists.
    n, s: the length along the axis, or along each of the axes, that of ``a`` unless given; more is filled up with zeros.
    axis, axes: along which; of the functions of several axes all, unless given.
    norm: where the transform is divided by its length: 'backward' (the inverse, the default), 'forward', or 'ortho'
        (both, by the square root).
"""

from __future__ import annotations

from typing import Any

import numpy as np

from mindspore import ops
from mindspore._engine.tensor.tensor import Tensor
from mindspore._utils.checks import check_int, check_one_of
from mindspore._utils.refusals import refused
from mindspore.numpy._inputs import ArrayLike, as_axes, as_axis, as_dtype, as_shape, as_tensor
from mindspore.numpy.dtypes import float32

__all__ = [
    "fft",
    "fft2",
    "fftfreq",
    "fftn",
    "fftshift",
    "hfft",
    "hfft2",
    "hfftn",
    "ifft",
    "ifft2",
    "ifftn",
    "ifftshift",
    "ihfft",
    "ihfft2",
    "ihfftn",
    "irfft",
    "irfft2",
    "irfftn",
    "rfft",
    "rfft2",
    "rfftfreq",
    "rfftn",
]

_OTHER_WAY = {"backward": "forward", "forward": "backward", "ortho": "ortho"}


def _transformed(x: Tensor, lengths: tuple, axes: tuple, norm: str, inverse: bool) -> Tensor:
    """The transform of complex numbers."""
    return (ops.ifftn if inverse else ops.fftn)(x, lengths, axes, norm)


def _to_half(x: Tensor, lengths: tuple, axes: tuple, norm: str, mirrored: bool) -> Tensor:
    """The transform of real numbers: half of the last axis; ``mirrored`` gives its complex conjugate."""
    result = ops.rfftn(ops.real(x) if x.is_complex() else x, lengths, axes, norm)
    return ops.conj(result) if mirrored else result


def _from_half(x: Tensor, lengths: tuple, axes: tuple, norm: str, mirrored: bool) -> Tensor:
    """Real numbers back from half of their transform; ``mirrored`` takes its complex conjugate."""
    return ops.irfftn(ops.conj(x) if mirrored and x.is_complex() else x, lengths, axes, norm)


def _normal(norm: str | None, owner: str) -> str:
    return check_one_of(owner, "norm", "backward" if norm is None else norm, tuple(_OTHER_WAY))


def _single(a: ArrayLike, n: int | None, axis: int, norm: str | None, owner: str) -> tuple[Tensor, tuple, tuple, str]:
    tensor = as_tensor(a, owner, "a")
    positive_axis = as_axis(axis, tensor.ndim, owner)
    length = tensor.shape[positive_axis] if n is None else check_int(owner, "n", n, 1)
    return tensor, (length,), (positive_axis,), _normal(norm, owner)


def _several(a: ArrayLike, s: Any, axes: Any, norm: str | None, owner: str) -> tuple[Tensor, tuple, tuple, str]:
    tensor = as_tensor(a, owner, "a")
    if axes is None and s is not None:
        axes = tuple(range(-len(as_shape(s, owner, "s")), 0))
    along = as_axes(axes, tensor.ndim, owner, "axes")
    lengths = tuple(tensor.shape[axis] for axis in along) if s is None else as_shape(s, owner, "s")
    if len(lengths) != len(along):
        raise refused(
            ValueError, f"For '{owner}', the 's' must have a length for each of {len(along)} axes, but got {s}."
        )
    return tensor, lengths, along, _normal(norm, owner)


def _doubled(given: Any, lengths: tuple) -> tuple:
    """The lengths of a real result: its last axis is twice as long as half of its transform."""
    return lengths if given is not None else (*lengths[:-1], 2 * (lengths[-1] - 1))


def fft(a: ArrayLike, n: int | None = None, axis: int = -1, norm: str | None = None) -> Tensor:
    """The transform along an axis.

    Examples:
        >>> import mindspore.numpy as np
        >>> print(np.fft.fft([1.0, 0.0, 0.0]).shape)
        (3,)
    """
    return _transformed(*_single(a, n, axis, norm, "fft"), False)


def fft2(a: ArrayLike, s: Any = None, axes: Any = (-2, -1), norm: str | None = None) -> Tensor:
    """The transform along two axes.

    Examples:
        >>> import mindspore.numpy as np
        >>> print(np.fft.fft2(np.ones((2, 3))).shape)
        (2, 3)
    """
    return _transformed(*_several(a, s, axes, norm, "fft2"), False)


def fftn(a: ArrayLike, s: Any = None, axes: Any = None, norm: str | None = None) -> Tensor:
    """The transform along several axes.

    Examples:
        >>> import mindspore.numpy as np
        >>> print(np.fft.fftn(np.ones((2, 3))).shape)
        (2, 3)
    """
    return _transformed(*_several(a, s, axes, norm, "fftn"), False)


def ifft(a: ArrayLike, n: int | None = None, axis: int = -1, norm: str | None = None) -> Tensor:
    """The inverse of the transform along an axis.

    Examples:
        >>> import mindspore.numpy as np
        >>> print(np.fft.ifft([1.0, 0.0, 0.0]).shape)
        (3,)
    """
    return _transformed(*_single(a, n, axis, norm, "ifft"), True)


def ifft2(a: ArrayLike, s: Any = None, axes: Any = (-2, -1), norm: str | None = None) -> Tensor:
    """The inverse of the transform along two axes.

    Examples:
        >>> import mindspore.numpy as np
        >>> print(np.fft.ifft2(np.ones((2, 3))).shape)
        (2, 3)
    """
    return _transformed(*_several(a, s, axes, norm, "ifft2"), True)


def ifftn(a: ArrayLike, s: Any = None, axes: Any = None, norm: str | None = None) -> Tensor:
    """The inverse of the transform along several axes.

    Examples:
        >>> import mindspore.numpy as np
        >>> print(np.fft.ifftn(np.ones((2, 3))).shape)
        (2, 3)
    """
    return _transformed(*_several(a, s, axes, norm, "ifftn"), True)


def rfft(a: ArrayLike, n: int | None = None, axis: int = -1, norm: str | None = None) -> Tensor:
    """The transform of real numbers along an axis: half of it.

    Examples:
        >>> import mindspore.numpy as np
        >>> print(np.fft.rfft([1.0, 2.0, 3.0, 4.0]).shape)
        (3,)
    """
    return _to_half(*_single(a, n, axis, norm, "rfft"), False)


def irfft(a: ArrayLike, n: int | None = None, axis: int = -1, norm: str | None = None) -> Tensor:
    """Real numbers back from half of their transform along an axis.

    Examples:
        >>> import mindspore.numpy as np
        >>> print(np.fft.irfft([1.0, 2.0, 3.0, 4.0]).shape)
        (6,)
    """
    tensor, lengths, along, way = _single(a, n, axis, norm, "irfft")
    return _from_half(tensor, _doubled(n, lengths), along, way, False)


def hfft(a: ArrayLike, n: int | None = None, axis: int = -1, norm: str | None = None) -> Tensor:
    """The transform, along an axis, of half of an array that equals the conjugate of its mirror image.

    Examples:
        >>> import mindspore.numpy as np
        >>> print(np.fft.hfft([1.0, 2.0, 3.0, 4.0]).shape)
        (6,)
    """
    tensor, lengths, along, way = _single(a, n, axis, norm, "hfft")
    return _from_half(tensor, _doubled(n, lengths), along, _OTHER_WAY[way], True)


def ihfft(a: ArrayLike, n: int | None = None, axis: int = -1, norm: str | None = None) -> Tensor:
    """The inverse of :func:`hfft`: half of it.

    Examples:
        >>> import mindspore.numpy as np
        >>> print(np.fft.ihfft([1.0, 2.0, 3.0, 4.0]).shape)
        (3,)
    """
    tensor, lengths, along, way = _single(a, n, axis, norm, "ihfft")
    return _to_half(tensor, lengths, along, _OTHER_WAY[way], True)


def rfft2(a: ArrayLike, s: Any = None, axes: Any = (-2, -1), norm: str | None = None) -> Tensor:
    """The transform of real numbers along two axes: half of it.

    Examples:
        >>> import mindspore.numpy as np
        >>> print(np.fft.rfft2(np.ones((2, 4))).shape)
        (2, 3)
    """
    return _to_half(*_several(a, s, axes, norm, "rfft2"), False)


def irfft2(a: ArrayLike, s: Any = None, axes: Any = (-2, -1), norm: str | None = None) -> Tensor:
    """Real numbers back from half of their transform along two axes.

    Examples:
        >>> import mindspore.numpy as np
        >>> print(np.fft.irfft2(np.ones((2, 4))).shape)
        (2, 6)
    """
    tensor, lengths, along, way = _several(a, s, axes, norm, "irfft2")
    return _from_half(tensor, _doubled(s, lengths), along, way, False)


def hfft2(a: ArrayLike, s: Any = None, axes: Any = (-2, -1), norm: str | None = None) -> Tensor:
    """The transform, along two axes, of half of an array that equals the conjugate of its mirror image.

    Examples:
        >>> import mindspore.numpy as np
        >>> print(np.fft.hfft2(np.ones((2, 4))).shape)
        (2, 6)
    """
    tensor, lengths, along, way = _several(a, s, axes, norm, "hfft2")
    return _from_half(tensor, _doubled(s, lengths), along, _OTHER_WAY[way], True)


def ihfft2(a: ArrayLike, s: Any = None, axes: Any = (-2, -1), norm: str | None = None) -> Tensor:
    """The inverse of :func:`hfft2`: half of it.

    Examples:
        >>> import mindspore.numpy as np
        >>> print(np.fft.ihfft2(np.ones((2, 4))).shape)
        (2, 3)
    """
    tensor, lengths, along, way = _several(a, s, axes, norm, "ihfft2")
    return _to_half(tensor, lengths, along, _OTHER_WAY[way], True)


def rfftn(a: ArrayLike, s: Any = None, axes: Any = None, norm: str | None = None) -> Tensor:
    """The transform of real numbers along several axes: half of it.

    Examples:
        >>> import mindspore.numpy as np
        >>> print(np.fft.rfftn(np.ones((2, 4))).shape)
        (2, 3)
    """
    return _to_half(*_several(a, s, axes, norm, "rfftn"), False)


def irfftn(a: ArrayLike, s: Any = None, axes: Any = None, norm: str | None = None) -> Tensor:
    """Real numbers back from half of their transform along several axes.

    Examples:
        >>> import mindspore.numpy as np
        >>> print(np.fft.irfftn(np.ones((2, 4))).shape)
        (2, 6)
    """
    tensor, lengths, along, way = _several(a, s, axes, norm, "irfftn")
    return _from_half(tensor, _doubled(s, lengths), along, way, False)


def hfftn(a: ArrayLike, s: Any = None, axes: Any = None, norm: str | None = None) -> Tensor:
    """The transform, along several axes, of half of an array that equals the conjugate of its mirror image.

    Examples:
        >>> import mindspore.numpy as np
        >>> print(np.fft.hfftn(np.ones((2, 4))).shape)
        (2, 6)
    """
    tensor, lengths, along, way = _several(a, s, axes, norm, "hfftn")
    return _from_half(tensor, _doubled(s, lengths), along, _OTHER_WAY[way], True)


def ihfftn(a: ArrayLike, s: Any = None, axes: Any = None, norm: str | None = None) -> Tensor:
    """The inverse of :func:`hfftn`: half of it.

    Examples:
        >>> import mindspore.numpy as np
        >>> print(np.fft.ihfftn(np.ones((2, 4))).shape)
        (2, 3)
    """
    tensor, lengths, along, way = _several(a, s, axes, norm, "ihfftn")
    return _to_half(tensor, lengths, along, _OTHER_WAY[way], True)


def fftshift(x: ArrayLike, axes: Any = None) -> Tensor:
    """The axes rolled so that frequency 0 stands in the middle.

    Examples:
        >>> import mindspore.numpy as np
        >>> print(np.fft.fftshift([0, 1, 2, -2, -1]))
        [-2 -1  0  1  2]
    """
    tensor = as_tensor(x, "fftshift")
    along = as_axes(axes, tensor.ndim, "fftshift", "axes")
    return ops.roll(tensor, tuple(tensor.shape[axis] // 2 for axis in along), along)


def ifftshift(x: ArrayLike, axes: Any = None) -> Tensor:
    """The inverse of :func:`fftshift`.

    Examples:
        >>> import mindspore.numpy as np
        >>> print(np.fft.ifftshift([-2, -1, 0, 1, 2]))
        [ 0  1  2 -2 -1]
    """
    tensor = as_tensor(x, "ifftshift")
    along = as_axes(axes, tensor.ndim, "ifftshift", "axes")
    return ops.roll(tensor, tuple(-(tensor.shape[axis] // 2) for axis in along), along)


def fftfreq(n: int, d: float = 1.0, dtype: Any = None) -> Tensor:
    """The frequencies of a transform of length ``n``; ``d`` is the distance of samples.

    Examples:
        >>> import mindspore.numpy as np
        >>> print(np.fft.fftfreq(5))
        [ 0.   0.2  0.4 -0.4 -0.2]
    """
    return _frequencies(np.fft.fftfreq, n, d, dtype, "fftfreq")


def rfftfreq(n: int, d: float = 1.0, dtype: Any = None) -> Tensor:
    """The frequencies of half a transform of length ``n``.

    Examples:
        >>> import mindspore.numpy as np
        >>> print(np.fft.rfftfreq(4))
        [0.   0.25 0.5 ]
    """
    return _frequencies(np.fft.rfftfreq, n, d, dtype, "rfftfreq")


def _frequencies(rule: Any, n: int, d: float, dtype: Any, owner: str) -> Tensor:
    return Tensor(rule(check_int(owner, "n", n, 1), d).astype(np.float32)).astype(as_dtype(dtype, owner) or float32)
