"""A step of training with a graph break in it trains as in PyNative mode, with the network and the optimizer compiled."""

import numpy as np
import pytest

import mindspore as ms
import mindspore.dataset as ds
from mindspore import Parameter, Tensor, amp, nn, ops
from tests.engine.graph.breaking import ByEffect, ByValue, Net, X, Y, graphs_of


def trained(mode, loss, dropout=False, steps=4, wrap=None):
    """Losses, Parameters and moving averages after some steps."""
    ms.context.reset_context()
    if mode is not None:
        ms.set_context(mode=mode)
    ms.set_seed(3)
    net = Net(dropout)
    optimizer = nn.Momentum(net.trainable_params(), 0.1, 0.9)
    step = (wrap or nn.TrainOneStepCell)(nn.WithLossCell(net, loss()), optimizer)
    step.set_train()
    losses = [step(Tensor(X), Tensor(Y)) for _ in range(steps)]
    losses = [float(one[0] if isinstance(one, tuple) else one) for one in losses]
    return losses, {one.name: one.asnumpy() for one in step.get_parameters()}, step


def same_training(first, second):
    np.testing.assert_allclose(first[0], second[0], rtol=1e-5)
    assert first[1].keys() == second[1].keys()
    for name, value in first[1].items():
        np.testing.assert_allclose(value, second[1][name], rtol=1e-4, atol=1e-6, err_msg=name)


@pytest.mark.parametrize("loss", [ByValue, ByEffect])
@pytest.mark.parametrize("dropout", [False, True])
def test_a_step_whose_loss_breaks_trains_as_in_pynative_mode(loss, dropout):
    expected = trained(ms.PYNATIVE_MODE, loss, dropout)
    for mode in (None, ms.GRAPH_MODE):
        found = trained(mode, loss, dropout)
        same_training(expected, found)
        network = found[2].network.backbone_network
        assert len(graphs_of(network).graphs) == 1, "the network itself is one graph"
        assert graphs_of(network).compilations == 1
    if loss is ByEffect:
        assert len(trained(None, loss)[2].network._loss_fn.diary) == 4


def test_the_optimizer_of_a_broken_step_is_compiled():
    step = trained(None, ByValue)[2]
    assert graphs_of(step.optimizer).compilations == 1
    assert not graphs_of(step).graphs


def test_a_broken_call_is_traced_once():
    step = trained(None, ByValue, steps=1)[2]
    before = graphs_of(step).compilations, graphs_of(step.network).compilations
    for _ in range(3):
        step(Tensor(X), Tensor(Y))
    assert (graphs_of(step).compilations, graphs_of(step.network).compilations) == before
    assert before == (1, 0), "what a break passes on its way out needs no trace of its own"


def test_loss_scaling_around_a_break():
    def scaled(network, optimizer):
        manager = nn.DynamicLossScaleUpdateCell(loss_scale_value=2**8, scale_factor=2, scale_window=2)
        return nn.TrainOneStepWithLossScaleCell(network, optimizer, manager)

    expected = trained(ms.PYNATIVE_MODE, ByValue, wrap=scaled)
    same_training(expected, trained(None, ByValue, wrap=scaled))


def test_mixed_precision_around_a_break():
    def mixed(network, optimizer):
        amp.auto_mixed_precision(network.backbone_network, "O2")
        return nn.TrainOneStepCell(network, optimizer)

    expected = trained(ms.PYNATIVE_MODE, ByValue, wrap=mixed)
    found = trained(None, ByValue, wrap=mixed)
    np.testing.assert_allclose(expected[0], found[0], rtol=2e-2)


def test_steps_in_the_old_way_run_the_network_once():
    class Step(nn.Cell):
        def __init__(self, network, optimizer):
            super().__init__(auto_prefix=False)
            self.network, self.optimizer = network, optimizer
            self.network.set_grad()
            self.gradient = ops.GradOperation(get_by_list=True)
            self.seen = []

        def construct(self, x, y):
            loss = self.network(x, y)
            self.seen.append(loss)
            self.optimizer(self.gradient(self.network, self.optimizer.parameters)(x, y))
            return loss

    loss = nn.MSELoss
    same_training(trained(ms.PYNATIVE_MODE, loss, True, wrap=Step), trained(None, loss, True, wrap=Step))


def test_sinking_goes_by_steps():
    def losses(mode):
        ms.context.reset_context()
        if mode is not None:
            ms.set_context(mode=mode)
        ms.set_seed(5)
        net, diary = Net(), ByEffect()
        model = ms.Model(net, diary, nn.SGD(net.trainable_params(), 0.1))
        data = ds.NumpySlicesDataset({"x": X, "y": Y}, shuffle=False).batch(2)
        model.train(2, data, dataset_sink_mode=True)
        return [float(one) for one in diary.diary]

    found = losses(None)
    assert len(found) == 8
    np.testing.assert_allclose(found, losses(ms.PYNATIVE_MODE), rtol=1e-5)


def test_gradients_pass_a_break_in_both_directions():
    class Middle(nn.Cell):
        def __init__(self):
            super().__init__()
            self.first, self.last = nn.Dense(4, 4), nn.Dense(4, 1)

        def construct(self, x):
            y = ops.tanh(self.first(x))
            scale = float(y.asnumpy().std())
            return self.last(y * scale).sum()

    net = Middle()
    found = {}
    for mode in (ms.PYNATIVE_MODE, ms.GRAPH_MODE):
        ms.set_context(mode=mode)
        value, gradients = ms.value_and_grad(net, 0, net.trainable_params())(Tensor(X))
        found[mode] = [value, gradients[0], *gradients[1]]
    for expected, got in zip(found[ms.PYNATIVE_MODE], found[ms.GRAPH_MODE], strict=True):
        np.testing.assert_allclose(expected.asnumpy(), got.asnumpy(), rtol=1e-5, atol=1e-6)


