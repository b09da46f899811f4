"""``mindspore.explainer`` of MindSpore 1.1 to 1.4: saliency maps of classifiers, and measures of them."""

import json

import numpy as np
import pytest

import mindspore as ms
import mindspore.dataset as ds
from mindspore import Tensor, nn, ops
from mindspore.explainer import ImageClassificationRunner
from mindspore.explainer.benchmark import ClassSensitivity, Faithfulness, Localization, Robustness
from mindspore.explainer.explanation import RISE, Deconvolution, GradCAM, Gradient, GuidedBackprop, Occlusion


class Looks(nn.Cell):
    """Label 0 depends on one pixel, label 1 on another one, by way of a ReLU."""

    def __init__(self):
        super().__init__()
        self.features = nn.Conv2d(2, 2, 1, weight_init=Tensor(np.eye(2, dtype=np.float32).reshape(2, 2, 1, 1)))
        self.relu = nn.ReLU()

    def construct(self, x):
        x = self.relu(self.features(x))
        return ops.stack([3 * x[:, 0, 2, 5] - x[:, 1, 2, 5], -2 * x[:, 1, 6, 1]], 1)


IMAGES = Tensor(np.random.default_rng(0).uniform(0.5, 1, (2, 2, 8, 8)).astype(np.float32))
ONE = Tensor(IMAGES.asnumpy()[:1])


def at(y, x, value):
    wanted = np.zeros((8, 8))
    wanted[y, x] = value
    return wanted


def test_gradients_and_their_rules_for_relus(mode):
    net = Looks()
    saliency = Gradient(net)(IMAGES, Tensor([0, 1]))
    assert saliency.shape == (2, 1, 8, 8) and ms.get_context("mode") == mode
    np.testing.assert_array_equal(saliency.asnumpy()[:, 0], [at(2, 5, 3), at(6, 1, 2)])
    for kind in (GuidedBackprop, Deconvolution):  # what is negative on the way back is gone
        np.testing.assert_array_equal(kind(net)(IMAGES, Tensor([0, 1])).asnumpy()[:, 0], [at(2, 5, 3), at(0, 0, 0)])
    negative = Tensor(-ONE.asnumpy())  # where the ReLU passes nothing, only Deconvolution goes on
    assert (
        GuidedBackprop(net)(negative, 0).asnumpy().max() == 0 and Deconvolution(net)(negative, 0).asnumpy().max() == 3
    )
    np.testing.assert_array_equal(Gradient(net)(ONE, 0).asnumpy()[0, 0], at(2, 5, 3))  # the rules are gone again


def test_features_of_a_layer_weighted_by_their_gradients(mode):
    weights = np.array([3, -1]).reshape(2, 1, 1) / 64
    wanted = np.maximum((weights * ONE.asnumpy()[0]).sum(0), 0)
    for layer in ("features", ""):
        np.testing.assert_allclose(GradCAM(Looks(), layer)(ONE, 0).asnumpy()[0, 0], wanted, rtol=1e-5)
    smaller = nn.SequentialCell(nn.Conv2d(2, 3, 3, stride=2), nn.ReLU(), nn.Flatten(), nn.Dense(48, 2))
    assert GradCAM(smaller, "0")(IMAGES, 1).shape == (2, 1, 8, 8)
    with pytest.raises(ValueError, match=r"'layer' must be the name of a layer .*'conv9'\. It has features, relu"):
        GradCAM(Looks(), "conv9")


def test_hidden_pixels(mode):
    np.random.seed(0)
    occlusion = Occlusion(Looks(), nn.Softmax(), perturbation_per_eval=7)(IMAGES, 0).asnumpy()
    assert occlusion.shape == (2, 1, 8, 8) and (occlusion[0, 0, 1:4, 4:7] > 0).all() and occlusion[0, 0, 7, 7] == 0
    rise = RISE(Looks(), nn.Softmax(), perturbation_per_eval=500)
    rise._num_masks = 1000
    maps = rise(IMAGES, Tensor([[0, 1], [1, 0]])).asnumpy()
    assert maps.shape == (2, 2, 8, 8) and maps[0, 0, 2, 5] > maps[0, 0, 7, 0] and maps[1, 1, 2, 5] > maps[1, 0, 2, 5]
    assert rise(IMAGES, 1).shape == rise(IMAGES, [1, 0]).shape == (2, 1, 8, 8)


