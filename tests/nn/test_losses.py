"""Losses: what recorded cases cannot show. Those compare values and gradients with real MindSpore."""

from __future__ import annotations

import itertools

import numpy as np
import pytest

import mindspore as ms
from mindspore import Tensor, nn, ops
from mindspore.nn.loss import loss as loss_module


def tensor(*shape, seed=0, low=-1.0, high=1.0):
    return Tensor(np.random.default_rng(seed).uniform(low, high, shape).astype(np.float32))


# -- the base ----------------------------------------------------------------------------------------------------------
def test_old_names_of_the_base_are_there():
    assert issubclass(loss_module._Loss, nn.LossBase) and issubclass(loss_module.Loss, nn.LossBase)
    assert nn.loss.LossBase is nn.LossBase is loss_module.LossBase


def test_own_losses_use_get_loss(mode):
    class Weighted(nn.LossBase):
        def construct(self, x, y, weight):
            return self.get_loss((x - y).abs(), weight)

    x, y, weight = Tensor([[1.0, 2.0], [3.0, 4.0]]), Tensor([0.0, 0.0]), Tensor([1.0, 0.5])
    assert Weighted("mean")(x, y, weight).asnumpy() == pytest.approx(7 / 4)
    assert Weighted("sum")(x, y, 2.0).asnumpy() == pytest.approx(20)
    np.testing.assert_allclose(Weighted("none")(x, y, weight).asnumpy(), [[1, 1], [3, 2]])


def test_get_loss_keeps_the_dtype(mode):
    class Plain(nn.LossBase):
        def construct(self, x):
            return self.get_loss(x)

    assert Plain()(Tensor(np.full(1000, 1000.0), ms.float16)).asnumpy() == 1000  # summed in float32: no overflow
    assert Plain()(Tensor([1.0], ms.float16)).dtype == ms.float16


def test_the_parts_that_programs_use_are_there():
    loss = nn.LossBase("sum")
    assert (loss.reduce, loss.average) == (True, False)
    x = Tensor([[1.0, 3.0]])
    assert loss.reduce_mean(x).asnumpy() == 2 and loss.reduce_sum(x).asnumpy() == 4
    assert loss.cast(loss.mul(x, x), ms.int32).asnumpy().tolist() == [[1, 9]] and loss.get_axis(x) == (0, 1)


def test_a_loss_without_construct_says_so():
    with pytest.raises(NotImplementedError, match="'construct' must be defined"):
        nn.LossBase()(Tensor([1.0]), Tensor([1.0]))


@pytest.mark.parametrize("wrong", ["avg", None, 3, "MEAN"])
def test_reductions_are_checked(wrong):
    with pytest.raises(ValueError, match=r"'reduction' must be in \['mean', 'sum', 'none'\]"):
        nn.MSELoss(wrong)


# -- classes -----------------------------------------------------------------------------------------------------------
def test_softmax_cross_entropy_of_known_numbers(mode):
    logits, labels = Tensor([[1.0, 2.0, 3.0], [1.0, 1.0, 1.0]]), Tensor([2, 0], ms.int32)
    none, mean = (nn.SoftmaxCrossEntropyWithLogits(sparse=True, reduction=way) for way in ("none", "mean"))
    np.testing.assert_allclose(none(logits, labels).asnumpy(), [0.40760595, 1.09861231], 1e-6)
    gradient = ms.grad(lambda x: mean(x, labels))(logits).asnumpy()
    expected = [[0.0450153, 0.1223641, -0.1673793], [-0.3333333, 0.1666667, 0.1666667]]
    np.testing.assert_allclose(gradient, expected, atol=1e-6)


def test_sparse_labels_work_with_float16_logits(mode):
    loss = nn.SoftmaxCrossEntropyWithLogits(sparse=True)
    result = loss(Tensor([[1.0, 1.0]], ms.float16), Tensor([1], ms.int64))
    assert result.dtype == ms.float16 and result.asnumpy() == pytest.approx([0.6931], abs=1e-3)


