"""Layers of quantization-aware training: against NumPy, against the layers without rounding, and step by step."""

from __future__ import annotations

import numpy as np
import pytest

import mindspore as ms
from mindspore import Tensor, nn, ops
from mindspore._ops.nn.fake_quant import fake_quantize, learned_scale_quantize
from mindspore.nn.layer.quant import QuantConfig, QuantDtype, quant_config_default

RANDOM = np.random.default_rng(3)
IMAGES = RANDOM.normal(size=(2, 3, 5, 5)).astype(np.float32)


def rounded(x: np.ndarray, low: float, high: float, bits: int = 8) -> np.ndarray:
    """What a range of ``2 ** bits`` levels leaves of x, when 0 need not be moved far."""
    scale = (high - low) / (2**bits - 1)
    zero = np.floor(-low / scale + 0.5)
    return (np.floor(np.clip(x / scale + zero, 0, 2**bits - 1) + 0.5) - zero) * scale


def assert_close(found: Tensor, wanted: np.ndarray, tolerance: float = 1e-5) -> None:
    np.testing.assert_allclose(found.asnumpy(), wanted, tolerance, tolerance)


# -- the operators ---------------------------------------------------------------------------------------------------
def test_gradient_passes_inside_the_range_and_stops_beyond(mode):
    limits = Tensor([-1.0]), Tensor([1.0])
    x = Tensor([-3.0, -0.5, 0.0, 0.33, 0.99, 3.0])
    gradient = ms.grad(lambda v: (fake_quantize(v, *limits) * 2).sum())(x)
    assert gradient.asnumpy().tolist() == [0, 2, 2, 2, 2, 0]


def test_zero_is_exact_and_an_empty_range_gives_zero():
    x = Tensor([0.0, 0.1, -5.0])
    assert fake_quantize(x, Tensor([-0.77]), Tensor([0.4]))[0] == 0
    nothing = Tensor([0.0])
    assert fake_quantize(x, nothing, nothing).asnumpy().tolist() == [0, 0, 0]
    assert np.isfinite(ms.grad(lambda v: fake_quantize(v, nothing, nothing).sum())(x).asnumpy()).all()


def test_channels_have_ranges_of_their_own():
    low, high = np.float32([-1, -4]), np.float32([1, 2])
    x = RANDOM.normal(size=(5, 2)).astype(np.float32) * 2
    found = fake_quantize(Tensor(x), Tensor(low), Tensor(high), 1)
    assert_close(found, np.stack([rounded(x[:, c], low[c], high[c]) for c in range(2)], 1))
    with pytest.raises(ValueError, match=r"'minimum' must have shape \(2,\), but got \(1,\)"):
        fake_quantize(Tensor(x), Tensor([-1.0]), Tensor(high), 1)


def test_learned_scale_gets_the_rounding_error_inside_and_the_limit_beyond():
    x, scale = Tensor([0.7, -0.4, 3.0, -3.0]), Tensor([2.0])

    def one(v, s):
        return learned_scale_quantize(v, s, Tensor([3.0]))

    # 0.35 * 3 rounds to 1, -0.2 * 3 to -1
    assert_close(one(x, scale), np.array([2 / 3, -2 / 3, 2, -2]))
    to_x, to_scale = ms.grad(lambda v, s: one(v, s).sum(), (0, 1))(x, scale)
    assert_close(to_x, np.array([1, 1, 0, 0]))
    assert_close(to_scale, np.array([(1 / 3 - 0.35) + (-1 / 3 + 0.2) + 1 - 1]))
    only_positive = learned_scale_quantize(x, scale, Tensor([3.0]), None, True)
    assert_close(only_positive, np.array([2 / 3, 0, 2, 0]))


