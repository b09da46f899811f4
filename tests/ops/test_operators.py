"""Python's operators on Tensors: values, dtypes and refusals as in MindSpore 2.10."""

from __future__ import annotations

import operator
from typing import Any

import numpy as np
import pytest

import mindspore as ms
from mindspore import Tensor, ops

WHOLE = np.array([3, -2, 5, -7], np.int32)
OTHER = np.array([2, 3, -2, 4], np.int32)


def check(result: Any, expected: Any, dtype: Any) -> None:
    assert isinstance(result, Tensor) and result.dtype == dtype
    np.testing.assert_allclose(result.asnumpy(), expected, 1e-6)


@pytest.mark.parametrize("symbol", ["add", "sub", "mul", "floordiv", "mod"])
def test_integers_stay_integers_and_division_floors(symbol: str):
    function = getattr(operator, symbol)
    check(function(Tensor(WHOLE), Tensor(OTHER)), function(WHOLE, OTHER), ms.int32)
    check(function(Tensor(WHOLE), 2), function(WHOLE, 2), ms.int32)
    check(function(7, Tensor(WHOLE)), function(7, WHOLE), ms.int32)


def test_a_quotient_of_integers_is_float32():
    check(Tensor(WHOLE) / Tensor(OTHER), WHOLE / OTHER, ms.float32)
    check(2 / Tensor(WHOLE), 2 / WHOLE, ms.float32)


def test_powers_of_integers_are_integers_with_inverses_cut_off():
    check(Tensor(WHOLE) ** 2, WHOLE**2, ms.int32)
    check(Tensor(WHOLE) ** Tensor(np.array([1, 3, -2, -1], np.int32)), [3, -8, 0, 0], ms.int32)
    check(Tensor(np.array([1, -1, -1, 2], np.int32)) ** Tensor([-3, -3, -2, -1]), [1, -1, 1, 0], ms.int64)
    check(2 ** Tensor(np.array([3, -1], np.int32)), [8, 0], ms.int32)


def test_powers_with_a_number_have_the_dtype_of_mixed_operands():
    check(Tensor(WHOLE) ** 2.0, WHOLE**2.0, ms.float32)
    check(Tensor([4, 9]) ** 0.5, [2, 3], ms.float32)
    check(Tensor([4.0, 9.0]) ** 3, [64, 729], ms.float32)
    check(Tensor([True, False]) ** 2, [1, 0], ms.int64)
    check(2.5 ** Tensor([2, -1]), [6.25, 0.4], ms.float32)


def test_truth_values_combine():
    x, y = Tensor([True, False, True, False]), Tensor([True, True, False, False])
    check(x + y, [1, 1, 1, 0], ms.bool_)
    check(x - y, [0, 1, 1, 0], ms.bool_)
    check(x * y, [1, 0, 0, 0], ms.bool_)
    check(x & y, [1, 0, 0, 0], ms.bool_)
    check(x | y, [1, 1, 1, 0], ms.bool_)
    check(x ^ y, [0, 1, 1, 0], ms.bool_)
    check(x + 1, [2, 1, 2, 1], ms.int64)
    check(x * 1.5, [1.5, 0, 1.5, 0], ms.float32)
    check(~x, [0, 1, 0, 1], ms.bool_)


def test_the_inverse_is_logical_and_bits_need_integers():
    check(~Tensor([0, 5]), [1, 0], ms.bool_)
    check(Tensor([6, 5]) & 3, [2, 1], ms.int64)
    check(Tensor([6, 5]) ^ Tensor([3, 3]), [5, 6], ms.int64)
    with pytest.raises(TypeError, match="For 'BitwiseAnd', the 'input' and 'other' must be integers or bool"):
        Tensor([1.0]) & Tensor([2.0])


def test_unary_operators():
    x = Tensor([-1.5, 2.5])
    check(-x, [1.5, -2.5], ms.float32)
    check(+x, [-1.5, 2.5], ms.float32)
    check(abs(x), [1.5, 2.5], ms.float32)
    check(round(x), [-2, 2], ms.float32)
    check(round(Tensor([1.26]), 1), [1.3], ms.float32)
    with pytest.raises(TypeError, match="logical_not"):
        -Tensor([True])


