"""Learning rates as tables: lists with a rate per step, for an optimizer."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence

from mindspore._utils.checks import check_bool, check_positive_int, check_type
from mindspore._utils.refusals import refused
from mindspore.nn._rates import check_rate, check_rate_range

__all__ = [
    "cosine_decay_lr",
    "exponential_decay_lr",
    "inverse_decay_lr",
    "natural_exp_decay_lr",
    "piecewise_constant_lr",
    "polynomial_decay_lr",
    "warmup_lr",
]


def _table(rate: Callable[[int], float], total_step: int, step_per_epoch: int) -> list[float]:
    """The rate of the epoch of every step."""
    return [rate(step // step_per_epoch) for step in range(total_step)]


def _check_steps(owner: str, **numbers: int) -> None:
    for name, value in numbers.items():
        check_positive_int(owner, name, value)


def _check_decay(owner: str, learning_rate: float, decay_rate: float, is_stair: bool, **numbers: int) -> None:
    check_rate(owner, "learning_rate", learning_rate)
    check_rate(owner, "decay_rate", decay_rate)
    check_bool(owner, "is_stair", is_stair)
    _check_steps(owner, **numbers)


def piecewise_constant_lr(milestone: Sequence[int], learning_rates: Sequence[float]) -> list[float]:
    """``learning_rates[k]`` up to step ``milestone[k]``, which is not included.

    Examples:
        >>> from mindspore import nn
        >>> nn.piecewise_constant_lr([2, 3], [0.1, 0.01])
        [0.1, 0.1, 0.01]
    """
    owner = "piecewise_constant_lr"
    check_type(owner, "milestone", milestone, (tuple, list))
    check_type(owner, "learning_rates", learning_rates, (tuple, list))
    if len(milestone) != len(learning_rates):
        raise refused(
            ValueError,
            f"For '{owner}', the 'milestone' and 'learning_rates' must have the same length, but got {len(milestone)} and "
            f"{len(learning_rates)}.",
        )
    table: list[float] = []
    for index, (end, rate) in enumerate(zip(milestone, learning_rates)):
        check_positive_int(owner, f"milestone[{index}]", end)
        check_type(owner, f"learning_rates[{index}]", rate, float)
        if end < len(table):
            raise refused(
                ValueError,
                f"For '{owner}', the 'milestone' must not decrease, but got milestone[{index}]={end} after {len(table)}.",
            )
        table += [rate] * (end - len(table))
    return table


def exponential_decay_lr(learning_rate: float, decay_rate: float, total_step: int, step_per_epoch: int, decay_epoch: int,
                         is_stair: bool = False) -> list[float]:  # fmt: skip
    """``learning_rate * decay_rate ** (epoch / decay_epoch)`` for every step; with ``is_stair`` the exponent is rounded down.

    Examples:
        >>> from mindspore import nn
        >>> nn.exponential_decay_lr(0.5, 0.5, 6, 2, 1)
        [0.5, 0.5, 0.25, 0.25, 0.125, 0.125]
    """
    _check_decay("exponential_decay_lr", learning_rate, decay_rate, is_stair, total_step=total_step,
                 step_per_epoch=step_per_epoch, decay_epoch=decay_epoch)  # fmt: skip

    def rate(epoch: int) -> float:
        return learning_rate * decay_rate ** (epoch // decay_epoch if is_stair else epoch / decay_epoch)

    return _table(rate, total_step, step_per_epoch)


def natural_exp_decay_lr(learning_rate: float, decay_rate: float, total_step: int, step_per_epoch: int, decay_epoch: int,
                         is_stair: bool = False) -> list[float]:  # fmt: skip
    """``learning_rate * exp(-decay_rate * epoch)`` for every step; with ``is_stair`` by multiples of ``decay_epoch``.

    Examples:
        >>> from mindspore import nn
        >>> nn.natural_exp_decay_lr(0.1, 0.9, 3, 1, 2, True)
        [0.1, 0.1, 0.016529888822158657]
    """
    _check_decay("natural_exp_decay_lr", learning_rate, decay_rate, is_stair, total_step=total_step,
                 step_per_epoch=step_per_epoch, decay_epoch=decay_epoch)  # fmt: skip

    def rate(epoch: int) -> float:
        # e ** x, not exp(x): the last bit is MindSpore's
        return learning_rate * math.e ** (-decay_rate * (epoch // decay_epoch * decay_epoch if is_stair else epoch))

    return _table(rate, total_step, step_per_epoch)


def inverse_decay_lr(learning_rate: float, decay_rate: float, total_step: int, step_per_epoch: int, decay_epoch: int,
                     is_stair: bool = False) -> list[float]:  # fmt: skip
    """``learning_rate / (1 + decay_rate * epoch / decay_epoch)`` for every step; ``is_stair`` rounds the quotient down.

    Examples:
        >>> from mindspore import nn
        >>> nn.inverse_decay_lr(0.5, 1.0, 4, 2, 1)
        [0.5, 0.5, 0.25, 0.25]
    """
    _check_decay("inverse_decay_lr", learning_rate, decay_rate, is_stair, total_step=total_step,
                 step_per_epoch=step_per_epoch, decay_epoch=decay_epoch)  # fmt: skip

    def rate(epoch: int) -> float:
        return learning_rate / (
            1 + (decay_rate * (epoch // decay_epoch) if is_stair else decay_rate * epoch / decay_epoch)
        )

    return _table(rate, total_step, step_per_epoch)


def cosine_decay_lr(
    min_lr: float, max_lr: float, total_step: int, step_per_epoch: int, decay_epoch: int
) -> list[float]:
    """From ``max_lr`` to ``min_lr`` along half a period of a cosine over ``decay_epoch`` epochs, then ``min_lr``.

    Examples:
        >>> from mindspore import nn
        >>> nn.cosine_decay_lr(0.0, 1.0, 3, 1, 2)
        [1.0, 0.5, 0.0]
    """
    check_rate_range("cosine_decay_lr", min_lr, max_lr)
    _check_steps("cosine_decay_lr", total_step=total_step, step_per_epoch=step_per_epoch, decay_epoch=decay_epoch)

    def rate(epoch: int) -> float:
        return min_lr + 0.5 * (max_lr - min_lr) * (1 + math.cos(math.pi * min(epoch, decay_epoch) / decay_epoch))

    return _table(rate, total_step, step_per_epoch)


def polynomial_decay_lr(learning_rate: float, end_learning_rate: float, total_step: int, step_per_epoch: int,
                        decay_epoch: int, power: float, update_decay_epoch: bool = False) -> list[float]:  # fmt: skip
    """From ``learning_rate`` to ``end_learning_rate`` over ``decay_epoch`` epochs, by a power of what is left.

    With ``update_decay_epoch`` the decay starts again with a longer period each time it has ended.

    Examples:
        >>> from mindspore import nn
        >>> nn.polynomial_decay_lr(1.0, 0.0, 3, 1, 2, 1.0)
        [1.0, 0.5, 0.0]
    """
    owner = "polynomial_decay_lr"
    check_rate(owner, "learning_rate", learning_rate)
    check_rate(owner, "end_learning_rate", end_learning_rate, zero=True)
    check_rate(owner, "power", power)
    check_bool(owner, "update_decay_epoch", update_decay_epoch)
    _check_steps(owner, total_step=total_step, step_per_epoch=step_per_epoch, decay_epoch=decay_epoch)

    def rate(epoch: int) -> float:
        period = decay_epoch * max(math.ceil(epoch / decay_epoch), 1) if update_decay_epoch else decay_epoch
        return (learning_rate - end_learning_rate) * (1 - min(epoch, period) / period) ** power + end_learning_rate

    return _table(rate, total_step, step_per_epoch)


def warmup_lr(learning_rate: float, total_step: int, step_per_epoch: int, warmup_epoch: int) -> list[float]:
    """From 0 to ``learning_rate`` in equal parts over ``warmup_epoch`` epochs, then ``learning_rate``.

    Examples:
        >>> from mindspore import nn
        >>> nn.warmup_lr(0.5, 3, 1, 2)
        [0.0, 0.25, 0.5]
    """
    check_rate("warmup_lr", "learning_rate", learning_rate, zero=True)
    _check_steps("warmup_lr", total_step=total_step, step_per_epoch=step_per_epoch, warmup_epoch=warmup_epoch)
    return _table(lambda epoch: learning_rate * min(epoch, warmup_epoch) / warmup_epoch, total_step, step_per_epoch)