def test_second_gradients_of_a_compiled_part():
    class Cube(nn.Cell):
        def construct(self, x):
            return (x * x * x).sum()

    cube, seen = Cube(), []

    def outer(x):
        seen.append(1)
        return cube(x)

    second = ms.grad(lambda x: ms.grad(outer)(x).sum())
    assert second(Tensor([2.0, 3.0])).asnumpy().tolist() == [12.0, 18.0]
    assert len(seen) == 1


# -- state, against PyNative mode ------------------------------------------------------------------------------------------
def in_both(run):
    """What a program gives in PyNative mode, without a mode, and in graph mode."""
    found = []
    for mode in (ms.PYNATIVE_MODE, None, ms.GRAPH_MODE):
        ms.context.reset_context()
        if mode is not None:
            ms.set_context(mode=mode)
        ms.set_seed(1)
        found.append([one.asnumpy() for one in run()])
    for other in found[1:]:
        for expected, got in zip(found[0], other, strict=True):
            np.testing.assert_allclose(expected, got, rtol=1e-5, atol=1e-6)


def test_a_bprop_that_needs_values():
    class Own(nn.Cell):
        def construct(self, x):
            return x * float(x.asnumpy().sum())

        def bprop(self, x, out, dout):
            return (dout * float(dout.asnumpy().sum()) + out,)

    own = Own()
    in_both(lambda: [ms.grad(own)(Tensor(X)), ms.grad(lambda x: own(x * 2).sum())(Tensor(X))])


def test_parameters_assigned_on_both_sides_of_a_break():
    def run():
        first, second = Parameter(Tensor(1.0), name="first"), Parameter(Tensor(1.0), name="second")

        @ms.jit
        def function(x):
            ops.assign(first, first + 1)
            ops.assign_add(second, Tensor(float(x.sum().asnumpy()), ms.float32))
            return x * first * second

        return [*[function(Tensor(X)) for _ in range(3)], first, second]

    in_both(run)


def test_two_networks_that_train_each_other():
    def run():
        made, judged, diary = nn.Dense(4, 4), nn.Dense(4, 4), []
        optimizers = [nn.Adam(one.trainable_params(), 0.1) for one in (made, judged)]

        def judge(x):
            loss = (judged(ops.stop_gradient(made(x))) ** 2).mean()
            diary.append(loss)
            return loss

        def make(x):
            diary.append((judged(made(x)) - 1).abs().mean())
            return diary[-1]

        for _ in range(3):
            for function, optimizer in zip((make, judge), optimizers, strict=True):
                optimizer(ms.value_and_grad(function, None, optimizer.parameters)(Tensor(X))[1])
        return [*diary, *made.get_parameters(), *judged.get_parameters()]

    in_both(run)


def test_a_compiled_part_changes_its_input_in_place():
    class Sets(nn.Cell):
        def construct(self, x):
            x[0] = 5.0
            return x * 2

    class Calls(nn.Cell):
        def __init__(self):
            super().__init__()
            self.sets, self.diary = Sets(), []

        def construct(self, x):
            y = x + 0
            self.diary.append(1)
            return y, self.sets(y)

    in_both(lambda: Calls()(Tensor(X)))


def test_a_parameter_of_another_shape_is_noticed():
    class Scale(nn.Cell):
        def __init__(self):
            super().__init__()
            self.weight = Parameter(Tensor(np.ones(4, np.float32)), name="weight")

        def construct(self, x):
            return (x * self.weight).sum()

    def run():
        scale, diary = Scale(), []

        def function(x):
            diary.append(1)
            return scale(x)

        first = ms.grad(function)(Tensor(X))
        scale.weight.set_data(Tensor(np.full((8, 1), 2.0, np.float32)), slice_shape=True)
        return [first, ms.grad(function)(Tensor(X))]

    in_both(run)


def test_recurrent_layers_and_loops_are_differentiated_as_compiled_parts():
    class Loop(nn.Cell):
        def __init__(self):
            super().__init__()
            self.dense, self.lstm = nn.Dense(4, 4), nn.LSTM(4, 3)

        def construct(self, x):
            steps = 0
            while x.abs().sum() > 1 and steps < 20:
                x = self.dense(x) * 0.5
                steps += 1
            return self.lstm(x.reshape(2, 4, 4))[0].sum()

    def run():
        net, diary = Loop(), []

        def function(x):
            diary.append(1)
            return net(x)

        value, gradients = ms.value_and_grad(function, 0, net.trainable_params())(Tensor(X))
        return [value, gradients[0], *gradients[1]]

    in_both(run)


@pytest.mark.parametrize("mode", [None, ms.GRAPH_MODE])
def test_a_break_in_a_cell_that_counts_where_a_tensor_decides(mode):
    class Counting(nn.Cell):
        def __init__(self):
            super().__init__()
            self.count = 1

        def construct(self, x):
            if x.sum() > 0:
                self.count = self.count + 3
            return x[x > 1] * self.count

    ms.context.reset_context()
    if mode is not None:
        ms.set_context(mode=mode)
    net = Counting()
    found = [net(Tensor([sign * 1.0, sign * 2.0], ms.float32)).asnumpy().tolist() for sign in (1, -1, 1)]
    ms.context.reset_context()
    assert found == [[8.0], [], [14.0]]
    assert net.count == 7
