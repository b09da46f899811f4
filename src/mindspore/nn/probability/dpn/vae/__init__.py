"""Variational autoencoders."""

from mindspore.nn.probability.dpn.vae.cvae import ConditionalVAE
from mindspore.nn.probability.dpn.vae.vae import VAE

__all__ = ["VAE", "ConditionalVAE"]
