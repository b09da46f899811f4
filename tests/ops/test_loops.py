"""``WhileLoop``, ``ForiLoop`` and ``Scan``: the loops they are short for, eagerly and compiled, with gradients."""

import numpy as np
import pytest

import mindspore as ms
from mindspore import Tensor, ops


@pytest.fixture(params=["eager", "jit"])
def way(request):
    before = ms.get_context("mode")
    ms.set_context(mode=ms.PYNATIVE_MODE)
    yield (lambda function: function) if request.param == "eager" else ms.jit
    ms.set_context(mode=before)


def same(found, expected):
    np.testing.assert_allclose(found.asnumpy(), expected, 1e-5)


def test_while_keeps_the_form_of_its_value(way):
    @way
    def powers(x, limit):
        return ops.WhileLoop()(
            lambda v: v["x"].sum() < limit, lambda v: {"x": v["x"] * 2, "n": [v["n"][0] + 1]}, {"x": x, "n": [0]}
        )

    found = powers(Tensor([1.0, 2.0]), Tensor(40.0))
    same(found["x"], [16, 32])
    assert int(found["n"][0]) == 4
    assert int(powers(Tensor([50.0, 2.0]), Tensor(40.0))["n"][0]) == 0


def test_loops_of_numbers_stay_numbers(way):
    @way
    def both():
        return ops.WhileLoop()(lambda x: x < 100, lambda x: x * 2 + 1, 10), ops.ForiLoop()(0, 4, lambda i, v: v + i, 0)

    assert both() == (175, 6)


@pytest.mark.parametrize("unroll", [True, False])
def test_fori_counts_from_lower_to_upper(way, unroll):
    @way
    def weighted(x, n):
        fixed = ops.ForiLoop()(1, 4, lambda i, v: v * x + i, x, unroll)
        return (
            fixed,
            ops.ForiLoop()(Tensor(1), n, lambda i, v: v * x + i, x, unroll),
            ops.ForiLoop()(4, 1, lambda i, v: v + 1, x),
        )

    fixed, counted, none = weighted(Tensor([2.0]), Tensor(4))
    same(fixed, [27])
    same(counted, [27])
    same(none, [2])


@pytest.mark.parametrize("loop", [
    lambda x: ops.WhileLoop()(lambda v: v.sum() < 100, lambda v: v * v, x),
    lambda x: ops.ForiLoop()(0, 3, lambda i, v: v * v, x),
    lambda x: ops.ForiLoop()(0, 3, lambda i, v: v * v, x, False),
    lambda x: ops.Scan()(lambda c, e: (c * c, e), x, None, 3)[0],
])  # fmt: skip
def test_gradients(way, loop):
    same(ms.grad(way(loop))(Tensor([2.0, 3.0])), [8 * 2**7, 8 * 3**7])


def test_scan_collects_results(way):
    @way
    def running(start, xs):
        return ops.Scan()(lambda total, x: (total + x, total * 10), start, xs)

    total, before = running(Tensor(1.0), [Tensor(2.0), Tensor(3.0)])
    same(total, 6)
    assert isinstance(before, list)
    same(ops.stack(before), [10, 30])
    assert ops.Scan()(lambda total, x: (total + x, total), 0, []) == (0, [])


@pytest.mark.parametrize("call, kind, message", [
    (lambda: ops.WhileLoop()(1, abs, 1), TypeError, "'cond_func' must be a function, but got 1"),
    (lambda: ops.WhileLoop()(abs, 1, 1), TypeError, "'loop_func' must be a function, but got 1"),
    (lambda: ops.ForiLoop()(0.5, 1, abs, 1), TypeError, "'lower' must be an int or a Tensor, but got 0.5"),
    (lambda: ops.ForiLoop()(0, "1", abs, 1), TypeError, "'upper' must be an int or a Tensor, but got '1'"),
    (lambda: ops.ForiLoop()(0, 1, abs, 1, 1), TypeError, "'unroll' must be 'bool'"),
    (lambda: ops.Scan()(abs, 1, 5), TypeError, "'xs' must be a tuple, a list or None, but got 5"),
    (lambda: ops.Scan()(abs, 1, None), ValueError, "'xs' and the 'length' must not both be None"),
    (lambda: ops.Scan()(abs, 1, None, 1.5), TypeError, "'length' must be an int or None, but got 1.5"),
    (lambda: ops.Scan()(abs, 1, [1], 2), ValueError, "'length' must be the number of 'xs', 1, but got 2"),
    (lambda: ops.Scan()(lambda c, x: c, 1, [1]), ValueError, "must return two values, the next carry and a result"),
    (lambda: ms.jit(lambda x: ops.WhileLoop()(lambda v: v.sum() < 9, lambda v: ops.concat((v, v)), x))(Tensor([1.0])), ValueError,
     "'loop_func' must return a value of the type and shape of the initial value"),
])  # fmt: skip
def test_wrong_calls_say_what_is_allowed(call, kind, message):
    with pytest.raises(kind, match=message):
        call()
