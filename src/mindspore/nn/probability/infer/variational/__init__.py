"""Variational inference."""

from mindspore.nn.probability.infer.variational.elbo import ELBO
from mindspore.nn.probability.infer.variational.svi import SVI

__all__ = ["ELBO", "SVI"]
