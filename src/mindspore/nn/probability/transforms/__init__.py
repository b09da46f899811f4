"""Transforms: networks made Bayesian, as MindSpore 1.x has them."""

from mindspore._utils.documented import claim as _claim
from mindspore.nn.probability.transforms.transform_bnn import TransformToBNN

__all__ = ["TransformToBNN"]

_claim(__name__)
