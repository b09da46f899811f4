"""Schedulers that go up and down: cosine annealing, warm restarts, cycles."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

from mindspore._utils.checks import check_callable, check_one_of, check_positive_int, check_type
from mindspore.experimental.optim._scheduler import LRScheduler
from mindspore.experimental.optim.optimizer import Optimizer


class CosineAnnealingLR(LRScheduler):
    """Rates along a cosine between the initial rates and ``eta_min``, half a wave in ``T_max`` epochs.

    Examples:
        >>> from mindspore import Parameter, Tensor
        >>> from mindspore.experimental import optim
        >>> optimizer = optim.SGD([Parameter(Tensor([1.0]), name="w")], 0.5)
        >>> scheduler = optim.lr_scheduler.CosineAnnealingLR(optimizer, T_max=2)
        >>> _ = scheduler.step()
        >>> print(scheduler.get_last_lr()[0])
        0.25
    """

    def __init__(self, optimizer: Optimizer, T_max: int, eta_min: float = 0.0, last_epoch: int = -1):
        self.T_max = check_positive_int("CosineAnnealingLR", "T_max", T_max)
        self.eta_min = check_type("CosineAnnealingLR", "eta_min", eta_min, (int, float))
        super().__init__(optimizer, last_epoch)

    def get_lr(self) -> list[float]:
        epoch, half = self._epoch, self.T_max
        if epoch == 0:
            return self._present
        if (epoch - 1 - half) % (2 * half) == 0:  # the first step up from the lowest point
            rise = (1 - math.cos(math.pi / half)) / 2
            return [rate + (first - self.eta_min) * rise for first, rate in zip(self._first, self._present)]
        factor = (1 + math.cos(math.pi * epoch / half)) / (1 + math.cos(math.pi * (epoch - 1) / half))
        return [factor * (rate - self.eta_min) + self.eta_min for rate in self._present]

    def _get_closed_form_lr(self) -> list[float]:
        height = (1 + math.cos(math.pi * self._epoch / self.T_max)) / 2
        return [self.eta_min + (rate - self.eta_min) * height for rate in self._first]


class CosineAnnealingWarmRestarts(LRScheduler):
    """Rates down a cosine from the initial rates to ``eta_min``, again and again; each time takes ``T_mult`` times as long.

    Examples:
        >>> from mindspore import Parameter, Tensor
        >>> from mindspore.experimental import optim
        >>> optimizer = optim.SGD([Parameter(Tensor([1.0]), name="w")], 0.5)
        >>> scheduler = optim.lr_scheduler.CosineAnnealingWarmRestarts(optimizer, T_0=2)
        >>> _ = scheduler.step()
        >>> print(scheduler.get_last_lr()[0])
        0.25
    """

    def __init__(self, optimizer: Optimizer, T_0: int, T_mult: int = 1, eta_min: float = 0,
                 last_epoch: int = -1):  # fmt: skip
        owner = "CosineAnnealingWarmRestarts"
        self.T_0 = check_positive_int(owner, "T_0", T_0)
        self.T_mult = check_positive_int(owner, "T_mult", T_mult)
        self.eta_min = check_type(owner, "eta_min", eta_min, (int, float))
        super().__init__(optimizer, last_epoch)

    def step(self, epoch: float | None = None) -> None:
        """Go to the next or the given epoch, which may be a fraction, and set its rates."""
        super().step(epoch)

    def get_lr(self) -> list[float]:
        done, length = float(self.last_epoch), self.T_0
        while done >= length:
            done, length = done - length, length * self.T_mult
        height = (1 + math.cos(math.pi * done / length)) / 2
        return [self.eta_min + (rate - self.eta_min) * height for rate in self._first]


class CyclicLR(LRScheduler):
    """Rates between ``base_lr`` and ``max_lr``, up in ``step_size_up`` steps and down in ``step_size_down``.

    Args:
        base_lr, max_lr: numbers, or lists with an entry per group.
        step_size_up, step_size_down: ints; down is as long as up unless given.
        mode: 'triangular', 'triangular2' (each cycle half as high), 'exp_range' (height times ``gamma ** step``).
        gamma: for 'exp_range'.
        scale_fn: a function of the height instead of a mode.
        scale_mode: whether ``scale_fn`` gets the number of the 'cycle' or of the 'iterations'.

    Examples:
        >>> from mindspore import Parameter, Tensor
        >>> from mindspore.experimental import optim
        >>> optimizer = optim.SGD([Parameter(Tensor([1.0]), name="w")], 0.5)
        >>> scheduler = optim.lr_scheduler.CyclicLR(optimizer, base_lr=0.0, max_lr=0.5, step_size_up=2)
        >>> _ = scheduler.step()
        >>> print(scheduler.get_last_lr()[0])
        0.25
    """

    def __init__(self, optimizer: Optimizer, base_lr: Any, max_lr: Any, step_size_up: int = 2000,
                 step_size_down: int | None = None, mode: str = "triangular", gamma: float = 1.0,
                 scale_fn: Callable[[float], float] | None = None, scale_mode: str = "cycle",
                 last_epoch: int = -1):  # fmt: skip
        count = len(optimizer.param_groups) if isinstance(optimizer, Optimizer) else 0
        self.lows = _each("base_lr", base_lr, count)
        self.max_lrs = _each("max_lr", max_lr, count)
        self.step_size_up = check_positive_int("CyclicLR", "step_size_up", step_size_up)
        down = step_size_up if step_size_down is None else step_size_down
        self.step_size_down = check_positive_int("CyclicLR", "step_size_down", down)
        self.gamma = check_type("CyclicLR", "gamma", gamma, float)
        if scale_fn is None:
            modes = {"triangular": (lambda cycle: 1.0, "cycle"), "triangular2": (lambda cycle: 0.5 ** (cycle - 1), "cycle"),
                     "exp_range": (lambda iteration: self.gamma**iteration, "iterations")}  # fmt: skip
            self._scale, self.scale_mode = modes[check_one_of("CyclicLR", "mode", mode, tuple(modes))]
        else:
            self._scale = check_callable("CyclicLR", "scale_fn", scale_fn)
            self.scale_mode = check_one_of("CyclicLR", "scale_mode", scale_mode, ("cycle", "iterations"))
        self.mode = mode
        super().__init__(optimizer, last_epoch)
        self.base_lrs = self.lows

    def scale_fn(self, x: float) -> float:
        """The height of a cycle."""
        return self._scale(x)

    def get_lr(self) -> list[float]:
        epoch, total = self._epoch, self.step_size_up + self.step_size_down
        cycle, position = epoch // total + 1, epoch % total
        up = position <= self.step_size_up
        share = position / self.step_size_up if up else (total - position) / self.step_size_down
        height = share * self.scale_fn(cycle if self.scale_mode == "cycle" else epoch)
        return [low + (high - low) * height for low, high in zip(self.lows, self.max_lrs)]


def _each(name: str, value: Any, count: int) -> list[float]:
    values = list(value) if isinstance(value, (list, tuple)) else [value] * count
    if count and len(values) != count:
        raise ValueError(f"For 'CyclicLR', the '{name}' must be a number or a list of {count}, but got {len(values)}.")
    return [float(check_type("CyclicLR", name, number, (int, float))) for number in values]
