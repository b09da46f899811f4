"""Normalization layers: behaviour over calls, and what real MindSpore cannot compute on CPU."""

from __future__ import annotations

import numpy as np
import pytest

import mindspore as ms
from mindspore import Tensor, nn
from mindspore.nn.layer.normalization import _BatchNorm


def sample(*shape: int) -> np.ndarray:
    return np.random.default_rng(sum(shape)).normal(1.5, 2.0, shape).astype(np.float32)


def standardized(x: np.ndarray, axes: tuple[int, ...], eps: float = 1e-5) -> np.ndarray:
    return (x - x.mean(axes, keepdims=True)) / np.sqrt(x.var(axes, keepdims=True) + eps)


def test_moving_statistics_follow_the_batches_and_are_used_afterwards(mode):
    net = nn.BatchNorm2d(3, momentum=0.8).set_train()
    mean, variance = np.zeros(3), np.ones(3)
    for step in range(3):
        x = sample(4, 3, 2, 2 + step)
        net(Tensor(x))
        mean = 0.8 * mean + 0.2 * x.mean((0, 2, 3))
        variance = 0.8 * variance + 0.2 * x.var((0, 2, 3), ddof=1)
    np.testing.assert_allclose(net.moving_mean.asnumpy(), mean, rtol=1e-5)
    np.testing.assert_allclose(net.moving_variance.asnumpy(), variance, rtol=1e-5)

    net.set_train(False)
    x = sample(2, 3, 2, 2)
    expected = (x - mean[:, None, None]) / np.sqrt(variance[:, None, None] + 1e-5)
    np.testing.assert_allclose(net(Tensor(x)).asnumpy(), expected, rtol=1e-4, atol=1e-5)
    np.testing.assert_allclose(net.moving_mean.asnumpy(), mean, rtol=1e-5)


def test_statistics_move_while_a_gradient_is_taken(mode):
    net = nn.BatchNorm1d(2).set_train()
    x = sample(5, 2)
    ms.value_and_grad(lambda x: net(x).sum(), None, net.trainable_params())(Tensor(x))
    np.testing.assert_allclose(net.moving_mean.asnumpy(), 0.1 * x.mean(0), rtol=1e-5)


def test_channels_may_be_the_last_axis(mode):
    x = sample(2, 3, 4, 5)
    first = nn.BatchNorm2d(3).set_train()
    last = nn.BatchNorm2d(3, data_format="NHWC").set_train()
    result = last(Tensor(x.transpose(0, 2, 3, 1))).asnumpy().transpose(0, 3, 1, 2)
    np.testing.assert_allclose(result, first(Tensor(x)).asnumpy(), rtol=1e-5, atol=1e-6)
    np.testing.assert_allclose(last.moving_mean.asnumpy(), first.moving_mean.asnumpy(), rtol=1e-6)


def test_parameters_of_a_nested_three_dimensional_one_are_named_as_in_checkpoints():
    net = nn.SequentialCell(nn.BatchNorm3d(2))
    assert [p.name for p in net.get_parameters()] == [
        "0.bn2d.moving_mean",
        "0.bn2d.moving_variance",
        "0.bn2d.gamma",
        "0.bn2d.beta",
    ]


@pytest.mark.parametrize(
    ("make", "shape"),
    [(nn.InstanceNorm1d, (3, 2, 5)), (nn.InstanceNorm2d, (3, 2, 4, 5)), (nn.InstanceNorm3d, (3, 2, 2, 4, 3))],
)
def test_instances_are_normalized_alone(mode, make, shape):
    net, x = make(2, eps=1e-3, gamma_init=Tensor([2.0, 3.0]), beta_init="ones"), sample(*shape)
    axes = tuple(range(2, len(shape)))
    gamma = np.array([2, 3], np.float32).reshape(2, *[1] * len(axes))
    expected = standardized(x, axes, 1e-3) * gamma + 1
    np.testing.assert_allclose(net(Tensor(x)).asnumpy(), expected, rtol=1e-4, atol=1e-5)
    np.testing.assert_allclose(net.moving_mean.asnumpy(), 0.1 * x.mean((0, *axes)), rtol=1e-5)


