"""What stands around sources: caches, random data, graphs, errors of single files, the way into worker processes."""

import pathlib

import cloudpickle
import numpy as np
import pytest

import mindspore.dataset as ds
from mindspore._utils.files import tf_example
from mindspore.dataset._sources import record_source
from mindspore.dataset._sources.formats.matlab import read_matlab
from mindspore.mindrecord import FileWriter
from tools.oracle import more_source_files, source_cases, source_files

KINDS = [
    "mnist_train",
    "image_folder_plain",
    "tfrecord_plain",
    "csv_typed",
    "lines_plain",
    "clue_tnews_train",
    "sbd_decoded",
]
KINDS += ["squad_SQuADDataset_train", "multi30k_german", "voc_detection"]


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    folder = tmp_path_factory.mktemp("sources")
    source_cases.make_files(folder)
    return folder


def made(folder, name):
    files, make = source_cases.CASES[name]
    return make(ds, str(folder / files))


def rows(dataset):
    return list(dataset.create_dict_iterator(num_epochs=1, output_numpy=True))


class TestWorkers:
    @pytest.mark.parametrize("name", KINDS)
    def test_a_source_reads_the_same_after_the_way_into_another_process(self, folder, name):
        dataset = made(folder, name)
        ids = np.arange(len(dataset))
        expected = dataset.fetch(ids)
        found = cloudpickle.loads(cloudpickle.dumps(dataset)).fetch(ids)
        assert list(found) == list(expected)
        for column, values in expected.items():
            assert all(np.array_equal(one, other) for one, other in zip(values, found[column], strict=True))

    @pytest.mark.parametrize("name", KINDS)
    def test_json_makes_the_same_source(self, folder, name):
        dataset = made(folder, name)
        again = ds.deserialize(ds.serialize(dataset))
        assert ds.compare(again, dataset)
        for one, other in zip(rows(dataset), rows(again), strict=True):
            assert all(np.array_equal(one[column], other[column]) for column in one)


class TestFiles:
    def test_cifar_in_its_binary_form(self, tmp_path):
        source_files.cifar10(tmp_path / "10")
        source_files.cifar100(tmp_path / "100")
        images = rows(ds.Cifar10Dataset(str(tmp_path / "10"), shuffle=False))
        assert len(images) == 12 and images[0]["image"].shape == (32, 32, 3) and images[0]["label"].dtype == np.uint32
        planes = np.fromfile(tmp_path / "10" / "data_batch_1.bin", np.uint8)[1:3073].reshape(3, 32, 32)
        assert np.array_equal(images[0]["image"], planes.transpose(1, 2, 0))
        assert len(rows(ds.Cifar10Dataset(str(tmp_path / "10"), "train", shuffle=False))) == 10
        hundred = rows(ds.Cifar100Dataset(str(tmp_path / "100"), "train", shuffle=False))
        assert [(int(row["coarse_label"]), int(row["fine_label"])) for row in hundred] == [
            (n, n + 50) for n in range(4)
        ]

    def test_a_damaged_file_is_named(self, tmp_path):
        (tmp_path / "train-images-idx3-ubyte").write_bytes(b"\0\0\x08\x03" + bytes(12))
        (tmp_path / "train-labels-idx1-ubyte").write_bytes(b"nonsense")
        with pytest.raises(RuntimeError, match=r"train-labels-idx1-ubyte, the magic number must be 2049"):
            rows(ds.MnistDataset(str(tmp_path)))
        (tmp_path / "data_batch_1.bin").write_bytes(b"short")
        with pytest.raises(RuntimeError, match=r"Invalid cifar10 file.*data_batch_1\.bin"):
            rows(ds.Cifar10Dataset(str(tmp_path)))

    def test_a_broken_image_is_named(self, tmp_path):
        source_files.picture(tmp_path / "a" / "good.jpg", 1)
        source_files.text(tmp_path / "a" / "broken.jpg", "no image")
        with pytest.raises(RuntimeError, match=r"Invalid image, .*broken\.jpg decode failed"):
            rows(ds.ImageFolderDataset(str(tmp_path), decode=True, shuffle=False))

    def test_a_folder_in_the_place_of_an_image_is_named(self, tmp_path):
        (tmp_path / "a" / "deeper").mkdir(parents=True)
        with pytest.raises(RuntimeError, match=r"deeper, should be file, but got directory"):
            rows(ds.ImageFolderDataset(str(tmp_path)))

    def test_a_folder_without_files_is_empty_for_mnist(self, tmp_path):
        assert ds.MnistDataset(str(tmp_path)).get_dataset_size() == 0

    def test_a_record_that_is_cut_off_is_found(self, tmp_path):
        path = tmp_path / "a.tfrecord"
        source_files.tf_records(path, [source_files.tf_example({"x": [1, 2]})])
        path.write_bytes(path.read_bytes()[:-6])
        with pytest.raises(RuntimeError, match=r"not valid TFRecordDataset files:\n.*a\.tfrecord: it is cut off"):
            rows(ds.TFRecordDataset(str(path)))

    def test_encrypted_images(self, tmp_path):
        source_files.picture(tmp_path / "a" / "one.jpg", 1)
        plain = pathlib.Path(tmp_path / "a" / "one.jpg").read_bytes()
        (tmp_path / "a" / "one.jpg").write_bytes(bytes(byte ^ 85 for byte in plain))

        def decrypt(path):
            return bytes(byte ^ 85 for byte in pathlib.Path(path).read_bytes())

        image = rows(ds.ImageFolderDataset(str(tmp_path), decode=True, decrypt=decrypt))[0]["image"]
        assert np.array_equal(image, source_files.pixels(1))

    def test_rendered_sst2_reads_all_parts(self, tmp_path):
        more_source_files.rendered_sst2(tmp_path)
        assert len(rows(ds.RenderedSST2Dataset(str(tmp_path)))) == 12

    @pytest.mark.parametrize("chunk", [1, 2, 3, 7, 1000])
    def test_lines_are_found_chunk_by_chunk(self, monkeypatch, chunk):
        monkeypatch.setattr(record_source, "_CHUNK", chunk)
        content = b'one\n\n"two\nlines",2\nlast ""\nend'

        def lines(*quote):
            places = record_source.line_positions(memoryview(content), *quote).tolist()
            return [content[start:stop] for start, stop in places]

        assert lines() == [b"one", b'"two', b'lines",2', b'last ""', b"end"]
        assert lines(ord('"')) == [b"one", b'"two\nlines",2', b'last ""', b"end"]

    def test_varints(self):
        values = np.array([0, 1, 127, 128, 300, 2**35, -1, -(2**63), 2**63 - 1])
        content = source_files.tf_example({"x": values.tolist()})
        kind, content = tf_example.features(memoryview(content))["x"]
        assert kind == tf_example.INTEGERS and tf_example.integers(content).tolist() == values.tolist()

    def test_a_file_that_is_not_matlab(self, tmp_path):
        (tmp_path / "x.mat").write_bytes(b"nothing")
        with pytest.raises(ValueError, match="no MATLAB file"):
            read_matlab(str(tmp_path / "x.mat"))


