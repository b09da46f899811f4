"""Basic layers: training behaviour, names of old versions, what real MindSpore has no CPU kernel for."""

from __future__ import annotations

import numpy as np
import pytest

import mindspore as ms
from mindspore import Tensor, nn, ops
from mindspore.nn.layer.basic import Fold, UnfoldExt, check_dense_input_shape


def rows(*shape):
    return Tensor(np.random.default_rng(1).standard_normal(shape), ms.float32)


# -- fully connected -----------------------------------------------------------------------------------------------------
def test_programs_derive_from_dense_and_call_its_operators(mode):
    class Scaled(nn.Dense):
        def construct(self, x):
            shape = self.shape_op(x)
            x = self.matmul(self.reshape(x, (-1, shape[-1])), self.weight * 2)
            return self.bias_add(x, self.bias) if self.has_bias else x

    net = Scaled(3, 2, "ones", "ones")
    np.testing.assert_allclose(net(ops.ones((2, 3))).asnumpy(), 7)


def test_dense_names_its_activation_in_errors():
    with pytest.raises(KeyError, match="but got foo"):
        nn.Dense(3, 4, activation="foo")
    with pytest.raises(TypeError, match="'activation' must be a str, Cell or Primitive, but got 5"):
        nn.Dense(3, 4, activation=5)


def test_dense_refuses_tensors_of_other_shapes():
    with pytest.raises(ValueError, match=r"weight init shape error.*\(4, 3\), but got \(3, 4\)"):
        nn.Dense(3, 4, weight_init=ops.ones((3, 4)))


def test_old_check_of_dense_inputs():
    check_dense_input_shape((2, 3))
    with pytest.raises(ValueError, match="For 'Dense', the dimension of 'x' should not be less than 2, but got 1"):
        check_dense_input_shape((3,), "Dense")


# -- dropout -------------------------------------------------------------------------------------------------------------
def test_dropout_drops_only_while_training(mode):
    net = nn.Dropout(p=0.25)
    x = ops.ones((2000,))
    assert (net(x).asnumpy() == 1).all()
    net.set_train()
    dropped = net(x).asnumpy()
    assert set(np.unique(dropped)) == {0.0, np.float32(1 / 0.75)}
    assert 0.2 < (dropped == 0).mean() < 0.3
    assert (net(x).asnumpy() != dropped).any()
    net.set_train(False)
    assert (net(x).asnumpy() == 1).all()


def test_dropout_repeats_with_the_seed(mode):
    results = []
    for _ in range(2):
        ms.set_seed(3)
        results.append(nn.Dropout(p=0.5).set_train()(ops.ones((50,))).asnumpy())
    np.testing.assert_array_equal(*results)


@pytest.mark.parametrize(("net", "shape", "axes"), [
    (nn.Dropout1d(0.5), (40, 5, 3), (2,)), (nn.Dropout2d(0.5), (40, 5, 2, 2), (2, 3)),
    (nn.Dropout3d(0.5), (40, 5, 2, 1, 2), (2, 3, 4)), (nn.Dropout2dExt(0.5), (40, 5, 2, 2), (2, 3)),
])  # fmt: skip
def test_channels_are_dropped_whole(net, shape, axes):
    output = net.set_train()(ops.ones(shape)).asnumpy()
    assert (output.min(axes) == output.max(axes)).all()
    assert set(np.unique(output)) == {0.0, 2.0}


def test_dropout_takes_the_arguments_of_1x():
    net = nn.Dropout(0.8, ms.float32)
    assert (net.keep_prob, net.p, net.dtype) == (0.8, None, ms.float32)


def test_dropout_in_place_changes_its_input():
    ms.set_context(mode=ms.PYNATIVE_MODE)  # a graph never changes its inputs
    x = ops.ones((3,))
    nn.DropoutExt(1.0, inplace=True).set_train()(x)
    np.testing.assert_array_equal(x.asnumpy(), 0)


# -- other shapes and sizes ----------------------------------------------------------------------------------------------
def test_unfold_orders_channels_by_row_column_and_channel(mode):
    x = rows(2, 3, 5, 6)
    output = nn.Unfold([1, 2, 3, 1], [1, 2, 1, 1], [1, 1, 1, 1])(x).asnumpy()
    windows = np.lib.stride_tricks.sliding_window_view(x.asnumpy(), (2, 3), (2, 3))[:, :, ::2]
    np.testing.assert_allclose(output, windows.transpose(0, 4, 5, 1, 2, 3).reshape(2, 18, 2, 4))


