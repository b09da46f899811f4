"""Work shared among processes: settings of the search for a strategy, layouts, checkpoints of several processes."""

from mindspore._utils.documented import claim as _claim
from mindspore.parallel import nn
from mindspore.parallel._joining import parameter_broadcast, sync_pipeline_shared_parameters, unified_safetensors
from mindspore.parallel.algo_parameter_config import get_algo_parameters, reset_algo_parameters, set_algo_parameters
from mindspore.parallel.checkpoint_convert import convert_checkpoint_by_rank, convert_checkpoints, rank_list_for_convert
from mindspore.parallel.checkpoint_transform import (
    build_searched_strategy,
    load_distributed_checkpoint,
    load_segmented_checkpoints,
    merge_pipeline_strategys,
    merge_sliced_parameter,
    rank_list_for_transform,
    restore_group_info_list,
    set_op_strategy_config,
    transform_checkpoint_by_rank,
    transform_checkpoints,
)
from mindspore.parallel.shard import Layout, shard

__all__ = [
    "Layout",
    "build_searched_strategy",
    "convert_checkpoint_by_rank",
    "convert_checkpoints",
    "get_algo_parameters",
    "load_distributed_checkpoint",
    "load_segmented_checkpoints",
    "merge_pipeline_strategys",
    "merge_sliced_parameter",
    "nn",
    "parameter_broadcast",
    "rank_list_for_convert",
    "rank_list_for_transform",
    "reset_algo_parameters",
    "restore_group_info_list",
    "set_algo_parameters",
    "set_op_strategy_config",
    "shard",
    "sync_pipeline_shared_parameters",
    "transform_checkpoint_by_rank",
    "transform_checkpoints",
    "unified_safetensors",
]

_claim(__name__)
