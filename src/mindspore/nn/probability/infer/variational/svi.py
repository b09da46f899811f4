"""Stochastic variational inference."""

from __future__ import annotations

from typing import Any

from mindspore._utils.checks import check_positive_int, check_type, shown
from mindspore._utils.refusals import refused
from mindspore.common import dtype as mstype
from mindspore.common.tensor import Tensor
from mindspore.nn.cell import Cell
from mindspore.nn.probability.infer.variational.elbo import ELBO
from mindspore.nn.wrap.cell_wrapper import TrainOneStepCell

__all__ = ["SVI"]


class SVI:
    """Trains a probabilistic network with the evidence lower bound.

    Args:
        net_with_loss: the network with its loss, ``nn.WithLossCell(net, infer.ELBO())``.
        optimizer: what updates its Parameters.

    Examples:
        >>> import numpy as np
        >>> from mindspore import dataset as ds, nn
        >>> from mindspore.nn.probability.dpn import VAE
        >>> from mindspore.nn.probability.infer import ELBO, SVI
        >>> encoder = nn.SequentialCell(nn.Flatten(), nn.Dense(4, 4))
        >>> net = VAE(encoder, nn.SequentialCell(nn.Dense(4, 4), nn.Unflatten(1, (1, 2, 2))), 4, 2)
        >>> svi = SVI(nn.WithLossCell(net, ELBO()), nn.Adam(net.trainable_params()))
        >>> images = {"image": np.zeros((4, 1, 2, 2), np.float32), "label": np.zeros(4, np.int32)}
        >>> trained = svi.run(ds.NumpySlicesDataset(images, shuffle=False).batch(2), epochs=1)
        >>> trained is net, bool(svi.get_train_loss() > 0)
        (True, True)
    """

    def __init__(self, net_with_loss: Cell, optimizer: Cell):
        self.net_with_loss = net_with_loss
        self.loss_fn = getattr(net_with_loss, "_loss_fn", None)
        if not isinstance(self.loss_fn, ELBO):
            raise refused(TypeError, f"For 'SVI', the loss must be an ELBO, but got {shown(self.loss_fn)}.")
        self.optimizer = check_type("SVI", "optimizer", optimizer, Cell)
        self._loss: Any = 0.0

    def run(self, train_dataset: Any, epochs: int = 10) -> Cell:
        """Train, and return the trained network.

        Args:
            train_dataset: batches with the columns ``image`` and ``label``.
            epochs: how often they are used.
        """
        check_positive_int("SVI.run", "epochs", epochs)
        step = TrainOneStepCell(self.net_with_loss, self.optimizer)
        step.set_train()
        for _ in range(epochs):
            total, count = 0.0, 0
            for row in train_dataset.create_dict_iterator():
                x, y = Tensor(row["image"], mstype.float32), Tensor(row["label"], mstype.int32)
                total = total + step(x, y).asnumpy()
                count += len(x)
            self._loss = total / max(count, 1)
        return self.net_with_loss.backbone_network

    def get_train_loss(self) -> Any:
        """The loss of the last epoch, per image."""
        return self._loss
