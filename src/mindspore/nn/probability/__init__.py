"""Probability: distributions, and the maps between their values."""

from mindspore.nn.probability import bijector, distribution

__all__ = ["bijector", "distribution"]
