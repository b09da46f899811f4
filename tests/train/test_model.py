"""Model: what it trains, evaluates and predicts, and which mistakes it names. Facts: MindSpore 2.10."""

from __future__ import annotations

import threading
import time

import numpy as np
import pytest

import mindspore as ms
import mindspore.dataset as ds
from mindspore import Model, Tensor, nn, ops
from mindspore.train.callback import Callback, LossMonitor


def pairs(count=10, batch=2, columns=2):
    numbers = np.random.RandomState(0)
    data = {"x": numbers.rand(count, 3).astype(np.float32), "y": numbers.rand(count, 1).astype(np.float32)}
    data["z"] = data["y"]
    return ds.NumpySlicesDataset(dict(list(data.items())[:columns]), shuffle=False).batch(batch)


def make(rate=0.1, **options):
    ms.set_seed(5)
    net = nn.Dense(3, 1)
    return Model(net, nn.MSELoss(), nn.Momentum(net.trainable_params(), rate, 0.9), **options)


def weight_of(model):
    return model.predict_network.weight.asnumpy()


class Recorder(Callback):
    """Writes down every hook it is called with."""

    def __init__(self):
        super().__init__()
        self.calls = []


def _hook(name):
    def hook(self, run_context):
        told = run_context.original_args()
        self.calls.append((name, told.get("cur_epoch_num"), told.cur_step_num, told.mode, told.batch_num))

    return hook


for _mode in ("train", "eval"):
    for _moment in ("begin", "epoch_begin", "step_begin", "step_end", "epoch_end", "end"):
        setattr(Recorder, f"on_{_mode}_{_moment}", _hook(f"{_mode}_{_moment}"))


def test_hooks_come_in_the_order_of_real_mindspore(mode):
    recorder = Recorder()
    make(metrics={"mse"}).fit(2, pairs(4), pairs(2), valid_frequency=[2], callbacks=recorder)
    assert recorder.calls == [
        ("train_begin", None, 0, "train", 2),
        ("train_epoch_begin", 1, 0, "train", 2),
        ("train_step_begin", 1, 1, "train", 2),
        ("train_step_end", 1, 1, "train", 2),
        ("train_step_begin", 1, 2, "train", 2),
        ("train_step_end", 1, 2, "train", 2),
        ("train_epoch_end", 1, 2, "train", 2),
        ("train_epoch_begin", 2, 2, "train", 2),
        ("train_step_begin", 2, 3, "train", 2),
        ("train_step_end", 2, 3, "train", 2),
        ("train_step_begin", 2, 4, "train", 2),
        ("train_step_end", 2, 4, "train", 2),
        ("eval_begin", 2, 0, "eval", 1),
        ("eval_epoch_begin", 2, 0, "eval", 1),
        ("eval_step_begin", 2, 1, "eval", 1),
        ("eval_step_end", 2, 1, "eval", 1),
        ("eval_epoch_end", 2, 1, "eval", 1),
        ("eval_end", 2, 1, "eval", 1),
        ("train_epoch_end", 2, 4, "train", 2),
        ("train_end", 2, 4, "train", 2),
    ]


def test_hooks_of_a_sunk_epoch_in_graph_mode_come_once():
    recorder = Recorder()
    make().train(2, pairs(), callbacks=recorder, dataset_sink_mode=True, sink_size=3)
    assert [call[:3] for call in recorder.calls] == [
        ("train_begin", None, 0),
        ("train_epoch_begin", 1, 0),
        ("train_step_begin", 1, 3),
        ("train_step_end", 1, 3),
        ("train_epoch_end", 1, 3),
        ("train_epoch_begin", 2, 3),
        ("train_step_begin", 2, 6),
        ("train_step_end", 2, 6),
        ("train_epoch_end", 2, 6),
        ("train_end", 2, 6),
    ]


def test_hooks_of_a_sunk_epoch_in_pynative_mode_come_at_every_step():
    ms.set_context(mode=ms.PYNATIVE_MODE)
    recorder = Recorder()
    make().train(2, pairs(), callbacks=recorder, dataset_sink_mode=True, sink_size=3)
    assert [call[2] for call in recorder.calls if call[0] == "train_step_end"] == [1, 2, 3, 4, 5, 6]
    assert {call[4] for call in recorder.calls} == {3}


