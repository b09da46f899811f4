"""``WhileLoop``, ``ForiLoop`` and ``Scan``: the loops they are short for, eagerly and compiled, with gradients."""

import jax
import numpy as np
import pytest

import mindspore as ms
from mindspore import Tensor, ops
from mindspore._engine.tracing.traced_kernel import TracedKernel


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
    lambda x: ops.Scan()(lambda c, e: (c * c, e), x, None, 3, False)[0],
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


@pytest.mark.parametrize("unroll", [True, False])
def test_scan_takes_nested_values_and_gives_gradients(way, unroll):
    def both(start, xs, scale):
        def step(carry, x):
            total = carry["total"] + x[0] * scale
            return {"total": total, "n": carry["n"] + 1}, (total * x[1], {"n": carry["n"]})

        last, results = ops.Scan()(step, {"total": start, "n": Tensor(0)}, xs, None, unroll)
        return last, results, sum(one[0].sum() for one in results)

    xs = [(Tensor([1.0, 2.0]) * i, Tensor(float(i))) for i in (1, 2, 3)]
    last, results, _ = way(both)(Tensor([1.0, 1.0]), xs, Tensor(2.0))
    same(last["total"], [13, 25])
    assert int(last["n"]) == 3 and [int(one[1]["n"]) for one in results] == [0, 1, 2]
    same(ops.stack([one[0] for one in results]), [[3, 5], [14, 26], [39, 75]])
    of_start, of_scale = ms.grad(lambda start, scale: way(both)(start, xs, scale)[2], (0, 1))(
        Tensor([1.0, 1.0]), Tensor(2.0)
    )
    same(of_start, [6, 6])
    same(of_scale, 3 * 1 + 9 * 2 + 18 * 3)
    of_xs = ms.grad(lambda x: way(both)(Tensor([1.0, 1.0]), [(x, Tensor(2.0)), (x, Tensor(3.0))], Tensor(2.0))[2])
    same(of_xs(Tensor([1.0, 2.0])), [4 + 12, 4 + 12])


def test_scan_writes_parameters_once_per_step():
    weight = ms.Parameter(Tensor([1.0]), name="weight")

    @ms.jit
    def run(xs):
        def step(carry, x):
            ops.assign(weight, weight * 2)
            return carry + weight * x, carry

        return ops.Scan()(step, Tensor([0.0]), xs, None, False)

    total, before = run([Tensor([1.0]), Tensor([2.0]), Tensor([3.0])])
    same(total, [2 + 8 + 24])
    same(ops.concat(before), [0, 2, 10])
    same(weight, [8])


def test_scan_unrolls_what_differs_from_step_to_step():
    @ms.jit
    def lengths(xs):
        return ops.Scan()(lambda total, x: (total + x.sum(), x * 2), Tensor(0.0), xs, None, False)

    total, doubled = lengths([Tensor([1.0]), Tensor([2.0, 3.0])])
    same(total, 6)
    same(doubled[1], [4, 6])


def test_the_body_of_a_scan_is_compiled_once_whatever_its_length():
    def tanhs(length, unroll):
        def loop(x):
            return ops.Scan()(lambda c, _: (ops.tanh(c), None), x, None, length, unroll)[0]

        compiled = TracedKernel("loop", lambda tensors: [loop(*tensors)])
        return str(jax.make_jaxpr(compiled.on_arrays)(np.ones(3, np.float32))).count("tanh")

    assert tanhs(4, False) == tanhs(40, False) < tanhs(40, True)


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
