"""Images in another size: where elements lie, and which modes there are. The numbers are those of MindSpore 2.10."""

from __future__ import annotations

import numpy as np
import pytest

import mindspore as ms
from mindspore import Tensor, ops

ROW = Tensor(np.array([[[[0.0, 10.0, 20.0, 30.0, 40.0]]]], np.float32))


def row(result: Tensor) -> list:
    return np.round(result.asnumpy().astype(np.float64)[0, 0, 0], 3).tolist()


def test_nearest_elements():
    assert row(ops.ResizeNearestNeighbor((1, 7))(ROW)) == [0, 0, 10, 20, 20, 30, 40]
    assert row(ops.interpolate(ROW, size=(1, 7))) == [0, 0, 10, 20, 20, 30, 40]
    assert row(ops.interpolate(ROW, size=(1, 7), mode="nearest-exact")) == [0, 10, 10, 20, 30, 30, 40]
    assert row(ops.ResizeNearestNeighborV2(align_corners=True)(ROW, (1, 3))) == [0, 20, 40]


def test_linear_interpolation_from_corners_pixel_edges_and_pixel_starts():
    corners = [0, 6.667, 13.333, 20, 26.667, 33.333, 40]
    edges = [0, 5.714, 12.857, 20, 27.143, 34.286, 40]
    starts = [0, 7.143, 14.286, 21.429, 28.571, 35.714, 40]
    assert row(ops.ResizeBilinearV2(align_corners=True)(ROW, (1, 7))) == corners
    assert row(ops.ResizeBilinearV2(half_pixel_centers=True)(ROW, (1, 7))) == edges
    assert row(ops.ResizeBilinearV2()(ROW, (1, 7))) == starts
    assert row(ops.ResizeBilinear((1, 7))(ROW)) == starts
    assert row(ops.interpolate(ROW, size=(1, 7), mode="bilinear")) == edges
    assert row(ops.interpolate(ROW, size=(1, 7), mode="bilinear", align_corners=True)) == corners


def test_a_scale_stands_for_a_size():
    assert ops.interpolate(ROW, scale_factor=(2.0, 1.5), recompute_scale_factor=True).shape == (1, 1, 2, 7)
    assert ops.interpolate(ops.ones((1, 2, 3, 3, 3)), size=(4, 4, 5), mode="trilinear").shape == (1, 2, 4, 4, 5)


def test_constant_images_stay_constant_in_every_mode():
    for mode in ("nearest", "bilinear", "bicubic", "area", "nearest-exact"):
        result = ops.interpolate(ops.ones((1, 2, 5, 4)), size=(3, 7), mode=mode).asnumpy()
        np.testing.assert_allclose(result, 1, 1e-6)


def test_the_gradient_of_doubling_counts_copies(mode):
    def doubled(x):
        return ops.ResizeNearestNeighbor((2, 10))(x)

    assert row(ms.grad(doubled)(ROW)) == [4] * 5


def test_half_precision_stays_half_precision():
    assert ops.interpolate(ROW.astype(ms.float16), size=(1, 7), mode="bilinear").dtype == ms.float16


@pytest.mark.parametrize(
    ("call", "text"),
    [
        (lambda: ops.interpolate(ROW, size=(3, 7), mode="cubic"), "'mode' must be one of"),
        (lambda: ops.interpolate(ROW), "must be given, not both"),
        (lambda: ops.interpolate(ROW, (3, 7), 2.0), "must be given, not both"),
        (lambda: ops.interpolate(ROW, (3, 7, 2)), "one per spatial axis"),
        (lambda: ops.interpolate(ROW, (3, 7), align_corners=True), "'align_corners' must be None for mode 'nearest'"),
        (lambda: ops.interpolate(ROW, (3, 7), mode="linear"), "'input' must have 3 dimensions for mode 'linear'"),
        (lambda: ops.ResizeBilinearV2(True, True)(ROW, (1, 7)), "'half_pixel_centers' must be False"),
        (lambda: ops.ResizeNearestNeighbor((0, 7))(ROW), "'size' must be two positive ints"),
    ],
)
def test_what_does_not_fit_is_named(call, text):
    with pytest.raises(ValueError, match=text):
        call()


@pytest.mark.parametrize("size", [2.5, (2, 2.5), True, "a"])
def test_a_size_that_is_no_int_has_the_wrong_type(size):
    with pytest.raises(TypeError, match="'size'"):
        ops.interpolate(ROW, size)


def test_long_axes_are_resized_from_neighbours_as_short_ones_are_by_products():
    x = np.random.RandomState(0).randn(2, 3, 200).astype(np.float32)
    for size in (77, 500):
        positions = ((np.arange(size) + 0.5) * 200 / size - 0.5).clip(0, 199)
        weights = np.maximum(1 - np.abs(np.arange(200)[:, None] - positions), 0)
        resize = lambda x: ops.interpolate(x, size=size, mode="linear")  # noqa: E731, B023
        np.testing.assert_allclose(resize(Tensor(x)).asnumpy(), x @ weights, atol=1e-5)
        found = ms.grad(lambda x: (resize(x) ** 2).sum())(Tensor(x)).asnumpy()  # noqa: B023
        np.testing.assert_allclose(found, 2 * (x @ weights) @ weights.T, atol=1e-3)
