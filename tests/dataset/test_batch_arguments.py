"""What ``batch`` and ``map`` take and refuse."""

import pytest

import mindspore.dataset as ds


def numbers():
    return ds.NumpySlicesDataset([1, 2, 3], shuffle=False)


def test_true_is_a_batch_of_one():
    assert [len(row) for (row,) in numbers().batch(True).create_tuple_iterator(num_epochs=1)] == [1, 1, 1]


@pytest.mark.parametrize(
    ("given", "error", "words"),
    [
        ({"batch_size": False}, ValueError, "batch_size is not within the required interval"),
        ({"batch_size": lambda: 1}, ValueError, "take one parameter"),
        ({"batch_size": 2, "python_multiprocessing": "yes"}, TypeError, "python_multiprocessing"),
        ({"batch_size": 2, "max_rowsize": "big"}, TypeError, "max_rowsize"),
        ({"batch_size": 2, "max_rowsize": [1, 2, 3]}, TypeError, "length 2"),
        ({"batch_size": 2, "max_rowsize": -2}, ValueError, "max_rowsize"),
    ],
)
def test_wrong_arguments_of_batch_are_refused_at_once(given, error, words):
    with pytest.raises(error, match=words):
        numbers().batch(**given)


def test_memory_for_rows_is_accepted():
    assert numbers().map(lambda x: x, max_rowsize=[16, -1]).batch(3, max_rowsize=8).get_dataset_size() == 1
    with pytest.raises(TypeError, match="max_rowsize"):
        numbers().map(lambda x: x, max_rowsize="big")
