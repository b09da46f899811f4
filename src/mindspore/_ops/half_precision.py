"""Operators whose library routines know no half precision: they compute in float32 and return what they were given."""

from __future__ import annotations

import functools
from collections.abc import Callable
from typing import Any

import jax.numpy as jnp

from mindspore._engine.registry import OPS

_HALVES = (jnp.float16, jnp.bfloat16)
_WIDENED = (
    "cholesky cholesky_inverse geqrf inverse least_squares logdet matrix_solve matrix_solve_ls nuclear_norm orgqr ormqr pinv qr "
    "qr_primitive scipy_eigh scipy_lu slogdet svd svd_primitive"
)


def widen_all() -> None:
    """Let these operators take halves, once all are declared."""
    for name in _WIDENED.split():
        OPS[name].body = _widened(OPS[name].body)


def _widened(body: Callable[..., Any]) -> Callable[..., Any]:
    @functools.wraps(body)
    def widened(*values: Any) -> Any:
        dtypes = {x.dtype for x in values if hasattr(x, "dtype") and jnp.issubdtype(x.dtype, jnp.inexact)}
        half = dtypes.pop() if len(dtypes) == 1 else None
        if half not in _HALVES:
            return body(*values)
        results = body(*[x.astype(jnp.float32) if getattr(x, "dtype", None) == half else x for x in values])
        back = [
            x.astype(half) if x.dtype == jnp.float32 else x
            for x in (results if isinstance(results, tuple) else [results])
        ]
        return tuple(back) if isinstance(results, tuple) else back[0]

    return widened
