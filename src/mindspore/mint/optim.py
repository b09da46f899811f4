"""Optimizers by PyTorch's names; those of :mod:`mindspore.experimental.optim`, with Adam's formula as PyTorch has it."""

from __future__ import annotations

from typing import Any

from mindspore._ops.optimizer.optimizer_corrected import decoupled_adam
from mindspore._utils.documented import claim as _claim
from mindspore.experimental.optim import SGD, AdamW
from mindspore.experimental.optim import Adam as _Adam

__all__ = ["SGD", "Adam", "AdamW", "FusedAdamW"]


class Adam(_Adam):
    """Adaptive moment estimation with ``sqrt(v / (1 - beta2 ** step)) + eps`` below the fraction.

    Examples:
        >>> from mindspore import Parameter, Tensor, mint
        >>> w = Parameter(Tensor([1.0, 2.0]), name="w")
        >>> _ = mint.optim.Adam([w], lr=0.5)((Tensor([1.0, -1.0]),))
        >>> print(w.asnumpy().round(3))
        [0.5 2.5]
    """

    def construct(self, gradients: Any) -> bool:
        step = self._next_step()
        for group, rate, members in self._by_group(gradients, self.exp_avg, self.exp_avg_sq, self.max_exp_avg_sq):
            settings = (0.0, *group["betas"], group["eps"], group["amsgrad"])
            for parameter, gradient, m, v, largest in members:
                decoupled_adam(parameter, m, v, largest, gradient, rate, step, *settings)
        return True


class FusedAdamW(AdamW):
    """AdamW; XLA fuses it anyway.

    Examples:
        >>> from mindspore import Parameter, Tensor, mint
        >>> w = Parameter(Tensor([1.0]), name="w")
        >>> _ = mint.optim.FusedAdamW([w], lr=0.5, weight_decay=0.0)((Tensor([1.0]),))
        >>> print(w.asnumpy().round(3))
        [0.5]
    """


_claim(__name__)
