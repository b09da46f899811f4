"""Probability: distributions, the maps between their values, and layers and networks whose values are drawn from them."""

from mindspore.nn.probability import bijector, bnn_layers, distribution, dpn, infer, toolbox, transforms

__all__ = ["bijector", "bnn_layers", "distribution", "dpn", "infer", "toolbox", "transforms"]
