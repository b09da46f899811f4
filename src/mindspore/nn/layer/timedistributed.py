"""A layer applied at every time step."""

from __future__ import annotations

from typing import Any

from mindspore import ops
from mindspore._utils.checks import check_int, shown
from mindspore._utils.refusals import WrongObject, refused
from mindspore.common.tensor import Tensor
from mindspore.nn.cell import Cell
from mindspore.ops import Primitive

__all__ = ["TimeDistributed"]


class TimeDistributed(Cell):
    """Apply a layer to every slice of the input along the time axis, and join the results along it.

    Args:
        layer: a Cell or Primitive.
        time_axis: the axis of the time steps.
        reshape_with_axis: an axis the time axis is merged with, so that the layer is called only once; the layer must
            treat the positions along that axis alike. In the result the time axis stands beside it.

    Examples:
        >>> from mindspore import nn, ops
        >>> net = nn.TimeDistributed(nn.Dense(3, 4), time_axis=1, reshape_with_axis=0)
        >>> print(net(ops.ones((2, 5, 3))).shape)
        (2, 5, 4)
    """

    def __init__(self, layer: Any, time_axis: int, reshape_with_axis: int | None = None):
        super().__init__()
        if not isinstance(layer, (Cell, Primitive)):
            raise refused(
                WrongObject, f"For 'TimeDistributed', the 'layer' must be a Cell or Primitive, but got {shown(layer)}."
            )
        self.layer: Any = layer
        self.time_axis = check_int("TimeDistributed", "time_axis", time_axis)
        if reshape_with_axis is not None:
            check_int("TimeDistributed", "reshape_with_axis", reshape_with_axis)
        self.reshape_with_axis = reshape_with_axis

    def construct(self, inputs: Tensor) -> Tensor:
        axis = self._position(self.time_axis, inputs, "time_axis")
        if self.reshape_with_axis is None:
            return ops.stack([self.layer(step) for step in ops.unbind(inputs, axis)], axis)
        other = self._position(self.reshape_with_axis, inputs, "reshape_with_axis")
        return self._merged(inputs, axis, other)

    def _position(self, axis: int, inputs: Tensor, name: str) -> int:
        if not -inputs.ndim <= axis < inputs.ndim:
            raise refused(
                ValueError,
                f"For 'TimeDistributed', the '{name}' must be in [{-inputs.ndim}, {inputs.ndim}), but got {axis}; the input "
                f"has shape {inputs.shape}.",
            )
        return axis % inputs.ndim

    def _merged(self, inputs: Tensor, axis: int, other: int) -> Tensor:
        """One call of the layer: the time axis is moved beside the other axis and merged with it for the call."""
        if axis == other:
            raise refused(
                ValueError,
                f"For 'TimeDistributed', the 'reshape_with_axis' must be another axis than 'time_axis', but both are {axis}.",
            )
        first = other if axis > other else other - 1  # where the two stand, in their old order
        moved = ops.movedim(inputs, axis, first + (axis > other))
        pair = moved.shape[first : first + 2]
        merged = moved.reshape((*moved.shape[:first], pair[0] * pair[1], *moved.shape[first + 2 :]))
        result = self.layer(merged)
        return result.reshape((*result.shape[:first], *pair, *result.shape[first + 1 :]))
