"""Image operators with random parts or written by hand; the others are in the registry-driven test."""

import numpy as np
import pytest

import mindspore as ms
from mindspore import Tensor, nn, ops
from mindspore.ops.function import multi_head_attention_forward, nn_func

BOTH = pytest.mark.parametrize("mode", [ms.GRAPH_MODE, ms.PYNATIVE_MODE])


@BOTH
@pytest.mark.parametrize("pseudo", [True, False])
def test_fractional_windows_cover_the_axis(mode, pseudo):
    ms.set_context(mode=mode)
    x = np.random.default_rng(0).normal(size=(1, 7, 9, 2)).astype(np.float32)
    pool = ops.FractionalMaxPool([1.0, 1.6, 1.4, 1.0], pseudo, seed=3)
    result, rows, columns = ms.jit(lambda x: pool(x))(Tensor(x))
    rows, columns = rows.asnumpy(), columns.asnumpy()
    assert (rows[0], rows[-1], columns[0], columns[-1]) == (0, 7, 0, 9) and rows.dtype == np.int64
    for i, j in np.ndindex(result.shape[1:3]):
        window = x[0, rows[i] : rows[i + 1], columns[j] : columns[j + 1]]
        np.testing.assert_array_equal(result.asnumpy()[0, i, j], window.max((0, 1)))


def test_overlapping_windows_share_their_border():
    x = np.arange(63, dtype=np.float32).reshape(1, 7, 9, 1)
    result, rows, columns = ops.FractionalAvgPool([1.0, 1.6, 1.4, 1.0], overlapping=True)(Tensor(x))
    window = x[0, : int(rows[1]) + 1, : int(columns[1]) + 1, 0]
    np.testing.assert_allclose(float(result[0, 0, 0, 0]), window.mean())


def test_windows_of_two_calls_differ_and_come_again_with_the_seed():
    x = Tensor(np.arange(400, dtype=np.float32).reshape(1, 20, 20, 1))
    first, second = (
        ops.FractionalMaxPool([1.0, 1.5, 1.5, 1.0], seed=3),
        ops.FractionalMaxPool([1.0, 1.5, 1.5, 1.0], seed=3),
    )
    bounds = [first(x)[1].asnumpy().tolist() for _ in range(3)]
    assert bounds == [second(x)[1].asnumpy().tolist() for _ in range(3)]
    assert len(set(map(tuple, bounds))) > 1


def test_ratio_below_one_is_refused():
    with pytest.raises(ValueError, match="none below 1"):
        ops.FractionalMaxPool([1.0, 0.5, 1.0, 1.0])


@pytest.mark.parametrize("noise", ["uniform", "gaussian"])
def test_noise_stands_outside_of_the_image_alone(noise):
    image = np.random.default_rng(0).uniform(2, 3, (1, 3, 3, 1)).astype(np.float32)
    glimpse = ops.ExtractGlimpse(False, False, noise == "uniform", noise)
    seen = glimpse(Tensor(image), (4, 4), Tensor([[3.0, 3.0]])).asnumpy()[0, ..., 0]
    np.testing.assert_array_equal(seen[:2, :2], image[0, 1:, 1:, 0])
    outside = seen[2:]
    assert outside.min() > 0 and len(np.unique(outside)) == outside.size


def test_unpooling_undoes_pooling_in_both_layouts():
    x = Tensor(np.random.default_rng(1).permutation(32).astype(np.float32).reshape(1, 2, 4, 4))
    values, places = ops.max_pool2d(x, 2, 2, return_indices=True)
    back = ops.MaxUnpool2D(2)(values, places)
    np.testing.assert_array_equal(back.asnumpy()[back.asnumpy() > 0], x.asnumpy()[back.asnumpy() > 0])
    assert (back.asnumpy() > 0).sum() >= 7
    last = ops.MaxUnpool2D(2, data_format="NHWC")(values.transpose(0, 2, 3, 1), places.transpose(0, 2, 3, 1))
    np.testing.assert_array_equal(last.asnumpy().transpose(0, 3, 1, 2), back.asnumpy())
    with pytest.raises(ValueError, match="data_format"):
        ops.MaxUnpool3D(2, data_format="NCHW")


def test_identity_map_samples_the_image_itself():
    image = Tensor(np.random.default_rng(2).normal(size=(2, 3, 4, 5)).astype(np.float32))
    still = Tensor(np.tile(np.eye(2, 3, dtype=np.float32), (2, 1, 1)))
    for corners in (True, False):
        grid = ops.affine_grid(still, (2, 3, 4, 5), corners)
        sampled = ops.grid_sample(image, grid, align_corners=corners)
        np.testing.assert_allclose(sampled.asnumpy(), image.asnumpy(), 1e-5, 1e-5)


def test_old_name_of_the_mode_is_taken():
    image, grid = ops.ones((1, 1, 2, 2)), ops.zeros((1, 1, 1, 2))
    assert ops.grid_sample(image, grid, interpolation_mode="nearest").shape == (1, 1, 1, 1)
    with pytest.raises(ValueError, match="Did you mean 'nearest'"):
        ops.grid_sample(image, grid, mode="nearst")


