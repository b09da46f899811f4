"""Values that operators refuse, as MindSpore's kernels do: the same type of exception in both modes, told with the number."""

import numpy as np
import pytest

import mindspore as ms
from mindspore import Parameter, Tensor, nn, ops
from mindspore.ops.operations import sparse_ops

SINGULAR = Tensor([[1.0, 2.0], [2.0, 4.0]])
INDEFINITE = Tensor([[1.0, 2.0], [2.0, 1.0]])
EQUAL = Tensor(np.log(np.full((5, 1, 3), 1 / 3, np.float32)))
ONES = ops.ones((5, 1, 3))
PLACES = Tensor([[0, 0], [0, 1]], ms.int64)


def ints(*values):
    return Tensor(np.array(values, np.int32))


CASES = {
    "cross entropy of no probability": (
        lambda x: ops.binary_cross_entropy(x, ops.ones_like(x)),
        (Tensor([[0.5, 1.5]]),),
        RuntimeError,
        r"'BinaryCrossEntropy', the 'input_x' must be in \[0.0, 1.0\], but got 1.5",
    ),
    "its layer": (
        lambda x: nn.BCELoss()(x, ops.ones_like(x)),
        (Tensor([[-0.25, np.nan]]),),
        RuntimeError,
        "'BinaryCrossEntropy'.*-0.25",
    ),
    "not definite": (ops.cholesky, (INDEFINITE,), RuntimeError, "'Cholesky'.*symmetric positive definite"),
    "one of a batch": (
        lambda x: x.cholesky(),
        (ops.stack([Tensor(np.eye(2, dtype=np.float32)), INDEFINITE]),),
        RuntimeError,
        "positive definite",
    ),
    "not symmetric": (ops.cholesky, (Tensor([[4.0, 1.0], [2.0, 5.0]]),), RuntimeError, "symmetric"),
    "singular equations": (
        ops.matrix_solve,
        (SINGULAR, Tensor([[1.0], [1.0]])),
        ValueError,
        "'MatrixSolve', the 'matrix' must be invertible",
    ),
    "power of no inverse": (lambda x: ops.matrix_power(x, -1), (SINGULAR,), ValueError, "'MatrixPower'.*'n' is -1"),
    "pivots": (ops.lu_unpack, (INDEFINITE, ints(0, 1)), ValueError, r"'LuUnpack', the 'LU_pivots' must be in \[1, 3\)"),
    "pivots of a solution": (
        ops.lu_solve,
        (Tensor([[1.0], [1.0]]), INDEFINITE, ints(1, 9)),
        ValueError,
        "'LuSolve', the 'lu_pivots'.*9",
    ),
    "probability of a coin": (ops.bernoulli, (Tensor([0.5]), Tensor([1.5])), ValueError, "'Bernoulli', the 'p'.*1.5"),
    "integers from nothing": (
        lambda low, high: ops.UniformInt()((2,), low, high),
        (Tensor(5), Tensor(5)),
        RuntimeError,
        "'minval' must be less than 'maxval'",
    ),
    "division by 0": (
        lambda i, u: ops.scatter_div(Parameter(Tensor([1.0, 2.0]), name="x"), i, u),
        (ints(1), Tensor([0.0])),
        ValueError,
        "'ScatterDiv', the 'updates' must not contain 0",
    ),
    "negative numbers": (
        lambda x: ops.operations.Bincount()(x, Tensor(3), Tensor([1.0, 1.0])),
        (ints(0, -1),),
        RuntimeError,
        "'Bincount'.*-1",
    ),
    "endless range": (lambda x: ops.histc(x, 4), (Tensor([np.inf, 1.0]),), ValueError, "'Histogram'.*finite.*inf"),
    "no such image": (
        lambda x, r: ops.ROIAlign(2, 2, 0.5)(x, r),
        (ops.ones((1, 1, 4, 4)), Tensor([[5.0, 0.0, 0.0, 1.0, 1.0]])),
        RuntimeError,
        r"'ROIAlign'.*\[0, 1\), but got 5",
    ),
    "small gamma": (lambda x: ops.mvlgamma(x, 3), (Tensor([0.5]),), ValueError, "'Mvlgamma'.*0.5"),
    "positions of a sparse matrix": (
        lambda i: ops.SparseToDense()(i, Tensor([1.0]), (2, 2)),
        (Tensor([[0, 5]], ms.int32),),
        ValueError,
        r"'SparseToDense', the 'indices' must be in \[0, 2\) on axis 1, but got 5",
    ),
    "more labels than steps": (
        lambda s: ops.CTCLoss()(ONES, PLACES, ints(0, 1), s),
        (ints(1),),
        RuntimeError,
        "'CTCLoss', the 'sequence_length' must not be less than the number of labels",
    ),
    "steps that are not there": (
        lambda s: ops.CTCLoss()(ONES, PLACES, ints(0, 1), s),
        (ints(9),),
        RuntimeError,
        r"'CTCLoss', the 'sequence_length' must be in \[0, 6\), but got 9",
    ),
    "labels behind a blank": (
        lambda v: ops.CTCLoss()(ONES, PLACES, v, ints(5)),
        (ints(2, 1),),
        RuntimeError,
        "'CTCLoss'.*but got 1 behind a blank",
    ),
    "lengths of targets": (
        lambda s: ops.ctc_loss(EQUAL, Tensor([[1, 2]], ms.int32), ints(5), s),
        (ints(9),),
        RuntimeError,
        r"'CTCLossV2', the 'target_lengths' must be in \[0, 3\), but got 9",
    ),
    "steps shorter than targets": (
        lambda s: ops.ctc_loss(EQUAL, Tensor([[1, 2]], ms.int32), s, ints(2)),
        (ints(1),),
        RuntimeError,
        "'CTCLossV2', the 'input_lengths' must not be less",
    ),
    "segments out of order": (
        lambda s: sparse_ops.SparseSegmentSum()(Tensor([[1.0], [2.0]]), ints(0, 1, 0), s),
        (ints(0, 1, 0),),
        ValueError,
        "'SparseSegmentSum', the 'segment_ids' must be sorted",
    ),
    "segments that leave one out": (
        lambda s: sparse_ops.SparseSegmentMean()(Tensor([[1.0], [2.0]]), ints(0, 1), s),
        (ints(0, 2),),
        ValueError,
        "'SparseSegmentMean', the 'segment_ids' must be contiguous",
    ),
    "rows that are not there": (
        lambda i: sparse_ops.SparseSegmentSqrtN()(Tensor([[1.0], [2.0]]), i, ints(0, 1)),
        (ints(0, 5),),
        ValueError,
        r"'SparseSegmentSqrtN', the 'indices' must be in \[0, 2\), but got 5",
    ),
}


