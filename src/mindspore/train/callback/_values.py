"""What callbacks read from a run: the loss on the host, the learning rate, a monitored figure."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from mindspore._engine.tensor.parameter import Parameter
from mindspore._engine.tensor.tensor import Tensor
from mindspore._utils import log
from mindspore._utils.checks import check_one_of, check_str, shown
from mindspore._utils.refusals import refused

# figures that are better when smaller; any other name counts as better when larger
_SMALLER_IS_BETTER = frozenset(
    ["eval_loss", "loss", "mae", "mse", "perplexity", "hausdorff_distance", "mean_surface_distance",
     "root_mean_square_distance"]
)  # fmt: skip


def first_output(outputs: Any) -> Any:
    """The loss among the outputs of a training network: it, or what stands first."""
    if isinstance(outputs, (tuple, list)) and outputs and isinstance(outputs[0], Tensor):
        return outputs[0]
    return outputs


def loss_number(outputs: Any) -> Any:
    """The loss as a Python float, averaged; waits for the device. What is not a Tensor comes back as it is.

    >>> from mindspore import Tensor
    >>> loss_number((Tensor([1.0, 2.0]), Tensor(3.0))), loss_number("unknown")
    (1.5, 'unknown')
    """
    loss = first_output(outputs)
    if not isinstance(loss, Tensor):
        return loss
    array = loss.asnumpy()
    return float(np.mean(array) if array.ndim else array)


def is_broken(loss: Any) -> bool:
    """Whether a loss is NaN or infinite."""
    return isinstance(loss, (float, np.floating)) and not np.isfinite(loss)


def shortest(number: Any) -> float:
    """A float32 as the float with its shortest digits: 0.1 instead of 0.10000000149011612."""
    return float(str(np.float32(number)))


def step_in_epoch(cb_params: Any) -> int:
    """The number of the step within its epoch, from 1; of all steps where nobody knows how long an epoch is."""
    size = cb_params.get("batch_num")
    return (cb_params.cur_step_num - 1) % size + 1 if size and size > 0 else cb_params.cur_step_num


def in_training(cb_params: Any) -> bool:
    """Whether a hook is called by training; loops written by hand do not say."""
    return cb_params.get("mode", "train") != "eval"


def constant_rate(owner: str, cb_params: Any) -> Parameter:
    """The learning rate of the optimizer at work, if it is one number for all Parameters."""
    optimizer = cb_params.get("optimizer")
    if optimizer is None:
        optimizer = getattr(cb_params.get("train_network"), "optimizer", None)
    if optimizer is None:
        raise refused(
            ValueError,
            f"For '{owner}', training has no optimizer whose learning rate could change. Give 'optimizer' to the Model.",
        )
    rate = optimizer.learning_rate
    if not isinstance(rate, Parameter) or rate.ndim:
        raise ValueError(
            f"{owner} does not support dynamic learning rate and group learning rate now: the optimizer must be made with one "
            "number as its 'learning_rate'."
        )
    return rate


def set_rate(rate: Parameter, value: float) -> None:
    """Give the learning rate a new value; training sees it from the next step on."""
    rate.set_data(Tensor(value, rate.dtype))


class Monitored:
    """A figure that is watched from epoch to epoch.

    Args:
        owner: the callback, for messages.
        monitor: 'loss' for the loss of training, or a name in the results of evaluation.
        mode: 'min', 'max', or 'auto' to judge by the name.
        min_delta: by how much it must change to count.
    """

    def __init__(self, owner: str, monitor: str, mode: str, min_delta: float):
        self.owner = owner
        self.monitor = check_str(owner, "monitor", monitor)
        check_one_of(owner, "mode", mode, ("auto", "min", "max"))
        smaller = mode == "min" or (mode == "auto" and monitor in _SMALLER_IS_BETTER)
        margin = abs(min_delta)
        self.worst = float("inf") if smaller else float("-inf")
        self.is_improvement: Callable[[float, float], bool] = (
            (lambda value, best: value < best - margin) if smaller else (lambda value, best: value > best + margin)
        )

    def value(self, cb_params: Any) -> float | None:
        """The figure after this epoch, or None, with a warning, when it was not computed."""
        results = cb_params.get("eval_results") or {}
        if self.monitor == "loss":  # of training, even where a metric has that name: that one is 'eval_loss'
            return loss_number(cb_params.get("net_outputs"))
        if self.monitor in results:
            found = results[self.monitor]
            array = np.asarray(found.asnumpy() if isinstance(found, Tensor) else found)
            if array.size != 1 or array.dtype.kind not in "biuf":
                raise refused(
                    ValueError,
                    f"For '{self.owner}', the figure to monitor, '{self.monitor}', must be one number, but got {shown(found)}. "
                    "Monitor another, or write a metric that gives their mean.",
                )
            return float(array.reshape(()))
        log.once(
            (self.owner, self.monitor),
            f"For '{self.owner}', the figure to monitor, '{self.monitor}', is not there; there are {[*results, 'loss']}. Use "
            "Model.fit with a valid_dataset for figures of evaluation.",
        )
        return None
