"""Wrappers and settings of planned training, on 8 devices of one process. Run by ``test_planned.py``."""

import json

import numpy as np
import pytest

import mindspore as ms
import mindspore.dataset
from mindspore import Parameter, Tensor, nn, ops
from mindspore.common.initializer import Normal
from mindspore.parallel import set_op_strategy_config
from mindspore.parallel.auto_parallel import AutoParallel


@pytest.fixture(autouse=True)
def _clean():
    yield
    ms.reset_auto_parallel_context()
    ms.set_context(mode=ms.GRAPH_MODE)


class Block(nn.Cell):
    """A product that may be divided, and what recomputation must repeat: an average and a random mask."""

    def __init__(self, strategy=None):
        super().__init__()
        weight = np.random.default_rng(0).normal(size=(8, 8)).astype(np.float32)
        self.weight = Parameter(Tensor(weight * 0.3), name="weight")
        self.product = ops.MatMul() if strategy is None else ops.MatMul().shard(strategy)
        self.norm, self.dropout = nn.BatchNorm1d(8), nn.Dropout(p=0.2)

    def construct(self, x):
        return self.dropout(ops.relu(self.norm(self.product(x, self.weight))))


def trained(wrap=lambda network: network, recomputes=False, strategy=None, steps=3):
    """The losses, and the network."""
    ms.set_seed(3)
    net = nn.SequentialCell(Block(strategy), nn.Dense(8, 4, weight_init=Normal(0.3)))
    if recomputes:
        net[0].recompute()
    network = wrap(nn.WithLossCell(net, nn.MSELoss()))
    step = nn.TrainOneStepCell(network, nn.Adam(net.trainable_params(), 0.05)).set_train()
    random = np.random.default_rng(1)
    rows = [[Tensor(random.normal(size=(16, width)).astype(np.float32)) for width in (8, 4)] for _ in range(steps)]
    return [float(step(*row)) for row in rows], net


WRAPPERS = {
    "GradAccumulationCell": lambda network: nn.GradAccumulationCell(network, 2),
    "MicroBatchInterleaved": lambda network: nn.MicroBatchInterleaved(network, 2),
    "PipelineCell": lambda network: nn.PipelineCell(network, 2),
}


@pytest.mark.parametrize("recomputes", [False, True])
@pytest.mark.parametrize("name", WRAPPERS)
def test_wrappers_and_recomputation_give_the_same_in_both_modes_and_divided(name, recomputes):
    ms.set_context(mode=ms.PYNATIVE_MODE)
    expected, _ = trained(WRAPPERS[name], recomputes)
    ms.set_context(mode=ms.GRAPH_MODE)
    np.testing.assert_allclose(trained(WRAPPERS[name], recomputes)[0], expected, rtol=1e-4)
    ms.set_auto_parallel_context(parallel_mode="semi_auto_parallel", device_num=8, full_batch=True)
    found, net = trained(WRAPPERS[name], recomputes, ((2, 1), (1, 4)))
    np.testing.assert_allclose(found, expected, rtol=1e-4)
    assert net[0].weight._value.sharding.shard_shape((8, 8)) == (8, 2)


def propagating():
    ms.reset_auto_parallel_context()
    ms.set_auto_parallel_context(
        parallel_mode="auto_parallel", search_mode="sharding_propagation", device_num=8, full_batch=True
    )


def test_what_propagation_chose_is_saved_and_used_again(tmp_path):
    path = tmp_path / "strategy.json"
    propagating()
    set_op_strategy_config("SAVE", str(path))
    expected, net = trained(strategy=((2, 1), (1, 4)), steps=1)
    told = json.loads(path.read_text())
    assert told["devices"] == 8 and told["parameters"]["0.weight"] == [[], ["d1", "d2"]]
    set_op_strategy_config("LOAD", str(path))
    propagating()
    found, other = trained(steps=1)  # nothing but the file says how it is cut
    np.testing.assert_allclose(found, expected, rtol=1e-5)
    assert other[0].weight._value.sharding == net[0].weight._value.sharding
    path.write_text(json.dumps({**told, "devices": 4}))
    with pytest.raises(ValueError, match="was saved with 4 devices, but there are 8"):
        trained(steps=1)
    path.unlink()
    with pytest.raises(FileNotFoundError, match="Save it first"):
        trained(steps=1)


