"""EarlyStopping: ends training when a figure no longer improves."""

from __future__ import annotations

import numpy as np

from mindspore._engine.tensor.tensor import Tensor
from mindspore._utils.checks import check_bool, check_non_negative_int, check_type
from mindspore.nn.cell import Cell
from mindspore.train.callback._callback import RunContext
from mindspore.train.callback._resumable import ResumableCallback
from mindspore.train.callback._values import Monitored

__all__ = ["EarlyStopping"]


class EarlyStopping(ResumableCallback):
    """Ends training when a figure has not improved for some epochs.

    Args:
        monitor: 'eval_loss', the name of a metric, or 'loss' for the loss of training.
        min_delta: the least change that counts as an improvement.
        patience: how many epochs without improvement are accepted.
        verbose: whether to print a line when training ends.
        mode: 'min', 'max', or 'auto' to judge by the name of the figure.
        baseline: the figure must become better than this within the patience.
        restore_best_weights: whether the network gets back the Parameters of its best epoch.

    Examples:
        >>> from mindspore.train.callback import EarlyStopping
        >>> callback = EarlyStopping(monitor="accuracy", patience=3, mode="max", restore_best_weights=True)
    """

    _resumed = ("wait", "stopped_epoch", "best", "best_weights_param_dict")

    def __init__(
        self,
        monitor: str = "eval_loss",
        min_delta: float = 0,
        patience: int = 0,
        verbose: bool = False,
        mode: str = "auto",
        baseline: float | None = None,
        restore_best_weights: bool = False,
    ):
        super().__init__()
        name = "EarlyStopping"
        self.min_delta = abs(check_type(name, "min_delta", min_delta, (int, float)))
        self._figure = Monitored(name, monitor, mode, min_delta)
        self.is_improvement = self._figure.is_improvement  # of a value over the best; programs may set their own
        self.monitor, self.mode = monitor, mode
        self.patience = check_non_negative_int(name, "patience", patience)
        self.verbose = check_bool(name, "verbose", verbose)
        self.baseline = check_type(name, "baseline", baseline, (int, float, type(None)))
        self.restore_best_weights = check_bool(name, "restore_best_weights", restore_best_weights)
        self._reset()

    def _reset(self) -> None:
        self.wait = 0
        self.stopped_epoch = 0
        self.best = self._figure.worst
        self.best_weights_param_dict: dict[str, np.ndarray] = {}

    def on_train_epoch_end(self, run_context: RunContext) -> None:
        """Look at the figure; ask to stop after too many epochs without improvement."""
        cb_params = run_context.original_args()
        value = self._figure.value(cb_params)
        if value is None:
            return
        if self.restore_best_weights and not self.best_weights_param_dict:
            self._keep(cb_params.train_network)
        self.wait += 1
        if self.is_improvement(value, self.best):
            self.best = value
            if self.restore_best_weights:
                self._keep(cb_params.train_network)
            if self.baseline is None or self.is_improvement(value, self.baseline):
                self.wait = 0
        if self.wait >= self.patience:
            self.stopped_epoch = cb_params.cur_epoch_num
            run_context.request_stop()
            if self.restore_best_weights:
                self._restore(cb_params.train_network)

    def on_train_end(self, run_context: RunContext) -> None:
        """Say that training ended early."""
        if self.stopped_epoch > 0 and self.verbose:
            print(f"Epoch {self.stopped_epoch:05d}: early stopping", flush=True)

    def _keep(self, network: Cell) -> None:
        self.best_weights_param_dict = {
            name: parameter.asnumpy() for name, parameter in network.parameters_dict().items()
        }

    def _restore(self, network: Cell) -> None:
        if self.verbose:
            print("Restoring model weights from the end of the best epoch.", flush=True)
        for name, parameter in network.parameters_dict().items():
            if name in self.best_weights_param_dict:
                parameter.set_data(Tensor(self.best_weights_param_dict[name], parameter.dtype))
