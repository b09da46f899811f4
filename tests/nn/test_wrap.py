"""Cells around a network: loss, gradients, training step, micro batches."""

import numpy as np
import pytest

import mindspore as ms
from mindspore import Parameter, Tensor, nn, ops
from mindspore.nn.wrap.cell_wrapper import _MicroBatch, _VirtualDatasetCell
from mindspore.nn.wrap.grad_reducer import DistributedGradReducer
from mindspore.nn.wrap.loss_scale import grad_scale


class Net(nn.Cell):
    def __init__(self):
        super().__init__()
        self.fc = nn.Dense(3, 2, weight_init="ones", bias_init="zeros")
        self.bn = nn.BatchNorm1d(2)

    def construct(self, x):
        return self.bn(self.fc(x))


@pytest.fixture
def x():
    return Tensor(np.arange(12, dtype=np.float32).reshape(4, 3) / 10)


@pytest.fixture
def y():
    return Tensor(np.arange(8, dtype=np.float32).reshape(4, 2) / 5)


def dense():
    return nn.Dense(3, 2, weight_init="ones", bias_init="zeros")


def expected_step(x, y, rate=0.1, scale=1.0):
    """Loss and parameters of a dense layer after one step of gradient descent on the mean squared error."""
    x, y, weight, bias = x.asnumpy(), y.asnumpy(), np.ones((2, 3), np.float32), np.zeros(2, np.float32)
    difference = x @ weight.T + bias - y
    slope = 2 * difference / difference.size * scale
    return (difference**2).mean(), weight - rate * slope.T @ x, bias - rate * slope.sum(0)


class TestWithLossCell:
    def test_gives_the_loss_of_the_output(self, mode, x, y):
        net = nn.WithLossCell(dense(), nn.MSELoss())
        np.testing.assert_allclose(net(x, y).asnumpy(), expected_step(x, y)[0], 1e-6)

    def test_keeps_the_names_of_the_network(self):
        net = nn.WithLossCell(Net(), nn.MSELoss())
        assert [one.name for one in net.get_parameters()][:2] == ["fc.weight", "fc.bias"]
        assert list(net.name_cells()) == ["_backbone", "_loss_fn"]
        assert isinstance(net.backbone_network, Net)


