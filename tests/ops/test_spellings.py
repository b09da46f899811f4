"""Calls as clients spell them: overloads of methods, PyTorch's keywords, arguments given as Tensors."""

from __future__ import annotations

import numpy as np
import pytest

import mindspore as ms
from mindspore import Tensor, mint, nn, ops
from mindspore._checkparam import args_type_check
from mindspore._engine.operator.overloads import overloaded
from mindspore.dataset import vision
from mindspore.nn.probability import distribution

X = np.arange(24, dtype=np.float32).reshape(2, 3, 4)


# -- overloads ---------------------------------------------------------------------------------------------------------
def test_the_first_form_that_takes_a_call_runs():
    def by_number(self: Tensor, dim: int, keep: bool = False) -> str:
        """One of them."""
        return f"number {dim} {keep}"

    def by_name(self: Tensor, axis: str, *, keep: bool = False) -> str:
        return f"name {axis} {keep}"

    method = overloaded("Tensor.pick", by_number, by_name)
    assert method(Tensor(1), 2) == method(Tensor(1), dim=2) == "number 2 False"
    assert method(Tensor(1), 2, True) == "number 2 True"
    assert method(Tensor(1), "x") == method(Tensor(1), axis="x") == "name x False"
    assert method(Tensor(1), "x", keep=True) == "name x True"
    assert (method.__name__, method.__doc__) == ("pick", "One of them.")


@pytest.mark.parametrize(
    ("args", "named"), [((), {}), (("x", True), {}), ((2.5,), {}), ((1,), {"axis": "x"}), ((1,), {"other": 2})]
)
def test_a_call_that_no_form_takes_is_refused_with_all_forms(args, named):
    def by_number(self: Tensor, dim: int, keep: bool = False) -> None: ...
    def by_name(self: Tensor, axis: str) -> None: ...

    with pytest.raises(
        TypeError, match=r"For 'Tensor.pick', the arguments must be \(dim, keep=False\) or \(axis\), but got"
    ):
        overloaded("Tensor.pick", by_number, by_name)(Tensor(1), *args, **named)


def test_max_by_position_is_a_pair_eagerly_and_a_tensor_in_a_graph():
    x = Tensor(X)
    values, positions = x.max(2)
    np.testing.assert_array_equal(values.asnumpy(), X.max(2))
    np.testing.assert_array_equal(positions.asnumpy(), X.argmax(2))
    np.testing.assert_array_equal(ms.jit(lambda x: x.max(2))(x).asnumpy(), X.max(2))
    np.testing.assert_array_equal(ms.jit(lambda x: x.min(dim=2))(x)[1].asnumpy(), X.argmin(2))


def test_max_inside_a_gradient_is_that_of_the_mode(mode):
    gradient = ms.grad(lambda x: x.max(2)[0].sum())(Tensor(X)).asnumpy()
    largest = np.float32(X.max(2, keepdims=True) == X)
    largest[1:] *= mode == ms.PYNATIVE_MODE  # a Tensor's [0] is its first part
    np.testing.assert_array_equal(gradient, largest)


def test_max_with_keepdims_is_a_tensor(mode):
    np.testing.assert_array_equal(Tensor(X).max(-1, keepdims=True).asnumpy(), X.max(-1, keepdims=True))
    np.testing.assert_array_equal(Tensor(X).min(axis=(0, 1)).asnumpy(), X.min((0, 1)))


