"""The arguments of a SummaryCollector, checked before training starts."""

from __future__ import annotations

import re
from typing import Any

from mindspore._utils.checks import check_bool, check_one_of, check_positive_int, check_type
from mindspore._utils.refusals import refused

_OWNER = "SummaryCollector"

DEFAULTS: dict[str, Any] = {
    "collect_metric": True,
    "collect_graph": True,
    "collect_train_lineage": True,
    "collect_eval_lineage": True,
    "collect_input_data": True,
    "collect_dataset_graph": True,
    "histogram_regular": None,
    "collect_landscape": None,
}


def check_choice(given: Any, keep_default_action: Any) -> dict[str, Any]:
    """What is collected: every key, with the user's value or the default. 'histogram_regular' is False for none."""
    check_type(_OWNER, "collect_specified_data", given, (dict, type(None)))
    check_bool(_OWNER, "keep_default_action", keep_default_action)
    for name, value in (given or {}).items():
        check_one_of(_OWNER, "collect_specified_data", name, list(DEFAULTS))
        if name == "histogram_regular":
            _check_pattern(value)
        elif name == "collect_landscape":
            check_type(_OWNER, name, value, (dict, type(None)))
        else:
            check_bool(_OWNER, name, value)
    if given is None or keep_default_action:
        return {**DEFAULTS, **(given or {})}
    return {**dict.fromkeys(DEFAULTS, False), **given}


def _check_pattern(value: Any) -> None:
    check_type(_OWNER, "histogram_regular", value, (str, type(None)))
    try:
        re.compile(value or "")
    except re.error as error:
        raise refused(
            ValueError,
            f"For '{_OWNER}', the 'histogram_regular' must be a regular expression, but got {value!r}: {error}.",
        ) from None


def check_lineage(given: Any) -> dict[str, Any] | None:
    """The user's own remarks about the run."""
    check_type(_OWNER, "custom_lineage_data", given, (dict, type(None)))
    for name, value in (given or {}).items():
        check_type(_OWNER, "custom_lineage_data", name, str)
        check_type(_OWNER, f"custom_lineage_data['{name}']", value, (int, str, float))
    return given


def check_frequency(name: str, value: Any) -> int | None:
    """A positive number, or None."""
    return None if value is None else check_positive_int(_OWNER, name, value)
