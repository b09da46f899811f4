"""Checks of MindSpore 1.0 that take a value alone, as its networks call them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from mindspore._utils.checks import shown


def _whole(input_param: Any, least: int, word: str) -> int:
    if isinstance(input_param, bool) or not isinstance(input_param, int):
        raise TypeError(f"The value must be an int, but got {shown(input_param)}.")
    if input_param < least:
        raise ValueError(f"The value must be {word}, but got {input_param}.")
    return input_param


def check_int_positive(input_param: Any) -> int:
    """The value, if it is an int above 0."""
    return _whole(input_param, 1, "positive")


def check_int_non_negative(input_param: Any) -> int:
    """The value, if it is an int of at least 0."""
    return _whole(input_param, 0, "at least 0")


def _one_of(value: Any, allowed: Sequence[Any], what: str) -> Any:
    if value not in allowed:
        raise ValueError(f"The {what} must be one of {', '.join(map(str, allowed))}, but got {shown(value)}.")
    return value


def check_int_zero_one(input_param: Any) -> Any:
    """The value, if it is 0 or 1."""
    return _one_of(input_param, (0, 1), "value")


def check_padding(padding: Any) -> Any:
    """The padding, if it is not negative."""
    if padding < 0:
        raise ValueError(f"The padding must be at least 0, but got {padding}.")
    return padding


def check_padmode(mode: str) -> str:
    """The mode, if it is 'same', 'valid' or 'pad'."""
    return _one_of(mode, ("same", "valid", "pad"), "pad mode")


def check_tensor_supported_type(dtype: Any) -> Any:
    """The dtype, if it is int32 or float32."""
    _one_of(str(dtype), ("Int32", "Float32"), "dtype")
    return dtype


def check_typename(arg_name: str, arg_type: Any, valid_types: Sequence[Any]) -> Any:
    """The dtype, if it is one of these."""
    if arg_type in valid_types:
        return arg_type
    names = ", ".join(str(getattr(one, "__name__", one)) for one in valid_types)
    raise TypeError(f"The type of `{arg_name}` must be one of {names}, but got {shown(arg_type)}.")
