"""The landscape of a loss, from the weights that a SummaryCollector kept."""

import os

import numpy as np
import pytest

import mindspore as ms
from mindspore import dataset as ds
from mindspore import nn
from mindspore.train import Loss, Model, SummaryCollector, SummaryLandscape
from mindspore.train.callback._landscape import _Plane

X = np.random.default_rng(0).standard_normal((16, 3)).astype(np.float32)
SETTINGS = {"landscape_size": 3, "unit": "step", "num_samples": 8, "intervals": [[1, 2, 3]]}


def data():
    return ds.NumpySlicesDataset({"x": X, "y": X.sum(1, keepdims=True)}, shuffle=False).batch(4)


def made():
    network, metrics = nn.Dense(3, 1), {"Loss": Loss()}
    return Model(network, nn.MSELoss(), metrics=metrics), network, data(), metrics


@pytest.fixture
def folder(tmp_path):
    ms.set_seed(1)
    network = nn.Dense(3, 1)
    collector = SummaryCollector(str(tmp_path), collect_specified_data={"collect_landscape": SETTINGS})
    Model(network, nn.MSELoss(), nn.SGD(network.trainable_params(), 0.1)).train(1, data(), callbacks=[collector])
    return tmp_path


def test_weights_of_a_training_become_landscapes(folder):
    assert sorted(os.listdir(folder / "ckpt_dir")) == [
        *(f"snapshot-{n}.ckpt" for n in (1, 2, 3)),
        "train_metadata.json",
    ]
    landscape = SummaryLandscape(str(folder))
    landscape.gen_landscapes_with_multi_process(made, {"num_samples": 16}, device_ids=[0])
    (written,) = [name for name in os.listdir(folder) if name.endswith("_LANDSCAPE")]
    text = (folder / written).read_bytes()
    assert b"landscape_1_3" in text and b"landscape_result" in text and b"path" in text
    landscape.clean_ckpt()
    assert not (folder / "ckpt_dir").exists()
    with pytest.raises(ValueError, match="collect_landscape"):
        landscape.gen_landscapes_with_multi_process(made)


def test_the_plane_goes_through_the_weights_of_the_training(folder):
    model, network, rows, _ = made()
    plane = _Plane(model, network, rows, "Loss", 3)
    weights = [plane.loaded(str(folder / "ckpt_dir" / f"snapshot-{n}.ckpt")) for n in (1, 2, 3)]
    found = plane.of_training(weights)
    assert np.allclose(found["path"][-1], 0) and np.shape(found["z"]) == (3, 3)
    assert np.isclose(np.hypot(*found["path"][0]), np.linalg.norm(weights[0] - weights[2]), rtol=0.05)
    around = plane.of_result(weights[-1])
    expected = float(np.mean((X @ weights[-1][:3, None] + weights[-1][3] - X.sum(1, keepdims=True)) ** 2))
    assert np.isclose(around["z"][1][1], expected, rtol=1e-3)  # the centre of the plane
    assert np.allclose(network.weight.asnumpy().reshape(-1), weights[-1][:3])


def test_wrong_settings_are_refused(tmp_path):
    for settings, words in (
        ({"landscape_size": 2}, "landscape_size"),
        ({"intervals": [[1, 2]]}, "at least 3"),
        ({"unit": "day"}, "unit"),
    ):
        with pytest.raises(ValueError, match=words):
            SummaryCollector(str(tmp_path), collect_specified_data={"collect_landscape": settings})
    with pytest.raises(TypeError, match="callback_fn"):
        SummaryLandscape(str(tmp_path)).gen_landscapes_with_multi_process(1)
