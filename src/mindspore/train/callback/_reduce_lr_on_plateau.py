"""ReduceLROnPlateau: a smaller learning rate when a figure no longer improves."""

from __future__ import annotations

from typing import Any

import numpy as np

from mindspore._utils.checks import check_bool, check_float_range, check_non_negative_int, check_type
from mindspore.train.callback._callback import RunContext
from mindspore.train.callback._resumable import ResumableCallback
from mindspore.train.callback._values import Monitored, constant_rate, set_rate

__all__ = ["ReduceLROnPlateau"]


class ReduceLROnPlateau(ResumableCallback):
    """Multiplies the learning rate by a factor when a figure has not improved for some epochs.

    Args:
        monitor: 'eval_loss', the name of a metric, or 'loss' for the loss of training.
        factor: between 0 and 1.
        patience: how many epochs without improvement are accepted.
        verbose: whether to print a line when the rate changes.
        mode: 'min', 'max', or 'auto' to judge by the name of the figure.
        min_delta: the least change that counts as an improvement.
        cooldown: how many epochs after a change do not count.
        min_lr: the rate becomes no smaller than this.

    Examples:
        >>> from mindspore.train.callback import ReduceLROnPlateau
        >>> callback = ReduceLROnPlateau(monitor="eval_loss", factor=0.5, patience=2, min_lr=1e-5)
    """

    _resumed = ("cooldown_counter", "wait", "best")

    def __init__(
        self,
        monitor: str = "eval_loss",
        factor: float = 0.1,
        patience: int = 10,
        verbose: bool = False,
        mode: str = "auto",
        min_delta: float = 1e-4,
        cooldown: int = 0,
        min_lr: float = 0,
    ):
        super().__init__()
        name = "ReduceLROnPlateau"
        self.min_delta = abs(check_type(name, "min_delta", min_delta, (int, float)))
        self._figure = Monitored(name, monitor, mode, min_delta)
        self.is_improvement = self._figure.is_improvement  # of a value over the best; programs may set their own
        self.monitor, self.mode = monitor, mode
        self.factor = check_float_range(name, "factor", factor, 0.0, 1.0, include_low=False, include_high=False)
        self.patience = check_non_negative_int(name, "patience", patience)
        self.verbose = check_bool(name, "verbose", verbose)
        self.cooldown = check_non_negative_int(name, "cooldown", cooldown)
        self.min_lr = check_type(name, "min_lr", min_lr, (int, float))
        self._reset()

    def _reset(self) -> None:
        self.cooldown_counter = 0
        self.wait = 0
        self.best = self._figure.worst

    def on_train_epoch_end(self, run_context: RunContext) -> None:
        """Look at the figure; make the rate smaller after too many epochs without improvement."""
        cb_params = run_context.original_args()
        value = self._figure.value(cb_params)
        if value is None:
            return
        if self.cooldown_counter > 0:
            self.cooldown_counter -= 1
            self.wait = 0
        if self.is_improvement(value, self.best):
            self.best = value
            self.wait = 0
        elif self.cooldown_counter == 0:
            self.wait += 1
            if self.wait >= self.patience:
                self._reduce(cb_params)

    def _reduce(self, cb_params: Any) -> None:
        rate = constant_rate("ReduceLROnPlateau", cb_params)
        before = np.float32(rate.asnumpy())
        if before <= np.float32(self.min_lr):
            return
        # in float32, as the optimizer keeps it: the digits printed are the digits used
        after = max(before * np.float32(self.factor), np.float32(self.min_lr))
        set_rate(rate, float(after))
        self.cooldown_counter = self.cooldown
        self.wait = 0
        if self.verbose:
            print(
                f"Epoch {cb_params.cur_epoch_num:05d}: ReduceLROnPlateau reducing learning rate to {after!s}.",
                flush=True,
            )
