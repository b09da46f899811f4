"""Which layers and operators mixed precision touches."""

from __future__ import annotations

from mindspore import nn, ops
from mindspore._engine.execution import autocast

# Layers that run in half precision at O1, and operators by their Primitive classes.
WHITE_LIST: tuple[type, ...] = (
    nn.Conv1d,
    nn.Conv2d,
    nn.Conv3d,
    nn.Conv1dTranspose,
    nn.Conv2dTranspose,
    nn.Conv3dTranspose,
    nn.Dense,
    nn.LSTMCell,
    nn.RNNCell,
    nn.GRUCell,
    ops.Conv2D,
    ops.Conv3D,
    ops.Conv2DTranspose,
    ops.Conv3DTranspose,
    ops.Conv2DBackpropInput,
    ops.MatMul,
    ops.BatchMatMul,
    ops.PReLU,
    ops.ReLU,
    ops.Ger,
)
# Layers that stay in float32 at O2.
BLACK_LIST: tuple[type, ...] = (nn.BatchNorm1d, nn.BatchNorm2d, nn.BatchNorm3d, nn.LayerNorm)

# At level 'auto' each operator chooses by itself. Names are those in error messages, of Primitive classes and functions.
AUTO_LOW = frozenset(
    [
        "Conv2D",
        "Conv3D",
        "Conv2DTranspose",
        "Conv3DTranspose",
        "DepthwiseConv2dNative",
        "conv1d",
        "conv2d",
        "conv3d",
        "conv2d_transpose",
        "conv3d_transpose",
        "conv_transpose2d",
        "MatMul",
        "BatchMatMul",
        "matmul",
        "bmm",
        "PReLU",
        "Einsum",
        "Dense",
        "addmm",
        "addbmm",
        "addmv",
        "baddbmm",
        "mv",
    ]
)
AUTO_FULL = frozenset(
    [
        "Pow",
        "float_power",
        "ACos",
        "Asin",
        "Cosh",
        "Erfinv",
        "Exp",
        "exp2",
        "Expm1",
        "Log",
        "log10",
        "Log1p",
        "log2",
        "Reciprocal",
        "Rsqrt",
        "Sinh",
        "Tan",
        "Softplus",
        "LayerNorm",
        "layer_norm",
        "BatchNorm",
        "batch_norm_of_batch",
        "batch_norm_with_statistics",
        "group_norm",
        "instance_norm_of_batch",
        "rms_norm",
        "norm",
        "vector_norm",
        "LpNorm",
        "KLDivLoss",
        "SmoothL1Loss",
        "SoftMarginLoss",
        "triplet_margin_loss",
        "MultiMarginLoss",
        "multilabel_soft_margin_loss",
        "BCEWithLogitsLoss",
        "Cdist",
        "Renorm",
        "ReduceProd",
        "prod",
        "Softmax",
        "LogSoftmax",
        "CumProd",
        "cumprod",
        "CumSum",
        "cumsum",
        "l1_loss",
        "mse_loss",
        "NLLLoss",
        "nll_loss",
        "SoftmaxCrossEntropyWithLogits",
        "SparseSoftmaxCrossEntropyWithLogits",
    ]
)


def operator_names(classes: list[type]) -> frozenset[str]:
    """The operators that Primitive classes stand for."""
    return autocast.operator_names([one.__name__ for one in classes])
