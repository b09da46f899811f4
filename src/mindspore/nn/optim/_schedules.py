"""The learning rates and weight decays an optimizer makes of the numbers, tables and Cells it is given."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import numpy as np

from mindspore import ops
from mindspore._engine.base.dtype import float32
from mindspore._engine.tensor.parameter import Parameter
from mindspore._engine.tensor.tensor import Tensor
from mindspore._utils.checks import check_float_range, shown
from mindspore._utils.refusals import WrongType, refused
from mindspore.nn.cell import Cell
from mindspore.nn.learning_rate_schedule import LearningRateSchedule

Rate = Parameter | Cell


class _ConvertToCell(LearningRateSchedule):
    """A fixed rate beside others that change."""

    def __init__(self, learning_rate: Parameter):
        super().__init__()
        self.learning_rate = learning_rate

    def construct(self, global_step: Any) -> Tensor:
        return self.learning_rate + 0.0


class _IteratorLearningRate(LearningRateSchedule):
    """A rate per step; the last rate stays."""

    def __init__(self, learning_rate: Tensor, name: str):
        super().__init__()
        self.learning_rate = Parameter(learning_rate, name)
        self.last = learning_rate.shape[0] - 1

    def construct(self, global_step: Any) -> Tensor:
        return ops.gather(self.learning_rate, ops.minimum(global_step, self.last), 0)


class _WrappedWeightDecay(Cell):
    """A weight decay that changes, for gradients that are still scaled."""

    def __init__(self, weight_decay: Cell, loss_scale: float):
        super().__init__(auto_prefix=False)
        self.weight_decay = weight_decay
        self.loss_scale = loss_scale

    def construct(self, global_step: Any) -> Tensor:
        return self.weight_decay(global_step) * self.loss_scale


def to_rate(owner: str, learning_rate: Any, name: str) -> Rate:
    """A Parameter for a number, a Cell for a table or schedule. ``name`` is that of the Parameter."""
    if isinstance(learning_rate, LearningRateSchedule):
        return learning_rate
    if isinstance(learning_rate, Tensor):
        if learning_rate.ndim > 1:
            raise refused(
                ValueError,
                f"For '{owner}', the 'learning_rate' must have 0 or 1 dimensions if it is a Tensor, but got "
                f"{learning_rate.ndim}: shape {learning_rate.shape}.",
            )
        values = learning_rate.asnumpy()
    elif isinstance(learning_rate, (int, float, np.number)):
        values = np.asarray(check_float_range(owner, "learning_rate", float(learning_rate), 0.0, float("inf")))
    elif isinstance(learning_rate, Iterable) and not isinstance(learning_rate, (str, bytes, dict, Cell)):
        values = _table(owner, list(learning_rate))
    else:
        raise refused(
            WrongType,
            f"For '{owner}', the 'learning_rate' must be int, float, Tensor, Iterable or LearningRateSchedule, but got "
            f"{shown(learning_rate)}.",
        )
    if values.ndim == 0:
        return Parameter(Tensor(values, float32), name)
    if not values.size:
        raise refused(
            ValueError,
            f"For '{owner}', the 'learning_rate' must have at least one rate if it is a table, but got none.",
        )
    return _IteratorLearningRate(Tensor(values, float32), name)


def _table(owner: str, rates: list[Any]) -> np.ndarray:
    """A rate per step."""
    for rate in rates:
        try:
            float(rate)
        except (TypeError, ValueError) as error:
            raise refused(
                type(error), f"For '{owner}', the rates of 'learning_rate' must be numbers, but got {shown(rate)}."
            ) from None
    return np.asarray([float(rate) for rate in rates])


def check_decay(owner: str, weight_decay: Any) -> Any:
    """A weight decay: a number of at least 0, or a Cell of the step."""
    if isinstance(weight_decay, Cell):
        return weight_decay
    if not isinstance(weight_decay, (int, float)):
        raise refused(
            TypeError, f"For '{owner}', the 'weight_decay' must be int, float or Cell, but got {shown(weight_decay)}."
        )
    return check_float_range(owner, "weight_decay", float(weight_decay), 0.0, float("inf"))


def scaled_decay(weight_decay: Any, loss_scale: float) -> Tensor | Cell:
    """The weight decay for gradients that are ``loss_scale`` times too large."""
    if isinstance(weight_decay, Cell):
        return _WrappedWeightDecay(weight_decay, loss_scale)
    return Tensor(weight_decay * loss_scale, float32)