def test_instance_normalization_has_the_gradient_of_its_formula(mode):
    net, x = nn.InstanceNorm1d(1), Tensor(sample(1, 1, 4))
    weights = Tensor([1.0, 2.0, -1.0, 0.5])
    gradient = ms.grad(lambda x: (net(x) * weights).sum())(x).asnumpy()
    step = 1e-2
    for place in range(4):
        moved = np.zeros((1, 1, 4), np.float32)
        moved[0, 0, place] = step
        above = (standardized(x.asnumpy() + moved, (2,)) * weights.asnumpy()).sum()
        below = (standardized(x.asnumpy() - moved, (2,)) * weights.asnumpy()).sum()
        assert gradient[0, 0, place] == pytest.approx((above - below) / (2 * step), abs=1e-3)


def test_layer_norm_without_scale_or_shift(mode):
    x = sample(2, 3, 4)
    np.testing.assert_allclose(nn.LayerNormExt((3, 4))(Tensor(x)).asnumpy(), standardized(x, (1, 2)), atol=1e-5)
    plain = nn.LayerNormExt(4, 1e-3, elementwise_affine=False)
    assert plain.weight is None and plain.bias is None
    np.testing.assert_allclose(plain(Tensor(x)).asnumpy(), standardized(x, (2,), 1e-3), atol=1e-5)


@pytest.mark.parametrize(
    "net",
    [
        nn.SyncBatchNorm(3),
        nn.SyncBatchNorm(3, process_groups=[[0, 1], [2, 3]]),
        nn.GlobalBatchNorm(3),
        nn.GlobalBatchNorm(num_features=3, momentum=0.9, eps=1e-5, device_num_each_group=4),
    ],
    ids=["all devices", "groups", "1.x", "1.x groups"],
)
def test_synchronized_normalization_on_one_device_is_batch_normalization(net):
    x, alone = Tensor(sample(4, 3)), nn.BatchNorm1d(3).set_train()
    np.testing.assert_allclose(net.set_train()(x).asnumpy(), alone(x).asnumpy(), rtol=1e-6)
    np.testing.assert_allclose(net.moving_variance.asnumpy(), alone.moving_variance.asnumpy())


def test_a_class_of_ones_own_derives_from_the_private_base():
    class Own(_BatchNorm):
        def __init__(self, features):
            super().__init__(features, 1e-5, 0.9, True, use_batch_statistics=True)

    assert isinstance(nn.BatchNorm2d(2), _BatchNorm)
    np.testing.assert_allclose(Own(2)(Tensor(sample(4, 2))).asnumpy(), standardized(sample(4, 2), (0,)), atol=1e-5)


@pytest.mark.parametrize(
    ("make", "error", "text"),
    [
        (lambda: nn.BatchNorm2d(3, eps=0), ValueError, "For 'BatchNorm2d', the 'eps' must be in range"),
        (lambda: nn.BatchNorm2d(3, momentum=1.5), ValueError, "'momentum' must be in range .0, 1., but got 1.5"),
        (lambda: nn.BatchNorm2d(3, data_format="NWHC"), ValueError, "Did you mean 'NHWC'?"),
        (
            lambda: nn.BatchNorm1d(3)(Tensor(sample(2, 3, 4, 5))),
            ValueError,
            r"the 'x' must have 2 or 3 dimensions, but got",
        ),
        (
            lambda: nn.SyncBatchNorm(3, process_groups=[[0, 1], [1]]),
            ValueError,
            "every rank must be in 'process_groups' once",
        ),
        (lambda: nn.GlobalBatchNorm(3, device_num_each_group=1), ValueError, "'device_num_each_group' must be greater"),
        (lambda: nn.LayerNorm(3), TypeError, "the 'normalized_shape' must be a tuple or list of ints, but got 3"),
        (lambda: nn.GroupNorm(3, 4), ValueError, "but got 4 channels in 3 groups"),
    ],
)
def test_errors_say_what_was_passed_and_what_is_allowed(make, error, text):
    with pytest.raises(error, match=text):
        make()


def test_a_failed_call_leaves_the_statistics_alone(mode):
    net = nn.BatchNorm2d(3).set_train()
    with pytest.raises(ValueError):
        net(Tensor(sample(2, 4, 2, 2)))
    assert net.moving_mean.tolist() == [0.0, 0.0, 0.0]
