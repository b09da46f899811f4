"""Which layers and operators mixed precision touches."""

from __future__ import annotations

from collections import defaultdict
from typing import Any

from mindspore import nn, ops
from mindspore._engine.execution import autocast
from mindspore.ops import auto_generate

# Layers that run in half precision at O1, and operators by their Primitive classes.
WHITE_LIST: list[type] = [
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
]
# Layers that stay in float32 at O2.
BLACK_LIST: list[type] = [nn.BatchNorm1d, nn.BatchNorm2d, nn.BatchNorm3d, nn.LayerNorm]

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


# -- the lists of level 'auto' as Primitive classes, which libraries read and change ------------------------------------------
AMP_PRIM_ARG_TABLE: defaultdict[type, list[int]] = defaultdict(list)  # positions that are converted, where not all are
_CLASSES = {
    "AMP_AUTO_WHITE_LIST": "Conv2D Conv3D Conv2DExt Conv3DExt ConvTranspose2D Conv2DTranspose Conv3DTranspose Convolution MatMul "
    "MatMulExt BatchMatMul BatchMatMulExt PReLU Einsum Dense Addmm Addbmm Addmv Baddbmm Mv",
    "AMP_AUTO_BLACK_LIST": "Pow ACos Asin Cosh Erfinv Exp Expm1 Log Log10 Log1p Log2 Reciprocal Rsqrt Sinh Tan Softplus "
    "SoftplusExt LayerNorm LayerNormExt BatchNorm BatchNormExt GroupNorm Norm KLDivLoss SmoothL1Loss MultilabelMarginLoss "
    "SoftMarginLoss TripletMarginLoss MultiMarginLoss BCEWithLogitsLoss Pdist Cdist Renorm ReduceProd Softmax LogSoftmax "
    "LogSoftmaxExt CumProd CumSum CumsumExt ProdExt SumExt L1LossExt MSELossExt NLLLoss NLLLoss2d",
}
_NAMES = {"AMP_AUTO_WHITE_LIST": AUTO_LOW, "AMP_AUTO_BLACK_LIST": AUTO_FULL}
_lists: dict[str, list[Any]] = {}  # made when somebody asks


def auto_list(module: str, name: str) -> list[Any]:
    """One of the two lists; changing it changes level 'auto'."""
    if name not in _CLASSES:
        raise AttributeError(f"module '{module}' has no attribute '{name}'")
    if name not in _lists:
        modules = (ops, ops.operations, auto_generate)
        found = [
            next((getattr(module, own) for module in modules if hasattr(module, own)), None)
            for own in _CLASSES[name].split()
        ]
        _lists[name] = [one for one in found if one is not None]
    return _lists[name]


def auto_names() -> tuple[frozenset[str], frozenset[str]]:
    """The operators that level 'auto' runs in half precision, and those it runs in float32."""
    low, full = (_changed(name, names) for name, names in _NAMES.items())
    return low, full


def _changed(name: str, names: frozenset[str]) -> frozenset[str]:
    if name not in _lists:
        return names
    before = autocast.operator_names(_CLASSES[name].split())
    now = operator_names(_lists[name])
    return names - (before - now) | (now - before)
