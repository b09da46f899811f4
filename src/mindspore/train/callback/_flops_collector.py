"""FlopsUtilizationCollector: how much of a device's peak a training uses."""

from __future__ import annotations

import time
from typing import Any

from mindspore._engine.tensor.tensor import Tensor
from mindspore._utils.checks import check_bool, check_positive_int, check_type
from mindspore.train.callback._callback import Callback, RunContext
from mindspore.train.callback._values import first_output

__all__ = ["FlopsUtilizationCollector"]


class FlopsUtilizationCollector(Callback):
    """Prints the floating-point operations of a training step, as XLA counts them, and the share of the peak that is used.

    XLA counts all operations of the compiled step. In PyNative mode there is no such graph, and nothing is printed.

    Args:
        data_size: how many steps lie between two lines.
        computility: the peak of the device, in operations per second.
        full_flops: kept for programs that give it; a process counts its own operations.
        enable_ma_collector: kept for programs that give it.

    Examples:
        >>> from mindspore.train import FlopsUtilizationCollector
        >>> callback = FlopsUtilizationCollector(100, computility=1e12)
    """

    def __init__(
        self, data_size: int, computility: float = 1, full_flops: bool = True, enable_ma_collector: bool = False
    ):
        owner = "FlopsUtilizationCollector"
        self.step_size = check_positive_int(owner, "data_size", data_size)
        self.computility = check_type(owner, "computility", computility, (int, float))
        check_bool(owner, "full_flops", full_flops)
        check_bool(owner, "enable_ma_collector", enable_ma_collector)
        self._flops: float | None = None
        self._start = (0.0, 0)  # seconds, steps

    def on_train_step_end(self, run_context: RunContext) -> None:
        """Print a line when it is its turn."""
        cb_params = run_context.original_args()
        if self._flops is None:
            self._begin(cb_params)
        elif self._flops and cb_params.cur_step_num - self._start[1] >= self.step_size:
            self._wait(cb_params)
            per_step = (time.perf_counter() - self._start[0]) / (cb_params.cur_step_num - self._start[1])
            used = self._flops / per_step / self.computility
            print(f"Train per step time: {per_step * 1000:.3f} ms, mfu:{used:.2%} hfu:{used:.2%}", flush=True)
            self._start = (time.perf_counter(), cb_params.cur_step_num)

    def _begin(self, cb_params: Any) -> None:
        """The first step compiles; time is taken from its end on."""
        self._wait(cb_params)
        self._flops = cb_params.train_network.floating_point_operations() or 0.0
        if self._flops:
            count = f"{self._flops:.0f}"
            print(
                f"Full model flops is {count}, Full hardware flops is {count}, Shard model flops is {count}, Shard hardware "
                f"flops is {count}",
                flush=True,
            )
        self._start = (time.perf_counter(), cb_params.cur_step_num)

    @staticmethod
    def _wait(cb_params: Any) -> None:
        loss = first_output(cb_params.net_outputs)
        if isinstance(loss, Tensor):
            loss.asnumpy()
