"""The bases of transforms recognise what the package itself offers."""

import numpy as np
import pytest

from mindspore import dataset
from mindspore.dataset import audio, text, transforms, vision
from mindspore.dataset.audio.transforms import AudioTensorOperation
from mindspore.dataset.text.transforms import TextTensorOperation
from mindspore.dataset.transforms.transforms import PyTensorOperation, TensorOperation
from mindspore.dataset.vision.transforms import ImageTensorOperation


@pytest.mark.parametrize(("make", "kinds"), [
    (lambda: vision.Resize(2), (TensorOperation, ImageTensorOperation, PyTensorOperation)),
    (lambda: vision.Decode(), (TensorOperation, ImageTensorOperation, PyTensorOperation)),
    (lambda: transforms.OneHot(3), (TensorOperation,)),
    (lambda: text.Lookup(text.Vocab.from_list(["a"])), (TensorOperation, TextTensorOperation)),
    (lambda: audio.Vol(1.0), (TensorOperation, AudioTensorOperation)),
])  # fmt: skip
def test_what_is_offered_is_of_its_kind(make, kinds):
    bases = (TensorOperation, ImageTensorOperation, TextTensorOperation, AudioTensorOperation, PyTensorOperation)
    assert tuple(base for base in bases if isinstance(make(), base)) == tuple(b for b in bases if b in kinds)


def test_what_users_derive_is_a_class_of_its_own():
    class Twice(ImageTensorOperation):
        def _execute_py(self, x):
            return 2 * x

    assert isinstance(Twice(), Twice)
    assert isinstance(Twice(), TensorOperation)
    assert not isinstance(vision.Resize(2), Twice)
    assert not isinstance(3, TensorOperation)


def test_sources_of_arrays_name_their_columns():
    assert dataset.NumpySlicesDataset({"a": [1, 2], "b": [3, 4]}).column_names == ["a", "b"]
    assert dataset.PaddedDataset([{"x": np.array([1])}]).column_names == ["x"]