def test_sinking_changes_nothing_about_the_result(mode):
    def trained(epochs, **options):
        ms.set_seed(3)
        numbers = np.random.RandomState(0)
        columns = {"x": numbers.rand(100, 3).astype(np.float32), "y": numbers.rand(100, 1).astype(np.float32)}
        model = make()
        model.train(epochs, ds.NumpySlicesDataset(columns, shuffle=True).batch(10), **options)
        return weight_of(model)

    plain = trained(4)
    assert not np.array_equal(plain, weight_of(make()))
    # all batches at once; a part, continued in the next epoch; more than one pass in an epoch
    for epochs, size in ((4, -1), (10, 4), (2, 20)):
        np.testing.assert_array_equal(trained(epochs, dataset_sink_mode=True, sink_size=size), plain)


def test_sink_size_means_nothing_without_sinking(capsys):
    make().train(1, pairs(), callbacks=LossMonitor(), sink_size=2)
    assert capsys.readouterr().out.count("loss is") == 5


def test_both_modes_train_alike():
    weights = []
    for mode in (ms.GRAPH_MODE, ms.PYNATIVE_MODE):
        ms.set_context(mode=mode)
        model = make()
        model.train(3, pairs())
        weights.append(weight_of(model))
    np.testing.assert_allclose(*weights, rtol=1e-5, atol=1e-6)


def test_without_an_optimizer_training_is_the_forward_pass_alone(mode, capsys):
    net = nn.Dense(3, 1)
    before = net.weight.asnumpy()
    Model(net, nn.MSELoss()).train(1, pairs(), callbacks=LossMonitor())
    np.testing.assert_array_equal(net.weight.asnumpy(), before)
    assert capsys.readouterr().out.count("loss is") == 5


def test_a_network_that_is_a_whole_training_step_trains():
    net = nn.Dense(3, 1)
    step = nn.TrainOneStepCell(nn.WithLossCell(net, nn.MSELoss()), nn.SGD(net.trainable_params(), 0.1))
    before = net.weight.asnumpy()
    Model(step).train(1, pairs())
    assert not np.array_equal(net.weight.asnumpy(), before)


def test_a_network_with_its_own_loss_takes_any_columns():
    class Net(nn.Cell):
        def __init__(self):
            super().__init__()
            self.dense = nn.Dense(3, 1)

        def construct(self, x, y, z):
            return ops.square(self.dense(x) - y + z).mean()

    net = Net()
    before = net.dense.weight.asnumpy().copy()
    Model(net, optimizer=nn.SGD(net.trainable_params(), 0.1)).train(1, pairs(columns=3))
    assert not np.array_equal(net.dense.weight.asnumpy(), before)


def test_a_loss_may_be_a_plain_function():
    net = nn.Dense(3, 1)
    model = Model(net, lambda out, label: ops.square(out - label).mean(), nn.SGD(net.trainable_params(), 0.1))
    before = net.weight.asnumpy()
    model.train(1, pairs())
    assert not np.array_equal(net.weight.asnumpy(), before)


def test_epochs_are_counted_from_the_initial_one():
    recorder = Recorder()
    make().train(4, pairs(4), callbacks=recorder, initial_epoch=2)
    assert [call[1:3] for call in recorder.calls if call[0] == "train_step_end"] == [(3, 1), (3, 2), (4, 3), (4, 4)]


def test_a_stop_requested_in_a_step_ends_the_epoch_and_training():
    class Stop(Recorder):
        def on_train_step_end(self, run_context):
            super().on_train_step_end(run_context)
            run_context.request_stop()

    stop = Stop()
    make().train(3, pairs(), callbacks=[stop])
    assert [call[0] for call in stop.calls][-3:] == ["train_step_end", "train_epoch_end", "train_end"]
    assert sum(call[0] == "train_step_end" for call in stop.calls) == 1


