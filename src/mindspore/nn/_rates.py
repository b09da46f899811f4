"""Checks of learning rates and what belongs to them, shared by schedules and step tables."""

from __future__ import annotations

from typing import Any

from mindspore._utils.checks import check_type
from mindspore._utils.refusals import refused


def check_rate(owner: str, name: str, value: Any, zero: bool = False) -> float:
    """Check for a float above 0, or from 0 on; an int is refused as in MindSpore, with the float to write."""
    if isinstance(value, int) and not isinstance(value, bool):
        raise refused(
            TypeError,
            f"For '{owner}', the '{name}' must be a float, but got {value} (type 'int'). Write {float(value)}.",
        )
    check_type(owner, name, value, float)
    if not (value >= 0 if zero else value > 0):  # written so that NaN is refused too
        bound = "greater than or equal to 0" if zero else "greater than 0"
        raise refused(ValueError, f"For '{owner}', the '{name}' must be a float {bound}, but got {value}.")
    return value


def check_rate_range(owner: str, min_lr: Any, max_lr: Any) -> None:
    """Check the two ends between which a rate moves."""
    check_rate(owner, "min_lr", min_lr, zero=True)
    check_rate(owner, "max_lr", max_lr)
    if min_lr >= max_lr:
        raise refused(
            ValueError,
            f"For '{owner}', the 'max_lr' must be greater than the 'min_lr', but got max_lr={max_lr} and min_lr={min_lr}.",
        )
