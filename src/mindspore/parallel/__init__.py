"""Work shared among processes: settings of the search for a strategy, layouts, checkpoints of several processes."""

from mindspore.parallel.algo_parameter_config import get_algo_parameters, reset_algo_parameters, set_algo_parameters
from mindspore.parallel.shard import Layout
from mindspore.train.serialization import (
    build_searched_strategy,
    load_distributed_checkpoint,
    merge_pipeline_strategys,
    merge_sliced_parameter,
    rank_list_for_transform,
    restore_group_info_list,
    transform_checkpoint_by_rank,
    transform_checkpoints,
)

__all__ = [
    "Layout",
    "build_searched_strategy",
    "get_algo_parameters",
    "load_distributed_checkpoint",
    "merge_pipeline_strategys",
    "merge_sliced_parameter",
    "rank_list_for_transform",
    "reset_algo_parameters",
    "restore_group_info_list",
    "set_algo_parameters",
    "transform_checkpoint_by_rank",
    "transform_checkpoints",
]