def test_a_class_that_does_not_exist_has_no_loss(mode):
    loss = nn.SoftmaxCrossEntropyWithLogits(sparse=True)
    np.testing.assert_allclose(loss(tensor(2, 3), Tensor([5, -1], ms.int32)).asnumpy(), [0, 0])


@pytest.mark.parametrize(
    ("labels", "error"),
    [
        (Tensor([0.0, 1.0]), TypeError),
        (Tensor([0, 1], ms.uint8), TypeError),
        (Tensor([[0], [1]], ms.int32), ValueError),
        (Tensor([0, 1, 2], ms.int32), ValueError),
    ],
)
def test_sparse_labels_are_checked(labels, error):
    with pytest.raises(error, match="labels"):
        nn.SoftmaxCrossEntropyWithLogits(sparse=True)(tensor(2, 3), labels)


def test_sampled_softmax_leaves_out_accidental_hits(mode):
    weights, biases, inputs = tensor(5, 3), tensor(5, seed=1), tensor(2, 3, seed=2)
    labels = Tensor([[1], [0]], ms.int32)
    sampled = (Tensor([1, 4], ms.int32), Tensor([[1.0], [1.0]]), Tensor([1.0, 1.0]))
    loss = nn.SampledSoftmaxLoss(2, 5, sampled_values=sampled)(weights, biases, labels, inputs).asnumpy()
    scores = inputs.asnumpy() @ weights.asnumpy().T + biases.asnumpy()
    hit = scores[0, [1, 4]]  # class 1 is the true one: it counts once
    assert loss[0] == pytest.approx(np.log(np.exp(hit).sum()) - hit[0], rel=1e-5)


def test_sampled_softmax_over_all_classes_is_the_softmax():
    weights, biases, inputs = tensor(4, 3), tensor(4, seed=1), tensor(2, 3, seed=2)
    labels = Tensor([[1], [3]], ms.int32)
    loss = nn.SampledSoftmaxLoss(4, 4, seed=1, reduction="mean")
    full = ops.cross_entropy(ops.matmul(inputs, weights.T) + biases, labels.reshape((-1,)))
    assert loss(weights, biases, labels, inputs).asnumpy() == pytest.approx(float(full), rel=1e-4)


def test_candidate_samplers_draw_distinct_classes():
    true = Tensor([[0], [3]], ms.int64)
    for sampler in (ops.UniformCandidateSampler(1, 6, True, 8, 1), ops.LogUniformCandidateSampler(1, 6, True, 8, 1)):
        draws = [sampler(true) for _ in range(3)]
        for classes, true_count, count in draws:
            assert len(set(classes.tolist())) == 6 and max(classes.tolist()) < 8
            assert true_count.shape == (2, 1) and count.shape == (6,) and (count.asnumpy() > 0).all()
        assert len({tuple(classes.tolist()) for classes, _, _ in draws}) > 1  # another draw each time


def test_candidates_can_avoid_the_true_classes():
    sampler = ops.UniformCandidateSampler(1, 3, True, 5, 1, remove_accidental_hits=True)
    assert sorted(sampler(Tensor([[0], [3]]))[0].tolist()) == [1, 2, 4]
    with pytest.raises(ValueError, match="must not exceed 'range_max'"):
        ops.UniformCandidateSampler(1, 6, True, 5)


# -- margins without a CPU kernel in real MindSpore ---------------------------------------------------------------------
def test_soft_margin_loss(mode):
    x, y = tensor(2, 3), Tensor([[1.0, -1.0, 1.0], [-1.0, 1.0, -1.0]])
    expected = np.log1p(np.exp(-x.asnumpy() * y.asnumpy()))
    np.testing.assert_allclose(nn.SoftMarginLoss("none")(x, y).asnumpy(), expected, 1e-5)
    assert nn.SoftMarginLoss()(x, y).asnumpy() == pytest.approx(expected.mean(), rel=1e-5)


