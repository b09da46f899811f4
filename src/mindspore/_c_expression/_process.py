"""What programs ask of the running process: random fills, steps of a profiler, restarts, memory."""

from __future__ import annotations

import gc
import itertools
import time
from typing import Any

import numpy as np

from mindspore._engine.runtime import profiling
from mindspore._engine.tensor.tensor import Tensor
from mindspore._utils import philox
from mindspore._utils.checks import check_bool, check_int, check_str, check_type

__all__ = [
    "_framework_profiler_step_end",
    "_framework_profiler_step_start",
    "_ms_memory_recycle",
    "_random_normal",
    "_random_uniform",
    "_truncated_normal",
    "check_is_arf",
    "disable_multi_thread",
    "get_clock_time",
    "get_reboot_type",
    "is_reboot_node",
    "jit_mode_pi_disable",
    "jit_mode_pi_enable",
    "random_normal",
    "reset_op_id",
    "reset_op_id_with_offset",
    "set_is_arf",
    "set_is_reboot_node",
    "set_reboot_type",
    "swap_cache",
    "update_pijit_default_config",
]  # fmt: skip

random_normal = _random_normal = philox.fill_normal
_steps = itertools.count(-1, -1)  # numbers of ranges that no mark of a program has
_open_steps: list[int] = []
_restarts: dict[str, Any] = {"node": False, "arf": False, "type": ""}


def _random_uniform(seed: int, data: np.ndarray, low: float, high: float) -> None:
    """Fill an array with values between two numbers, the same ones for the same seed."""
    data[...] = philox.uniform(int(seed), data.size, low, high).reshape(data.shape)


def _truncated_normal(seed: int, data: np.ndarray, low: float, high: float, mean: float, sigma: float) -> None:
    """Fill an array with normal values between two numbers."""
    data[...] = philox.truncated_normal(int(seed), data.size, mean, sigma, low, high).reshape(data.shape)


def _framework_profiler_step_start() -> None:
    """Begin a step in the recording of a profiler; costs next to nothing without one."""
    _open_steps.append(next(_steps))
    profiling.begin_range(_open_steps[-1], "step")


def _framework_profiler_step_end() -> None:
    """End the step that was begun last."""
    if _open_steps:
        profiling.end_range(_open_steps.pop())


def _ms_memory_recycle() -> None:
    """Give back the memory of what the program has dropped."""
    gc.collect()


def disable_multi_thread() -> None:
    """Run operators one by one: XLA orders what depends on each other by itself, so that nothing changes."""


def reset_op_id() -> None:
    """Count operators from zero again; they are not counted."""


def reset_op_id_with_offset() -> None:
    """Count operators from where the last graph ended; they are not counted."""


def update_pijit_default_config(**config: Any) -> None:
    """Options of a compiler of byte code: functions are traced instead, under any of them."""


def jit_mode_pi_enable() -> None:
    """Let byte code be compiled as well: functions under ``jit`` are traced, whether it is or not."""


def jit_mode_pi_disable() -> None:
    """The opposite of :func:`jit_mode_pi_enable`."""


def get_clock_time() -> int:
    """Nanoseconds since 1970."""
    return time.time_ns()


def is_reboot_node() -> bool:
    """Whether this process took the place of one that failed."""
    return _restarts["node"]


def set_is_reboot_node(flag: bool) -> None:
    """Say that this process took the place of one that failed."""
    _restarts["node"] = check_bool("set_is_reboot_node", "flag", flag)


def check_is_arf() -> bool:
    """Whether processes are replaced one by one after a failure."""
    return _restarts["arf"]


def set_is_arf(flag: bool) -> None:
    """Say whether processes are replaced one by one after a failure."""
    _restarts["arf"] = check_bool("set_is_arf", "flag", flag)


def get_reboot_type() -> str:
    """How this process was started again; empty if it was not."""
    return _restarts["type"]


def set_reboot_type(kind: str) -> None:
    """Say how this process was started again."""
    _restarts["type"] = check_str("set_reboot_type", "kind", kind)


def swap_cache(host: Tensor, device: Tensor, block_mapping: Tensor, is_device_to_host: bool) -> None:
    """Copy blocks of a cache between two Tensors: row ``source`` to row ``target`` for each pair of ``block_mapping``.

    Examples:
        >>> from mindspore import Tensor, ops
        >>> from mindspore._c_expression import swap_cache
        >>> host, device = ops.zeros((2, 2)), ops.ones((2, 2))
        >>> swap_cache(host, device, Tensor([[0, 1]]), True)
        >>> print(host)
        [[0. 0.]
         [1. 1.]]
    """
    check_type("swap_cache", "host", host, Tensor)
    check_type("swap_cache", "device", device, Tensor)
    source, target = (
        (device, host) if check_bool("swap_cache", "is_device_to_host", is_device_to_host) else (host, device)
    )
    pairs = np.asarray(check_type("swap_cache", "block_mapping", block_mapping, Tensor).asnumpy()).reshape(-1, 2)
    for start, end in pairs.tolist():
        check_int("swap_cache", "block_mapping", start, 0, source.shape[0] - 1)
        check_int("swap_cache", "block_mapping", end, 0, target.shape[0] - 1)
        target[end] = source[start]
