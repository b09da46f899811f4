"""Graphs divided among 8 devices of one process. Run by ``test_mesh.py``, which gives the process 8 devices."""

import re

import jax
import numpy as np
import pytest

import mindspore as ms
from mindspore import Parameter, Tensor, nn, ops
from mindspore import dataset as ds
from mindspore._engine.operator import sharding
from mindspore._engine.runtime import mesh
from mindspore.common.initializer import Normal
from mindspore.parallel.shard import Layout, shard
from tests.parallel.programs import divided

EVERYTHING = {"parallel_optimizer_config": {"parallel_optimizer_threshold": 0}, "enable_parallel_optimizer": True}


@pytest.fixture(autouse=True)
def _clean():
    ms.set_context(mode=ms.GRAPH_MODE)
    yield
    ms.reset_auto_parallel_context()


def divide(devices=8, mode="semi_auto_parallel", **more):
    ms.set_auto_parallel_context(parallel_mode=mode, device_num=devices, **more)


def spec(parameter):
    return tuple(getattr(parameter._value.sharding, "spec", ()))


def named(step):
    return {one.name: one for one in step.get_parameters()}


def alone(kind):
    """The losses of training on one device."""
    ms.reset_auto_parallel_context()
    return divided.losses(divided.training(kind), kind)


