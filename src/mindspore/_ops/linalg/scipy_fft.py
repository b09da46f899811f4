"""Operators behind :mod:`mindspore.scipy.fft`: cosine transforms of type II, orthonormal."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import jax.numpy as jnp
import jax.scipy.fft
import numpy as np
import scipy

from mindspore._engine.operator.arguments import Array
from mindspore._engine.operator.registry import op
from mindspore._ops.declaring.requirements import require

_ALLOWED = ("int16", "int32", "int64", "float16", "float32", "float64", "complex64", "complex128")


def _transform(x: Any, lengths: tuple, axes: tuple[int, ...], function: Callable[..., Any]) -> Any:
    """Separable over the axes; complex numbers part by part, for the transform is linear."""
    text = f"the 'x' must have one of the dtypes {list(_ALLOWED)}, but got {x.dtype}."
    require(str(x.dtype) in _ALLOWED, text, TypeError)
    if jnp.iscomplexobj(x):
        return jax.lax.complex(*(_transform(part, lengths, axes, function) for part in (x.real, x.imag)))
    x = x if x.dtype == jnp.float64 else x.astype(jnp.float32)
    for length, axis in zip(lengths, axes, strict=True):
        x = function(x, 2, length, axis, "ortho")
    return x


def _reference(function: Callable[..., Any]) -> Callable[..., Any]:
    return lambda x, lengths, axes: np.asarray(function(x, 2, lengths, axes, "ortho"))


@op(public=False,
    test=lambda t: [t.case(t.normal(2, 5), (5,), (1,), expect=_reference(scipy.fft.dctn)),
                    t.case(t.normal(2, 5), (3, 4), (0, 1), expect=_reference(scipy.fft.dctn))])  # fmt: skip
def scipy_dct(x: Array, lengths: tuple, axes: tuple):
    """The cosine transform along axes."""
    return _transform(x, lengths, axes, jax.scipy.fft.dct)


@op(public=False,
    test=lambda t: [t.case(t.normal(2, 5), (5,), (1,), expect=_reference(scipy.fft.idctn)),
                    t.case(t.normal(2, 5), (3, 4), (0, 1), expect=_reference(scipy.fft.idctn))])  # fmt: skip
def scipy_idct(x: Array, lengths: tuple, axes: tuple):
    """The inverse of the cosine transform along axes."""
    return _transform(x, lengths, axes, jax.scipy.fft.idct)