def test_an_error_in_a_callback_reaches_the_caller_and_every_callback():
    class Fail(Callback):
        left = None

        def on_train_step_end(self, run_context):
            raise KeyError("mine")

        def __exit__(self, kind, error, trace):
            self.left = kind

    fail = Fail()
    with pytest.raises(KeyError, match="mine"):
        make().train(1, pairs(), callbacks=[fail])
    assert fail.left is KeyError


def test_an_error_ends_the_pipeline():
    class Fail(Callback):
        def on_train_step_end(self, run_context):
            raise KeyError("mine")

    threads = threading.active_count()
    model = make()
    for _ in range(5):
        with pytest.raises(KeyError):
            model.train(1, pairs(1000), callbacks=Fail())
    deadline = time.monotonic() + 10
    while threading.active_count() > threads and time.monotonic() < deadline:
        time.sleep(0.05)
    assert threading.active_count() <= threads


def test_a_callback_may_change_learning_rate_and_parameters(mode):
    class Freeze(Callback):
        def on_train_step_end(self, run_context):
            told = run_context.original_args()
            told.optimizer.learning_rate.set_data(Tensor(0.0, ms.float32))
            told.network.weight.set_data(Tensor(np.full((1, 3), 7.0, np.float32)))

    net = nn.Dense(3, 1)
    Model(net, nn.MSELoss(), nn.SGD(net.trainable_params(), 0.1)).train(1, pairs(), callbacks=Freeze())
    np.testing.assert_array_equal(net.weight.asnumpy(), np.full((1, 3), 7.0))


def test_evaluation_uses_inference_behaviour_and_training_goes_on_in_its_own(mode):
    class Modes(Callback):
        def __init__(self):
            self.seen = []

        def on_train_step_end(self, run_context):
            self.seen.append(("train", run_context.original_args().network.training))

        def on_eval_step_end(self, run_context):
            self.seen.append(("eval", run_context.original_args().network.training))

    modes = Modes()
    make(metrics={"mse"}).fit(2, pairs(4), pairs(2), callbacks=modes)
    assert modes.seen == [*[("train", True)] * 2, ("eval", False), *[("train", True)] * 2, ("eval", False)]


@pytest.mark.parametrize("sinks", [False, True])
@pytest.mark.parametrize("asked", ["eval", "predict"])
def test_after_a_callback_evaluated_or_predicted_layers_train_again(asked, sinks):
    class Evaluates(Callback):
        def __init__(self):
            self.seen = []

        def on_train_step_end(self, run_context):
            self.seen.append([cell.training for _, cell in run_context.original_args().train_network.cells_and_names()])

        def on_train_epoch_end(self, run_context):
            _ = model.eval(pairs(2)) if asked == "eval" else model.predict(Tensor(np.ones((2, 3), np.float32)))
            assert not network.training

    network = nn.SequentialCell(nn.Dense(3, 1), nn.BatchNorm1d(1), nn.Dropout(p=0.5))
    model = Model(network, nn.MSELoss(), nn.SGD(network.trainable_params(), 0.1), metrics={"mse"})
    callback = Evaluates()
    model.train(2, pairs(4), callbacks=callback, dataset_sink_mode=sinks)
    assert all(all(modes) for modes in callback.seen)


@pytest.mark.parametrize("asked", ["eval", "predict"])
def test_evaluating_the_network_by_another_model_leaves_its_training_as_it_was(asked, mode):
    class Evaluates(Callback):
        def __init__(self):
            self.seen = []

        def on_train_step_end(self, run_context):
            self.seen.append([cell.training for cell in network])
            network[1].set_train(False)

        def on_train_epoch_end(self, run_context):
            _ = other.eval(pairs(2)) if asked == "eval" else other.predict(Tensor(np.ones((2, 3), np.float32)))

    network = nn.SequentialCell(nn.Dense(3, 1), nn.BatchNorm1d(1), nn.Dropout(p=0.5))
    other = Model(network, nn.MSELoss(), metrics={"mse"})
    callback = Evaluates()
    Model(network, nn.MSELoss(), nn.SGD(network.trainable_params(), 0.1)).train(2, pairs(4), callbacks=callback)
    assert callback.seen == [[True, True, True], *[[True, False, True]] * 3]
    other.eval(pairs(2))
    assert not any(cell.training for cell in network)


