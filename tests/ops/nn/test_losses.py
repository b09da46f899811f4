"""Losses: reductions, weights, ignored classes, gradients at corners. The numbers are those of MindSpore 2.10."""

from __future__ import annotations

import numpy as np
import pytest

import mindspore as ms
from mindspore import Tensor, ops

LOGITS = Tensor([[1.0, 2.0, 3.0], [1.0, 1.0, 1.0]])
CLASSES = Tensor([2, 0], ms.int32)
ONE_HOT = Tensor([[0.0, 0.0, 1.0], [1.0, 0.0, 0.0]])
WEIGHT = Tensor([0.2, 0.3, 0.5])
SLOPES = np.array([[0.0900306, 0.2447285, -0.3347590], [-0.6666667, 0.3333333, 0.3333333]])


def close(found: Tensor, wanted: list | float | np.ndarray) -> None:
    np.testing.assert_allclose(found.asnumpy(), wanted, 1e-5, 1e-6)


# -- cross entropy -----------------------------------------------------------------------------------------------------
def test_softmax_cross_entropy_has_one_gradient_whatever_is_summed(mode):
    entropy = ops.SoftmaxCrossEntropyWithLogits()
    loss, slopes = entropy(LOGITS, ONE_HOT)
    close(loss, [0.40760595, 1.09861231])
    close(slopes, SLOPES)

    def both(logits, labels):
        return ops.SoftmaxCrossEntropyWithLogits()(logits, labels)

    def slopes_only(logits, labels):
        return ops.SoftmaxCrossEntropyWithLogits()(logits, labels)[1]

    by_logits, by_labels = ms.grad(both, (0, 1))(LOGITS, ONE_HOT)
    close(by_logits, SLOPES)
    assert not by_labels.asnumpy().any()
    assert not ms.grad(slopes_only)(LOGITS, ONE_HOT).asnumpy().any()


def test_a_row_of_labels_without_a_class_has_no_loss_but_the_softmax_as_gradient(mode):
    def loss(logits):
        return ops.SoftmaxCrossEntropyWithLogits()(logits, ops.zeros((1, 3)))[0]

    x = Tensor([[0.0, 0.0, 0.0]])
    close(loss(x), [0])
    close(ms.grad(loss)(x), [[1 / 3, 1 / 3, 1 / 3]])


def test_sparse_cross_entropy_is_a_mean():
    close(ops.SparseSoftmaxCrossEntropyWithLogits()(LOGITS, CLASSES), 0.753109)
    close(ops.SparseSoftmaxCrossEntropyWithLogits(is_grad=True)(LOGITS, CLASSES), SLOPES / 2)


@pytest.mark.parametrize(
    ("options", "wanted"),
    [
        ({}, 0.753109),
        ({"weight": WEIGHT}, 0.605036),  # divided by the weights of the targets
        ({"weight": WEIGHT, "reduction": "sum"}, 0.423525),
        ({"weight": WEIGHT, "reduction": "none"}, [0.203803, 0.219722]),
        ({"weight": WEIGHT, "ignore_index": 0}, 0.407606),
        ({"weight": WEIGHT, "ignore_index": 0, "reduction": "none"}, [0.203803, 0]),
        ({"label_smoothing": 0.1}, 0.803109),
        ({"weight": WEIGHT, "label_smoothing": 0.1}, 0.649590),
        ({"weight": WEIGHT, "label_smoothing": 0.1, "reduction": "none"}, [0.220343, 0.234371]),
        ({"weight": WEIGHT, "ignore_index": 0, "label_smoothing": 0.1}, 0.440685),
    ],
)
def test_cross_entropy_of_class_indices(options, wanted):
    close(ops.cross_entropy(LOGITS, CLASSES, **options), wanted)


@pytest.mark.parametrize(
    ("options", "wanted"),
    [
        ({}, 0.753109),
        ({"weight": WEIGHT}, 0.211763),  # divided by the number of samples
        ({"weight": WEIGHT, "reduction": "none"}, [0.203803, 0.219722]),
        ({"weight": WEIGHT, "label_smoothing": 0.1}, 0.227357),
    ],
)
def test_cross_entropy_of_probabilities(options, wanted):
    close(ops.cross_entropy(LOGITS, ONE_HOT, **options), wanted)


