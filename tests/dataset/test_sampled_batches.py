"""Batches that a ``batch_sampler`` of GeneratorDataset names, as in MindSpore 2.10."""

from __future__ import annotations

import numpy as np
import pytest

import mindspore.dataset as ds


class Source:
    def __getitem__(self, index: int) -> tuple[np.ndarray, np.ndarray]:
        return np.array([index, index + 1]), np.array(index * 10)

    def __len__(self) -> int:
        return 6


def rows(**options) -> list[list]:
    data = ds.GeneratorDataset(Source(), ["a", "b"], **options)
    found = [[value.tolist() for value in row] for row in data.create_tuple_iterator(num_epochs=1, output_numpy=True)]
    assert data.get_dataset_size() == len(found)
    return found


def test_each_list_of_indices_is_a_batch() -> None:
    assert rows(batch_sampler=[[0, 1], [5]]) == [[[[0, 1], [1, 2]], [0, 10]], [[[5, 6]], [50]]]


def test_a_sampler_that_can_only_be_walked_through_is_counted() -> None:
    class Walked:
        def __iter__(self):
            return iter([[3], [1]])

    assert rows(batch_sampler=Walked()) == [[[[3, 4]], [30]], [[[1, 2]], [10]]]


def test_collate_fn_is_given_the_values_of_a_batch_by_column() -> None:
    assert rows(batch_sampler=[[0, 1]], collate_fn=lambda a, b: (np.sum(a, 0), np.array(len(b)))) == [[[1, 3], 2]]


def test_a_list_from_collate_fn_is_a_column_with_a_value_per_row() -> None:
    options = {"column_names": ["a"], "batch_sampler": [[0, 1]]}
    (batch,) = ds.GeneratorDataset([1, 2], collate_fn=lambda a: a, **options)
    assert batch[0].asnumpy().tolist() == [1, 2]
    with pytest.raises(RuntimeError, match="returned a list of 1 for column 0 of a batch of 2 rows"):
        list(ds.GeneratorDataset([1, 2], collate_fn=lambda a: [sum(a)], **options))


@pytest.mark.parametrize(
    ("options", "error", "words"),
    [
        ({"batch_sampler": [[0]], "shuffle": True}, ValueError, "mutually exclusive"),
        ({"batch_sampler": [[0]], "num_samples": 1}, ValueError, "mutually exclusive"),
        ({"batch_sampler": 3}, TypeError, "batch_sampler should have"),
        ({"batch_sampler": [[0]], "collate_fn": 3}, TypeError, "collate_fn"),
        ({"collate_fn": len}, ValueError, "only when batch_sampler is set"),
        ({"batch_sampler": [0]}, RuntimeError, "should return a list"),
    ],
)
def test_what_does_not_go_together_is_refused(options, error, words) -> None:
    with pytest.raises(error, match=words):
        rows(**options)
