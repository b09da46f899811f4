"""Window functions of signal processing."""

from __future__ import annotations

import jax.numpy as jnp
import numpy as np

from mindspore._engine.base import dtype as dtypes
from mindspore._engine.operator.arguments import DType
from mindspore._engine.operator.registry import op
from mindspore._ops.declaring.requirements import require


def _angles(length: int, periodic: bool) -> np.ndarray:
    """How far each sample lies between the ends, from 0 to 1; a periodic window leaves its last sample out."""
    require(length >= 0, f"the 'window_length' must not be negative, but got {length}.")
    steps = length if periodic else length - 1
    return np.arange(length) / steps if length > 1 else np.full(length, 0.5)


def _given(values: np.ndarray, dtype: DType | None, default: DType) -> jnp.ndarray:
    return jnp.asarray(values, (dtype or default).np_dtype)


@op(
    test=lambda t: [
        t.case(5, False, expect=lambda n, periodic: np.hanning(n)),
        t.case(4, expect=lambda n: np.hanning(5)[:4]),
    ]
)
def hann_window(window_length: int, periodic: bool = True, dtype: DType | None = None):
    """A raised cosine.

    Examples:
        >>> from mindspore import ops
        >>> print(ops.hann_window(5, False))
        [0.  0.5 1.  0.5 0. ]
    """
    return _given(0.5 - 0.5 * np.cos(2 * np.pi * _angles(window_length, periodic)), dtype, dtypes.float64)


@op(
    primitive="HammingWindow",
    init=("periodic", "alpha", "beta", "dtype"),
    primitive_defaults={"dtype": dtypes.float32},
    test=lambda t: [t.case(5, False, expect=lambda n, periodic: np.hamming(n).astype(np.float32))],
)
def hamming_window(
    window_length: int, periodic: bool = True, alpha: float = 0.54, beta: float = 0.46, dtype: DType | None = None
):
    """A cosine that ends above zero.

    Examples:
        >>> from mindspore import ops
        >>> print(ops.hamming_window(3, False, 0.5, 0.5))
        [0. 1. 0.]
    """
    values = alpha - beta * np.cos(2 * np.pi * _angles(window_length, periodic))
    return _given(values if window_length != 1 else np.ones(1), dtype, dtypes.float32)


@op(
    primitive="BlackmanWindow",
    init=("periodic", "dtype"),
    primitive_defaults={"dtype": dtypes.float32},
    test=lambda t: [t.case(5, False, expect=lambda n, periodic: np.blackman(n).astype(np.float32))],
)
def blackman_window(window_length: int, periodic: bool = True, dtype: DType | None = None):
    """A sum of two cosines with low side lobes.

    Examples:
        >>> from mindspore import ops
        >>> print(ops.blackman_window(4).shape)
        (4,)
    """
    turns = 2 * np.pi * _angles(window_length, periodic)
    return _given(0.42 - 0.5 * np.cos(turns) + 0.08 * np.cos(2 * turns), dtype, dtypes.float32)


@op(
    primitive="BartlettWindow",
    init=("periodic", "dtype"),
    primitive_defaults={"dtype": dtypes.float32},
    test=lambda t: [t.case(5, False, expect=lambda n, periodic: np.bartlett(n).astype(np.float32))],
)
def bartlett_window(window_length: int, periodic: bool = True, dtype: DType | None = None):
    """A triangle.

    Examples:
        >>> from mindspore import ops
        >>> print(ops.bartlett_window(4))
        [0.  0.5 1.  0.5]
    """
    return _given(1 - np.abs(2 * _angles(window_length, periodic) - 1), dtype, dtypes.float32)


@op(test=lambda t: [t.case(5, False, 8.0, expect=lambda n, periodic, beta: np.kaiser(n, beta))])
def kaiser_window(window_length: int, periodic: bool = True, beta: float = 12.0, dtype: DType | None = None):
    """A window made with a Bessel function; a larger ``beta`` makes it narrower.

    Examples:
        >>> from mindspore import ops
        >>> print(ops.kaiser_window(3, False, 0.0))
        [1. 1. 1.]
    """
    from_centre = 2 * _angles(window_length, periodic) - 1
    return _given(np.i0(beta * np.sqrt(np.maximum(1 - from_centre**2, 0))) / np.i0(beta), dtype, dtypes.float64)
