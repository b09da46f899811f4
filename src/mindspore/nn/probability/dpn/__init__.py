"""Deep probabilistic networks: networks whose hidden values are drawn, as MindSpore 1.x has them."""

from mindspore._utils.documented import claim as _claim
from mindspore.nn.probability.dpn.vae import VAE, ConditionalVAE

__all__ = ["VAE", "ConditionalVAE"]

_claim(__name__)
