"""The seed documents' training prints the losses real MindSpore 2.10 prints, from the same seed."""

import numpy as np
import pytest

import mindspore as ms
from demo.mnist_sample import unpack
from tests.train.golden_training import first_losses

# What MindSpore 2.10 gives: python tests/train/golden_training.py FOLDER
REAL = [
    2.2986578941345215, 2.3027684688568115, 2.2985241413116455, 2.2969257831573486, 2.3085854053497314,
    2.294640302658081, 2.302985906600952, 2.3064770698547363, 2.29486083984375, 2.298414707183838,
]  # fmt: skip


@pytest.fixture(scope="module")
def digits(tmp_path_factory):
    return str(unpack(tmp_path_factory.mktemp("mnist")) / "train")


@pytest.mark.parametrize("mode", [ms.GRAPH_MODE, ms.PYNATIVE_MODE], ids=["graph", "pynative"])
def test_the_first_losses_are_those_of_real_mindspore(digits, mode):
    np.testing.assert_allclose(first_losses(digits, len(REAL), mode), REAL, rtol=0, atol=1e-4)
