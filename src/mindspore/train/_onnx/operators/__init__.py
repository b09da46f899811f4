"""The operators of ONNX in terms of ours; importing a module puts its operators into the table."""

from mindspore.train._onnx.operators import (
    activations,
    attention,
    control,
    convolution,
    creation,
    detection,
    elementwise,
    images,
    indexing,
    losses,
    matrix,
    normalization,
    pooling,
    quantized,
    recurrent,
    reductions,
    sequences,
    shaping,
    signal,
)

__all__ = ["activations", "attention", "control", "convolution", "creation", "detection", "elementwise", "images", "indexing",
           "losses", "matrix", "normalization", "pooling", "quantized", "recurrent", "reductions", "sequences", "shaping",
           "signal"]  # fmt: skip
