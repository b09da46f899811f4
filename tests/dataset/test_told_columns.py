"""What datasets tell of their columns and sizes without being read, and where columns go: as MindSpore 2.10 has them."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import mindspore.dataset as ds


def source(count: int = 4) -> Any:
    return ds.NumpySlicesDataset({"a": np.arange(count), "b": np.arange(2 * count).reshape(count, 2)}, shuffle=False)


def one(*columns: Any) -> Any:
    return columns[0]


def two(*columns: Any) -> Any:
    return columns[0], columns[0]


CASES = [
    (lambda: source().map(one, ["b"], ["x"]), ["a", "x"]),
    (lambda: source().map(one, ["a", "b"], ["x"]), ["x"]),
    (lambda: source().map(lambda a, b: (a, b), ["b", "a"], ["x", "y"]), ["y", "x"]),
    (lambda: source().map(two, ["a"], ["x", "a"]), ["x", "a", "b"]),
    (lambda: source().batch(2, per_batch_map=lambda b, i: (b,), input_columns="b", output_columns="x"), ["a", "x"]),
    (lambda: source().batch(2, per_batch_map=two, input_columns=["b"], output_columns=["x", "y"]), ["x", "y", "a"]),
    (lambda: source().batch(2, per_batch_map=lambda a, b, i: (b, a), output_columns=["x", "y"]), ["x", "y"]),
    (lambda: source().rename(["a", "b"], ["b", "a"]).project(["a"]), ["a"]),
    (lambda: ds.zip((source(), source().rename(["a", "b"], ["c", "d"]))), ["a", "b", "c", "d"]),
    (lambda: source() + source(), ["a", "b"]),
    (lambda: source().shuffle(2).repeat(2).take(3).skip(1), ["a", "b"]),
]


@pytest.mark.parametrize(("make", "names"), CASES)
def test_names_are_known_without_reading_and_are_those_of_rows(make: Any, names: list[str]) -> None:
    assert make()._names() == make().get_col_names() == names
    assert list(next(make().create_dict_iterator(num_epochs=1, output_numpy=True))) == names


def test_names_of_rows_that_fail_or_do_not_come() -> None:
    assert source().map(lambda a: 1 / 0, ["a"]).get_col_names() == ["a", "b"]
    assert source().filter(lambda a: False, "a").get_col_names() == ["a", "b"]
    assert ds.GeneratorDataset(lambda: iter(()), ["x"]).get_col_names() == ["x"]
    for wrong in (source().map(one, ["z"]), source().project(["z"]), source().rename("z", "y")):
        with pytest.raises(RuntimeError, match="doesn't exist"):
            wrong.get_col_names()
    with pytest.raises(RuntimeError, match="should be the same"):
        (source() + source().project(["b", "a"])).get_col_names()
    with pytest.raises(ValueError, match="should not be empty"):
        source().project([])


def test_lengths_that_differ_are_none_in_estimated_shapes() -> None:
    assert source().batch(3).output_shapes(estimate=True) == [[None], [None, 2]]
    assert source().batch(3, drop_remainder=True).output_shapes(True) == [[3], [3, 2]]
    assert source().batch(3).output_shapes() == [[3], [3, 2]]
    with pytest.raises(RuntimeError, match="no rows"):
        source().filter(lambda a: False, "a").output_shapes(estimate=True)


def test_of_several_datasets_the_last_tells_its_batches() -> None:
    both = source().batch(2).repeat(3) + source().batch(4)
    assert (both.get_batch_size(), both.get_repeat_count(), both.get_dataset_size()) == (4, 1, 7)
    assert source().batch(lambda info: 2).get_batch_size() == -1


def test_an_epoch_of_batches_includes_its_repetitions() -> None:
    data = source().batch(lambda info: info.get_epoch_num() + 1).repeat(2)
    iterator = data.create_tuple_iterator(num_epochs=2, output_numpy=True)
    assert [[len(row[0]) for row in iterator] for _ in range(2)] == [[1] * 8, [2] * 4]


def test_an_array_from_per_batch_map_is_the_batch() -> None:
    def values(function: Any) -> list[Any]:
        data = source().project("a").batch(3, per_batch_map=function)
        return [row[0].tolist() for row in data.create_tuple_iterator(num_epochs=1, output_numpy=True)]

    assert values(lambda a, info: (np.stack(a)[:1],)) == [[0], [3]]
    assert values(lambda a, info: (np.array(len(a)),)) == [3, 1]
    with pytest.raises(RuntimeError, match="expects: 3 rows"):
        values(lambda a, info: (a[:1],))
    with pytest.raises(RuntimeError, match="must be a list"):
        values(lambda a, info: (3,))


def test_parts_of_what_is_not_a_source_are_those_of_a_shuffle() -> None:
    before = ds.config.get_seed()
    ds.config.set_seed(1)
    try:
        first, second = source(10).map(one, ["a"]).split([6, 4])
        rows = [[int(row[0]) for row in part.create_tuple_iterator(num_epochs=1)] for part in (first, second)]
    finally:
        ds.config.set_seed(before)
    assert rows == [[8, 6, 2, 5, 0, 4], [9, 3, 7, 1]]


class TestBuckets:
    def rows(self) -> Any:
        return ds.GeneratorDataset([np.arange(length) for length in (1, 2, 3, 4)], ["x"], shuffle=False)

    def test_rows_are_padded_to_the_longest(self) -> None:
        data = self.rows().bucket_batch_by_length(["x"], [3], [2, 2])
        assert [batch[0].shape for batch in data] == [(2, 2), (2, 4)]

    def test_rows_that_no_boundary_holds_are_refused(self) -> None:
        pad = {"x": ([None], 0)}
        data = self.rows().bucket_batch_by_length(["x"], [3], [2, 2], pad_info=pad, pad_to_bucket_boundary=True)
        with pytest.raises(RuntimeError, match="length 3"):
            list(data)
