"""The orders of several passes, and what sources, samplers and iterators say of themselves, as MindSpore 2.10 has them."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import mindspore.dataset as ds


class Numbers:
    def __getitem__(self, index: int) -> np.ndarray:
        return np.array(index)

    def __len__(self) -> int:
        return 10


@pytest.fixture(autouse=True)
def _seed() -> Iterator[None]:
    before = ds.config.get_seed()
    ds.config.set_seed(1)
    yield
    ds.config.set_seed(before)


def passes(data: Any, count: int) -> list[list[int]]:
    iterator = data.create_tuple_iterator(num_epochs=count, output_numpy=True)
    return [[int(row[0]) for row in iterator] for _ in range(count)]


def test_a_random_subset_is_shuffled_again_with_the_same_seed() -> None:
    data = ds.GeneratorDataset(Numbers(), ["a"], sampler=ds.SubsetRandomSampler([1, 3, 5, 7, 9, 0]))
    expected = [[3, 1, 5, 0, 7, 9], [1, 3, 5, 9, 0, 7], [3, 1, 5, 7, 9, 0], [1, 3, 5, 0, 7, 9]]
    assert passes(data, 4) == expected


def test_without_a_seed_passes_of_a_random_subset_differ() -> None:
    ds.config.set_seed(5489)
    data = ds.NumpySlicesDataset(list(range(40)), ["a"], sampler=ds.SubsetRandomSampler(list(range(40))))
    assert len({tuple(order) for order in passes(data, 5)}) == 5


@pytest.mark.parametrize("sampler", [ds.SubsetSampler, ds.SubsetRandomSampler])
def test_num_samples_takes_the_first_indices(sampler: Any) -> None:
    chosen = sampler([1, 3, 5, 7, 9], 3)
    assert (chosen.indices, chosen.get_num_samples()) == ([1, 3, 5], 3)
    assert sorted(passes(ds.NumpySlicesDataset(list(range(10)), ["a"], sampler=chosen), 1)[0]) == [1, 3, 5]


@pytest.mark.parametrize(
    ("options", "first"),
    [
        ({"num_samples": 20}, [4, 9, 7, 9, 0, 1, 3, 9, 1, 2]),
        ({"sampler": ds.RandomSampler(True, 15)}, [4, 9, 7, 9, 0, 1, 3, 9, 1, 2]),
        ({"sampler": ds.WeightedRandomSampler([0.1, 0.5, 0.2])}, [2, 2, 1, 2, 1, 1, 1, 1, 2, 2]),
    ],
)
def test_as_many_rows_are_drawn_as_there_are_at_most(options: dict[str, Any], first: list[int]) -> None:
    data = ds.GeneratorDataset(Numbers(), ["a"], **options)
    assert data.get_dataset_size() == 10
    assert passes(data, 1) == [first]


def test_an_index_that_is_out_of_bounds_is_told_when_it_is_read() -> None:
    for index in (-1, 10):
        data = ds.GeneratorDataset(Numbers(), ["a"], sampler=ds.SubsetSampler([index, 3]))
        assert data.get_dataset_size() == 2
        with pytest.raises(RuntimeError, match=rf"Sample ID \({index}\) is out of bound, expected range \[0, 9\]"):
            passes(data, 1)


def test_classes_are_not_sampled_where_none_are_known() -> None:
    with pytest.raises(ValueError, match="doesn't support PKSampler"):
        ds.GeneratorDataset(Numbers(), ["a"], sampler=ds.PKSampler(2))
    with pytest.raises(ValueError, match="class_column"):
        ds.NumpySlicesDataset([1, 2], ["a"], sampler=ds.PKSampler(2)).get_dataset_size()


def test_shuffle_false_of_the_enumeration_shuffles_nothing(tmp_path: Path) -> None:
    path = str(tmp_path / "rows.mindrecord")
    ds.NumpySlicesDataset(list(range(6)), ["a"], shuffle=False).save(path)
    assert passes(ds.MindDataset(path, shuffle=ds.Shuffle.FALSE, num_samples=3), 1) == [[0, 1, 2]]
    assert passes(ds.MindDataset(path, shuffle=ds.Shuffle.FALSE, num_shards=2, shard_id=1), 1) == [[1, 3, 5]]
    assert str(ds.Shuffle.FALSE) == "Shuffle.FALSE"


def test_shares_of_files_shuffled_within_begin_every_pass_with_the_file(tmp_path: Path) -> None:
    paths = []
    for start, stop in ((0, 4), (4, 9), (9, 12)):
        paths.append(str(tmp_path / f"{start}.mindrecord"))
        ds.NumpySlicesDataset(list(range(start, stop)), ["a"], shuffle=False).save(paths[-1])
    data = ds.MindDataset(paths, shuffle=ds.Shuffle.INFILE, num_shards=2, shard_id=0)
    assert passes(data, 3) == [[2, 1, 8, 5, 6, 9], [3, 0, 6, 8, 5, 9], [1, 3, 8, 7, 6, 9]]


def test_a_generator_runs_once_and_is_read_again() -> None:
    runs: list[int] = []

    def rows() -> Iterator[int]:
        for number in range(3):
            runs.append(number)
            yield number

    data = ds.GeneratorDataset(rows(), ["a"])
    assert (data.output_shapes(), data.get_col_names()) == ([[]], ["a"])
    assert passes(data, 2) + passes(data, 1) == [[0, 1, 2]] * 3
    assert passes(data.repeat(2), 1) == [[0, 1, 2, 0, 1, 2]]
    assert runs == [0, 1, 2]


def test_types_of_text_have_no_length() -> None:
    data = ds.NumpySlicesDataset({"text": ["a", "bc"], "raw": [b"a", b"bc"]}, shuffle=False)
    assert data.output_types() == [np.dtype("U"), np.dtype("S")]


class TestDicts:
    class Rows:
        def __getitem__(self, index: int) -> tuple[Any, ...]:
            return {"x": index, "s": "abc"[: index + 1], "d": {"z": [1, 2.5]}}, np.int8(index)

        def __len__(self) -> int:
            return 3

    def data(self) -> Any:
        return ds.GeneratorDataset(self.Rows(), ["a", "b"], shuffle=False)

    def first(self, data: Any, output_numpy: bool = True) -> Any:
        return next(data.create_tuple_iterator(num_epochs=1, output_numpy=output_numpy))[0]

    def test_values_are_arrays_or_tensors(self) -> None:
        row = self.first(self.data())
        assert (row["x"].dtype, row["s"].dtype.kind, row["d"]["z"][1].dtype) == (np.int64, "U", np.float64)
        row = self.first(self.data(), output_numpy=False)
        assert (row["x"].asnumpy(), type(row["s"]), type(row["d"]["z"])) == (0, np.ndarray, list)

    def test_functions_get_and_return_them(self) -> None:
        data = self.data().map(lambda row: dict(row, y=row["x"] + 1), ["a"]).filter(lambda row: row["y"] > 1, ["a"])
        assert [int(row[0]["y"]) for row in data.create_tuple_iterator(num_epochs=1, output_numpy=True)] == [2, 3]
        data = self.data().map([lambda row: row["d"], lambda row: row["z"]], ["a"], ["c"])
        assert self.first(data).tolist() == [1, 2.5]

    def test_a_batch_is_a_dict_of_batches(self) -> None:
        batch = self.first(self.data().batch(2))
        assert (batch["x"].tolist(), batch["s"].tolist()) == ([0, 1], ["a", "ab"])
        assert batch["d"]["z"].shape == (2, 2)
        mapped = self.data().batch(2, per_batch_map=lambda a, b, info: ([{"n": row["x"] * 2} for row in a], b))
        assert self.first(mapped)["n"].tolist() == [0, 2]

    def test_what_cannot_be_stacked_is_told(self) -> None:
        data = ds.GeneratorDataset([({"x": 1},), ({"y": 1},)], ["a"], shuffle=False).batch(2)
        with pytest.raises(RuntimeError, match="dictionary keys do not match"):
            self.first(data)
        data = ds.GeneratorDataset([({"x": None},)], ["a"], shuffle=False).batch(1)
        with pytest.raises(RuntimeError, match="key: 'x'"):
            self.first(data)


def test_the_length_of_an_order_is_known_without_making_it() -> None:
    samplers = [
        ds.DistributedSampler(shards, shard, False, limit, offset)
        for shards in (1, 2, 3)
        for shard in range(shards)
        for limit in (None, 2, 50)
        for offset in range(-1, shards + 1)
    ]
    samplers += [ds.SequentialSampler(start, limit) for start in (0, 1) for limit in (None, 2, 50)]
    samplers += [ds.RandomSampler(again, limit) for again in (False, True) for limit in (None, 2, 50)]
    samplers += [ds.SubsetSampler([0, 1, 1], limit) for limit in (None, 2, 50)]
    for sampler in samplers:
        for count in (2, 7, 10):
            assert sampler._known_length(count) is not None
            assert sampler.length(count) == len(sampler.start(count, 1)(1))


def test_a_sampler_counts_what_its_child_gives():
    whole, three = ds.SequentialSampler(), ds.SequentialSampler(0, 3)
    whole.add_child(three)
    chosen = ds.SubsetSampler([0, 1])
    chosen.add_child(ds.SequentialSampler(0, 1))
    assert (whole.get_num_samples(), chosen.get_num_samples()) == (3, 1)


def test_samplers_say_which_number_they_refuse():
    with pytest.raises(TypeError, match=r"but got list\[1\]: a, type: <class 'str'>"):
        ds.SubsetSampler([0, "a"])
    late = ds.NumpySlicesDataset([1, 2], sampler=ds.SequentialSampler(5))
    with pytest.raises(RuntimeError, match="less than num_rows, but got start_index: 5, num_rows: 2"):
        list(late.create_tuple_iterator(num_epochs=1))
