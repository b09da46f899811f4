"""The Primitive classes of quantization-aware training."""

from mindspore._ops.compat.quantization_primitives import (
    BatchNormFold,
    BatchNormFold2,
    BatchNormFold2D,
    BatchNormFoldD,
    CorrectionMul,
    FakeLearnedScaleQuantPerChannel,
    FakeLearnedScaleQuantPerLayer,
    FakeQuantParam,
    FakeQuantPerChannel,
    FakeQuantPerLayer,
    MinMaxUpdatePerChannel,
    MinMaxUpdatePerLayer,
)
from mindspore.ops._extended import operation

__all__ = [
    "BatchNormFold",
    "BatchNormFold2",
    "BatchNormFold2D",
    "BatchNormFoldD",
    "CorrectionMul",
    "FakeLearnedScaleQuantPerChannel",
    "FakeLearnedScaleQuantPerLayer",
    "FakeQuantParam",
    "FakeQuantPerChannel",
    "FakeQuantPerLayer",
    "MinMaxUpdatePerChannel",
    "MinMaxUpdatePerLayer",
]


def __getattr__(name: str) -> object:
    if name.startswith("__"):  # `__path__` would make it a package
        raise AttributeError(name)
    return operation(name)