def test_multilabel_margin_loss(mode):
    x, labels = Tensor([[0.1, 0.2, 0.4, 0.8]]), Tensor([[3, 0, -1, 1]], ms.int32)
    expected = ((1 - (0.8 - 0.2)) + (1 - (0.8 - 0.4)) + (1 - (0.1 - 0.2)) + (1 - (0.1 - 0.4))) / 4
    assert nn.MultilabelMarginLoss()(x, labels).asnumpy() == pytest.approx(expected)


@pytest.mark.parametrize(("p", "swap"), [(2, False), (1, True), (3, False)])
def test_triplet_margin_loss(mode, p, swap):
    anchor, positive, negative = (tensor(4, 3, seed=seed) for seed in range(3))

    def distance(x, y):
        return (np.abs(x.asnumpy() - y.asnumpy() + 1e-6) ** p).sum(-1) ** (1 / p)

    other = distance(anchor, negative)
    if swap:
        other = np.minimum(other, distance(positive, negative))
    for margin in (1.0, 0.25):
        expected = np.maximum(distance(anchor, positive) - other + margin, 0).mean()
        loss = nn.TripletMarginLoss(p=p, swap=swap, margin=margin)
        assert loss(anchor, positive, negative).asnumpy() == pytest.approx(expected, rel=1e-4)
        given = nn.TripletMarginLoss(p=p, swap=swap)(anchor, positive, negative, Tensor(margin))
        assert given.asnumpy() == pytest.approx(expected, rel=1e-4)


def test_triplets_that_coincide_have_finite_gradients(mode):
    x = tensor(2, 3)
    loss = nn.TripletMarginWithDistanceLoss()
    assert np.isfinite(ms.grad(loss, (0, 1, 2))(x, x, x)[1].asnumpy()).all()


# -- sequences ---------------------------------------------------------------------------------------------------------
def likelihood(scores, labels, blank):
    """The definition: the sum over all paths that give the labels once repetitions and blanks are gone."""
    total = 0.0
    for path in itertools.product(range(scores.shape[1]), repeat=len(scores)):
        merged = [c for i, c in enumerate(path) if (i == 0 or c != path[i - 1]) and c != blank]
        if merged == list(labels):
            total += np.exp(sum(scores[t, c] for t, c in enumerate(path)))
    return total


@pytest.mark.parametrize("blank", [0, 2])
def test_ctc_sums_over_all_paths(mode, blank):
    log_probs = ops.log_softmax(tensor(4, 3, 3), 2)
    one = 1 if blank == 0 else 0
    targets, steps, lengths = Tensor([[one, 1], [1, 1], [one, one]], ms.int32), [4, 3, 4], [2, 1, 0]
    loss = nn.CTCLoss(blank, "none")(log_probs, targets, Tensor(steps, ms.int32), Tensor(lengths, ms.int32)).asnumpy()
    for n in range(3):
        expected = likelihood(log_probs.asnumpy()[: steps[n], n], targets.asnumpy()[n, : lengths[n]], blank)
        assert loss[n] == pytest.approx(-np.log(expected), rel=1e-4)


def test_ctc_gradient_is_that_of_the_logits(mode):
    logits, targets = tensor(4, 1, 3), Tensor([[1, 2]], ms.int32)
    steps, lengths = Tensor([4], ms.int32), Tensor([2], ms.int32)
    loss = nn.CTCLoss(reduction="sum")

    def of_logits(x):
        return loss(ops.log_softmax(x, 2), targets, steps, lengths)

    gradient = ms.grad(of_logits)(logits).asnumpy()
    step = 1e-2
    for place in np.ndindex(4, 1, 3):
        ends = []
        for sign in (1, -1):
            moved = logits.asnumpy().copy()
            moved[place] += sign * step
            ends.append(float(of_logits(Tensor(moved))))
        assert gradient[place] == pytest.approx((ends[0] - ends[1]) / (2 * step), abs=2e-3)


