"""What the functions of mindspore.numpy take and refuse."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import mindspore as ms
import mindspore.numpy as mnp
from mindspore import Parameter, Tensor


@pytest.mark.parametrize(
    "value, dtype",
    [(3, "Int32"), (2.5, "Float32"), (True, "Bool"), ([1, 2], "Int32"), ([1, 2.5], "Float32"), ([[True]], "Bool"),
     (2**40, "Int64"), (np.float64(1.5), "Float32"), ([], "Float32")],
)  # fmt: skip
def test_numbers_and_lists_become_arrays_of_32_bits(value: Any, dtype: str) -> None:
    made = mnp.array(value)
    assert str(made.dtype) == dtype
    np.testing.assert_array_equal(made.asnumpy(), value)


def test_lists_may_hold_tensors_beside_numbers() -> None:
    made = mnp.array([Tensor([1, 2]), [3.5, 4.5]])
    assert made.dtype == ms.float32 and made.tolist() == [[1.0, 2.0], [3.5, 4.5]]


def test_a_copy_is_another_tensor_and_asarray_is_the_same() -> None:
    tensor = Tensor([1.0, 2.0])
    copied = mnp.array(tensor)
    copied[0] = 9.0
    assert tensor.tolist() == [1.0, 2.0]
    assert mnp.asarray(tensor) is tensor and mnp.array(tensor, copy=False) is tensor


def test_a_parameter_is_an_array() -> None:
    assert mnp.sum(Parameter(Tensor([1.0, 2.0]), name="w")).item() == 3.0


@pytest.mark.parametrize("dtype", [ms.float16, "float16", np.float16, "f2", np.dtype("float16")])
def test_a_dtype_goes_by_many_names(dtype: Any) -> None:
    assert mnp.ones(2, dtype).dtype == ms.float16
    assert mnp.add([1, 2], 1, dtype=dtype).dtype == ms.float16


def test_python_types_mean_32_bits() -> None:
    assert [mnp.ones(1, one).dtype for one in (int, float, bool)] == [ms.int32, ms.float32, ms.bool_]


@pytest.mark.parametrize(
    "call, text",
    [
        (lambda: mnp.add([1], "a"), "For 'add', the 'x2' must be a Tensor, a number, or a list or tuple of them"),
        (lambda: mnp.exp(np.ones(2)), r"For 'exp', the 'x' .* Write Tensor\(array\)"),
        (lambda: mnp.array(["a"]), "For 'array', the 'obj' must hold numbers only"),
        (lambda: mnp.zeros("a"), "For 'zeros', the 'shape' must be an int, or a list or tuple of ints"),
        (lambda: mnp.ones(2, "abc"), "For 'ones', the 'dtype' must be a dtype such as mindspore.float32"),
        (lambda: mnp.concatenate(3), "For 'concatenate', the 'arrays' must be a list or tuple of Tensors"),
        (lambda: mnp.apply_along_axis(3, 0, [1]), "For 'apply_along_axis', the 'func1d' must be a function"),
    ],
)
def test_what_is_no_array_is_refused_by_name(call: Any, text: str) -> None:
    with pytest.raises(TypeError, match=text):
        call()


@pytest.mark.parametrize(
    "call, text",
    [
        (lambda: mnp.sum([1, 2], axis=1), r"For 'sum', the 'axis' must be in \[-1, 1\) for 1 dimensions, but got 1"),
        (lambda: mnp.zeros((2, -1)), "For 'zeros', the 'shape' must hold lengths >= 0"),
        (lambda: mnp.array([[1, 2], [3]]), "For 'array', the 'obj' must have rows of the same length"),
        (lambda: mnp.split(mnp.ones(5), 2), "must divide the length 5 of axis 0, but got 2. Use array_split"),
        (lambda: mnp.dot([1, 2], [1, 2, 3]), "the axes summed over must have the same length, but got 2 and 3"),
        (lambda: mnp.flip([1], (0, 0)), "For 'flip', the 'axis' must name each axis once"),
        (lambda: mnp.clip([1], None, None), "one of 'xmin' and 'xmax' must be given"),
        (lambda: mnp.pad([1], 1, mode="edges"), "For 'pad', the 'mode' .* Did you mean 'edge'"),
    ],
)
def test_what_does_not_fit_is_refused_with_what_would(call: Any, text: str) -> None:
    with pytest.raises(ValueError, match=text):
        call()


def test_arrays_without_elements_pass_through() -> None:
    empty = mnp.zeros((0, 3))
    assert mnp.sum(empty, 0).tolist() == [0.0, 0.0, 0.0]
    assert mnp.concatenate([empty, mnp.ones((1, 3))]).shape == (1, 3)
    assert mnp.arange(3, 1).shape == (0,)
    assert mnp.where(empty > 0, empty, 1).shape == (0, 3)
