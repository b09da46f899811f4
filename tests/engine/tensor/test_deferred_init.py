"""``initializer``: lazy tensors, and what makes them."""

import numpy as np
import pytest

from mindspore._engine.base import dtype as dtypes
from mindspore._engine.tensor.tensor import Tensor
from mindspore.common.initializer import (
    Initializer,
    Normal,
    One,
    Uniform,
    _assignment,
    _calculate_correct_fan,
    _calculate_fan_in_and_fan_out,
    _calculate_gain,
    _register,
    initializer,
)


def test_the_tensor_is_lazy_until_its_data_is_asked_for():
    before = np.random.get_state()[2]
    tensor = initializer(Normal(), [2, 3], dtypes.float16)
    assert tensor.has_init and isinstance(tensor.init, Normal)
    assert (tensor.shape, tensor.dtype) == ((2, 3), dtypes.float16)
    assert np.random.get_state()[2] == before
    tensor.init_data()
    assert not tensor.has_init


def test_the_seed_is_drawn_when_the_data_is_made():
    first, second = initializer(Uniform(0.5), [5]), initializer(Uniform(0.5), [5])
    np.random.seed(1)
    expected = np.float32([0.29152092, -0.25549805, 0.17558618, -0.37529707, -0.24350175])
    np.testing.assert_array_equal(second.init_data().asnumpy(), expected)
    assert not np.array_equal(first.init_data().asnumpy(), expected)


@pytest.mark.parametrize("init", [One(), "ones", "ONE", 1, 1.0, True])
def test_what_init_can_be(init):
    assert initializer(init, [2]).init_data().asnumpy().tolist() == [1.0, 1.0]


@pytest.mark.parametrize(
    ("shape", "expected"), [(3, (3,)), ((), ()), ([], ()), ((2, 3), (2, 3)), ([np.int64(2)], (2,))]
)
def test_what_shape_can_be(shape, expected):
    assert initializer("zeros", shape).shape == expected


def test_a_tensor_is_returned_as_it_is():
    tensor = Tensor([1.0, 2.0])
    assert initializer(tensor, [2], dtypes.int32) is tensor
    assert initializer(tensor, 2) is tensor
    assert initializer(tensor) is tensor


def test_a_tensor_of_another_shape_is_refused():
    with pytest.raises(ValueError, match=r"got the 'init' shape \[2\] and the 'shape' \[3\]"):
        initializer(Tensor([1.0, 2.0]), [3])


@pytest.mark.parametrize("shape", [[0], [-1], [2.0], 0, 2.0, "ab", [2, None]])
def test_lengths_must_be_positive_integers(shape):
    with pytest.raises(ValueError, match="the value of 'shape' must be positive integer, but got"):
        initializer("zeros", shape)


def test_a_missing_shape_is_named():
    with pytest.raises(ValueError, match="the argument 'shape' must be given"):
        initializer("zeros")


def test_unknown_names_and_types_are_refused():
    with pytest.raises(ValueError, match="the class corresponding to 'foo' was not found"):
        initializer("foo", [2])
    with pytest.raises(TypeError, match="the type of the 'init' argument should be"):
        initializer(None, [2])


def test_every_dtype_can_be_filled():
    for dtype in dtypes.ALL:
        tensor = initializer("ones", [2], dtype).init_data()
        assert tensor.dtype == dtype and (tensor.asnumpy() == 1).all()


def test_initializers_that_programs_define_can_use_mindspores_helpers(monkeypatch):
    monkeypatch.setattr("mindspore._engine.tensor.initializer.BY_NAME", {})

    @_register("kaiming_test")
    class Kaiming(Initializer):
        def _initialize(self, arr):
            fan_in, _ = _calculate_fan_in_and_fan_out(arr.shape)
            assert fan_in == _calculate_correct_fan(arr.shape, "fan_in")
            _assignment(arr, np.full(arr.shape, _calculate_gain("tanh") / fan_in))

    np.testing.assert_allclose(initializer("kaiming_test", [2, 5]).init_data().asnumpy(), np.full((2, 5), 1 / 3), 1e-6)
