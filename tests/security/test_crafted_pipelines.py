"""Files that describe pipelines and data sets build what they describe, and run nothing they name."""

import os
import pickle

import numpy as np
import pytest

import mindspore.dataset as ds
from mindspore._utils.files.array_pickle import read_arrays
from mindspore._utils.files.pickle_reader import RefusedPickle
from mindspore.mindrecord import Cifar10ToMR, FileWriter
from mindspore.mindrecord.tools._convert import load_batch


def pipeline(operation):
    tree = ds.serialize(ds.RandomDataset(2).map(ds.transforms.TypeCast("int32"), ["c0"]))
    return tree | {"operations": [operation]}


@pytest.mark.parametrize(
    ("module", "name", "arguments"),
    [
        ("os", "system", {"command": "touch {mark}"}),
        ("subprocess", "Popen", {"args": ["touch", "{mark}"]}),
        ("builtins", "open", {"file": "{mark}", "mode": "w"}),
        ("pathlib", "Path", {}),
        ("mindspore.dataset.engine.serializer_deserializer", "json", {}),
        ("mindspore.dataset.transforms", "np", {}),
        ("mindspore.dataset.engine.datasets", "open", {"file": "{mark}", "mode": "w"}),
    ],
)
def test_a_pipeline_names_only_operations(tmp_path, module, name, arguments):
    mark = tmp_path / "mark"
    filled = {
        key: value.replace("{mark}", str(mark)) if isinstance(value, str) else value for key, value in arguments.items()
    }
    with pytest.raises(RuntimeError, match=f"operation {name}"):
        ds.deserialize(pipeline({"python_module": module, "tensor_op_name": name, "tensor_op_params": filled}))
    assert not mark.exists()


@pytest.mark.parametrize("kind", ["deserialize", "vision", "_importlib", "Schema", "NoSuchDataset"])
def test_a_source_is_a_dataset(kind):
    with pytest.raises(RuntimeError, match="there is no dataset"):
        ds.deserialize({"op_type": kind, "children": []})


class Touch:
    def __init__(self, path):
        self.path = path

    def __reduce__(self):
        return os.mkdir, (str(self.path),)


class Graphs(ds.InMemoryGraphDataset):
    def process(self):
        self.graphs = [ds.Graph(np.array([[0, 0, 1], [1, 2, 2]]), node_feat={"size": np.array([3, 4, 5])})]


def test_saved_graphs_come_back_without_running_what_a_file_names(tmp_path):
    for _ in range(2):
        (graph,) = Graphs(str(tmp_path), column_names=["graph"]).graphs
        assert graph.get_node_feature([2, 0], ["size"])[0].tolist() == [5, 3]
        assert graph.get_neg_sampled_neighbors([0], 1, "0").shape == (1, 2)
    mark = tmp_path / "mark"
    next(tmp_path.rglob("graphs.pickle")).write_bytes(pickle.dumps([Touch(mark)]))
    with pytest.raises(RuntimeError, match=r"graphs\.pickle must hold graphs of arrays, but it names"):
        Graphs(str(tmp_path), column_names=["graph"])
    assert not mark.exists()


def forged(dtype, shape, content):
    """A pickled array whose dtype, shape and bytes do not fit."""

    class Forged:
        def __reduce__(self):
            return (
                np._core.multiarray._reconstruct,
                (np.ndarray, (0,), b"b"),
                (1, shape, np.dtype(dtype), False, content),
            )

    return pickle.dumps({b"data": Forged(), b"labels": [0]})


@pytest.mark.parametrize(
    ("dtype", "shape", "content"),
    [
        ("O", (1,), b"\x41" * 8),
        ("u1", (1 << 40,), b"a"),
        ("u1", (-1,), b""),
        ("u1", (2, 3072), b"a"),
        ("u1", (3072,), [1]),
    ],
)
def test_a_batch_of_images_is_bytes_that_are_there(tmp_path, dtype, shape, content):
    path = tmp_path / "data_batch_1"
    path.write_bytes(forged(dtype, shape, content))
    with pytest.raises(RuntimeError, match=r"Not a valid Cifar Dataset.*data_batch_1"):
        load_batch(str(path))


@pytest.mark.parametrize("protocol", [0, 1, 2, 3, 4, 5])
def test_batches_of_every_protocol_are_read(tmp_path, protocol):
    data = np.arange(3072 * 2, dtype=np.uint8).reshape(2, 3072)
    path = tmp_path / "data_batch_1"
    path.write_bytes(pickle.dumps({b"data": data, b"labels": [1, np.int64(2)]}, protocol=protocol))
    batch = load_batch(str(path))
    assert batch[b"labels"] == [1, 2]
    np.testing.assert_array_equal(batch[b"images"][1, ..., 2].ravel(), data[1, :1024])


def test_values_nested_without_end_are_refused():
    content = b"\x80\x02" + b"]" * 100_000 + b"a" * 99_999 + b"."
    with pytest.raises(RefusedPickle, match="nested too deeply"):
        read_arrays(content)


@pytest.mark.parametrize("name", ["a#b", "a?mode=memory", "100%", "a%20b", "a b"])
def test_records_lie_in_folders_of_any_name(tmp_path, name):
    folder = tmp_path / name
    folder.mkdir()
    path = str(folder / "x.mindrecord")
    writer = FileWriter(path)
    writer.add_schema({"n": {"type": "int32"}}, "numbers")
    writer.add_index(["n"])
    writer.write_raw_data([{"n": 3}, {"n": 4}])
    writer.commit()
    assert [int(row["n"]) for row in ds.MindDataset(path, shuffle=False).create_dict_iterator(output_numpy=True)] == [
        3,
        4,
    ]
    assert sorted(os.listdir(tmp_path)) == [name]
    assert sorted(os.listdir(folder)) == ["x.mindrecord", "x.mindrecord.db"]


def test_the_converter_says_which_file_is_none(tmp_path):
    for number in range(1, 6):
        (tmp_path / f"data_batch_{number}").write_bytes(pickle.dumps(Touch(tmp_path / "mark")))
    (tmp_path / "test_batch").write_bytes(b"")
    with pytest.raises(RuntimeError, match="data_batch_1"):
        Cifar10ToMR(str(tmp_path), str(tmp_path / "out.mindrecord")).transform()
    assert not (tmp_path / "mark").exists()
