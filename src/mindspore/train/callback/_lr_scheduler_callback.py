"""LearningRateScheduler: a function decides the learning rate, step by step."""

from __future__ import annotations

from collections.abc import Callable

from mindspore._engine.tensor.tensor import Tensor
from mindspore._utils.checks import check_callable, shown
from mindspore._utils.refusals import refused
from mindspore.train.callback._callback import Callback, RunContext
from mindspore.train.callback._values import constant_rate, in_training, set_rate, shortest

__all__ = ["LearningRateScheduler"]


class LearningRateScheduler(Callback):
    """After each step the learning rate becomes what ``learning_rate_function(rate, step)`` returns.

    Args:
        learning_rate_function: called with the rate so far and the number of the step, from 1.

    Examples:
        >>> from mindspore.train.callback import LearningRateScheduler
        >>> callback = LearningRateScheduler(lambda rate, step: rate * 0.1 if step % 1000 == 0 else rate)
    """

    def __init__(self, learning_rate_function: Callable[[float, int], float]):
        self.learning_rate_function = check_callable(
            "LearningRateScheduler", "learning_rate_function", learning_rate_function
        )

    def step_end(self, run_context: RunContext) -> None:
        """Ask for the rate of the next step."""
        cb_params = run_context.original_args()
        if not in_training(cb_params):
            return
        rate = constant_rate("LearningRateScheduler", cb_params)
        before = shortest(rate.asnumpy())
        after = self.learning_rate_function(before, cb_params.cur_step_num)
        try:
            number = float(after.asnumpy() if isinstance(after, Tensor) else after)
        except (TypeError, ValueError):
            raise refused(
                TypeError,
                f"For 'LearningRateScheduler', the 'learning_rate_function' must return a number, but got {shown(after)}.",
            ) from None
        if number != before:
            set_rate(rate, number)
