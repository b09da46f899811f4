"""Inference: distributions fitted by training, as MindSpore 1.x has it."""

from mindspore._utils.documented import claim as _claim
from mindspore.nn.probability.infer.variational import ELBO, SVI

__all__ = ["ELBO", "SVI"]

_claim(__name__)
