"""The parts of mindspore.boost train, and do what they say to gradients and Parameters."""

from __future__ import annotations

import numpy as np
import pytest

import mindspore as ms
from mindspore import Parameter, Tensor, boost, nn, ops
from mindspore.boost.adasum import combine

X = np.random.default_rng(0).normal(size=(16, 3)).astype(np.float32)
Y = (X @ np.array([[1.0], [-2.0], [0.5]], np.float32)).astype(np.float32)


def network():
    ms.set_seed(3)
    return nn.SequentialCell(nn.Dense(3, 4), nn.Tanh(), nn.Dense(4, 1))


@pytest.fixture(params=[ms.GRAPH_MODE, ms.PYNATIVE_MODE], ids=["graph", "pynative"])
def mode(request):
    before = ms.get_context("mode")
    ms.set_context(mode=request.param)
    yield
    ms.set_context(mode=before)


def test_layers_rest_in_their_turn(mode):
    net = network()
    first, last = list(net[0].trainable_params()), list(net[2].trainable_params())
    optimizer = boost.FreezeOpt(nn.Momentum(net.trainable_params(), 0.05, 0.9), [first + last, last], [0, 1])
    step = boost.BoostTrainOneStepCell(nn.WithLossCell(net, nn.MSELoss()), optimizer)
    losses = [float(step(Tensor(X), Tensor(Y)))]
    before = {one.name: one.asnumpy() for one in net.get_parameters()}
    velocity = {one.name: one.asnumpy() for one in optimizer.opt.moments}
    losses.append(float(step(Tensor(X), Tensor(Y))))
    for one in first:
        np.testing.assert_array_equal(one.asnumpy(), before[one.name])
    assert any(np.any(one.asnumpy() != before[one.name]) for one in last)
    assert np.array_equal(optimizer.opt.moments[0].asnumpy(), velocity[optimizer.opt.moments[0].name])
    losses += [float(step(Tensor(X), Tensor(Y))) for _ in range(20)]
    assert losses[-1] < losses[0] / 2


def test_what_the_optimizer_remembers_rests_with_its_parameter():
    short, long = Parameter(Tensor([1.0]), name="weight"), Parameter(Tensor([1.0]), name="fc.weight")
    optimizer = boost.FreezeOpt(nn.Momentum([short, long], 0.1, 0.9), [[short, long], [long]])
    optimizer.update(1, (Tensor([1.0]),))
    assert [float(one) for one in optimizer.opt.moments] == [0.0, 1.0]
    assert [float(short), float(long)] == pytest.approx([1.0, 0.9])
    with pytest.raises(ValueError, match="must list numbers of the 1 groups"):
        boost.FreezeOpt(nn.SGD([short], 0.1), [[short]], [1])


def test_turns_follow_the_share_of_the_first_group():
    freeze = boost.GradientFreeze(4, 1, 0.5, 100)
    assert freeze.generate_freeze_index_sequence(4, 0, 0.7, 9) == [0] * 6 + [1, 2, 3]
    np.random.seed(0)
    drawn = freeze.generate_freeze_index_sequence(4, 1, 0.7, 2000)
    assert 0.65 < drawn.count(0) / 2000 < 0.75 and set(drawn) == {0, 1, 2, 3}
    net = network()
    same, optimizer = freeze.freeze_generate(net, nn.SGD(net.trainable_params(), 0.1))
    assert same is net and optimizer.groups_num == 4 and len(optimizer.groups[0]) == 4 and len(optimizer.groups[3]) == 1


def test_a_step_with_a_scaled_loss_is_skipped_after_an_overflow(mode):
    net = network()
    step = boost.BoostTrainOneStepWithLossScaleCell(
        nn.WithLossCell(net, nn.MSELoss()),
        nn.SGD(net.trainable_params(), 0.1),
        boost.GroupLossScaleManager(8, [[], []]),
    )
    _, overflow, scale = step(Tensor(X), Tensor(Y))
    assert not bool(overflow) and float(scale) == 8
    before = net[0].weight.asnumpy()
    _, overflow, _ = step(Tensor(X * np.inf), Tensor(Y))
    assert bool(overflow) and np.array_equal(net[0].weight.asnumpy(), before)
    assert step.group_scales.dynamic_loss_scale.asnumpy().tolist() == [4, 4]


