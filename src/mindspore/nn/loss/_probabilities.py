"""Losses of probabilities, their logits, and densities."""

from __future__ import annotations

import math

from mindspore import ops
from mindspore._utils.checks import check_bool, check_float_range, check_type
from mindspore.common.tensor import Tensor
from mindspore.nn.cell.primitives import primitives
from mindspore.nn.loss._base import LossBase, check_reduction, check_weight


class BCELoss(LossBase):
    """The binary cross entropy of probabilities.

    Args:
        weight: a weight for every element; it broadcasts.
        reduction: 'mean', 'sum' or 'none'. (In MindSpore 1.x the default was 'none'.)

    Examples:
        >>> from mindspore import Tensor, nn
        >>> print(nn.BCELoss()(Tensor([0.5, 0.5]), Tensor([1.0, 0.0])))
        0.6931472
    """

    def __init__(self, weight: Tensor | None = None, reduction: str = "mean"):
        super().__init__(reduction)
        self.weight = check_weight("BCELoss", weight)

    def construct(self, logits: Tensor, labels: Tensor) -> Tensor:
        weight = self.weight
        if weight is not None:
            weight = ops.broadcast_to(weight, logits.shape).astype(logits.dtype)
        return ops.binary_cross_entropy(logits, labels, weight, self.reduction)


class BCEWithLogitsLoss(LossBase):
    """The binary cross entropy of the sigmoid of logits.

    Args:
        reduction: 'mean', 'sum' or 'none'.
        weight: a weight for every element; it broadcasts.
        pos_weight: a weight of positive targets; it broadcasts.

    Examples:
        >>> from mindspore import Tensor, nn
        >>> print(nn.BCEWithLogitsLoss()(Tensor([0.0, 0.0]), Tensor([1.0, 0.0])))
        0.6931472
    """

    def __init__(self, reduction: str = "mean", weight: Tensor | None = None, pos_weight: Tensor | None = None):
        super().__init__(reduction)
        self.weight = check_weight("BCEWithLogitsLoss", weight)
        self.pos_weight = check_weight("BCEWithLogitsLoss", pos_weight, "pos_weight")

    def construct(self, input: Tensor, target: Tensor) -> Tensor:
        return ops.binary_cross_entropy_with_logits(input, target, self.weight, self.pos_weight, self.reduction)


class KLDivLoss(LossBase):
    """The Kullback-Leibler divergence of log-probabilities from probabilities.

    Args:
        reduction: 'mean', 'sum', 'none', or 'batchmean' for the sum over the first axis' length.

    Examples:
        >>> from mindspore import Tensor, nn
        >>> print(nn.KLDivLoss("sum")(Tensor([-1.0, -1.0]), Tensor([1.0, 0.0])))
        1.0
    """

    def __init__(self, reduction: str = "mean"):
        check_reduction("KLDivLoss", reduction, ("mean", "sum", "none", "batchmean"))
        super().__init__("sum" if reduction == "batchmean" else reduction)
        self.reduction = reduction

    def construct(self, logits: Tensor, labels: Tensor) -> Tensor:
        return ops.kl_div(logits, labels, self.reduction)


class GaussianNLLLoss(LossBase):
    """Minus the logarithm of normal densities with the predicted mean and variance.

    Args:
        full: whether the constant term counts.
        eps: the smallest variance, a float above 0.
        reduction: 'mean', 'sum' or 'none'.

    Inputs:
        logits: the means.
        labels: the targets.
        var: the variances, in their shape, or without or with 1 as last axis.

    Examples:
        >>> from mindspore import Tensor, nn
        >>> print(nn.GaussianNLLLoss()(Tensor([1.0]), Tensor([3.0]), Tensor([1.0])))
        2.0
    """

    def __init__(self, *, full: bool = False, eps: float = 1e-6, reduction: str = "mean"):
        super().__init__(reduction)
        self.full = check_bool("GaussianNLLLoss", "full", full)
        check_type("GaussianNLLLoss", "eps", eps, float)
        self.eps = check_float_range("GaussianNLLLoss", "eps", eps, 0.0, math.inf, include_low=False)

    def construct(self, logits: Tensor, labels: Tensor, var: Tensor) -> Tensor:
        if var.shape != logits.shape and var.shape == logits.shape[:-1]:
            var = var.expand_dims(-1)
        return ops.gaussian_nll_loss(logits, labels, var, self.full, self.eps, self.reduction)


@primitives(maximum=ops.Maximum)
class PoissonNLLLoss(LossBase):
    """Minus the log-likelihood of counts under Poisson distributions with the predicted rates.

    Args:
        log_input: whether predictions are logarithms of rates.
        full: whether the Stirling approximation of ``log(target!)`` is added for targets above 1.
        eps: added to rates before their logarithm is taken.
        reduction: 'mean', 'sum' or 'none'.

    Examples:
        >>> from mindspore import Tensor, nn
        >>> print(nn.PoissonNLLLoss(log_input=False)(Tensor([1.0]), Tensor([2.0])))
        1.0
    """

    def __init__(self, log_input: bool = True, full: bool = False, eps: float = 1e-08, reduction: str = "mean"):
        super().__init__(reduction)
        self.log_input = log_input
        self.full = full
        self.eps = check_float_range("PoissonNLLLoss", "eps", eps, 0.0, math.inf)

    def construct(self, input: Tensor, target: Tensor) -> Tensor:
        target = target.astype(input.dtype)
        rate, log_rate = (ops.exp(input), input) if self.log_input else (input, ops.log(input + self.eps))
        loss = rate - target * log_rate
        if self.full:
            count = ops.maximum(target, 1.0)  # the logarithm stays finite where it is not used
            stirling = count * ops.log(count) - count + 0.5 * ops.log(2 * math.pi * count)
            loss = loss + ops.select(target > 1, stirling, ops.zeros_like(stirling))
        return self.get_loss(loss)
