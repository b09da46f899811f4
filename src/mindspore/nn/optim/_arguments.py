"""Checks of the settings of optimizers."""

from __future__ import annotations

from typing import Any

from mindspore._utils.checks import check_float_range, check_type


def check_float(owner: str, name: str, value: Any, low: float = float("-inf"), high: float = float("inf"),
                include_low: bool = True, include_high: bool = True) -> float:  # fmt: skip
    """A float, not an int, between two bounds."""
    check_type(owner, name, value, float)
    return check_float_range(owner, name, value, low, high, include_low, include_high)


def check_betas(owner: str, **betas: Any) -> None:
    """Factors of moving averages: floats between 0 and 1, both left out."""
    for name, value in betas.items():
        check_float(owner, name, value, 0.0, 1.0, include_low=False, include_high=False)


def check_positive(owner: str, **values: Any) -> None:
    """Floats above 0."""
    for name, value in values.items():
        check_float(owner, name, value, 0.0, include_low=False)


def check_not_negative(owner: str, **values: Any) -> None:
    """Floats of at least 0."""
    for name, value in values.items():
        check_float(owner, name, value, 0.0)


def check_bools(owner: str, **values: Any) -> None:
    """True or False, not 0 or 1."""
    for name, value in values.items():
        check_type(owner, name, value, bool)
