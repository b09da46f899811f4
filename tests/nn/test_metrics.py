"""Metrics against numbers recorded from real MindSpore 2.10, their behaviour over updates, and their errors."""

from __future__ import annotations

import numpy as np
import pytest

from mindspore import Tensor, nn
from mindspore.nn import metrics

SCORES = np.array([[0.1, 0.9], [0.8, 0.2], [0.3, 0.7]], np.float32)
CLASSES = np.array([1, 0, 0], np.int32)
ONE_HOT = np.array([[0, 1], [1, 0], [1, 0]])
BITS = np.array([[0, 1, 1], [1, 0, 0], [1, 1, 0]])
TRUE_BITS = np.array([[0, 1, 1], [1, 1, 0], [0, 0, 1]])
SQUARE, SHIFTED = np.zeros((5, 6)), np.zeros((5, 6))
SQUARE[1:4, 1:4] = 1
SHIFTED[2:5, 2:6] = 1
SHAPES, OTHERS = np.array([[3, 0, 1], [1, 3, 0], [1, 0, 2]]), np.array([[0, 2, 1], [1, 2, 1], [0, 0, 1]])

# (metric, inputs, what real MindSpore gives)
RECORDED = [
    (nn.Accuracy(), (SCORES, CLASSES), 2 / 3),
    (nn.Accuracy(), (SCORES, ONE_HOT), 2 / 3),
    (nn.Accuracy(), (SCORES.tolist(), CLASSES.tolist()), 2 / 3),
    (nn.Accuracy("multilabel"), (BITS, TRUE_BITS), 1 / 3),
    (nn.Precision(), (SCORES, CLASSES), [1, 0.5]),
    (nn.Precision("multilabel"), (BITS, TRUE_BITS), [1, 1, 0]),
    (nn.Recall(), (SCORES, ONE_HOT), [0.5, 1]),
    (nn.Recall("multilabel"), (BITS, TRUE_BITS), [1, 0.5, 0]),
    (nn.Fbeta(2), (SCORES, CLASSES), [0.555556, 0.833333]),
    (nn.F1(), (SCORES, CLASSES), [2 / 3, 2 / 3]),
    (nn.Top1CategoricalAccuracy(), (SCORES, CLASSES), 2 / 3),
    (nn.TopKCategoricalAccuracy(2), (SCORES, ONE_HOT), 1.0),
    (nn.MAE(), (SCORES, ONE_HOT), 0.666667),
    (nn.MSE(), (SCORES, ONE_HOT), 0.36),
    (nn.Loss(), (np.array([2.0, 4.0]),), 3.0),
    (nn.Dice(), (SCORES, ONE_HOT), 0.262467),
    (nn.ConfusionMatrix(2), (np.array([0.5, 0.25]), np.array([1, 0])), [[1, 0], [0, 1]]),  # the threshold itself counts
    (nn.ConfusionMatrix(2), (SCORES[:, 0], CLASSES), [[1, 1], [1, 0]]),
    (nn.ConfusionMatrix(2, threshold=0.2), (SCORES[:, 0], CLASSES), [[0, 2], [1, 0]]),
    (nn.ConfusionMatrix(2, "target"), (SCORES, CLASSES), [[0.5, 0.5], [0, 1]]),
    (nn.ConfusionMatrix(2, "prediction"), (SCORES, CLASSES), [[1, 0.5], [0, 0.5]]),
    (nn.ConfusionMatrix(2, "all"), (SCORES, CLASSES), [[1 / 3, 1 / 3], [0, 1 / 3]]),
    (nn.BleuScore(1), ([["a", "a", "a"]], [[["a", "b"]]]), 1 / 3),
    (nn.BleuScore(1), ([["a"]], [[["a", "b", "c"]]]), 0.135335),
    (nn.BleuScore(2), ([["a", "b"], ["c", "d", "e"]], [[["a", "b", "c"]], [["c", "d"]]]), 0.730297),
    (nn.BleuScore(4), ([["a", "b"]], [[["c", "d"]]]), 0.0),
    (nn.CosineSimilarity("dot", "mean", False), ([[1.0, 2.0], [3.0, 4.0]],), [8, 18]),
    (nn.HausdorffDistance(), (SQUARE, SHIFTED, 1), 2.236068),
    (nn.HausdorffDistance(directed=True), (SQUARE, SHIFTED, 1), 1.414214),
    (nn.HausdorffDistance(percentile=90.0, crop=False), (SQUARE, SHIFTED, 1), 2.023607),
    (nn.HausdorffDistance("taxicab"), (SHAPES, OTHERS, 0), 2),
    (nn.HausdorffDistance(), (SQUARE, SHIFTED * 0, 1), np.inf),
    (nn.MeanSurfaceDistance(), (SQUARE, SHIFTED, 1), 0.801777),
    (nn.MeanSurfaceDistance(True), (SQUARE, SHIFTED, 1), 0.983402),
    (nn.MeanSurfaceDistance(True, "chessboard"), (SQUARE, SHIFTED, 1), 0.925),
    (nn.MeanSurfaceDistance(), (SHAPES, OTHERS, 0), 0.804738),
    (nn.RootMeanSquareDistance(), (SQUARE, SHIFTED, 1), 0.875),
    (nn.RootMeanSquareDistance(True), (SQUARE, SHIFTED, 1), 1.177922),
    (nn.RootMeanSquareDistance(True, "taxicab"), (SHAPES, OTHERS, 0), 1.080123),
]

