"""The messages of strategy files: how operators and Parameters of a training on several devices are sharded."""

from mindspore._utils.files.messages import message

__all__ = [
    "DevMatrix", "IndicesOffset", "ParallelGroupItem", "ParallelGroupMap", "ParallelGroupRanks", "ParallelLayoutItem",
    "ParallelLayouts", "ParallelStrategy", "ParallelStrategyItem", "ParallelStrategyMap", "ParallelStrategys",
    "ParamSplitShape", "TensorMap",
]  # fmt: skip

ParallelStrategy = message("ParallelStrategy", "dim:1*:int")
ParallelStrategys = message("ParallelStrategys", "stage:1:int parallel_strategy:2*:Cut", Cut=ParallelStrategy)
ParallelStrategyItem = message(
    "ParallelStrategyItem", "node_name:1:str parallel_strategys:2:Cuts", Cuts=ParallelStrategys
)
DevMatrix, TensorMap, ParamSplitShape, IndicesOffset = (
    message(name, "dim:1*:int") for name in ("DevMatrix", "TensorMap", "ParamSplitShape", "IndicesOffset")
)
ParallelLayouts = message(
    "ParallelLayouts",
    "dev_matrix:1*:Devices tensor_map:2*:Map param_split_shape:3*:Sizes indices_offset:4*:Offsets field:5:int "
    "opt_weight_shard_step:6:int opt_weight_shard_size:7:int",
    Devices=DevMatrix, Map=TensorMap, Sizes=ParamSplitShape, Offsets=IndicesOffset,
)  # fmt: skip
ParallelLayoutItem = message(
    "ParallelLayoutItem", "param_name:1:str parallel_layouts:2:Layouts", Layouts=ParallelLayouts
)
ParallelGroupRanks = message("ParallelGroupRanks", "dim:1*:int")
ParallelGroupItem = message(
    "ParallelGroupItem", "group_name:1:str parallel_group_ranks:2:Ranks", Ranks=ParallelGroupRanks
)
ParallelGroupMap = message(
    "ParallelGroupMap", "parallel_group_item:1*:Item ckpt_restore_rank_list:2:Ranks",
    Item=ParallelGroupItem, Ranks=ParallelGroupRanks,
)  # fmt: skip
ParallelStrategyMap = message(
    "ParallelStrategyMap",
    "current_stage:1:int parallel_strategy_item:2*:Operator parallel_layout_item:3*:Parameter",
    Operator=ParallelStrategyItem, Parameter=ParallelLayoutItem,
)  # fmt: skip
