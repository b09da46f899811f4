"""Gradients of losses by the prediction."""

from __future__ import annotations

import jax.numpy as jnp

from mindspore._engine.operator.arguments import Array
from mindspore._ops.declaring.gradient_primitives import gradient, pull
from mindspore._ops.nn.class_loss import nll_loss, nll_loss_primitive
from mindspore._ops.nn.ctc import ctc_loss_v2
from mindspore._ops.nn.label_loss import multilabel_margin_loss_primitive
from mindspore._ops.nn.loss import (
    binary_cross_entropy,
    kl_div,
    mse_loss,
    reduced,
    sigmoid_cross_entropy_with_logits,
    smooth_l1_loss,
)
from mindspore._ops.nn.margin_loss import multi_margin_loss, soft_margin_loss


# -- against targets of the same shape -------------------------------------------------------------------------------
@gradient("BinaryCrossEntropyGrad", ("reduction",))
def binary_cross_entropy_grad(input: Array, target: Array, grad_output: Array, weight: Array | None = None,
                              reduction: str = "mean"):  # fmt: skip
    return pull(binary_cross_entropy, grad_output, input, labels=target, weight=weight, reduction=reduction)


@gradient("SigmoidCrossEntropyWithLogitsGrad")
def sigmoid_cross_entropy_with_logits_grad(x: Array, y: Array, dout: Array):
    return pull(sigmoid_cross_entropy_with_logits, dout, x, label=y)


@gradient("KLDivLossGrad", ("reduction",))
def kl_div_loss_grad(grad: Array, input_x: Array, input_target: Array, reduction: str = "mean"):
    return pull(kl_div, grad, input_x, labels=input_target, reduction=reduction)


@gradient("KLDivGrad", function=True)
def kl_div_grad(grad_output: Array, input: Array, target: Array, reduction: str = "mean", log_target: bool = False):
    """The gradient of ``KLDiv``; with ``log_target`` the target holds logarithms.

    Examples:
        >>> from mindspore import Tensor
        >>> from mindspore.ops.auto_generate import kl_div_grad
        >>> print(kl_div_grad(Tensor(2.0), Tensor([1.0]), Tensor([3.0])))
        [-6.]
    """
    probabilities = jnp.exp(target) if log_target else target
    rows = input.shape[0] if reduction == "batchmean" else 1
    plain = "sum" if reduction == "batchmean" else reduction
    return pull(lambda x: reduced(-probabilities * x, plain) / rows, grad_output, input)


@gradient("MSELossGradExt")
def mse_loss_grad_ext(dout: Array, x: Array, target: Array, reduction: str = "mean"):
    return pull(mse_loss, dout, x, target=target, reduction=reduction)


@gradient("SmoothL1LossGrad", ("beta", "reduction"))
def smooth_l1_loss_grad(prediction: Array, target: Array, dout: Array, beta: float = 1.0, reduction: str = "none"):
    return pull(smooth_l1_loss, dout, prediction, target=target, beta=beta, reduction=reduction)


@gradient("SoftMarginLossGrad", ("reduction",))
def soft_margin_loss_grad(predict: Array, label: Array, dout: Array, reduction: str = "mean"):
    return pull(soft_margin_loss, dout, predict, target=label, reduction=reduction)


# -- against classes -------------------------------------------------------------------------------------------------
@gradient("NLLLossGrad", ("reduction", "ignore_index"))
def nll_loss_grad(logits: Array, loss_grad: Array, labels: Array, weight: Array, total_weight: Array,
                  reduction: str = "mean", ignore_index: int = -100):  # fmt: skip
    """The gradient of ``NLLLoss``; the mean is over the ``total_weight`` that it returned."""
    seed = loss_grad / total_weight if reduction == "mean" else loss_grad
    form = "none" if reduction == "none" else "sum"
    return pull(
        nll_loss_primitive, seed, logits, labels=labels, weight=weight, reduction=form, ignore_index=ignore_index
    )


@gradient("NLLLoss2dGrad")
def nll_loss_2d_grad(loss_grad: Array, input: Array, target: Array, weight: Array, reduction: str, ignore_index: int,
                     total_weight: Array):  # fmt: skip
    """The gradient of ``NLLLoss2d``; the mean is over the ``total_weight`` that it returned."""
    seed = loss_grad / total_weight if reduction == "mean" else loss_grad
    form = "none" if reduction == "none" else "sum"
    return pull(nll_loss, seed, input, target=target, weight=weight, ignore_index=ignore_index, reduction=form)


@gradient("CrossEntropyLossGrad", function=True)
def cross_entropy_loss_grad(grad_loss: Array, log_prob: Array, target: Array, weight: Array | None = None,
                            grad_zloss: Array | None = None, lse_for_zloss: Array | None = None,
                            reduction: str = "mean", ignore_index: int = -100, label_smoothing: float = 0.0,
                            lse_square_scale_for_zloss: float = 0.0):  # fmt: skip
    """The gradient of ``CrossEntropyLoss`` by its logits, from their log-softmax.

    Examples:
        >>> import numpy as np
        >>> from mindspore import Tensor
        >>> from mindspore.ops.auto_generate import cross_entropy_loss_grad
        >>> log_prob = Tensor(np.log([[0.25, 0.75]]).astype(np.float32))
        >>> print(cross_entropy_loss_grad(Tensor(1.0), log_prob, Tensor([1])))
        [[ 0.25 -0.25]]
    """
    by_scores = pull(nll_loss, grad_loss, log_prob, target=target, weight=weight, ignore_index=ignore_index,
                     reduction=reduction, label_smoothing=label_smoothing)  # fmt: skip
    found = by_scores - jnp.exp(log_prob) * by_scores.sum(1, keepdims=True)
    if grad_zloss is None or lse_for_zloss is None:
        return found
    seeds = pull(lambda lse: reduced(lse_square_scale_for_zloss * lse * lse, reduction), grad_zloss, lse_for_zloss)
    return found + seeds[:, None] * jnp.exp(log_prob)


@gradient("MultiMarginLossGrad", ("p", "margin", "reduction"))
def multi_margin_loss_grad(y_grad: Array, x: Array, target: Array, weight: Array | None = None, p: int = 1,
                           margin: float = 1.0, reduction: str = "mean"):  # fmt: skip
    return pull(multi_margin_loss, y_grad, x, target=target, p=p, margin=margin, weight=weight, reduction=reduction)


@gradient("MultilabelMarginLossGrad", ("reduction",))
def multilabel_margin_loss_grad(y_grad: Array, x: Array, target: Array, is_target: Array, reduction: str = "mean"):
    """The gradient of ``MultilabelMarginLoss``; which classes are targets follows from ``target``."""
    return pull(multilabel_margin_loss_primitive, y_grad, x, target=target, reduction=reduction)


@gradient("CTCLossV2Grad", ("blank", "reduction", "zero_infinity"), loops=True)
def ctc_loss_v2_grad(grad_out: Array, log_probs: Array, targets: Array, input_lengths: Array, target_lengths: Array,
                     neg_log_likelihood: Array, log_alpha: Array, blank: int = 0, reduction: str = "none",
                     zero_infinity: bool = False):  # fmt: skip
    """The gradient of ``CTCLossV2``; the likelihoods and forward variables are computed again."""
    return pull(ctc_loss_v2, grad_out, log_probs, targets=targets, input_lengths=input_lengths,
                target_lengths=target_lengths, blank=blank, reduction=reduction, zero_infinity=zero_infinity)  # fmt: skip
