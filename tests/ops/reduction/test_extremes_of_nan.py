"""NaN in reductions to the largest or smallest element: what real MindSpore 2.10 gives on a CPU."""

import numpy as np
import pytest

import mindspore as ms
from mindspore import Tensor, mint, ops

NAN = float("nan")


def values(result):
    return [one.asnumpy().tolist() for one in result] if isinstance(result, tuple) else result.asnumpy().tolist()


@pytest.mark.parametrize(
    ("name", "run", "expected"),
    [
        ("aminmax", lambda x: ops.aminmax(x, axis=None), [1, 9]),
        ("aminmax of an axis", lambda x: ops.aminmax(x, axis=0), [1, 9]),
        ("amax", ops.amax, 9),
        ("amin", ops.amin, 1),
        ("max", ops.max, [9, 0]),
        ("max of an axis", lambda x: ops.max(x, 0), [9, 2]),
        ("min of an axis", lambda x: ops.min(x, 0), [1, 0]),
        ("ReduceMax", ops.ReduceMax(), 9),
        ("argmax", ops.argmax, 2),
        ("argmin", ops.argmin, 0),
        ("ArgMaxWithValue", ops.ArgMaxWithValue(), [2, 9]),
        ("Tensor.min", lambda x: x.min(), 1),
        ("mint.amax", lambda x: mint.amax(x, 0), 9),
        ("numpy.amax", ms.numpy.amax, 9),
    ],
    ids=lambda one: one if isinstance(one, str) else "",
)
@pytest.mark.parametrize("dtype", [ms.float32, ms.float16, ms.float64])
def test_nan_is_passed_over(mode, name, run, expected, dtype):
    assert values(run(Tensor([1, NAN, 9], dtype))) == expected


@pytest.mark.parametrize(
    "run", [ops.amax, ops.amin, ops.ReduceMax(), lambda x: ops.max(x, 0)[0], lambda x: ops.aminmax(x, axis=None)[1]]
)
def test_a_nan_that_comes_first_stands(mode, run):
    assert np.isnan(values(run(Tensor([NAN, 1, 9], ms.float32))))
    assert values(ops.argmax(Tensor([NAN, 1, 9], ms.float32))) == 0


@pytest.mark.parametrize("axis", [0, 1])
def test_large_matrices_follow_the_same_rule(axis):
    x = np.arange(5000, dtype=np.float32).reshape(50, 100)
    x[0, 0] = x[3, 50] = x[7, 99] = NAN
    found = ops.amax(Tensor(x), axis).asnumpy()
    assert np.isnan(found).nonzero()[0].tolist() == [0]
    np.testing.assert_array_equal(found[1:], np.nanmax(x, axis)[1:])


def test_running_extremes_keep_nan(mode):
    for run in (ops.cummax, ops.cummin):
        value, position = run(Tensor([1, NAN, 9, 2], ms.float32), 0)
        np.testing.assert_array_equal(value.asnumpy(), [1, NAN, NAN, NAN])
        assert position.asnumpy().tolist() == [0, 1, 1, 1]


def test_gradients_go_to_the_element_that_was_taken(mode):
    x = Tensor([1, NAN, 9, 2], ms.float32)
    assert ms.grad(ops.amax)(x).asnumpy().tolist() == [0, 0, 1, 0]
    assert ms.grad(lambda x: ops.max(x, 0)[0])(x).asnumpy().tolist() == [0, 0, 1, 0]
