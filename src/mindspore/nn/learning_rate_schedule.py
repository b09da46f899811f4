"""Learning rates that follow from the step: Cells an optimizer calls with its global step."""

from __future__ import annotations

import math
from typing import Any

from mindspore import ops
from mindspore._engine.base.dtype import float32, int32
from mindspore._engine.tensor.tensor import Tensor
from mindspore._utils.checks import check_bool, check_positive_int
from mindspore.nn._rates import check_rate, check_rate_range
from mindspore.nn.cell import Cell
from mindspore.nn.cell.primitives import primitives

__all__ = [
    "CosineDecayLR",
    "ExponentialDecayLR",
    "InverseDecayLR",
    "LearningRateSchedule",
    "NaturalExpDecayLR",
    "PolynomialDecayLR",
    "WarmUpLR",
]


class LearningRateSchedule(Cell):
    """The base of schedules: define ``construct(self, global_step)``, which returns the learning rate of that step.

    Examples:
        >>> import mindspore as ms
        >>> from mindspore import Tensor, nn
        >>> class Halving(nn.learning_rate_schedule.LearningRateSchedule):
        ...     def construct(self, global_step):
        ...         return 0.1 / (global_step + 1)
        >>> print(Halving()(Tensor(3, ms.int32)))
        0.025
    """

    def construct(self, global_step: Any) -> Tensor:
        """The learning rate at this step."""
        raise NotImplementedError(
            f"For '{type(self).__name__}', the method 'construct(self, global_step)' must be defined."
        )


