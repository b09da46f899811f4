"""Schedulers that follow something else: a metric, or other schedulers."""

from __future__ import annotations

from bisect import bisect_right
from typing import Any

from mindspore._engine.base.dtype import float32
from mindspore._engine.tensor.tensor import Tensor
from mindspore._utils.checks import check_float_range, check_int, check_one_of, check_type, shown
from mindspore.experimental.optim._scheduler import LRScheduler
from mindspore.experimental.optim.optimizer import Optimizer


class _SetsRates:
    """A schedule that reads the learning rates back from its optimizer."""

    optimizer: Any

    @property
    def _last_lr(self) -> list[Tensor]:
        return [rate.value() for rate in self.optimizer.lrs]

    def get_last_lr(self) -> list[Tensor]:
        """The rates that were set last."""
        return self._last_lr


class SequentialLR(_SetsRates):
    """Schedulers in sequence: the next takes over at each milestone.

    Args:
        schedulers: a list of schedulers of ``optimizer``.
        milestones: the epochs at which the second, third ... begins.

    Examples:
        >>> from mindspore import Parameter, Tensor
        >>> from mindspore.experimental import optim
        >>> optimizer = optim.SGD([Parameter(Tensor([1.0]), name="w")], 0.5)
        >>> first = optim.lr_scheduler.ConstantLR(optimizer, factor=0.5, total_iters=4)
        >>> second = optim.lr_scheduler.ExponentialLR(optimizer, gamma=0.5)
        >>> scheduler = optim.lr_scheduler.SequentialLR(optimizer, [first, second], [1])
        >>> for _ in range(2):
        ...     _ = scheduler.step()
        >>> print(scheduler.get_last_lr()[0])
        0.25
    """

    def __init__(
        self, optimizer: Optimizer, schedulers: list[LRScheduler], milestones: list[int], last_epoch: int = -1
    ):
        check_type("SequentialLR", "schedulers", schedulers, (list, tuple))
        check_type("SequentialLR", "milestones", milestones, (list, tuple))
        for one in schedulers:
            check_type("SequentialLR", "schedulers", one, LRScheduler)
        if len(milestones) != len(schedulers) - 1:
            raise ValueError(
                f"For 'SequentialLR', there must be one milestone less than schedulers, but got {len(schedulers)} schedulers and "
                f"{len(milestones)} milestones."
            )
        for index, scheduler in enumerate(schedulers):
            if scheduler.optimizer is not optimizer:
                raise ValueError(f"For 'SequentialLR', schedulers[{index}] belongs to another optimizer.")
        self.optimizer = optimizer
        self._schedulers = schedulers
        self._milestones = milestones
        self.last_epoch = last_epoch + 1
        # only the first scheduler has begun: what the others did when they were made is undone
        for group in optimizer.param_groups:
            group["lr"] = group["initial_lr"]
        for scheduler in schedulers:
            scheduler.last_epoch.set_data(scheduler._epoch - 1.0)
        schedulers[0].step()

    def step(self) -> None:
        """Go to the next epoch."""
        self.last_epoch += 1
        present = bisect_right(self._milestones, self.last_epoch)
        scheduler = self._schedulers[present]
        if present and self._milestones[present - 1] == self.last_epoch:
            scheduler.step(0)
        else:
            scheduler.step()


class ReduceLROnPlateau(_SetsRates):
    """Rates times ``factor`` when a metric has not become better for more than ``patience`` steps.

    Args:
        mode: whether a 'min' or a 'max' of the metric is wanted.
        factor: below 1.
        threshold, threshold_mode: how much better counts: relative ('rel') to the best so far, or absolute ('abs').
        cooldown: how many steps after a change are not counted.
        min_lr: the lowest rate, or a list with an entry per group.
        eps: changes smaller than this are left out.

    Examples:
        >>> from mindspore import Parameter, Tensor
        >>> from mindspore.experimental import optim
        >>> optimizer = optim.SGD([Parameter(Tensor([1.0]), name="w")], 0.5)
        >>> scheduler = optim.lr_scheduler.ReduceLROnPlateau(optimizer, factor=0.5, patience=0)
        >>> for loss in (1.0, 2.0):
        ...     _ = scheduler.step(loss)
        >>> print(scheduler.get_last_lr()[0])
        0.25
    """

    def __init__(self, optimizer: Optimizer, mode: str = "min", factor: float = 0.1, patience: int = 10,
                 threshold: float = 1e-4, threshold_mode: str = "rel", cooldown: int = 0, min_lr: Any = 0,
                 eps: float = 1e-8):  # fmt: skip
        owner = "ReduceLROnPlateau"
        if not isinstance(optimizer, Optimizer):
            raise TypeError(
                f"For '{owner}', the 'optimizer' must be an Optimizer of mindspore.experimental.optim, but got {shown(optimizer)}."
            )
        self.optimizer = optimizer
        self.mode = check_one_of(owner, "mode", mode, ("min", "max"))
        self.threshold_mode = check_one_of(owner, "threshold_mode", threshold_mode, ("rel", "abs"))
        self.factor = check_float_range(owner, "factor", factor, 0.0, 1.0, include_high=False)
        self.patience = check_int(owner, "patience", patience, low=0)
        self.threshold = check_float_range(owner, "threshold", threshold, 0.0, float("inf"))
        self.cooldown = check_int(owner, "cooldown", cooldown, low=0)
        self.eps = check_type(owner, "eps", eps, (int, float))
        count = len(optimizer.param_groups)
        self.min_lrs = list(min_lr) if isinstance(min_lr, (list, tuple)) else [min_lr] * count
        if len(self.min_lrs) != count:
            raise ValueError(f"For '{owner}', expected {count} min_lrs, one per group, but got {len(self.min_lrs)}.")
        self.mode_worse = float("inf") if mode == "min" else float("-inf")
        self.best = self.mode_worse
        self.wait = 0
        self.cooldown_counter = 0
        self.last_epoch = 0

    def in_cooldown(self) -> bool:
        """Whether a change was so recent that steps are not counted."""
        return self.cooldown_counter > 0

    def step(self, metrics: Any) -> bool:
        """Look at the metric of this epoch, and reduce the rates if it is time."""
        present = float(metrics)
        self.last_epoch += 1
        if self._is_improvement(present):
            self.best, self.wait = present, 0
        else:
            self.wait += 1
        if self.in_cooldown():
            self.cooldown_counter -= 1
            self.wait = 0
        if self.wait > self.patience:
            self._reduce_lr()
            self.cooldown_counter, self.wait = self.cooldown, 0
        return True

    def _is_improvement(self, present: float) -> bool:
        sign = 1 if self.mode == "max" else -1
        if self.best == self.mode_worse:
            return sign * present > sign * self.best
        margin = self.threshold * (self.best if self.threshold_mode == "rel" else 1.0)
        return sign * present > sign * (self.best + sign * margin)

    def _reduce_lr(self) -> None:
        for rate, least in zip(self.optimizer.lrs, self.min_lrs):
            before = float(rate)
            after = max(before * self.factor, float(least))
            if before - after > self.eps:
                rate.set_data(Tensor(after, float32))