class TestTrainOneStepCell:
    def test_updates_the_parameters_and_returns_the_loss(self, mode, x, y):
        net = dense()
        step = nn.TrainOneStepCell(nn.WithLossCell(net, nn.MSELoss()), nn.SGD(net.trainable_params(), 0.1))
        loss, weight, bias = expected_step(x, y)
        np.testing.assert_allclose(step(x, y).asnumpy(), loss, 1e-6)
        np.testing.assert_allclose(net.weight.asnumpy(), weight, 1e-5)
        np.testing.assert_allclose(net.bias.asnumpy(), bias, 1e-5)

    def test_sens_scales_the_gradients_and_not_the_loss(self, mode, x, y):
        net = dense()
        step = nn.TrainOneStepCell(nn.WithLossCell(net, nn.MSELoss()), nn.SGD(net.trainable_params(), 0.1), sens=4.0)
        loss, weight, _ = expected_step(x, y, scale=4.0)
        np.testing.assert_allclose(step(x, y).asnumpy(), loss, 1e-6)
        np.testing.assert_allclose(net.weight.asnumpy(), weight, 1e-5)

    def test_the_optimizer_divides_by_its_loss_scale(self, mode, x, y):
        net = dense()
        optimizer = nn.SGD(net.trainable_params(), 0.1, loss_scale=1024.0)
        step = nn.TrainOneStepCell(nn.WithLossCell(net, nn.MSELoss()), optimizer, sens=1024.0)
        step(x, y)
        np.testing.assert_allclose(net.weight.asnumpy(), expected_step(x, y)[1], 1e-5)

    def test_parameters_come_in_the_order_of_checkpoints(self):
        net = Net()
        step = nn.TrainOneStepCell(nn.WithLossCell(net, nn.MSELoss()), nn.Momentum(net.trainable_params(), 0.1, 0.9))
        assert [one.name for one in step.get_parameters()] == [
            "fc.weight", "fc.bias", "bn.gamma", "bn.beta", "bn.moving_mean", "bn.moving_variance", "global_step",
            "learning_rate", "momentum", "moments.fc.weight", "moments.fc.bias", "moments.bn.gamma", "moments.bn.beta",
        ]  # fmt: skip

    def test_moving_averages_move_once_a_step(self, mode, x, y):
        net = Net()
        step = nn.TrainOneStepCell(nn.WithLossCell(net, nn.MSELoss()), nn.SGD(net.trainable_params(), 0.1)).set_train()
        step(x, y)
        batch = x.asnumpy().sum(1).mean()
        np.testing.assert_allclose(net.bn.moving_mean.asnumpy(), [0.1 * batch] * 2, 1e-5)

    def test_returns_the_gradients_by_name(self, mode, x, y):
        net = dense()
        step = nn.TrainOneStepCell(
            nn.WithLossCell(net, nn.MSELoss()), nn.SGD(net.trainable_params(), 0.1), return_grad=True
        )
        _loss, gradients = step(x, y)
        assert list(gradients) == ["weight", "bias"]
        np.testing.assert_allclose(1 - 0.1 * gradients["weight"].asnumpy(), expected_step(x, y)[1], 1e-5)

    def test_a_step_written_in_the_old_way_gives_the_same(self, mode, x, y):
        class Step(nn.TrainOneStepCell):
            def construct(self, *inputs):
                loss = self.network(*inputs)
                sens = ops.functional.fill(loss.dtype, loss.shape, self.sens)
                grads = self.grad(self.network, self.weights)(*inputs, sens)
                if self.reducer_flag:
                    grads = self.grad_reducer(grads)
                return ops.functional.depend(loss, self.optimizer(grads))

        net = Net()
        step = Step(nn.WithLossCell(net, nn.MSELoss()), nn.SGD(net.trainable_params(), 0.1)).set_train()
        other = Net()
        plain = nn.TrainOneStepCell(
            nn.WithLossCell(other, nn.MSELoss()), nn.SGD(other.trainable_params(), 0.1)
        ).set_train()
        for _ in range(3):
            np.testing.assert_allclose(step(x, y).asnumpy(), plain(x, y).asnumpy(), 1e-6)
        for one, two in zip(net.get_parameters(), other.get_parameters(), strict=True):
            np.testing.assert_allclose(one.asnumpy(), two.asnumpy(), 1e-5, 1e-6)

    def test_uses_a_reducer_in_data_parallel_mode(self):
        ms.set_auto_parallel_context(parallel_mode="data_parallel", gradients_mean=True)
        try:
            net = dense()
            step = nn.TrainOneStepCell(nn.WithLossCell(net, nn.MSELoss()), nn.SGD(net.trainable_params(), 0.1))
            assert step.reducer_flag and isinstance(step.grad_reducer, DistributedGradReducer)
        finally:
            ms.reset_auto_parallel_context()

    @pytest.mark.parametrize(
        ("arguments", "error"),
        [
            ({"sens": 0}, ValueError),
            ({"network": 3}, TypeError),
            ({"optimizer": 3}, TypeError),
            ({"return_grad": 1}, TypeError),
        ],
    )
    def test_refuses(self, arguments, error):
        net = dense()
        given = {"network": nn.WithLossCell(net, nn.MSELoss()), "optimizer": nn.SGD(net.trainable_params(), 0.1)}
        with pytest.raises(error, match=next(iter(arguments))):
            nn.TrainOneStepCell(**{**given, **arguments})