@pytest.mark.parametrize(
    ("call", "expected"),
    [
        ("x.index_add(indices=k, y=y, axis=1)", lambda: _added(1)),
        ("x.index_add(dim=1, index=k, source=y, alpha=2)", lambda: _added(2)),
        ("x.where(condition=x > 3, other=0.0)", lambda: np.where(X > 3, X, 0)),
        ("x.narrow(dim=1, start=1, length=2)", lambda: X[:, 1:3]),
        ("x.unsqueeze(axis=0)", lambda: X[None]),
        ("x.flatten(0, 1)", lambda: X.reshape(6, 4)),
        ("x.flatten('F')", lambda: X.reshape(-1, order="F")),
        ("x.sort(dim=1, descending=True, stable=True)[0]", lambda: -np.sort(-X, 1)),
        ("x.repeat_interleave(2, dim=1, output_size=6)", lambda: X.repeat(2, 1)),
        ("x.sum(1, True)", lambda: X.sum(1, keepdims=True)),
        ("x.sum(axis=1, initial=2)", lambda: X.sum(1) + 2),
        ("x.cumsum(dim=1)", lambda: X.cumsum(1)),
        ("x.transpose(0, 1)", lambda: X.swapaxes(0, 1)),
        ("x.permute(axis=(2, 0, 1))", lambda: X.transpose(2, 0, 1)),
        ("x[0, 0].expand_as(x=x)", lambda: np.broadcast_to(X[0, 0], X.shape)),
        ("x.to(other=k)", lambda: X.astype(np.int64)),
        ("x.sub(y=1)", lambda: X - 1),
        ("x[0, 0].diag(diagonal=1)", lambda: np.diag(X[0, 0], 1)),
        ("mint.max(input=x, other=x + 1)", lambda: X + 1),
        ("mint.where(input=x[0, 0] > 1)[0]", lambda: np.array([2, 3])),
        ("mint.empty(size=(2, 3), pin_memory=False) * 0", lambda: np.zeros((2, 3))),
    ],
)
def test_methods_take_the_forms_of_mindspore(call, expected, mode):
    names = {"x": Tensor(X), "k": Tensor([2, 0]), "y": Tensor(X[:, :2]), "mint": mint}
    np.testing.assert_array_equal(eval(call, names).asnumpy(), expected())


def _added(alpha: int) -> np.ndarray:
    result = X.copy()
    result[:, [2, 0]] += alpha * X[:, :2]
    return result


def test_a_length_that_is_not_that_of_the_repetition_is_refused():
    with pytest.raises(ValueError, match="'output_size' must be 4, the length of the repeated axis, but got 3"):
        Tensor([1, 2]).repeat_interleave(2, 0, output_size=3)


def test_unique_elements_come_sorted_with_places_and_counts():
    values, places, counts = Tensor([[3, 1], [3, 3]]).unique(return_inverse=True, return_counts=True)
    assert (values.tolist(), places.tolist(), counts.tolist()) == ([1, 3], [[1, 0], [1, 1]], [1, 3])
    assert Tensor([[1, 2], [1, 2], [0, 5]]).unique(dim=0).tolist() == [[0, 5], [1, 2]]


def test_layers_of_mint_take_their_inputs_by_name(mode):
    x = Tensor([[0.5, 0.25]])
    assert mint.nn.MSELoss()(input=x, target=x) == 0
    assert mint.nn.SmoothL1Loss(beta=2.0)(input=x, target=x) == 0
    np.testing.assert_array_equal(mint.nn.ReLU6()(input=x).asnumpy(), x.asnumpy())
    assert mint.nn.ConstantPad1d(1, 2.0)(input=x).shape == (1, 4)
    images = ops.ones((1, 1, 3, 3))
    assert mint.nn.ConvTranspose2d(1, 2, 3, stride=2)(images, output_size=(8, 8)).shape == (1, 2, 8, 8)
    with pytest.raises(ValueError, match=r"'output_size' must be between \[7, 7\] and \[8, 8\], but got \(9, 9\)"):
        mint.nn.ConvTranspose2d(1, 2, 3, stride=2)(images, output_size=(9, 9))


# -- further spellings -------------------------------------------------------------------------------------------------
def test_types_of_keywords_are_checked():
    @args_type_check(mode=int, name=str)
    def configure(**kwargs):
        return kwargs

    assert configure(mode=1, other=2) == {"mode": 1, "other": 2}
    with pytest.raises(TypeError, match="'mode' must be <class 'int'>, but got <class 'str'>"):
        configure(mode="1")


def test_a_tensor_of_a_dtype_alone_describes_any_number_of_axes():
    assert Tensor(None, ms.float32).shape == Tensor(dtype=ms.float32).shape == (-2,)
    assert Tensor(dtype=ms.int32).dtype == ms.int32
    for wrong in ({}, {"shape": (1,)}):
        with pytest.raises(TypeError, match="give 'input_data'"):
            Tensor(None, **wrong)
    with pytest.raises(ValueError, match="'init' needs 'shape' and 'dtype' at the same time"):
        Tensor(shape=(2,), init="ones")


