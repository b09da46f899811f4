"""``AutoParallel``: a network with settings of its own for parallel graphs."""

import numpy as np
import pytest

import mindspore as ms
from mindspore import Tensor, nn, ops
from mindspore import dataset as ds
from mindspore._engine.graph import graph
from mindspore.parallel import Layout
from mindspore.parallel.auto_parallel import AutoParallel
from mindspore.train import Model

X = Tensor(np.ones((4, 2), np.float32))
KEYS = ("parallel_mode", "search_mode", "enable_parallel_optimizer", "parallel_optimizer_config", "pipeline_stages",
        "pipeline_result_broadcast", "pipeline_config", "dataset_strategy", "full_batch", "gradients_mean",
        "gradient_fp32_sync", "loss_repeated_mean", "strategy_ckpt_config", "group_ckpt_save_file")  # fmt: skip


@pytest.fixture(autouse=True)
def _clean():
    ms.set_context(mode=ms.GRAPH_MODE)
    yield
    ms.reset_auto_parallel_context()


def seen():
    return {key: ms.get_auto_parallel_context(key) for key in KEYS}


@pytest.fixture
def found(monkeypatch):
    """The settings under which graphs were looked up."""
    settings, planning_key = [], graph.planning_key
    monkeypatch.setattr(graph, "planning_key", lambda: settings.append(seen()) or planning_key())
    return settings


def called(parallel_mode="semi_auto", **settings):
    """Call a network with these settings."""
    parallel = AutoParallel(nn.Dense(2, 2), parallel_mode)
    for method, arguments in settings.items():
        getattr(parallel, method)(*arguments)
    parallel(X)


@pytest.mark.parametrize(
    ("chosen", "mode", "search"),
    [
        ("semi_auto", "semi_auto_parallel", "recursive_programming"),
        ("sharding_propagation", "auto_parallel", "sharding_propagation"),
        ("recursive_programming", "auto_parallel", "recursive_programming"),
    ],
)
def test_the_mode_holds_inside_and_nowhere_else(found, chosen, mode, search):
    before = seen()
    called(chosen)
    assert (found[-1]["parallel_mode"], found[-1]["search_mode"]) == (mode, search)
    assert seen() == before


def test_settings_reach_the_graph(found, tmp_path):
    called(
        hsdp=(2, 0, "level2"),
        dataset_strategy=("full_batch",),
        enable_gradients_mean=(),
        disable_gradient_fp32_sync=(),
        disable_loss_repeated_mean=(),
        save_param_strategy_file=(str(tmp_path / "cuts.ckpt"),),
        disable_strategy_file_only_for_trainable_params=(),
        set_group_ckpt_save_file=(str(tmp_path / "groups.ckpt"),),
    )
    found = found[-1]
    assert found["enable_parallel_optimizer"] and found["full_batch"]
    assert found["parallel_optimizer_config"] == {
        "gradient_accumulation_shard": True,
        "parallel_optimizer_threshold": 0,
        "optimizer_weight_shard_size": 2,
    }
    assert (found["gradients_mean"], found["gradient_fp32_sync"], found["loss_repeated_mean"]) == (True, False, False)
    assert found["strategy_ckpt_config"]["save_file"].endswith("cuts.ckpt")
    assert found["strategy_ckpt_config"]["only_trainable_params"] is False
    assert found["group_ckpt_save_file"].endswith("groups.ckpt")


def test_layouts_of_inputs_become_cuts():
    layout = Layout((2, 4), ("data", "model"))
    network = AutoParallel(nn.Dense(2, 2))
    network.dataset_strategy((layout("data", "None"), layout(("data", "model"), "None")))
    assert network._settings["dataset_strategy"] == ((2, 1), (8, 1))


def test_names_and_results_are_those_of_the_network(mode):
    network = nn.Dense(2, 3)
    parallel = AutoParallel(network)
    assert [one.name for one in parallel.get_parameters()] == ["weight", "bias"] and parallel.network is network
    np.testing.assert_array_equal(parallel(X).asnumpy(), network(X).asnumpy())
    np.testing.assert_array_equal(AutoParallel(lambda x: ops.relu(x) + 1)(X).asnumpy(), X.asnumpy() + 1)


def test_settings_hold_while_a_model_trains_evaluates_and_predicts(found):
    network = nn.Dense(2, 2)
    data = ds.NumpySlicesDataset((np.ones((8, 2), np.float32), np.ones((8, 2), np.float32)), ["x", "y"]).batch(4)
    model = Model(AutoParallel(network), nn.MSELoss(), nn.SGD(network.trainable_params(), 0.1), metrics={"loss"})
    model.train(1, data, dataset_sink_mode=False)
    model.eval(data)
    model.predict(X)
    assert len(found) >= 3
    assert {one["parallel_mode"] for one in found} == {"semi_auto_parallel"}
    assert ms.get_auto_parallel_context("parallel_mode") == "stand_alone"


def test_stages_are_remembered():
    network = AutoParallel(nn.Dense(2, 2))
    assert network.get_pipeline_stages() == 1
    network.pipeline(stages=2, scheduler="gpipe")
    assert network.get_pipeline_stages() == 2


@pytest.mark.parametrize(
    ("method", "arguments", "error", "words"),
    [
        ("hsdp", (0,), ValueError, "shard_size must be a positive integer or -1"),
        ("hsdp", (-1, -1), ValueError, "threshold must be a positive integer or 0"),
        ("hsdp", (-1, 0, "x"), ValueError, "level1"),
        ("pipeline", ("a",), TypeError, "'stages' must be int"),
        ("pipeline", (0,), ValueError, "'stages' must be larger than zero"),
        ("pipeline", (1, 1), TypeError, "'output_broadcast'"),
        ("pipeline", (1, True, False, "foo"), ValueError, "'scheduler'"),
        ("dataset_strategy", (None,), ValueError, "dataset_strategy is none"),
        ("dataset_strategy", ("foo",), ValueError, "'full_batch' or 'data_parallel'"),
        ("dataset_strategy", ((1, 2),), TypeError, "tuple or Layout"),
        ("dataset_strategy", ((("a",),),), TypeError, "int type"),
        ("load_param_strategy_file", (3,), TypeError, "'file_path'"),
        ("save_operator_strategy_file", ("./a.json",), KeyError, "absolute path"),
        ("load_operator_strategy_file", ("/tmp/a.txt",), KeyError, "json"),
        ("transformer_opt", ("/nowhere/a.json",), ValueError, "does not exist"),
        ("comm_fusion", (3,), TypeError, "'config'"),
    ],
)
def test_mistakes_are_named(method, arguments, error, words):
    with pytest.raises(error, match=words):
        getattr(AutoParallel(nn.Dense(2, 2)), method)(*arguments)
    with pytest.raises(ValueError, match="'parallel_mode'"):
        AutoParallel(nn.Dense(2, 2), "foo")
