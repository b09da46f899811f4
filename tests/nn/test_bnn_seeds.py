"""Bayesian layers start with MindSpore's values for a seed, and their loss has its value."""

import numpy as np
import pytest

import mindspore as ms
from mindspore import Tensor, nn
from mindspore.nn.probability import bnn_layers


def test_first_values_and_divergence_are_those_of_mindspore_for_a_seed():
    ms.set_seed(3)
    layer = bnn_layers.DenseReparam(4, 2)
    means = [float(one.asnumpy().mean()) for one in layer.get_parameters()]
    np.testing.assert_allclose(means, [-0.011046829, -4.9839253, -0.10459187, -5.0059352], rtol=1e-6)
    np.testing.assert_allclose(float(layer.compute_kl_loss()), 2197.0, rtol=1e-5)


def test_the_loss_looks_for_layers_inside_the_network():
    data, label = Tensor(np.ones((2, 3), np.float32)), Tensor(np.ones((2, 1), np.float32))
    layer = bnn_layers.DenseReparam(3, 1)
    assert float(bnn_layers.WithBNNLossCell(layer, nn.MSELoss(), 0, 1)(data, label)) == 0
    inside = bnn_layers.WithBNNLossCell(nn.SequentialCell(layer), nn.MSELoss(), 0, 1)
    np.testing.assert_allclose(float(inside(data, label)), float(layer.compute_kl_loss()), rtol=1e-5)


def test_functions_that_make_distributions_get_a_name_and_a_list():
    seen = []

    def make(name, shape):
        seen.append((name, shape))
        return bnn_layers.NormalPosterior(name, shape)

    bnn_layers.ConvReparam(4, 2, 3, group=2, has_bias=True, weight_posterior_fn=make, bias_posterior_fn=make)
    assert seen == [("bnn_weight", [2, 2, 3, 3]), ("bnn_bias", [2])]


@pytest.mark.parametrize("option", ["loc_std", "untransformed_scale_std"])
def test_deviations_are_above_zero(option):
    with pytest.raises(TypeError, match=f"'{option}'.*above 0"):
        bnn_layers.NormalPosterior("w", (2,), **{option: 0})
