"""Metrics against scikit-learn, on random data given in several batches."""

from __future__ import annotations

import importlib

import numpy as np
import pytest
from sklearn import metrics as sklearn

from mindspore import Tensor, nn
from mindspore.train import metrics as train_metrics

random = np.random.RandomState(11)
CLASSES = 6
SCORES = random.rand(60, CLASSES).astype(np.float32)
LABELS = random.randint(0, CLASSES, 60).astype(np.int32)
GUESSES = SCORES.argmax(1)
ONE_HOT = np.eye(CLASSES, dtype=np.float32)[LABELS]
BITS, TRUE_BITS = random.randint(0, 2, (2, 60, 4))
BITS[7] = TRUE_BITS[9] = 0  # a sample without any predicted, one without any true label
COARSE = random.rand(60).round(1)  # many equal scores
POSITIVE = random.randint(0, 2, 60)
VALUES, TARGETS = random.randn(2, 60, 3).astype(np.float32)
POSITIVE_OF_CHANNELS, TRUE_OF_CHANNELS = random.randint(0, 2, (2, 60, 3))


def in_batches(metric, *inputs):
    """The metric of inputs that come in three unequal batches of Tensors."""
    metric.clear()
    for part in (slice(0, 7), slice(7, 31), slice(31, None)):
        metric.update(*(Tensor(one[part]) for one in inputs))
    return metric


@pytest.mark.parametrize("labels", [LABELS, ONE_HOT], ids=["classes", "one-hot"])
class TestOfClasses:
    def test_accuracy(self, labels):
        expected = sklearn.accuracy_score(LABELS, GUESSES)
        assert in_batches(nn.Accuracy(), SCORES, labels).eval() == pytest.approx(expected)
        assert in_batches(nn.Top1CategoricalAccuracy(), SCORES, labels).eval() == pytest.approx(expected)

    @pytest.mark.parametrize("k", [2, 3, 5])
    def test_top_k(self, labels, k):
        expected = sklearn.top_k_accuracy_score(LABELS, SCORES, k=k)
        assert in_batches(nn.TopKCategoricalAccuracy(k), SCORES, labels).eval() == pytest.approx(expected)

    def test_precision_recall_and_f(self, labels):
        for metric, score, options in (
            (nn.Precision(), sklearn.precision_score, {}),
            (nn.Recall(), sklearn.recall_score, {}),
            (nn.F1(), sklearn.f1_score, {}),
            (nn.Fbeta(2.5), sklearn.fbeta_score, {"beta": 2.5}),
            (nn.Fbeta(0.5), sklearn.fbeta_score, {"beta": 0.5}),
        ):
            found = in_batches(metric, SCORES, labels)
            np.testing.assert_allclose(found.eval(), score(LABELS, GUESSES, average=None, **options))
            assert found.eval(True) == pytest.approx(score(LABELS, GUESSES, average="macro", **options))


def test_a_class_that_is_never_predicted_has_precision_zero():
    scores = np.array([[0.9, 0.1, 0.0], [0.2, 0.8, 0.0], [0.7, 0.3, 0.0]], np.float32)
    expected = sklearn.precision_score([0, 1, 2], scores.argmax(1), average=None, zero_division=0)
    np.testing.assert_allclose(nn.Precision()(scores, np.array([0, 1, 2])), expected)


def test_classes_of_pictures_are_counted_by_their_points():
    scores, labels = random.rand(4, 3, 5, 5), random.randint(0, 3, (4, 5, 5))
    guesses = scores.argmax(1).reshape(-1)
    assert nn.Accuracy()(scores, labels) == pytest.approx(sklearn.accuracy_score(labels.reshape(-1), guesses))
    expected = sklearn.f1_score(labels.reshape(-1), guesses, average=None)
    np.testing.assert_allclose(nn.F1()(scores, labels), expected)


def test_several_labels_per_sample():
    accuracy = in_batches(nn.Accuracy("multilabel"), BITS, TRUE_BITS).eval()
    assert accuracy == pytest.approx(sklearn.accuracy_score(TRUE_BITS, BITS))
    for metric, score in ((nn.Precision, sklearn.precision_score), (nn.Recall, sklearn.recall_score)):
        found = in_batches(metric("multilabel"), BITS, TRUE_BITS)
        np.testing.assert_allclose(found.eval(True), score(TRUE_BITS, BITS, average="samples", zero_division=0))


@pytest.mark.parametrize(
    ("normalize", "of"), [("no_norm", None), ("target", "true"), ("prediction", "pred"), ("all", "all")]
)
def test_confusion_matrix(normalize, of):
    expected = sklearn.confusion_matrix(LABELS, GUESSES, normalize=of)
    for predicted in (SCORES, GUESSES):
        found = in_batches(nn.ConfusionMatrix(CLASSES, normalize), predicted, LABELS).eval()
        np.testing.assert_allclose(found, expected, rtol=1e-6)