def test_a_wrong_label_is_refused_and_changes_nothing():
    ms.set_auto_parallel_context(parallel_mode="semi_auto_parallel", device_num=4, dataset_strategy="full_batch")
    net = nn.SequentialCell(nn.Embedding(16, 8), nn.Dense(8, 4))
    step = nn.TrainOneStepCell(nn.WithLossCell(net, nn.CrossEntropyLoss()), nn.Adam(net.trainable_params(), 0.1))
    tokens, labels = Tensor(np.arange(8), ms.int32), Tensor(np.arange(8) % 4, ms.int32)
    step(tokens, labels).asnumpy()
    before = net[1].weight.asnumpy()
    with pytest.raises(RuntimeError, match=r"'cross_entropy'.* must be in \[-4, 4\), but got 6"):
        step(tokens, labels + 3).asnumpy()
    np.testing.assert_array_equal(net[1].weight.asnumpy(), before)


def model_trained(wrap):
    """The losses of a Model, and the state of its optimizer."""
    ms.set_seed(3)
    net = nn.SequentialCell(nn.Dense(8, 8, weight_init=Normal(0.3)), nn.ReLU(), nn.Dense(8, 4, weight_init=Normal(0.3)))
    random = np.random.default_rng(1)
    rows = [tuple(random.normal(size=(16, width)).astype(np.float32) for width in (8, 4)) for _ in range(4)]
    data = ms.dataset.GeneratorDataset(rows, ["x", "y"], shuffle=False)
    losses = []

    class Keep(ms.train.Callback):
        def step_end(self, run_context):
            losses.append(float(run_context.original_args().net_outputs))

    optimizer = nn.Adam(net.trainable_params(), 0.05)
    ms.train.Model(wrap(net), nn.MSELoss(), optimizer).train(1, data, callbacks=Keep(), dataset_sink_mode=False)
    return losses, {one.name: one for one in optimizer.get_parameters()}


def test_a_network_has_settings_of_its_own():
    expected, _ = model_trained(lambda net: net)
    ms.set_auto_parallel_context(device_num=8)

    def parallel(net):
        wrapped = AutoParallel(net)
        wrapped.hsdp(threshold=0)
        wrapped.dataset_strategy("full_batch")
        return wrapped

    losses, states = model_trained(parallel)
    np.testing.assert_allclose(losses, expected, rtol=1e-5)
    assert states["moment1.0.weight"]._value.sharding.shard_shape((8, 8)) == (1, 8)
    assert ms.get_auto_parallel_context("parallel_mode") == "stand_alone"


def test_large_parameters_are_overwritten_and_old_values_that_are_held_are_kept():
    ms.set_auto_parallel_context(
        parallel_mode="semi_auto_parallel",
        device_num=8,
        parallel_optimizer_config={"parallel_optimizer_threshold": 0},
        enable_parallel_optimizer=True,
    )
    net = nn.Dense(1024, 1024, weight_init="normal")
    optimizer = nn.Momentum(net.trainable_params(), 0.1, 0.9)
    step = nn.TrainOneStepCell(nn.WithLossCell(net, nn.MSELoss()), optimizer)
    x, y = ops.ones((8, 1024)), ops.zeros((8, 1024))

    def places():
        values = (net.weight._value, optimizer.moments[0]._value)
        return [part.data.unsafe_buffer_pointer() for value in values for part in value.addressable_shards]

    for _ in range(2):
        step(x, y)
    before = places()
    step(x, y)
    assert places() == before
    held, state = net.weight.asnumpy(), optimizer.moments[0].value()
    numbers, states = held.copy(), state.asnumpy().copy()
    step(x, y)
    assert (held == numbers).all() and (state.asnumpy() == states).all()
    assert (net.weight.asnumpy() != held).any()
