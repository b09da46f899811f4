"""What the parallel context means for a network, under the names that programs import."""

from __future__ import annotations

from collections.abc import Sequence

from mindspore._engine.runtime.context import PYNATIVE_MODE, get_context
from mindspore._engine.runtime.parallel_context import (
    ParallelMode,
    device_count,
    get_auto_parallel_context,
    own_rank,
    reset_auto_parallel_context,
)

_AUTO = (ParallelMode.SEMI_AUTO_PARALLEL, ParallelMode.AUTO_PARALLEL)


def _get_parallel_mode() -> str:
    """The parallel mode.

    >>> _get_parallel_mode(), _get_device_num(), _get_gradients_mean()
    ('stand_alone', 1, False)
    """
    return get_auto_parallel_context("parallel_mode")


def _get_device_num() -> int:
    """The number of devices: ``device_num``, or the world size; 1 in stand-alone mode."""
    return device_count()


def _get_global_rank() -> int:
    """The rank of this process."""
    return own_rank()


def _get_stage_device_num() -> int:
    """The number of devices of a pipeline stage."""
    return _get_device_num() // _get_pipeline_stages()


def _get_gradients_mean() -> bool:
    return get_auto_parallel_context("gradients_mean")


def _get_mirror_mean() -> bool:
    """The name of 0.x."""
    return _get_gradients_mean()


def _get_full_batch() -> bool:
    return get_auto_parallel_context("full_batch")


def _get_pipeline_stages() -> int:
    return get_auto_parallel_context("pipeline_stages")


def _get_enable_parallel_optimizer() -> bool:
    return get_auto_parallel_context("enable_parallel_optimizer")


def _get_grad_accumulation_shard() -> bool:
    return bool(get_auto_parallel_context("parallel_optimizer_config").get("gradient_accumulation_shard", False))


def _get_parameter_broadcast() -> bool:
    return get_auto_parallel_context("parameter_broadcast")


def _is_in_auto_parallel_mode() -> bool:
    return _get_parallel_mode() in _AUTO


def _is_pynative_parallel() -> bool:
    """Whether operators are sharded one by one (MindSpore 2.0 to 2.6 asked)."""
    return get_context("mode") == PYNATIVE_MODE and _is_in_auto_parallel_mode()


def _is_in_data_parallel_mode() -> bool:
    return _get_parallel_mode() == ParallelMode.DATA_PARALLEL


def _is_in_hybrid_parallel_mode() -> bool:
    return _get_parallel_mode() == ParallelMode.HYBRID_PARALLEL


def _is_parallel_mode() -> bool:
    return _get_parallel_mode() != ParallelMode.STAND_ALONE


def _is_sharding_propagation() -> bool:
    return get_auto_parallel_context("search_mode") == "sharding_propagation"


def _need_to_full() -> bool:
    """Whether each process holds a part of the batch that the network sees as a whole."""
    return _is_in_auto_parallel_mode() and not _get_full_batch()


def _to_full_shapes(shapes: Sequence[Sequence[int]], device_num: int) -> list[list[int]]:
    """The shapes of whole batches, from those of the parts."""
    return [[shape[0] * device_num, *shape[1:]] if shape else [] for shape in map(list, shapes)]


def _device_number_check(parallel_mode: str, device_number: int) -> None:
    """Raise if stand-alone mode has several devices."""
    if parallel_mode == ParallelMode.STAND_ALONE and device_number != 1:
        raise ValueError(
            f"If parallel_mode is stand_alone, device_number must be 1, but got device_number {device_number}. Set the "
            "parallel_mode with set_auto_parallel_context."
        )


def _parameter_broadcast_check(parallel_mode: str, parameter_broadcast: bool) -> None:
    """Refuse a broadcast where parameters differ among devices by intention, or where there is one device."""
    if parameter_broadcast and parallel_mode in (ParallelMode.STAND_ALONE, *_AUTO):
        raise ValueError(
            "stand_alone, semi_auto_parallel and auto_parallel do not support parameter broadcast, but got parallel_mode "
            f"{parallel_mode} and parameter_broadcast {parameter_broadcast}."
        )


def _reset_auto_parallel_context() -> None:
    reset_auto_parallel_context()
