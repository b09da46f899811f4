"""Fourier and cosine transforms, factorizations: functions of ``ops`` and ``scipy`` as primitives."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from mindspore import mint, ops
from mindspore._ops.generated.transforms import double_inner, scaled_for_ortho
from mindspore._ops.linalg.numpy_math import numpy_correlate
from mindspore._ops.linalg.scipy_fft import scipy_dct, scipy_idct
from mindspore._ops.linalg.scipy_linalg import scipy_lstsq, scipy_solve_triangular
from mindspore.ops import Tensor

ON_ONE_AXIS = ("FFT", "HFFT", "IFFT", "IHFFT", "IRFFT", "RFFT")


def _of_axis(function: Callable[..., Tensor]) -> Callable[..., Tensor]:
    return lambda input, n=None, dim=-1, norm=None: function(input, n, dim, norm)


def _of_plane(function: Callable[..., Tensor]) -> Callable[..., Tensor]:
    return lambda input, s=None, dim=(-2, -1), norm=None: function(input, s, dim, norm)


def _of_axes(function: Callable[..., Tensor]) -> Callable[..., Tensor]:
    return lambda input, s=None, dim=None, norm=None: function(input, s, dim, norm)


def _cosine(function: Callable[..., Tensor]) -> Callable[..., Tensor]:
    def transform(x: Any, type: int = 2, n: int | None = None, axis: int = -1, norm: str | None = None) -> Tensor:
        return function(x, (x.shape[axis] if n is None else n,), (axis,))

    return transform


def _cosines(function: Callable[..., Tensor]) -> Callable[..., Tensor]:
    def transform(x: Any, type: int = 2, s: Any = None, axes: Any = None, norm: str | None = None) -> Tensor:
        if axes is None:
            axes = tuple(range(-(len(s) if s else x.ndim), 0))
        return function(x, tuple(s or [x.shape[axis] for axis in axes]), tuple(axes))

    return transform


def _least_squares(A: Any, B: Any, driver: str | None = None) -> tuple[Tensor, ...]:
    return scipy_lstsq(A, B, driver or "gelsy")


FORMS = {
    **{name: _of_axis(getattr(ops, name.lower())) for name in ON_ONE_AXIS},
    **{f"{name}2": _of_plane(getattr(ops, f"{name.lower()}2")) for name in ON_ONE_AXIS},
    **{f"{name}N": _of_axes(getattr(ops, f"{name.lower()}n")) for name in ON_ONE_AXIS},
    "FFTShift": lambda input, dim=None: ops.fftshift(input, dim),
    "IFFTShift": lambda input, dim=None: ops.ifftshift(input, dim),
    "FFTOrtho": lambda input, axes=None, forward=True: scaled_for_ortho(input, axes, forward),
    "IRFFTDouble": lambda input, n, dim=-1: double_inner(input, n, dim),
    "DCT": _cosine(scipy_dct),
    "DCTN": _cosines(scipy_dct),
    "IDCT": _cosine(scipy_idct),
    "IDCTN": _cosines(scipy_idct),
    "Correlate": lambda a, v, *, pad_mode="valid": numpy_correlate(a, v, pad_mode),
    "LinalgQr": lambda A, mode="reduced": mint.linalg.qr(A, mode),
    "LstsqV2": _least_squares,
    "SolveTriangular": lambda a, b, trans=0, lower=False, unit_diagonal=False: scipy_solve_triangular(
        a, b, trans, lower, unit_diagonal
    ),
    "TriangularSolve": lambda b, A, upper=True, transpose=False, unitriangular=False: mint.triangular_solve(
        b, A, upper, transpose, unitriangular
    ),
}