# -- the observer ----------------------------------------------------------------------------------------------------
def test_values_of_the_documentation_of_mindspore():
    x = Tensor([[1.0, 2.0, 1.0], [-2.0, 0.0, -1.0]])
    wanted = [[0.9882355, 1.9764705, 0.9882355], [-1.9764705, 0, -0.9882355]]
    assert_close(nn.FakeQuantWithMinMaxObserver()(x), np.array(wanted), 1e-6)
    added = nn.TensorAddQuant()(x, ops.ones((2, 3)))
    assert_close(added, np.array([[1.9764705, 3.011765, 1.9764705], [-0.9882355, 0.9882355, 0]]), 1e-6)
    multiplied = nn.MulQuant()(x, ops.full((2, 3), 2.0, dtype=ms.float32))
    assert_close(multiplied, np.array([[1.9764705, 4.0000005, 1.9764705], [-4, 0, -1.9764705]]), 1e-6)


def test_range_follows_the_input_in_training_only(mode):
    net = nn.FakeQuantWithMinMaxObserver()
    net(Tensor([[20.0, -30.0]]))
    assert (net.minq.asnumpy(), net.maxq.asnumpy()) == ([-6.0], [6.0])
    found = net.set_train()(Tensor([[2.0, 0.5]]))
    assert (net.minq.asnumpy(), net.maxq.asnumpy()) == ([0.0], [2.0])  # 0 is always within
    assert_close(found, rounded(np.array([[2.0, 0.5]]), 0, 2))


def test_range_follows_slowly_with_ema_and_per_channel(mode):
    net = nn.FakeQuantWithMinMaxObserver(
        min_init=[-6, -1], max_init=[6, 1], ema=True, ema_decay=0.9, per_channel=True, channel_axis=0, num_channels=2
    ).set_train()
    net(Tensor([[-2.0, 4.0], [3.0, 5.0]]))
    assert_close(net.minq.value(), np.array([0.9 * -6 + 0.1 * -2, min(0.9 * -1 + 0.1 * 3, 0)]))
    assert_close(net.maxq.value(), np.array([0.9 * 6 + 0.1 * 4, 0.9 * 1 + 0.1 * 5]))


def test_delay_lets_the_input_pass_for_some_steps(mode):
    net = nn.FakeQuantWithMinMaxObserver(quant_delay=2, quant_dtype=QuantDtype.INT4)
    x = Tensor([[1.0, 2.26, -3.0]])
    assert (net(x) != x).any()  # not in training: always rounded
    net.set_train()
    unchanged = [bool((net(x) == x).all()) for _ in range(4)]
    assert unchanged == [True, True, False, False]


def test_learned_scale_mode_trains_its_maximum(mode):
    net = nn.FakeQuantWithMinMaxObserver(
        min_init=-2, max_init=2, symmetric=True, narrow_range=True, mode="LEARNED_SCALE"
    )
    assert [(p.name, p.requires_grad) for p in net.get_parameters()] == [
        ("minq", True), ("maxq", True), ("quant_max", False),
    ]  # fmt: skip
    x = Tensor([[0.5, 3.0]])
    assert_close(net(x), np.array([[np.floor(0.25 * 127 + 0.5) / 127 * 2, 2]]))
    (gradient,) = ms.grad(lambda v: net(v).sum(), None, [net.maxq])(x)
    assert_close(gradient, np.array([1 + 32 / 127 - 0.25]))
    net.maxq.set_data(Tensor([3.0]))
    net.set_train()(x)
    assert net.minq.asnumpy() == [-3.0]
    net.reset(QuantDtype.INT4, -1, 1)
    assert net.quant_max.asnumpy() == [7.0] and net.maxq.asnumpy() == [1.0]