CHANNELS = np.array([[[0], [1]], [[0], [0]]]), np.array([[[0], [1]], [[1], [0]]])
RATES = {
    "sensitivity": 0.5, "specificity": 1.0, "precision": 1.0, "negative_predictive_value": 0.666667, "miss_rate": 0.5,
    "fall_out": 0.0, "false_discovery_rate": 0.0, "false_omission_rate": 0.333333, "prevalence_threshold": 0.0,
    "threat_score": 0.5, "accuracy": 0.75, "balanced_accuracy": 0.75, "f1_score": 0.666667,
    "matthews_correlation_coefficient": 0.57735, "fowlkes_mallows_index": 0.707107, "informedness": 0.5,
    "markedness": 0.666667, "TPR": 0.5, "npv": 0.666667,
}  # fmt: skip


@pytest.mark.parametrize(("metric", "inputs", "expected"), RECORDED)
def test_numbers_are_those_of_real_mindspore(metric, inputs, expected):
    np.testing.assert_allclose(metric(*inputs), expected, rtol=1e-5, atol=1e-6)


def test_numbers_are_plain_floats():
    for metric, inputs, expected in RECORDED:
        if np.ndim(expected) == 0:
            assert type(metric(*inputs)) is float, metric


def test_tensors_are_taken_like_arrays():
    assert nn.Accuracy()(Tensor(SCORES), Tensor(CLASSES)) == nn.Accuracy()(SCORES, CLASSES)


@pytest.mark.parametrize(("name", "expected"), RATES.items())
def test_rates_of_the_confusion_matrix(name, expected):
    np.testing.assert_allclose(nn.ConfusionMatrixMetric(metric_name=name)(*CHANNELS), [expected], atol=1e-6)


def test_rates_per_sample_leave_out_what_is_not_defined():
    predicted = np.array([[[1, 0], [1, 1]], [[0, 0], [0, 1]]])
    true = np.array([[[1, 0], [0, 1]], [[0, 0], [1, 1]]])
    per_sample = np.array([[1, 1], [np.nan, 0.5]])  # sample 1 has no positives in channel 0
    result = {way: nn.ConfusionMatrixMetric(True, "tpr", True, way)(predicted, true) for way in
              ("none", "mean", "sum", "mean_batch", "mean_channel", "sum_channel")}  # fmt: skip
    np.testing.assert_allclose(result["none"], np.nan_to_num(per_sample))
    assert result["mean"] == pytest.approx(0.75) and result["sum"] == pytest.approx(2.5)
    np.testing.assert_allclose(result["mean_batch"], [1, 0.75])
    np.testing.assert_allclose(result["mean_channel"], [1, 0.5])
    np.testing.assert_allclose(result["sum_channel"], [2, 0.5])


