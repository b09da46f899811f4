"""Losses and the gradients that carry other names than their operators: the functions of ``mint`` as primitives."""

from __future__ import annotations

from mindspore import ops
from mindspore._ops.generated import losses
from mindspore.mint.nn import functional as F

FORMS = {
    "CosineEmbeddingLoss": lambda input1, input2, target, margin=0.0, reduction="mean": (
        F.cosine_embedding_loss(input1, input2, target, margin, reduction)
    ),
    "CrossEntropyLoss": lambda input, target, weight=None, reduction="mean", ignore_index=-100, label_smoothing=0.0, lse_square_scale_for_zloss=0.0, return_zloss=False: (
        losses.cross_entropy_parts(input, target, weight, reduction, ignore_index, label_smoothing,
                                   lse_square_scale_for_zloss, return_zloss)
    ),
    "KLDiv": lambda input, target, reduction="mean", log_target=False: F.kl_div(input, target, reduction, log_target),
    "L1LossExt": lambda input, target, reduction="mean": F.l1_loss(input, target, reduction),
    "MSELossExt": lambda input, target, reduction="mean": F.mse_loss(input, target, reduction),
    "NLLLoss2d": lambda input, target, weight, reduction="mean", ignore_index=-100: (
        losses.likelihood_of_planes(input, target, weight, reduction, ignore_index)
    ),
    # gradients
    "BinaryCrossEntropyWithLogitsBackward": lambda grad_output, input, target, weight=None, posWeight=None, reduction="mean": (
        losses.logits_backward(grad_output, input, target, weight, posWeight, reduction)
    ),
    "EmbeddingDenseBackward": lambda grad, indices, num_weights, padding_idx=None, scale_grad_by_freq=False: (
        losses.embedding_backward(grad, indices, num_weights, padding_idx, scale_grad_by_freq)
    ),
    "L1LossBackwardExt": lambda grad_output, input, target, reduction="mean": (
        losses.absolute_backward(grad_output, input, target, reduction)
    ),
    "SoftmaxBackward": lambda dout, out, dim=-1: (dout - (dout * out).sum(dim, keepdims=True)) * out,
    "InplaceStopGradient": lambda input: ops.stop_gradient_(input),
}  # fmt: skip