def test_observer_says_what_is_wrong_with_its_arguments():
    make = nn.FakeQuantWithMinMaxObserver
    with pytest.raises(ValueError, match="'max_init' must be greater than 'min_init'"):
        make(min_init=1, max_init=1)
    with pytest.raises(ValueError, match="'min_init' must be a number or a list of 2"):
        make(min_init=[-1.0], per_channel=True, num_channels=2)
    with pytest.raises(ValueError, match="'mode' must be one of"):
        make(mode="LEARNED")
    with pytest.raises(ValueError, match="'LEARNED_SCALE' needs 'symmetric' to be True"):
        make(mode="LEARNED_SCALE")
    with pytest.raises(ValueError, match="INT2 to INT8"):
        make(quant_dtype=QuantDtype.INT16)
    with pytest.raises(ValueError, match="'reset' needs the mode 'LEARNED_SCALE'"):
        make().reset()
    with pytest.raises(ValueError, match="'quant_delay'"):
        make(quant_delay=-1)


# -- the layers ------------------------------------------------------------------------------------------------------
def test_dense_rounds_its_weight_and_trains_it(mode):
    ms.set_seed(1)
    dense = nn.Dense(4, 3, activation="relu", bias_init="ones")
    net = nn.DenseQuant.from_float(dense, quant_config_default)
    x = RANDOM.normal(size=(2, 4)).astype(np.float32)
    weight = rounded(dense.weight.asnumpy(), -6, 6)
    assert_close(net(Tensor(x)), np.maximum(x @ weight.T + dense.bias.asnumpy(), 0))
    net.set_train()
    gradients = ms.grad(lambda v: net(v).sum(), None, net.trainable_params())(Tensor(x))
    assert [p.name for p in net.trainable_params()] == ["weight", "bias"]
    assert (gradients[0].asnumpy() != 0).any()


def test_convolutions_are_plain_ones_with_the_rounded_weight(mode):
    plain = nn.Conv2d(3, 4, 3, has_bias=True)
    net = nn.Conv2dQuant.from_float(plain, quant_config_default)
    bn = nn.BatchNorm2d(4, momentum=0.997)
    without_fold = nn.Conv2dBnWithoutFoldQuant(3, 4, 3, has_bias=True, weight_init=plain.weight.value(),
                                               bias_init=plain.bias.value())  # fmt: skip
    plain.weight.set_data(Tensor(rounded(plain.weight.asnumpy(), -6, 6).astype(np.float32)))
    assert_close(net(Tensor(IMAGES)), plain(Tensor(IMAGES)).asnumpy())
    assert_close(without_fold(Tensor(IMAGES)), bn(plain(Tensor(IMAGES))).asnumpy())


@pytest.mark.parametrize("kind", [nn.Conv2dBnFoldQuant, nn.Conv2dBnFoldQuantOneConv])
@pytest.mark.parametrize("training", [False, True])
def test_folding_without_rounding_is_convolution_and_normalization(kind, training, mode):
    vectors = {name: RANDOM.uniform(0.5, 2, 4).astype(np.float32) for name in ("gamma", "beta", "mean", "var", "bias")}
    inits = {f"{name}_init": Tensor(value) for name, value in vectors.items()}
    plain = nn.Conv2d(3, 4, 3, has_bias=True, bias_init=inits["bias_init"])
    bn = nn.BatchNorm2d(
        4, 1e-5, 0.9, True, inits["gamma_init"], inits["beta_init"], inits["mean_init"], inits["var_init"]
    )
    net = kind(3, 4, 3, momentum=0.9, has_bias=True, fake=False, weight_init=plain.weight.value(), **inits)
    for cell in (plain, bn, net):
        cell.set_train(training)
    for _ in range(2):
        assert_close(net(Tensor(IMAGES)), bn(plain(Tensor(IMAGES))).asnumpy(), 1e-4)
        assert_close(net.moving_mean.value(), bn.moving_mean.asnumpy(), 1e-4)
        assert_close(net.moving_variance.value(), bn.moving_variance.asnumpy(), 1e-4)


def test_folding_freezes_the_statistics_at_the_given_step(mode):
    net = nn.Conv2dBnFoldQuant(3, 4, 3, freeze_bn=1).set_train()
    net(Tensor(IMAGES))
    moved = net.moving_mean.asnumpy()
    assert (moved != 0).all() and net.step.asnumpy() == [1]
    frozen = net(Tensor(IMAGES)).asnumpy()
    assert (net.moving_mean.asnumpy() == moved).all()
    assert_close(net.set_train(False)(Tensor(IMAGES)), frozen)


