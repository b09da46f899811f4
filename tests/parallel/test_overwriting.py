"""Processes that train together overwrite their Parameters, once all have answered."""

import json

import numpy as np

import mindspore as ms
from mindspore import Tensor, nn
from tests.parallel.jobs import Running
from tests.parallel.launching import PROGRAMS
from tests.parallel.programs import overwriting


def test_parameters_stay_in_place_and_outlive_a_lost_process(tmp_path):
    with Running("by hand", 2, tmp_path, PROGRAMS / "overwriting.py") as job:
        codes = job.wait(100)
    found = json.loads((tmp_path / "found_0.json").read_text())
    assert codes == [7, 5], found
    assert found["places"] == 1  # every new value lies where the old one was
    assert found["held"]  # but not where somebody holds the old one
    assert "Process 1 was ended from outside" in found["error"] and found["kept"]
    weights = [np.load(tmp_path / f"weight_{rank}.npy") for rank in (0, 1)]
    np.testing.assert_array_equal(*weights)

    ms.set_context(mode=ms.GRAPH_MODE)
    step, layer = overwriting.make_step(nn.BatchNorm1d(overwriting.WIDTH))
    for _ in range(overwriting.STEPS):
        step(Tensor(overwriting.ROWS_OF_ALL), Tensor(overwriting.LABELS))
    np.testing.assert_allclose(weights[0], layer.weight.asnumpy(), rtol=1e-4, atol=1e-6)