class TestCache:
    def test_rows_are_read_once(self, tmp_path):
        source_files.picture(tmp_path / "a" / "one.jpg", 1)
        source_files.picture(tmp_path / "a" / "two.jpg", 2)
        cache = ds.DatasetCache(session_id=1, size=0)
        data = ds.ImageFolderDataset(str(tmp_path), decode=True, shuffle=False, cache=cache)
        first = rows(data)
        assert cache.get_stat().num_mem_cached == 2
        (tmp_path / "a" / "one.jpg").unlink()
        assert all(np.array_equal(one["image"], other["image"]) for one, other in zip(first, rows(data), strict=True))

    def test_a_full_cache_reads_again(self, tmp_path):
        for number in range(3):
            source_files.picture(tmp_path / "a" / f"{number}.jpg", number, 512, 512)
        cache = ds.DatasetCache(session_id=1, size=1)
        data = ds.ImageFolderDataset(str(tmp_path), decode=True, shuffle=False, cache=cache)
        assert len(rows(data)) == len(rows(data)) == 3
        assert cache.get_stat().num_mem_cached == 1

    def test_errors(self, tmp_path):
        with pytest.raises(TypeError, match="session_id"):
            ds.DatasetCache("a")
        with pytest.raises(TypeError, match="cache"):
            ds.MnistDataset(str(tmp_path), cache=3)


class TestRandomData:
    def test_rows_follow_the_schema_and_the_seed(self):
        schema = ds.Schema()
        for name, kind, shape in (("a", "int8", [2]), ("b", "float32", [3, 1]), ("c", "bool", []), ("d", "string", [])):
            schema.add_column(name, kind, shape)
        ds.config.set_seed(3)
        try:
            first, second = (rows(ds.RandomDataset(5, schema, shuffle=False)) for _ in range(2))
        finally:
            ds.config.set_seed(5489)
        assert len(first) == 5
        assert {name: (value.dtype.kind, value.shape) for name, value in first[0].items()} == {
            "a": ("i", (2,)), "b": ("f", (3, 1)), "c": ("b", ()), "d": ("U", ()),
        }  # fmt: skip
        assert all(np.array_equal(one["a"], other["a"]) for one, other in zip(first, second, strict=True))
        assert len({one["a"].tobytes() for one in first}) > 1

    def test_fake_images(self):
        data = ds.FakeImageDataset(20, [4, 5, 3], 3, shuffle=False)
        found = rows(data)
        assert len(found) == 20 and found[0]["image"].shape == (4, 5, 3) and found[0]["label"].dtype == np.uint32
        assert {int(row["label"]) for row in found} == {0, 1, 2}
        assert len({row["image"].tobytes() for row in found}) == 20
        with pytest.raises(ValueError, match="image_size"):
            ds.FakeImageDataset(2, (3, 4))


