"""Gradients where calculus leaves a choice: ties, bounds, corners. The numbers are those of MindSpore 2.10."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import mindspore as ms
from mindspore import Tensor, ops

TIES = [[1.0, 3.0, 3.0], [2.0, 2.0, 2.0]]
SHARED = [[0, 1 / 2, 1 / 2], [1 / 3, 1 / 3, 1 / 3]]
FIRST = [[0, 1, 0], [1, 0, 0]]


@pytest.fixture(params=[ms.GRAPH_MODE, ms.PYNATIVE_MODE], ids=["graph", "pynative"], autouse=True)
def both_modes(request: pytest.FixtureRequest) -> Any:
    before = ms.get_context("mode")
    ms.set_context(mode=request.param)
    yield
    ms.set_context(mode=before)


def check(function: Callable[..., Any], inputs: list, expected: list) -> None:
    gradients = ms.grad(function, tuple(range(len(inputs))))(*[Tensor(x) for x in inputs])
    gradients = gradients if isinstance(gradients, tuple) else (gradients,)
    for gradient, wanted in zip(gradients, expected, strict=True):
        np.testing.assert_allclose(gradient.asnumpy(), wanted, 1e-5)


def test_the_absolute_value_has_no_slope_at_zero():
    check(ops.abs, [[0.0, 2.0, -2.0]], [[0, 1, -1]])


def test_equal_operands_share_the_gradient_of_maximum_and_minimum():
    check(ops.maximum, [[1.0, 2.0], [1.0, 3.0]], [[0.5, 0], [0.5, 1]])
    check(ops.minimum, [[1.0, 2.0], [1.0, 3.0]], [[0.5, 1], [0.5, 0]])
    check(ops.fmax, [[1.0, 2.0], [1.0, 3.0]], [[1, 0], [0, 1]])


def test_equal_elements_share_the_gradient_of_a_reduction_without_positions():
    check(lambda x: ops.ReduceMax()(x, 1), [TIES], [SHARED])
    check(lambda x: ops.amax(x, 1), [TIES], [SHARED])
    check(lambda x: x.max(), [TIES], [[[0, 0.5, 0.5], [0, 0, 0]]])


def test_the_first_of_equal_elements_takes_the_gradient_of_a_reduction_with_positions():
    check(lambda x: ops.max(x, 1)[0], [TIES], [FIRST])
    check(lambda x: x.max(axis=1), [TIES], [FIRST])
    check(lambda x: ops.ArgMaxWithValue(1)(x)[1], [TIES], [FIRST])


def test_on_a_bound_clamp_passes_all_and_clip_by_value_half_of_the_gradient():
    x = [-2.0, -1.0, 0.0, 1.0, 2.0]
    check(lambda x: ops.clamp(x, -1, 1), [x], [[0, 1, 1, 1, 0]])
    check(lambda x: x.clip(-1, 1), [x], [[0, 1, 1, 1, 0]])
    check(lambda x: ops.clip_by_value(x, -1, 1), [x], [[0, 0.5, 1, 0.5, 0]])


def test_roots_and_logarithms_are_steep_at_zero():
    check(ops.sqrt, [[0.0, 4.0]], [[np.inf, 0.25]])
    check(lambda x: x**0.5, [[0.0, 4.0]], [[np.inf, 0.25]])
    check(ops.rsqrt, [[0.0, 4.0]], [[-np.inf, -0.0625]])
    check(ops.log, [[0.0, 4.0]], [[np.inf, 0.25]])


def test_powers():
    check(lambda x: x**2, [[0.0, 3.0, -3.0]], [[0, 6, -6]])
    check(lambda x: x**3, [[0.0, 3.0, -3.0]], [[0, 27, 27]])
    check(ops.pow, [[0.0, 2.0, 2.0], [2.0, 3.0, 0.0]], [[0, 12, 0], [0, 8 * np.log(2), np.log(2)]])


def test_remainders_move_with_both_operands_and_floors_with_none():
    check(lambda x, y: x % y, [[7.0, -7.0], [3.0, 3.0]], [[1, 1], [-2, 3]])
    check(ops.fmod, [[7.0, -7.0], [3.0, 3.0]], [[1, 1], [-2, 2]])
    check(lambda x, y: x // y, [[7.0, -7.0], [3.0, 3.0]], [[0, 0], [0, 0]])


def test_a_product_with_a_zero_is_exact():
    check(ops.prod, [[0.0, 2.0, 3.0]], [[6, 0, 0]])


def test_zero_times_the_logarithm_keeps_the_slope():
    check(ops.xlogy, [[0.0, 1.0], [2.0, 2.0]], [[np.log(2), np.log(2)], [0, 0.5]])
    check(ops.xdivy, [[0.0, 1.0], [2.0, 2.0]], [[0, 0.5], [0, -0.25]])


def test_sorted_elements_send_the_gradient_back_to_their_places():
    weights = Tensor([1.0, 10.0, 100.0])
    check(lambda x: ops.sort(x)[0] * weights, [[3.0, 1.0, 2.0]], [[100, 1, 10]])
    check(lambda x: ops.topk(x, 2)[0] * weights[:2], [[3.0, 1.0, 2.0]], [[1, 0, 10]])
    check(lambda x: ops.median(x)[0], [[3.0, 1.0, 2.0]], [[0, 0, 1]])
    check(lambda x: ops.cummax(x, 0)[0], [[1.0, 3.0, 2.0]], [[1, 2, 0]])


def test_integers_have_integer_gradients():
    gradient = ms.grad(lambda x, y: x * y)(Tensor([2, 3]), Tensor([5, 7]))
    assert gradient.dtype == ms.int64
    np.testing.assert_array_equal(gradient.asnumpy(), [5, 7])


def test_each_gradient_has_the_dtype_of_its_input():
    x, y = Tensor(np.array([2.0], np.float16)), Tensor(np.array([3.0], np.float32))
    dx, dy = ms.grad(lambda x, y: x * y, (0, 1))(x, y)
    assert (dx.dtype, dy.dtype) == (ms.float16, ms.float32)


@pytest.mark.parametrize(
    ("function", "expected"),
    [
        (lambda x: (x.astype(ms.int32) * 2).astype(ms.float32) * 3, [6, 6]),
        (lambda x: x.astype(ms.int32) * 2, [2, 2]),
        (lambda x: x.astype(ms.int32) * 1.5, [1, 1]),  # 1.5 as an integer
        (lambda x: x.astype(ms.int32) * x, [2, 6]),
        (lambda x: x.astype(ms.bool_).astype(ms.float32) * 3, [1, 1]),  # 3 as a truth value
        (lambda x: x.astype(ms.bool_) * x, [2, 2]),
        (lambda x: x.astype(ms.int8).astype(ms.float32) * 2.5, [2, 2]),
        (lambda x: x.astype(ms.uint8).astype(ms.int64).astype(ms.float32), [1, 1]),
        (lambda x: ops.Cast()(ops.cast(x, ms.int32), ms.float32) * 2.5, [2, 2]),
        (lambda x: x.int() * 2.5 + x.long().float(), [3, 3]),
        (lambda x: x.type_as(Tensor([1], ms.int32)).float() * 2.5, [2, 2]),
        (lambda x: x.astype(ms.int32).reshape(2, 1).transpose(1, 0).sum(), [1, 1]),
        (lambda x: ops.stop_gradient(x.astype(ms.int32)) * x, [1, 3]),
        (lambda x: (x > 2).astype(ms.float32) * x, [0, 1]),
        (lambda x: x * ops.gather(Tensor([1.0, 2.0, 3.0, 4.0]), x.astype(ms.int32), 0), [2, 4]),
        (ms.grad(lambda x: (x * x).astype(ms.int32).astype(ms.float32)), [2, 2]),
    ],
)
def test_gradients_pass_through_conversions_to_integers(function: Callable[..., Any], expected: list) -> None:
    check(function, [[1.5, 3.0]], [expected])


def test_tangents_pass_through_conversions_to_integers():
    def function(x: Tensor) -> Tensor:
        return (x * x).astype(ms.int32).astype(ms.float32)

    x = Tensor([1.5, 3.0])
    assert ms.jvp(function, x, x)[1].asnumpy().tolist() == [4.0, 18.0]  # 4.5 as an integer
    pulled = ms.vjp(lambda x: (x * x).astype(ms.int32), x)[1](Tensor([1, 1], ms.int32))
    assert pulled[0].asnumpy().tolist() == [3.0, 6.0]
