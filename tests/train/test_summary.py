"""SummaryRecord and the summary operators, seen through TensorBoard's own reader."""

import glob
import os
import zlib

import numpy as np
import pytest
from PIL import Image
from tensorboard.backend.event_processing.event_accumulator import EventAccumulator

import mindspore as ms
from mindspore import Tensor, nn, ops
from mindspore.train.summary import SummaryRecord, _values
from mindspore.train.summary._graph import network_graph
from mindspore.train.summary.enums import ModeEnum, PluginEnum


def shown(folder):
    found = EventAccumulator(
        str(folder), size_guidance=dict.fromkeys(("scalars", "images", "histograms", "tensors"), 0)
    )
    found.Reload()
    return found


def test_values_of_every_kind_reach_tensorboard(tmp_path):
    images = np.random.default_rng(0).integers(0, 256, (5, 3, 4, 6)).astype(np.uint8)
    with SummaryRecord(str(tmp_path)) as record:
        record.add_value("scalar", "loss", Tensor(0.5))
        record.add_value("image", "batch", Tensor(images))
        record.add_value("histogram", "weights", Tensor(np.arange(10.0, dtype=np.float32)))
        record.add_value("tensor", "raw", Tensor([[1.0, 2.0]]))
        record.add_value("custom_lineage_data", "about", {"network": "LeNet", "note": "a|b"})
        assert record.record(7) is True
        assert record.log_dir == glob.glob(str(tmp_path / "events.out.tfevents.summary.*_MS"))[0]
    found = shown(tmp_path)
    assert [(one.step, one.value) for one in found.Scalars("loss")] == [(7, 0.5)]
    picture = np.asarray(Image.open(_file(found.Images("batch")[0].encoded_image_string, tmp_path)))
    assert picture.shape == (8, 18, 3)
    assert np.array_equal(picture[:4, 6:12], images[1].transpose(1, 2, 0))
    assert np.array_equal(picture[4:, :6], images[3].transpose(1, 2, 0))
    assert found.Histograms("weights")[0].histogram_value.num == 10
    assert found.Tensors("about")[0].tensor_proto.string_val[0].decode().splitlines()[2:] == [
        "| network | LeNet |",
        "| note | a\\|b |",
    ]


def _file(data, folder):
    path = folder / "picture.png"
    path.write_bytes(data)
    return path


def test_the_last_value_of_a_name_is_written_and_only_once(tmp_path):
    with SummaryRecord(str(tmp_path)) as record:
        for number in (1.0, 2.0):
            record.add_value("scalar", "x", Tensor(number))
        record.record(1)
        record.record(2)
    assert [(one.step, one.value) for one in shown(tmp_path).Scalars("x")] == [(1, 2.0)]


def test_a_filter_drops_kinds(tmp_path):
    with SummaryRecord(str(tmp_path)) as record:
        record.add_value("scalar", "kept", Tensor(1.0))
        record.add_value("tensor", "dropped", Tensor([1.0]))
        assert record.record(1, plugin_filter=lambda plugin: plugin == "scalar")
    assert shown(tmp_path).Tags()["scalars"] == ["kept"]
    assert shown(tmp_path).Tags()["tensors"] == []


# -- operators in networks -----------------------------------------------------------------------------------------------
class Reporting(nn.Cell):
    def __init__(self):
        super().__init__()
        self.dense = nn.Dense(3, 2, weight_init="ones", bias_init="zeros")
        self.scalar, self.tensor = ops.ScalarSummary(), ops.TensorSummary()
        self.histogram, self.image = ops.HistogramSummary(), ops.ImageSummary()

    def construct(self, x):
        y = self.dense(x)
        self.scalar("mean", y.mean())
        self.tensor("output", y)
        self.histogram("spread", y)
        self.image("picture", x.reshape((1, 1, 2, 3)))
        return y


@pytest.mark.usefixtures("mode")
def test_what_a_network_reports_is_recorded(tmp_path):
    net = Reporting()
    net(Tensor(np.ones((2, 3), np.float32)))  # a graph that was made while nobody listened
    with SummaryRecord(str(tmp_path)) as record:
        for step in (1, 2):
            net(Tensor(np.full((2, 3), step, np.float32)))
            record.record(step)
    net(Tensor(np.ones((2, 3), np.float32)))
    found = shown(tmp_path)
    assert [(one.step, one.value) for one in found.Scalars("mean")] == [(1, 3.0), (2, 6.0)]
    assert found.Images("picture")[0].width == 3
    tags = found.Tags()
    assert (tags["histograms"], tags["tensors"]) == (["spread"], ["output"])


