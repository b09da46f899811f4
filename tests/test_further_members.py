"""Members of public classes that subclasses and tools of programs use."""

import json

import numpy as np
import pytest
from PIL import Image

import mindspore as ms
from mindspore import Tensor, hal, ops
from mindspore import dataset as ds
from mindspore.dataset import transforms, vision
from mindspore.ops.primitive import prim_type


def test_transforms_of_images_choose_a_device():
    flip = vision.HorizontalFlip()
    assert flip.device("Ascend") is flip and flip.device_target == "Ascend"
    assert flip(np.array([[[1], [2]]], np.uint8)).reshape(-1).tolist() == [2, 1]
    with pytest.raises(ValueError, match=r"'device_target' must be one of .*GPU"):
        vision.Resize((2, 2)).device("GPU")
    with pytest.raises(TypeError, match="device_target"):
        vision.Resize((2, 2)).device(1)


def test_kinds_of_interpolation_have_names_elsewhere():
    assert vision.Inter.to_python_type(vision.Inter.LINEAR) is Image.Resampling.BILINEAR
    assert (
        vision.Border.to_python_type(vision.Border.EDGE) == "edge"
        and vision.Border.to_c_type(vision.Border.EDGE) == "edge"
    )
    with pytest.raises(RuntimeError, match="Pillow"):
        vision.Inter.to_python_type(vision.Inter.AREA)
    with pytest.raises(RuntimeError, match="ANTIALIAS"):
        vision.Inter.to_c_type(vision.Inter.ANTIALIAS)


def test_nested_transforms_are_unfolded():
    decode, flip, cast = vision.Decode(), vision.HorizontalFlip(), transforms.TypeCast("int32")
    nested = [transforms.Compose([decode, transforms.Compose([flip])]), cast]
    assert transforms.Compose.decompose(nested) == [decode, flip, cast]
    (joined,) = transforms.Compose.reduce([flip, cast])
    assert joined(np.ones((1, 2, 1), np.uint8)).dtype == np.int32 and transforms.Compose.reduce([flip]) == [flip]


def test_pipelines_are_written_down_by_themselves(tmp_path):
    rows = ds.NumpySlicesDataset([1, 2]).batch(2)
    assert rows.to_json(str(tmp_path / "rows.json")) == ds.serialize(rows)
    assert json.loads((tmp_path / "rows.json").read_text())["op_type"] == "Batch"


def test_samplers_and_schemas_answer():
    assert ds.RandomSampler().get_shuffle_mode() == ds.Shuffle.GLOBAL
    assert ds.SequentialSampler().get_shuffle_mode() == ds.Shuffle.FALSE
    assert ds.DistributedSampler(2, 0, shuffle=False).get_shuffle_mode() == ds.Shuffle.FALSE
    schema = ds.Schema()
    schema.from_json({"numRows": 3, "columns": [{"name": "a", "type": "int32", "rank": 0}]})
    assert ds.Schema.get_num_rows(schema) == 3


def test_operators_are_named_and_marked():
    add = ops.Add()
    add.set_instance_name("first")
    add.set_prim_type(prim_type.user_custom)
    assert (add.instance_name, add.prim_type, add.update_parameter) == ("first", 3, False)
    assert hal.Stream().stream_id() == 0


def test_the_mean_over_processes(mode):
    assert ops.ReduceOp.AVG == "avg" and ops.AllReduce(ops.ReduceOp.AVG)(Tensor([2.0])).asnumpy().tolist() == [2]
    assert ops.ReduceScatter("avg")(Tensor([2, 4], ms.int32)).dtype == ms.int32
