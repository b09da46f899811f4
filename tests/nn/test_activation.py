"""Activation layers: what the recorded answers of real MindSpore do not show."""

from __future__ import annotations

import math

import numpy as np
import pytest

import mindspore as ms
from mindspore import Tensor, nn
from mindspore.nn.layer import activation


def test_every_name_of_the_table_makes_its_class():
    without_arguments = {name: made for name, made in activation._activation.items() if name != "threshold"}
    for name, made in without_arguments.items():
        assert type(nn.get_activation(name)) is made


def test_get_activation_makes_a_new_cell_each_time_and_nothing_of_none():
    assert nn.get_activation("prelu") is not nn.get_activation("prelu")
    assert nn.get_activation(None) is None


def test_an_unknown_activation_is_answered_with_the_nearest_name():
    with pytest.raises(KeyError, match=r"For 'Dense', the 'name' must be in .* Did you mean 'leakyrelu'"):
        nn.get_activation("leaky_relu", "Dense")


def test_other_slopes_than_one_are_computed():
    x = np.array([-2.0, -0.5, 0.0, 3.0], np.float32)
    expected = np.where(x > 0, x, 2.5 * np.expm1(x))
    np.testing.assert_allclose(nn.ELU(2.5)(Tensor(x)).asnumpy(), expected, rtol=1e-6)


def test_log_sigmoid_stays_finite_far_from_zero():
    assert nn.LogSigmoid()(Tensor([-100.0, 100.0])).tolist() == [-100.0, 0.0]


@pytest.mark.parametrize(("shape", "axis"), [((3,), 0), ((2, 3), 1), ((2, 3, 2), 0), ((2, 3, 2, 2), 1)])
def test_softmax_without_a_dimension_takes_the_axis_of_old(shape, axis):
    x = Tensor(np.random.default_rng(0).normal(size=shape), ms.float32)
    assert np.allclose(activation.SoftmaxExt()(x).sum(axis).asnumpy(), 1)
    assert np.allclose(nn.LogSoftmaxExt()(x).exp().sum(axis).asnumpy(), 1)
    assert np.allclose(nn.LogSoftmaxExt(0)(x).exp().sum(0).asnumpy(), 1)


def test_random_slopes_lie_between_the_bounds_and_follow_the_seed(mode):
    layer, x = nn.RReLU(0.1, 0.4), Tensor(np.full(1000, -1.0, np.float32))
    ms.set_seed(3)
    first, second = layer(x).asnumpy(), layer(x).asnumpy()
    ms.set_seed(3)
    again = layer(x).asnumpy()
    assert (first <= -0.1).all() and (first >= -0.4).all() and np.ptp(first) > 0.25
    assert (first == again).all() and (first != second).any()


def test_prelu_is_trained(mode):
    layer = nn.PReLU(2, [0.5, 0.25])
    gradient = ms.grad(lambda x: layer(x).sum(), None, layer.trainable_params())(Tensor([[-1.0, 2.0], [-3.0, -4.0]]))
    assert gradient[0].tolist() == [-4.0, -4.0]


def test_half_precision_stays_half():
    assert nn.GELU()(Tensor([1.0], ms.float16)).dtype == ms.float16
    assert nn.PReLUExt(dtype=ms.float16).weight.dtype == ms.float16


@pytest.mark.parametrize(
    ("make", "error", "text"),
    [
        (lambda: nn.ReLU(0.2), TypeError, "takes 1 positional argument but 2 were given"),
        (lambda: nn.CELU(0.0), ValueError, "For 'CELU', the 'alpha' must not be 0"),
        (lambda: nn.LeakyReLU("a"), TypeError, "For 'LeakyReLU', the 'alpha' must be a float or an int, but got 'a'"),
        (lambda: nn.LogSoftmax((1,)), TypeError, "For 'LogSoftmax', the 'axis' must be an int"),
        (lambda: nn.Softmin(1.5), TypeError, "For 'Softmin', the 'axis' must be one of 'int' or 'tuple'"),
        (lambda: nn.SoftShrink(-1.0), ValueError, "For 'SoftShrink', the 'lambd' must be in range"),
        (lambda: nn.Threshold(math.nan, 1), ValueError, "For 'Threshold', the 'threshold' must be in range"),
        (lambda: nn.PReLU(2, [0.1]), ValueError, r"one element per channel, shape \(2,\), but got shape \(1,\)"),
        (lambda: nn.RReLU(0.5, 0.1), ValueError, "the 'upper' must be greater than or equal to the 'lower'"),
        (lambda: nn.Softmax2d()(Tensor([1.0])), ValueError, r"For 'Softmax2d', the 'x' must have 3 or 4 dimensions"),
    ],
)
def test_errors_say_what_was_passed_and_what_is_allowed(make, error, text):
    with pytest.raises(error, match=text):
        make()
