"""Bayesian layers. Numbers are those of real MindSpore 2.10."""

import numpy as np
import pytest

import mindspore as ms
from mindspore import Tensor, nn, ops
from mindspore.nn.probability import bnn_layers


def settle(net, mean=0.3, untransformed_std=-30.0):
    """Give all distributions the same Parameters; with this deviation draws are nearly the mean."""
    for one in net.trainable_params():
        if "posterior" in one.name:
            number = mean if one.name.endswith("mean") else untransformed_std
            one.set_data(Tensor(np.full(one.shape, number, np.float32)))
    return net


@pytest.mark.parametrize(
    ("make", "divergence"),
    [
        (lambda: bnn_layers.DenseReparam(3, 2), 9.211056),
        (lambda: bnn_layers.DenseLocalReparam(3, 2), 9.211056),
        (lambda: bnn_layers.DenseReparam(3, 2, activation="relu", has_bias=False), 6.908292),
        (lambda: bnn_layers.ConvReparam(2, 4, 3, has_bias=True), 87.50506),
        (lambda: bnn_layers.ConvReparam(2, 4, 3, stride=2, pad_mode="valid"), 82.89953),
    ],
)
def test_the_divergence_is_that_of_mindspore(mode, make, divergence):
    np.testing.assert_allclose(
        settle(make(), untransformed_std=-1.0).compute_kl_loss().asnumpy(), divergence, rtol=1e-6
    )


def test_answers_are_those_of_the_weights_drawn(mode):
    x = Tensor(np.arange(6, dtype=np.float32).reshape(2, 3))
    for layer in (bnn_layers.DenseReparam, bnn_layers.DenseLocalReparam):
        np.testing.assert_allclose(settle(layer(3, 2))(x).asnumpy(), [[1.2, 1.2], [3.9, 3.9]], rtol=1e-4)
    image = ops.ones((1, 2, 5, 5))
    convolved = settle(bnn_layers.ConvReparam(2, 4, 3, has_bias=True))(image).asnumpy()
    assert convolved.shape == (1, 4, 5, 5)
    np.testing.assert_allclose(convolved.ravel()[:2], [2.7, 3.9], rtol=1e-4)


def test_draws_have_the_mean_and_the_deviation_of_the_posterior():
    ms.set_seed(1)
    one_matrix = settle(bnn_layers.DenseReparam(3, 1, has_bias=False), untransformed_std=0.0)
    each_row = settle(bnn_layers.DenseLocalReparam(3, 1, has_bias=False), untransformed_std=0.0)
    assert np.ptp(one_matrix(ops.ones((5, 3))).asnumpy()) == 0
    draws = ops.concat([one_matrix(ops.ones((1, 3))) for _ in range(500)]), each_row(ops.ones((4000, 3)))
    for found in draws:
        np.testing.assert_allclose(found.asnumpy().mean(), 0.9, atol=0.2)
        np.testing.assert_allclose(found.asnumpy().std(), np.log(2) * np.sqrt(3), rtol=0.1)  # log(2) is each weight's


def test_parameters_have_the_names_of_checkpoints():
    dense, convolution = bnn_layers.DenseReparam(4, 2), bnn_layers.ConvReparam(1, 2, 3)
    posterior = ["weight_posterior.mean", "weight_posterior.untransformed_std"]
    assert [one.name for one in dense.get_parameters()] == [
        *posterior,
        "bias_posterior.mean",
        "bias_posterior.untransformed_std",
    ]
    assert [one.name for one in convolution.get_parameters()] == ["weight", *posterior]
    assert [one.name for one in convolution.trainable_params()] == posterior
    assert next(nn.SequentialCell(dense).get_parameters()).name == "0.weight_posterior.mean"
    assert [one.name for one in bnn_layers.NormalPosterior("w", (2,)).get_parameters()] == [
        "w_mean",
        "w_untransformed_std",
    ]


def test_initial_values_are_those_of_mindspore():
    ms.set_seed(5)
    net = bnn_layers.DenseReparam(3, 2)
    expected = [[0.04412275, -0.03308702, 0.24307711], [-0.02520921, 0.01096098, 0.15824811]]
    np.testing.assert_allclose(net.weight_posterior.mean.asnumpy(), expected, rtol=1e-6)
    np.testing.assert_allclose(net.weight_posterior.untransformed_std.asnumpy().mean(), -5.0506797, rtol=1e-6)


def test_the_loss_weighs_answers_and_divergence(mode):
    net = nn.SequentialCell(
        settle(bnn_layers.DenseReparam(4, 2)), nn.Dense(2, 2, weight_init="ones", bias_init="zeros")
    )
    loss = bnn_layers.WithBNNLossCell(net, nn.MSELoss(), dnn_factor=2, bnn_factor=0.5)
    assert loss.backbone_network is net
    np.testing.assert_allclose(loss(ops.ones((3, 4)), ops.zeros((3, 2))).asnumpy(), 2.5e11, rtol=1e-5)
    gradients = ms.grad(loss, None, loss.trainable_params())(ops.ones((3, 4)), ops.zeros((3, 2)))
    found = [float(one.asnumpy().ravel()[0]) for one in gradients]
    np.testing.assert_allclose(found, [1.5e11, -4678.78, 1.5e11, -4678.78, 9, 6], rtol=1e-4)


def test_a_bayesian_network_learns(mode):
    ms.set_seed(1)
    net = nn.SequentialCell(bnn_layers.DenseReparam(2, 8, activation="tanh"), bnn_layers.DenseLocalReparam(8, 1))
    loss = bnn_layers.WithBNNLossCell(net, nn.MSELoss(), 1, 1e-4)
    step = nn.TrainOneStepCell(loss, nn.Adam(loss.trainable_params(), 0.05)).set_train()
    x = Tensor(np.random.default_rng(0).standard_normal((64, 2)), ms.float32)
    y = x[:, :1] - x[:, 1:]
    losses = [float(step(x, y).asnumpy()) for _ in range(60)]
    assert losses[-1] < losses[0] / 5


def test_mistakes_are_named():
    for arguments, error, text in (
        ({"in_channels": 0, "out_channels": 2}, ValueError, "in_channels"),
        ({"in_channels": 3, "out_channels": 2, "activation": 3}, ValueError, "activation"),
        ({"in_channels": 3, "out_channels": 2, "weight_prior_fn": 3}, TypeError, "weight_prior_fn"),
        ({"in_channels": 3, "out_channels": 2, "weight_posterior_fn": 3}, TypeError, "weight_posterior_fn"),
    ):
        with pytest.raises(error, match=text):
            bnn_layers.DenseReparam(**arguments)
    with pytest.raises(ValueError, match="dnn_factor"):
        bnn_layers.WithBNNLossCell(nn.Dense(1, 1), nn.MSELoss(), dnn_factor=-1)