class TestOthers:
    def test_with_eval_cell(self, mode, x, y):
        loss, output, label = nn.WithEvalCell(dense(), nn.MSELoss())(x, y)
        np.testing.assert_allclose(loss.asnumpy(), expected_step(x, y)[0], 1e-6)
        assert output.shape == (4, 2) and np.array_equal(label.asnumpy(), y.asnumpy())

    def test_with_eval_cell_converts_to_float32(self, mode):
        x = Tensor(np.ones((2, 3)), ms.float16)
        net = nn.WithEvalCell(dense().to_float(ms.float16), None, add_cast_fp32=True)
        assert [one.dtype for one in net(x, Tensor([1, 2]))] == [ms.float32, ms.int64]

    def test_with_grad_cell(self, mode, x, y):
        weight, bias = nn.WithGradCell(dense(), nn.MSELoss())(x, y)
        _, new_weight, new_bias = expected_step(x, y, rate=1.0)
        np.testing.assert_allclose(1 - weight.asnumpy(), new_weight, 1e-5)
        np.testing.assert_allclose(-bias.asnumpy(), new_bias, 1e-5)

    def test_with_grad_cell_takes_a_sens(self, mode, x, y):
        plain = nn.WithGradCell(dense(), nn.MSELoss())(x, y)
        scaled = nn.WithGradCell(dense(), nn.MSELoss(), sens=Tensor(3.0))(x, y)
        np.testing.assert_allclose(3 * plain[0].asnumpy(), scaled[0].asnumpy(), 1e-5)

    def test_forward_value_and_grad(self, mode, x, y):
        net = dense()
        whole = nn.WithLossCell(net, nn.MSELoss())
        _, (weight, _bias) = nn.ForwardValueAndGrad(whole, net.trainable_params(), get_by_list=True)(x, y)
        np.testing.assert_allclose(1 - weight.asnumpy(), expected_step(x, y, rate=1.0)[1], 1e-5)
        _, inputs = nn.ForwardValueAndGrad(whole, get_all=True)(x, y)
        assert [one.shape for one in inputs] == [(4, 3), (4, 2)]
        step = nn.ForwardValueAndGrad(whole, net.trainable_params(), True, True, sens_param=True)
        _loss, (inputs, weights) = step(x, y, Tensor(2.0))
        np.testing.assert_allclose(weights[0].asnumpy(), 2 * weight.asnumpy(), 1e-5)

    def test_forward_value_and_grad_wants_parameters(self):
        with pytest.raises(TypeError, match="weights"):
            nn.ForwardValueAndGrad(dense(), 3, get_by_list=True)

    def test_parameter_update(self, mode):
        weight = Parameter(Tensor([1.0, 2.0]), name="weight")
        update = nn.ParameterUpdate(weight)
        assert update(Tensor([3.0, 4.0])).asnumpy().tolist() == weight.asnumpy().tolist() == [3, 4]
        with pytest.raises(ValueError, match="shape"):
            update(Tensor([3.0]))
        with pytest.raises(TypeError, match="param"):
            nn.ParameterUpdate(3)

    def test_virtual_dataset_cells_pass_values(self, mode, x, y):
        net = nn.WithLossCell(dense(), nn.MSELoss())
        assert np.array_equal(_VirtualDatasetCell(net)(x, y).asnumpy(), net(x, y).asnumpy())

    def test_the_reducer_takes_the_mean_over_its_degree(self, mode):
        weights = [Parameter(Tensor([1.0]), name="a"), Parameter(Tensor([1.0]), name="b", layerwise_parallel=True)]
        reducer = nn.DistributedGradReducer(weights, mean=True, degree=2)
        assert [one.asnumpy().tolist() for one in reducer((Tensor([4.0]), Tensor([4.0])))] == [[2], [4]]
        reducer = nn.DistributedGradReducer(weights, mean=False, degree=2)
        assert [one.asnumpy().tolist() for one in reducer((Tensor([4.0]), Tensor([4.0])))] == [[4], [4]]


@pytest.mark.parametrize("kind", [nn.MicroBatchInterleaved, nn.PipelineCell, nn.GradAccumulationCell])
class TestMicroBatches:
    def test_the_sum_over_the_parts_is_returned(self, mode, kind, x, y):
        net = nn.WithLossCell(dense(), nn.MSELoss())
        parts = net(x[:2], y[:2]) + net(x[2:], y[2:])
        np.testing.assert_allclose(kind(net, 2)(x, y).asnumpy(), parts.asnumpy(), 1e-6)

    def test_a_step_equals_one_of_the_whole_batch_at_half_the_rate(self, mode, kind, x, y):
        net = dense()
        whole = kind(nn.WithLossCell(net, nn.MSELoss()), 2)
        nn.TrainOneStepCell(whole, nn.SGD(net.trainable_params(), 0.05))(x, y)
        np.testing.assert_allclose(net.weight.asnumpy(), expected_step(x, y)[1], 1e-5)

    def test_refuses(self, kind, x, y):
        net = nn.WithLossCell(dense(), nn.MSELoss())
        with pytest.raises(ValueError, match="divided by micro size"):
            kind(net, 3)(x, y)
        with pytest.raises(ValueError, match="large than 0"):
            kind(net, 0)
        with pytest.raises(TypeError, match="integer"):
            kind(net, "a")
        with pytest.raises(TypeError, match="network"):
            kind(3, 2)