@primitives(cast=ops.Cast, pow=ops.Pow)
class _DecayLR(LearningRateSchedule):
    """What the decays by a rate share: their arguments, and the progress measured in ``decay_steps``."""

    def __init__(self, learning_rate: float, decay_rate: float, decay_steps: int, is_stair: bool = False):
        super().__init__()
        owner = type(self).__name__
        self.learning_rate = check_rate(owner, "learning_rate", learning_rate)
        self.decay_rate = check_rate(owner, "decay_rate", decay_rate)
        self.decay_steps = check_positive_int(owner, "decay_steps", decay_steps)
        self.is_stair = check_bool(owner, "is_stair", is_stair)

    def _progress(self, global_step: Any) -> Any:
        if self.is_stair:
            # in whole numbers: a rounded quotient would put the stair a step off
            return ops.cast(ops.cast(global_step, int32) // self.decay_steps, float32)
        return ops.cast(global_step, float32) / self.decay_steps


class ExponentialDecayLR(_DecayLR):
    r"""``learning_rate * decay_rate ** (step / decay_steps)``.

    Args:
        learning_rate: the rate at step 0, a float above 0.
        decay_rate: the factor over ``decay_steps`` steps, a float above 0.
        decay_steps: an int above 0.
        is_stair: whether the rate changes only every ``decay_steps`` steps.

    Examples:
        >>> import mindspore as ms
        >>> from mindspore import Tensor, nn
        >>> print(nn.ExponentialDecayLR(0.1, 0.5, 2)(Tensor(4, ms.int32)))
        0.025
    """

    def construct(self, global_step: Any) -> Tensor:
        return self.learning_rate * ops.pow(self.decay_rate, self._progress(global_step))


class NaturalExpDecayLR(_DecayLR):
    """``learning_rate * exp(-decay_rate * step)``; with ``is_stair`` the step counts in multiples of ``decay_steps``.

    Examples:
        >>> import mindspore as ms
        >>> from mindspore import Tensor, nn
        >>> print(nn.NaturalExpDecayLR(0.1, 0.5, 2, True)(Tensor(1, ms.int32)))
        0.1
    """

    def construct(self, global_step: Any) -> Tensor:
        return self.learning_rate * ops.exp(-self.decay_rate * self.decay_steps * self._progress(global_step))


class InverseDecayLR(_DecayLR):
    """``learning_rate / (1 + decay_rate * step / decay_steps)``.

    Examples:
        >>> import mindspore as ms
        >>> from mindspore import Tensor, nn
        >>> print(nn.InverseDecayLR(0.1, 0.5, 1)(Tensor(2, ms.int32)))
        0.05
    """

    def construct(self, global_step: Any) -> Tensor:
        return self.learning_rate / (1 + self.decay_rate * self._progress(global_step))


@primitives(cos=ops.Cos, sin=ops.Sin, min=ops.Minimum, cast=ops.Cast)
class CosineDecayLR(LearningRateSchedule):
    """From ``max_lr`` to ``min_lr`` along half a period of a cosine over ``decay_steps`` steps, then ``min_lr``.

    Examples:
        >>> import mindspore as ms
        >>> from mindspore import Tensor, nn
        >>> print(nn.CosineDecayLR(0.0, 0.5, 4)(Tensor(4, ms.int32)))
        0.0
    """

    def __init__(self, min_lr: float, max_lr: float, decay_steps: int):
        super().__init__()
        check_rate_range("CosineDecayLR", min_lr, max_lr)
        self.min_lr = min_lr
        self.max_lr = max_lr
        self.decay_steps = check_positive_int("CosineDecayLR", "decay_steps", decay_steps)

    def construct(self, global_step: Any) -> Tensor:
        step = ops.minimum(ops.cast(global_step, float32), float(self.decay_steps))
        half = 0.5 * (self.max_lr - self.min_lr)
        return self.min_lr + half * (1.0 + ops.cos(step * (math.pi / self.decay_steps)))


@primitives(pow=ops.Pow, ceil=ops.Ceil, min=ops.Minimum, max=ops.Maximum)
class PolynomialDecayLR(LearningRateSchedule):
    """From ``learning_rate`` to ``end_learning_rate`` over ``decay_steps`` steps, by a power of what is left.

    Args:
        learning_rate: the rate at step 0, a float above 0.
        end_learning_rate: the rate at the end, a float from 0 on.
        decay_steps: an int above 0.
        power: a float above 0; 1.0 is linear.
        update_decay_steps: whether the decay starts again with a longer period each time it has ended.

    Examples:
        >>> import mindspore as ms
        >>> from mindspore import Tensor, nn
        >>> print(nn.PolynomialDecayLR(0.5, 0.0, 4, 1.0)(Tensor(3, ms.int32)))
        0.125
    """

    def __init__(self, learning_rate: float, end_learning_rate: float, decay_steps: int, power: float,
                 update_decay_steps: bool = False):  # fmt: skip
        super().__init__()
        owner = "PolynomialDecayLR"
        check_rate(owner, "learning_rate", learning_rate)
        self.end_learning_rate = check_rate(owner, "end_learning_rate", end_learning_rate, zero=True)
        self.decay_steps = check_positive_int(owner, "decay_steps", decay_steps)
        self.power = check_rate(owner, "power", power)
        self.update_decay_steps = check_bool(owner, "update_decay_steps", update_decay_steps)
        self.start_learning_rate = learning_rate
        self.diff_learning_rate = learning_rate - end_learning_rate

    def construct(self, global_step: Any) -> Tensor:
        step = ops.cast(global_step, float32)
        steps: Any = float(self.decay_steps)
        if self.update_decay_steps:
            passed = ops.cast(global_step, int32) + self.decay_steps - 1
            steps = steps * ops.maximum(ops.cast(passed // self.decay_steps, float32), 1.0)
        left = (steps - ops.minimum(step, steps)) / steps
        return self.diff_learning_rate * ops.pow(left, self.power) + self.end_learning_rate


@primitives(cast=ops.Cast, min=ops.Minimum)
class WarmUpLR(LearningRateSchedule):
    """From 0 to ``learning_rate`` in equal parts over ``warmup_steps`` steps, then ``learning_rate``.

    Examples:
        >>> import mindspore as ms
        >>> from mindspore import Tensor, nn
        >>> print(nn.WarmUpLR(0.5, 4)(Tensor(1, ms.int32)))
        0.125
    """

    def __init__(self, learning_rate: float, warmup_steps: int):
        super().__init__()
        self.learning_rate = check_rate("WarmUpLR", "learning_rate", learning_rate, zero=True)
        self.warmup_steps = check_positive_int("WarmUpLR", "warmup_steps", warmup_steps)

    def construct(self, global_step: Any) -> Tensor:
        step = ops.minimum(ops.cast(global_step, float32), float(self.warmup_steps))
        return self.learning_rate * (step / self.warmup_steps)
