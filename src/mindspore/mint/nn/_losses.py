"""Losses by PyTorch's argument names and defaults."""

from __future__ import annotations

from mindspore import ops
from mindspore._engine.operator.checked import check_tensors
from mindspore.common.tensor import Tensor


def _reduced(owner: str, loss: Tensor, reduction: str) -> Tensor:
    if reduction not in ("mean", "sum", "none"):
        raise ValueError(f"For '{owner}', the 'reduction' must be 'mean', 'sum' or 'none', but got {reduction!r}.")
    return loss if reduction == "none" else loss.mean() if reduction == "mean" else loss.sum()


def binary_cross_entropy(
    input: Tensor, target: Tensor, weight: Tensor | None = None, reduction: str = "mean"
) -> Tensor:
    """The cross entropy of probabilities and zeros or ones.

    >>> print(binary_cross_entropy(Tensor([0.5]), Tensor([1.0])).round(decimals=3))
    0.693
    """
    return ops.binary_cross_entropy(input, target, weight, reduction)


def binary_cross_entropy_with_logits(input: Tensor, target: Tensor, weight: Tensor | None = None, reduction: str = "mean",
                                     pos_weight: Tensor | None = None) -> Tensor:  # fmt: skip
    """The cross entropy of the sigmoid of logits and zeros or ones.

    >>> print(binary_cross_entropy_with_logits(Tensor([200.0]), Tensor([1.0])))
    0.0
    """
    return ops.binary_cross_entropy_with_logits(input, target, weight, pos_weight, reduction)


def kl_div(input: Tensor, target: Tensor, reduction: str = "mean", log_target: bool = False) -> Tensor:
    """The divergence of log probabilities from probabilities, or from log probabilities with ``log_target``.

    >>> print(kl_div(Tensor([0.0]), Tensor([1.0])))
    0.0
    """
    check_tensors("kl_div", input=input, target=target)
    if log_target:
        loss = ops.exp(target) * (target - input)
    else:
        loss = ops.where(target > 0, target * (ops.log(ops.where(target > 0, target, 1.0)) - input), 0.0)
    return loss.sum() / input.shape[0] if reduction == "batchmean" else _reduced("kl_div", loss, reduction)


def smooth_l1_loss(input: Tensor, target: Tensor, reduction: str = "mean", beta: float = 1.0) -> Tensor:
    """Squared for differences below ``beta``, else their size.

    >>> print(smooth_l1_loss(Tensor([3.0]), Tensor([1.0])))
    1.5
    """
    if beta == 0:
        return ops.l1_loss(input, target, reduction)
    return ops.smooth_l1_loss(input, target, beta, reduction)


def nll_loss(input: Tensor, target: Tensor, weight: Tensor | None = None, ignore_index: int = -100,
             reduction: str = "mean") -> Tensor:  # fmt: skip
    """The negative of the log probabilities of the targets.

    >>> print(nll_loss(Tensor([[-1.0, -2.0]]), Tensor([1])))
    2.0
    """
    check_tensors("nll_loss", input=input, target=target)
    if input.ndim > 2:
        return ops.nll_loss(input, target.int(), weight, ignore_index, reduction)
    if not input.ndim:
        raise ValueError("For 'nll_loss', the 'input' must have at least 1 dimension, but got a number.")
    shares = ops.ones(input.shape[-1], input.dtype) if weight is None else weight
    return ops.NLLLoss(reduction, ignore_index)(input, target.int(), shares)[0]


def cross_entropy(input: Tensor, target: Tensor, weight: Tensor | None = None, ignore_index: int = -100,
                  reduction: str = "mean", label_smoothing: float = 0.0) -> Tensor:  # fmt: skip
    """The cross entropy of logits and class numbers or probabilities.

    >>> print(cross_entropy(Tensor([[0.0, 100.0]]), Tensor([0])))
    100.0
    """
    check_tensors("cross_entropy", target=target)
    known = target if target.is_floating_point() else target.int()
    return ops.cross_entropy(input, known, weight, ignore_index, reduction, label_smoothing)