def test_ctc_labels_that_do_not_fit(mode):
    log_probs, targets = ops.log_softmax(tensor(2, 1, 3), 2), Tensor([[1, 1]], ms.int32)
    steps, lengths = Tensor([2], ms.int32), Tensor([2], ms.int32)  # 1, blank, 1 needs three steps
    assert np.isinf(nn.CTCLoss()(log_probs, targets, steps, lengths).asnumpy())
    zero = nn.CTCLoss(zero_infinity=True)
    assert zero(log_probs, targets, steps, lengths).asnumpy() == 0
    gradient = ms.grad(lambda x: zero(x, targets, steps, lengths))(log_probs).asnumpy()
    assert (gradient == 0).all()


def test_ctc_takes_a_single_sequence():
    log_probs = ops.log_softmax(tensor(4, 1, 3), 2)
    batched = nn.CTCLoss()(log_probs, Tensor([[1, 2]], ms.int32), Tensor([4], ms.int32), Tensor([2], ms.int32))
    single = nn.CTCLoss()(log_probs[:, 0], Tensor([1, 2], ms.int32), Tensor(4, ms.int32), Tensor(2, ms.int32))
    np.testing.assert_allclose(single.asnumpy(), batched.asnumpy())


def test_ctc_primitive_takes_sparse_labels():
    logits = tensor(4, 2, 3)
    indices, values = Tensor([[0, 0], [0, 1], [1, 0]], ms.int64), Tensor([0, 1, 1], ms.int32)
    loss, gradient = ops.CTCLoss()(logits, indices, values, Tensor([4, 3], ms.int32))
    scores = ops.log_softmax(logits, 2)
    dense = ops.ctc_loss(
        scores, Tensor([[0, 1], [1, 0]], ms.int32), Tensor([4, 3], ms.int32), Tensor([2, 1], ms.int32), 2, "none"
    )
    np.testing.assert_allclose(loss.asnumpy(), dense[0].asnumpy(), 1e-5)
    slope = ms.grad(lambda x: ops.CTCLoss()(x, indices, values, Tensor([4, 3], ms.int32))[0].sum())(logits)
    np.testing.assert_allclose(slope.asnumpy(), gradient.asnumpy(), atol=1e-5)


def test_ctc_primitive_options():
    logits, steps = tensor(4, 1, 3), Tensor([4], ms.int32)
    indices, values = Tensor([[0, 0], [0, 1]], ms.int64), Tensor([1, 1], ms.int32)
    collapsed = ops.CTCLoss(preprocess_collapse_repeated=True)(logits, indices, values, steps)[0]
    single = ops.CTCLoss()(logits, indices[:1], values[:1], steps)[0]
    np.testing.assert_allclose(collapsed.asnumpy(), single.asnumpy(), 1e-5)
    too_short = Tensor([1], ms.int32)
    with pytest.raises(RuntimeError, match="'sequence_length' must not be less than the number of labels"):
        ops.CTCLoss()(logits, indices, values, too_short)[0].asnumpy()
    loss, gradient = ops.CTCLoss(ignore_longer_outputs_than_inputs=True)(logits, indices, values, too_short)
    assert np.isinf(loss.asnumpy()) and not gradient.asnumpy().any()


