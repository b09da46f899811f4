"""Fourier transforms behind :mod:`mindspore.numpy.fft`: along several axes one after the other."""

from __future__ import annotations

from typing import Any

import jax.numpy as jnp
import numpy as np

from mindspore._engine.arguments import Array
from mindspore._engine.registry import op
from mindspore._ops.promotion import as_float


def _prepared(x: Any) -> Any:
    """Single precision at least, as transforms need it."""
    x = as_float(x) if not jnp.iscomplexobj(x) else x
    return x.astype(jnp.float32) if x.dtype.itemsize < 4 else x


@op(
    public=False,
    test=lambda t: [
        t.case(t.normal(4, 3), (4, 5), (0, 1), "ortho", False, grad=False,
               expect=lambda x, s, axes, norm, inverse: np.fft.fftn(x, s, axes, norm)),
        t.case(t.normal(2, 4), (4,), (1,), "forward", True, grad=False,
               expect=lambda x, s, axes, norm, inverse: np.fft.ifftn(x, s, axes, norm)),
    ],
)  # fmt: skip
def numpy_fft(x: Array, lengths: Any, axes: Any, norm: str, inverse: bool):
    """The transform of complex numbers."""
    result = _prepared(x)
    transform = jnp.fft.ifft if inverse else jnp.fft.fft
    for length, axis in zip(lengths, axes, strict=True):
        result = transform(result, length, axis, norm)
    return result


@op(
    public=False,
    test=lambda t: [
        t.case(t.normal(4, 3), (4, 5), (0, 1), "backward", False, grad=False,
               expect=lambda x, s, axes, norm, mirrored: np.fft.rfftn(x, s, axes, norm)),
        t.case(t.normal(5), (5,), (0,), "forward", True, grad=False,
               expect=lambda x, s, axes, norm, mirrored: np.fft.ihfft(x)),
    ],
)  # fmt: skip
def numpy_rfft(x: Array, lengths: Any, axes: Any, norm: str, mirrored: bool):
    """The transform of real numbers: half of the last axis; ``mirrored`` gives its complex conjugate."""
    result = jnp.fft.rfft(jnp.real(_prepared(x)), lengths[-1], axes[-1], norm)
    for length, axis in zip(lengths[:-1], axes[:-1], strict=True):
        result = jnp.fft.fft(result, length, axis, norm)
    return jnp.conj(result) if mirrored else result


@op(
    public=False,
    test=lambda t: [
        t.case(t.normal(4, 3), (4, 5), (0, 1), "backward", False,
               expect=lambda x, s, axes, norm, mirrored: np.fft.irfftn(x, s, axes, norm)),
        t.case(t.normal(4), (6,), (0,), "ortho", True,
               expect=lambda x, s, axes, norm, mirrored: np.fft.irfftn(np.conj(x), s, axes, norm)),
    ],
)  # fmt: skip
def numpy_irfft(x: Array, lengths: Any, axes: Any, norm: str, mirrored: bool):
    """Real numbers back from half of their transform; ``mirrored`` takes its complex conjugate."""
    result = jnp.conj(_prepared(x)) if mirrored else _prepared(x)
    for length, axis in zip(lengths[:-1], axes[:-1], strict=True):
        result = jnp.fft.ifft(result, length, axis, norm)
    return jnp.fft.irfft(result, lengths[-1], axes[-1], norm)