def test_gradients_change_their_scale_between_groups():
    manager = boost.GroupLossScaleManager(4, [[], []])
    manager.update_loss_scale_status(1, 0.5)
    assert float(ms.grad(lambda x: manager(x, 0, 1) * 3)(Tensor(1.0))) == 6
    assert float(manager(Tensor(1.5), 0, 1)) == 1.5


def test_the_mean_is_taken_out_of_gradients():
    net = nn.Dense(16, 2, weight_init="zeros")
    process = boost.OptimizerProcess(nn.Momentum(net.trainable_params(), 1.0, 0.0))
    process.add_grad_centralization(net)
    gradient = np.arange(32, dtype=np.float32).reshape(2, 16)
    process.generate_new_optimizer()((Tensor(gradient), Tensor([1.0, 1.0])))
    np.testing.assert_allclose(net.weight.asnumpy(), gradient.mean(1, keepdims=True) - gradient, atol=1e-5)


def test_groups_keep_their_settings():
    one, two = (Parameter(Tensor([1.0]), name=name) for name in ("one", "two"))
    groups = [{"params": [one], "weight_decay": 0.1}, {"params": [two]}, {"order_params": [one, two]}]
    assert boost.ParameterProcess.generate_group_params([one], groups) == [
        {"params": [one], "weight_decay": 0.1},
        {"order_params": [one]},
    ]


def test_adaptive_sums_add_what_is_orthogonal_and_average_what_is_parallel():
    axes = [Tensor(row) for row in np.eye(4, dtype=np.float32)]
    np.testing.assert_allclose(combine(axes).asnumpy(), np.ones(4), 1e-6)
    np.testing.assert_allclose(combine([Tensor([1.0, 2.0])] * 3).asnumpy(), [1, 2], 1e-6)


def test_the_last_dense_layer_is_normalized():
    net = boost.LessBN(network(), fn_flag=True)
    out = net(Tensor(X))
    assert np.abs(out.asnumpy()).max() <= 23.001
    assert [one.name for one in net.trainable_params()][-2:] == ["network.2.weight", "network.2.multiplier"]
    step = nn.TrainOneStepCell(nn.WithLossCell(net, nn.MSELoss()), nn.SGD(net.trainable_params(), 0.01))
    losses = [float(step(Tensor(X), Tensor(Y))) for _ in range(15)]
    assert losses[-1] < losses[0]


def test_second_order_steps_lower_the_loss():
    net = nn.Dense(3, 1, weight_init="zeros", has_bias=False)
    loss_net = nn.WithLossCell(net, nn.MSELoss())
    reduce = boost.DimReduce(loss_net, nn.SGD(net.trainable_params(), 1.0), net.trainable_params(),
                             np.eye(2, 3, dtype=np.float32), 2, 0.55, 0.9, 0.05, 0.4, 0, 1)  # fmt: skip
    losses = []
    for _ in range(12):
        loss, grads = ms.value_and_grad(loss_net, None, net.trainable_params())(Tensor(X), Tensor(Y))
        reduce(loss, grads, 1.0, net.trainable_params(), None, Tensor(X), Tensor(Y))
        losses.append(float(loss))
    assert losses[-1] < losses[0] * 0.05
    with pytest.raises(ValueError, match="one direction per row"):
        boost.DimReduce(loss_net, None, net.trainable_params(), np.eye(4), 4, 0.55, 0.9, 0.05, 0.4, 0, 1)


def test_accumulated_gradients_reach_the_optimizer_together():
    net = nn.Dense(1, 1, weight_init="ones", has_bias=False)
    optimizer = nn.SGD(net.trainable_params(), 0.5)
    step = boost.BoostTrainOneStepCell(nn.WithLossCell(net, nn.MSELoss()), optimizer)
    with pytest.raises(RuntimeError, match="GradientAccumulation"):
        step.gradient_accumulation_process(Tensor(0.0), (Tensor([[1.0]]),), 1.0)
    step.gradient_accumulation = boost.GradientAccumulation(2, optimizer)
    for gradient, wanted in ((1.0, 1.0), (3.0, 0.0)):
        step.gradient_accumulation_process(Tensor(0.0), (ops.full((1, 1), gradient),), 1.0)
        assert float(net.weight) == wanted
