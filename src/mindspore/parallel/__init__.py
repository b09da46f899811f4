"""Work shared among processes: settings of the search for a strategy, layouts, checkpoints of several processes."""

from mindspore._utils.documented import claim as _claim
from mindspore.parallel import checkpoint_transform, nn
from mindspore.parallel._joining import parameter_broadcast, sync_pipeline_shared_parameters, unified_safetensors
from mindspore.parallel.algo_parameter_config import get_algo_parameters, reset_algo_parameters, set_algo_parameters
from mindspore.parallel.checkpoint_convert import convert_checkpoint_by_rank, convert_checkpoints, rank_list_for_convert
from mindspore.parallel.checkpoint_transform import *  # noqa: F403
from mindspore.parallel.shard import Layout, shard

__all__ = [
    "Layout",
    "convert_checkpoint_by_rank",
    "convert_checkpoints",
    "get_algo_parameters",
    "nn",
    "parameter_broadcast",
    "rank_list_for_convert",
    "reset_algo_parameters",
    "set_algo_parameters",
    "shard",
    "sync_pipeline_shared_parameters",
    "unified_safetensors",
]
__all__ += checkpoint_transform.__all__

_claim(__name__)