def test_what_a_callback_puts_into_inference_mode_stays_in_it():
    class Freezes(Callback):
        def __init__(self):
            self.seen = []

        def on_train_step_end(self, run_context):
            self.seen.append(network[1].training)
            network[1].set_train(False)

    network = nn.SequentialCell(nn.Dense(3, 1), nn.BatchNorm1d(1))
    callback = Freezes()
    Model(network, nn.MSELoss(), nn.SGD(network.trainable_params(), 0.1)).train(2, pairs(4), callbacks=callback)
    assert callback.seen == [True, False, False, False]


def test_eval_gives_the_value_of_every_metric_by_its_name():
    model = make(metrics={"mine": nn.MSE(), "loss": nn.Loss(), "mae": nn.MAE()})
    data = pairs()
    results = model.eval(data)
    x, y = (np.concatenate(column) for column in zip(*data.create_tuple_iterator(num_epochs=1, output_numpy=True)))
    error = model.predict(Tensor(x)).asnumpy() - y
    assert list(results) == ["mine", "loss", "mae"]
    np.testing.assert_allclose(results["mine"], np.mean(error**2), rtol=1e-5)
    np.testing.assert_allclose(results["loss"], np.mean(error**2), rtol=1e-5)
    np.testing.assert_allclose(results["mae"], np.mean(abs(error)), rtol=1e-5)
    assert model.eval(data) == results  # metrics start anew


def test_an_evaluation_network_may_give_the_metrics_all_its_outputs():
    class Outputs(nn.Cell):
        def __init__(self):
            super().__init__()
            self.dense = nn.Dense(3, 1, weight_init="zeros", bias_init="zeros")

        def construct(self, x, y):
            return self.dense(x), y

    model = Model(Outputs(), eval_network=Outputs(), metrics={"mse": nn.MSE()})
    y = np.concatenate([row[1] for row in pairs().create_tuple_iterator(num_epochs=1, output_numpy=True)])
    np.testing.assert_allclose(model.eval(pairs())["mse"], np.mean(y**2), rtol=1e-6)


def test_a_metric_may_choose_among_the_outputs():
    model = make(metrics={"label": nn.Loss().set_indexes([2])})
    y = np.concatenate([row[1] for row in pairs(4).create_tuple_iterator(num_epochs=1, output_numpy=True)])
    assert model.eval_network is not None
    model._metric_fns["label"] = nn.MSE().set_indexes([1, 1])
    assert model.eval(pairs(4)) == {"label": 0.0}
    assert len(y) == 4


def test_fit_tells_callbacks_the_results_of_evaluation():
    told = []

    class Results(Callback):
        def on_train_epoch_end(self, run_context):
            told.append(dict(run_context.original_args().eval_results))

    make(metrics={"mse"}).fit(2, pairs(), pairs(4), callbacks=Results())
    assert [sorted(one) for one in told] == [["eval_loss", "mse"]] * 2
    assert told[0] != told[1]


def test_the_loss_of_an_evaluation_is_the_mean_of_this_evaluation(mode):
    told = []

    class Results(Callback):
        def on_train_epoch_end(self, run_context):
            told.append(dict(run_context.original_args().get("eval_results") or {}))

    model = make(metrics={"loss"})
    model.fit(3, pairs(), pairs(4), valid_frequency=[1, 3], callbacks=Results())
    assert told[0]["eval_loss"] == told[0]["loss"] and told[2]["eval_loss"] == told[2]["loss"] != told[0]["loss"]
    assert told[1] == {} and model.eval(pairs(4)) == model.eval(pairs(4)) == {"loss": told[2]["loss"]}


def test_fit_prints_losses_and_results(capsys):
    make(metrics={"mse"}).fit(1, pairs(), pairs(), callbacks=[LossMonitor(5)])
    lines = capsys.readouterr().out.splitlines()
    assert lines[0].startswith("epoch: 1 step: 5, loss is ")
    assert lines[1].startswith("Eval result: epoch 1, metrics: {'mse': ")


