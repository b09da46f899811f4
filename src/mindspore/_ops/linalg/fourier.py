"""Fourier transforms along one or several axes."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import jax.numpy as jnp
import numpy as np

from mindspore._engine.base import dtype as dtypes
from mindspore._engine.operator.arguments import Array, Axis, DType, Ints
from mindspore._engine.operator.registry import op
from mindspore._ops.declaring.promotion import as_float, normal_axes, normal_axis
from mindspore._ops.declaring.requirements import require, require_choice

_NORMS = (None, "backward", "forward", "ortho")
_OTHER_WAY = {None: "forward", "backward": "forward", "forward": "backward", "ortho": "ortho"}
_SAMPLE = np.array([[1 + 2j, -3 + 0.5j, 0.5j], [0 - 1j, 2 + 0j, 1 + 1j]], np.complex64)
Plan = list[tuple[int | None, int]]  # a length (None: as it is) and an axis


def prepared(x: Any) -> Any:
    """Single precision at least, as transforms need it."""
    x = x if jnp.iscomplexobj(x) else as_float(x)
    return x.astype(jnp.float32) if x.dtype.itemsize < 4 else x


def plan(x: Any, s: Any, dim: Any, norm: str | None) -> Plan:
    """The lengths and axes of a transform along several axes; ``dim`` None means all, or the last ``len(s)``."""
    require_choice("norm", norm, _NORMS)
    lengths = None if s is None else (s,) if isinstance(s, int) else tuple(s)
    whole = lengths is None or all(isinstance(n, (int, type(None))) for n in lengths)
    require(whole, f"the 's' must be an int or a tuple of ints, but got {s!r}.", TypeError)
    if dim is None:
        count = x.ndim if lengths is None else len(lengths)
        require(count <= x.ndim, f"the 's' must have at most {x.ndim} lengths, but got {s}.")
        axes = tuple(range(x.ndim - count, x.ndim))
    else:
        axes = normal_axes(dim, x.ndim, "dim")
    lengths = (None,) * len(axes) if lengths is None else lengths
    require(len(lengths) == len(axes), f"the 's' must have one length per axis of 'dim', but got {s} and {dim}.")
    require(all(n is None or n > 0 for n in lengths), f"the 's' must hold positive ints, but got {s}.")
    return list(zip(lengths, axes, strict=True))


def single(x: Any, n: int | None, dim: int, norm: str | None) -> Plan:
    """The same for a single axis."""
    require_choice("norm", norm, _NORMS)
    require(x.ndim > 0, "the 'input' must have at least 1 dimension, but got a scalar.")
    require(n is None or n > 0, f"the 'n' must be positive, but got {n}.")
    return [(n, normal_axis(dim, x.ndim, "dim"))]


def _along(transform: Callable[..., Any], x: Any, steps: Plan, norm: str | None) -> Any:
    for length, axis in steps:
        x = transform(x, length, axis, norm)
    return x


def complex_transform(x: Any, steps: Plan, norm: str | None, inverse: bool) -> Any:
    return _along(jnp.fft.ifft if inverse else jnp.fft.fft, prepared(x), steps, norm)


def _require_axis(x: Any, steps: Plan) -> None:
    require(steps, f"the 'input' must have at least 1 dimension to transform, but got shape {x.shape}.")


def to_half(x: Any, steps: Plan, norm: str | None) -> Any:
    """Real numbers to half of their spectrum: the last axis first."""
    require(not jnp.iscomplexobj(x), f"the 'input' must hold real numbers, but got dtype {x.dtype}.", TypeError)
    _require_axis(x, steps)
    require(all(x.shape[axis] for _, axis in steps), f"the 'input' must not be empty, but got shape {x.shape}.")
    return _along(jnp.fft.fft, jnp.fft.rfft(prepared(x), *steps[-1], norm), steps[:-1], norm)


def from_half(x: Any, steps: Plan, norm: str | None) -> Any:
    """Half of a spectrum to real numbers: the last axis last."""
    _require_axis(x, steps)
    return jnp.fft.irfft(_along(jnp.fft.ifft, prepared(x), steps[:-1], norm), *steps[-1], norm)


@op(test=lambda t: [t.case(t.normal(2, 5), expect=np.fft.fft), t.case(_SAMPLE, 4, 0, "ortho", expect=np.fft.fft)])
def fft(input: Array, n: int | None = None, dim: int = -1, norm: str | None = None):
    """The discrete Fourier transform along an axis.

    Args:
        n: the length to transform; the axis is cut or filled with zeros to it.
        norm: "backward" (None) leaves the sums as they are, "forward" divides by n, "ortho" by its square root.

    Examples:
        >>> from mindspore import Tensor, ops
        >>> print(ops.fft(Tensor([1.0, 2.0, 1.0, 2.0])))
        [ 6.+0.j  0.+0.j -2.+0.j  0.+0.j]
    """
    return complex_transform(input, single(input, n, dim, norm), norm, False)


@op(test=lambda t: [t.case(t.normal(2, 5), expect=np.fft.ifft), t.case(_SAMPLE, 2, 1, "forward", expect=np.fft.ifft)])
def ifft(input: Array, n: int | None = None, dim: int = -1, norm: str | None = None):
    """The inverse of :func:`fft`.

    Examples:
        >>> from mindspore import Tensor, ops
        >>> print(ops.ifft(Tensor([6.0, 0.0, -2.0, 0.0])))
        [1.+0.j 2.+0.j 1.+0.j 2.+0.j]
    """
    return complex_transform(input, single(input, n, dim, norm), norm, True)


@op(test=lambda t: [t.case(t.normal(3, 4), expect=np.fft.fft2)])
def fft2(input: Array, s: Ints | None = None, dim: Ints = (-2, -1), norm: str | None = None):
    """The discrete Fourier transform along two axes.

    Examples:
        >>> from mindspore import Tensor, ops
        >>> print(ops.fft2(Tensor([[1.0, 2.0], [3.0, 4.0]])))
        [[10.+0.j -2.+0.j]
         [-4.+0.j  0.+0.j]]
    """
    return complex_transform(input, plan(input, s, dim, norm), norm, False)


@op(test=lambda t: [t.case(t.normal(3, 4), (2, 5), expect=np.fft.ifft2)])
def ifft2(input: Array, s: Ints | None = None, dim: Ints = (-2, -1), norm: str | None = None):
    """The inverse of :func:`fft2`.

    Examples:
        >>> from mindspore import Tensor, ops
        >>> print(ops.ifft2(Tensor([[10.0, -2.0], [-4.0, 0.0]])))
        [[1.+0.j 2.+0.j]
         [3.+0.j 4.+0.j]]
    """
    return complex_transform(input, plan(input, s, dim, norm), norm, True)


@op(test=lambda t: [t.case(t.normal(2, 3, 4), expect=np.fft.fftn),
                    t.case(_SAMPLE, (3, 4), (1, 0), "ortho", expect=np.fft.fftn)])  # fmt: skip
def fftn(input: Array, s: Ints | None = None, dim: Ints | None = None, norm: str | None = None):
    """The discrete Fourier transform along several axes, by default along all.

    Examples:
        >>> from mindspore import Tensor, ops
        >>> print(ops.fftn(Tensor([[1.0, 2.0], [3.0, 4.0]])))
        [[10.+0.j -2.+0.j]
         [-4.+0.j  0.+0.j]]
    """
    return complex_transform(input, plan(input, s, dim, norm), norm, False)


@op(test=lambda t: [t.case(t.normal(2, 3, 4), None, (0, 2), expect=np.fft.ifftn)])
def ifftn(input: Array, s: Ints | None = None, dim: Ints | None = None, norm: str | None = None):
    """The inverse of :func:`fftn`.

    Examples:
        >>> from mindspore import Tensor, ops
        >>> print(ops.ifftn(Tensor([[10.0, -2.0], [-4.0, 0.0]])))
        [[1.+0.j 2.+0.j]
         [3.+0.j 4.+0.j]]
    """
    return complex_transform(input, plan(input, s, dim, norm), norm, True)


@op(
    test=lambda t: [
        t.case(t.normal(2, 5), expect=np.fft.rfft),
        t.case(t.normal(4, 2), 3, 0, "ortho", expect=np.fft.rfft),
    ]
)
def rfft(input: Array, n: int | None = None, dim: int = -1, norm: str | None = None):
    """The Fourier transform of real numbers: the ``n // 2 + 1`` terms that are not repeated by symmetry.

    Examples:
        >>> from mindspore import Tensor, ops
        >>> print(ops.rfft(Tensor([1.0, 2.0, 1.0, 2.0])))
        [ 6.+0.j  0.+0.j -2.+0.j]
    """
    return to_half(input, single(input, n, dim, norm), norm)


@op(test=lambda t: [t.case(t.normal(2, 5), expect=np.fft.irfft), t.case(_SAMPLE, 5, 1, "ortho", expect=np.fft.irfft)])
def irfft(input: Array, n: int | None = None, dim: int = -1, norm: str | None = None):
    """The inverse of :func:`rfft`; ``n`` is the length of the result, by default ``2 * (length - 1)``.

    Examples:
        >>> from mindspore import Tensor, ops
        >>> print(ops.irfft(Tensor([6.0, 0.0, -2.0])))
        [1. 2. 1. 2.]
    """
    return from_half(input, single(input, n, dim, norm), norm)


@op(test=lambda t: [t.case(t.normal(3, 4), expect=np.fft.rfft2)])
def rfft2(input: Array, s: Ints | None = None, dim: Ints = (-2, -1), norm: str | None = None):
    """The Fourier transform of real numbers along two axes, half of the terms of the last axis.

    Examples:
        >>> from mindspore import Tensor, ops
        >>> print(ops.rfft2(Tensor([[1.0, 2.0], [3.0, 4.0]])).shape)
        (2, 2)
    """
    return to_half(input, plan(input, s, dim, norm), norm)


@op(test=lambda t: [t.case(t.normal(3, 4), expect=np.fft.irfft2)])
def irfft2(input: Array, s: Ints | None = None, dim: Ints = (-2, -1), norm: str | None = None):
    """The inverse of :func:`rfft2`.

    Examples:
        >>> from mindspore import Tensor, ops
        >>> print(ops.irfft2(Tensor([[10.0, -2.0], [-4.0, 0.0]])))
        [[1. 2.]
         [3. 4.]]
    """
    return from_half(input, plan(input, s, dim, norm), norm)


@op(test=lambda t: [t.case(t.normal(2, 3, 4), expect=np.fft.rfftn),
                    t.case(t.normal(2, 3), (4, 3), (1, 0), "forward", expect=np.fft.rfftn)])  # fmt: skip
def rfftn(input: Array, s: Ints | None = None, dim: Ints | None = None, norm: str | None = None):
    """The Fourier transform of real numbers along several axes, half of the terms of the last axis.

    Examples:
        >>> from mindspore import ops
        >>> print(ops.rfftn(ops.ones((2, 4))).shape)
        (2, 3)
    """
    return to_half(input, plan(input, s, dim, norm), norm)


@op(test=lambda t: [t.case(t.normal(2, 3, 3), expect=np.fft.irfftn),
                    t.case(_SAMPLE, (2, 5), (0, 1), expect=np.fft.irfftn)])  # fmt: skip
def irfftn(input: Array, s: Ints | None = None, dim: Ints | None = None, norm: str | None = None):
    """The inverse of :func:`rfftn`.

    Examples:
        >>> from mindspore import ops
        >>> print(ops.irfftn(ops.ones((2, 3))).shape)
        (2, 4)
    """
    return from_half(input, plan(input, s, dim, norm), norm)


def _hermitian(x: Any, steps: Plan, norm: str | None) -> Any:
    return from_half(jnp.conj(prepared(x)), steps, _OTHER_WAY[norm])


def _to_hermitian(x: Any, steps: Plan, norm: str | None) -> Any:
    return jnp.conj(to_half(x, steps, _OTHER_WAY[norm]))


@op(test=lambda t: [t.case(t.normal(2, 5), expect=np.fft.hfft), t.case(_SAMPLE, 5, 1, "ortho", expect=np.fft.hfft)])
def hfft(input: Array, n: int | None = None, dim: int = -1, norm: str | None = None):
    """The Fourier transform of half of a Hermitian signal; its spectrum is real.

    Examples:
        >>> from mindspore import Tensor, ops
        >>> print(ops.hfft(Tensor([1.0, 2.0, 3.0])))
        [ 8. -2.  0. -2.]
    """
    return _hermitian(input, single(input, n, dim, norm), norm)


@op(test=lambda t: [t.case(t.normal(2, 5), expect=np.fft.ihfft)])
def ihfft(input: Array, n: int | None = None, dim: int = -1, norm: str | None = None):
    """The inverse of :func:`hfft`.

    Examples:
        >>> from mindspore import Tensor, ops
        >>> print(ops.ihfft(Tensor([8.0, -2.0, 0.0, -2.0])).shape)
        (3,)
    """
    return _to_hermitian(input, single(input, n, dim, norm), norm)


def _numpy_hermitian(x: np.ndarray) -> np.ndarray:
    return np.fft.irfftn(x.conj(), axes=(-2, -1), norm="forward")


@op(test=lambda t: [t.case(_SAMPLE, expect=_numpy_hermitian)])
def hfft2(input: Array, s: Ints | None = None, dim: Ints = (-2, -1), norm: str | None = None):
    """The Fourier transform of half of a Hermitian signal along two axes.

    Examples:
        >>> from mindspore import ops
        >>> print(ops.hfft2(ops.ones((2, 3))).shape)
        (2, 4)
    """
    return _hermitian(input, plan(input, s, dim, norm), norm)


@op(test=lambda t: [t.case(t.normal(3, 4), expect=lambda x: np.fft.rfftn(x, norm="forward").conj())])
def ihfft2(input: Array, s: Ints | None = None, dim: Ints = (-2, -1), norm: str | None = None):
    """The inverse of :func:`hfft2`.

    Examples:
        >>> from mindspore import ops
        >>> print(ops.ihfft2(ops.ones((2, 4))).shape)
        (2, 3)
    """
    return _to_hermitian(input, plan(input, s, dim, norm), norm)


@op(test=lambda t: [t.case(_SAMPLE, expect=_numpy_hermitian)])
def hfftn(input: Array, s: Ints | None = None, dim: Ints | None = None, norm: str | None = None):
    """The Fourier transform of half of a Hermitian signal along several axes.

    Examples:
        >>> from mindspore import ops
        >>> print(ops.hfftn(ops.ones((2, 3))).shape)
        (2, 4)
    """
    return _hermitian(input, plan(input, s, dim, norm), norm)


@op(test=lambda t: [t.case(t.normal(2, 3, 4), expect=lambda x: np.fft.rfftn(x, norm="forward").conj())])
def ihfftn(input: Array, s: Ints | None = None, dim: Ints | None = None, norm: str | None = None):
    """The inverse of :func:`hfftn`.

    Examples:
        >>> from mindspore import ops
        >>> print(ops.ihfftn(ops.ones((2, 4))).shape)
        (2, 3)
    """
    return _to_hermitian(input, plan(input, s, dim, norm), norm)


def _shifted(dim: Any, ndim: int) -> tuple[int, ...]:
    """The axes to roll: none of ``()``, and an axis named twice rolls twice, as in NumPy."""
    if dim is None:
        return tuple(range(ndim))
    return tuple(normal_axis(axis, ndim, "dim") for axis in ((dim,) if isinstance(dim, int) else dim))


@op(test=lambda t: [t.case(t.normal(5), expect=np.fft.fftshift), t.case(t.normal(2, 4), (1,), expect=np.fft.fftshift)])
def fftshift(input: Array, dim: Axis = None):
    """The spectrum with frequency 0 in the middle.

    Examples:
        >>> from mindspore import Tensor, ops
        >>> print(ops.fftshift(Tensor([0, 1, -2, -1])))
        [-2 -1  0  1]
    """
    return jnp.fft.fftshift(input, _shifted(dim, input.ndim))


@op(test=lambda t: [t.case(t.normal(5), expect=np.fft.ifftshift)])
def ifftshift(input: Array, dim: Axis = None):
    """The inverse of :func:`fftshift`.

    Examples:
        >>> from mindspore import Tensor, ops
        >>> print(ops.ifftshift(Tensor([-2, -1, 0, 1])))
        [ 0  1 -2 -1]
    """
    return jnp.fft.ifftshift(input, _shifted(dim, input.ndim))


@op(test=lambda t: [t.case(5, 0.5, expect=np.fft.fftfreq), t.case(4, expect=np.fft.fftfreq)])
def fftfreq(n: int, d: float = 1.0, dtype: DType | None = None):
    """The frequencies of the terms of :func:`fft`, for ``n`` samples at distance ``d``.

    Examples:
        >>> from mindspore import ops
        >>> print(ops.fftfreq(4))
        [ 0.    0.25 -0.5  -0.25]
    """
    return jnp.asarray(np.fft.fftfreq(n, d), (dtype or dtypes.float32).np_dtype)


@op(test=lambda t: [t.case(5, 0.5, expect=np.fft.rfftfreq)])
def rfftfreq(n: int, d: float = 1.0, dtype: DType | None = None):
    """The frequencies of the terms of :func:`rfft`, for ``n`` samples at distance ``d``.

    Examples:
        >>> from mindspore import ops
        >>> print(ops.rfftfreq(4, 0.5))
        [0.  0.5 1. ]
    """
    require(n > 0, f"the 'n' must be greater than 0, but got {n}.")
    return jnp.asarray(np.fft.rfftfreq(n, d), (dtype or dtypes.float32).np_dtype)
