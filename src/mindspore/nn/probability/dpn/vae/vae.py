"""The variational autoencoder."""

from __future__ import annotations

from typing import Any

from mindspore import ops
from mindspore._utils.checks import check_positive_int, check_type, shown
from mindspore._utils.refusals import refused
from mindspore.common.tensor import Tensor
from mindspore.nn.cell import Cell
from mindspore.nn.layer._implementation.dense import Dense

__all__ = ["VAE"]


class VAE(Cell):
    """A variational autoencoder: what is encoded is a normal distribution, from which the decoder gets a sample.

    Called with the data, it returns ``(reconstruction, data, mean, standard deviation)``, which the loss
    ``infer.ELBO`` takes.

    Args:
        encoder: a Cell that makes (N, hidden_size) of the data.
        decoder: a Cell that makes data of (N, hidden_size).
        hidden_size: the number of features between encoder, distribution and decoder.
        latent_size: the number of features of the sample, at most ``hidden_size``.

    Examples:
        >>> from mindspore import nn, ops
        >>> from mindspore.nn.probability.dpn import VAE
        >>> encoder = nn.SequentialCell(nn.Flatten(), nn.Dense(16, 8))
        >>> decoder = nn.SequentialCell(nn.Dense(8, 16), nn.Unflatten(1, (1, 4, 4)))
        >>> net = VAE(encoder, decoder, hidden_size=8, latent_size=2)
        >>> reconstruction, x, mean, std = net(ops.ones((3, 1, 4, 4)))
        >>> print(reconstruction.shape, mean.shape, std.shape)
        (3, 1, 4, 4) (3, 2) (3, 2)
        >>> print(net.generate_sample(5, (5, 1, 4, 4)).shape)
        (5, 1, 4, 4)
    """

    def __init__(self, encoder: Cell, decoder: Cell, hidden_size: int, latent_size: int):
        super().__init__()
        self._build(encoder, decoder, hidden_size, latent_size, 0)

    def _build(self, encoder: Cell, decoder: Cell, hidden_size: int, latent_size: int, classes: int) -> None:
        owner = self.cls_name
        self.encoder = check_type(owner, "encoder", encoder, Cell)
        self.decoder = check_type(owner, "decoder", decoder, Cell)
        self.hidden_size = check_positive_int(owner, "hidden_size", hidden_size)
        self.latent_size = check_positive_int(owner, "latent_size", latent_size)
        if hidden_size < latent_size:
            text = f"For '{owner}', the 'latent_size' must be at most the 'hidden_size' {hidden_size}, but got {latent_size}."
            raise refused(ValueError, text)
        self.dense1 = Dense(hidden_size, latent_size)
        self.dense2 = Dense(hidden_size, latent_size)
        self.dense3 = Dense(latent_size + classes, hidden_size)

    def _encode(self, *data: Tensor) -> tuple[Tensor, Tensor]:
        """Mean and standard deviation of what is encoded."""
        hidden = self.encoder(*data)
        return self.dense1(hidden), ops.exp(0.5 * self.dense2(hidden))

    def _decode(self, z: Tensor) -> Tensor:
        return self.decoder(self.dense3(z))

    def construct(self, x: Tensor) -> tuple[Tensor, Tensor, Tensor, Tensor]:
        """The reconstruction of a batch, the batch, and the distributions it was made of."""
        mean, std = self._encode(x)
        return self._decode(drawn(mean, std)), x, mean, std

    def generate_sample(self, generate_nums: int, shape: tuple[int, ...]) -> Tensor:
        """Data made of random samples.

        Args:
            generate_nums: how many.
            shape: their shape, (generate_nums, C, H, W) or (-1, C, H, W).
        """
        self._check_shape(generate_nums, shape)
        return self._decode(ops.standard_normal((generate_nums, self.latent_size))).reshape(shape)

    def _check_shape(self, generate_nums: int, shape: Any) -> None:
        check_positive_int(self.cls_name, "generate_nums", generate_nums)
        if not isinstance(shape, tuple) or len(shape) != 4 or shape[0] not in (-1, generate_nums):
            text = f"For '{self.cls_name}', the 'shape' must be ({generate_nums}, C, H, W) or (-1, C, H, W), but got "
            raise refused(ValueError, f"{text}{shown(shape)}.")

    def reconstruct_sample(self, x: Tensor) -> Tensor:
        """The reconstruction of a batch."""
        return self._decode(drawn(*self._encode(x)))


def drawn(mean: Tensor, std: Tensor) -> Tensor:
    """A sample that gradients pass through to mean and standard deviation."""
    return mean + std * ops.standard_normal(mean.shape).astype(mean.dtype)