def test_gradient_accumulation_over_calls(mode, x, y):
    """The recipe of docs/recipes/gradient-accumulation.md: small batches, one update."""
    net = dense()
    optimizer = nn.SGD(net.trainable_params(), 0.1)
    forward = ms.value_and_grad(nn.WithLossCell(net, nn.MSELoss()), None, optimizer.parameters)
    sums = ms.ParameterTuple([Parameter(ops.zeros_like(w), name="sum." + w.name) for w in optimizer.parameters])

    @ms.jit
    def accumulate(data, label):
        loss, gradients = forward(data, label)
        for total, gradient in zip(sums, gradients, strict=True):
            ops.assign_add(total, gradient)
        return loss

    @ms.jit
    def update(count):
        optimizer(tuple(total / count for total in sums))
        for total in sums:
            ops.assign(total, ops.zeros_like(total))

    for _ in range(2):  # the second round starts from zero sums
        for start in (0, 2):
            accumulate(x[start : start + 2], y[start : start + 2])
        before = net.weight.asnumpy()
        update(2)
    other = dense()
    step = nn.TrainOneStepCell(nn.WithLossCell(other, nn.MSELoss()), nn.SGD(other.trainable_params(), 0.1))
    step(x, y)
    np.testing.assert_allclose(before, other.weight.asnumpy(), 1e-5)
    step(x, y)
    np.testing.assert_allclose(net.weight.asnumpy(), other.weight.asnumpy(), 1e-5)


class Cubic(nn.Cell):
    def construct(self, x):
        return x * x * x


class Sum(nn.Cell):
    def construct(self, x, y):
        return x * x + y


def test_jvp_and_vjp_cells(mode):
    x, y, ones = Tensor([1.0, 2.0]), Tensor([3.0, 4.0]), Tensor([1.0, 1.0])
    for kind in (nn.Jvp, nn.Vjp):
        output, derivative = kind(Cubic())(x, ones)
        assert output.asnumpy().tolist() == [1, 8] and derivative.asnumpy().tolist() == [3, 12]
    _, derivative = nn.Jvp(Sum())(x, y, (ones, Tensor([1.0, 0.0])))
    assert derivative.asnumpy().tolist() == [3, 4]
    _, (first, second) = nn.Vjp(Sum())(x, y, ones)
    assert first.asnumpy().tolist() == [2, 4] and second.asnumpy().tolist() == [1, 1]


def test_networks_can_be_built_without_initial_values(mode):
    ms.set_seed(1)
    expected = nn.Dense(3, 4).weight.asnumpy()
    ms.set_seed(1)
    with nn.no_init_parameters():
        net = nn.Dense(3, 4)
    assert net.weight.has_init and net.bias.has_init
    net(Tensor(np.ones((2, 3), np.float32)))
    assert np.array_equal(net.weight.asnumpy(), expected)
    assert not nn.Dense(3, 4).weight.has_init


class Three(nn.Cell):
    def construct(self, a, b, c):
        return a + b * c


def test_a_virtual_dataset_of_three_passes_values(mode):
    assert nn.VirtualDatasetCellTriple(Three())(Tensor(1.0), Tensor(2.0), Tensor(3.0)).asnumpy() == 7


def test_the_pipeline_reducer_divides_by_the_scale(mode):
    weights = [Parameter(Tensor([1.0]), name="a")]
    (gradient,) = nn.PipelineGradReducer(weights, scale_sense=4.0)((Tensor([2.0], ms.float16),))
    assert gradient.asnumpy().tolist() == [0.5] and gradient.dtype == ms.float16


class OwnStep(nn.TrainOneStepCell):
    """As programs write it: the loss first, then the gradients with a weight of the loss."""

    def construct(self, *inputs):
        loss = self.network(*inputs)
        sens = ops.fill(loss.dtype, loss.shape, self.sens)
        gradients = self.grad(self.network, self.weights)(*inputs, sens)
        return ops.depend(loss, self.optimizer(self.grad_reducer(gradients)))