@pytest.mark.parametrize(("options", "labels", "expected"), [
    ((), [0, 1, 3, 3], 3.8055), ((), [0, 0, 3], 4.3163), ((), [0, 3, 3], 5.7898), ((True,), [0, 0, 3], 5.7898),
    ((False, False), [0, 1, 3, 3, 3, 3, 3, 3], 5.7275), ((False, False), [0, 0, 3], 5.6005),
])  # fmt: skip
def test_ctc_labels_may_be_padded_with_the_blank(mode, options, labels, expected):
    logits = Tensor(np.random.RandomState(0).randn(6, 1, 4).astype(np.float32))
    places, steps = Tensor([[0, i] for i in range(len(labels))], ms.int64), Tensor([6], ms.int32)
    loss, gradient = ops.CTCLoss(*options)(logits, places, Tensor(labels, ms.int32), steps)
    np.testing.assert_allclose(loss.asnumpy(), [expected], atol=1e-4)
    slope = ms.grad(lambda x: ops.CTCLoss(*options)(x, places, Tensor(labels, ms.int32), steps)[0].sum())(logits)
    np.testing.assert_allclose(slope.asnumpy(), gradient.asnumpy(), atol=1e-5)
    assert np.abs(gradient.asnumpy()).sum() > 1


def test_ctc_of_a_blank_among_the_labels_is_as_in_real_mindspore():
    scores = np.random.RandomState(0).randn(5, 2, 4).astype(np.float32)
    log_probs = Tensor(scores - np.log(np.exp(scores).sum(2, keepdims=True)))
    loss, _ = ops.ctc_loss(log_probs, Tensor([[1, 0], [3, 1]], ms.int32), Tensor([5, 5]), Tensor([2, 2]), 0, "none")
    np.testing.assert_allclose(loss.asnumpy(), [2.969, 2.823], atol=1e-3)


@pytest.mark.parametrize("reduction", ["none", "mean", "sum"])
def test_ctc_loss_of_one_sequence_is_a_scalar(mode, reduction):
    scores = ops.log_softmax(tensor(5, 3), 1)
    loss = nn.CTCLoss(reduction=reduction)(
        scores, Tensor([1, 2], ms.int32), Tensor([5], ms.int32), Tensor([2], ms.int32)
    )
    assert loss.shape == () and loss == nn.CTCLoss(reduction=reduction)(scores, Tensor([1, 2], ms.int32), (5,), (2,))


# -- others ------------------------------------------------------------------------------------------------------------
def test_bce_weights_broadcast(mode):
    x, y, weight = tensor(2, 3, low=0.1, high=0.9), tensor(2, 3, seed=1, low=0, high=1), Tensor([0.5, 1.0, 2.0])
    full = Tensor(np.broadcast_to(weight.asnumpy(), (2, 3)).copy())
    np.testing.assert_allclose(nn.BCELoss(weight)(x, y).asnumpy(), nn.BCELoss(full)(x, y).asnumpy(), 1e-6)


@pytest.mark.parametrize(
    ("wrong", "error", "text"),
    [
        (lambda: nn.SoftmaxCrossEntropyWithLogits("a"), TypeError, "sparse"),
        (lambda: nn.CrossEntropyLoss([1.0, 2.0]), TypeError, r"Write Tensor\(...\)"),
        (lambda: nn.DiceLoss(1), TypeError, "Write 1.0"),
        (lambda: nn.DiceLoss()(tensor(2, 3), tensor(3)), ValueError, "same shape"),
        (lambda: nn.FocalLoss()(tensor(2, 3), Tensor([0, 2], ms.int32)), ValueError, "2 to 4 dimensions"),
        (lambda: nn.TripletMarginWithDistanceLoss(3), TypeError, "distance_function"),
        (lambda: nn.SampledSoftmaxLoss(7, 5), ValueError, "num_sampled"),
        (lambda: nn.CTCLoss(blank=5)(ops.zeros((2, 1, 3)), Tensor([[1]], ms.int32), Tensor([2], ms.int32),
                                     Tensor([1], ms.int32)), ValueError, "blank"),
        (lambda: nn.KLDivLoss("average"), ValueError, "batchmean"),
    ],
)  # fmt: skip
def test_errors_say_what_is_wrong(wrong, error, text):
    with pytest.raises(error, match=text):
        wrong()
