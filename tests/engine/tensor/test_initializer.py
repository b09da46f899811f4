"""Initializers, against arrays recorded from MindSpore 2.10 after ``set_seed(1)``."""

import copy
import pickle
from pathlib import Path

import numpy as np
import pytest

from mindspore._engine.base import dtype as dtypes
from mindspore._engine.tensor.initializer import (
    Constant,
    HeNormal,
    HeUniform,
    Initializer,
    Normal,
    One,
    TruncatedNormal,
    Uniform,
    VarianceScaling,
    XavierNormal,
    XavierUniform,
    Zero,
    register,
    to_initializer,
)
from mindspore._engine.tensor.structured_initializer import Dirac, Identity, Orthogonal, Sparse

RECORDED = np.load(Path(__file__).parents[2] / "data" / "initializer.npz")
INITIALIZERS = {
    "uniform": Uniform(0.5),
    "uniform_default": Uniform(),
    "normal": Normal(),
    "normal_mean": Normal(0.37, -0.1),
    "truncated": TruncatedNormal(),
    "truncated_tight": TruncatedNormal(0.7, 0.1, -0.3, 3.1),
    "xavier_uniform": XavierUniform(),
    "xavier_uniform_gain": XavierUniform(1.7),
    "xavier_normal": XavierNormal(2),
    "he_uniform": HeUniform(),
    "he_uniform_dense": HeUniform(5**0.5),
    "he_uniform_tanh": HeUniform(0.2, "fan_out", "tanh"),
    "he_normal": HeNormal(),
    "he_normal_relu": HeNormal(0, "fan_out", "relu"),
    "identity": Identity(),
    "dirac": Dirac(),
    "dirac_groups": Dirac(2),
    "orthogonal": Orthogonal(),
    "orthogonal_wide": Orthogonal(2.0),
    "orthogonal_tall": Orthogonal(),
    "sparse": Sparse(0.3),
    "sparse_sigma": Sparse(0.5, 2.0),
    "variance": VarianceScaling(),
    "variance_out": VarianceScaling(2.0, "fan_out", "uniform"),
    "variance_avg": VarianceScaling(0.3, "fan_avg", "untruncated_normal"),
    "zero": Zero(),
    "one": One(),
    "constant": Constant(2.7),
    "uniform_many": Uniform(1.0),
    "normal_many": Normal(1.0),
    "truncated_many": TruncatedNormal(1.0),
}


def state() -> tuple:
    kind, key, position, *_ = np.random.get_state()
    return kind, key.tobytes(), position


@pytest.mark.parametrize("name", RECORDED.files)
def test_values_are_the_recorded_ones(name):
    initializer, dtype = name.split(".")
    np.random.seed(1)
    filled = INITIALIZERS[initializer].materialise(RECORDED[name].shape, dtypes.to_dtype(dtype))
    assert filled.dtype == dtypes.to_dtype(dtype).np_dtype
    # bfloat16 was recorded as float32, and a QR factorisation may differ in the last bit between LAPACKs.
    filled = filled.astype(RECORDED[name].dtype)
    tolerance = {"float32": 1e-6, "float64": 1e-6, "float16": 1e-3, "bfloat16": 1e-2}[dtype]
    np.testing.assert_allclose(filled, RECORDED[name], rtol=0, atol=tolerance if "orthogonal" in initializer else 0)


def test_every_initializer_has_a_record():
    assert {name.split(".")[0] for name in RECORDED.files} == set(INITIALIZERS)


def test_weight_and_bias_of_a_dense_layer_take_one_draw_each():
    np.random.seed(1)
    weight = HeUniform(5**0.5).materialise((3, 4), dtypes.float32)
    bias = Uniform(0.5).materialise((3,), dtypes.float32)
    np.testing.assert_array_equal(weight[0], np.float32([0.29152092, -0.25549805, 0.17558618, -0.37529707]))
    np.testing.assert_array_equal(bias, np.float32([-0.20009467, -0.016702317, 0.45605168]))


