"""The parallel context as an object, for programs that use it directly instead of ``set_auto_parallel_context``."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from mindspore._engine.runtime.parallel_context import (
    get_auto_parallel_context,
    parallel,
    reset_auto_parallel_context,
    set_auto_parallel_context,
)
from mindspore._utils.checks import check_bool, check_int, check_type, shown

__all__ = ["auto_parallel_context"]

_THRESHOLD_MB = 64


def _reads(key: str) -> Callable[[Any], Any]:
    return lambda self: get_auto_parallel_context(key)


def _writes(key: str) -> Callable[[Any, Any], None]:
    return lambda self, value: set_auto_parallel_context(**{key: value})


def _was_set(key: str) -> Callable[[Any], bool]:
    return lambda self: parallel.was_set(key)


class _AutoParallelContext:
    """Getters and setters of the keys of ``set_auto_parallel_context``, and the fusion of collectives.

    Examples:
        >>> import mindspore as ms
        >>> from mindspore.parallel._auto_parallel_context import auto_parallel_context
        >>> auto_parallel_context().set_all_reduce_fusion_split_indices([85, 160])
        >>> ms.get_auto_parallel_context("all_reduce_fusion_config")
        [85, 160]
        >>> auto_parallel_context().reset()
    """

    get_device_num, set_device_num = _reads("device_num"), _writes("device_num")
    get_device_num_is_set = _was_set("device_num")
    get_global_rank, set_global_rank = _reads("global_rank"), _writes("global_rank")
    get_global_rank_is_set = _was_set("global_rank")
    get_parallel_mode, set_parallel_mode = _reads("parallel_mode"), _writes("parallel_mode")
    get_gradients_mean, set_gradients_mean = _reads("gradients_mean"), _writes("gradients_mean")
    get_mirror_mean, set_mirror_mean = get_gradients_mean, set_gradients_mean
    get_gradient_fp32_sync, set_gradient_fp32_sync = _reads("gradient_fp32_sync"), _writes("gradient_fp32_sync")
    get_cast_before_mirror, set_cast_before_mirror = get_gradient_fp32_sync, set_gradient_fp32_sync
    get_loss_repeated_mean, set_loss_repeated_mean = _reads("loss_repeated_mean"), _writes("loss_repeated_mean")
    get_parameter_broadcast, set_parameter_broadcast = _reads("parameter_broadcast"), _writes("parameter_broadcast")
    get_parameter_broadcast_is_set = _was_set("parameter_broadcast")
    get_full_batch, set_full_batch = _reads("full_batch"), _writes("full_batch")
    get_full_batch_is_set = _was_set("full_batch")
    get_dataset_strategy, set_dataset_strategy = _reads("dataset_strategy"), _writes("dataset_strategy")
    get_strategy_search_mode, set_strategy_search_mode = _reads("search_mode"), _writes("search_mode")
    get_auto_parallel_search_mode, set_auto_parallel_search_mode = _reads("search_mode"), _writes("search_mode")
    get_sharding_propagation, set_sharding_propagation = _reads("sharding_propagation"), _writes("sharding_propagation")
    get_strategy_ckpt_load_file = _reads("strategy_ckpt_load_file")
    set_strategy_ckpt_load_file = _writes("strategy_ckpt_load_file")
    get_strategy_ckpt_save_file = _reads("strategy_ckpt_save_file")
    set_strategy_ckpt_save_file = _writes("strategy_ckpt_save_file")
    get_strategy_ckpt_config, set_strategy_ckpt_config = _reads("strategy_ckpt_config"), _writes("strategy_ckpt_config")
    set_group_ckpt_save_file = _writes("group_ckpt_save_file")
    get_enable_parallel_optimizer = _reads("enable_parallel_optimizer")
    set_enable_parallel_optimizer = _writes("enable_parallel_optimizer")
    set_parallel_optimizer_config = _writes("parallel_optimizer_config")
    get_optimizer_weight_shard_size = _reads("optimizer_weight_shard_size")
    set_optimizer_weight_shard_size = _writes("optimizer_weight_shard_size")
    get_optimizer_weight_shard_aggregated_save = _reads("optimizer_weight_shard_aggregated_save")
    set_optimizer_weight_shard_aggregated_save = _writes("optimizer_weight_shard_aggregated_save")
    get_grad_accumulation_step, set_grad_accumulation_step = (
        _reads("grad_accumulation_step"),
        _writes("grad_accumulation_step"),
    )
    get_pipeline_stages, set_pipeline_stages = _reads("pipeline_stages"), _writes("pipeline_stages")
    get_pipeline_segments, set_pipeline_segments = _reads("pipeline_segments"), _writes("pipeline_segments")
    get_pipeline_result_broadcast = _reads("pipeline_result_broadcast")
    set_pipeline_result_broadcast = _writes("pipeline_result_broadcast")
    get_pipeline_interleave, get_pipeline_scheduler = _reads("pipeline_interleave"), _reads("pipeline_scheduler")
    set_pipeline_config = _writes("pipeline_config")
    get_auto_pipeline, set_auto_pipeline = _reads("auto_pipeline"), _writes("auto_pipeline")
    get_comm_fusion, set_comm_fusion = _reads("comm_fusion"), _writes("comm_fusion")
    get_enable_alltoall, set_enable_alltoall = _reads("enable_alltoall"), _writes("enable_alltoall")
    get_communi_parallel_mode, set_communi_parallel_mode = (
        _reads("communi_parallel_mode"),
        _writes("communi_parallel_mode"),
    )
    get_force_fp32_communication = _reads("force_fp32_communication")
    set_force_fp32_communication = _writes("force_fp32_communication")
    get_init_param_in_compile = _reads("init_param_in_compile")
    set_init_param_in_compile = _writes("init_param_in_compile")

    def __init__(self) -> None:
        self._forget()

    def _forget(self) -> None:
        self._indices: dict[str, list[int]] = {}
        self._sizes: dict[str, list[int]] = {}
        self._gathered = {"allreduce": False, "allgather": False, "reducescatter": False}
        self._threshold = dict.fromkeys(self._gathered, _THRESHOLD_MB)

    def reset(self) -> None:
        """Put everything back to its default."""
        reset_auto_parallel_context()
        self._forget()

    # -- which gradients travel together; this changes messages, never values -------------------------------------------
    def set_all_reduce_fusion_split_indices(self, indices: list[int], group: str = "") -> None:
        """Split the all-reduce of gradients into messages after these gradient indices."""
        owner = "set_all_reduce_fusion_split_indices"
        if not isinstance(indices, list):
            raise TypeError(f"For '{owner}', the 'indices' must be a list, but got {shown(indices)}.")
        check_type(owner, "group", group, str)
        if group:
            for index in indices:
                check_int(owner, "indices (its elements)", index, low=0)
            self._indices[group] = list(indices)
        else:
            set_auto_parallel_context(all_reduce_fusion_config=indices)

    def get_all_reduce_fusion_split_indices(self, group: str = "") -> list[int]:
        """The gradient indices after which a new all-reduce message begins."""
        return list(self._indices.get(group, ())) if group else get_auto_parallel_context("all_reduce_fusion_config")

    def set_all_reduce_fusion_split_sizes(self, sizes: list[int], group: str = "") -> None:
        """Split the all-reduce of gradients into messages of these sizes, in bytes."""
        owner = "set_all_reduce_fusion_split_sizes"
        if not isinstance(sizes, list):
            raise TypeError(f"For '{owner}', the 'sizes' must be a list, but got {shown(sizes)}.")
        self._sizes[check_type(owner, "group", group, str)] = [
            check_int(owner, "sizes (its elements)", size) for size in sizes
        ]

    def get_all_reduce_fusion_split_sizes(self, group: str = "") -> list[int]:
        """The sizes of all-reduce messages, in bytes."""
        return list(self._sizes.get(group, ()))

    def set_enable_all_reduce_fusion(self, enable_all_reduce_fusion: bool) -> None:
        """Whether all-reduces of gradients are fused."""
        self._gather("allreduce", "enable_all_reduce_fusion", enable_all_reduce_fusion)

    def get_enable_all_reduce_fusion(self) -> bool:
        """Whether all-reduces of gradients are fused."""
        return self._gathered["allreduce"]

    def set_enable_all_gather_fusion(self, enable_all_gather_fusion: bool) -> None:
        """Whether all-gathers are fused."""
        self._gather("allgather", "enable_all_gather_fusion", enable_all_gather_fusion)

    def get_enable_all_gather_fusion(self) -> bool:
        """Whether all-gathers are fused."""
        return self._gathered["allgather"]

    def set_enable_reduce_scatter_fusion(self, enable_reduce_scatter_fusion: bool) -> None:
        """Whether reduce-scatters are fused."""
        self._gather("reducescatter", "enable_reduce_scatter_fusion", enable_reduce_scatter_fusion)

    def get_enable_reduce_scatter_fusion(self) -> bool:
        """Whether reduce-scatters are fused."""
        return self._gathered["reducescatter"]

    def _gather(self, kind: str, name: str, value: bool) -> None:
        self._gathered[kind] = check_bool("set_auto_parallel_context", name, value)

    def set_fusion_threshold_mb(self, fusion_threshold: int = _THRESHOLD_MB, comm_type: str = "allreduce") -> None:
        """The largest fused message, in megabytes."""
        self._threshold[comm_type] = check_int("set_fusion_threshold_mb", "fusion_threshold", fusion_threshold, low=0)

    def fusion_threshold_mb(self) -> int:
        """The largest fused all-reduce, in megabytes."""
        return self._threshold["allreduce"]

    def allgather_fusion_threshold_mb(self) -> int:
        """The largest fused all-gather, in megabytes."""
        return self._threshold["allgather"]

    def reducescatter_fusion_threshold_mb(self) -> int:
        """The largest fused reduce-scatter, in megabytes."""
        return self._threshold["reducescatter"]

    def get_grad_accumulation_shard(self) -> bool:
        """Whether accumulated gradients are sharded over the devices."""
        return bool(get_auto_parallel_context("parallel_optimizer_config").get("gradient_accumulation_shard", False))

    def get_parallel_optimizer_threshold(self) -> int:
        """The least size, in kilobytes, of a Parameter that the parallel optimizer shards."""
        return get_auto_parallel_context("parallel_optimizer_config").get("parallel_optimizer_threshold", -1)


_the_context = _AutoParallelContext()


def auto_parallel_context() -> _AutoParallelContext:
    """The parallel context of this process."""
    return _the_context
