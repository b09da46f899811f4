"""Pooling: padding, ties, averages at the border, indices. The numbers are those of MindSpore 2.10."""

from __future__ import annotations

import numpy as np
import pytest

import mindspore as ms
from mindspore import Tensor, ops

SQUARE = np.arange(25, dtype=np.float32).reshape(1, 1, 5, 5)


def plane(result: Tensor) -> list:
    return np.round(result.asnumpy()[0, 0].astype(np.float64), 5).tolist()


def test_valid_windows_leave_the_rest_out_and_same_windows_take_it_in():
    x = Tensor(SQUARE)
    assert plane(ops.MaxPool(2, 2)(x)) == [[6, 8], [16, 18]]
    assert plane(ops.MaxPool(2, 2, "SAME")(x)) == [[6, 8, 9], [16, 18, 19], [21, 23, 24]]


def test_same_averages_count_real_elements_only():
    assert plane(ops.AvgPool(2, 2, "same")(Tensor(SQUARE))) == [[3, 5, 6.5], [13, 15, 16.5], [20.5, 22.5, 24]]
    # the volume's primitive counts padding unless told otherwise
    assert ops.AvgPool3D(2, 2, "same")(ops.ones((1, 1, 3, 3, 3))).asnumpy().min() == 1 / 8
    assert ops.AvgPool3D(2, 2, "same", count_include_pad=False)(ops.ones((1, 1, 3, 3, 3))).asnumpy().min() == 1


def test_averages_with_padding_and_rounding_up():
    x = Tensor(SQUARE)
    assert plane(ops.avg_pool2d(x, 3, 2, 1)) == [[1.33333, 3, 2.66667], [7, 12, 9], [8, 13, 9.33333]]
    assert plane(ops.avg_pool2d(x, 3, 2, 1, False, False)) == [[3, 4.5, 6], [10.5, 12, 13.5], [18, 19.5, 21]]
    assert plane(ops.avg_pool2d(x, 2, 2, 0, True)) == [[3, 5, 6.5], [13, 15, 16.5], [20.5, 22.5, 24]]
    assert plane(ops.avg_pool2d(x, 2, 2, 1, True)) == [[0, 0.75, 1.75], [3.75, 9, 11], [8.75, 19, 21]]
    assert plane(ops.avg_pool2d(x, 2, 2, divisor_override=3)) == [[4, 6.66667], [17.33333, 20]]


def test_default_steps_are_the_kernel_for_max_and_one_for_averages():
    assert ops.max_pool2d(Tensor(SQUARE), 2).shape == (1, 1, 2, 2)
    assert ops.avg_pool2d(Tensor(SQUARE), 2).shape == (1, 1, 4, 4)


def test_windows_with_gaps():
    assert plane(ops.max_pool2d(Tensor(SQUARE), 2, 2, 0, 2)) == [[12, 14], [22, 24]]


def test_the_first_of_equal_elements_takes_the_gradient(mode):
    def overlapping(x):
        return ops.MaxPool(3, 1, "same")(x)

    def apart(x):
        return ops.max_pool2d(x, 2)

    def adaptive(x):
        return ops.adaptive_max_pool2d(x, 2)

    assert plane(ms.grad(overlapping)(ops.ones((1, 1, 3, 3)))) == [[4, 2, 0], [2, 1, 0], [0, 0, 0]]
    for function in (apart, adaptive):
        assert plane(ms.grad(function)(ops.ones((1, 1, 4, 4)))) == [[1, 0, 1, 0], [0] * 4, [1, 0, 1, 0], [0] * 4]