def test_predict_takes_tensors_and_datasets():
    model = make()
    data = pairs(10, 4)
    outputs = model.predict(data)
    x = np.concatenate([row[0] for row in data.create_tuple_iterator(num_epochs=1, output_numpy=True)])
    assert outputs.shape == (10, 1)
    np.testing.assert_allclose(outputs.asnumpy(), model.predict(Tensor(x)).asnumpy(), rtol=1e-6)
    with pytest.raises(TypeError, match=r"got type ndarray. Write model.predict\(Tensor"):
        model.predict(x)


def test_build_compiles_what_training_and_evaluation_will_run():
    model = make(metrics={"mse"})
    model.build(pairs(), pairs())
    graphs = [network._graphs_of().compilations for network in (model.train_network, model.eval_network)]
    model.fit(1, pairs(), pairs())
    assert graphs == [1, 1]
    assert [network._graphs_of().compilations for network in (model.train_network, model.eval_network)] == [1, 1]


def test_a_loss_scale_manager_hears_of_overflows():
    manager = ms.DynamicLossScaleManager(2.0**8, 2, 3)
    net = nn.Dense(3, 1)
    model = Model(net, nn.MSELoss(), nn.SGD(net.trainable_params(), 0.1), loss_scale_manager=manager)
    model.train(1, pairs(8))
    assert manager.get_loss_scale() == 2.0**9  # grew after three steps
    bad = {"x": np.full((4, 3), np.inf, np.float32), "y": np.zeros((4, 1), np.float32)}
    before = net.weight.asnumpy()
    model.train(1, ds.NumpySlicesDataset(bad, shuffle=False).batch(2))
    assert manager.get_loss_scale() == 2.0**7
    np.testing.assert_array_equal(net.weight.asnumpy(), before)


def test_mixed_precision_trains(mode):
    for level in ("O1", "O2", "O3", "auto"):
        model = make(amp_level=level, metrics={"mse"})
        before = model.eval(pairs())["mse"]
        model.train(10, pairs())
        assert model.eval(pairs())["mse"] < before


def test_data_continue_over_calls_of_a_connected_network():
    data = ds.NumpySlicesDataset({"x": np.arange(5, dtype=np.float32)}, shuffle=False)
    helper = ms.DatasetHelper(data, dataset_sink_mode=True, sink_size=3, epoch_num=4)
    net = ms.connect_network_with_dataset(nn.ReLU(), helper)
    assert [float(net(*inputs).asnumpy()) for _ in range(4) for inputs in helper] == [2, 0, 3, 1]
    assert helper.sink_size() == 3
    assert helper.types_shapes() == ([ms.float32], [[]])


def test_functions_fetch_their_data_too():
    data = ds.NumpySlicesDataset({"x": np.arange(5, dtype=np.float32)}, shuffle=False)
    sunk = ms.data_sink(lambda x: x + 1, data, sink_size=4, jit_config=ms.JitConfig())
    assert [float(sunk().asnumpy()) for _ in range(3)] == [4, 3, 2]


def test_without_sinking_a_helper_hands_out_batches_and_connects_no_network():
    helper = ms.DatasetHelper(pairs(), dataset_sink_mode=False)
    assert [len(row) for row in helper] == [2] * 5
    with pytest.raises(RuntimeError, match="should be called in dataset sink mode"):
        ms.connect_network_with_dataset(nn.ReLU(), helper)


def test_layouts_say_that_parameters_are_whole():
    ms.set_auto_parallel_context(parallel_mode="semi_auto_parallel")
    try:
        model = make()
        assert model.infer_predict_layout() == {"weight": ([1], [-1, -1], [1, 3], 0), "bias": ([1], [-1], [1], 0)}
        assert "moments.weight" in model.infer_train_layout(pairs())
    finally:
        ms.reset_auto_parallel_context()


