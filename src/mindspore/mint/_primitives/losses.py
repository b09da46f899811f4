"""Losses and the gradients that carry other names than their operators: the functions of ``mint`` as primitives."""

from __future__ import annotations

from mindspore import ops
from mindspore._engine.operator.function_primitive import form_of
from mindspore._ops.generated import losses
from mindspore.mint.nn import functional as F

FORMS = {
    "CosineEmbeddingLoss": form_of(F.cosine_embedding_loss),
    "CrossEntropyLoss": form_of(losses.cross_entropy_parts),
    "KLDiv": form_of(F.kl_div),
    "L1LossExt": form_of(F.l1_loss),
    "MSELossExt": form_of(F.mse_loss),
    "NLLLoss2d": form_of(losses.likelihood_of_planes),
    # gradients
    "BinaryCrossEntropyWithLogitsBackward": form_of(losses.logits_backward),
    "EmbeddingDenseBackward": form_of(losses.embedding_backward),
    "L1LossBackwardExt": form_of(losses.absolute_backward),
    "SoftmaxBackward": lambda dout, out, dim=-1: (dout - (dout * out).sum(dim, keepdims=True)) * out,
    "InplaceStopGradient": lambda input: ops.stop_gradient_(input),
}  # fmt: skip
