"""The functions of ``checkpoint_transform`` by the names they had first."""

from mindspore.parallel.checkpoint_transform import (
    rank_list_for_transform,
    transform_checkpoint_by_rank,
    transform_checkpoints,
)

rank_list_for_convert = rank_list_for_transform
convert_checkpoint_by_rank = transform_checkpoint_by_rank
convert_checkpoints = transform_checkpoints

__all__ = ["convert_checkpoint_by_rank", "convert_checkpoints", "rank_list_for_convert"]