MISTAKES = [
    (lambda: Model(3), TypeError, "The type of 'network' should be 'Cell', but got type 'int'"),
    (lambda: Model(nn.ReLU(), 3), TypeError, "'loss_fn' of Model must be a Cell or a function, but got 3"),
    (lambda: Model(nn.ReLU(), nn.MSELoss(), 3), TypeError, "The type of 'optimizer' should be"),
    (lambda: make(foo=1), ValueError, "should be 'loss_scale_manager' or .*but got 'foo'"),
    (lambda: make(metrics=["acc"]), TypeError, "must be None, a dict or a set, but got \\['acc'\\]"),
    (lambda: make(metrics={"foo"}), KeyError, "foo"),
    (lambda: make(metrics={"a": nn.Accuracy}), TypeError, "class passed instead of an object"),
    (lambda: Model(nn.ReLU(), metrics={"acc"}), ValueError, "`eval_network` must not be None"),
    (lambda: make(amp_level="O4"), ValueError, "the 'amp_level' must be one of .*but got 'O4'"),
    (lambda: Model(nn.ReLU(), nn.MSELoss(), amp_level="O2"), ValueError, "'optimizer' is None"),
    (
        lambda: Model(nn.ReLU(), nn.MSELoss(), loss_scale_manager=ms.FixedLossScaleManager()),
        ValueError,
        "'optimizer' can not be None when a 'loss_scale_manager'",
    ),
    (lambda: make(metrics={"mse"}, eval_network=nn.ReLU(), eval_indexes=[0]), ValueError, "length of it must be three"),
    (lambda: make().eval(pairs()), ValueError, "'metrics' can not be None or empty"),
    (lambda: make().train(0, pairs()), ValueError, "must be int and must > 0, but got '0'"),
    (lambda: make().train("a", pairs()), TypeError, "must be int, but got 'str'"),
    (lambda: make().train(1, pairs(), sink_size=0), ValueError, "must be -1 or positive, but got 0"),
    (lambda: make().train(1, pairs(), sink_size=1.5), TypeError, "'sink_size' must be an int"),
    (lambda: make().train(1, pairs(), dataset_sink_mode=1), TypeError, "must be a bool, but got int"),
    (lambda: make().train(2, pairs(), initial_epoch=2), ValueError, "must bigger than parameter 'initial_epoch'"),
    (lambda: make().train(1, pairs(columns=3)), ValueError, "should return two elements, but got 3"),
    (lambda: make().train(1, pairs(columns=1)), ValueError, "should return two elements, but got 1"),
    (lambda: make().train(1, pairs(columns=3), dataset_sink_mode=True), ValueError, "two elements, but got 3"),
    (lambda: make(metrics={"mse"}).eval(pairs(columns=3)), ValueError, "'valid_dataset' should return two elements"),
    (lambda: make().train(1, [1, 2]), TypeError, "must be a pipeline of mindspore.dataset"),
    (lambda: make().train(1, pairs(2, 4).take(1).filter(lambda *row: False)), ValueError, "There is no valid data"),
    (lambda: make().train(1, pairs(), callbacks=3), TypeError, "not a Callback"),
    (lambda: make().train(1, pairs(), callbacks=[LossMonitor]), TypeError, "class passed instead of an object"),
    (lambda: make().fit(1, pairs(), pairs()), ValueError, "'metrics' can not be None or empty"),
    (
        lambda: make(metrics={"mse"}).fit(1, pairs(), pairs(), valid_frequency=0),
        ValueError,
        "greater than 0, but got 0",
    ),
    (lambda: make(metrics={"mse"}).fit(1, pairs(), pairs(), valid_frequency="a"), TypeError, "must be a list or an"),
    (lambda: make().infer_predict_layout(), RuntimeError, "only supports 'semi_auto_parallel'"),
    (lambda: ms.DatasetHelper(3), TypeError, "must be a pipeline"),
    (lambda: ms.data_sink(3, pairs()), TypeError, "'fn'"),
    (lambda: ms.data_sink(abs, pairs(), 0), ValueError, "'sink_size'"),
]


@pytest.mark.parametrize(("mistake", "kind", "text"), MISTAKES, ids=range(len(MISTAKES)))
def test_mistakes_are_named_before_the_first_step(mistake, kind, text):
    with pytest.raises(kind, match=text):
        mistake()
