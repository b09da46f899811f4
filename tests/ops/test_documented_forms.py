"""Forms of calls that MindSpore's documents use; the expected values are those of real MindSpore 2.10."""

import numpy as np
import pytest

import mindspore as ms
from mindspore import Parameter, Tensor, mint, ops
from mindspore.ops import auto_generate

X = Tensor(np.arange(16, dtype=np.float32).reshape(2, 2, 4))


@pytest.mark.parametrize(
    ("places", "lengths"),
    [
        ([3, 6], [3, 1, 0]),
        ([6, 3], [4, 0, 1]),
        ([5], [4, 0]),
        ([-1], [3, 1]),
        ([-9], [0, 4]),
        ([1, 1], [1, 0, 3]),
        ([], [4]),
    ],
)
def test_places_past_the_end_leave_empty_pieces(mode, places, lengths):
    for pieces in (ops.dsplit(X, places), X.tensor_split(places, axis=2), ops.tensor_split(X, tuple(places), 2)):
        assert [one.shape[2] for one in pieces] == lengths
    assert [one.shape[1] for one in ops.hsplit(X, [3, 6])] == [2, 0, 0]
    assert [one.shape[0] for one in ops.vsplit(X, [3, 6])] == [2, 0, 0]


@pytest.mark.parametrize(
    ("source", "dtype", "expected"),
    [
        (np.array([1, 2]), ms.int32, [1, 0, 2, 0]),
        (np.float32([1, 2]), ms.int32, [1065353216, 1073741824]),
        (np.float32([[1], [2]]), ms.float16, [[0, 1.875], [0, 2]]),
        (np.float16([1, 2, 3, 4]), ms.float32, [2.003662109375, 513.03125]),
        (np.int32([0, 1, 2, 3]), ms.int64, [4294967296, 12884901890]),
        (np.array([True, False]), ms.int8, [1, 0]),
        (np.int16([0, 256]), ms.bool_, [False, False, False, True]),
    ],
)
def test_a_view_as_another_dtype_shows_the_same_bytes(mode, source, dtype, expected):
    found = Tensor(source).view(dtype)
    assert found.dtype == dtype
    np.testing.assert_allclose(found.asnumpy(), expected, rtol=1e-6)
    assert Tensor(source).view(dtype=dtype).shape == found.shape


def test_a_view_that_does_not_divide_says_so():
    with pytest.raises(ValueError, match="divisible by 2"):
        Tensor([1, 2, 3], ms.int32).view(ms.int64)
    with pytest.raises(ValueError, match="must have an axis"):
        Tensor(3, ms.int64).view(ms.int32)


def test_methods_take_their_lists_by_name(mode):
    x = Tensor([[1.0, 2.0, 3.0]])
    assert x.reshape(shape=(3,)).shape == x.view(shape=(3,)).shape == (3,)
    assert x.permute(dims=(1, 0)).shape == x.transpose(dim0=0, dim1=1).shape == (3, 1)
    assert x.flip(dims=(1,)).asnumpy().tolist() == [[3, 2, 1]]
    assert x.broadcast_to(shape=(2, 3)).shape == (2, 3)
    with pytest.raises(TypeError, match=r"must be \(shape\) or \(\*numbers\), but got \(int, shape=tuple\)"):
        x.reshape(3, shape=(3,))


def test_methods_take_pytorch_names(mode):
    x = Tensor([[1.0, 2.0, 3.0]])
    place = Tensor([[2]])
    assert x.gather(dim=1, index=place).asnumpy().tolist() == x.gather(1, place).asnumpy().tolist() == [[3]]
    assert x.gather(Tensor([2]), 1).asnumpy().tolist() == [[3]]
    assert x.scatter(dim=1, index=place, src=Tensor([[8.0]])).asnumpy().tolist() == [[1, 2, 8]]
    assert x.scatter(1, place, Tensor([[8.0]]), reduce="add").asnumpy().tolist() == [[1, 2, 11]]
    assert x.scatter(1, place, 2.0, reduce="multiply").asnumpy().tolist() == [[1, 2, 6]]
    assert x.index_select(dim=1, index=Tensor([2])).asnumpy().tolist() == [[3]]
    assert len(x.split(split_size=1, dim=1)) == len(x.chunk(chunks=3, dim=1)) == 3
    assert x.repeat_interleave(repeats=2, dim=0).shape == (2, 3)
    assert x.take(index=Tensor([1])).asnumpy().tolist() == [2]
    assert x.matmul(tensor2=x.T).asnumpy().tolist() == [[14]]


def test_addbmm_sums_over_the_first_axis_of_matrices_too(mode):
    a, b = Tensor([[1.0, 2.0], [3.0, 4.0]]), ops.ones((2, 2))
    assert ops.addbmm(ops.zeros((2, 2)), a, b).asnumpy().tolist() == [[10, 10], [10, 10]]
    with pytest.raises(ValueError, match="batch2"):
        ops.addbmm(ops.zeros((2, 2)), a, b[None])


def test_inplace_index_add_returns_a_plain_tensor():
    weight = Parameter(Tensor([[1.0], [2.0]]), name="w")
    found = ops.inplace_index_add(weight, Tensor([1], ms.int32), Tensor([[5.0]]), 0)
    assert type(found) is Tensor
    assert found.asnumpy().tolist() == weight.asnumpy().tolist() == [[1], [7]]


def test_place_names_a_worker():
    matmul = ops.MatMul()
    assert matmul.place("MS_WORKER", 0) is None
    assert (matmul.attrs["ms_role"], matmul.attrs["rank_id"]) == ("MS_WORKER", 0)
    with pytest.raises(ValueError, match="'role' must be 'MS_WORKER', but got 'MS_SCHED'"):
        matmul.place("MS_SCHED", 0)
    with pytest.raises(ValueError, match="at least 0, but got -1"):
        matmul.place("MS_WORKER", -1)
    with pytest.raises(TypeError, match="must be an int, but got str"):
        matmul.place("MS_WORKER", "0")


def test_modules_of_operators_are_attributes():
    for name in ("nn_func", "array_func", "random_func", "math_func", "grad_func", "comm_func"):
        assert getattr(ops.function, name).__name__ == f"mindspore.ops.function.{name}"
    assert ops.operations.nn_ops.ReLU is ops.ReLU
    assert ops.functional_overload.any is mint.any
    assert ops.auto_generate is auto_generate
    with pytest.raises(AttributeError, match="no attribute 'no_such_func'"):
        _ = ops.function.no_such_func


def test_extended_names_are_those_of_mint():
    assert ops.function.nn_func.glu_ext is mint.nn.functional.glu
    assert ops.function.array_func.gather_ext is mint.gather
    assert ops.function.random_func.uniform_(ops.zeros(3), 1.0, 2.0).asnumpy().min() >= 1
    assert auto_generate.clamp_scalar(Tensor([1.0, 25.0]), 5, 20).asnumpy().tolist() == [5, 20]
    assert auto_generate.clamp_tensor(Tensor([1.0]), Tensor([5.0]), Tensor([20.0])).asnumpy().tolist() == [5]
