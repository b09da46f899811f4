"""Checkpoints of sharded networks, from one sharding to another."""

from mindspore.parallel._strategy_config import set_op_strategy_config
from mindspore.train.serialization import (
    build_searched_strategy,
    load_distributed_checkpoint,
    load_segmented_checkpoints,
    merge_pipeline_strategys,
    merge_sliced_parameter,
    rank_list_for_transform,
    restore_group_info_list,
    transform_checkpoint_by_rank,
    transform_checkpoints,
)

__all__ = [
    "build_searched_strategy",
    "load_distributed_checkpoint",
    "load_segmented_checkpoints",
    "merge_pipeline_strategys",
    "merge_sliced_parameter",
    "rank_list_for_transform",
    "restore_group_info_list",
    "set_op_strategy_config",
    "transform_checkpoint_by_rank",
    "transform_checkpoints",
]
