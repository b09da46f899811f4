"""The checks of `_utils/checks.py` for arguments of datasets and transforms; what they refuse is also said in MindSpore's words.

Programs and tests look for these words in an error, and so does whoever searches for it.

>>> from mindspore.dataset.core import checks
>>> checks.check_int("Resize", "size", 0, 1, 8)
Traceback (most recent call last):
...
ValueError: For 'Resize', the 'size' must be in range [1, 8], but got 0 (type 'int')....
In MindSpore's words: Input size is not within the required interval of [1, 8].
"""

from __future__ import annotations

import os
from collections.abc import Callable, Collection
from numbers import Integral
from typing import Any, TypeVar

from mindspore._utils import checks
from mindspore._utils.checks import shown

__all__ = [
    "check_bool",
    "check_callable",
    "check_float_range",
    "check_int",
    "check_non_negative_int",
    "check_one_of",
    "check_positive_int",
    "check_str",
    "check_type",
    "check_workers",
    "interval_words",
    "searchable",
    "shown",
    "type_words",
]

Value = TypeVar("Value")

LARGEST_INT = 2**31 - 1
# numbers whose types MindSpore lists as int, float; of the others it says float, int
_INT_FIRST = """
    translate shear cutoff degrees ref_value amin top_db freq_low freq_high mask_value momentum power f_min f_max
    tolerance_loss tolerance_change rate fixed_rate trigger_level trigger_time search_time allowed_gap
    pre_trigger_time boot_time noise_up_time noise_down_time noise_reduction_amount measure_freq measure_duration
    measure_smooth_time hp_filter_freq lp_filter_freq hp_lifter_freq lp_lifter_freq smoothing_rate
"""
LEAST_LIMIT_OF_WORKERS = 128  # programs written for machines of more cores run unchanged


def type_words(name: str, value: Any, kinds: tuple[type, ...]) -> str:
    """How MindSpore refuses a value of a wrong type."""
    listed: Any = kinds if isinstance(value, bool) and bool not in kinds else list(kinds)
    written = '""' if isinstance(value, str) and not value else value
    return f"Argument {name} with value {written} is not of type {listed}, but got {type(value)}."


def interval_words(name: str, interval: str) -> str:
    """How MindSpore refuses a number outside of an interval; some of its checks name no argument."""
    return f"Input {name}{name and ' '}is not within the required interval of {interval}."


def _end(limit: float) -> str:
    """An end of an interval: MindSpore writes fractions of 1 as floats, and limits of ints as ints."""
    return str(int(limit)) if abs(limit) > 1 and limit == int(limit) else str(limit)


def searchable(error: Exception, words: str) -> Exception:
    """The same error, with the words that programs look for at its end."""
    return type(error)(f"{error.args[0]}\nIn MindSpore's words: {words}")


def check_type(
    owner: str, name: str, value: Value, types: type | tuple[type, ...], error: type[Exception] = TypeError
) -> Value:
    """See `_utils.checks.check_type`."""
    try:
        return checks.check_type(owner, name, value, types, error)
    except Exception as refusal:
        kinds = types if isinstance(types, tuple) else (types,)
        raise searchable(refusal, type_words(name, value, kinds)) from None


def check_bool(owner: str, name: str, value: Any, error: type[Exception] = TypeError) -> bool:
    """Check for True or False; 0 and 1 are refused."""
    return check_type(owner, name, value, bool, error)


def check_str(owner: str, name: str, value: Any, allow_empty: bool = True) -> str:
    """See `_utils.checks.check_str`."""
    check_type(owner, name, value, str)
    return checks.check_str(owner, name, value, allow_empty)


def check_callable(owner: str, name: str, value: Any) -> Callable:
    """See `_utils.checks.check_callable`."""
    try:
        return checks.check_callable(owner, name, value)
    except TypeError as refusal:
        raise searchable(refusal, f"{name} object is not callable.") from None


def check_int(owner: str, name: str, value: Any, low: int | None = None, high: int | None = None) -> int:
    """See `_utils.checks.check_int`."""
    try:
        return checks.check_int(owner, name, value, low, high)
    except (TypeError, ValueError) as refusal:
        if isinstance(value, bool) or not isinstance(value, Integral):
            words = type_words(name, value, (int,))
        else:
            lowest = -LARGEST_INT - 1 if low is None else low
            words = interval_words(name, f"[{lowest}, {LARGEST_INT if high is None else high}]")
        raise searchable(refusal, words) from None


def check_positive_int(owner: str, name: str, value: Any) -> int:
    """Check for an integer of at least 1."""
    return check_int(owner, name, value, low=1)


def check_non_negative_int(owner: str, name: str, value: Any) -> int:
    """Check for an integer of at least 0."""
    return check_int(owner, name, value, low=0)


def check_float_range(
    owner: str, name: str, value: Any, low: float, high: float, include_low: bool = True, include_high: bool = True
) -> float:
    """See `_utils.checks.check_float_range`."""
    try:
        return checks.check_float_range(owner, name, value, low, high, include_low, include_high)
    except (TypeError, ValueError) as refusal:
        if isinstance(value, bool) or not hasattr(value, "__float__"):
            words = type_words(name, value, (int, float) if name.split("[")[0] in _INT_FIRST.split() else (float, int))
        else:
            lowest = _end(low) if high <= 1 or low != int(low) else str(int(low))
            words = interval_words(
                name, f"{'[' if include_low else '('}{lowest}, {_end(high)}{']' if include_high else ')'}"
            )
        raise searchable(refusal, words) from None


def check_workers(owner: str, name: str, value: Any) -> int:
    """A number of workers: at least 1, and not absurdly many for the machine."""
    most = max(LEAST_LIMIT_OF_WORKERS, os.cpu_count() or 1)
    count = check_int(owner, name, value)
    if not 1 <= count <= most:
        raise ValueError(
            f"For '{owner}', the {name} exceeds the boundary between 1 and {most}! But got {shown(count)}."
        )
    return count


def check_one_of(owner: str, name: str, value: Value, allowed: Collection[Value]) -> Value:
    """See `_utils.checks.check_one_of`."""
    try:
        return checks.check_one_of(owner, name, value, allowed)
    except (TypeError, ValueError) as refusal:
        if isinstance(value, str):
            words = f"Input {name} is not within the valid set of {list(allowed)}."
        else:
            words = type_words(name, value, tuple({type(choice): None for choice in allowed}))
        raise searchable(refusal, words) from None
