"""SummaryCollector in trainings, seen through TensorBoard's own reader."""

import os

import numpy as np
import pytest
from tensorboard.backend.event_processing.event_accumulator import EventAccumulator

import mindspore as ms
import mindspore.dataset as ds
from mindspore import nn, ops
from mindspore._engine.execution import host_callbacks
from mindspore.train.callback._callback import Callback
from mindspore.train.callback._summary_collector import SummaryCollector
from mindspore.train.model import Model


class Net(nn.Cell):
    def __init__(self):
        super().__init__()
        self.conv = nn.Conv2d(1, 2, 3)
        self.flatten = nn.Flatten()
        self.dense = nn.Dense(2 * 16, 3)
        self.scalar, self.tensor = ops.ScalarSummary(), ops.TensorSummary()

    def construct(self, x):
        y = self.dense(self.flatten(self.conv(x)))
        self.scalar("mean", y.mean())
        self.tensor("output", y)
        return y


def data(count=24):
    random = np.random.default_rng(0)
    images, labels = random.random((count, 1, 4, 4), np.float32), np.arange(count, dtype=np.int32) % 3
    return ds.NumpySlicesDataset({"x": images, "y": labels}, shuffle=False).batch(4)


def model(rate=0.1):
    net = Net()
    loss = nn.SoftmaxCrossEntropyWithLogits(sparse=True, reduction="mean")
    return Model(net, loss, nn.Momentum(net.trainable_params(), rate, 0.9), metrics={"acc"})


def shown(folder):
    found = EventAccumulator(
        str(folder), size_guidance=dict.fromkeys(("scalars", "images", "histograms", "tensors"), 0)
    )
    found.Reload()
    return found


def steps(values):
    return [one.step for one in values]


class Losses(Callback):
    def __init__(self):
        self.values = []

    def on_train_step_end(self, run_context):
        self.values.append(float(run_context.original_args().net_outputs.asnumpy()))


@pytest.mark.usefixtures("mode")
def test_a_training_is_recorded(tmp_path):
    losses = Losses()
    collector = SummaryCollector(str(tmp_path), collect_freq=4, custom_lineage_data={"author": "me", "try": 3})
    model(rate=[0.1 * number for number in range(1, 13)]).train(2, data(), callbacks=[collector, losses])
    found = shown(tmp_path)
    assert steps(found.Scalars("loss/auto")) == [1, 4, 8, 12]
    recorded = [one.value for one in found.Scalars("loss/auto")]
    np.testing.assert_allclose(recorded, np.array(losses.values)[[0, 3, 7, 11]], 1e-6)
    np.testing.assert_allclose([one.value for one in found.Scalars("learning_rate/auto")], [0.1, 0.4, 0.8, 1.2], 1e-5)
    assert steps(found.Scalars("mean")) == [1, 4, 8, 12]
    assert steps(found.Images("input_data/auto")) == [1, 4, 8, 12]
    assert found.Tags()["histograms"] == ["conv.weight/auto", "dense.weight/auto", "dense.bias/auto"]
    names = [node.name for node in found.Graph().node]
    assert any(name.startswith("Default/_backbone/conv/Conv2D") for name in names)
    text = {
        tag: found.Tensors(tag)[0].tensor_proto.string_val[0].decode() for tag in ("lineage/train", "lineage/custom")
    }
    assert "| optimizer | Momentum |" in text["lineage/train"] and "| steps | 12 |" in text["lineage/train"]
    assert "| author | me |" in text["lineage/custom"]
    assert "Batch" in found.Tensors("dataset_graph")[0].tensor_proto.string_val[0].decode()


def test_collecting_does_not_change_the_training(tmp_path):
    runs = []
    for collects in (False, True):
        ms.set_seed(1)
        losses = Losses()
        extra = [SummaryCollector(str(tmp_path), collect_freq=1)] if collects else []
        model().train(1, data(), callbacks=[losses, *extra])
        runs.append(losses.values)
    assert runs[0] == runs[1]


def test_steps_that_are_not_collected_run_without_reports(tmp_path):
    class Watch(Callback):
        def __init__(self):
            self.wanted = []

        def on_train_step_begin(self, run_context):
            self.wanted.append(host_callbacks.summaries_wanted())

    watch = Watch()
    trained = model()
    trained.train(1, data(), callbacks=[SummaryCollector(str(tmp_path), collect_freq=3), watch])
    assert watch.wanted == [True, False, True, False, False, True]
    assert trained.train_network._graphs_of().compilations == 2