def test_a_network_keeps_a_graph_with_reports_and_one_without(tmp_path):
    net = Reporting()
    x = Tensor(np.ones((2, 3), np.float32))
    with SummaryRecord(str(tmp_path)) as record:
        for wanted in (True, False, True, False):
            record.listen(wanted)
            net(x)
    assert net._graphs_of().compilations == 2


def test_reports_from_gradients_come_once(tmp_path):
    net = Reporting()
    seen = []
    with SummaryRecord(str(tmp_path)) as record:
        inner = record._hear
        record.listen(False)
        record._hear = lambda *report: (seen.append(report[1]), inner(*report))
        record.listen(True)
        ms.value_and_grad(lambda x: net(x).sum(), None, net.trainable_params())(Tensor(np.ones((2, 3), np.float32)))
    assert sorted(seen) == ["mean", "output", "picture", "spread"]


def test_a_report_that_cannot_be_shown_is_mentioned_once_and_left_out(tmp_path, capfd, mode):
    class Odd(nn.Cell):
        def construct(self, x):
            ops.ImageSummary()(name, x)
            ops.ScalarSummary()("sum", x.sum())
            return x

    name, net = f"five channels in mode {mode}", Odd()
    with SummaryRecord(str(tmp_path)) as record:
        for step in (1, 2):
            net(Tensor(np.ones((1, 5, 2, 2), np.float32)))
            record.record(step)
    tags = shown(tmp_path).Tags()
    assert (tags["images"], tags["scalars"]) == ([], ["sum"])
    assert capfd.readouterr().err.count("with 1 or 3 channels") == 1


# -- graphs --------------------------------------------------------------------------------------------------------------
def test_the_graph_shows_operators_in_their_cells(tmp_path):
    net = nn.SequentialCell(nn.Conv2d(1, 2, 3), nn.ReLU(), nn.Flatten(), nn.Dense(32, 4))
    with SummaryRecord(str(tmp_path)) as record:
        record.add_value("graph", "graph", network_graph(net, [Tensor(np.ones((1, 1, 4, 4), np.float32))]))
        record.record(0)
    nodes = {node.name: node for node in shown(tmp_path).Graph().node}
    convolution = next(node for name, node in nodes.items() if name.startswith("Default/0/Conv2D"))
    assert list(convolution.input) == ["input_0", "Default/0/weight"]
    dense = next(node for name, node in nodes.items() if name.startswith("Default/3/"))
    assert all(name in nodes for node in nodes.values() for name in node.input)
    assert dense is not None and nodes["Default/3/weight"].op == "Parameter"


def test_the_graph_of_a_network_without_inputs_is_its_tree(tmp_path):
    net = nn.SequentialCell(nn.Dense(2, 3), nn.ReLU())
    with SummaryRecord(str(tmp_path), network=net) as record:
        record.record(1)
    assert [node.name for node in shown(tmp_path).Graph().node if node.op != "Parameter"] == [
        "Default/0/Dense",
        "Default/1/ReLU",
    ]


# -- files ---------------------------------------------------------------------------------------------------------------
def test_nothing_is_written_beyond_the_limit(tmp_path):
    with SummaryRecord(str(tmp_path), max_file_size=2000) as record:
        for step in range(100):
            record.add_value("scalar", "x", Tensor(1.0))
            worked = record.record(step)
        path = record.log_dir
    assert worked is False
    assert 1900 < os.path.getsize(path) <= 2000


def test_two_records_in_one_second_have_files_of_their_own(tmp_path):
    for number in range(3):
        with SummaryRecord(str(tmp_path)) as record:
            record.add_value("scalar", f"x{number}", Tensor(1.0))
            assert record.record(1)
    assert len(os.listdir(tmp_path)) == 3
    assert shown(tmp_path).Tags()["scalars"] == ["x0", "x1", "x2"]


def test_tensors_are_exported_on_request(tmp_path):
    with SummaryRecord(str(tmp_path), export_options={"tensor_format": "npy"}) as record:
        record.add_value("tensor", "layer/output", Tensor([1.0, 2.0]))
        record.record(3)
    (path,) = glob.glob(str(tmp_path / "export_*" / "tensor" / "layer_output_3.npy"))
    assert np.load(path).tolist() == [1.0, 2.0]