@pytest.mark.parametrize("init", [Zero(), One(), Constant(2), Identity()])
def test_constant_initializers_draw_nothing(init):
    before = state()
    init.materialise((2, 2), dtypes.float32)
    assert state() == before


@pytest.mark.parametrize("init", [XavierUniform(), XavierNormal(), HeUniform(), HeNormal(), VarianceScaling()])
def test_fans_need_two_dimensions_and_the_error_draws_nothing(init):
    before = state()
    with pytest.raises(ValueError, match="fewer than 2 dimensions, but got dimensions 1"):
        init.materialise((3,), dtypes.float32)
    assert state() == before


def test_an_array_is_filled_in_place_in_its_logical_order():
    array = np.zeros((2, 3), np.float16).T
    np.random.seed(1)
    assert Normal()(array) is None
    np.random.seed(1)
    np.testing.assert_array_equal(array, Normal().materialise((3, 2), dtypes.float16))


def test_subclasses_fill_an_array_of_the_target_dtype():
    class Ramp(Initializer):
        def __init__(self):  # as old programs do: without super().__init__()
            self.start = 1

        def _initialize(self, arr):
            arr[:] = np.arange(self.start, self.start + arr.size).reshape(arr.shape)

    filled = Ramp().materialise((2, 2), dtypes.int8)
    assert filled.dtype == np.int8 and filled.tolist() == [[1, 2], [3, 4]]
    assert repr(Ramp()) == "Ramp(start=1)"


def test_the_base_class_says_what_to_define():
    with pytest.raises(NotImplementedError, match=r"define '_initialize\(self, arr\)' in the subclass"):
        Initializer().materialise((2,), dtypes.float32)


def test_text_shows_the_arguments():
    assert repr(Normal(0.02)) == "Normal(sigma=0.02, mean=0.0)"


@pytest.mark.parametrize("copied", [copy.deepcopy, lambda init: pickle.loads(pickle.dumps(init))])
def test_copies_fill_alike(copied):
    np.random.seed(3)
    first = copied(HeNormal(mode="fan_out")).materialise((2, 3), dtypes.float32)
    np.random.seed(3)
    np.testing.assert_array_equal(first, HeNormal(mode="fan_out").materialise((2, 3), dtypes.float32))


@pytest.mark.parametrize(("name", "cls"), [
    ("zeros", Zero), ("zero", Zero), ("ones", One), ("one", One), ("uniform", Uniform), ("normal", Normal),
    ("truncatednormal", TruncatedNormal), ("xavier_uniform", XavierUniform), ("xavieruniform", XavierUniform),
    ("xavier_normal", XavierNormal), ("he_uniform", HeUniform), ("heuniform", HeUniform), ("he_normal", HeNormal),
    ("identity", Identity), ("dirac", Dirac), ("orthogonal", Orthogonal), ("variancescaling", VarianceScaling),
    ("Normal", Normal), ("XavierUniform", XavierUniform)])  # fmt: skip
def test_names_find_their_class_in_any_case(name, cls):
    assert type(to_initializer(name)) is cls
    assert type(to_initializer(name.upper())) is cls


@pytest.mark.parametrize("number", [2, 2.0, np.float32(2), True + 1])
def test_numbers_are_constants(number):
    assert to_initializer(number).materialise((2,), dtypes.float32).tolist() == [2.0, 2.0]


def test_registered_classes_are_found_by_name(monkeypatch):
    monkeypatch.setattr("mindspore._engine.tensor.initializer.BY_NAME", {})

    @register("every_seven")
    class Seven(Initializer):
        def _initialize(self, arr):
            arr[...] = 7

    assert to_initializer("every_seven").materialise((), dtypes.int32) == 7
    assert type(to_initializer("seven")) is Seven


def test_unknown_names_are_refused_with_the_nearest_one():
    with pytest.raises(ValueError, match="the class corresponding to 'foo' was not found"):
        to_initializer("foo")
    with pytest.raises(ValueError, match="Did you mean 'he_normal'"):
        to_initializer("hee_normal")


