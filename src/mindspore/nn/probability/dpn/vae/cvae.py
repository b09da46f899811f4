"""The conditional variational autoencoder: encoder and decoder get the class, too."""

from __future__ import annotations

from mindspore import ops
from mindspore._utils.checks import check_positive_int
from mindspore.common import dtype as mstype
from mindspore.common.tensor import Tensor
from mindspore.nn.cell import Cell
from mindspore.nn.probability.dpn.vae.vae import VAE, drawn

__all__ = ["ConditionalVAE"]


class ConditionalVAE(VAE):
    """A variational autoencoder whose encoder and decoder also get the class of the data.

    Called with data and labels, it returns ``(reconstruction, data, mean, standard deviation)``.

    Args:
        encoder: a Cell that makes (N, hidden_size) of data and labels.
        decoder: a Cell that makes data of (N, hidden_size).
        hidden_size: the number of features between encoder, distribution and decoder.
        latent_size: the number of features of the sample, at most ``hidden_size``.
        num_classes: the number of classes.

    Examples:
        >>> from mindspore import Tensor, nn, ops
        >>> from mindspore.nn.probability.dpn import ConditionalVAE
        >>> class Encoder(nn.Cell):
        ...     def __init__(self):
        ...         super().__init__()
        ...         self.dense = nn.Dense(17, 8)
        ...     def construct(self, x, y):
        ...         return self.dense(ops.concat((x.reshape(-1, 16), y.reshape(-1, 1).astype(x.dtype)), 1))
        >>> decoder = nn.SequentialCell(nn.Dense(8, 16), nn.Unflatten(1, (1, 4, 4)))
        >>> net = ConditionalVAE(Encoder(), decoder, hidden_size=8, latent_size=2, num_classes=10)
        >>> print(net(ops.ones((3, 1, 4, 4)), Tensor([0, 5, 9]))[0].shape)
        (3, 1, 4, 4)
    """

    def __init__(self, encoder: Cell, decoder: Cell, hidden_size: int, latent_size: int, num_classes: int):
        Cell.__init__(self)
        self.num_classes = check_positive_int(self.cls_name, "num_classes", num_classes)
        self._build(encoder, decoder, hidden_size, latent_size, num_classes)

    def _with_class(self, z: Tensor, y: Tensor) -> Tensor:
        on, off = Tensor(1.0, mstype.float32), Tensor(0.0, mstype.float32)
        return ops.concat((z, ops.one_hot(y, self.num_classes, on, off)), 1)

    def construct(self, x: Tensor, y: Tensor) -> tuple[Tensor, Tensor, Tensor, Tensor]:  # type: ignore[override]
        """The reconstruction of a batch, the batch, and the distributions it was made of."""
        mean, std = self._encode(x, y)
        return self._decode(self._with_class(drawn(mean, std), y)), x, mean, std

    def generate_sample(self, sample_y: Tensor, generate_nums: int, shape: tuple[int, ...]) -> Tensor:  # type: ignore[override]
        """Data of these classes, made of random samples.

        Args:
            sample_y: the classes.
            generate_nums: how many.
            shape: their shape, (generate_nums, C, H, W) or (-1, C, H, W).
        """
        self._check_shape(generate_nums, shape)
        z = ops.standard_normal((generate_nums, self.latent_size))
        return self._decode(self._with_class(z, sample_y)).reshape(shape)

    def reconstruct_sample(self, x: Tensor, y: Tensor) -> Tensor:  # type: ignore[override]
        """The reconstruction of a batch."""
        return self._decode(self._with_class(drawn(*self._encode(x, y)), y))