def test_counts_add_up_over_updates():
    metric = nn.F1()
    for part in (slice(0, 1), slice(1, 3)):
        metric.update(SCORES[part], CLASSES[part])
    np.testing.assert_allclose(metric.eval(), nn.F1()(SCORES, CLASSES))
    assert metric.eval(True) == pytest.approx(2 / 3)


def test_the_loss_is_a_mean_of_batch_means():
    metric = nn.Loss()
    metric.update(Tensor([2.0, 4.0]))
    metric.update(Tensor(1.0))
    assert metric.eval() == 2.0


def test_perplexity_leaves_out_the_ignored_label():
    probabilities = np.array([[0.5, 0.5], [0.25, 0.75]])
    assert nn.Perplexity()(probabilities, np.array([0, 1])) == pytest.approx((0.5 * 0.75) ** -0.5)
    assert nn.Perplexity(ignore_label=1)(probabilities, np.array([0, 1])) == pytest.approx(2.0)


def test_roc_of_one_score():
    scores, labels = np.array([0.9, 0.8, 0.35, 0.4, 0.4, 0.1]), np.array([1, 1, 0, 1, 0, 0])
    false, true, thresholds = nn.ROC(pos_label=1)(scores, labels)
    np.testing.assert_allclose(false, [0, 0, 0, 1 / 3, 2 / 3, 1])
    np.testing.assert_allclose(true, [0, 1 / 3, 2 / 3, 1, 1, 1])
    np.testing.assert_allclose(thresholds, [1.9, 0.9, 0.8, 0.4, 0.35, 0.1])
    assert nn.auc(false, true) == pytest.approx(8.5 / 9)


def test_roc_of_classes_has_a_curve_for_each():
    scores = np.array(
        [[0.28, 0.55, 0.15, 0.05], [0.1, 0.2, 0.05, 0.05], [0.2, 0.05, 0.15, 0.05], [0.05, 0.05, 0.05, 0.75]]
    )
    false, true, thresholds = nn.ROC(class_num=4)(scores, np.array([0, 1, 2, 3]))
    np.testing.assert_allclose(false[1], [0, 1 / 3, 1 / 3, 1])
    np.testing.assert_allclose(true[1], [0, 0, 1, 1])
    np.testing.assert_allclose(thresholds[3], [1.75, 0.75, 0.05])


def test_occlusion_covers_a_window_around_each_place(mode):
    class Weighted(nn.Cell):
        def construct(self, x):
            return x.sum(axis=1, keepdims=True) + 0.6

    image = np.array([[0.1, 0.2, 0.3, 0.4]], np.float32)
    np.testing.assert_allclose(nn.OcclusionSensitivity()(Weighted(), image, np.array(0)), [0.3, 0.6, 1.0, 0.9], 1e-5)
    boxed = nn.OcclusionSensitivity(margin=1, n_batch=1, b_box=[1, 2])
    np.testing.assert_allclose(boxed(Weighted(), image, np.array(0)), [0.3, 0.5], 1e-5)


def test_indexes_choose_the_inputs_of_update():
    assert nn.Accuracy().set_indexes([2, 1])(None, CLASSES, SCORES) == pytest.approx(2 / 3)
    with pytest.raises(IndexError, match="only 2 inputs"):
        nn.Accuracy().set_indexes([0, 2])(SCORES, CLASSES)
    with pytest.raises(ValueError, match="list of ints"):
        nn.Accuracy().set_indexes("01")


def test_metrics_are_found_by_name():
    assert {"acc", "accuracy", "F1", "topk", "top_1_accuracy", "auc", "loss"} <= set(metrics.names())
    assert metrics.get_metric_fn("topk", 3).k == 3
    assert metrics.get_metrics(None) is None
    assert isinstance(metrics.get_metrics({"acc"})["acc"], nn.Accuracy)


