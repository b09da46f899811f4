"""Operators called the way programs of other versions call them: older names select the older meaning."""

import numpy as np
import pytest

import mindspore as ms
from mindspore import Tensor, ops
from mindspore.ops import functional as F
from mindspore.ops import operations as P

X = np.arange(1, 7, dtype=np.float32).reshape(2, 3)
IMAGE = np.arange(32, dtype=np.float32).reshape(1, 2, 4, 4)
WEIGHT = np.ones((4, 1, 2, 2), np.float32)


def same(found, expected):
    np.testing.assert_allclose(found.asnumpy(), expected, 1e-5)


@pytest.mark.parametrize("call, expected", [
    (lambda x: ops.split(x, axis=1, output_num=3)[1], X[:, 1:2]),
    (lambda x: ops.split(x, 1, axis=1)[1], X[:, 1:2]),
    (lambda x: ops.norm(x, axis=[0, 1], p=2, keep_dims=True), [[np.linalg.norm(X)]]),
    (lambda x: ops.norm(x, axis=1, p=1), np.abs(X).sum(1)),
    (lambda x: ops.norm(x, 2, (0, 1)), np.linalg.norm(X, 2)),
    (lambda x: ops.pad(x, ((1, 0), (0, 2))), np.pad(X, ((1, 0), (0, 2)))),
    (lambda x: ops.pad(input_x=x, paddings=((1, 0), (0, 2))), np.pad(X, ((1, 0), (0, 2)))),
    (lambda x: ops.pad(x, (1, 2)), np.pad(X, ((0, 0), (1, 2)))),
    (lambda x: ops.pow(x=x, y=2), X**2),
    (lambda x: ops.amax(x=x, axis=1, keep_dims=True), X.max(1, keepdims=True)),
    (lambda x: ops.relu(input_x=x) + ops.relu(x=x) + ops.relu(input=x), 3 * X),
    (lambda x: ops.div(x=x, y=x), np.ones((2, 3))),
    (lambda x: ops.div(x, other=2.0, rounding_mode="floor"), np.floor(X / 2)),
])  # fmt: skip
def test_both_spellings_mean_what_their_version_meant(call, expected):
    same(call(Tensor(X)), expected)
    same(ms.jit(call)(Tensor(X)), expected)


def test_a_range_from_start_to_limit():
    same(F.range(start=Tensor(0, ms.int32), limit=Tensor(6, ms.int32), delta=Tensor(2, ms.int32)), [0, 2, 4])


def test_interpolation_of_1_8_aligns_corners_unless_told_otherwise():
    row = Tensor(X.reshape(1, 2, 3))
    same(ops.interpolate(row, sizes=(5,)), [[[1, 1.5, 2, 2.5, 3], [4, 4.5, 5, 5.5, 6]]])
    same(ops.interpolate(x=row, scales=(1.0, 1.0, 2.0), mode="linear", coordinate_transformation_mode="asymmetric"),
         [[[1, 1.5, 2, 2.5, 3, 3], [4, 4.5, 5, 5.5, 6, 6]]])  # fmt: skip
    image, wanted = Tensor(IMAGE), Tensor([[[[0.0, 3.0], [12.0, 15.0]], [[16.0, 19.0], [28.0, 31.0]]]])
    same(ops.interpolate(image, sizes=(2, 2), mode="bilinear"), wanted.asnumpy())
    half = {"mode": "bilinear", "coordinate_transformation_mode": "half_pixel"}
    same(ops.interpolate(image, sizes=(8, 8), **half), ops.interpolate(image, (8, 8), mode="bilinear").asnumpy())


@pytest.mark.parametrize("old, today", [
    (lambda: P.MaxPool(ksize=2, strides=2, padding="valid"), lambda: P.MaxPool(kernel_size=2, strides=2, pad_mode="valid")),
    (lambda: P.AvgPool(ksize=3, strides=1, padding="same"), lambda: P.AvgPool(3, 1, "same")),
])  # fmt: skip
def test_constructors_take_the_names_of_1_0(old, today):
    same(old()(Tensor(IMAGE)), today()(Tensor(IMAGE)).asnumpy())
    assert old().kernel_size == today().kernel_size


def test_a_convolution_takes_group_for_groups():
    found = ops.conv2d(Tensor(IMAGE), Tensor(WEIGHT), pad_mode="pad", padding=1, stride=1, dilation=1, group=2)
    same(found, ops.conv2d(Tensor(IMAGE), Tensor(WEIGHT), None, 1, "pad", 1, 1, 2).asnumpy())


@pytest.mark.parametrize("call, kind, message", [
    (lambda: ops.pow(Tensor(X), exponent=2, y=2), TypeError, "given twice"),
    (lambda: ops.split(Tensor(X), axis=1, output_num=2), ValueError, "'output_num' must be above 0 and divide"),
    (lambda: ops.pad(Tensor(X), ((1, 2), 3)), TypeError, "'padding' must be an int"),
    (lambda: P.MaxPool(ksizes=2), TypeError, "the constructor takes .*ksizes"),
    (lambda: ops.interpolate(Tensor(IMAGE), sizes=(2, 2)), ValueError, "3 dimensions"),
])  # fmt: skip
def test_mixed_spellings_are_refused(call, kind, message):
    with pytest.raises(kind, match=message):
        call()
