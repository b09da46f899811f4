"""Which functions give lists and which tuples, as real MindSpore 2.10 does."""

import pytest

import mindspore.numpy as np
import mindspore.scipy.optimize.line_search as line_search
import mindspore.scipy.optimize.linear_sum_assignment as linear_sum_assignment
import mindspore.scipy.optimize.minimize as minimize
from mindspore import Tensor

CUBE = np.ones((4, 4, 4))
VECTOR = np.ones(2)


@pytest.mark.parametrize(
    "make",
    [
        lambda: np.atleast_1d(np.ones(()), VECTOR),
        lambda: np.atleast_2d(VECTOR, VECTOR),
        lambda: np.atleast_3d(VECTOR, VECTOR),
        lambda: np.broadcast_arrays(np.ones((1, 2)), np.ones((2, 1))),
        lambda: np.meshgrid(VECTOR, VECTOR),
        lambda: np.indices((2, 3)),
        lambda: np.ogrid[0:2, 0:2],
        lambda: np.gradient(CUBE),
        lambda: np.split(CUBE, [1, 3]),
        lambda: np.dsplit(CUBE, [1, 3]),
        lambda: np.histogramdd(np.ones((2, 3)))[1],
    ],
)
def test_these_are_lists(make):
    found = make()
    assert type(found) is list
    assert all(isinstance(one, Tensor) for one in found)


@pytest.mark.parametrize(
    "make",
    [
        lambda: np.split(CUBE, 2),
        lambda: np.array_split(CUBE, 3),
        lambda: np.ix_([0, 1], [0, 1]),
        lambda: np.tril_indices(3),
        lambda: np.unique(VECTOR, return_inverse=True),
        lambda: np.histogram2d(VECTOR, VECTOR),
    ],
)
def test_these_are_tuples(make):
    assert type(make()) is tuple


def test_functions_take_the_places_of_their_modules():
    assert [one.__name__ for one in (line_search, linear_sum_assignment, minimize)] == [
        "line_search", "linear_sum_assignment", "minimize",
    ]  # fmt: skip
    _, columns = linear_sum_assignment(Tensor([[2.0, 1.0], [1.0, 2.0]]), False)
    assert columns.asnumpy().tolist() == [1, 0]
