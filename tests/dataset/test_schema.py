"""Schema, and pipelines as JSON."""

import json

import numpy as np
import pytest

import mindspore as ms
import mindspore.dataset as ds
from mindspore.dataset import transforms, vision


def test_columns_in_the_form_of_real_mindspore():
    schema = ds.Schema()
    schema.add_column("a", ms.int64, [2])
    schema.add_column("b", "float32")
    schema.add_column("c", "string", [])
    schema.add_column("d", ms.bool_, [1, -1])
    assert json.loads(schema.to_json()) == {
        "columns": [
            {"name": "a", "rank": 1, "shape": [2], "type": "int64"},
            {"name": "b", "rank": 1, "type": "float32"},
            {"name": "c", "rank": 0, "shape": [], "type": "string"},
            {"name": "d", "rank": 2, "shape": [1, -1], "type": "bool"},
        ]
    }
    assert str(schema) == json.dumps(json.loads(schema.to_json()), indent=2)


def test_columns_of_a_dict_come_by_name():
    schema = ds.Schema()
    schema.parse_columns({"x": {"shape": [3, 3], "type": "int8"}, "b": {"type": "int32"}})
    assert schema.columns_named() == ["b", "x"]
    assert schema.shape("b") == () and schema.shape("x") == (3, 3) and schema.dtype("x") == np.int8


def test_a_file_round_trip(tmp_path):
    path = tmp_path / "schema.json"
    path.write_text(json.dumps({"datasetType": "TF", "numRows": 3, "columns": {"x": {"type": "int32", "rank": 1}}}))
    schema = ds.Schema(str(path))
    assert schema.num_rows == 3 and schema.columns_named() == ["x"]
    again = ds.Schema()
    again.from_json(json.loads(schema.to_json()))
    assert str(again) == str(schema)


@pytest.mark.parametrize(
    ("call", "error", "text"),
    [
        (lambda: ds.Schema().add_column("a", "foo"), TypeError, "Unknown column type"),
        (lambda: ds.Schema().add_column("a", 3), TypeError, "Unknown column type"),
        (lambda: ds.Schema().add_column(3, "int8"), TypeError, "name"),
        (lambda: ds.Schema().add_column("a", "int8", "x"), TypeError, "shape"),
        (lambda: ds.Schema().parse_columns([{"type": "int8"}]), RuntimeError, "Column's name is missing"),
        (lambda: ds.Schema().parse_columns({"x": {"shape": [1]}}), RuntimeError, "Column's type is missing"),
        (lambda: ds.Schema().parse_columns("x"), RuntimeError, "columns must be dict or list"),
        (lambda: ds.Schema().from_json({"numRows": 3}), RuntimeError, '"columns" node is required'),
        (lambda: ds.Schema().from_json({"columns": {}, "numRows": -3}), RuntimeError, "numRows must be greater"),
        (lambda: ds.Schema().from_json({"columns": {}, "foo": 3}), RuntimeError, "Unknown field foo"),
        (lambda: ds.Schema("/none.json"), ValueError, "does not exist or permission denied"),
    ],
)
def test_errors(call, error, text):
    with pytest.raises(error, match=text):
        call()


def pipeline(folder):
    data = ds.MnistDataset(str(folder), "train", sampler=ds.SequentialSampler(1, 10))
    data = data.map([vision.Resize((3, 4), vision.Inter.NEAREST), vision.Rescale(0.5, 1.0)], "image")
    data = data.map(transforms.TypeCast(ms.int32), "label").rename("label", "class").skip(1).take(5).shuffle(4)
    return data.batch(3, drop_remainder=True).repeat(2)


def test_a_pipeline_becomes_json_and_a_pipeline_again(tmp_path):
    data = pipeline(tmp_path)
    tree = ds.serialize(data, str(tmp_path / "tree.json"))
    assert tree["op_type"] == "Repeat" and tree["count"] == 2
    batch = tree["children"][0]
    assert (batch["op_type"], batch["batch_size"], batch["drop_remainder"]) == ("Batch", 3, True)
    again = ds.deserialize(input_dict=tree)
    assert ds.compare(again, data) and not ds.compare(again.repeat(2), data)
    assert ds.compare(ds.deserialize(json_filepath=str(tmp_path / "tree.json")), data)
    assert ds.deserialize() is None


def test_the_leaf_has_the_keys_of_real_mindspore(tmp_path):
    leaf = ds.serialize(ds.MnistDataset(str(tmp_path), "train", num_samples=10, shuffle=False))
    assert {
        "children",
        "connector_queue_size",
        "dataset_dir",
        "num_parallel_workers",
        "op_type",
        "sampler",
        "usage",
    } <= set(leaf)
    assert leaf["sampler"] == {"num_samples": 10, "sampler_name": "SequentialSampler", "start_index": 0}
    assert (leaf["op_type"], leaf["usage"], leaf["dataset_dir"]) == ("MnistDataset", "train", str(tmp_path))


def test_the_rows_are_the_same_after_the_way_through_json():
    path_rows = ds.deserialize(ds.serialize(ds.RandomDataset(total_rows=4, schema=_numbers()).take(2)))
    assert path_rows.get_dataset_size() == 2


def _numbers():
    schema = ds.Schema()
    schema.add_column("a", "int32", [2])
    return schema


def test_python_objects_cannot_come_back():
    tree = ds.serialize(ds.NumpySlicesDataset([1, 2]))
    with pytest.raises(RuntimeError, match="made from Python objects"):
        ds.deserialize(tree)


def test_show_prints_json(capsys, tmp_path):
    ds.show(pipeline(tmp_path))
    assert json.loads(capsys.readouterr().out)["op_type"] == "Repeat"
