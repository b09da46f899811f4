"""Checks of inputs, for layers of libraries that are written like those of a transformer."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from mindspore._utils.refusals import WrongObject, refused
from mindspore.ops.primitive import constexpr


class _LayerInputCheck:
    """Checks of shapes: each raises, or returns True."""

    @staticmethod
    def check_shape_length(input_shape: Sequence[int], param_name: str, func_name: str, target_len: Any) -> bool:
        """A shape must have this many axes, or one of these numbers."""
        allowed = target_len if isinstance(target_len, (list, tuple)) else [target_len]
        if len(input_shape) not in allowed:
            raise ValueError(
                f"For '{func_name}', the number of axes of '{param_name}' must be {_listed(allowed)}, but got the shape {tuple(input_shape)}."
            )
        return True

    @staticmethod
    def check_shape_equal(input_shape: Sequence[int], param_name: str, func_name: str, target_shape: Any) -> bool:
        """A shape must be this one, or one of these."""
        several = bool(target_shape) and isinstance(target_shape[0], (list, tuple))
        allowed = [tuple(shape) for shape in (target_shape if several else [target_shape])]
        if tuple(input_shape) not in allowed:
            raise ValueError(
                f"For '{func_name}', the shape of '{param_name}' must be {_listed(allowed)}, but got {tuple(input_shape)}."
            )
        return True

    @staticmethod
    def check_shape_value_on_axis(
        input_shape: Sequence[int], dim: int, param_name: str, cls_name: str, target_value: int
    ) -> bool:
        """An axis must have this length."""
        if input_shape[dim] != target_value:
            raise ValueError(
                f"For '{cls_name}', the length of '{param_name}' along axis {dim} must be {target_value}, but got the shape "
                f"{tuple(input_shape)}."
            )
        return True

    @staticmethod
    def check_shape_equal_without_batch(
        input_shape: Sequence[int], param_name: str, func_name: str, target_shape: Sequence[int]
    ) -> bool:
        """A shape must be this one, whatever its first axis, the batch, is."""
        length, expected = len(target_shape), tuple(target_shape[1:])
        if len(input_shape) != length or tuple(input_shape[1:]) != expected:
            raise ValueError(
                f"For '{func_name}', the shape of '{param_name}' must be (batch, {', '.join(map(str, expected))}), but got "
                f"{tuple(input_shape)}."
            )
        return True


def _listed(allowed: Sequence[Any]) -> str:
    return str(allowed[0]) if len(allowed) == 1 else f"one of {list(allowed)}"


_check_shape_equal = constexpr(_LayerInputCheck.check_shape_equal)
_check_input_shape = constexpr(_LayerInputCheck.check_shape_length)


@constexpr
def _check_input_shape_value(input_shape: Any, dim: int, param_name: str, cls_name: str, target_value: int) -> bool:
    return _LayerInputCheck.check_shape_value_on_axis(input_shape, dim, param_name, cls_name, target_value)


@constexpr
def _check_past_none_input_none(
    use_past: bool, param_name: str, func_name: str, default_value: Any, is_tensor: bool, is_default: bool
) -> bool:
    """With ``use_past`` an input must be a Tensor, without it must stay at its default."""
    if use_past and not is_tensor:
        raise refused(WrongObject, f"For '{func_name}', the '{param_name}' must be a Tensor if 'use_past' is True.")
    if not use_past and not is_default:
        raise TypeError(f"For '{func_name}', the '{param_name}' must be {default_value} if 'use_past' is False.")
    return True
