"""Samples unlike those that were trained with, found by a variational autoencoder."""

from __future__ import annotations

from typing import Any

import numpy as np

from mindspore._utils.checks import check_type, shown
from mindspore._utils.refusals import refused
from mindspore.common.tensor import Tensor
from mindspore.nn.cell import Cell
from mindspore.nn.optim import Adam
from mindspore.nn.probability.dpn import VAE
from mindspore.nn.probability.infer import ELBO, SVI
from mindspore.nn.wrap.cell_wrapper import WithLossCell

__all__ = ["VAEAnomalyDetection"]


class VAEAnomalyDetection:
    """Tells how far a sample is from what a variational autoencoder makes of it.

    Args:
        encoder, decoder: the networks of the :class:`~mindspore.nn.probability.dpn.VAE`.
        hidden_size: the size of what the encoder returns.
        latent_size: the size of the latent space.

    Raises:
        TypeError: a network is no Cell, or a size no integer.
        ValueError: a size is not positive.

    Examples:
        >>> import numpy as np
        >>> from mindspore import Tensor, nn
        >>> from mindspore.nn.probability.toolbox import VAEAnomalyDetection
        >>> found = VAEAnomalyDetection(nn.Dense(6, 4), nn.Dense(4, 6), hidden_size=4, latent_size=2)
        >>> bool(found.predict_outlier(Tensor(np.zeros((1, 6), np.float32)), threshold=1e6))
        False
    """

    def __init__(self, encoder: Cell, decoder: Cell, hidden_size: int = 400, latent_size: int = 20):
        self.vae: Any = VAE(encoder, decoder, hidden_size, latent_size)

    def train(self, train_dataset: Any, epochs: int = 5) -> Cell:
        """Train the autoencoder, and return it.

        Args:
            train_dataset: batches with the columns ``image`` and ``label``.
            epochs: how often they are used.
        """
        optimizer = Adam(self.vae.trainable_params(), 0.001)
        self.vae = SVI(WithLossCell(self.vae, ELBO()), optimizer).run(train_dataset, epochs)
        return self.vae

    def predict_outlier_score(self, sample_x: Tensor) -> np.floating[Any]:
        """The distance between samples and what the autoencoder makes of them."""
        check_type("VAEAnomalyDetection.predict_outlier_score", "sample_x", sample_x, Tensor)
        made = self.vae.reconstruct_sample(sample_x)
        return np.sqrt(np.sum(np.square(sample_x.asnumpy() - made.asnumpy())))

    def predict_outlier(self, sample_x: Tensor, threshold: float = 100.0) -> bool:
        """Whether that distance reaches the threshold."""
        if not isinstance(threshold, float) or threshold <= 0:
            raise refused(
                ValueError,
                f"For 'VAEAnomalyDetection.predict_outlier', the 'threshold' must be a positive float, but got {shown(threshold)}.",
            )
        return bool(self.predict_outlier_score(sample_x) >= threshold)
