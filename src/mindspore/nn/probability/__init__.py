"""Probability: distributions, the maps between their values, and layers whose weights are drawn from them."""

from mindspore.nn.probability import bijector, bnn_layers, distribution

__all__ = ["bijector", "bnn_layers", "distribution"]