def test_folded_convolutions_learn(mode):
    for kind in (nn.Conv2dBnFoldQuant, nn.Conv2dBnFoldQuantOneConv):
        net = kind(3, 4, 3).set_train()
        gradients = ms.grad(lambda v, net=net: (net(v) ** 3).sum(), None, net.trainable_params())(Tensor(IMAGES))
        assert [p.name for p in net.trainable_params()] == ["weight", "gamma", "beta"]
        assert all(np.isfinite(g.asnumpy()).all() and (g.asnumpy() != 0).any() for g in gradients)


def test_names_of_parameters_are_those_of_old_checkpoints():
    class Net(nn.Cell):
        def __init__(self):
            super().__init__()
            self.conv = nn.Conv2dBnFoldQuant(1, 2, 3, has_bias=True)
            self.act = nn.ActQuant(nn.ReLU(), fake_before=True)

    assert [p.name for p in Net().get_parameters()] == [
        "conv.weight", "conv.bias", "conv.gamma", "conv.beta", "conv.moving_mean", "conv.moving_variance", "conv.step",
        "conv.fake_quant_weight.minq", "conv.fake_quant_weight.maxq", "act.fake_quant_act_before.minq",
        "act.fake_quant_act_before.maxq", "act.fake_quant_act.minq", "act.fake_quant_act.maxq",
    ]  # fmt: skip


def test_activation_is_rounded_and_uses_no_negative_levels_when_learned():
    net = nn.ActQuant(nn.ReLU())
    x = np.float32([[1.0, 2.1, -1.0]])
    assert_close(net(Tensor(x)), rounded(np.maximum(x, 0), -6, 6))
    assert net.get_origin() is net.act
    learned = nn.FakeQuantWithMinMaxObserver.partial_init(symmetric=True, narrow_range=True, mode="LEARNED_SCALE")
    config = QuantConfig(learned, learned)
    assert nn.ActQuant(nn.ReLU(), quant_config=config).fake_quant_act.neg_trunc
    assert not nn.ActQuant(nn.Tanh(), quant_config=config).fake_quant_act.neg_trunc


def test_configuration_and_own_type_reach_the_observer():
    observer = nn.FakeQuantWithMinMaxObserver
    config = QuantConfig(observer.partial_init(per_channel=True, quant_dtype=QuantDtype.INT4), observer.partial_init())
    net = nn.Conv2dQuant(1, 3, 2, quant_config=config)
    assert net.fake_quant_weight.minq.shape == (3,) and net.fake_quant_weight.num_bits == 4
    assert nn.DenseQuant(2, 2, quant_config=config, quant_dtype=QuantDtype.INT7).fake_quant_weight.num_bits == 7
    with pytest.raises(TypeError, match="'quant_config' must be a QuantConfig"):
        nn.DenseQuant(2, 2, quant_config="int8")
    with pytest.raises(TypeError, match="'quant_config' must be a QuantConfig"):
        nn.ActQuant(nn.ReLU(), quant_config=None)
    with pytest.raises(TypeError, match="'activation' must be 'Cell'"):
        nn.ActQuant("relu")
    with pytest.raises(ValueError, match="For 'Conv2dQuant', the 'in_channels'"):
        nn.Conv2dQuant(0, 1, 2)


def test_printed_forms_list_the_arguments():
    assert "quant_dtype=INT8, symmetric=False, narrow_range=False, ema=False(0.999)" in repr(
        nn.FakeQuantWithMinMaxObserver()
    )
    assert "fake=True, freeze_bn=7, momentum=0.997" in repr(nn.Conv2dBnFoldQuant(1, 2, 3, freeze_bn=7))
    assert "has_bias=False" in repr(nn.Conv2dQuant(1, 2, 3))
