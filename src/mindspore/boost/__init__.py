"""What speeds training up or changes what is learned in a step: accumulated, frozen, combined, second-order gradients."""

from mindspore._utils.documented import claim as _claim
from mindspore.boost.adasum import AdaSum
from mindspore.boost.base import OptimizerProcess, ParameterProcess
from mindspore.boost.boost import AutoBoost
from mindspore.boost.boost_cell_wrapper import BoostTrainOneStepCell, BoostTrainOneStepWithLossScaleCell
from mindspore.boost.dim_reduce import DimReduce
from mindspore.boost.grad_accumulation import GradientAccumulation
from mindspore.boost.grad_freeze import FreezeOpt, GradientFreeze, freeze_cell
from mindspore.boost.group_loss_scale_manager import GroupLossScaleManager
from mindspore.boost.less_batch_normalization import LessBN

__all__ = [
    "AdaSum",
    "AutoBoost",
    "BoostTrainOneStepCell",
    "BoostTrainOneStepWithLossScaleCell",
    "DimReduce",
    "FreezeOpt",
    "GradientAccumulation",
    "GradientFreeze",
    "GroupLossScaleManager",
    "LessBN",
    "OptimizerProcess",
    "ParameterProcess",
    "freeze_cell",
]

_claim(__name__)
