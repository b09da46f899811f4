"""Tensor: constructors, attributes, conversions, text and copies."""

from __future__ import annotations

import copy
import enum
import pickle

import ml_dtypes
import numpy as np
import pytest

import mindspore as ms
from mindspore import Parameter, Tensor
from mindspore.common.initializer import One, initializer


@pytest.mark.parametrize("data, dtype, shape", [
    (True, ms.bool_, ()), (3, ms.int64, ()), (2.5, ms.float32, ()), (1 + 2j, ms.complex128, ()),
    ([1, 2], ms.int64, (2,)), ([1.5, 2], ms.float32, (2,)), ((True, False), ms.bool_, (2,)), ([], ms.float32, (0,)),
    ([[1, 2], [3, 4]], ms.int64, (2, 2)), ([[1.0], [2.0]], ms.float32, (2, 1)),
    (np.float64(1.5), ms.float64, ()), (np.int16(3), ms.int16, ()), (np.zeros((2, 0)), ms.float64, (2, 0)),
    (np.arange(3, dtype=np.uint8), ms.uint8, (3,)), (np.array([1.5], ml_dtypes.bfloat16), ms.bfloat16, (1,)),
])  # fmt: skip
def test_input_data_decides_dtype_and_shape(data, dtype, shape):
    tensor = Tensor(data)
    assert tensor.dtype == dtype
    assert tensor.shape == shape
    assert (tensor.ndim, tensor.size) == (len(shape), int(np.prod(shape)))


@pytest.mark.parametrize("dtype", ms.common.dtype.all_types)
def test_every_dtype_stores_and_returns_its_values(dtype):
    tensor = Tensor([0, 1, 1], dtype)
    assert tensor.dtype == dtype
    array = tensor.asnumpy()
    assert array.dtype == dtype.np_dtype
    assert array.astype(np.float64).tolist() == [0, 1, 1]
    assert tensor.itemsize == array.itemsize and tensor.nbytes == array.nbytes


def test_out_of_range_numbers_wrap():
    assert Tensor(2**40, ms.int32).item() == 0
    assert Tensor(-1, ms.uint8).item() == 255


def test_the_constructor_copies():
    array = np.zeros(4, np.float32)
    tensor = Tensor(array)
    array[:] = 7
    assert tensor.asnumpy().tolist() == [0] * 4
    other = Tensor(tensor)
    other[0] = 5
    assert tensor.asnumpy()[0] == 0


def test_tensors_in_lists_are_stacked():
    assert Tensor([Tensor([1.0, 2.0]), Tensor([3.0, 4.0])]).shape == (2, 2)


@pytest.mark.parametrize("data", [range(3), "abc", {"a": 1}, {1, 2}, object()])
def test_other_input_is_refused(data):
    with pytest.raises(TypeError, match="the type of 'input_data' should be one of"):
        Tensor(data)


@pytest.mark.parametrize("data", [[[1, 2], [3]], ["a", "b"], [None, 1]])
def test_ragged_and_mixed_lists_are_refused(data):
    with pytest.raises(TypeError, match="contain unsupported element"):
        Tensor(data)


@pytest.mark.parametrize("dtype", ["float32", np.float32, float, 3])
def test_dtype_must_be_a_mindspore_dtype(dtype):
    with pytest.raises(TypeError, match=r"the 'dtype' must be one of \[.*mindspore.float32"):
        Tensor([1.0], dtype)


def test_nothing_given_is_refused():
    with pytest.raises(TypeError, match="give 'input_data', or both 'shape' and 'dtype'"):
        Tensor()


def test_lazy_tensors_make_their_data_on_demand():
    tensor = Tensor(shape=(2, 2), dtype=ms.float32, init=One())
    assert tensor.has_init and tensor.shape == (2, 2) and tensor.dtype == ms.float32
    assert tensor.init_data() is tensor
    assert not tensor.has_init
    assert tensor.asnumpy().tolist() == [[1, 1], [1, 1]]
    assert Tensor(shape=(3,), dtype=ms.int32).asnumpy().tolist() == [0, 0, 0]
    assert (initializer("ones", [2], ms.float32) + 1).asnumpy().tolist() == [2, 2]


