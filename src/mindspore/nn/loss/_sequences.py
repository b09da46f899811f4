"""Losses of sequences."""

from __future__ import annotations

from typing import Any

from mindspore import ops
from mindspore._utils.checks import check_bool, check_int
from mindspore.common.tensor import Tensor
from mindspore.nn.loss._base import LossBase


class CTCLoss(LossBase):
    """Connectionist temporal classification: minus the log-likelihood of labels under scores per time step.

    Args:
        blank: the class that stands for no label.
        reduction: 'mean' (of the losses per label), 'sum' or 'none'.
        zero_infinity: whether a loss that is infinite, because the labels do not fit the input, becomes 0.

    Inputs:
        log_probs: log-probabilities (T, N, C), or (T, C) for one sequence.
        targets: labels (N, S), or (S,).
        input_lengths, target_lengths: how many steps and labels of each sequence count.

    Examples:
        >>> import mindspore as ms
        >>> from mindspore import Tensor, nn, ops
        >>> log_probs = ops.log_softmax(ops.zeros((2, 1, 2)), 2)
        >>> loss = nn.CTCLoss()
        >>> print(loss(log_probs, Tensor([[1]], ms.int32), Tensor([2], ms.int32), Tensor([1], ms.int32)))
        0.2876821
    """

    def __init__(self, blank: int = 0, reduction: str = "mean", zero_infinity: bool = False):
        super().__init__(reduction)
        self.blank = check_int("CTCLoss", "blank", blank, low=0)
        self.zero_infinity = check_bool("CTCLoss", "zero_infinity", zero_infinity)

    def construct(self, log_probs: Tensor, targets: Tensor, input_lengths: Any, target_lengths: Any) -> Tensor:
        alone = log_probs.ndim == 2
        if alone:
            log_probs, targets = log_probs.expand_dims(1), targets.reshape((1, -1))
            input_lengths, target_lengths = (
                lengths.reshape((1,)) if isinstance(lengths, Tensor) else lengths
                for lengths in (input_lengths, target_lengths)
            )
        loss, _ = ops.ctc_loss(
            log_probs, targets, input_lengths, target_lengths, self.blank, self.reduction, self.zero_infinity
        )
        return loss.reshape(()) if alone else loss
