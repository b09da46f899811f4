"""``mindspore.common.parameter``: Parameter and ParameterTuple."""

from mindspore._engine.tensor.parameter import PLACEHOLDER as PARAMETER_NAME_DEFAULT
from mindspore._engine.tensor.parameter import Parameter, ParameterTuple
from mindspore._engine.tensor.parameter_info import ParamInfo
from mindspore._engine.tensor.tensor import Tensor

__all__ = [
    "PARAMETER_NAME_DEFAULT",
    "PARAMETER_NAME_PREFIX_MAX_LEN",
    "ParamInfo",
    "Parameter",
    "ParameterTuple",
    "Tensor",
]

PARAMETER_NAME_PREFIX_MAX_LEN = 1024