@pytest.mark.parametrize("init", [None, np.ones(2), [1], Normal])
def test_other_things_than_initializers_are_refused(init):
    with pytest.raises(TypeError, match="the type of the 'init' argument should be 'Tensor', 'number', 'string'"):
        to_initializer(init)


@pytest.mark.parametrize(("make", "error", "text"), [
    (lambda: Constant("a"), TypeError, "For 'Constant', the 'value' must be a number, but got 'a'"),
    (lambda: Constant(None), TypeError, "the 'value' must be a number"),
    (lambda: Constant([1, 2]), TypeError, "the 'value' must be a number"),
    (lambda: Uniform("a"), TypeError, "For 'Uniform', the 'scale' must be a number"),
    (lambda: Normal(-1), ValueError, "For 'Normal', the 'sigma' must not be negative, but got -1"),
    (lambda: TruncatedNormal(0), ValueError, "the 'sigma' must be greater than 0"),
    (lambda: XavierUniform("a"), TypeError, "For 'XavierUniform', the 'gain' must be a number"),
    (lambda: HeUniform(mode="a"), ValueError, r"'mode' a not supported, please use one of \['fan_in', 'fan_out'\]"),
    (lambda: HeUniform(nonlinearity="a"), ValueError, "the 'nonlinearity' must be one of .*, but got 'a'"),
    (lambda: HeNormal(negative_slope=True), ValueError, "the 'negative_slope' must be an int or a float"),
    (lambda: VarianceScaling(scale=0), ValueError, "the 'scale' must be greater than 0, but got 0"),
    (lambda: VarianceScaling(mode="FAN_IN"), ValueError, "the 'mode' must be one of .*, but got 'FAN_IN'"),
    (lambda: VarianceScaling(distribution="a"), ValueError, "the 'distribution' must be one of .*, but got 'a'"),
    (lambda: Dirac(0), ValueError, "For 'Dirac', the 'groups' must be a positive integer, but got 0"),
    (lambda: Sparse(1.5), ValueError, "For 'Sparse', the 'sparsity' must be between 0 and 1, but got 1.5"),
])  # fmt: skip
def test_wrong_arguments_fail_at_once(make, error, text):
    with pytest.raises(error, match=text):
        make()


@pytest.mark.parametrize(("init", "shape", "text"), [
    (Identity(), (2,), "For 'Identity', the initialized tensor must have 2 dimensions, but got 1"),
    (Sparse(0.1), (2,), "For 'Sparse', the initialized tensor must have 2 dimensions, but got 1"),
    (Dirac(), (2, 2), "must have 3 or 4 or 5 dimensions, but got 2"),
    (Dirac(3), (4, 2, 3), "the 'groups' must divide the first dimension"),
    (Orthogonal(), (2,), "must have at least 2 dimensions, but got 1"),
])  # fmt: skip
def test_shapes_that_do_not_fit_are_refused(init, shape, text):
    with pytest.raises(ValueError, match=text):
        init.materialise(shape, dtypes.float32)


def test_arguments_of_one_element_count_as_numbers():
    assert Constant(np.array([2.5])).value == 2.5
    assert Uniform(np.bool_(True)).scale is True


@pytest.mark.parametrize("shape", [(5, 5), (3, 8), (8, 3), (4, 2, 3)])
def test_orthogonal_rows_or_columns_are_orthonormal(shape):
    matrix = Orthogonal(3.0).materialise(shape, dtypes.float64).reshape(shape[0], -1)
    square = matrix @ matrix.T if matrix.shape[0] <= matrix.shape[1] else matrix.T @ matrix
    np.testing.assert_allclose(square, 9.0 * np.eye(len(square)), atol=1e-5)


def test_sparse_zeroes_the_fraction_of_each_column():
    assert (Sparse(0.3).materialise((10, 6), dtypes.float32) == 0).sum(axis=0).tolist() == [3] * 6