def test_rates_of_a_confusion_matrix():
    predicted, true = (one.reshape(-1) for one in (POSITIVE_OF_CHANNELS, TRUE_OF_CHANNELS))
    expected = {
        "sensitivity": sklearn.recall_score(true, predicted),
        "specificity": sklearn.recall_score(true, predicted, pos_label=0),
        "precision": sklearn.precision_score(true, predicted),
        "negative_predictive_value": sklearn.precision_score(true, predicted, pos_label=0),
        "accuracy": sklearn.accuracy_score(true, predicted),
        "balanced_accuracy": sklearn.balanced_accuracy_score(true, predicted),
        "f1_score": sklearn.f1_score(true, predicted),
        "threat_score": sklearn.jaccard_score(true, predicted),
        "matthews_correlation_coefficient": sklearn.matthews_corrcoef(true, predicted),
    }
    for name, value in expected.items():
        found = in_batches(nn.ConfusionMatrixMetric(metric_name=name), POSITIVE_OF_CHANNELS, TRUE_OF_CHANNELS).eval()
        assert float(found[0]) == pytest.approx(value), name


@pytest.mark.parametrize("positive", [0, 1])
def test_roc_and_its_area(positive):
    false, true, thresholds = nn.ROC(pos_label=positive)(COARSE, POSITIVE)
    expected = sklearn.roc_curve(POSITIVE, COARSE, pos_label=positive, drop_intermediate=False)
    for found, wanted in zip((false, true, thresholds[1:]), (*expected[:2], expected[2][1:])):
        np.testing.assert_allclose(found, wanted)
    area = sklearn.roc_auc_score(positive == POSITIVE, COARSE)
    assert nn.auc(false, true) == pytest.approx(area)
    assert nn.auc(false[::-1], true[::-1]) == pytest.approx(area)


def test_roc_of_every_class():
    false, true, _ = nn.ROC(class_num=CLASSES)(SCORES, LABELS)
    areas = [nn.auc(*curve) for curve in zip(false, true)]
    expected = [sklearn.roc_auc_score(one == LABELS, SCORES[:, one]) for one in range(CLASSES)]
    np.testing.assert_allclose(areas, expected)


def test_areas_of_points_in_any_order():
    x, y = random.rand(2, 9)
    order = np.argsort(x)
    assert nn.auc(x, y, reorder=True) == pytest.approx(sklearn.auc(x[order], y[order]))


def test_mean_errors_are_divided_by_rows():
    columns = VALUES.shape[1]
    absolute = sklearn.mean_absolute_error(TARGETS, VALUES) * columns
    squared = sklearn.mean_squared_error(TARGETS, VALUES) * columns
    assert in_batches(nn.MAE(), VALUES, TARGETS).eval() == pytest.approx(absolute, rel=1e-6)
    assert in_batches(nn.MSE(), VALUES, TARGETS).eval() == pytest.approx(squared, rel=1e-6)
    flat = VALUES[:, 0], TARGETS[:, 0]
    assert in_batches(nn.MSE(), *flat).eval() == pytest.approx(sklearn.mean_squared_error(*flat), rel=1e-6)


def test_perplexity_is_the_exponential_of_the_log_loss():
    probabilities = SCORES.astype(np.float64) / SCORES.sum(1, keepdims=True, dtype=np.float64)
    expected = np.exp(sklearn.log_loss(LABELS, probabilities, labels=range(CLASSES)))
    assert in_batches(nn.Perplexity(), probabilities, LABELS).eval() == pytest.approx(expected)


def test_cosine_similarity_of_rows():
    pairwise = importlib.import_module("sklearn.metrics.pairwise")
    expected = pairwise.cosine_similarity(VALUES)
    np.testing.assert_allclose(nn.CosineSimilarity(zero_diagonal=False)(VALUES), expected, rtol=1e-5, atol=1e-6)
    np.testing.assert_allclose(nn.CosineSimilarity("dot", zero_diagonal=False)(VALUES), VALUES @ VALUES.T, rtol=1e-6)


def test_dice_of_one_sample_is_the_f_measure():
    predicted, true = np.array([[1, 0, 1, 1]]), np.array([[1, 1, 0, 1]])
    assert nn.Dice()(predicted, true) == pytest.approx(sklearn.f1_score(true[0], predicted[0]), rel=1e-5)


def test_metrics_are_reached_by_both_paths():
    assert set(train_metrics.__all__) >= {"Accuracy", "ROC", "EvaluationBase", "rearrange_inputs", "names", "auc"}
    for name in train_metrics.__all__:
        if name != "EvaluationBase":
            assert getattr(train_metrics, name) is getattr(nn, name)
    for module, name in (("metric", "Metric"), ("topk", "TopKCategoricalAccuracy"), ("auc", "auc"), ("error", "MSE")):
        assert getattr(importlib.import_module(f"mindspore.train.metrics.{module}"), name) is getattr(nn, name)


def test_every_name_of_the_table_makes_a_metric():
    bare = {"accuracy", "acc", "precision", "recall", "F1", "top_1_accuracy", "top_5_accuracy", "mae", "mse", "loss", "dice",
            "roc", "bleu_score", "cosine_similarity", "occlusion_sensitivity", "hausdorff_distance", "perplexity",
            "mean_surface_distance", "root_mean_square_distance", "confusion_matrix_metric"}  # fmt: skip
    assert set(nn.get_metrics(bare)) == bare
    assert all(isinstance(one, nn.Metric) for one in nn.get_metrics(bare).values())
    assert bare | {"topk", "auc", "confusion_matrix"} == set(nn.names())
    assert isinstance(nn.get_metric_fn("confusion_matrix", 3), nn.ConfusionMatrix)
