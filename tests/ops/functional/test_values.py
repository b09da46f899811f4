import numpy as np
import pytest

import mindspore as ms
from mindspore import Tensor, ops
from mindspore.ops import functional as F
from mindspore.ops import operations as P


def test_what_is_known_without_data_is_a_python_value_in_both_ways():
    x = Tensor(np.zeros((2, 3), np.float16))

    def describe(x):
        return F.shape(x), F.rank(x), F.size(x), P.Shape()(x), P.Rank()(x), P.Size()(x)

    expected = ((2, 3), 2, 6, (2, 3), 2, 6)
    assert describe(x) == expected
    assert ms.jit(describe)(x) == expected
    assert F.dtype(x) == P.DType()(x) == ms.float16


@pytest.mark.parametrize("name", ["Shape", "Rank", "Size", "DType"])
def test_only_tensors_have_them(name):
    with pytest.raises(
        TypeError, match=rf"For primitive\[{name}\], the input argument must be Tensor, but got <class 'int'>"
    ):
        getattr(P, name)()(3)


def test_numbers_become_tensors():
    assert repr(F.scalar_to_tensor(3)) == "Tensor(shape=[], dtype=Float32, value= 3)"
    assert F.scalar_to_tensor(3, ms.int32).dtype == ms.int32
    assert P.ScalarToTensor()(2.5).asnumpy() == 2.5
    assert F.scalar_to_array(2.5).dtype == ms.float32
    assert P.ScalarToArray()(3).dtype == ms.int64
    with pytest.raises(TypeError, match="For 'ScalarToTensor', the 'input_x' must be a bool, int or float"):
        F.scalar_to_tensor(Tensor(1.0))


def test_tuples_become_tensors():
    assert F.tuple_to_array((1, 2)).dtype == ms.int32
    assert P.TupleToArray()((1, 2.5)).dtype == ms.float32
    for wrong in ((), 3, ("a",)):
        with pytest.raises(TypeError, match="For 'TupleToArray'"):
            F.tuple_to_array(wrong)


def test_scalar_cast_gives_python_numbers():
    assert F.scalar_cast(3.7, ms.int32) == 3
    assert type(P.ScalarCast()(3, ms.float16)) is float
    assert F.scalar_cast(2, ms.bool_) is True


def test_functions_of_tuples():
    assert F.make_range(3) == (0, 1, 2) and F.make_range(1, 9, 3) == (1, 4, 7)
    assert F.make_tuple(1, 2) == (1, 2) and F.make_list(1, 2) == [1, 2]
    assert F.tuple_len((1, 2)) == F.list_len([1, 2]) == 2
    assert F.tuple_getitem((1, 2), 1) == 2 and F.tuple_setitem((1, 2), 0, 5) == (5, 2)


def test_mixed_precision_cast_converts_floats_only():
    half, integer, text = F.mixed_precision_cast(ms.float16, [Tensor([1.0]), Tensor([1]), "a"])
    assert half.dtype == ms.float16 and integer.dtype == ms.int64 and text == "a"


def test_is_tensor_and_tensor_shape():
    assert ops.is_tensor(Tensor(1)) and not ops.is_tensor(1)
    assert ops.TensorShape()(Tensor([[1, 2]])).asnumpy().tolist() == [1, 2]
