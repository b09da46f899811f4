"""Bayesian layers: weights are distributions, and every call draws from them."""

from mindspore._utils.documented import claim as _claim
from mindspore.nn.probability.bnn_layers import (
    bnn_cell_wrapper,
    conv_variational,
    dense_variational,
    layer_distribution,
)
from mindspore.nn.probability.bnn_layers.bnn_cell_wrapper import WithBNNLossCell
from mindspore.nn.probability.bnn_layers.conv_variational import ConvReparam
from mindspore.nn.probability.bnn_layers.dense_variational import DenseLocalReparam, DenseReparam
from mindspore.nn.probability.bnn_layers.layer_distribution import NormalPosterior, NormalPrior

__all__ = [
    "ConvReparam",
    "DenseLocalReparam",
    "DenseReparam",
    "NormalPosterior",
    "NormalPrior",
    "WithBNNLossCell",
    "bnn_cell_wrapper",
    "conv_variational",
    "dense_variational",
    "layer_distribution",
]

_claim(__name__)