class OwnScaledStep(nn.TrainOneStepWithLossScaleCell):
    def construct(self, *inputs):
        loss = self.network(*inputs)
        status, scale = self.start_overflow_check(loss, self.scale_sense)
        gradients = self.grad(self.network, self.weights)(*inputs, ops.ones_like(loss) * scale.astype(loss.dtype))
        gradients = ops.HyperMap()(ops.partial(grad_scale, scale), gradients)
        overflow = self.process_loss_scale(self.get_overflow_status(status, gradients))
        if not overflow:
            loss = ops.depend(loss, self.optimizer(gradients))
        return loss


class OptionalWeight(nn.WithLossCell):
    def construct(self, data, label, weight=None):
        loss = self._loss_fn(self._backbone(data), label)
        return loss if weight is None else loss * weight.mean()


@pytest.mark.parametrize("around", [nn.WithLossCell, OptionalWeight])
@pytest.mark.parametrize("loss", [nn.CrossEntropyLoss(), nn.SoftmaxCrossEntropyWithLogits(True, "mean"), nn.NLLLoss()])
def test_own_steps_train_as_the_built_in_one(mode, loss, around):
    labels = Tensor(np.arange(8) % 2, ms.int32)
    data = Tensor(np.random.RandomState(0).randn(8, 4).astype(np.float32))

    def trained(step, *options):
        network = nn.Dense(4, 2, weight_init="ones", bias_init="zeros")
        network.weight[1] = -0.5
        step = step(around(network, loss), nn.Momentum(network.trainable_params(), 0.1, 0.9), *options).set_train()
        losses = [step(data, labels) for _ in range(3)]
        return [float(one[0] if isinstance(one, tuple) else one) for one in losses], network.weight.asnumpy()

    for own, built_in, options in (
        (OwnStep, nn.TrainOneStepCell, (2.0,)),
        (OwnScaledStep, nn.TrainOneStepWithLossScaleCell, (Tensor([4.0]),)),
    ):
        mine, expected = trained(own, *options), trained(built_in, *options)
        np.testing.assert_allclose(mine[0], expected[0], rtol=1e-5)
        np.testing.assert_allclose(mine[1], expected[1], rtol=1e-5)


class NoReturn(nn.Cell):
    def construct(self, *inputs):
        self.used = len(inputs)


@pytest.mark.parametrize("loss", [nn.MSELoss(), ops.mse_loss])
def test_with_loss_cell_names_a_network_without_return(mode, loss):
    with pytest.raises(TypeError, match=r"For 'WithLossCell', the network must return .*'NoReturn.construct' .*None"):
        nn.WithLossCell(NoReturn(), loss)(Tensor([1.0]), Tensor([0.0]))


def test_with_loss_cell_names_a_loss_without_return(mode):
    with pytest.raises(TypeError, match=r"For 'WithLossCell', the loss must be .*'NoReturn.construct' .*None"):
        nn.WithLossCell(nn.ReLU(), NoReturn())(Tensor([1.0]), Tensor([0.0]))


@pytest.mark.parametrize("asked", ["0", "1"])
def test_steps_of_libraries_ask_whether_to_exit(monkeypatch, asked):
    class Step(nn.TrainOneStepWithLossScaleCell):
        def construct(self, *inputs):
            loss = self.network(*inputs)
            grads = self.grad(self.network, self.weights)(*inputs, ops.ones_like(loss))
            if self.use_graceful_exit:
                grads = self.graceful_exit.exit_by_request(grads, self.init_param, self.exit_param)
            return ops.depend(loss, self.optimizer(grads))

    monkeypatch.setenv("MS_ENABLE_GRACEFUL_EXIT", asked)
    for kind, settings in ((Step, (Tensor(1.0),)), (nn.TrainOneStepCell, ())):
        net = nn.Dense(1, 1, weight_init="ones", has_bias=False)
        step = kind(nn.WithLossCell(net, nn.MSELoss()), nn.SGD(net.trainable_params(), 0.1), *settings)
        assert float(step(Tensor([[1.0]]), Tensor([[0.0]]))) == 1.0
        assert np.allclose(net.weight.asnumpy(), 0.8)
        assert ("graceful_exit" in [each.name for each in step.get_parameters()]) == (asked == "1")


def test_a_micro_batch_is_one_part_and_its_slice_takes_attributes():
    part = _MicroBatch(2)
    part.strided_slice.add_prim_attr("grad_accu_num", 2)
    assert part.strided_slice.attrs["grad_accu_num"] == 2
    assert part(1, Tensor([[1.0], [2.0]]))[0].asnumpy().tolist() == [[2.0]]
