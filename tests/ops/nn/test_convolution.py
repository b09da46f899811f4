"""Convolutions: padding modes, layouts, the transposed form, and errors. The numbers are those of MindSpore 2.10."""

from __future__ import annotations

import jax
import jax.numpy as jnp
import numpy as np
import pytest
from jax import lax

import mindspore as ms
from mindspore import Tensor, ops
from mindspore._ops.nn import convolution


def ones(*shape: int) -> Tensor:
    return Tensor(np.ones(shape, np.float32))


def normal(*shape: int, seed: int = 0) -> np.ndarray:
    return np.random.default_rng(seed).standard_normal(shape).astype(np.float32)


# -- padding -----------------------------------------------------------------------------------------------------------
@pytest.mark.parametrize(
    ("kernel", "stride", "expected"),
    [
        (3, 1, [[4, 6, 6, 6, 4], [6, 9, 9, 9, 6], [6, 9, 9, 9, 6], [6, 9, 9, 9, 6], [4, 6, 6, 6, 4]]),
        (3, 2, [[4, 6, 4], [6, 9, 6], [4, 6, 4]]),
        (2, 2, [[4, 4, 2], [4, 4, 2], [2, 2, 1]]),  # the odd rest of the padding goes to the end
    ],
)
def test_same_padding_gives_the_input_over_the_stride_rounded_up(kernel, stride, expected):
    layer = ops.Conv2D(1, kernel, pad_mode="same", stride=stride)
    assert layer(ones(1, 1, 5, 5), ones(1, 1, kernel, kernel)).asnumpy()[0, 0].tolist() == expected


def test_padding_is_top_bottom_left_right():
    result = ops.Conv2D(1, 3, pad_mode="pad", pad=(1, 0, 2, 0))(ones(1, 1, 5, 5), ones(1, 1, 3, 3)).asnumpy()[0, 0]
    assert result.shape == (4, 5)
    assert result[0].tolist() == [2, 4, 6, 6, 6]


def test_function_padding_is_one_number_per_axis():
    assert ops.conv2d(ones(1, 2, 5, 5), ones(4, 2, 3, 3), stride=2, pad_mode="pad", padding=(1, 2)).shape == (
        1,
        4,
        3,
        4,
    )


def test_dilation_and_stride_per_axis():
    x, weight = normal(1, 2, 7, 9), normal(4, 2, 3, 3)
    result = ops.conv2d(Tensor(x), Tensor(weight), stride=(1, 2), dilation=(2, 1)).asnumpy()
    holes = np.zeros((4, 2, 5, 3), np.float32)
    holes[:, :, ::2] = weight
    expected = ops.conv2d(Tensor(x), Tensor(holes)).asnumpy()[..., ::2]
    np.testing.assert_allclose(result, expected, 1e-5, 1e-5)


def test_groups_are_separate_convolutions():
    x, weight = normal(2, 4, 5, 5), normal(6, 2, 3, 3)
    result = ops.conv2d(Tensor(x), Tensor(weight), groups=2).asnumpy()
    parts = [ops.conv2d(Tensor(x[:, 2 * i : 2 * i + 2]), Tensor(weight[3 * i : 3 * i + 3])).asnumpy() for i in range(2)]
    np.testing.assert_allclose(result, np.concatenate(parts, axis=1), 1e-5, 1e-5)


def test_channels_last_is_the_same_convolution():
    x, weight = normal(2, 3, 6, 5), normal(4, 3, 3, 3)
    first = ops.Conv2D(4, 3, pad_mode="same", stride=2)(Tensor(x), Tensor(weight)).asnumpy()
    layer = ops.Conv2D(4, 3, pad_mode="same", stride=2, data_format="NHWC")
    last = layer(Tensor(x.transpose(0, 2, 3, 1)), Tensor(weight.transpose(0, 2, 3, 1))).asnumpy()
    np.testing.assert_allclose(last.transpose(0, 3, 1, 2), first, 1e-5, 1e-5)


