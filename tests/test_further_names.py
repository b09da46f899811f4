"""Public names beside the operators that few programs use: tables by keys, messages of files, pictures of boxes."""

import numpy as np
import pytest

import mindspore as ms
from mindspore import Tensor, nn, ops
from mindspore import dataset as ds
from mindspore.dataset.utils import imshow_det_bbox
from mindspore.experimental import MapParameter
from mindspore.ops.primitive import prim_type
from mindspore.parallel.shard import Layout
from mindspore.profiler import EnvProfiler
from mindspore.train.mind_ir_pb2 import ModelProto

KEYS = Tensor([1, 2, 3], ms.int32)


@pytest.fixture
def table():
    made = MapParameter(key_dtype=ms.int32, value_dtype=ms.float32, value_shape=3, default_value="zeros")
    assert made.put(Tensor([1, 2], ms.int32), Tensor([[1, 1, 1], [2, 2, 2]], ms.float32)) is made
    return made


def test_rows_are_found_by_keys_and_made_when_missing(table):
    assert table.get(KEYS).asnumpy()[:, 0].tolist() == [1, 2, 0] and table.get_keys().asnumpy().tolist() == [1, 2, 3]
    assert table[Tensor([9], ms.int32)].asnumpy().tolist() == [[0, 0, 0]]
    table.get(Tensor([5], ms.int32), insert_default_value=False)
    assert table.erase(Tensor([2, 9], ms.int32)).get_keys().asnumpy().tolist() == [1, 3]
    table[Tensor([3], ms.int32)] = Tensor([[3.0, 3.0, 3.0]])
    assert table.get_values().asnumpy()[:, 0].tolist() == [1, 3] and len(table.get_data()) == 2
    with pytest.raises(ValueError, match=r"\(1, 3\)"):
        table.put(Tensor([1], ms.int32), Tensor([[1.0]]))


def test_what_changed_is_exported(table):
    table.export_data(incremental=True)
    table.put(Tensor([2], ms.int32), ops.ones((1, 3))).erase(Tensor([1], ms.int32))
    keys, values, states = table.export_data(incremental=True)
    assert sorted(zip(keys.tolist(), states.tolist(), strict=True)) == [(1, 2), (2, 1)] and values.tolist() == [
        [1, 1, 1]
    ]
    other = MapParameter(key_dtype=ms.int32, value_shape=3, default_value=7)
    other.import_data(table.export_data())
    assert other.get(KEYS).asnumpy()[:, 0].tolist() == [7, 1, 7] and other.export_slice_data()[3] is True
    assert other.export_bytes()[0] == other.get_keys().asnumpy().tobytes()


def test_rare_keys_get_no_row_and_forgotten_ones_lose_it():
    table = MapParameter(value_shape=1, default_value="ones", permit_filter_value=2, evict_filter_value=2)
    table.get(KEYS)
    assert table.get_keys().size == 0
    table.get(KEYS)
    assert table.get_keys().size == 3
    for _ in range(2):
        table.get(Tensor([1], ms.int32))
    assert table.get_keys().asnumpy().tolist() == [1]


def test_tables_are_copied(table):
    assert table.clone().get(KEYS).asnumpy()[:, 0].tolist() == [1, 2, 0]
    assert table.clone(5).get(KEYS).asnumpy()[:, 0].tolist() == [5, 5, 5]
    assert "value_shape=[3]" in repr(table) and table.requires_grad
    given = MapParameter(key_tensor=KEYS, value_tensor=ops.ones((3, 2)), name="given")
    assert given.value_shape == (2,) and given.name == "given"
    with pytest.raises(TypeError, match="value_shape"):
        MapParameter(value_shape="a")


