"""Spectra as Primitives give them: transforms over the last axes, and of a sliding window."""

from __future__ import annotations

import math
from typing import Any

import jax.numpy as jnp
import numpy as np

from mindspore._engine.operator.arguments import Array, Choice
from mindspore._engine.operator.registry import op
from mindspore._ops.declaring.dtype_checks import accepts
from mindspore._ops.declaring.requirements import (
    FOUND_BY_KERNEL,
    require,
    require_choice,
    require_elements,
    require_rank,
)
from mindspore._ops.linalg.fourier import Plan, complex_transform, from_half, prepared, to_half


@op(primitive="FFTWithSize", init=("signal_ndim", "inverse", "real", "norm", "onesided", "signal_sizes"), public=False,
    test=lambda t: [t.case(t.normal(2, 4), 1, False, True, expect=lambda x, *_: np.fft.rfft(x)),
                    t.case(t.normal(2, 4), 2, False, True, "ortho", False,
                           expect=lambda x, *_: np.fft.fft2(x, norm="ortho")),
                    t.case(t.normal(2, 3), 1, True, True, "backward", True, (5,),
                           expect=lambda x, *_: np.fft.irfft(x, 5))])  # fmt: skip
def fft_with_size(x: Array, signal_ndim: int, inverse: bool, real: bool, norm: str = "backward",
                  onesided: bool = True, signal_sizes: Any = ()):  # fmt: skip
    """A Fourier transform over the last ``signal_ndim`` axes, of complex or of ``real`` signals, or its inverse.

    Examples:
        >>> from mindspore import Tensor, ops
        >>> print(ops.FFTWithSize(signal_ndim=1, inverse=False, real=True)(Tensor([1.0, 1.0, 1.0, 1.0])))
        [4.+0.j 0.+0.j 0.+0.j]
    """
    require_choice("norm", norm, ("backward", "forward", "ortho"))
    text = f"the 'signal_ndim' must be 1, 2 or 3 and at most the number of axes {x.ndim}, but got {signal_ndim}."
    require(1 <= signal_ndim <= min(3, x.ndim), text, FOUND_BY_KERNEL)
    text = f"the 'signal_sizes' must be a tuple of ints, but got {signal_sizes!r}."
    require(isinstance(signal_sizes, tuple), text, TypeError)
    steps: Plan = [(None, axis) for axis in range(x.ndim - signal_ndim, x.ndim)]
    if not real:
        return complex_transform(x, steps, norm, inverse)
    if not inverse:
        return to_half(x, steps, norm) if onesided else complex_transform(x, steps, norm, False)
    if not onesided:
        return complex_transform(x, steps, norm, True).real
    sizes = signal_sizes or (None,) * signal_ndim
    text = f"the 'signal_sizes' must have {signal_ndim} lengths, one per axis, but got {signal_sizes}."
    require(len(sizes) == signal_ndim, text)
    return from_half(x, [*steps[:-1], (sizes[-1], x.ndim - 1)], norm)


def _frames(x: Any, window: Any, n_fft: int, hop_length: int) -> Any:
    """Windows (..., count, n_fft) of the last axis, weighted."""
    length = x.shape[-1]
    require(n_fft <= length, f"the 'n_fft' must be at most the length of the signal {length}, but got {n_fft}.")
    starts = np.arange(0, length - n_fft + 1, hop_length)
    before = (n_fft - window.shape[0]) // 2
    window = jnp.pad(window, (before, n_fft - window.shape[0] - before))
    return x[..., starts[:, None] + np.arange(n_fft)] * window


def _numpy_stft(x: np.ndarray, window: np.ndarray, n_fft: int, hop: int, *_: Any) -> np.ndarray:
    frames = np.stack([x[..., s : s + n_fft] * window for s in range(0, x.shape[-1] - n_fft + 1, hop)], -2)
    return np.fft.rfft(frames).swapaxes(-1, -2)


