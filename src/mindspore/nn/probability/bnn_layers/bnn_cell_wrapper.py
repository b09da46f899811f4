"""The loss of a Bayesian network: that of its answers, and the distance of its weights from what was believed."""

from __future__ import annotations

from typing import Any

from mindspore._utils.checks import check_type
from mindspore._utils.refusals import refused
from mindspore.common.tensor import Tensor
from mindspore.nn.cell import Cell
from mindspore.nn.probability.bnn_layers.conv_variational import ConvReparam
from mindspore.nn.probability.bnn_layers.dense_variational import _DenseVariational

__all__ = ["WithBNNLossCell"]


class WithBNNLossCell(Cell):
    """A network with its loss, ``dnn_factor * loss_fn(backbone(data), label) + bnn_factor * divergence``.

    The divergence is the sum of ``compute_kl_loss()`` over all Bayesian layers inside the network.

    Args:
        backbone: the network.
        loss_fn: the loss of its answers.
        dnn_factor, bnn_factor: the weights of the two parts, at least 0.

    Examples:
        >>> from mindspore import nn, ops
        >>> from mindspore.nn.probability import bnn_layers
        >>> net = nn.SequentialCell(bnn_layers.DenseReparam(16, 4), nn.ReLU(), bnn_layers.DenseReparam(4, 1))
        >>> loss = bnn_layers.WithBNNLossCell(net, nn.MSELoss(), 60000, 0.000001)
        >>> print(loss(ops.ones((2, 16)), ops.ones((2, 1))).shape)
        ()
    """

    def __init__(self, backbone: Cell, loss_fn: Any, dnn_factor: float = 1, bnn_factor: float = 1):
        super().__init__(auto_prefix=False)
        owner = self.cls_name
        self._backbone = check_type(owner, "backbone", backbone, Cell)
        self._loss_fn = loss_fn
        for name, factor in (("dnn_factor", dnn_factor), ("bnn_factor", bnn_factor)):
            if isinstance(factor, bool) or not isinstance(factor, (int, float)):
                raise refused(
                    TypeError, f"For '{owner}', the '{name}' must be an int or float, but got {type(factor).__name__}."
                )
            if factor < 0:
                raise refused(ValueError, f"For '{owner}', the '{name}' must be at least 0, but got {factor}.")
        self.dnn_factor, self.bnn_factor = dnn_factor, bnn_factor
        inside = [cell for _, cell in backbone.cells_and_names() if cell is not backbone]  # not itself, as in MindSpore
        layers = [cell for cell in inside if isinstance(cell, (_DenseVariational, ConvReparam))]
        self._kl_losses = [cell.compute_kl_loss for cell in layers]

    def construct(self, x: Tensor, label: Tensor) -> Tensor:
        """The loss of a batch."""
        loss = self.dnn_factor * self._loss_fn(self._backbone(x), label)
        for divergence in self._kl_losses:
            loss = loss + self.bnn_factor * divergence()
        return loss

    @property
    def backbone_network(self) -> Cell:
        """The network."""
        return self._backbone