def test_arrays_of_large_tensors_are_copies():
    tensor = Tensor(np.zeros(100_000, np.float32))
    array = tensor.asnumpy()
    array[0] = 9
    assert tensor.asnumpy()[0] == 0


def test_numpy_takes_tensors():
    tensor = Tensor([[1, 2], [3, 4]])
    assert np.asarray(tensor).tolist() == [[1, 2], [3, 4]]
    assert np.array(tensor, dtype=np.float32).dtype == np.float32
    assert isinstance(np.ones(2) + Tensor([1.0, 2.0]), np.ndarray)


def test_dlpack_goes_both_ways():
    tensor = Tensor([1.0, 2.0, 3.0])
    assert np.from_dlpack(tensor).tolist() == [1, 2, 3]
    assert tensor.__dlpack_device__()[0] == 1


def test_python_scalars_come_from_one_element():
    assert float(Tensor([2.5])) == 2.5 and int(Tensor(3)) == 3 and bool(Tensor(0.0)) is False
    assert complex(Tensor(1.0)) == 1 + 0j
    assert [10, 20, 30][Tensor(1)] == 20
    assert Tensor([[7]]).item() == 7
    assert "%.2f" % Tensor(1.234) == "1.23"  # noqa: UP031
    with pytest.raises(ValueError, match="only one element, but got 6"):
        bool(Tensor(np.ones((2, 3))))
    with pytest.raises(TypeError, match="integer tensors"):
        [1, 2][Tensor(1.0)]


def test_length_and_iteration_follow_the_first_axis():
    tensor = Tensor([[1, 2], [3, 4]])
    assert len(tensor) == 2
    assert [row.asnumpy().tolist() for row in tensor] == [[1, 2], [3, 4]]
    with pytest.raises(TypeError, match="0-D"):
        len(Tensor(1))
    with pytest.raises(TypeError, match="0-d"):
        iter(Tensor(1))


def test_item_and_itemset():
    tensor = Tensor([[1.0, 2.0], [3.0, 4.0]])
    assert tensor.item((1, 0)) == 3.0 and tensor.item(3) == 4.0
    changed = tensor.itemset((0, 1), 9.0)
    assert changed.asnumpy().tolist() == [[1, 9], [3, 4]]
    assert tensor.asnumpy().tolist() == [[1, 2], [3, 4]]
    assert tensor.tolist() == [[1, 2], [3, 4]]


def test_strides_are_those_of_a_dense_array():
    assert Tensor(np.zeros((2, 3, 4), np.float32)).strides == np.zeros((2, 3, 4), np.float32).strides


def test_equality_with_other_kinds_is_plain_python():
    tensor = Tensor([1, 2])
    assert (tensor == None) is False  # noqa: E711
    assert (tensor != "a") is True
    assert (tensor == tensor).asnumpy().all()
    assert hash(tensor) != hash(Tensor([1, 2]))
    assert tensor in {tensor: 1}


def test_text_forms():
    assert repr(Tensor(2.0)) == "Tensor(shape=[], dtype=Float32, value= 2)"
    assert repr(Tensor([True, False])) == "Tensor(shape=[2], dtype=Bool, value= [ True, False])"
    assert repr(Tensor([[0, 1, 2], [3, 4, 5]])) == "Tensor(shape=[2, 3], dtype=Int64, value=\n[[0, 1, 2],\n [3, 4, 5]])"
    assert str(Tensor([1.5, 2.0])) == "[1.5 2. ]"
    assert str(Tensor(123456.789)) == "123456.79"
    assert "<table" in Tensor([[1, 2], [3, 4]])._repr_html_()
    with pytest.raises(TypeError):
        f"{Tensor(1.0):.3f}"


@pytest.mark.parametrize("make", [copy.copy, copy.deepcopy, lambda t: pickle.loads(pickle.dumps(t)), Tensor.copy])
@pytest.mark.parametrize("dtype", [ms.float32, ms.bfloat16, ms.int8, ms.bool_])
def test_copies_are_equal_and_independent(make, dtype):
    tensor = Tensor([1, 0, 1], dtype)
    other = make(tensor)
    assert type(other) is Tensor and other.dtype == dtype
    assert other.asnumpy().tolist() == tensor.asnumpy().tolist()
    other[0] = 0
    assert bool(tensor[0])