def test_unfold_of_integers_and_with_padding():
    x = Tensor(np.arange(9).reshape(1, 1, 3, 3), ms.int32)
    output = nn.Unfold((1, 2, 2, 1), (1, 2, 2, 1), (1, 1, 1, 1), "same")(x)
    assert output.dtype == ms.int32
    np.testing.assert_array_equal(output.asnumpy()[0, :, 1, 1], [8, 0, 0, 0])


def test_fold_undoes_unfold():
    x = rows(1, 2, 4, 4)
    np.testing.assert_allclose(Fold(4, 2, stride=2)(UnfoldExt(2, stride=2)(x)).asnumpy(), x.asnumpy())


def test_roll_is_that_of_numpy(mode):
    x = rows(3, 4)
    np.testing.assert_array_equal(nn.Roll([1, -2], [0, 1])(x).asnumpy(), np.roll(x.asnumpy(), (1, -2), (0, 1)))


@pytest.mark.parametrize(("options", "expected"), [
    ({"size": (1, 4)}, [1, 2, 3, 3]), ({"scale_factor": 2}, [1, 2, 3, 3]),
    ({"size": (1, 3), "align_corners": True}, [1, 2, 3]),
])  # fmt: skip
def test_resize_bilinear_of_1x(mode, options, expected):
    x = Tensor([[[[1.0, 3.0]]]])
    np.testing.assert_allclose(nn.ResizeBilinear()(x, **options).asnumpy()[0, 0, 0], expected)


def test_resize_bilinear_with_half_pixels():
    output = nn.ResizeBilinear(half_pixel_centers=True)(Tensor([[[[1.0, 3.0]]]]), size=(1, 4))
    np.testing.assert_allclose(output.asnumpy()[0, 0, 0], [1, 1.5, 2.5, 3])


def test_resize_bilinear_wants_one_of_size_and_factor():
    with pytest.raises(ValueError, match="one of 'size' and 'scale_factor' must be given"):
        nn.ResizeBilinear()(ops.ones((1, 1, 2, 2)))


def test_flatten_names_the_axes_it_refuses(mode):
    with pytest.raises(ValueError, match=r"in range \[-1, 1\), but got 1 and -1"):
        nn.Flatten()(ops.ones((3,)))


# -- matrices and norms --------------------------------------------------------------------------------------------------
def test_diagonals_of_batches(mode):
    x, diagonal = rows(2, 2, 3), rows(2, 2)
    expected = x.asnumpy().copy()
    expected[:, [0, 1], [0, 1]] = diagonal.asnumpy()
    np.testing.assert_array_equal(nn.MatrixSetDiag()(x, diagonal).asnumpy(), expected)
    np.testing.assert_array_equal(nn.MatrixDiagPart()(x).asnumpy(), x.asnumpy()[:, [0, 1], [0, 1]])
    np.testing.assert_array_equal(nn.MatrixDiag()(diagonal).asnumpy()[1], np.diag(diagonal.asnumpy()[1]))


def test_matrix_set_diag_refuses_another_length():
    with pytest.raises(ValueError, match=r"'diagonal' must have shape \(2,\), but got \(3,\)"):
        nn.MatrixSetDiag()(rows(2, 3), rows(3))


@pytest.mark.parametrize("axis", [None, 0, 1, -1, (0, 1)])
def test_clip_by_norm_over_axes(mode, axis):
    x = rows(3, 4)
    norm = np.sqrt((x.asnumpy() ** 2).sum(axis, keepdims=True))
    output = nn.ClipByNorm(axis)(x, Tensor(1.5)).asnumpy()
    np.testing.assert_allclose(output, x.asnumpy() * 1.5 / np.maximum(norm, 1.5), rtol=1e-5)


def test_clip_by_norm_has_a_gradient_at_zero():
    gradient = ms.grad(lambda x: nn.ClipByNorm()(x, Tensor(1.0)).sum())(ops.zeros((3,)))
    np.testing.assert_array_equal(gradient.asnumpy(), 1)


def test_layers_without_arguments_take_none():
    with pytest.raises(TypeError, match="positional argument"):
        nn.Tril(1)
