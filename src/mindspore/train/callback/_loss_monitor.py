"""LossMonitor: prints the loss, and stops training when it is lost."""

from __future__ import annotations

from typing import Any

from mindspore._engine.tensor.tensor import Tensor
from mindspore._utils.checks import check_non_negative_int
from mindspore.train.callback._callback import Callback, RunContext
from mindspore.train.callback._values import first_output, in_training, is_broken, loss_number, step_in_epoch

__all__ = ["LossMonitor"]


class LossMonitor(Callback):
    """Prints ``epoch: 1 step: 1, loss is 2.3025851249694824`` and ends training when the loss is NaN or infinite.

    A loss that is not printed is looked at one step later, so that the device never waits for the host.

    Args:
        per_print_times: how many steps lie between two lines; 0 prints none and only looks for NaN.

    Examples:
        >>> import numpy as np
        >>> from mindspore import Tensor
        >>> from mindspore.train.callback import LossMonitor, RunContext
        >>> from mindspore.train.callback import _InternalCallbackParam
        >>> cb_params = _InternalCallbackParam(cur_epoch_num=1, cur_step_num=2, batch_num=5, net_outputs=Tensor(0.5))
        >>> LossMonitor().step_end(RunContext(cb_params))
        epoch: 1 step: 2, loss is 0.5
    """

    def __init__(self, per_print_times: int = 1):
        self._per_print_times = check_non_negative_int("LossMonitor", "per_print_times", per_print_times)
        self._last_print_time = 0
        self._unchecked: tuple[int, int, Any] | None = None

    def begin(self, run_context: RunContext) -> None:
        """Forget an earlier run; an evaluation within ``fit`` begins only after a sound step."""
        if "cur_epoch_num" in run_context.original_args():
            self._check_previous()
        self._unchecked = None

    def step_end(self, run_context: RunContext) -> None:
        """Print the loss when it is its turn."""
        cb_params = run_context.original_args()
        if (
            not in_training(cb_params) and "cur_epoch_num" in cb_params
        ):  # evaluation within fit prints its result instead
            return
        self._check_previous()
        epoch, step = cb_params.get("cur_epoch_num", 1), step_in_epoch(cb_params)
        self._unchecked = epoch, step, cb_params.net_outputs
        if self._due(cb_params):
            self._last_print_time = cb_params.cur_step_num
            self._check_previous()
            print(f"epoch: {epoch} step: {step}, loss is {_text(cb_params.net_outputs)}", flush=True)

    def on_train_epoch_end(self, run_context: RunContext) -> None:
        """Print the result of the evaluation, if this epoch was evaluated."""
        self._check_previous()
        cb_params = run_context.original_args()
        if cb_params.get("metrics"):
            print(f"Eval result: epoch {cb_params.cur_epoch_num}, metrics: {cb_params.metrics}", flush=True)

    def end(self, run_context: RunContext) -> None:
        """Look at the last loss."""
        self._check_previous()

    def _due(self, cb_params: Any) -> bool:
        if not self._per_print_times:
            return False
        if cb_params.cur_step_num <= self._last_print_time:  # another training has begun
            self._last_print_time = 0
        return cb_params.cur_step_num - self._last_print_time >= self._per_print_times

    def _check_previous(self) -> None:
        if self._unchecked is None:
            return
        (epoch, step, outputs), self._unchecked = self._unchecked, None
        if is_broken(loss_number(outputs)):
            raise ValueError(
                f"In epoch: {epoch} step: {step}, loss is NAN or INF, training process cannot continue, terminating training."
            )


def _text(outputs: Any) -> Any:
    """The loss as MindSpore prints it: all digits, but those of its own dtype where it is one of several outputs."""
    loss = first_output(outputs)
    if isinstance(outputs, (tuple, list)) and isinstance(loss, Tensor) and not loss.ndim:
        return loss
    return loss_number(outputs)