# -- training ------------------------------------------------------------------------------------------------------------
@pytest.mark.parametrize(
    ("data", "model", "more"),
    [
        (2, 4, EVERYTHING),
        pytest.param(4, 2, {"full_batch": True}, marks=pytest.mark.heavy),
        pytest.param(1, 1, {"dataset_strategy": ((8, 1, 1, 1), (8,))}, marks=pytest.mark.heavy),
    ],
)
def test_lenet_reaches_the_losses_of_one_device(data, model, more):
    divide(**more)
    step = divided.training("lenet", data, model)
    np.testing.assert_allclose(divided.losses(step, "lenet"), alone("lenet"), rtol=1e-5)
    parts = named(step)["hidden"]._value.sharding.shard_shape((32, 16)) if model > 1 else (32, 16)
    assert parts == (32, 16 // model)


@pytest.mark.parametrize("breaks", ["by value", "by effect"])
def test_a_step_with_a_graph_break_reaches_the_losses_of_one_device(breaks):
    class Loss(nn.Cell):
        def __init__(self):
            super().__init__()
            self.diary = []

        def construct(self, outputs, labels):
            loss = ((outputs - labels) ** 2).mean()
            if breaks == "by value":
                return loss * float(loss.asnumpy() > 0)
            self.diary.append(loss)
            return loss

    class Net(nn.Cell):
        def __init__(self):
            super().__init__()
            self.product = ops.MatMul().shard(((2, 1), (1, 2)))
            self.weight = Parameter(Tensor(np.linspace(-1, 1, 32, dtype=np.float32).reshape(8, 4)), name="weight")
            self.norm = nn.BatchNorm1d(4)

        def construct(self, x):
            return self.norm(self.product(x, self.weight))

    inputs = np.random.default_rng(0).standard_normal((8, 8)).astype(np.float32)
    found = []
    for devices in (4, 0):
        ms.reset_auto_parallel_context()
        ms.context.reset_context()  # no mode is set
        if devices:
            divide(devices)
        net = Net()
        step = nn.TrainOneStepCell(
            nn.WithLossCell(net, Loss()), nn.Momentum(net.trainable_params(), 0.1, 0.9)
        ).set_train()
        losses = [float(step(Tensor(inputs), Tensor(inputs[:, :4]))) for _ in range(3)]
        found.append([*losses, *net.norm.moving_mean.asnumpy()])
    np.testing.assert_allclose(*found, rtol=1e-4, atol=1e-6)


def test_a_transformer_on_2x2_devices_reaches_the_losses_of_one():
    divide(4)
    step = divided.training("language", 2, 2)
    found = divided.losses(step, "language")
    assert found[-1] < 0.97 * found[0]
    np.testing.assert_allclose(found, alone("language"), rtol=1e-4)
    weights = named(step)
    assert spec(weights["encoder.blocks.0.output.mapping.weight"]) == (None, "d1")
    assert spec(weights["encoder.blocks.0.output.projection.weight"]) == ("d1",)
    assert spec(weights["moment1.encoder.blocks.0.output.mapping.weight"]) == (None, "d1")


def dense_step(trains_alone=True):
    ms.set_seed(2)
    net = nn.SequentialCell(
        nn.Dense(16, 24, weight_init=Normal(0.3)), nn.ReLU(), nn.Dense(24, 8, weight_init=Normal(0.3))
    )
    net[2].weight.parallel_optimizer = trains_alone
    return nn.TrainOneStepCell(nn.WithLossCell(net, nn.MSELoss()), nn.Adam(net.trainable_params(), 0.01))


def dense_losses(step):
    random = np.random.default_rng(8)
    rows = [[random.normal(size=(8, width)).astype(np.float32) for width in (16, 8)] for _ in range(4)]
    return [float(step(*map(Tensor, row))) for row in rows]


def test_states_of_the_optimizer_are_divided_and_weights_are_whole():
    expected = dense_losses(dense_step())
    divide(**EVERYTHING)
    step = dense_step()
    np.testing.assert_allclose(dense_losses(step), expected, rtol=1e-5)
    shapes = {name: one._value.sharding.shard_shape(one.shape) for name, one in named(step).items()}
    assert shapes["moment1.0.weight"] == (3, 16) and shapes["moment2.2.weight"] == (1, 24)
    assert shapes["0.weight"] == (24, 16) and shapes["2.weight"] == (8, 24)


def test_small_states_stay_whole_and_groups_can_be_smaller():
    divide(enable_parallel_optimizer=True)
    step = dense_step()
    dense_losses(step)
    assert spec(named(step)["moment1.0.weight"]) == ()
    ms.set_auto_parallel_context(**EVERYTHING, optimizer_weight_shard_size=2)
    step = dense_step(trains_alone=False)
    dense_losses(step)
    assert spec(named(step)["moment1.0.weight"]) == ("d0",)
    assert spec(named(step)["moment1.2.weight"]) == ()


def test_the_partitioner_follows_what_a_cell_says():
    divide(mode="auto_parallel", search_mode="sharding_propagation", full_batch=True)
    ms.set_seed(3)
    net = nn.SequentialCell(nn.Dense(16, 32), nn.ReLU(), nn.Dense(32, 8))
    net[0].shard(((2, 1),), ((2, 4),), {"0.weight": (4, 1)})
    step = nn.TrainOneStepCell(nn.WithLossCell(net, nn.MSELoss()), nn.SGD(net.trainable_params(), 0.1))
    inputs = ops.ones((8, 16)), ops.ones((8, 8))
    first = float(step(*inputs))
    assert net[0].weight._value.sharding.shard_shape((32, 16)) == (8, 16)
    assert net[2].weight._value.sharding.shard_shape((8, 32)) == (8, 8)  # as the output of the first one is cut
    ms.reset_auto_parallel_context()
    ms.set_seed(3)
    other = nn.SequentialCell(nn.Dense(16, 32), nn.ReLU(), nn.Dense(32, 8))
    assert first == pytest.approx(float(nn.WithLossCell(other, nn.MSELoss())(*inputs)), rel=1e-5)


def test_the_operators_inside_a_layer_can_be_cut():
    divide(full_batch=True)
    ms.set_seed(3)
    net = nn.SequentialCell(nn.Dense(16, 32), nn.Dense(32, 8))
    x = ops.ones((2, 4, 16)) / 16
    step = nn.TrainOneStepCell(nn.WithLossCell(net, nn.MSELoss()), nn.SGD(net.trainable_params(), 0.1))
    net[0].matmul.shard(((2, 1), (4, 1)))
    net[0].bias_add.shard(((2, 4), (4,)))
    step(x, ops.ones((2, 4, 8)))
    assert net[0].weight._value.sharding.shard_shape((32, 16)) == (8, 16)
    expected = x.asnumpy() @ net[0].weight.asnumpy().T + net[0].bias.asnumpy()
    np.testing.assert_allclose(net[0](x).asnumpy(), expected, 1e-5, 1e-6)


class _Language(nn.Cell):
    """The layers of a small language model, whose operators the program cuts."""

    def __init__(self):
        super().__init__()
        self.embedding, self.norm, self.dense = nn.Embedding(16, 8), nn.LayerNorm((8,)), nn.Dense(8, 16)
        self.relu, self.dropout, self.softmax = nn.ReLU(), nn.Dropout(p=0.5), nn.Softmax()

    def cut(self):
        self.embedding.gather.shard(((4, 1), (2, 1)))
        self.norm.layer_norm.shard(((2, 1, 1), (1,), (1,)))
        self.dense.matmul.shard(((2, 1), (4, 1)))
        self.relu.relu.shard(((2, 1, 4),))
        self.dropout.dropout.shard(((2, 1, 1),))
        self.softmax.softmax.shard(((2, 1, 1),))
        return self

    def construct(self, ids):
        return self.softmax(self.dropout(self.relu(self.dense(self.norm(self.embedding(ids))))))


def test_the_primitives_of_layers_can_be_cut():
    ids = Tensor(np.arange(8).reshape(4, 2), ms.int32)
    ms.set_seed(3)
    expected = _Language()(ids).asnumpy()
    divide(full_batch=True)
    ms.set_seed(3)
    net = _Language().cut()
    np.testing.assert_allclose(net(ids).asnumpy(), expected, 1e-5, 1e-6)
    step = nn.TrainOneStepCell(nn.WithLossCell(net, nn.MSELoss()), nn.SGD(net.trainable_params(), 0.1)).set_train()
    step(ids, ops.ones((4, 2, 16)))  # the dropout takes part
    assert net.embedding.embedding_table._value.sharding.shard_shape((16, 8)) == (4, 8)
    assert net.dense.weight._value.sharding.shard_shape((16, 8)) == (4, 8)


def rows(count=32):
    random = np.random.default_rng(2)
    x, y = random.normal(size=(count, 6)).astype(np.float32), random.integers(0, 3, count).astype(np.int32)
    return ds.NumpySlicesDataset((x, y), ["x", "y"], shuffle=False).batch(8)


def trained(sink):
    ms.set_seed(5)
    net = nn.SequentialCell(nn.Dense(6, 8, weight_init=Normal(0.3)), nn.ReLU(), nn.Dense(8, 3, weight_init=Normal(0.3)))
    loss = nn.SoftmaxCrossEntropyWithLogits(sparse=True, reduction="mean")
    model = ms.Model(net, loss, nn.Adam(net.trainable_params(), 0.05), metrics={"accuracy", "loss"})
    model.train(2, rows(), dataset_sink_mode=sink)
    return model, [one.asnumpy() for one in net.get_parameters()]


@pytest.mark.parametrize("sink", [True, pytest.param(False, marks=pytest.mark.heavy)])
def test_a_model_trains_evaluates_and_predicts_as_on_one_device(sink):
    model, expected = trained(sink)
    results = model.eval(rows(20), dataset_sink_mode=False)  # the last batch cannot be divided
    divide()
    other, found = trained(sink)
    for one, two in zip(found, expected, strict=True):
        np.testing.assert_allclose(one, two, rtol=1e-4, atol=1e-6)
    assert other.eval(rows(20), dataset_sink_mode=False) == pytest.approx(results, rel=1e-4)
    assert other.predict(Tensor(np.ones((8, 6), np.float32))).asnumpy().shape == (8, 3)


def test_gradients_and_optimizer_can_be_called_one_after_the_other():
    divide()
    net = nn.Dense(4, 2, weight_init="ones", has_bias=False)
    optimizer = nn.SGD(net.trainable_params(), 0.5)
    loss = nn.MSELoss()
    step = ms.value_and_grad(lambda x, y: loss(net(x), y), None, optimizer.parameters)
    value, gradients = step(ops.ones((8, 4)), ops.zeros((8, 2)))
    assert float(value) == 16.0 and gradients[0].shape == (2, 4)
    optimizer(gradients)
    np.testing.assert_allclose(net.weight.asnumpy(), 1 - 0.5 * gradients[0].asnumpy())


def test_random_numbers_are_those_of_one_device():
    class Noisy(nn.Cell):
        def __init__(self):
            super().__init__()
            self.dropout = nn.Dropout(p=0.5)

        def construct(self, x):
            return self.dropout(x)

    ms.set_seed(9)
    expected = Noisy().set_train()(ops.ones((16, 4))).asnumpy()
    divide()
    ms.set_seed(9)
    np.testing.assert_array_equal(Noisy().set_train()(ops.ones((16, 4))).asnumpy(), expected)


def test_values_can_be_set_between_steps():
    divide(full_batch=True)
    net = Product(((2, 1), (1, 4)))
    step = nn.TrainOneStepCell(nn.WithLossCell(net, nn.MSELoss()), nn.SGD(net.trainable_params(), 0.1))
    inputs = ops.ones((8, 16)), ops.ones((8, 8))
    step(*inputs)
    assert spec(net.weight) == (None, ("d1", "d2"))
    net.weight.set_data(ops.zeros((16, 8)))
    assert float(step(*inputs)) == 1.0
    assert spec(net.weight) == (None, ("d1", "d2"))


def test_a_divided_network_can_be_used_on_one_device_afterwards():
    divide(full_batch=True)
    net = Product(((2, 1), (1, 4)))
    step = nn.TrainOneStepCell(nn.WithLossCell(net, nn.MSELoss()), nn.SGD(net.trainable_params(), 0.0))
    inputs = ops.ones((8, 16)), ops.ones((8, 8))
    step(*inputs)
    assert spec(net.weight) == (None, ("d1", "d2"))
    assert ops.matmul(inputs[0], net.weight).asnumpy().sum() == 8 * 8 * 16  # at once, with a Tensor of one device
    step(*inputs)
    ms.reset_auto_parallel_context()
    assert net(inputs[0]).asnumpy().sum() == 8 * 8 * 16
    assert spec(net.weight) == ()


@pytest.mark.parametrize("parts", [2, pytest.param(4, marks=pytest.mark.heavy)])
def test_a_pipeline_of_micro_batches_equals_the_whole_batch(parts):
    class Stages(nn.Cell):
        def __init__(self):
            super().__init__()
            self.first, self.second = nn.Dense(6, 8, weight_init=Normal(0.3)), nn.Dense(8, 2, weight_init=Normal(0.3))
            self.first.pipeline_stage, self.second.pipeline_stage = 0, 1

        def construct(self, x):
            return self.second(ops.relu(self.first(x)))

    def weights(pipelined):
        ms.set_seed(6)
        net = Stages()
        whole = nn.WithLossCell(net, nn.MSELoss())
        network = nn.PipelineCell(whole, parts) if pipelined else whole
        optimizer = nn.Momentum(net.trainable_params(), 0.1 / parts if pipelined else 0.1, 0.9)
        step = nn.TrainOneStepCell(network, optimizer)
        random = np.random.default_rng(1)
        for _ in range(3):
            x, y = (Tensor(random.normal(size=(16, width)).astype(np.float32)) for width in (6, 2))
            step(x, y)
        return [one.asnumpy() for one in net.get_parameters()]

    expected = weights(False)
    divide(4, pipeline_stages=2)
    for one, two in zip(weights(True), expected, strict=True):
        np.testing.assert_allclose(one, two, rtol=1e-5, atol=1e-6)


# -- strategies ----------------------------------------------------------------------------------------------------------
class Product(nn.Cell):
    def __init__(self, in_strategy, out_strategy=None, shape=(16, 8), **attributes):
        super().__init__()
        self.weight = Parameter(np.ones(shape, np.float32), name="weight")
        self.product = ops.MatMul(**attributes).shard(in_strategy, out_strategy)

    def construct(self, x):
        return self.product(x, self.weight)


def program_of(cell):
    (graphs,) = cell._cell_graphs.graphs.values()
    return graphs[0].executable.as_text()


@pytest.mark.parametrize(
    ("attributes", "shape", "strategy", "out_strategy"),
    [
        ({}, (16, 8), ((2, 1), (1, 4)), None),
        ({}, (16, 8), ((2, 4), (4, 1)), ((8, 1),)),
        ({"transpose_b": True}, (8, 16), ((2, 2), (2, 2)), ((2, 2),)),
        ({"transpose_a": True}, (16, 8), ((4, 2), (4, 1)), None),
        ({}, (16, 8), (Layout((2, 2, 2), ("a", "b", "c"))("a", "None"), Layout((2, 2, 2), ("a", "b", "c"))("None", "c")), None),
    ],
)  # fmt: skip
def test_every_strategy_gives_the_product(attributes, shape, strategy, out_strategy):
    divide(full_batch=True)
    random = np.random.default_rng(0)
    x = random.normal(size=(16, 16)).astype(np.float32)
    net = Product(strategy, out_strategy, shape, **attributes)
    net.weight.set_data(random.normal(size=shape).astype(np.float32))
    weight = net.weight.asnumpy()
    left = x.T if attributes.get("transpose_a") else x
    expected = left @ (weight.T if attributes.get("transpose_b") else weight)
    np.testing.assert_allclose(net(Tensor(x)).asnumpy(), expected, rtol=1e-4, atol=1e-5)


def test_a_summed_axis_that_is_cut_needs_one_sum_and_no_other_exchange():
    divide(full_batch=True)
    net = Product(((1, 8), (8, 1)))
    net(ops.ones((4, 16)))
    found = re.findall(r" (all-[a-z]+|reduce-scatter|collective-permute)(?:-start)?\(", program_of(net))
    assert found == ["all-reduce"]


def test_axes_that_run_together_are_cut_by_the_same_devices():
    grid = mesh.Grid(jax.devices())
    assignment = sharding.Assignment(grid, "MatMul", None)
    labels = sharding.labels_of("MatMul", {"transpose_b": True}, [2, 2])
    assert assignment.axes((2, 4), (8, 8), labels[0]) == [("d0",), ("d1", "d2")]
    assert assignment.axes((1, 4), (8, 8), labels[1]) == [(), ("d1", "d2")]
    assert assignment.axes((8, 1), (8, 8), sharding.labels_of("MatMul", None, [2])[0]) == [("d0", "d1", "d2"), ()]


@pytest.mark.parametrize(
    ("strategy", "error", "text"),
    [
        (((3, 1), (1, 1)), ValueError, "8 devices cannot be divided"),
        (((16, 1), (1, 1)), ValueError, "8 devices cannot be divided"),
        (((2, 1, 1), (1, 1)), ValueError, r"\(2, 1, 1\) has not as many elements as the shape \(4, 16\)"),
        (((8, 1), (1, 1)), ValueError, "shape value 4 of .* cannot be divisible by strategy value 8"),
        (((2, 1),), ValueError, "one element for each Tensor, but there are 2"),
        (((0, 1), (1, 1)), ValueError, "must be positive"),
        ((Layout((2, 3), ("a", "b"))("a", "b"), None), ValueError, "does not fit 8 devices"),
        ((Layout((8,), ("a",))("a"), None), ValueError, "names 1 axes"),
    ],
)
def test_a_strategy_that_does_not_fit_is_refused(strategy, error, text):
    divide(full_batch=True)
    net = Product(strategy)
    with pytest.raises(error, match=text):
        net(ops.ones((4, 16)))
    assert net.weight.asnumpy().sum() == 128.0


def test_a_function_and_its_results_are_cut():
    divide(full_batch=True)
    cut = shard(lambda x: x + 1, ((4, 1),), ((1, 2),))
    assert ms.jit(lambda x: cut(x) * 2)(ops.ones((8, 2))).asnumpy().tolist() == [[4.0, 4.0]] * 8
    with pytest.raises(ValueError, match=r"shape value 2 of .* cannot be divisible by strategy value 4"):
        ms.jit(lambda x: cut(x) * 2)(ops.ones((2, 2)))


def test_other_modes_ignore_strategies():
    net = Product(((3, 1), (1, 7)))
    assert net(ops.ones((4, 16))).asnumpy().sum() == 4 * 8 * 16
    divide(mode="data_parallel")
    assert net(ops.ones((4, 16))).asnumpy().sum() == 4 * 8 * 16


def test_a_graph_is_compiled_again_when_the_plan_changes():
    net = Product(((2, 1), (1, 4)))
    net(ops.ones((4, 16)))
    assert net._cell_graphs.compilations == 1
    divide()
    net(ops.ones((8, 16)))
    net(ops.ones((4, 16)))
    ms.reset_auto_parallel_context()
    net(ops.ones((4, 16)))
    assert net._cell_graphs.compilations == 3
