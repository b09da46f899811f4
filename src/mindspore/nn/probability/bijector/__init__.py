"""Bijectors: maps between the values of distributions that can be undone."""

from mindspore._utils.documented import claim as _claim
from mindspore.nn.probability.bijector.bijector import Bijector
from mindspore.nn.probability.bijector.exp import Exp
from mindspore.nn.probability.bijector.gumbel_cdf import GumbelCDF
from mindspore.nn.probability.bijector.invert import Invert
from mindspore.nn.probability.bijector.power_transform import PowerTransform
from mindspore.nn.probability.bijector.scalar_affine import ScalarAffine
from mindspore.nn.probability.bijector.softplus import Softplus

__all__ = ["Bijector", "Exp", "GumbelCDF", "Invert", "PowerTransform", "ScalarAffine", "Softplus"]

_claim(__name__)