def test_lists_are_operands_of_sums_differences_and_floor_divisions():
    x, numbers = Tensor([1.0, 2.0]), [1, 2]
    check(x + numbers, [2, 4], ms.float32)
    check([3, 5] // Tensor([2.0, 2.0]), [1, 2], ms.float32)
    check([1, 2] - Tensor([1.0, 1.0]), [0, 1], ms.float32)


@pytest.mark.parametrize("wrong", [None, "a", np.ones(2), object()])
def test_other_operands_are_refused(wrong: Any):
    with pytest.raises(TypeError, match="For 'Add', the 'other' must be a Tensor or a number"):
        Tensor([1.0, 2.0]) + wrong


def test_shapes_that_do_not_broadcast_are_named():
    with pytest.raises(ValueError, match=r"For 'Mul', .*\(2,\) and \(3,\)"):
        Tensor([1.0, 2.0]) * Tensor([1.0, 2.0, 3.0])


def test_comparisons_give_truth_values():
    x = Tensor([1, 2, 3])
    check(x < 2.5, [1, 1, 0], ms.bool_)
    check(operator.le(2, x), [0, 1, 1], ms.bool_)
    check(x > Tensor([0, 2, 4]), [1, 0, 0], ms.bool_)
    check(x >= 2, [0, 1, 1], ms.bool_)
    check(x == 2, [0, 1, 0], ms.bool_)
    check(x != Tensor([1, 0, 3]), [0, 1, 0], ms.bool_)


@pytest.mark.parametrize("other", [None, "a", [1, 2, 3], (1, 2, 3), np.ones(3), object()])
def test_a_tensor_differs_from_everything_that_is_no_tensor_or_number(other: Any):
    x = Tensor([1, 2, 3])
    assert (x == other) is False
    assert (x != other) is True


def test_equality_does_not_make_tensors_unhashable():
    x, y = Tensor([1.0]), Tensor([1.0])
    assert len({x, y}) == 2 and {x: "x"}[x] == "x"


def test_methods_with_a_factor():
    x, y = Tensor([5.0, 1.0]), Tensor([1.0, 2.0])
    check(x.add(y, alpha=2), [7, 5], ms.float32)
    check(x.sub(y, alpha=2), [3, -3], ms.float32)
    check(ops.subtract(x, y), [4, -1], ms.float32)


def test_rounding_modes_of_div():
    x, y = Tensor(WHOLE), Tensor(OTHER)
    check(x.div(y), WHOLE / OTHER, ms.float32)
    check(ops.div(x, y, rounding_mode="floor"), WHOLE // OTHER, ms.int32)
    check(ops.div(x, y, rounding_mode="trunc"), np.trunc(WHOLE / OTHER), ms.int32)
    with pytest.raises(ValueError, match="'rounding_mode' must be None, 'floor' or 'trunc', but got 'up'"):
        ops.div(x, y, rounding_mode="up")


def test_two_numbers_give_a_tensor():
    check(ops.add(1, 2), 3, ms.int64)
    check(ops.mul(2.5, 3), 7.5, ms.float32)
    check(ops.div(1, 2), 0.5, ms.float32)
    check(ops.add(True, 2), 3, ms.int64)


def test_all_close_is_a_python_bool():
    x = Tensor([1.0, 2.0])
    assert x.allclose(x) is True
    assert x.allclose(x + 0.1) is False


def test_whole_quotients_by_a_constant_are_exact_in_both_modes(mode):
    x = Tensor(np.arange(0, 4100, 41).astype(np.float32))

    @ms.jit
    def divide(x):
        return ops.floor_div(x, 41.0), ops.truncate_div(x, 41.0), x // 41.0

    for result in divide(x):
        assert np.array_equal(result.asnumpy(), np.arange(100))


@pytest.mark.parametrize("order", [2, 3])
def test_the_gradient_of_a_norm_at_zero_is_zero(mode, order):
    def norm(x):
        return ops.norm(x, order, dim=0)

    assert ms.grad(norm)(Tensor(np.zeros(3, np.float32))).asnumpy().tolist() == [0, 0, 0]
