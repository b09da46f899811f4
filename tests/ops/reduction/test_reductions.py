"""Reductions: the dtypes of MindSpore 2.10, and the Tensor methods that take other arguments than the functions."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import mindspore as ms
from mindspore import Tensor, ops

ROWS = np.array([[1.0, 5.0, 3.0], [4.0, 2.0, 6.0]], np.float32)


def check(result: Any, expected: Any, dtype: Any = ms.float32) -> None:
    assert isinstance(result, Tensor) and result.dtype == dtype
    assert result.shape == np.shape(expected)
    np.testing.assert_allclose(result.asnumpy(), expected, 1e-6)


def check_pair(result: Any, value: Any, position: Any) -> None:
    assert isinstance(result, tuple) and len(result) == 2
    check(result[0], value)
    check(result[1], position, ms.int64)


@pytest.mark.parametrize("dtype", [ms.bool_, ms.uint8, ms.int8, ms.int32, ms.int64])
def test_sums_and_products_of_integers_are_int64_but_primitives_keep_the_dtype(dtype: Any):
    x = Tensor(np.array([1, 1, 0]), dtype)
    assert x.sum().dtype == ops.sum(x).dtype == x.prod().dtype == ops.prod(x).dtype == ms.int64
    assert ops.ReduceSum()(x).dtype == dtype


def test_the_mean_of_integers_is_cut_off():
    check(Tensor(np.array([-7, 2], np.int32)).mean(), -2, ms.int32)
    check(ops.ReduceMean()(Tensor(np.array([200, 101], np.uint8))), 150, ms.uint8)
    with pytest.raises(TypeError, match="For 'ReduceMean', the 'x' must be a Tensor of numbers, but got Bool"):
        ops.mean(Tensor([True]))


def test_float16_is_summed_in_float16():
    check(Tensor(np.ones(3, np.float16)).sum(), 3, ms.float16)


def test_the_sum_method_takes_both_signatures():
    x = Tensor(ROWS)
    check(x.sum(), 21)
    check(x.sum(1), [9, 12])
    check(x.sum(1, True), [[9], [12]])
    check(x.sum(axis=1, keepdims=True), [[9], [12]])
    check(x.sum(dim=1, keepdim=True), [[9], [12]])
    check(x.sum(0, ms.float64), [5, 7, 9], ms.float64)
    check(x.sum(axis=(0, 1), initial=2), 23)


def test_the_max_method_gives_positions_when_asked_in_one_of_three_ways():
    x = Tensor(ROWS)
    check(x.max(), 6)
    check(x.max(axis=1), [5, 6])
    check(x.max(axis=1, keepdims=True), [[5], [6]])
    check(x.max(axis=(0, 1)), 6)
    check_pair(x.max(1), [5, 6], [1, 2])
    check_pair(x.max(dim=1, keepdim=True), [[5], [6]], [[1], [2]])
    check_pair(x.max(axis=1, return_indices=True), [5, 6], [1, 2])
    check(x.max(axis=1, initial=5.5, where=Tensor(ROWS < 6)), [5.5, 5.5])


def test_the_min_method_is_its_mirror():
    x = Tensor(ROWS)
    check(x.min(), 1)
    check(x.min(axis=-1), [1, 2])
    check_pair(x.min(1, True), [[1], [2]], [[0], [1]])


def test_the_max_method_refuses_unknown_and_repeated_arguments():
    with pytest.raises(
        TypeError, match=r"For 'Tensor.max', the arguments must be \(dim, keepdim=False\) or .*Unknown argument: axes"
    ):
        Tensor(ROWS).max(axes=1)
    with pytest.raises(TypeError, match=r"For 'Tensor.min', the arguments must be .*but got \(int, axis=int\)"):
        Tensor(ROWS).min(1, axis=1)


def test_extremes_come_as_value_and_position_from_functions_and_reversed_from_primitives():
    x = Tensor(ROWS)
    check_pair(ops.max(x, 1), [5, 6], [1, 2])
    check_pair(ops.max(x), 6, 0)  # without an axis the position is always 0
    check_pair(x.argmin_with_value(1), [1, 2], [0, 1])
    check_pair(ops.ArgMaxWithValue(axis=1)(x)[::-1], [5, 6], [1, 2])
    check_pair(ops.ArgMinWithValue(1, True)(x)[::-1], [[1], [2]], [[0], [1]])


def test_positions_have_the_dtypes_of_mindspore():
    x = Tensor(ROWS)
    check(ops.argmax(x), 5, ms.int64)
    check(ops.argmin(x), 0, ms.int32)
    check(x.argmax(axis=1, keepdims=True), [[1], [2]], ms.int64)
    check(ops.Argmax()(x), [1, 2], ms.int32)
    check(ops.Argmax(0, ms.int64)(x), [1, 0, 1], ms.int64)


def test_where_needs_an_initial_value():
    with pytest.raises(ValueError, match="For 'amax', the 'initial' must be a number when 'where' is given"):
        ops.amax(Tensor(ROWS), where=Tensor(ROWS > 2))


def test_the_running_sum_method_flattens_and_widens():
    check(Tensor(ROWS).cumsum(), [1, 6, 9, 13, 15, 21])
    check(Tensor(ROWS).cumsum(axis=0), np.cumsum(ROWS, 0))
    check(Tensor(np.array([200, 100], np.uint8)).cumsum(0), [200, 300], ms.int32)
    check(ops.cumsum(Tensor(np.array([1, 2], np.int32)), 0), [1, 3], ms.int32)
    check(Tensor(ROWS).cumsum(0, ms.float64), np.cumsum(ROWS, 0), ms.float64)


def test_equal_elements_keep_their_order_in_sorts():
    x = Tensor([2.0, 3.0, 2.0, 3.0])
    check(ops.sort(x, descending=True)[1], [1, 3, 0, 2], ms.int32)
    check(ops.argsort(x), [0, 2, 1, 3], ms.int32)
    check(ops.topk(x, 2)[1], [1, 3], ms.int32)
    check(ops.topk(x, 3, largest=False)[1], [0, 2, 1], ms.int32)


def test_the_range_of_the_elements():
    check(Tensor(ROWS).ptp(), 5)
    check(Tensor(ROWS).ptp(1, True), [[4], [4]])


@pytest.mark.parametrize("call", [lambda x: ops.sum(x, 5), lambda x: ops.ReduceMean()(x, 5), lambda x: x.max(axis=5),
                                  lambda x: ops.argmax(x, 5), lambda x: ops.cumsum(x, 5), lambda x: ops.sort(x, 5),
                                  lambda x: ops.median(x, 5), lambda x: ops.logsumexp(x, 5)])  # fmt: skip
def test_an_axis_outside_the_tensor_is_refused_with_the_range(call: Any):
    with pytest.raises(ValueError, match=r"'axis' must be in \[-2, 2\), but got 5"):
        call(Tensor(ROWS))


def test_k_outside_the_axis_is_refused():
    with pytest.raises(ValueError, match=r"For 'topk', the 'k' must be in \(0,3\], but got 7"):
        ops.topk(Tensor(ROWS), 7)


def test_norms_refuse_orders_they_do_not_have():
    with pytest.raises(ValueError, match="For 'norm', the 'ord' of a matrix norm must be one of"):
        ops.norm(Tensor(ROWS), 3)
    with pytest.raises(ValueError, match="must name 1 axis"):
        ops.norm(Tensor(ROWS[None]), 1)


def test_clipping_takes_a_list_and_needs_a_bound():
    clipped = ops.clip_by_value([Tensor([1.0, 9.0]), Tensor([5])], 2, 6.5)
    assert isinstance(clipped, list)
    check(clipped[0], [2, 6.5])
    check(clipped[1], [5], ms.int64)
    with pytest.raises(ValueError, match="must not both be None"):
        ops.clip_by_value(Tensor([1.0]))
    with pytest.raises(ValueError, match="must not both be None"):
        ops.clamp(Tensor([1.0]))


def test_gradients_are_clipped_together():
    parts = (Tensor([3.0]), Tensor(np.array([4.0], np.float16)))
    clipped = ops.clip_by_global_norm(parts, 1.0)
    check(clipped[0], [0.6])
    assert clipped[1].dtype == ms.float16
    check(ops.clip_by_norm(Tensor([3.0, 4.0]), 10.0), [3, 4])
    with pytest.raises(ValueError, match="'clip_norm' must > 0"):
        ops.clip_by_global_norm(parts, 0.0)
    with pytest.raises(RuntimeError, match="infinities or NaN"):
        ops.clip_by_norm(Tensor([float("nan")]), 1.0, error_if_nonfinite=True)


def test_where_the_initial_value_is_the_extreme_its_first_place_is_told(mode):
    x = Tensor([[2, 5, 1, 6], [3, -7, -2, 4], [8, -4, 1, -3]])
    where = Tensor([[True, False, True, False], [False, False, True, True], [True, True, True, False]])
    value, index = ops.min(x, axis=1, initial=0, where=where)
    assert (value.asnumpy().tolist(), index.asnumpy().tolist()) == ([0, -2, -4], [0, 2, 1])


@pytest.mark.parametrize("dtype", [ms.float32, ms.float16, ms.int64])
def test_products_of_many_elements(dtype):
    x = np.random.RandomState(0).choice([0.5, 1.0, 2.0] if dtype != ms.int64 else [1, 3, -1], (2, 40, 64))
    for axis in (None, -1, (1, 2), 0):
        wanted = x.prod(axis)
        with np.errstate(over="ignore"):
            wanted = wanted.astype(np.float16) if dtype == ms.float16 else wanted
        np.testing.assert_array_equal(ops.prod(Tensor(x, dtype), axis).asnumpy(), wanted)


def test_the_gradient_of_a_product_of_many_elements_passes_zeros():
    x = np.random.RandomState(0).rand(2, 2048).astype(np.float32) * 0.01 + 0.995
    x[1, 7] = 0
    found = ms.grad(lambda x: ops.prod(x, 1).sum())(Tensor(x)).asnumpy()
    np.testing.assert_allclose(found[0], x[0].astype(np.float64).prod() / x[0], rtol=1e-3)
    np.testing.assert_allclose(
        found[1], np.where(np.arange(2048) == 7, np.delete(x[1], 7).astype(np.float64).prod(), 0), rtol=1e-3
    )