@op(primitive="STFT", init=("n_fft", "hop_length", "win_length", "normalized", "onesided", "return_complex"),
    public=False,
    test=lambda t: [t.case(t.normal(2, 9), t.positive(4), 4, 2, 4, False, True, True, expect=_numpy_stft),
                    t.case(t.normal(9), t.positive(3), 4, 2, 3, True, True, False)])  # fmt: skip
@accepts("fc", "x")
@accepts("fc", "window")
def stft_of_windows(x: Array, window: Array, n_fft: int, hop_length: int, win_length: int, normalized: bool,
                    onesided: bool, return_complex: bool):  # fmt: skip
    """The Fourier transforms of windows that slide over the last axis: frequencies by positions.

    Examples:
        >>> from mindspore import ops
        >>> stft = ops.STFT(n_fft=4, hop_length=2, win_length=4, normalized=False, onesided=True, return_complex=True)
        >>> print(stft(ops.ones((8,)), ops.ones((4,))).shape)
        (3, 3)
    """
    require_rank("x", x, 1, 2)
    require_rank("window", window, 1)
    require(
        n_fft > 0 and hop_length > 0, f"the 'n_fft' and 'hop_length' must be positive, but got {n_fft}, {hop_length}."
    )
    require(0 < win_length <= n_fft, f"the 'win_length' must be in [1, n_fft = {n_fft}], but got {win_length}.")
    text = f"the 'window' must have 'win_length' = {win_length} elements, but got {window.shape[0]}."
    require(window.shape[0] == win_length, text)
    text = "the 'onesided' must be False for complex signals and windows, whose spectrum has no symmetry, but got True."
    require(not (onesided and (jnp.iscomplexobj(x) or jnp.iscomplexobj(window))), text)
    frames = _frames(prepared(x), prepared(window), n_fft, hop_length)
    spectrum = (jnp.fft.rfft if onesided else jnp.fft.fft)(frames).swapaxes(-1, -2)
    if normalized:
        spectrum = spectrum / math.sqrt(n_fft)
    return spectrum if return_complex else jnp.stack([spectrum.real, spectrum.imag], axis=-1)


@op(test=lambda t: [t.case(t.normal(12), 4), t.case(t.normal(2, 12), 4, 3, 3, t.positive(3), False)])
@accepts("fc", "x")
def stft(x: Array, n_fft: int, hop_length: int | None = None, win_length: int | None = None,
         window: Array | None = None, center: bool = True, pad_mode: Choice = "REFLECT", normalized: bool = False,
         onesided: bool | None = None, return_complex: bool | None = None):  # fmt: skip
    """The short-time Fourier transform: the transform of every window that slides over the signal.

    Args:
        hop_length: from window to window, by default ``n_fft // 4``.
        win_length: the length of the window, by default ``n_fft``; filled with zeros on both sides up to that.
        window: the weights in a window, by default all 1.
        center: whether the signal is padded so that window ``t`` is centred at ``t * hop_length``.
        onesided: half of the spectrum; by default so for real signals.
        return_complex: complex numbers instead of pairs of real ones; by default so for complex signals.

    Examples:
        >>> from mindspore import ops
        >>> print(ops.stft(ops.ones((8,)), 4, return_complex=True).shape)
        (3, 9)
    """
    require_rank("x", x, 1, 2)
    require_elements("x", x, (x.ndim - 1,))
    win_length = n_fft if win_length is None else win_length
    weights = jnp.ones((win_length,), prepared(x).real.dtype) if window is None else window
    is_complex = jnp.iscomplexobj(x) or jnp.iscomplexobj(weights)
    if center:
        word = pad_mode.lower() if isinstance(pad_mode, str) else pad_mode
        require_choice("pad_mode", word, ("constant", "reflect", "symmetric"))
        sides = [(0, 0)] * (x.ndim - 1) + [(n_fft // 2, n_fft // 2)]
        x = jnp.pad(x, sides, mode=word)
    return stft_of_windows.__wrapped__(  # type: ignore[attr-defined]
        x, weights, n_fft, n_fft // 4 if hop_length is None else hop_length, win_length, normalized,
        not is_complex if onesided is None else onesided, is_complex if return_complex is None else return_complex,
    )  # fmt: skip