def test_a_folder_that_cannot_be_made_does_not_stop_the_program_unless_asked(tmp_path, monkeypatch):
    def refuse(*_, **__):
        raise PermissionError("no")

    records = [SummaryRecord(str(tmp_path / "new"), raise_exception=raises) for raises in (False, True)]
    monkeypatch.setattr(os, "makedirs", refuse)
    for record in records:
        record.add_value("scalar", "x", Tensor(1.0))
    assert records[0].record(1) is False
    with pytest.raises(PermissionError):
        records[1].record(1)
    for record in records:
        record.close()


def test_a_closed_record_writes_nothing(tmp_path):
    record = SummaryRecord(str(tmp_path))
    record.close()
    record.close()
    assert record.record(1) is False
    assert os.listdir(tmp_path) == []


# -- mistakes ------------------------------------------------------------------------------------------------------------
@pytest.mark.parametrize(
    ("plugin", "name", "value", "message"),
    [
        ("scala", "x", Tensor(1.0), "Did you mean 'scalar'"),
        ("scalar", "", Tensor(1.0), "the 'name' must be a non-empty string"),
        ("scalar", "x", 0.5, "must be a Tensor, but got 0.5"),
        ("scalar", "x", Tensor([1.0, 2.0]), "must hold one number"),
        ("image", "x", Tensor([1.0]), r"a batch of images \(N, C, H, W\)"),
        ("histogram", "x", Tensor(1.0), "at least one dimension"),
        ("graph", "x", Tensor(1.0), "GraphDef"),
    ],
)
def test_wrong_values_are_refused(tmp_path, plugin, name, value, message):
    with SummaryRecord(str(tmp_path)) as record, pytest.raises((TypeError, ValueError), match=message):
        record.add_value(plugin, name, value)


@pytest.mark.parametrize(
    "wrong",
    [
        {"file_prefix": 3}, {"file_prefix": ""}, {"file_suffix": "a/b"}, {"max_file_size": "large"}, {"network": 3},
        {"raise_exception": 1}, {"export_options": 3}, {"export_options": {"tensor_format": "csv"}}, {"num_process": 0},
    ],
)  # fmt: skip
def test_wrong_arguments_are_refused_by_name(tmp_path, wrong):
    (name,) = wrong
    expected = "tensor_format" if wrong.get(name) == {"tensor_format": "csv"} else name
    with pytest.raises((TypeError, ValueError), match=f"For 'SummaryRecord', the '{expected}'"):
        SummaryRecord(str(tmp_path), **wrong)


def test_wrong_calls_are_refused(tmp_path):
    with SummaryRecord(str(tmp_path)) as record:
        with pytest.raises(TypeError, match="the 'step' must be an int"):
            record.record("one")
        with pytest.raises(TypeError, match="the 'train_network'"):
            record.record(1, train_network=3)
        with pytest.raises(ValueError, match="the 'mode' must be one of"):
            record.set_mode("test")
        record.set_mode("eval")
    with pytest.raises(TypeError, match=r"'log_dir' must be .* path"):
        SummaryRecord(3)
    with pytest.raises(NotADirectoryError):
        SummaryRecord(__file__)


def test_words():
    assert ModeEnum.to_list() == ["train", "eval"]
    assert PluginEnum("scalar") is PluginEnum.SCALAR


# -- pictures ------------------------------------------------------------------------------------------------------------
@pytest.mark.parametrize(
    ("values", "expected"),
    [([0.0, 1.0], [0, 255]), ([0.0, 200.0], [0, 200]), ([-1.0, 1.0], [0, 255]), ([0.0, np.nan], [0, 0])],
)
def test_values_become_brightness(values, expected):
    image = np.array(values, np.float32).reshape(1, 1, 1, 2)
    assert _values.tiled(image).ravel().tolist() == expected


def test_png_lines_are_the_picture():
    data = _values.png(np.arange(6, dtype=np.uint8).reshape(2, 3, 1))
    start = data.index(b"IDAT") + 4
    assert zlib.decompress(data[start:-16]) == bytes([0, 0, 1, 2, 0, 3, 4, 5])


def test_a_picture_of_many_or_large_images_stays_small():
    assert _values.tiled(np.zeros((100, 1, 2, 2), np.uint8)).shape == (16, 16, 1)
    assert _values.tiled(np.zeros((9, 1, 512, 512), np.uint8)).shape == (1024, 1024, 1)
    assert _values.tiled(np.zeros((2, 3, 2000, 2000), np.uint8)).shape == (2000, 2000, 3)
