"""What recurrent layers and cells ask of a state they are given."""

from __future__ import annotations

from typing import Any

from mindspore._utils.checks import shown
from mindspore._utils.refusals import refused
from mindspore.common.tensor import Tensor


def check_state(owner: str, x: Tensor, state: Any, shape: tuple[int, ...]) -> None:
    """Refuse a state of another shape, or another dtype than the input's."""
    if not isinstance(state, Tensor):
        raise refused(TypeError, f"For '{owner}', the 'hx' must be made of Tensors, but got {shown(state)}.")
    if state.dtype != x.dtype:
        raise refused(
            TypeError, f"For '{owner}', the 'hx' must have the dtype of 'x', {x.dtype}, but got {state.dtype}."
        )
    if state.shape != shape:
        raise refused(ValueError, f"For '{owner}', the 'hx' must have shape {shape}, but got {state.shape}.")