def test_a_depthwise_convolution_has_one_kernel_per_channel():
    x, weight = normal(1, 3, 5, 5), normal(1, 3, 3, 3)
    result = ops.DepthwiseConv2dNative(1, 3, pad_mode="same")(Tensor(x), Tensor(weight)).asnumpy()
    for channel in range(3):
        single = Tensor(weight[:, channel : channel + 1])
        one = ops.conv2d(Tensor(x[:, channel : channel + 1]), single, pad_mode="same").asnumpy()
        np.testing.assert_allclose(result[:, channel], one[:, 0], 1e-5, 1e-5)


def test_half_precision_stays_half_precision():
    x, weight = Tensor(normal(1, 64, 9, 9)), Tensor(normal(8, 64, 3, 3, seed=1))
    half = ops.conv2d(x.astype(ms.float16), weight.astype(ms.float16))
    assert half.dtype == ms.float16
    np.testing.assert_allclose(half.asnumpy(), ops.conv2d(x, weight).asnumpy(), 0, 0.15)


# -- transposed --------------------------------------------------------------------------------------------------------
@pytest.mark.parametrize(
    ("pad_mode", "stride", "group"), [("valid", 1, 1), ("valid", 2, 2), ("same", 2, 1), ("same", 3, 2)]
)
def test_a_transposed_convolution_is_the_adjoint(pad_mode, stride, group):
    x, weight = normal(2, 4, 7, 8), normal(6, 4 // group, 3, 3)
    y = ops.Conv2D(6, 3, pad_mode=pad_mode, stride=stride, group=group)(Tensor(x), Tensor(weight))
    other = normal(*y.shape, seed=1)
    transpose = ops.Conv2DTranspose(4, 3, pad_mode=pad_mode, stride=stride, group=group)
    back = transpose(Tensor(other), Tensor(weight), x.shape)
    np.testing.assert_allclose((y.asnumpy() * other).sum(), (x * back.asnumpy()).sum(), 1e-3)


def test_a_transposed_convolution_cuts_same_padding_at_the_end():
    result = ops.Conv2DBackpropInput(1, 3, pad_mode="same", stride=2)(ones(1, 1, 2, 2), ones(1, 1, 3, 3), (1, 1, 4, 4))
    assert result.asnumpy()[0, 0].tolist() == [[1, 1, 2, 1], [1, 1, 2, 1], [2, 2, 4, 2], [1, 1, 2, 1]]


def test_the_shapes_of_transposed_convolutions():
    assert ops.conv_transpose2d(ones(1, 4, 3, 3), ones(4, 2, 3, 3), None, 2, 1, 1).shape == (1, 2, 6, 6)
    same = ops.Conv3DTranspose(4, 2, 3, pad_mode="same", stride=2)
    assert same(ones(1, 4, 3, 3, 3), ones(4, 2, 3, 3, 3)).shape == (1, 2, 6, 6, 6)
    padded = ops.Conv3DTranspose(4, 2, 3, pad_mode="pad", pad=1, stride=2, output_padding=1)
    assert padded(ones(1, 4, 3, 3, 3), ones(4, 2, 3, 3, 3)).shape == (1, 2, 6, 6, 6)


# -- errors ------------------------------------------------------------------------------------------------------------
@pytest.mark.parametrize(
    ("call", "error", "text"),
    [
        (lambda x, w: ops.Conv2D(4, 3, pad_mode="same", pad=1)(x, w), ValueError, "'pad' must be zero when 'pad_mode'"),
        (lambda x, w: ops.Conv2D(4, 3, pad_mode="SAME")(x, w), ValueError, "Did you mean 'same'"),
        (lambda x, w: ops.Conv2D(4, 3, pad_mode="pad", pad=(1, 2))(x, w), ValueError, "'pad' must be a non-negative"),
        (lambda x, w: ops.Conv2D(4, 3, stride=0)(x, w), ValueError, "'stride' must be a positive int"),
        (lambda x, w: ops.Conv2D(4, 3, dilation=0)(x, w), ValueError, "'dilation' must be a positive int"),
        (lambda x, w: ops.Conv2D(5, 3)(x, w), RuntimeError, "'out_channel' must be equal to the weight's first axis 4"),
        (lambda x, w: ops.Conv2D(4, 5)(x, w), RuntimeError, "'kernel_size' must be equal to that of the weight"),
        (lambda x, w: ops.Conv2D(4, 3, group=3)(x, w), RuntimeError, "'C_in' of 'x' divided by 'group'"),
        (lambda x, w: ops.Conv2D(4, 3, mode=2)(x, w), ValueError, "'mode' must be 1"),
        (lambda x, w: ops.Conv2D(4, 3)(ones(1, 3, 5, 5), w), RuntimeError, "For 'Conv2D', the 'C_in'"),
        (lambda x, w: ops.Conv2D(4, 3)(ones(2, 5, 5), w), ValueError, "'x' must have 4 dimensions"),
        (lambda x, w: ops.Conv2D(4, 3)(x, w.astype(ms.float16)), TypeError, "must have the same dtype"),
        (lambda x, w: ops.conv2d(x, w, ones(3)), ValueError, "'bias' must have shape"),
        (lambda x, w: ops.conv2d(ones(1, 2, 2, 2), w), ValueError, "at least as long as the kernel"),
        (lambda x, w: ops.conv2d(x, w, padding=(1, 2, 0, 0), pad_mode="pad"), ValueError, "'padding' must be"),
        (lambda x, w: ops.Conv2DTranspose(2, 3)(ones(1, 4, 2, 2), w, (1, 2, 7, 7)), ValueError, "'input_size' must"),
    ],
)  # fmt: skip
def test_what_does_not_fit_is_named(call, error, text):
    with pytest.raises(error, match=text):
        call(ones(1, 2, 5, 5), ones(4, 2, 3, 3))


@pytest.mark.parametrize(
    "attributes",
    [
        {"pad_mode": "SAME"},
        {"pad_mode": "same", "pad": 1},
        {"pad_mode": "pad", "pad": (1, 2)},
        {"stride": 0},
        {"group": 0},
    ],
)
def test_bad_attributes_are_refused_before_the_first_call(attributes):
    with pytest.raises(ValueError, match="For 'Conv2D', the"):
        ops.Conv2D(4, 3, **attributes)
    with pytest.raises(ValueError, match="For 'Conv2D', the 'out_channel' must be positive"):
        ops.Conv2D(0, 3)


FORMS = [  # input, weight, stride, padding, dilation, groups
    ((2, 8, 40), (12, 8, 5), (2,), ((2, 2),), (1,), 1),
    ((2, 8, 13, 12), (12, 4, 3, 3), (2, 1), ((1, 0), (1, 1)), (1, 2), 2),
    ((2, 6, 9, 9), (12, 1, 3, 3), (1, 1), ((1, 1), (1, 1)), (1, 1), 6),
    ((2, 4, 6, 9, 8), (6, 4, 3, 3, 3), (1, 2, 1), ((1, 1),) * 3, (1, 1, 1), 1),
    ((2, 6, 9, 9), (12, 6, 3, 3), (1, 1), ((1, 1), (1, 1)), (1, 1), 1),
]


@pytest.mark.parametrize("form", FORMS, ids=lambda form: str(form[:2]))
@pytest.mark.parametrize(("dtype", "tolerance"), [(jnp.float64, 1e-9), (jnp.float16, 0.01), (jnp.bfloat16, 0.06)])
def test_every_dtype_is_convolved_like_xla_does(form, dtype, tolerance):
    x, weight, stride, pairs, dilation, groups = form
    given = [jnp.asarray(normal(*shape), dtype) for shape in (x, weight)]
    axes = "DHW"[3 - len(stride) :]
    layout = (f"NC{axes}", f"OI{axes}", f"NC{axes}")
    scores = (
        lambda x, w: (convolution.convolve(x, w, stride, pairs, dilation, groups).astype(jnp.float64) ** 2).sum(),
        lambda x, w: (lax.conv_general_dilated(x.astype(jnp.float64), w.astype(jnp.float64), stride, pairs, rhs_dilation=dilation,
                                               feature_group_count=groups, dimension_numbers=layout) ** 2).sum(),
    )  # fmt: skip
    found, expected = (jax.jit(jax.value_and_grad(score, (0, 1)))(*given) for score in scores)
    for one, other in zip(jax.tree.leaves(found), jax.tree.leaves(expected), strict=True):
        wide = np.asarray(other, np.float64)
        np.testing.assert_allclose(np.asarray(one, np.float64), wide, tolerance, tolerance * np.abs(wide).max())
