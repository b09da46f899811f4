"""Schedulers: change the learning rates of an optimizer of ``experimental.optim`` from epoch to epoch."""

from __future__ import annotations

from bisect import bisect_right
from collections import Counter
from collections.abc import Callable, Sequence
from typing import Any

from mindspore._utils.checks import check_callable, check_float_range, check_int, check_positive_int, check_type
from mindspore._utils.documented import claim as _claim
from mindspore.experimental.optim._cycles import CosineAnnealingLR, CosineAnnealingWarmRestarts, CyclicLR
from mindspore.experimental.optim._reactive import ReduceLROnPlateau, SequentialLR
from mindspore.experimental.optim._scheduler import LRScheduler
from mindspore.experimental.optim.optimizer import Optimizer

__all__ = [
    "ConstantLR",
    "CosineAnnealingLR",
    "CosineAnnealingWarmRestarts",
    "CyclicLR",
    "ExponentialLR",
    "LRScheduler",
    "LambdaLR",
    "LinearLR",
    "MultiStepLR",
    "MultiplicativeLR",
    "PolynomialLR",
    "ReduceLROnPlateau",
    "SequentialLR",
    "StepLR",
]


class StepLR(LRScheduler):
    """Rates times ``gamma`` every ``step_size`` epochs.

    Examples:
        >>> from mindspore import Parameter, Tensor
        >>> from mindspore.experimental import optim
        >>> optimizer = optim.SGD([Parameter(Tensor([1.0]), name="w")], 0.5)
        >>> scheduler = optim.lr_scheduler.StepLR(optimizer, step_size=2, gamma=0.5)
        >>> for _ in range(2):
        ...     _ = scheduler.step()
        >>> print(scheduler.get_last_lr()[0])
        0.25
    """

    def __init__(self, optimizer: Optimizer, step_size: int, gamma: float = 0.1, last_epoch: int = -1):
        self.step_size = check_positive_int("StepLR", "step_size", step_size)
        self.gamma = check_type("StepLR", "gamma", gamma, float)
        super().__init__(optimizer, last_epoch)

    def get_lr(self) -> list[float]:
        changes = self._epoch > 0 and self._epoch % self.step_size == 0
        return [rate * self.gamma if changes else rate for rate in self._present]

    def _get_closed_form_lr(self) -> list[float]:
        return [rate * self.gamma ** (self._epoch // self.step_size) for rate in self._first]


class MultiStepLR(LRScheduler):
    """Rates times ``gamma`` at each epoch in ``milestones``.

    Examples:
        >>> from mindspore import Parameter, Tensor
        >>> from mindspore.experimental import optim
        >>> optimizer = optim.SGD([Parameter(Tensor([1.0]), name="w")], 0.5)
        >>> scheduler = optim.lr_scheduler.MultiStepLR(optimizer, [1, 3], gamma=0.5)
        >>> _ = scheduler.step()
        >>> print(scheduler.get_last_lr()[0])
        0.25
    """

    def __init__(self, optimizer: Optimizer, milestones: list[int], gamma: float = 0.1, last_epoch: int = -1):
        check_type("MultiStepLR", "milestones", milestones, list)
        for milestone in milestones:
            check_int("MultiStepLR", "milestones", milestone)
        self.milestones = Counter(milestones)
        self.gamma = check_type("MultiStepLR", "gamma", gamma, float)
        super().__init__(optimizer, last_epoch)

    def get_lr(self) -> list[float]:
        return [rate * self.gamma ** self.milestones[self._epoch] for rate in self._present]

    def _get_closed_form_lr(self) -> list[float]:
        passed = bisect_right(sorted(self.milestones.elements()), self._epoch)
        return [rate * self.gamma**passed for rate in self._first]


class ExponentialLR(LRScheduler):
    """Rates times ``gamma`` every epoch.

    Examples:
        >>> from mindspore import Parameter, Tensor
        >>> from mindspore.experimental import optim
        >>> optimizer = optim.SGD([Parameter(Tensor([1.0]), name="w")], 0.5)
        >>> scheduler = optim.lr_scheduler.ExponentialLR(optimizer, gamma=0.5)
        >>> _ = scheduler.step()
        >>> print(scheduler.get_last_lr()[0])
        0.25
    """

    def __init__(self, optimizer: Optimizer, gamma: float, last_epoch: int = -1):
        self.gamma = check_type("ExponentialLR", "gamma", gamma, float)
        super().__init__(optimizer, last_epoch)

    def get_lr(self) -> list[float]:
        return [rate * self.gamma if self._epoch > 0 else rate for rate in self._present]

    def _get_closed_form_lr(self) -> list[float]:
        return [rate * self.gamma**self._epoch for rate in self._first]


class ConstantLR(LRScheduler):
    """Rates times ``factor`` until epoch ``total_iters``.

    Examples:
        >>> from mindspore import Parameter, Tensor
        >>> from mindspore.experimental import optim
        >>> optimizer = optim.SGD([Parameter(Tensor([1.0]), name="w")], 0.5)
        >>> print(optim.lr_scheduler.ConstantLR(optimizer, factor=0.5).get_last_lr()[0])
        0.25
    """

    def __init__(self, optimizer: Optimizer, factor: float = 1.0 / 3, total_iters: int = 5, last_epoch: int = -1):
        self.factor = check_float_range("ConstantLR", "factor", factor, 0.0, 1.0)
        self.total_iters = check_int("ConstantLR", "total_iters", total_iters, low=0)
        super().__init__(optimizer, last_epoch)

    def get_lr(self) -> list[float]:
        if self._epoch == 0:
            return [rate * self.factor for rate in self._present]
        return [rate / self.factor if self._epoch == self.total_iters else rate for rate in self._present]

    def _get_closed_form_lr(self) -> list[float]:
        return [rate * (self.factor if self._epoch < self.total_iters else 1.0) for rate in self._first]


class LinearLR(LRScheduler):
    """Rates times a factor that goes from ``start_factor`` to ``end_factor`` over ``total_iters`` epochs.

    Examples:
        >>> from mindspore import Parameter, Tensor
        >>> from mindspore.experimental import optim
        >>> optimizer = optim.SGD([Parameter(Tensor([1.0]), name="w")], 0.5)
        >>> print(optim.lr_scheduler.LinearLR(optimizer, start_factor=0.5).get_last_lr()[0])
        0.25
    """

    def __init__(self, optimizer: Optimizer, start_factor: float = 1.0 / 3, end_factor: float = 1.0, total_iters: int = 5,
                 last_epoch: int = -1):  # fmt: skip
        self.start_factor = check_float_range("LinearLR", "start_factor", start_factor, 0.0, 1.0, include_low=False)
        self.end_factor = check_float_range("LinearLR", "end_factor", end_factor, 0.0, 1.0)
        self.total_iters = check_positive_int("LinearLR", "total_iters", total_iters)
        super().__init__(optimizer, last_epoch)

    def get_lr(self) -> list[float]:
        if self._epoch == 0:
            return [rate * self.start_factor for rate in self._present]
        if self._epoch > self.total_iters:
            return self._present
        return [rate * self._factor(self._epoch) / self._factor(self._epoch - 1) for rate in self._present]

    def _factor(self, epoch: int) -> float:
        share = min(epoch, self.total_iters) / self.total_iters
        return self.start_factor + (self.end_factor - self.start_factor) * share

    def _get_closed_form_lr(self) -> list[float]:
        return [rate * self._factor(self._epoch) for rate in self._first]


class PolynomialLR(LRScheduler):
    """Rates times ``(1 - epoch / total_iters) ** power``, which is 0 from epoch ``total_iters`` on.

    Examples:
        >>> from mindspore import Parameter, Tensor
        >>> from mindspore.experimental import optim
        >>> optimizer = optim.SGD([Parameter(Tensor([1.0]), name="w")], 0.5)
        >>> scheduler = optim.lr_scheduler.PolynomialLR(optimizer, total_iters=2)
        >>> _ = scheduler.step()
        >>> print(scheduler.get_last_lr()[0])
        0.25
    """

    def __init__(self, optimizer: Optimizer, total_iters: int = 5, power: float = 1.0, last_epoch: int = -1):
        self.total_iters = check_positive_int("PolynomialLR", "total_iters", total_iters)
        self.power = check_type("PolynomialLR", "power", power, float)
        super().__init__(optimizer, last_epoch)

    def get_lr(self) -> list[float]:
        if self._epoch == 0 or self._epoch > self.total_iters:
            return self._present
        left = (self.total_iters - self._epoch) / (self.total_iters - self._epoch + 1)
        return [rate * left**self.power for rate in self._present]

    def _get_closed_form_lr(self) -> list[float]:
        left = 1 - min(self._epoch, self.total_iters) / self.total_iters
        return [rate * left**self.power for rate in self._first]


class _FunctionLR(LRScheduler):
    """What LambdaLR and MultiplicativeLR share: a function of the epoch per group."""

    def __init__(self, optimizer: Optimizer, lr_lambda: Any, last_epoch: int = -1):
        owner = type(self).__name__
        count = len(optimizer.param_groups) if isinstance(optimizer, Optimizer) else 0
        several = isinstance(lr_lambda, (list, tuple))
        self.lr_lambdas = list(lr_lambda) if several else [lr_lambda] * count
        if several and count and len(self.lr_lambdas) != count:
            raise ValueError(
                f"For '{owner}', expected {count} lr_lambdas, one per group, but got {len(self.lr_lambdas)}."
            )
        for function in self.lr_lambdas:
            check_callable(owner, "lr_lambda", function)
        super().__init__(optimizer, last_epoch)

    @property
    def _factors(self) -> list[float]:
        return [float(function(self._epoch)) for function in self.lr_lambdas]


class LambdaLR(_FunctionLR):
    """The first rates times a function of the epoch.

    Args:
        lr_lambda: the function, or a list with a function per group.

    Examples:
        >>> from mindspore import Parameter, Tensor
        >>> from mindspore.experimental import optim
        >>> optimizer = optim.SGD([Parameter(Tensor([1.0]), name="w")], 0.5)
        >>> print(optim.lr_scheduler.LambdaLR(optimizer, lambda epoch: 0.5 + epoch).get_last_lr()[0])
        0.25
    """

    def __init__(self, optimizer: Optimizer, lr_lambda: Callable[[int], float] | Sequence[Callable[[int], float]],
                 last_epoch: int = -1):  # fmt: skip
        super().__init__(optimizer, lr_lambda, last_epoch)

    def get_lr(self) -> list[float]:
        return [rate * factor for rate, factor in zip(self._first, self._factors)]


class MultiplicativeLR(_FunctionLR):
    """The present rates times a function of the epoch, at every epoch but the first.

    Args:
        lr_lambda: the function, or a list with a function per group.

    Examples:
        >>> from mindspore import Parameter, Tensor
        >>> from mindspore.experimental import optim
        >>> optimizer = optim.SGD([Parameter(Tensor([1.0]), name="w")], 0.5)
        >>> scheduler = optim.lr_scheduler.MultiplicativeLR(optimizer, lambda epoch: 0.5)
        >>> _ = scheduler.step()
        >>> print(scheduler.get_last_lr()[0])
        0.25
    """

    def __init__(self, optimizer: Optimizer, lr_lambda: Callable[[int], float] | Sequence[Callable[[int], float]],
                 last_epoch: int = -1):  # fmt: skip
        super().__init__(optimizer, lr_lambda, last_epoch)

    def get_lr(self) -> list[float]:
        if self._epoch == 0:
            return self._present
        return [rate * factor for rate, factor in zip(self._present, self._factors)]


_claim(__name__)