def test_assign_value_and_set_dtype_change_in_place():
    tensor = Tensor([1.0, 2.0])
    alias = tensor
    tensor.assign_value(Tensor([[5]]))
    assert alias.shape == (1, 1) and alias.dtype == ms.int64
    assert tensor.set_dtype(ms.float16) == ms.float16
    assert alias.dtype == ms.float16


def test_in_place_operators_rebind():
    tensor = Tensor([1.0])
    alias = tensor
    tensor += 1
    assert alias.item() == 1 and tensor.item() == 2


def test_strings_are_kept_as_they_are():
    tensor = Tensor(np.array(["a", "bc"]))
    assert tensor.dtype == ms.string
    assert tensor.asnumpy().tolist() == ["a", "bc"]


def test_a_parameter_is_a_tensor_and_its_results_are_not_parameters():
    parameter = Parameter(Tensor([1.0]), name="p")
    assert isinstance(parameter, Tensor)
    assert type(parameter + 1) is Tensor
    assert type(parameter.value()) is Tensor


def test_values_inside_a_strict_graph_refuse_to_become_python():
    @ms.jit(fullgraph=True)
    def shows(x):
        return x.asnumpy()

    with pytest.raises(RuntimeError, match=r"asnumpy\(\) needs the value of a Tensor(.|\n)*test_tensor.py"):
        shows(Tensor([1.0]))


def test_arrays_of_small_tensors_share_their_memory():
    ms.set_context(mode=ms.PYNATIVE_MODE)
    x = Tensor(np.array([1, 2], np.float32))
    copied, y = Tensor(x), x.asnumpy()
    y[0] = 11
    assert x.asnumpy().tolist() == [11, 2] and copied.asnumpy().tolist() == [1, 2]
    assert np.shares_memory(x.asnumpy(), y) and (x + 1).asnumpy().tolist() == [12, 3]
    x[1] = 5  # a new value: the array stays as it was
    y[0] = 0
    assert x.asnumpy().tolist() == [11, 5] and y.tolist() == [0, 2]


def test_a_graph_that_is_running_does_not_see_what_is_written_to_shared_memory():
    x = Tensor(np.ones(1000, np.float32))
    array = x.asnumpy()
    assert x._value.ctypes.data % 16 == 8  # XLA would read aligned memory in place, and later
    result = ms.jit(lambda x: x * 2)(x)
    array[:] = 7
    assert set(result.asnumpy()) == {2.0}


def test_arrays_of_gradients_may_be_written_to():
    ms.set_context(mode=ms.PYNATIVE_MODE)
    for _ in range(2):
        gradient = ms.grad(lambda x: x * 1)(Tensor([2.0, 3.0])).asnumpy()
        assert gradient.tolist() == [1, 1]
        gradient[...] = 7


class _Kind(enum.IntEnum):
    FIRST = 1
    SECOND = 2


class _Share(float):
    pass


def test_numbers_of_derived_classes_are_numbers():
    x = Tensor([1.0, 2.0, 3.0])
    assert (x * _Kind.SECOND).tolist() == (_Kind.SECOND * x).tolist() == [2.0, 4.0, 6.0]
    assert (x == _Kind.FIRST).tolist() == [True, False, False]
    assert (x * _Share(0.5)).dtype == ms.float32
    assert (Tensor(_Kind.SECOND).dtype, Tensor(_Share(0.5)).dtype) == (ms.int64, ms.float32)
    assert ms.ops.full((2,), _Kind.SECOND).tolist() == [2, 2]


@pytest.mark.parametrize("value", ["a", 1j, object()])
def test_what_cannot_be_assigned_to_a_part_is_caught_as_either_error(value):
    x = Tensor([1.0, 2.0])
    for kind in (TypeError, IndexError):
        with pytest.raises(kind, match="assigned to part of a Tensor"):
            x[0] = value
    assert x.tolist() == [1.0, 2.0]
