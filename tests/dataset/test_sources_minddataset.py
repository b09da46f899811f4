"""MindDataset: columns, orders, shards, padding. Orders are those of real MindSpore 2.10 for the seed 3."""

import cloudpickle
import numpy as np
import pytest

import mindspore.dataset as ds
from mindspore.mindrecord import FileWriter


@pytest.fixture(autouse=True)
def seed():
    ds.config.set_seed(3)
    yield
    ds.config.set_seed(5489)


@pytest.fixture(scope="module")
def one(tmp_path_factory):
    """A file of ten rows."""
    path = str(tmp_path_factory.mktemp("one") / "x.mindrecord")
    writer = FileWriter(path)
    fields = {"a": "int32", "b": "bytes", "s": "string"}
    writer.add_schema(
        {**{name: {"type": kind} for name, kind in fields.items()}, "v": {"type": "float32", "shape": [2]}}
    )
    row = lambda i: {"a": i, "b": b"x%d" % i, "s": "s" * i, "v": np.full(2, i, np.float32)}  # noqa: E731
    writer.write_raw_data([row(i) for i in range(10)])
    writer.commit()
    return path


@pytest.fixture(scope="module")
def three(tmp_path_factory):
    """Three files of four rows each."""
    path = str(tmp_path_factory.mktemp("three") / "y.mindrecord")
    writer = FileWriter(path, 3)
    writer.add_schema({"a": {"type": "int32"}})
    writer.write_raw_data([{"a": i} for i in range(12)])
    writer.commit()
    return path


def numbers(dataset):
    return [row["a"].tolist() for row in dataset.create_dict_iterator(num_epochs=1, output_numpy=True)]


FIRST = [5, 9, 3, 0, 1, 6, 7, 4, 2, 8]
SECOND = [4, 3, 7, 1, 0, 2, 5, 9, 6, 8]


def test_columns_have_the_types_of_real_mindspore(one):
    rows = list(ds.MindDataset(one, shuffle=False).create_dict_iterator(num_epochs=1, output_numpy=True))
    assert {name: (value.dtype.str, value.shape) for name, value in rows[2].items()} == {
        "a": ("<i4", ()),
        "b": ("|S2", (1,)),
        "s": ("<U2", ()),
        "v": ("<f4", (2,)),
    }
    assert rows[3]["s"].item() == "sss" and rows[3]["b"].tolist() == [b"x3"]
    assert ds.MindDataset(one, ["s", "a"]).get_col_names() == ["s", "a"]


def test_random_orders(one, three):
    assert numbers(ds.MindDataset(one)) == FIRST
    assert numbers(ds.MindDataset(one).repeat(3)) == [*FIRST, *SECOND, 3, 6, 9, 4, 2, 5, 7, 8, 1, 0]
    assert numbers(ds.MindDataset(f"{three}0")) == [5, 9, 3, 0, 1, 6, 7, 11, 2, 10, 8, 4]


def test_a_number_of_samples_draws_with_replacement(one):
    drawn = [9, 2, 8, 0, 8, 0, 2, 0, 9, 0, 9, 8, 8, 2, 8, 2, 9, 0]
    assert numbers(ds.MindDataset(one, num_samples=6).repeat(3)) == drawn
    ds.config.set_seed(11)
    drawn = [1, 7, 5, 8, 2, 8, 5, 2, 7, 7, 2, 7, 5, 5, 7]
    assert numbers(ds.MindDataset(one, num_samples=5).repeat(3)) == drawn


def test_files_or_rows_within_files_are_shuffled(three):
    by_file = ds.MindDataset(f"{three}0", shuffle=ds.Shuffle.FILES).repeat(2)
    assert numbers(by_file) == [8, 9, 10, 11, 0, 1, 2, 3, 4, 5, 6, 7, 4, 5, 6, 7, 8, 9, 10, 11, 0, 1, 2, 3]
    within = ds.MindDataset(f"{three}0", shuffle=ds.Shuffle.INFILE).repeat(2)
    assert numbers(within) == [1, 2, 3, 0, 5, 6, 7, 4, 9, 10, 11, 8, 2, 3, 1, 0, 6, 7, 5, 4, 10, 11, 9, 8]
    assert by_file.is_shuffled()


def test_a_list_of_files_is_read_in_its_order(three):
    assert numbers(ds.MindDataset([f"{three}2", f"{three}0"], shuffle=False)) == [8, 9, 10, 11, 0, 1, 2, 3]


@pytest.mark.parametrize(
    ("shard", "plain", "shuffled"),
    [(0, [0, 3, 6, 9], [5, 0, 7, 8, 7, 4, 0, 9]), (1, [1, 4, 7, 0], [9, 1, 4, 5, 2, 3, 1, 7])],
)
def test_shards(one, shard, plain, shuffled):
    assert numbers(ds.MindDataset(one, shuffle=False, num_shards=3, shard_id=shard)) == plain
    assert numbers(ds.MindDataset(one, num_shards=3, shard_id=shard).repeat(2)) == shuffled


