"""TimeMonitor: prints how long an epoch took."""

from __future__ import annotations

import time
from typing import Any

from mindspore._utils.checks import check_bool, check_positive_int
from mindspore.train.callback._callback import Callback, RunContext
from mindspore.train.callback._values import in_training, loss_number

__all__ = ["TimeMonitor"]


class TimeMonitor(Callback):
    """Prints ``Train epoch time: 1234.567 ms, per step time: 0.658 ms`` after each epoch.

    The time of an evaluation within an epoch is not counted as training.

    Args:
        data_size: steps per epoch, needed only where the run does not know them.
        data_time: whether the time spent waiting for data is added: `` (data time: 3.210 ms)``.

    Examples:
        >>> from mindspore.train.callback import RunContext, TimeMonitor
        >>> from mindspore.train.callback import _InternalCallbackParam
        >>> monitor, run = TimeMonitor(), RunContext(_InternalCallbackParam(batch_num=10))
        >>> monitor.epoch_begin(run)
        >>> monitor.epoch_end(run)
        Train epoch time: ... ms, per step time: ... ms
    """

    def __init__(self, data_size: int | None = None, data_time: bool = False):
        self.data_size = data_size
        self.data_time = check_bool("TimeMonitor", "data_time", data_time)
        self._starts = {"Train": time.perf_counter(), "Eval": time.perf_counter()}
        self._data_start = time.perf_counter()
        self._data_seconds = 0.0
        self.epoch_time = time.time()  # when the epoch began

    def on_train_step_begin(self, run_context: RunContext) -> None:
        self._data_seconds += time.perf_counter() - self._data_start

    def on_train_step_end(self, run_context: RunContext) -> None:
        self._data_start = time.perf_counter()

    def epoch_begin(self, run_context: RunContext) -> None:
        """Start the clock."""
        cb_params = run_context.original_args()
        self.epoch_time, now = time.time(), time.perf_counter()
        self._starts[_mode(cb_params)] = now
        if in_training(cb_params):
            self._data_start, self._data_seconds = now, 0.0

    def epoch_end(self, run_context: RunContext) -> None:
        """Print the time of the epoch."""
        cb_params = run_context.original_args()
        loss_number(cb_params.get("net_outputs"))  # waits for the last step
        mode = _mode(cb_params)
        seconds = time.perf_counter() - self._starts[mode]
        if mode == "Eval":
            self._starts["Train"] += seconds
        steps = self._steps(cb_params)
        text = f"{mode} epoch time: {seconds * 1000:5.3f} ms, per step time: {seconds * 1000 / steps:5.3f} ms"
        if self.data_time and not cb_params.get("dataset_sink_mode", False):
            text += f" (data time: {self._data_seconds * 1000 if mode == 'Train' else 0.0:5.3f} ms)"
        print(text, flush=True)

    def _steps(self, cb_params: Any) -> int:
        steps = cb_params.get("batch_num")
        return steps if steps and steps > 0 else check_positive_int("TimeMonitor", "data_size", self.data_size)


def _mode(cb_params: Any) -> str:
    return "Train" if in_training(cb_params) else "Eval"
