"""Ints and slices on arrays of the host: NumPy's results, and nobody else's array is written to."""

from __future__ import annotations

import jax
import numpy as np
import pytest

import mindspore as ms
from mindspore import Parameter, Tensor, ops
from mindspore._engine.execution import host_indexing
from mindspore._engine.interpreter import choice


@pytest.fixture(autouse=True)
def eager():
    ms.set_context(mode=ms.PYNATIVE_MODE)
    host_indexing._Last.written = None


def numbers(*shape):
    return np.arange(np.prod(shape), dtype=np.float32).reshape(shape)


INDICES = [0, -1, (1, 2), slice(1, None), slice(None, None, -2), (..., 1), (None, 1), (slice(0, 0), 1), (1, slice(5, 1)),
           (slice(None), slice(1, 3), None), ..., (-1, ..., -1), (2, 3, 4)]  # fmt: skip


@pytest.mark.parametrize("index", INDICES, ids=str)
def test_reads_and_writes_are_those_of_numpy(index):
    array = numbers(3, 4, 5)
    x = Tensor(array)
    assert host_indexing.read(x, index) is not None or index is Ellipsis
    np.testing.assert_array_equal(x[index].asnumpy(), array[index])
    expected = array.copy()
    expected[index] = 7
    x[index] = 7
    np.testing.assert_array_equal(x.asnumpy(), expected)
    expected[index] = expected[index] * 2
    x[index] = Tensor(np.asarray(expected[index]))
    np.testing.assert_array_equal(x.asnumpy(), expected)


def test_a_loop_writes_in_place():
    x = ops.zeros((50, 8), ms.float32)
    x[0] = 1.0
    before = x._value
    address = before.ctypes.data
    del before
    for row in range(50):
        x[row] = float(row)
    assert x._value.ctypes.data == address
    np.testing.assert_array_equal(x.asnumpy()[:, 3], np.arange(50))


def test_other_holders_keep_what_they_hold():
    x = Tensor(numbers(4, 4))
    x[0, 0] = 5.0
    copies = [Tensor(x), ops.flatten(x), x.asnumpy().copy(), x.copy(), ops.transpose(x, (1, 0)) + 0]
    kept = [np.array(each.asnumpy() if isinstance(each, Tensor) else each) for each in copies]
    saved = ms.grad(lambda w: (w * x).sum())
    x[:] = -1.0
    for each, value in zip(copies, kept, strict=True):
        np.testing.assert_array_equal(each.asnumpy() if isinstance(each, Tensor) else each, value)
    np.testing.assert_array_equal(saved(Tensor(numbers(4, 4))).asnumpy(), -np.ones((4, 4)))


def test_what_xla_reads_is_not_written_to():
    x = Tensor(numbers(8, 8))
    x[0] = 1.0  # owned
    with choice.compiled_at_once():
        results = []
        for step in range(20):
            x[1, 1] = float(step)
            results.append(ops.exp(x * 0.0) + x)
    assert [float(each[1, 1].asnumpy()) for each in results] == [1.0 + step for step in range(20)]


def test_results_of_the_host_are_written_in_place_unless_xla_reads_them():
    x = Tensor(numbers(100, 100)) * 2.0  # in aligned memory, which XLA takes as it is
    for _ in range(3):
        x = x * 2.0
    shared = jax.jit(lambda array: array + 1)(x._value)
    x[0, 0] = 1.0
    assert float(shared[0, 0]) == 16.0 * numbers(100, 100)[0, 0] + 1.0
    x = x * 1.0
    address = x._value.ctypes.data
    x[0] = 1.0
    assert x._value.ctypes.data == address
    view, before = x[1:], x.asnumpy()
    x[5] = 7.0
    assert float(view[4, 0].asnumpy()) == 7.0
    assert before[5, 0] != 7.0


def test_a_tensor_on_the_device_that_is_written_again_moves_to_the_host():
    x = ops.zeros((128, 128), ms.float32)
    for row in range(3):
        x[row] = 1.0 + row
    assert isinstance(x._value, np.ndarray)
    np.testing.assert_array_equal(x.asnumpy()[:4, 5], [1, 2, 3, 0])


def test_views_write_through_and_parameters_are_written():
    x = Tensor(numbers(3, 4))
    row = x[1]
    row[2] = 100.0
    assert x.asnumpy()[1, 2] == 100.0
    weight = Parameter(Tensor(numbers(3, 4)), name="weight")
    weight[0] = 3.0
    weight[0, 1] = 4.0
    assert weight.asnumpy()[0].tolist() == [3, 4, 3, 3]


def test_values_that_numpy_would_convert_otherwise_are_left_to_the_kernel():
    x = Tensor(np.zeros(3, np.int32))
    x[0] = 2.7
    x[1] = Tensor(3.9, ms.float32)
    x[2] = True
    assert x.asnumpy().tolist() == [2, 3, 1]
    with pytest.raises(IndexError, match="out of bounds"):
        x[3] = 1
    with pytest.raises(IndexError, match="out of bounds"):
        x[-4]
    with pytest.raises((ValueError, RuntimeError)):
        x[:2] = Tensor(np.zeros(3, np.int32))


def test_gradients_pass_through_an_assignment():
    def function(w):
        x = ops.zeros((3,), ms.float32)
        x[1] = w * 2.0
        return (x * x).sum()

    assert float(ms.grad(function)(Tensor(3.0, ms.float32)).asnumpy()) == 24.0