@pytest.mark.parametrize("dtype", ["int32", "float16", "complex64", "uint8", "float64", "complex128"])
def test_bytes_are_seen_as_numbers_of_another_dtype(dtype, mode):
    source = np.arange(8, dtype=np.float32).reshape(2, 4)
    found = Tensor(source).view(getattr(ms, dtype))
    np.testing.assert_array_equal(found.asnumpy(), source.view(dtype))
    np.testing.assert_array_equal(found.view(dtype=ms.float32).asnumpy(), source)


def test_the_level_of_compilation_is_a_key_of_the_context():
    before = ms.get_context("jit_config")
    try:
        ms.set_context(jit_level="O0")
        assert ms.get_context("jit_level") == "O0"
        with pytest.raises(TypeError, match="'jit_level' must be 'str'"):
            ms.set_context(jit_level=0)
    finally:
        ms.set_context(jit_config=before)


def test_one_block_length_stands_for_all_axes_and_crops_leave_something(mode):
    x = Tensor(np.arange(16, dtype=np.float32).reshape(4, 1, 2, 2))
    cropped = ops.BatchToSpaceND(2, [[0, 1], [1, 0]])(x)
    np.testing.assert_array_equal(
        cropped.asnumpy(), ops.BatchToSpaceND([2, 2], [[0, 0], [0, 0]])(x).asnumpy()[..., :3, 1:]
    )
    with pytest.raises(ValueError, match=r"the 'crops' must leave something of \(4, 4\)"):
        ops.BatchToSpaceND(2, [[0, 4], [0, 0]])(x)


def test_splits_past_the_end_are_empty(mode):
    assert [part.shape for part in ops.tensor_split(Tensor(X[0, 0]), (2, 9, 12))] == [(2,), (2,), (0,), (0,)]
    assert [part.shape for part in Tensor(X[0, 0]).tensor_split(5)] == [(1,), (1,), (1,), (1,), (0,)]


@pytest.mark.parametrize(
    ("function", "slope"),
    [(lambda x: 3.0, 0), (lambda x: [x * x, x], 5), (lambda x: (x * x, (x, [x * 3])), 8), (lambda x: (x * x, 3), 4)],
)
def test_gradients_of_numbers_lists_and_nested_tuples(function, slope, mode):
    assert ms.grad(function)(Tensor(2.0)) == slope


def test_images_are_written_from_tensors(tmp_path):
    image = np.random.default_rng(0).integers(0, 255, (4, 5, 3), np.uint8)
    np.testing.assert_array_equal(vision.encode_png(Tensor(image)), vision.encode_png(image))
    np.testing.assert_array_equal(vision.encode_jpeg(Tensor(image)), vision.encode_jpeg(image))
    vision.write_png(str(tmp_path / "a.png"), Tensor(image))
    np.testing.assert_array_equal(vision.read_image(str(tmp_path / "a.png")), image)
    vision.write_jpeg(str(tmp_path / "a.jpg"), Tensor(image))
    vision.write_file(str(tmp_path / "a"), Tensor(np.arange(4, dtype=np.uint8)))
    np.testing.assert_array_equal(vision.read_file(str(tmp_path / "a")), np.arange(4))


def test_shapes_of_samples_are_given_as_tensors():
    normal = distribution.Normal(0.0, 1.0, dtype=ms.float32)
    assert normal.sample(Tensor([2, 3])).shape == normal.sample(shape=Tensor([2, 3])).shape == (2, 3)
    assert normal("sample", Tensor([4])).shape == (4,)
    with pytest.raises(TypeError, match="'shape' must be a tuple, but got type 'list'"):
        normal.sample([2, 3])


def test_a_transposed_convolution_is_cut_by_its_strategy():
    layer = nn.Conv2dTranspose(2, 3, 3)
    assert layer.shard(((1, 1, 1, 1), (1, 1, 1, 1))) is layer
    assert layer.conv2d_transpose.in_strategy == ((1, 1, 1, 1), (1, 1, 1, 1))