def test_samplers(one):
    def read(sampler):
        return numbers(ds.MindDataset(one, sampler=sampler).repeat(2))

    assert read(ds.SequentialSampler(2, 3)) == [2, 3, 4] * 2
    assert read(ds.RandomSampler(num_samples=4)) == [5, 9, 3, 0, 9, 3, 5, 0]
    assert read(ds.RandomSampler(True, 4)) == [9, 2, 8, 0, 9, 0, 9, 0]
    assert read(ds.SubsetSampler([5, 1, 7])) == [5, 1, 7] * 2
    assert read(ds.SubsetRandomSampler([5, 1, 7, 2])) == [1, 7, 2, 5] * 2
    assert read(ds.DistributedSampler(3, 1, shuffle=False)) == [1, 4, 7, 0] * 2


def test_padded_rows_make_shards_equal(one):
    def read(**options):
        return numbers(ds.MindDataset(one, ["a"], padded_sample={"a": -1}, num_padded=2, **options))

    assert read(shuffle=False) == [*range(10), -1, -1]
    assert read(shuffle=False, num_shards=4, shard_id=2) == [2, 6, -1]
    assert read(num_shards=4, shard_id=1) == [9, 6, -1]
    padded = ds.MindDataset(one, ["b"], padded_sample={"b": b"pad"}, num_padded=1, shuffle=False)
    rows = list(padded.create_dict_iterator(num_epochs=1, output_numpy=True))
    assert rows[-1]["b"].tolist() == [b"pad"] and rows[0]["b"].tolist() == [b"x0"]


def test_errors(one, tmp_path):
    with pytest.raises(ValueError, match="does not exist or permission denied"):
        ds.MindDataset(str(tmp_path / "none"))
    (tmp_path / "text").write_text("no records")
    with pytest.raises(RuntimeError, match=r"text\.db is not exists"):
        ds.MindDataset(str(tmp_path / "text"))
    with pytest.raises(RuntimeError, match="column name: q can not found in schema"):
        numbers(ds.MindDataset(one, ["q"]))
    with pytest.raises(ValueError, match="cannot match columns_list"):
        ds.MindDataset(one, ["a"], padded_sample={"b": b""}, num_padded=2)
    with pytest.raises(RuntimeError, match="requires columns_list as well"):
        ds.MindDataset(one, padded_sample={"a": 1}, num_padded=2)
    with pytest.raises(RuntimeError, match="num_padded is specified but padded_sample is not"):
        ds.MindDataset(one, ["a"], num_padded=2)
    with pytest.raises(TypeError, match="the 'shuffle' must be 'bool' or a member of 'Shuffle'"):
        ds.MindDataset(one, shuffle="files")


def test_a_worker_process_opens_the_files_itself(one):
    dataset = ds.MindDataset(one, shuffle=False)
    assert len(dataset) == 10
    copy = cloudpickle.loads(cloudpickle.dumps(dataset))
    assert copy.fetch(np.array([4]))["a"].tolist() == [4]


@pytest.mark.parametrize("column", ["a", "s"])
def test_samples_of_each_class(tmp_path, column):
    path = str(tmp_path / "classes.mindrecord")
    writer = FileWriter(path)
    writer.add_schema({"a": {"type": "int32"}, "s": {"type": "string"}, "v": {"type": "int32", "shape": [1]}})
    writer.write_raw_data([{"a": 5 * (i % 3), "s": "zyx"[i % 3], "v": np.array([i], np.int32)} for i in range(9)])
    writer.commit()
    sampled = ds.MindDataset(path, ["a"], sampler=ds.PKSampler(2, class_column=column))
    assert sampled.get_dataset_size() == 6
    assert numbers(sampled) == {"a": [0, 0, 5, 5, 10, 10], "s": [10, 10, 5, 5, 0, 0]}[column]
    with pytest.raises(RuntimeError, match="'class_column': v can not found in fields of mindrecord files"):
        numbers(ds.MindDataset(path, sampler=ds.PKSampler(2, class_column="v")))
    chosen = ds.PKSampler(1, class_column=column)
    chosen.add_child(ds.SequentialSampler(0, 1))
    with pytest.raises(RuntimeError, match="its child sampler chooses 1 samples"):
        numbers(ds.MindDataset(path, sampler=chosen))


def test_padded_rows_that_do_not_make_shards_equal_are_refused(one):
    padding = {"padded_sample": {"a": -1}, "num_shards": 4, "shard_id": 3}
    with pytest.raises(RuntimeError, match="samples: 11 can not be divisible by the value of 'num_shards': 4"):
        ds.MindDataset(one, ["a"], num_padded=1, **padding).get_dataset_size()
    assert ds.MindDataset(one, ["a"], num_padded=2, **padding).get_dataset_size() == 3
    assert ds.MindDataset(one, ["a"], num_padded=0, **padding).get_dataset_size() == 3