@pytest.mark.parametrize("mode", [ms.PYNATIVE_MODE, ms.GRAPH_MODE], ids=["pynative", "graph"])
@pytest.mark.parametrize("name", CASES)
def test_wrong_values_are_refused(name, mode):
    function, inputs, kind, words = CASES[name]
    ms.set_context(mode=mode)
    compiled = ms.jit(function) if mode == ms.GRAPH_MODE else function
    with pytest.raises(kind, match=words):
        result = compiled(*inputs)
        [one.asnumpy() for one in (result if isinstance(result, tuple) else (result,)) if one is not None]


def test_values_at_the_ends_are_allowed():
    assert np.isfinite(ops.binary_cross_entropy(Tensor([0.0, 1.0]), Tensor([0.0, 1.0])).asnumpy())
    assert np.isnan(ops.binary_cross_entropy(Tensor([np.nan, 1.0]), Tensor([0.0, 1.0])).asnumpy())
    slightly = Tensor([[4.0, 1.0], [1.0 + 1e-6, 5.0]])
    assert ops.cholesky(slightly)[0, 0] == 2
    assert ops.histc(Tensor([1, 2]), 2).tolist() == [1, 1]
    padded = ops.CTCLoss()(ONES, PLACES, ints(0, -1), ints(5))[0]  # what is no class fills up a row
    assert np.allclose(padded.asnumpy(), ops.CTCLoss()(ONES, PLACES[:1], ints(0), ints(5))[0].asnumpy())


def test_a_weight_keeps_its_value_when_a_loss_refuses_its_input():
    net = nn.Dense(1, 1, weight_init="ones")
    loss = nn.BCELoss(reduction="mean")
    step = nn.TrainOneStepCell(nn.WithLossCell(net, loss), nn.SGD(net.trainable_params(), 0.5))
    before = net.weight.asnumpy().copy()
    with pytest.raises(RuntimeError, match="'BinaryCrossEntropy'"):
        step(Tensor([[7.0]]), Tensor([[1.0]])).asnumpy()
    assert np.array_equal(net.weight.asnumpy(), before)


def test_a_failed_check_within_vmap_is_told():
    solve = ms.vmap(ops.matrix_solve)
    systems = ops.stack([Tensor([[1.0, 0.0], [0.0, 1.0]]), SINGULAR])
    with pytest.raises(ValueError, match="'MatrixSolve'"):
        solve(systems, ops.ones((2, 2, 1))).asnumpy()


def test_ctc_loss_of_no_labels_is_that_of_the_documents():
    x = Tensor([[[0.3, 0.6, 0.6], [0.4, 0.3, 0.9]], [[0.9, 0.4, 0.2], [0.9, 0.9, 0.1]]])
    loss, slope = ops.CTCLoss()(x, Tensor([[0, 0], [1, 0]], ms.int64), ints(2, 2), ints(2, 2))
    assert np.allclose(loss.asnumpy(), [0.79628, 0.5995158], atol=1e-5)
    assert np.allclose(slope.asnumpy()[0, 0], [0.27029088, 0.36485454, -0.6351454], atol=1e-5)


def test_singular_vectors_of_tall_matrices_have_one_sign():
    _, u, v = ops.svd(Tensor([[1.0, 2.0], [-4.0, -5.0], [2.0, 1.0]]), full_matrices=True)
    assert np.allclose(v.asnumpy(), [[0.63863593, 0.769509], [0.769509, -0.63863593]], atol=1e-5)
    assert np.allclose(u.asnumpy()[:, 0], [0.30821905, -0.90613353, 0.2896955], atol=1e-5)


def test_ranges_of_tensors_run_as_python_inside_a_graph():
    between = ms.jit(lambda start, end: ops.range(start, end, Tensor(1)))
    assert between(Tensor(2), Tensor(5)).tolist() == [2, 3, 4]
