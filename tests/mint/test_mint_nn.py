"""``mint.nn``, ``mint.optim`` and ``mint.distributed``: Parameters by PyTorch's names, PyTorch's defaults and formulas."""

import numpy as np
import pytest

import mindspore as ms
from mindspore import Parameter, Tensor, mint, ops
from mindspore.mint import distributed

RANDOM = np.random.RandomState(0)


@pytest.fixture(params=[ms.GRAPH_MODE, ms.PYNATIVE_MODE], ids=["graph", "pynative"])
def mode(request):
    before = ms.get_context("mode")
    ms.set_context(mode=request.param)
    yield request.param
    ms.set_context(mode=before)


@pytest.mark.parametrize(
    ("layer", "names"),
    [
        (lambda: mint.nn.Conv2d(2, 3, 3), "weight bias"),
        (lambda: mint.nn.ConvTranspose2d(2, 3, 3, bias=False), "weight"),
        (lambda: mint.nn.BatchNorm2d(3), "weight bias running_mean running_var num_batches_tracked"),
        (lambda: mint.nn.BatchNorm1d(3, affine=False), "running_mean running_var num_batches_tracked"),
        (lambda: mint.nn.LayerNorm((3,)), "weight bias"),
        (lambda: mint.nn.LayerNorm(3, bias=False), "weight"),
        (lambda: mint.nn.GroupNorm(1, 3), "weight bias"),
        (lambda: mint.nn.Linear(2, 3), "weight bias"),
        (lambda: mint.nn.Embedding(3, 2), "weight"),
        (lambda: mint.nn.PReLU(), "weight"),
    ],
)
def test_parameters_have_their_names(layer, names):
    assert [name for name, _ in layer().parameters_and_names()] == names.split()


def test_a_convolution_is_not_padded_unless_told_and_has_a_bias(mode):
    x = Tensor(RANDOM.randn(1, 2, 5, 5).astype(np.float32))
    layer = mint.nn.Conv2d(2, 3, 3)
    expected = ops.conv2d(x, layer.weight, layer.bias)
    np.testing.assert_allclose(layer(x).asnumpy(), expected.asnumpy(), rtol=1e-5, atol=1e-6)
    assert layer(x).shape == (1, 3, 3, 3) and mint.nn.Conv2d(2, 3, 3, padding="same")(x).shape == (1, 3, 5, 5)
    reflected = mint.nn.Conv2d(2, 3, 3, padding=1, padding_mode="reflect", bias=False)
    wide = Tensor(np.pad(x.asnumpy(), ((0, 0), (0, 0), (1, 1), (1, 1)), "reflect"))
    np.testing.assert_allclose(
        reflected(x).asnumpy(), ops.conv2d(wide, reflected.weight).asnumpy(), rtol=1e-4, atol=1e-5
    )


def test_batch_norm_moves_its_statistics_by_the_momentum(mode):
    x = RANDOM.randn(8, 3).astype(np.float32)
    layer = mint.nn.BatchNorm1d(3).set_train()
    found = layer(Tensor(x)).asnumpy()
    np.testing.assert_allclose(found, (x - x.mean(0)) / np.sqrt(x.var(0) + 1e-5), rtol=1e-4, atol=1e-5)
    np.testing.assert_allclose(layer.running_mean.asnumpy(), 0.1 * x.mean(0), rtol=1e-5, atol=1e-6)
    np.testing.assert_allclose(layer.running_var.asnumpy(), 0.9 + 0.1 * x.var(0, ddof=1), rtol=1e-5)
    assert int(layer.num_batches_tracked) == 1
    layer.set_train(False)
    spread = np.sqrt(layer.running_var.asnumpy() + 1e-5)
    np.testing.assert_allclose(
        layer(Tensor(x)).asnumpy(), (x - layer.running_mean.asnumpy()) / spread, rtol=1e-4, atol=1e-5
    )


def test_layers_give_what_their_functions_give():
    x = Tensor(RANDOM.randn(2, 4).astype(np.float32))
    functional = mint.nn.functional
    for layer, expected in [
        (mint.nn.GELU(approximate="tanh"), functional.gelu(x, approximate="tanh")),
        (mint.nn.LogSoftmax(), functional.log_softmax(x, 1)),
        (mint.nn.Hardtanh(-2, max_val=2), functional.hardtanh(x, -2, 2)),
        (mint.nn.SiLU(), functional.silu(x)),
        (mint.nn.Hardswish(), ops.hardswish(x)),
        (mint.nn.ZeroPad1d(1), functional.pad(x, (1, 1))),
        (mint.nn.Softshrink(0.1), functional.softshrink(x, 0.1)),
    ]:
        np.testing.assert_allclose(layer(x).asnumpy(), expected.asnumpy(), 1e-6, 1e-6)
    image = ops.ones((1, 1, 2, 2))
    assert mint.nn.UpsamplingBilinear2d(scale_factor=2)(image).shape == (1, 1, 4, 4)
    values, places = mint.nn.MaxPool2d(2, return_indices=True)(image)
    assert values.shape == places.shape == (1, 1, 1, 1)