def test_messages_of_mindir_files_are_written_and_read(tmp_path):
    model = ModelProto(producer_name="MindSpore")
    model.user_info["version"] = "1"
    model.user_info["version"] = "2"
    ms.save_mindir(model, str(tmp_path / "net"))
    again = ms.load_mindir(str(tmp_path / "net.mindir"))
    assert again.user_info["version"] == "2" and "version" in again.user_info and len(again.user_info) == 1
    with pytest.raises(KeyError):
        again.user_info["other"]
    with pytest.raises(TypeError, match="ModelProto"):
        ms.save_mindir(1, "net.mindir")
    with pytest.raises(ValueError, match="does not exist"):
        ms.load_mindir("nothing.mindir")
    ms.export(nn.ReLU(), Tensor([1.0]), file_name=str(tmp_path / "own"), file_format="STABLEHLO")
    with pytest.raises(ValueError, match=r"mindspore\.load"):
        ms.load_mindir(str(tmp_path / "own.mindir"))
    with pytest.raises(RuntimeError, match="set_auto_parallel_context"):
        ms.export_split_mindir(str(tmp_path / "own.mindir"))


def test_boxes_labels_and_masks_are_drawn(tmp_path):
    image, boxes, labels = (
        np.zeros((3, 40, 60), np.uint8),
        np.array([[5, 20, 10, 10, 0.9], [30, 20, 10, 10, 0.1]]),
        np.zeros((2, 1), int),
    )
    masks = np.zeros((2, 40, 60))
    masks[0, 24, 9] = 1
    picture = imshow_det_bbox(
        image, boxes, labels, masks, ["cat"], 0.5, show=False, out_file=str(tmp_path / "boxes.png")
    )
    assert picture[20, 5].tolist() == [0, 255, 0] and picture[20, 30].tolist() == [0, 0, 0]  # the score is too low
    assert picture[24, 9].tolist() == [64, 0, 64] and picture[10:19].any() and not image.any()
    assert (tmp_path / "boxes.png").stat().st_size > 0
    with pytest.raises(AssertionError, match=r"'labels'.*\(2, 1\)"):
        imshow_det_bbox(image, boxes, labels[:1], show=False)
    with pytest.raises(AssertionError, match="'bbox_color'"):
        imshow_det_bbox(image, boxes, labels, bbox_color=3, show=False)


def test_the_environment_switches_a_profiler_on(tmp_path, monkeypatch):
    monkeypatch.setenv("MS_PROFILER_OPTIONS", f'{{"start": true, "output_path": "{tmp_path}", "schedule": 1}}')
    EnvProfiler.init_profiler()
    ops.ones((2, 2)).asnumpy()
    EnvProfiler().analyse()
    assert EnvProfiler.profiler is None and any(tmp_path.iterdir())
    monkeypatch.setenv("MS_PROFILER_OPTIONS", "no json")
    with pytest.raises(ValueError, match="must be JSON"):
        EnvProfiler.init_profiler()
    monkeypatch.delenv("MS_PROFILER_OPTIONS")
    EnvProfiler.init_profiler()
    EnvProfiler().analyse()


def test_services_of_other_clusters_say_so_when_used():
    with pytest.raises(TypeError, match="Optimizer type"):
        nn.OptTFTWrapper(1)
    with pytest.raises(ValueError, match="MindIO"):
        nn.OptTFTWrapper(nn.SGD(nn.Dense(1, 1).trainable_params()))
    with pytest.raises(NotImplementedError, match="object storage"):
        ds.sync_wait_for_dataset(0, 1, 1, None)


def test_names_are_found_where_programs_look():
    assert nn.wrap.TimeDistributed is nn.TimeDistributed and ops.primitive.Layout is Layout
    assert ops.primitive.jit_context() is None and prim_type.py_infer_check == 4
    assert issubclass(ops.Add, ops.primitive.Primitive_)
    before = ms.get_context("runtime_num_threads")
    ms.device_context.cpu.threads_num(3)
    assert ms.get_context("runtime_num_threads") == 3
    ms.set_context(runtime_num_threads=before)