def test_indices_point_at_the_elements():
    x = np.random.default_rng(0).standard_normal((2, 3, 7, 8)).astype(np.float32)
    for values, indices in (
        ops.max_pool2d(Tensor(x), 3, 2, 1, return_indices=True),
        ops.max_pool2d(Tensor(x), 2, 2, 0, 2, True, True),
        ops.adaptive_max_pool2d(Tensor(x), (3, 5), True),
    ):
        flat = x.reshape(2, 3, -1)
        picked = np.take_along_axis(flat, indices.asnumpy().reshape(2, 3, -1), axis=2)
        np.testing.assert_array_equal(picked.reshape(values.shape), values.asnumpy())
        assert indices.dtype == ms.int64
    values, indices = ops.MaxPoolWithArgmax(2, 2)(Tensor(x))
    assert indices.dtype == ms.int32
    picked = np.take_along_axis(x.reshape(2, -1), indices.asnumpy().reshape(2, -1), axis=1)  # counted over channels too
    np.testing.assert_array_equal(picked.reshape(values.shape), values.asnumpy())


def test_padding_never_wins():
    result = ops.max_pool2d(Tensor(np.full((1, 1, 4, 4), -5, np.float32)), 3, 1, 1, return_indices=True)
    assert (result[0].asnumpy() == -5).all()
    assert (result[1].asnumpy() < 16).all() and (result[1].asnumpy() >= 0).all()


def test_adaptive_windows_share_the_input():
    x = Tensor(SQUARE)
    assert plane(ops.adaptive_avg_pool2d(x, (2, 3))) == [[5.5, 7, 8.5], [15.5, 17, 18.5]]
    assert plane(ops.AdaptiveAvgPool2D((None, 1))(x)) == [[2], [7], [12], [17], [22]]
    assert plane(ops.adaptive_max_pool2d(x, 2)) == [[12, 14], [22, 24]]
    assert ops.adaptive_avg_pool3d(ops.ones((2, 3, 7, 8, 5)), (3, None, 2)).shape == (2, 3, 3, 8, 2)
    assert ops.adaptive_avg_pool3d(ops.zeros((0, 3, 6, 8, 4), ms.float32), (3, None, 2)).shape == (0, 3, 3, 8, 2)


def test_channels_last_is_the_same_pooling():
    x = np.random.default_rng(0).standard_normal((2, 3, 7, 8)).astype(np.float32)
    for pool in (ops.MaxPool, ops.AvgPool):
        first = pool(3, 2, "same")(Tensor(x)).asnumpy()
        last = pool(3, 2, "same", "NHWC")(Tensor(x.transpose(0, 2, 3, 1))).asnumpy()
        np.testing.assert_allclose(last.transpose(0, 3, 1, 2), first, 1e-6)


@pytest.mark.parametrize(
    ("call", "text"),
    [
        (lambda x: ops.MaxPool(2, 2, "pad")(x), "'pad_mode' must be one of"),
        (lambda x: ops.MaxPool(0)(x), "'kernel_size' must be a positive int"),
        (lambda x: ops.MaxPool(2, 0)(x), "'strides' must be a positive int"),
        (lambda x: ops.MaxPool(6)(x), "For 'MaxPool', the 'kernel_size' must fit"),
        (lambda x: ops.MaxPool(2)(x[0]), "'x' must have 4 dimensions"),
        (lambda x: ops.max_pool2d(x, 2, 2, 2), "at most half of the 'kernel_size'"),
        (lambda x: ops.avg_pool2d(x, (3, 2), 1, 2), "at most half of the 'kernel_size'"),
        (lambda x: ops.AvgPool3D(2, 2, "valid", 1)(x[None]), "'pad' must be zero"),
        (lambda x: ops.adaptive_avg_pool2d(x, (1, 2, 3)), "'output_size' must be an int or a tuple of 2"),
        (lambda x: ops.adaptive_avg_pool2d(x[0, 0], 1), "'input' must have 3 or 4 dimensions"),
    ],
)
def test_what_does_not_fit_is_named(call, text):
    with pytest.raises(ValueError, match=text):
        call(Tensor(SQUARE))


@pytest.mark.parametrize("attributes", [(0,), (2, 0), (2, 2, "pad"), (2, 2, "same", "NCWH")])
def test_bad_attributes_are_refused_before_the_first_call(attributes):
    with pytest.raises(ValueError, match="For 'MaxPool', the"):
        ops.MaxPool(*attributes)