def test_tensors_are_recorded_less_often(tmp_path):
    model().train(1, data(), callbacks=SummaryCollector(str(tmp_path), collect_freq=1, collect_tensor_freq=4))
    found = shown(tmp_path)
    assert steps(found.Tensors("output")) == [1, 4]
    assert steps(found.Scalars("mean")) == [1, 2, 3, 4, 5, 6]


def test_about_twenty_tensors_are_recorded_by_default(tmp_path):
    model().train(10, data(), callbacks=SummaryCollector(str(tmp_path), collect_freq=1))
    assert steps(shown(tmp_path).Tensors("output")) == [1, *range(3, 61, 3)]


def test_only_what_is_asked_for_is_collected(tmp_path):
    choice = {"histogram_regular": "^dense.*"}
    collector = SummaryCollector(str(tmp_path), collect_specified_data=choice, keep_default_action=False)
    model().train(1, data(), callbacks=collector)
    tags = shown(tmp_path).Tags()
    assert tags["histograms"] == ["dense.weight/auto", "dense.bias/auto"]
    assert (tags["scalars"], tags["images"], tags["graph"]) == (["mean"], [], False)


def test_evaluation_is_recorded_with_the_step_of_the_training(tmp_path):
    collector = SummaryCollector(str(tmp_path))
    model().fit(2, data(), data(12), callbacks=collector)
    found = shown(tmp_path)
    assert steps(found.Scalars("eval/acc")) == [6, 12]
    assert "acc" in found.Tensors("lineage/eval")[-1].tensor_proto.string_val[0].decode()


def test_evaluation_alone_is_recorded(tmp_path):
    result = model().eval(data(), callbacks=SummaryCollector(str(tmp_path)))
    assert [one.value for one in shown(tmp_path).Scalars("eval/acc")] == pytest.approx([result["acc"]])


@pytest.mark.usefixtures("mode")
def test_sinking_counts_epochs(tmp_path):
    model().train(4, data(), callbacks=SummaryCollector(str(tmp_path), collect_freq=2), dataset_sink_mode=True)
    found = steps(shown(tmp_path).Scalars("loss/auto"))
    assert found[-1] == 24
    assert {step for step in found if step % 6 == 0} >= {12, 24}


def test_an_error_in_training_closes_the_files_and_ends_the_reports(tmp_path):
    class Fail(Callback):
        def on_train_step_end(self, run_context):
            raise RuntimeError("on purpose")

    collector = SummaryCollector(str(tmp_path))
    with pytest.raises(RuntimeError, match="on purpose"):
        model().train(1, data(), callbacks=[collector, Fail()])
    assert not host_callbacks.summaries_wanted()
    assert steps(shown(tmp_path).Scalars("loss/auto")) == [1]


def test_two_collectors_are_refused(tmp_path):
    collectors = [SummaryCollector(str(tmp_path)), SummaryCollector(str(tmp_path))]
    with pytest.raises(ValueError, match="one in the callbacks of a training is enough"):
        model().train(1, data(), callbacks=collectors)


def test_a_network_that_steps_by_itself_is_recorded(tmp_path):
    class Step(nn.Cell):
        def construct(self, x, y):
            return (x.mean() + y.mean()).sum()

    Model(Step()).train(1, data(), callbacks=SummaryCollector(str(tmp_path)))
    assert steps(shown(tmp_path).Scalars("loss/auto")) == [1]


@pytest.mark.parametrize(
    ("wrong", "message"),
    [
        ({"collect_freq": 0}, "the 'collect_freq' must be greater than or equal to 1"),
        ({"collect_freq": "often"}, "the 'collect_freq' must be an int"),
        ({"collect_specified_data": 3}, "the 'collect_specified_data'"),
        ({"collect_specified_data": {"collect_metrics": True}}, "Did you mean 'collect_metric'"),
        ({"collect_specified_data": {"collect_metric": 1}}, "the 'collect_metric' must be 'bool'"),
        ({"collect_specified_data": {"histogram_regular": "["}}, "must be a regular expression"),
        ({"keep_default_action": 1}, "the 'keep_default_action'"),
        ({"custom_lineage_data": {"a": [1]}}, r"the 'custom_lineage_data\['a'\]'"),
        ({"custom_lineage_data": {3: 3}}, "the 'custom_lineage_data' must be 'str'"),
        ({"collect_tensor_freq": -1}, "the 'collect_tensor_freq'"),
        ({"max_file_size": -1}, "the 'max_file_size'"),
        ({"export_options": {"format": "npy"}}, "the 'export_options' must be one of"),
    ],
)
def test_wrong_arguments_are_refused_before_training(tmp_path, wrong, message):
    with pytest.raises((TypeError, ValueError), match=message):
        SummaryCollector(str(tmp_path), **wrong)
    assert os.listdir(tmp_path) == []