@pytest.mark.parametrize(
    ("wrong", "error", "text"),
    [
        (lambda: nn.Accuracy("foo"), TypeError, "eval_type"),
        (lambda: nn.Fbeta(0), ValueError, "greater than 0"),
        (lambda: nn.TopKCategoricalAccuracy(0), ValueError, "'k'"),
        (lambda: nn.TopKCategoricalAccuracy("a"), TypeError, "'k'"),
        (lambda: metrics.get_metric_fn("topk"), TypeError, "k"),
        (lambda: metrics.get_metric_fn("acuracy"), KeyError, "Did you mean 'accuracy'"),
        (lambda: metrics.get_metrics(["acc"]), TypeError, "a dict or a set"),
        (lambda: metrics.get_metrics({"a": nn.Accuracy}), TypeError, "class passed instead of an object"),
        (lambda: nn.Metric(), TypeError, "abstract"),
        (lambda: nn.Accuracy().eval(), RuntimeError, "number of samples is 0"),
        (lambda: nn.Accuracy()(SCORES), ValueError, "2 inputs"),
        (lambda: nn.Accuracy()("a", CLASSES), TypeError, "type 'str'"),
        (lambda: nn.Accuracy()(SCORES, CLASSES[:2]), ValueError, r"\(N, C, ...\)"),
        (lambda: nn.Accuracy("multilabel")(SCORES, ONE_HOT), ValueError, "0 or 1"),
        (lambda: nn.Precision()(SCORES, np.array([0, 1, 5])), ValueError, r"\[0, 2\)"),
        (lambda: nn.ConfusionMatrix(2, "x"), ValueError, "normalize"),
        (lambda: nn.ROC(class_num=3)(SCORES, CLASSES), ValueError, "class_num"),
        (lambda: nn.ROC()(SCORES[:, 0], CLASSES * 0), ValueError, "no positive"),
        (lambda: nn.BleuScore(5), ValueError, "n_gram"),
        (lambda: nn.HausdorffDistance()(SQUARE, SHIFTED, 7), ValueError, "7 does not"),
        (lambda: nn.auc([0.0, 1.0], [0.0, 1.0]), TypeError, "NumPy array"),
        (lambda: nn.auc(np.array([0.0, 1.0, 0.5]), np.ones(3)), ValueError, "reorder=True"),
    ],
)
def test_errors_say_what_is_wrong(wrong, error, text):
    with pytest.raises(error, match=text):
        wrong()


def test_the_number_of_classes_must_not_change():
    metric = nn.Precision()
    metric.update(SCORES, CLASSES)
    before = metric.eval().tolist()
    with pytest.raises(ValueError, match="3 after 2"):
        metric.update(np.ones((1, 3)), np.array([0]))
    assert metric.eval().tolist() == before


def test_top_5_and_the_names_of_metrics() -> None:
    scores = np.eye(6, dtype=np.float32)[[0, 1]] + np.arange(6, dtype=np.float32) / 100
    metric = nn.Top5CategoricalAccuracy()
    metric.clear()
    metric.update(Tensor(scores), Tensor(np.array([0, 0], np.int32)))
    assert metric.eval() == 0.5  # class 0 is the smallest but one for the first row, and the smallest for the second
    assert metrics.get_metric_names() == metrics.names() and "top_5_accuracy" in metrics.names()


def test_rearranged_inputs_reach_update_in_their_order() -> None:
    class Difference(nn.Metric):
        def clear(self) -> None:
            self.total = 0.0

        @nn.rearrange_inputs
        def update(self, *inputs: Tensor) -> None:
            first, second = inputs
            self.total += float((first - second).asnumpy())

        def eval(self) -> float:
            return self.total

    metric = Difference().set_indexes([2, 0])
    metric.clear()
    metric.update(Tensor(1.0), Tensor(2.0), Tensor(5.0))
    assert metric.eval() == 4.0


def test_a_result_stays_what_it_was_when_more_is_taken_in():
    metric = nn.ConfusionMatrix(2)
    metric.update(Tensor([1, 0]), Tensor([1, 0]))
    first = metric.eval()
    metric.update(Tensor([1, 0]), Tensor([1, 0]))
    assert first.tolist() == [[1, 0], [0, 1]] and metric.eval().tolist() == [[2, 0], [0, 2]]


def test_names_of_metrics_are_sorted():
    assert nn.names() == sorted(nn.names()) and "accuracy" in nn.names()