def test_gradients_of_weighted_cross_entropy(mode):
    def indices(logits):
        return ops.cross_entropy(logits, CLASSES, WEIGHT)

    def probabilities(logits, labels):
        return ops.cross_entropy(logits, labels, WEIGHT)

    close(ms.grad(indices)(LOGITS), [[0.064308, 0.174806, -0.239113], [-0.190476, 0.095238, 0.095238]])
    gradients = ms.grad(probabilities, (0, 1))(LOGITS, ONE_HOT)
    close(gradients[0], [[0.022508, 0.061182, -0.083690], [-0.066667, 0.033333, 0.033333]])
    close(gradients[1], [[0.240761, 0.211141, 0.101901], [0.109861, 0.164792, 0.274653]])


def test_losses_of_images_have_one_value_per_pixel():
    x = np.random.default_rng(0).standard_normal((2, 3, 4, 5)).astype(np.float32)
    classes = np.random.default_rng(1).integers(0, 3, (2, 4, 5)).astype(np.int32)
    loss = ops.cross_entropy(Tensor(x), Tensor(classes), reduction="none").asnumpy()
    log_probabilities = x - np.log(np.exp(x).sum(1, keepdims=True))
    np.testing.assert_allclose(loss, -np.take_along_axis(log_probabilities, classes[:, None], 1)[:, 0], 1e-5, 1e-6)


def test_negative_classes_count_from_the_end_and_the_mean_of_an_ignored_batch_is_not_a_number():
    last = ops.cross_entropy(LOGITS, Tensor([2, LOGITS.shape[1] - 1], ms.int32))
    close(ops.cross_entropy(LOGITS, Tensor([2, -1], ms.int32)), last.asnumpy())
    assert np.isnan(ops.cross_entropy(LOGITS, Tensor([-100, -100], ms.int32)).asnumpy())


def test_the_nll_loss_primitive_returns_the_total_weight():
    close(ops.nll_loss(LOGITS, CLASSES, WEIGHT, label_smoothing=0.1), -2.342857)
    for reduction, wanted in (("mean", -2.428571), ("sum", -1.7), ("none", [-1.5, -0.2])):
        loss, total = ops.NLLLoss(reduction)(LOGITS, CLASSES, WEIGHT)
        close(loss, wanted)
        close(total, 0.7)
    close(ops.NLLLoss(ignore_index=0)(LOGITS, CLASSES, WEIGHT)[1], 0.5)


# -- two classes -------------------------------------------------------------------------------------------------------
def test_binary_cross_entropy_is_finite_at_the_ends(mode):
    probabilities, labels = Tensor([0.2, 0.7, 0.0, 1.0, 0.0, 1.0]), Tensor([1.0, 0.0, 1.0, 1.0, 0.0, 0.0])

    def loss(p, y):
        return ops.binary_cross_entropy(p, y, None, "sum")

    close(loss(probabilities, labels), 1.609438 + 1.203973 + 27.631021 * 2)
    by_probability, by_label = ms.grad(loss, (0, 1))(probabilities, labels)
    np.testing.assert_allclose(by_probability.asnumpy(), [-5, 3.333333, -1e12, 0, 0, 1e12], 1e-5)
    assert np.isfinite(by_label.asnumpy()).all()


def test_large_logits_are_exact(mode):
    logits, labels = Tensor([0.2, 0.7, -100.0, 100.0]), Tensor([1.0, 0.0, 0.5, 0.5])
    close(ops.SigmoidCrossEntropyWithLogits()(logits, labels), [0.598139, 1.103186, 50, 50])

    def mean(x, y):
        return ops.binary_cross_entropy_with_logits(x, y)

    def each(x, y):
        return ops.SigmoidCrossEntropyWithLogits()(x, y)

    by_logits, by_labels = ms.grad(mean, (0, 1))(logits, labels)
    close(by_logits, [-0.112541, 0.167047, -0.125, 0.125])
    close(by_labels, [-0.05, -0.175, 25, -25])
    by_logits, by_labels = ms.grad(each, (0, 1))(logits, labels)
    close(by_logits, [-0.450166, 0.668188, -0.5, 0.5])
    assert not by_labels.asnumpy().any()


