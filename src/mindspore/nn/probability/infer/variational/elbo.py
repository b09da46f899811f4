"""The evidence lower bound, as a loss."""

from __future__ import annotations

from mindspore import ops
from mindspore._utils.checks import check_one_of
from mindspore.common.tensor import Tensor
from mindspore.nn.cell import Cell
from mindspore.nn.loss._distances import MSELoss
from mindspore.nn.probability.distribution import Normal

__all__ = ["ELBO"]


class ELBO(Cell):
    """The negative evidence lower bound: the error of a reconstruction, and how far what is encoded is from the prior.

    Called with what ``dpn.VAE`` returns, and a label that does not count.

    Args:
        latent_prior: 'Normal', the prior of what is encoded.
        output_prior: 'Normal', with which the error is the sum of squared differences.

    Examples:
        >>> from mindspore import ops
        >>> from mindspore.nn.probability.infer import ELBO
        >>> x, zero, one = ops.ones((2, 3)), ops.zeros((2, 2)), ops.ones((2, 2))
        >>> print(ELBO()((x + 1, x, zero, one), None))
        6.0
    """

    def __init__(self, latent_prior: str = "Normal", output_prior: str = "Normal"):
        super().__init__()
        check_one_of("ELBO", "latent_prior", latent_prior, ("Normal",))
        check_one_of("ELBO", "output_prior", output_prior, ("Normal",))
        self.posterior = Normal()
        self.recon_loss = MSELoss(reduction="sum")

    def construct(self, data: tuple[Tensor, Tensor, Tensor, Tensor], label: Tensor) -> Tensor:
        """The loss of a batch."""
        reconstruction, x, mean, std = data
        zero = ops.zeros_like(mean)
        divergence = self.posterior("kl_loss", "Normal", zero, zero + 1, mean, std)
        return self.recon_loss(x, reconstruction) + divergence.sum()
