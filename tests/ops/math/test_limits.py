"""Whole numbers divided by zero, NaN in medians, results that no computer holds, labels of the wrong dtype: as MindSpore has it."""

import numpy as np
import pytest

import mindspore as ms
import mindspore.numpy as mnp
from mindspore import Tensor, mint, nn, ops

WHOLE = (ms.int8, ms.int16, ms.int32, ms.int64)


def whole(values, dtype):
    return Tensor(values, dtype)


@pytest.mark.parametrize("dtype", [*WHOLE, ms.uint8, ms.uint16, ms.uint32, ms.uint64], ids=str)
def test_a_whole_number_divided_by_zero_is_the_largest_the_lowest_or_zero(dtype, mode):
    limits = np.iinfo(dtype.np_dtype)
    signed = limits.min < 0
    x, zero = whole([7, -7 if signed else 9, 0, 9], dtype), whole([0, 0, 0, 2], dtype)
    expected = [limits.max, limits.min if signed else limits.max, 0, 4]
    ways = (ops.floor_div, ops.TruncateDiv(), ops.RealDiv(), lambda x, y: x // y, mint.floor_divide, mnp.floor_divide)
    for divide in ways:
        np.testing.assert_array_equal(divide(x, zero).asnumpy(), expected)
    np.testing.assert_array_equal(ms.jit(lambda x, y: x // y)(x, zero).asnumpy(), expected)
    np.testing.assert_array_equal((x // 0).asnumpy(), [*expected[:3], limits.max])


@pytest.mark.parametrize("dtype", WHOLE, ids=str)
def test_remainders_of_whole_numbers_divided_by_zero(dtype, mode):
    lowest = np.iinfo(dtype.np_dtype).min if dtype in (ms.int32, ms.int64) else 0
    x, zero = whole([7, -7, 0, 9], dtype), whole([0, 0, 0, 2], dtype)
    for remain, expected in {
        ops.floor_mod: [lowest, lowest, lowest, 1],
        (lambda x, y: x % y): [lowest, lowest, lowest, 1],
        ops.Mod(): [lowest, lowest, 0, 1],
        ops.remainder: [7, -7, 0, 1],
        mint.remainder: [7, -7, 0, 1],
        ops.fmod: [7, -7, 0, 1],
        ops.TruncateMod(): [0, 0, 0, 1],
        mnp.mod: [0, 0, 0, 1],
        mnp.fmod: [0, 0, 0, 1],
        (lambda x, y: ops.div(x, y, rounding_mode="trunc")): [lowest, lowest, lowest, 4],
    }.items():
        np.testing.assert_array_equal(remain(x, zero).asnumpy(), expected)


def test_true_division_by_zero_is_infinite():
    np.testing.assert_array_equal((Tensor([7, -7, 0]) / Tensor([0, 0, 0])).asnumpy(), [np.inf, -np.inf, np.nan])


def test_the_median_of_numbers_with_nan_is_the_first_nan(mode):
    x = Tensor([[1.0, np.nan, 3.0], [4.0, 5.0, 6.0], [np.nan, np.nan, 1.0]])
    value, position = ops.median(x, 1)
    np.testing.assert_array_equal(value.asnumpy(), [np.nan, 5, np.nan])
    np.testing.assert_array_equal(position.asnumpy(), [1, 1, 0])
    value, position = ops.nanmedian(x, 1)
    np.testing.assert_array_equal(value.asnumpy(), [1, 5, 1])
    assert np.isnan(ops.Median(global_median=True)(x)[0].asnumpy())


BIG, HUGE = 1 << 60, (1 << 32, 1 << 32)
X = Tensor([1.0, 2.0])
TOO_LARGE = {
    "tile": (lambda: ops.tile(X, (BIG,)), RuntimeError),
    "tile, several axes": (lambda: ops.tile(X, HUGE), ValueError),
    "tile, no number of 64 bits": (lambda: ops.tile(X, (1 << 63,)), ValueError),
    "Tensor.tile": (lambda: X.tile((BIG,)), RuntimeError),
    "zeros": (lambda: ops.zeros(HUGE), ValueError),
    "zeros of one axis": (lambda: ops.zeros(BIG), RuntimeError),
    "ones": (lambda: ops.ones((BIG, 2)), RuntimeError),
    "full": (lambda: ops.full(HUGE, 1.0), ValueError),
    "repeat_interleave": (lambda: ops.repeat_interleave(X, BIG, 0), RuntimeError),
    "broadcast_to": (lambda: ops.broadcast_to(Tensor([1.0]), HUGE), ValueError),
    "expand": (lambda: Tensor([1.0]).expand(BIG), RuntimeError),
    "eye": (lambda: ops.eye(1 << 40, 1 << 40, ms.float32), ValueError),
    "arange": (lambda: ops.arange(0, BIG), RuntimeError),
    "linspace": (lambda: ops.linspace(0.0, 1.0, BIG), RuntimeError),
    "pad": (lambda: ops.pad(X, (0, BIG)), RuntimeError),
    "one_hot": (lambda: ops.one_hot(Tensor([0, 1]), BIG), RuntimeError),
    "randn": (lambda: ops.randn(BIG), RuntimeError),
    "standard_normal": (lambda: ops.standard_normal((BIG,)), RuntimeError),
    "unsorted_segment_sum": (lambda: ops.unsorted_segment_sum(X, Tensor([0, 1], ms.int32), BIG), RuntimeError),
    "scatter_nd": (lambda: ops.scatter_nd(Tensor([[0]], ms.int32), Tensor([1.0]), (BIG,)), RuntimeError),
    "tril_indices": (lambda: ops.tril_indices(1 << 31, 1 << 31), ValueError),
    "interpolate": (lambda: ops.interpolate(Tensor(np.ones((1, 1, 2, 2), np.float32)), size=HUGE), ValueError),
    "diag_embed": (lambda: ops.diag_embed(X, 1 << 40), ValueError),
}


@pytest.mark.parametrize("name", TOO_LARGE)
def test_a_result_that_no_computer_holds_is_refused(name, mode):
    function, kind = TOO_LARGE[name]
    with pytest.raises(kind):
        function()


def test_results_that_are_too_large_are_refused_in_graphs_too():
    with pytest.raises(RuntimeError, match="'Tile', the 'shape' of the result"):
        ms.jit(lambda x: ops.tile(x, (BIG,)))(X)


def test_labels_of_floating_point_numbers_are_told_to_be_cast(mode):
    scores, labels = Tensor(np.ones((3, 4), np.float32)), Tensor([0.0, 1.0, 2.0])
    for loss in (ops.cross_entropy, nn.CrossEntropyLoss(), ops.nll_loss):
        with pytest.raises(TypeError, match=r"Int32 or Int64.*[Ff]loat.*astype"):
            loss(scores, labels)
    with pytest.raises(ValueError, match="must have shape"):
        ops.cross_entropy(scores, Tensor(np.ones((3, 2), np.float32)))
