"""Matrices that a program writes in the other order are turned by a kernel, wherever nobody could read them as they lie."""

from __future__ import annotations

import numpy as np
import pytest

import mindspore as ms
from mindspore import Tensor, ops
from mindspore._engine.base.kernel import Kernel
from mindspore._engine.execution.dispatch import run
from mindspore._engine.interpreter import choice
from mindspore._kernels import direct, library, rewriting
from mindspore._kernels.matrices import turning

DTYPES = [np.float32, np.float16, np.float64, np.int8, np.uint8, np.int16, np.int32, np.int64, np.bool_]


@pytest.fixture
def turned(monkeypatch):
    """The forms of what is given to the kernel."""
    found = []
    replace = turning._replace
    monkeypatch.setattr(turning, "_replace", lambda operation, form: (found.append(form), replace(operation, form)))
    return found


def numbers(*shape, dtype=np.float32):
    return (np.random.RandomState(sum(shape)).randn(*shape) * 50).astype(dtype)


def compiled(function, *arrays):
    return ms.jit(function)(*map(Tensor, arrays)).asnumpy()


@pytest.mark.skipif(not library.active(), reason="there are no kernels")
@pytest.mark.parametrize("dtype", DTYPES, ids=lambda dtype: np.dtype(dtype).name)
def test_matrices_of_every_dtype_and_odd_sizes(turned, dtype):
    for shape, order in (
        ((1031, 517), (1, 0)),
        ((2, 300, 513), (0, 2, 1)),
        ((17, 16_400), (1, 0)),
        ((64, 67, 131), (2, 0, 1)),
    ):
        x = numbers(*shape, dtype=dtype)
        np.testing.assert_array_equal(compiled(lambda x, order=order: ops.transpose(x, order), x), x.transpose(order))
    assert len(turned) == 4


def test_bfloat16_is_turned():
    x = ops.cast(Tensor(numbers(700, 513)), ms.bfloat16)
    found = ms.jit(lambda x: x.T)(x)
    np.testing.assert_array_equal(found.astype(ms.float32).asnumpy(), x.astype(ms.float32).asnumpy().T)


def test_what_nobody_writes_is_left_alone(turned):
    x, y = numbers(600, 700), numbers(700, 600)
    np.testing.assert_allclose(compiled(lambda x, y: ops.matmul(x.T, y.T), x, y), x.T @ y.T, 1e-3, 1e-1)
    np.testing.assert_allclose(compiled(lambda x: x.T.sum(0), x), x.T.sum(0), 1e-3, 1e-1)
    np.testing.assert_array_equal(compiled(lambda x: ops.transpose(ops.transpose(x, (1, 0)), (1, 0)), x), x)
    np.testing.assert_array_equal(compiled(lambda x: x.T, numbers(30, 40)), numbers(30, 40).T)  # small
    np.testing.assert_array_equal(compiled(lambda x: x[:0].T, x), x[:0].T)
    assert turned == []


def test_gradients_go_through_a_turned_matrix():
    x, y = numbers(520, 300), numbers(300, 520)
    value, (to_x, to_y) = ms.value_and_grad(lambda x, y: ((x.T * y) ** 2).sum(), (0, 1))(Tensor(x), Tensor(y))
    np.testing.assert_allclose(value.asnumpy(), ((x.T * y) ** 2).sum(), 1e-4)
    np.testing.assert_allclose(to_x.asnumpy(), (2 * x.T * y * y).T, 1e-4)
    np.testing.assert_allclose(to_y.asnumpy(), 2 * x.T * x.T * y, 1e-4)


def test_orders_that_turn_matrices():
    assert turning.turned_matrices((3, 4), (1, 0)) == (1, 3, 4)
    assert turning.turned_matrices((2, 3, 4), (2, 0, 1)) == (1, 6, 4)
    assert turning.turned_matrices((2, 3, 4), (0, 2, 1)) == (2, 3, 4)
    assert turning.turned_matrices((2, 1, 4), (2, 1, 0)) == (1, 2, 4)
    assert turning.turned_matrices((2, 3, 4), (2, 1, 0)) is None
    assert turning.turned_matrices((2, 3, 4), (0, 1, 2)) is None
    assert turning.turned_matrices((1, 5), (1, 0)) is None


@pytest.mark.parametrize("shape, order", [((300, 400), (1, 0)), ((3, 260, 270), (0, 2, 1)), ((20, 30, 500), (1, 2, 0))])
@pytest.mark.parametrize("dtype", ["float32", "float64", "int64", "uint8", "float16"])
def test_arrays_of_the_host_are_turned(shape, order, dtype):
    x = (np.arange(np.prod(shape)) % 251).reshape(shape).astype(dtype).transpose(order)
    found = direct.in_order(x)
    assert found.flags.c_contiguous
    np.testing.assert_array_equal(found, x)


@pytest.mark.skipif(not library.active(), reason="needs the compiled kernels")
def test_eager_kernels_turn_matrices(monkeypatch):
    made = []
    compiled = rewriting.compiled
    monkeypatch.setattr(rewriting, "compiled", lambda lowered: made.append(compiled(lowered)) or made[-1])
    x = Tensor(np.arange(512 * 512, dtype=np.float32).reshape(512, 512))
    turned_matrix = Kernel(
        "Turned", lambda matrix: matrix.T
    )  # of its own: how often others came in other shapes does not count
    for _ in range(choice.OFTEN + 3):
        found = run(turned_matrix, [x])
    np.testing.assert_array_equal(found.asnumpy(), x.asnumpy().T)
    assert len(made) == 1 and turning.TARGET in made[0].as_text()
