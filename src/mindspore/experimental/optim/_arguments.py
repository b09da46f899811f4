"""Checks of the settings of optimizers."""

from __future__ import annotations

from typing import Any

from mindspore._utils.checks import check_bool, check_float_range, check_type

_NO_LIMIT = float("inf")


def check_not_negative(owner: str, **values: Any) -> None:
    """Numbers of at least 0."""
    for name, value in values.items():
        check_float_range(owner, name, value, 0.0, _NO_LIMIT)


def check_positive(owner: str, **values: Any) -> None:
    """Numbers above 0."""
    for name, value in values.items():
        check_float_range(owner, name, value, 0.0, _NO_LIMIT, include_low=False)


def check_betas(owner: str, betas: Any) -> None:
    """A pair of factors from 0 up to, but without, 1."""
    check_type(owner, "betas", betas, (tuple, list))
    if len(betas) != 2:
        raise ValueError(f"For '{owner}', the 'betas' must be two numbers, but got {len(betas)}.")
    for position, value in enumerate(betas):
        check_float_range(owner, f"betas[{position}]", value, 0.0, 1.0, include_high=False)


def check_bools(owner: str, **values: Any) -> None:
    """True or False."""
    for name, value in values.items():
        check_bool(owner, name, value)
