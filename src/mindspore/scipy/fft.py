"""Cosine transforms: type II, orthonormal."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from mindspore._ops.linalg.scipy_fft import scipy_dct, scipy_idct
from mindspore._utils.checks import check_int, check_one_of, check_positive_int, check_type
from mindspore._utils.documented import claim as _claim
from mindspore.common.tensor import Tensor
from mindspore.scipy.utils_const import check_tensor

__all__ = ["dct", "dctn", "idct", "idctn"]

_None = type(None)


def _several(owner: str, function: Callable[..., Tensor], x: Any, type: int, s: Any, axes: Any, norm: Any) -> Tensor:
    """The transform along several axes; without axes the last ones, as many as there are lengths."""
    check_tensor(owner, "x", x)
    check_one_of(owner, "type", type, (2,))
    check_one_of(owner, "norm", norm, ("ortho", None))
    for name, value in (("s", s), ("axes", axes)):
        check_type(owner, name, value, (tuple, list, _None))
    if axes is None:
        axes = range(-len(s) if s is not None else -x.ndim, 0)
    axes = tuple(check_int(owner, "axes", axis, -x.ndim, x.ndim - 1) % x.ndim for axis in axes)
    if len(set(axes)) != len(axes):
        raise ValueError(f"For '{owner}', the 'axes' must be different, but got {axes}.")
    lengths = tuple(s) if s is not None else tuple(x.shape[axis] for axis in axes)
    if len(lengths) != len(axes):
        raise ValueError(f"For '{owner}', the 's' and 'axes' must have the same length, but got {lengths} and {axes}.")
    return function(x, tuple(check_positive_int(owner, "s", length) for length in lengths), axes)


def _along_axis(owner: str, function: Callable[..., Tensor], x: Any, type: int, n: Any, axis: Any, norm: Any) -> Tensor:
    check_tensor(owner, "x", x)
    check_int(owner, "axis", axis, -x.ndim, x.ndim - 1)
    lengths = None if n is None else (check_positive_int(owner, "n", n),)
    return _several(owner, function, x, type, lengths, (axis,), norm)


def dct(x: Tensor, type: int = 2, n: int | None = None, axis: int = -1, norm: str | None = None) -> Tensor:
    """The discrete cosine transform along an axis.

    Args:
        x: of any number type but bool and small integers; float32 or wider comes out.
        type: 2, the only supported type.
        n: the length; a longer axis is cut, a shorter axis padded with zeros.
        axis: along which.
        norm: 'ortho', which is also meant by None.

    Examples:
        >>> from mindspore import Tensor
        >>> from mindspore.scipy.fft import dct
        >>> print(dct(Tensor([1.0, 1.0, 1.0, 1.0])))
        [2. 0. 0. 0.]
    """
    return _along_axis("dct", scipy_dct, x, type, n, axis, norm)


def idct(x: Tensor, type: int = 2, n: int | None = None, axis: int = -1, norm: str | None = None) -> Tensor:
    """The inverse of :func:`dct`.

    Examples:
        >>> from mindspore import Tensor
        >>> from mindspore.scipy.fft import dct, idct
        >>> print(idct(dct(Tensor([1.0, 2.0]))).round())
        [1. 2.]
    """
    return _along_axis("idct", scipy_idct, x, type, n, axis, norm)


def dctn(x: Tensor, type: int = 2, s: Sequence[int] | None = None, axes: Sequence[int] | None = None,
         norm: str | None = None) -> Tensor:  # fmt: skip
    """The discrete cosine transform along several axes, all of them unless given.

    Examples:
        >>> from mindspore import ops
        >>> from mindspore.scipy.fft import dctn
        >>> print(dctn(ops.ones((2, 2))).round())
        [[2. 0.]
         [0. 0.]]
    """
    return _several("dctn", scipy_dct, x, type, s, axes, norm)


def idctn(x: Tensor, type: int = 2, s: Sequence[int] | None = None, axes: Sequence[int] | None = None,
          norm: str | None = None) -> Tensor:  # fmt: skip
    """The inverse of :func:`dctn`.

    Examples:
        >>> from mindspore import Tensor
        >>> from mindspore.scipy.fft import dctn, idctn
        >>> print(idctn(dctn(Tensor([[1.0, 2.0]]))).round())
        [[1. 2.]]
    """
    return _several("idctn", scipy_idct, x, type, s, axes, norm)


_claim(__name__)
