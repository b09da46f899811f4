"""Random image transforms follow the laws that those of real MindSpore follow: ranges, probabilities, shares."""

import pathlib

import numpy as np
import pytest

import mindspore.dataset as ds
from tools.oracle import record_random_laws as laws

RECORDED = np.load(pathlib.Path(__file__).parents[1] / "data" / "dataset_random_laws.npz")


@pytest.fixture(autouse=True)
def seed():
    before = ds.config.get_seed()
    ds.config.set_seed(7)
    yield
    ds.config.set_seed(before)


def largest_distance(operations, image, count):
    values = laws.results(ds, operations, image, count)
    return max(
        laws.distance(column, law) for column, law in zip(values.T, RECORDED[f"{operations} {image}"], strict=True)
    )


@pytest.mark.parametrize(("operations", "image"), laws.cases())
def test_results_are_distributed_as_in_real_mindspore(operations, image):
    assert largest_distance(operations, image, 500) < 0.1


@pytest.mark.parametrize("operation", laws.batch_cases())
def test_batches_are_mixed_as_in_real_mindspore(operation):
    values = laws.batch_results(ds, operation, 600)
    assert max(map(laws.distance, values.T, RECORDED[operation])) < 0.08


@pytest.mark.heavy
@pytest.mark.parametrize(("operations", "image"), laws.cases())
def test_many_results_are_distributed_as_in_real_mindspore(operations, image):
    assert largest_distance(operations, image, 6000) < 0.045


@pytest.mark.parametrize(
    ("recorded", "other"),
    [
        ("[vision.RandomHorizontalFlip(0.3)]", "[vision.RandomHorizontalFlip(0.45)]"),
        ("[vision.RandomCrop(16)]", "[vision.RandomCrop(15), vision.Pad((0, 0, 1, 1))]"),
        ("[vision.RandomColorAdjust(brightness=(0.5, 1.4))]", "[vision.RandomColorAdjust(brightness=(0.5, 1.2))]"),
        ("[vision.RandomRotation(30)]", "[vision.RandomRotation((-30, 15))]"),
    ],
)
def test_another_law_is_told_apart(recorded, other):
    values = laws.results(ds, other, "image", 500)
    assert max(map(laws.distance, values.T, RECORDED[f"{recorded} image"])) > 0.12