def test_dropout_works_in_training_alone():
    x = ops.ones((100,))
    layer = mint.nn.Dropout(0.5)
    assert (layer(x) == 1).all()
    assert set(layer.set_train()(x).asnumpy().tolist()) == {0.0, 2.0}


@pytest.mark.parametrize("amsgrad", [False, True])
def test_adam_adds_eps_after_the_correction(amsgrad):
    start, gradients = np.array([1.0, -2.0], np.float32), RANDOM.randn(3, 2).astype(np.float32)
    weight = Parameter(Tensor(start), name="weight")
    optimizer = mint.optim.Adam([weight], lr=0.1, eps=0.5, weight_decay=0.01, amsgrad=amsgrad)
    p, m, v, largest = start.astype(np.float64), 0.0, 0.0, 0.0
    for step, gradient in enumerate(gradients, 1):
        optimizer((Tensor(gradient),))
        decayed = gradient + 0.01 * p
        m, v = 0.9 * m + 0.1 * decayed, 0.999 * v + 0.001 * decayed**2
        largest = np.maximum(largest, v) if amsgrad else v
        p = p - 0.1 * (m / (1 - 0.9**step)) / (np.sqrt(largest / (1 - 0.999**step)) + 0.5)
    np.testing.assert_allclose(weight.asnumpy(), p, rtol=1e-5)


def test_one_process_is_a_job_of_its_own():
    distributed.init_process_group()
    assert distributed.is_initialized() and distributed.is_available()
    assert (distributed.get_rank(), distributed.get_world_size()) == (0, 1)
    x, y = Tensor([1.0, 2.0]), ops.zeros((2,))
    distributed.all_reduce(x)
    assert x.asnumpy().tolist() == [1, 2]
    for call in (
        lambda: distributed.all_gather_into_tensor(y, x),
        lambda: distributed.all_gather([y], x),
        lambda: distributed.reduce_scatter(y, [x]),
        lambda: distributed.reduce_scatter_tensor(y, x),
        lambda: distributed.all_gather_into_tensor_uneven(y, x, [2]),
        lambda: distributed.reduce_scatter_tensor_uneven(y, x, [2]),
        lambda: distributed.scatter(y, [x]),
        lambda: distributed.gather(x, [y]),
        lambda: distributed.all_to_all([y], [x]),
        lambda: distributed.all_to_all_single(y, x),
    ):
        y.copy_(ops.zeros((2,)))
        assert call() is None
        assert y.asnumpy().tolist() == [1, 2]
    distributed.broadcast(x, 0, async_op=True).wait()
    found = [None]
    distributed.all_gather_object(found, {"loss": 1.5})
    assert found == [{"loss": 1.5}]


def test_subclasses_of_convolutions_call_their_function():
    class Line(mint.nn.Conv2d):
        """A convolution of lines by way of images, as libraries write it."""

        def construct(self, x):
            wide = mint.nn.functional.pad(x.unsqueeze(-2), self._reversed_padding, "reflect")
            return self.conv2d(wide, self.weight, self.bias, self.stride, (0, 0), self.dilation, self.groups).squeeze(
                -2
            )

    line = Line(2, 4, (1, 3), padding=(0, 1), padding_mode="reflect")
    assert line._reversed_padding == (1, 1, 0, 0) and not line.transposed and line.output_padding == (0, 0)
    x = Tensor(np.arange(10, dtype=np.float32).reshape(1, 2, 5))
    flat = mint.nn.Conv1d(2, 4, 3, padding=1, padding_mode="reflect")
    flat.weight.set_data(line.weight.reshape(4, 2, 3))
    flat.bias.set_data(line.bias)
    np.testing.assert_allclose(line(x).asnumpy(), flat(x).asnumpy(), 1e-5)
    up = mint.nn.ConvTranspose2d(2, 4, 3, stride=2, output_padding=1)
    assert up.transposed and up.output_padding == (1, 1) and mint.nn.GroupNorm(1, 2).affine


