"""History: records the results of every epoch."""

from __future__ import annotations

from typing import Any

import numpy as np

from mindspore._engine.tensor.tensor import Tensor
from mindspore.train.callback._callback import Callback, RunContext
from mindspore.train.callback._values import first_output, in_training, shortest

__all__ = ["History"]


class History(Callback):
    """Keeps the output of the training network and the figures of evaluation, epoch by epoch.

    ``epoch`` is ``{'epoch': [1, 2]}``, ``history`` for example ``{'net_output': [0.57, 0.31], 'accuracy': [0.9, 0.95]}``.

    Examples:
        >>> from mindspore import Tensor
        >>> from mindspore.train.callback import History, RunContext
        >>> from mindspore.train.callback import _InternalCallbackParam
        >>> kept = History()
        >>> run = RunContext(_InternalCallbackParam(cur_epoch_num=1, net_outputs=Tensor(0.1)))
        >>> kept.begin(run)
        >>> kept.epoch_end(run)
        >>> kept.epoch, kept.history
        ({'epoch': [1]}, {'net_output': [0.1]})
    """

    def __init__(self) -> None:
        super().__init__()
        self.epoch: dict[str, list[int]] = {"epoch": []}
        self.history: dict[str, list[Any]] = {}

    def state_dict(self) -> dict[str, Any]:
        """The figures so far, for a training that is resumed."""
        return {"epoch": self.epoch, "history": self.history}

    def load_state_dict(self, state: dict[str, Any]) -> None:
        """Go on after the epochs of the training that is resumed."""
        self.epoch, self.history = state["epoch"], state["history"]

    def begin(self, run_context: RunContext) -> None:
        """Count epochs anew; the figures of an earlier training stay before the new figures."""
        if in_training(run_context.original_args()):
            self.epoch = {"epoch": []}

    def epoch_end(self, run_context: RunContext) -> None:
        """Keep what this epoch gave."""
        cb_params = run_context.original_args()
        if not in_training(cb_params):
            return
        self.epoch["epoch"].append(cb_params.get("cur_epoch_num", 1))
        if cb_params.get("net_outputs") is not None:
            self.history.setdefault("net_output", []).append(_plain(cb_params.net_outputs))
        for name, value in (cb_params.get("metrics") or {}).items():
            self.history.setdefault(name, []).append(value)


def _plain(outputs: Any) -> Any:
    """A scalar loss as a float, any other as an array; the dataset's Tensors are not kept."""
    loss = first_output(outputs)
    if not isinstance(loss, Tensor):
        return loss
    array = loss.asnumpy()
    return array if array.ndim else shortest(array) if array.dtype == np.float32 else array.item()