def test_measures_know_good_maps_from_bad_ones():
    explainer, good, bad = Gradient(Looks()), at(2, 5, 1) + 0.1 * IMAGES.asnumpy()[0, 0], at(7, 7, 1)
    good, bad = (Tensor(values[None, None].astype(np.float32)) for values in (good, bad))
    mask = (at(2, 5, 1) + at(2, 4, 1))[None, None]
    for metric in ("PointingGame", "IoSR"):
        measure = Localization(2, metric)
        measure._metric_arg = 2 if metric == "PointingGame" else 0.5
        scores = [measure.evaluate(explainer, ONE, 0, saliency, mask)[0] for saliency in (good, bad)]
        assert scores == [1, 0]
    for metric in ("DeletionAUC", "InsertionAUC", "NaiveFaithfulness"):
        measure = Faithfulness(2, nn.Softmax(), metric)
        better, worse = (measure.evaluate(explainer, ONE, 0, saliency)[0] for saliency in (good, bad))
        assert 0 <= worse <= better <= 1 and better > 0.5
    assert (
        Robustness(2, nn.Softmax()).evaluate(explainer, ONE, Tensor([0]))[0] == 1
    )  # the gradient does not depend on the image
    np.testing.assert_allclose(
        ClassSensitivity().evaluate(explainer, ONE), [0.5079365]
    )  # (1 + 1 / 63) / 2: other pixels


def test_results_are_collected_by_label():
    measure = Localization(3)
    measure.aggregate(0.5, 1)
    measure.aggregate(np.array([1.0, 0.0]), Tensor([1, 2]))
    assert measure.class_performances == [0, 0.75, 0] and measure.performance == 0.5
    measure.reset()
    assert measure.performance == 0 and measure.get_results() == {0: [], 1: [], 2: []}


@pytest.mark.parametrize(
    ("wrong", "error", "words"),
    [
        (lambda: Gradient(ops.relu), TypeError, "'network' must be of type Cell"),
        (lambda: Gradient(Looks())(Tensor([1.0]), 0), ValueError, r"images of shape \(N, C, H, W\)"),
        (lambda: Gradient(Looks())(IMAGES, Tensor([0, 1, 1])), ValueError, "one per image"),
        (lambda: Occlusion(Looks(), nn.Softmax(), 0), ValueError, "'perturbation_per_eval' must be at least 1"),
        (lambda: Localization(2, "IoU"), ValueError, "PointingGame"),
        (lambda: Localization(2).evaluate(Gradient(Looks()), ONE, 0), TypeError, "'mask'"),
        (lambda: Localization(1).evaluate(Gradient(Looks()), ONE, 0), ValueError, r"'num_labels' must be at least .*\(2\)"),
        (lambda: Robustness(2, nn.Softmax()).evaluate(Gradient(Looks()), IMAGES, 0), ValueError, "must be one image"),
        (lambda: Faithfulness(2, nn.Softmax()).evaluate(Gradient(Looks()), ONE, 2), ValueError, r"range \[0, 2\)"),
    ],
)  # fmt: skip
def test_what_cannot_be_explained_is_refused(wrong, error, words):
    with pytest.raises(error, match=words):
        wrong()


def test_a_dataset_is_explained_to_files(tmp_path, capsys):
    net = Looks()
    columns = {"image": IMAGES.asnumpy(), "label": [[0], [1]], "box": np.array([[[4, 1, 3, 3]], [[0, 0, 2, 2]]])}
    data = ds.NumpySlicesDataset(columns, shuffle=False).batch(2), ["left", "right"]
    runner = ImageClassificationRunner(str(tmp_path), data, net, nn.Softmax())
    with pytest.raises(RuntimeError, match="register_saliency"):
        runner.run()
    runner.register_saliency(
        [Gradient(net), Occlusion(net, nn.Softmax())], [Localization(2, "IoSR"), ClassSensitivity()]
    )
    runner.run()
    (folder,) = tmp_path.iterdir()
    written = json.loads((folder / "explanations.json").read_text())
    assert capsys.readouterr().out == f"2 images explained, in {folder}\n" and written["labels"] == ["left", "right"]
    assert [sample["labels"] for sample in written["samples"]] == [[0], [1]]
    assert written["samples"][0]["predicted"] == [0] and len(written["samples"][0]["explanations"]) == 2
    assert written["measures"]["Gradient"]["Localization"] == {"score": 0.5, "labels": [1.0, 0.0]}
    for sample in written["samples"]:
        assert (
            all((folder / made["heatmap"]).is_file() for made in sample["explanations"])
            and (folder / sample["image"]).is_file()
        )
