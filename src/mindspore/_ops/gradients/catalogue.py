"""Every gradient primitive: importing this module declares them."""

# ruff: noqa: F401 - imported for their declarations
from mindspore._engine.operator.registry import GRADIENTS as GRADIENTS
from mindspore._ops.gradients import (
    activation,
    attention,
    batch_norm,
    convolution,
    distributed,
    dropout,
    elementary,
    loss,
    matrices,
    normalization,
    padding,
    pooling,
    quantization,
    recurrent,
    sampling,
    selection,
    window_sizes,
)