def test_divergence_of_probabilities_that_are_zero(mode):
    def each(x, y):
        return ops.kl_div(x, y, "none")

    close(each(Tensor([-1.0, -2.0, -1.0]), Tensor([0.3, 0.7, 0.0])), [-0.061192, 1.150328, 0])
    by_logits, by_labels = ms.grad(each, (0, 1))(Tensor([-1.0, -2.0, -1.0]), Tensor([0.3, 0.7, 0.0]))
    close(by_logits, [-0.3, -0.7, 0])
    assert not by_labels.asnumpy().any()


# -- distances ---------------------------------------------------------------------------------------------------------
def test_distances_at_their_corners(mode):
    zero, points = ops.zeros((5,)), Tensor([0.0, 1.0, 2.0, -1.0, -2.0])

    def smooth(x, y):
        return ops.smooth_l1_loss(x, y)

    def absolute(x, y):
        return ops.l1_loss(x, y, "sum")

    close(ms.grad(smooth)(points, zero), [0, 1, 1, -1, -1])
    close(ms.grad(absolute)(points, zero), [0, 1, 1, -1, -1])


def test_integers_are_measured_in_float32():
    assert ops.mse_loss(Tensor([1, 2]), Tensor([1, 4])).dtype == ms.float32
    assert ops.mse_loss(LOGITS.astype(ms.float16), ONE_HOT.astype(ms.float16)).dtype == ms.float16


def test_vectors_without_length_have_finite_similarity_and_gradient(mode):
    def similarity(x, y):
        return ops.cosine_similarity(x, y)

    x, y = Tensor([[0.0, 0.0]]), Tensor([[0.0, 1.0]])
    close(similarity(x, y), [0])
    assert np.isfinite(ms.grad(similarity, (0, 1))(x, y)[0].asnumpy()).all()


# -- errors ------------------------------------------------------------------------------------------------------------
@pytest.mark.parametrize(
    ("call", "error", "text"),
    [
        (lambda: ops.mse_loss(LOGITS, ONE_HOT, "avg"), ValueError, "'reduction' must be one of"),
        (lambda: ops.cross_entropy(LOGITS, CLASSES, reduction="avg"), ValueError, "'reduction' must be one of"),
        (lambda: ops.cross_entropy(LOGITS, CLASSES, label_smoothing=1.5), ValueError, "'label_smoothing' must be in"),
        (lambda: ops.cross_entropy(LOGITS, Tensor([1], ms.int32)), ValueError, "one class per sample"),
        (lambda: ops.cross_entropy(LOGITS, CLASSES.astype(ms.uint8)), TypeError, "Int32 or Int64"),
        (lambda: ops.cross_entropy(LOGITS, CLASSES, Tensor([1.0])), ValueError, "'weight' must have shape"),
        (lambda: ops.SoftmaxCrossEntropyWithLogits()(LOGITS, CLASSES), TypeError, "must have the same dtype"),
        (lambda: ops.SoftmaxCrossEntropyWithLogits()(LOGITS[0], ONE_HOT[0]), ValueError, "'logits' must have 2 dim"),
        (lambda: ops.SparseSoftmaxCrossEntropyWithLogits()(LOGITS, ONE_HOT), TypeError, "Int32 or Int64"),
        (lambda: ops.smooth_l1_loss(LOGITS, WEIGHT), ValueError, "'target' must have shape"),
        (lambda: ops.kl_div(LOGITS, ONE_HOT, "x"), ValueError, "batchmean"),
        (lambda: ops.binary_cross_entropy(WEIGHT, WEIGHT[:1]), ValueError, "'labels' must have shape"),
    ],
)
def test_what_does_not_fit_is_named(call, error, text):
    with pytest.raises(error, match=text):
        call()