@pytest.fixture(scope="module")
def graph(tmp_path_factory):
    """Nodes 0, 1, 2 of type 0 and 10 of type 1."""
    path = str(tmp_path_factory.mktemp("graph") / "graph")
    writer = FileWriter(path)
    numbers = {name: {"type": "int64"} for name in ("first_id", "second_id", "third_id")}
    writer.add_schema({
        **numbers, "type": {"type": "int32"}, "attribute": {"type": "string"}, "weight": {"type": "float32"},
        "node_feature_1": {"type": "float32", "shape": [-1]}, "node_feature_2": {"type": "int32", "shape": [-1]},
        "node_feature_index": {"type": "int32", "shape": [-1]},
    })  # fmt: skip
    empty = {"node_feature_1": np.zeros(1, np.float32), "node_feature_2": np.zeros(1, np.int32)}
    rows = []
    for number, kind in ((0, 0), (1, 0), (2, 0), (10, 1)):
        features = {
            "node_feature_1": np.full(2, number, np.float32),
            "node_feature_2": np.array([number + 5], np.int32),
        }
        index = np.array([1, 2], np.int32)
        rows.append(_row(number, 0, 0, kind, "n") | features | {"node_feature_index": index})
    for number, (start, stop) in enumerate(((0, 1), (0, 2), (0, 10), (1, 2))):
        rows.append(_row(number, start, stop, 0, "e") | empty | {"node_feature_index": np.array([-1], np.int32)})
    writer.write_raw_data(rows)
    writer.commit()
    return ds.GraphData(path)


class TestGraphs:
    def test_nodes_and_edges(self, graph):
        assert graph.get_all_nodes(0).tolist() == [0, 1, 2] and graph.get_all_nodes(1).tolist() == [10]
        assert graph.get_nodes_from_edges(graph.get_all_edges(0)).tolist() == [[0, 1], [0, 2], [0, 10], [1, 2]]
        assert graph.get_edges_from_nodes([(0, 2), (2, 0)]).tolist() == [1, -1]
        assert graph.graph_info()["node_num"] == {0: 3, 1: 1}

    def test_neighbors(self, graph):
        assert graph.get_all_neighbors([0, 1, 2], 0).tolist() == [[0, 1, 2], [1, 2, -1], [2, -1, -1]]
        assert graph.get_all_neighbors([0], 1).tolist() == [[0, 10]]
        assert graph.get_all_neighbors([0, 1], 0, ds.OutputFormat.COO).tolist() == [[0, 1], [0, 2], [1, 2]]
        starts, others = graph.get_all_neighbors([0, 1], 0, ds.OutputFormat.CSR)
        assert starts.tolist() == [0, 2] and others.tolist() == [1, 2, 2]

    def test_samples(self, graph):
        sampled = graph.get_sampled_neighbors([0, 2], [2, 1], [0, 0])
        assert sampled.shape == (2, 1 + 2 + 2) and sampled[1].tolist() == [2, -1, -1, -1, -1]
        assert set(sampled[0, 1:3].tolist()) == {1, 2}
        assert graph.get_neg_sampled_neighbors([1], 3, 0).tolist() == [[1, 0, 0, 0]]
        walk = graph.random_walk([0, 2], [0, 0])
        assert walk[1].tolist() == [2, -1, -1] and walk[0, 1] in (1, 2)

    def test_features(self, graph):
        floats, numbers = graph.get_node_feature([1, 10, -1], [1, 2])
        assert floats.tolist() == [[1, 1], [10, 10], [0, 0]] and numbers.tolist() == [6, 15, 0]
        with pytest.raises(RuntimeError, match="Invalid feature type: 3"):
            graph.get_node_feature([1], [3])
        with pytest.raises(RuntimeError, match="Invalid node id: 99"):
            graph.get_all_neighbors([99], 0)
        with pytest.raises(ValueError, match="node_list"):
            graph.get_all_neighbors([], 0)

    def test_graphs_in_memory_are_made_once(self, tmp_path):
        made = []

        class Two(ds.InMemoryGraphDataset):
            def process(self):
                made.append(1)
                self.graphs = [np.array([1, 2]), np.array([3, 4])]

        for _ in range(2):
            data = Two(str(tmp_path), column_names=["nodes"], shuffle=False)
            assert [row["nodes"].tolist() for row in rows(data)] == [[1, 2], [3, 4]]
        assert made == [1]


def _row(first, second, third, kind, attribute):
    numbers = {"first_id": first, "second_id": second, "third_id": third}
    return numbers | {"type": kind, "attribute": attribute, "weight": 1.0}