@pytest.mark.parametrize(
    ("make", "words"),
    [
        (lambda: mint.nn.Conv1d(1j, 2, 2), "For 'Conv1d', the 'in_channels' must be an int"),
        (lambda: mint.nn.Conv2d(3, 2, 2, bias=0), "For 'Conv2d', the 'bias' must be a bool"),
        (lambda: mint.nn.ConvTranspose2d(3, 2, "1"), "For 'ConvTranspose2d', the 'kernel_size' must be an int"),
        (lambda: mint.nn.BatchNorm1d(3, momentum="0.5"), "For 'BatchNorm1d', the 'momentum' must be a real number"),
        (lambda: mint.nn.BatchNorm2d((1,)), "For 'BatchNorm2d', the 'num_features' must be an int"),
        (lambda: mint.nn.GroupNorm(3, 3, affine=()), "For 'GroupNorm', the 'affine' must be a bool"),
        (lambda: mint.rand(2, device=0), "For 'rand', the 'device' must be a str"),
        (lambda: mint.rand(2, dtype=0), "the 'dtype' must be one of"),
    ],
)
def test_layers_name_the_argument_that_is_no_number_or_bool(make, words: str) -> None:
    with pytest.raises(TypeError, match=words):
        make()


ROWS = np.array([[0.0, 1.0, 4.0, 9.0, 16.0]], np.float32)


@pytest.mark.parametrize(
    ("shape", "options", "expected"),
    [
        ((1, 1, 5), {"scale_factor": 1.3}, [0, 0, 1, 4, 9, 9]),
        ((1, 1, 5), {"scale_factor": 1.3, "mode": "linear"}, [0, 0.6538, 2.2692, 4.9615, 8.8077, 14.1154]),
        (
            (1, 1, 5),
            {"scale_factor": 1.3, "mode": "linear", "recompute_scale_factor": True},
            [0, 0.75, 2.75, 6.0833, 10.75, 16],
        ),
        ((1, 1, 1, 5), {"size": (1, 3), "mode": "bicubic"}, [0.1481, 4.0, 14.0741]),
        ((1, 1, 1, 1, 5), {"scale_factor": (1.6, 1.0, 1.0), "mode": "trilinear"}, [0, 1, 4, 9, 16]),
    ],
)
def test_factors_place_elements_and_images_go_on_beyond_their_border(mode, shape, options, expected):
    found = mint.nn.functional.interpolate(Tensor(ROWS.reshape(shape)), **options)
    np.testing.assert_allclose(found.asnumpy().reshape(-1), expected, atol=1e-3)


def test_an_axis_that_keeps_its_length_is_copied():
    x = Tensor(np.arange(3, dtype=np.float32).reshape(1, 1, 3, 1, 1))
    found = ops.interpolate(x, scale_factor=(1.3, 2.0, 1.0), mode="trilinear")
    assert found.asnumpy().reshape(-1).tolist() == [0, 0, 1, 1, 2, 2]


@pytest.mark.parametrize(
    ("layer", "expected"),
    [
        (lambda: mint.nn.Conv1d(1, 2, 2), "Conv1d(input_channels=1, output_channels=2, kernel_size=(2,), stride=(1,), padding=(0,), "
         "dilation=(1,), groups=1, bias=True)"),
        (lambda: mint.nn.Conv2d(2, 4, (2, 3), 2, "valid", bias=False), "Conv2d(input_channels=2, output_channels=4, kernel_size=(2, 3), "
         "stride=(2, 2), padding=valid, dilation=(1, 1), groups=1, bias=False)"),
        (lambda: mint.nn.BatchNorm2d(3, momentum=None), "BatchNorm2d(num_features=3, eps=1e-05, momentum=None, affine=True, "
         "track_running_stats=True)"),
        (lambda: mint.nn.GroupNorm(1, 3), "GroupNorm(num_groups=1, num_channels=3, eps=1e-05, affine=True)"),
        (lambda: mint.nn.AdaptiveAvgPool2d((2, None)), "AdaptiveAvgPool2d(output_size=(2, None))"),
        (lambda: mint.nn.AdaptiveMaxPool1d(2), "AdaptiveMaxPool1d(output_size=2, return_indices=False)"),
    ],
)  # fmt: skip
def test_layers_tell_their_settings_when_printed(layer, expected) -> None:
    assert repr(layer()) == expected


def test_a_subclass_asks_a_transposed_convolution_for_its_padding_at_the_end():
    layer = mint.nn.ConvTranspose2d(2, 4, 3, stride=2)
    settings = (layer.stride, layer.padding, layer.kernel_size, 2, layer.dilation)
    x = mint.ones((1, 2, 5, 5))
    assert layer._output_padding(x, None, *settings) == (0, 0)
    assert layer._output_padding(x, (12, 11), *settings) == (1, 0)