@BOTH
@pytest.mark.parametrize("separate", [True, False])
def test_attention_function_is_the_cell(mode, separate):
    ms.set_context(mode=mode)
    random = np.random.default_rng(3)
    query, key = (Tensor(random.normal(size=(n, 2, 8)).astype(np.float32)) for n in (3, 5))
    mask = Tensor(random.normal(size=(3, 5)).astype(np.float32))
    cell = nn.MultiheadAttention(8, 2).set_train(False)
    expected = cell(query, key, key, attn_mask=mask)
    parts = ops.chunk(cell.in_proj_weight, 3)
    named = dict(zip(("q_proj_weight", "k_proj_weight", "v_proj_weight"), parts, strict=True)) if separate else {}
    found = multi_head_attention_forward(
        query, key, key, 8, 2, None if separate else cell.in_proj_weight, cell.in_proj_bias, None, None, False, 0.0,
        cell.out_proj.weight, cell.out_proj.bias, False, attn_mask=mask, use_separate_proj_weight=separate, **named,
    )  # fmt: skip
    for one, other in zip(found, expected, strict=True):
        np.testing.assert_allclose(one.asnumpy(), other.asnumpy(), 1e-5, 1e-5)


def test_attention_function_is_at_its_old_path():
    assert nn_func.multi_head_attention_forward is multi_head_attention_forward


def test_causal_attention_sees_no_later_keys():
    x, weight = ops.ones((4, 1, 4)), ops.ones((12, 4))
    _, weights = multi_head_attention_forward(
        x, x, x, 4, 2, weight, None, None, None, False, 0.0, weight[:4], None, False, is_causal=True
    )
    np.testing.assert_allclose(weights.asnumpy()[0], np.tril(np.ones((4, 4))) / np.arange(1, 5)[:, None], 1e-6)


def test_attention_inputs_that_do_not_fit_are_refused():
    x = ops.ones((4, 1, 4))
    with pytest.raises(ValueError, match=r"For 'multi_head_attention_forward', the 'query' must have"):
        multi_head_attention_forward(x, x, x, 6, 2, x, None, None, None, False, 0.0, x, None)


@BOTH
def test_distorted_box_shows_enough_of_the_object(mode):
    ms.set_context(mode=mode)
    sample = ops.SampleDistortedBoundingBoxV2(seed=5, area_range=(0.1, 0.5))
    size, boxes = Tensor([40, 60, 3], ms.int32), Tensor([[[0.2, 0.2, 0.6, 0.6]]])
    run = ms.jit(lambda s, b: sample(s, b, Tensor(0.5)))
    seen = set()
    for _ in range(10):
        begin, extent, box = (one.asnumpy() for one in run(size, boxes))
        top, left, bottom, right = box[0, 0]
        np.testing.assert_allclose(begin[:2], [top * 40, left * 60], 1e-4, 1e-4)
        np.testing.assert_allclose(extent, [(bottom - top) * 40, (right - left) * 60, -1], 1e-4, 1e-4)
        common = (min(bottom, 0.6) - max(top, 0.2)) * (min(right, 0.6) - max(left, 0.2))
        assert common >= 0.5 * 0.16 - 1e-6
        assert 0.1 - 1e-6 <= (bottom - top) * (right - left) <= 0.5 + 1e-6
        seen.add((top, left, bottom, right))
    assert len(seen) > 5


def test_impossible_distorted_box_is_the_whole_image():
    sample = ops.SampleDistortedBoundingBoxV2(area_range=(0.01, 0.02), max_attempts=3)
    _, extent, box = sample(Tensor([40, 60, 3]), Tensor([[[0.0, 0.0, 1.0, 1.0]]]), 0.9)
    assert extent.asnumpy().tolist() == [40, 60, -1] and box.asnumpy().tolist() == [[[0, 0, 1, 1]]]
    with pytest.raises(ValueError, match="must not be empty"):
        sample(Tensor([40, 60, 3]), ops.zeros((1, 0, 4)), 0.9)


def _columns_one_by_one(x, kernel, dilation, padding, stride):
    """Windows as columns, copied one by one."""
    x = np.pad(x, ((0, 0), (0, 0), (padding[0],) * 2, (padding[1],) * 2))
    counts = [(n - d * (k - 1) - 1) // s + 1 for n, k, d, s in zip(x.shape[2:], kernel, dilation, stride, strict=True)]
    found = np.zeros((*x.shape[:2], *kernel, *counts), x.dtype)
    for i, j in np.ndindex(*kernel):
        for a, b in np.ndindex(*counts):
            found[:, :, i, j, a, b] = x[:, :, a * stride[0] + i * dilation[0], b * stride[1] + j * dilation[1]]
    return found.reshape(x.shape[0], x.shape[1] * kernel[0] * kernel[1], -1)


@pytest.mark.parametrize(
    ("kernel", "dilation", "padding", "stride"),
    [((3, 2), (1, 2), (1, 1), (1, 2)), ((2, 2), (1, 1), (0, 1), (3, 2)), ((9, 9), (1, 1), (1, 1), (1, 1)),
     ((3, 3), (1, 1), (0, 0), (4, 4)), ((2, 9), (1, 1), (0, 0), (2, 1))],
    ids=["overlapping", "apart", "many elements", "gaps at the end", "both"],
)  # fmt: skip
def test_windows_of_every_kind_become_columns_and_come_back(kernel, dilation, padding, stride):
    x = np.random.RandomState(3).randn(2, 3, 11, 10).astype(np.float32)
    wanted = _columns_one_by_one(x, kernel, dilation, padding, stride)
    found = ops.unfold(Tensor(x), kernel, dilation, padding, stride)
    np.testing.assert_array_equal(found.asnumpy(), wanted)
    back = ops.fold(found, (11, 10), kernel, dilation, padding, stride).asnumpy()
    ones = ops.fold(ops.ones_like(found), (11, 10), kernel, dilation, padding, stride).asnumpy()
    np.testing.assert_allclose(back, x * ones, 1e-5, 1e-5)  # every element as often as there are windows over it
