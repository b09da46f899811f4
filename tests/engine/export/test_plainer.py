"""Primitives of JAX written with plainer ones give JAX's own results: exported files hold these where a format has no form."""

import jax
import jax.numpy as jnp
import jax.scipy.special as special
import numpy as np
import pytest
from jax import lax

import mindspore._engine.export.onnx.walk  # noqa: F401 - loads all plainer forms
from mindspore._engine.export.plainer import plainer_form

RANDOM = np.random.RandomState(0)
X = RANDOM.randn(3, 4, 5).astype(np.float32)
SQUARE = RANDOM.rand(2, 4, 4).astype(np.float32) + 3 * np.eye(4, dtype=np.float32)
RIGHT = RANDOM.rand(2, 4, 4).astype(np.float32)
INDEX = np.array([0, 3, 9])
NUMBERS = np.array([-5.3, -0.7, 0.2, 0.5, 1, 2, 7.5, 30], np.float32)


def windows(reducer, start, *rest):
    return lambda x: lax.reduce_window(x, start, reducer, *rest)


CASES = {
    "dot_general": (lambda x, y: jnp.einsum("abc,ab->ac", x, y[:, :, 0]), X, X),
    "dot_general two": (lambda x, y: jnp.tensordot(x, y, ((1, 2), (1, 2))), X, X),
    "cholesky": (jnp.linalg.cholesky, SQUARE @ SQUARE.swapaxes(1, 2)),
    "lu": (jax.scipy.linalg.lu, SQUARE[0]),
    "custom_linear_solve": (jnp.linalg.solve, SQUARE, RIGHT),
    "qr": (lambda a: jnp.linalg.qr(a, mode="complete"), RANDOM.randn(2, 5, 3).astype(np.float32)),
    "qr wide": (jnp.linalg.qr, RANDOM.randn(3, 5).astype(np.float32)),
    "sort": (lambda x, y: jnp.lexsort((x, y)), RANDOM.randint(0, 3, 9), RANDOM.randint(0, 3, 9)),
    "sort payload": (lambda x, y: lax.sort((x, y), num_keys=1)[1], X[0], X[1]),
    "reduce_window_max": (windows(lax.max, -np.inf, (1, 2, 3), (1, 2, 1), [(0, 0), (1, 0), (1, 1)], None, (1, 2, 1)), X),
    "reduce_window_sum": (windows(lax.add, 0.0, (2, 2, 3), (1, 2, 1), "SAME"), X),
    "select_and_scatter_add": (jax.grad(lambda x: (windows(lax.max, -np.inf, (1, 2, 3), (1, 2, 2), "SAME")(x) ** 2).sum()), X),
    "cumlogsumexp": (lambda x: lax.cumlogsumexp(x, 1), X),
    "cummax": (lambda x: lax.cummax(x, 2, reverse=True), X),
    "cummin": (lambda x: lax.cummin(x, 0), X),
    "gather": (lambda x, i: jax.vmap(lambda a, b: lax.dynamic_slice(a, (b, 0 * b), (2, 3)))(x, i), X, INDEX),
    "gather fill": (lambda x, i: x[:, i].at[i].get(mode="fill"), X, np.array([0, 9, -1, 2])),
    "scatter-add": (lambda x, i: x.at[:, i, i].add(2.0), X, INDEX),
    "scatter": (lambda x, i: x.at[1:3, i].set(2.0), X, INDEX),
    "scatter-max": (lambda x, i: jax.vmap(lambda a, b: a.at[b].max(1.0))(x, i), X, INDEX[:, None]),
    "scatter bool": (lambda x: x.at[1, 2].set(True), X > 9),
    "dynamic_update_slice": (lambda x: lax.dynamic_update_slice(x, 0 * x[:1, :2, :2], (1, 3, 9)), X),
    "round": (lax.round, np.array([0.5, -0.5, 1.5, 0.49999997, -2.5], np.float32)),
    "rem": (lax.rem, np.array([5, -5, 7]), np.array([3, 3, -2])),
    "population_count": (lax.population_count, np.array([1, 7, 255, -1], np.int32)),
    "clz": (lax.clz, np.array([1, 7, 0, -1], np.int32)),
    "shift_right_logical": (lax.shift_right_logical, np.array([-5, 7, -1, 8, 9], np.int32), np.array([1, 2, 0, 31, 32], np.int32)),
    "stack": (lambda x: jnp.stack([x, x], 1), X),
    "cbrt": (jnp.cbrt, NUMBERS),
    "lgamma": (special.gammaln, NUMBERS),
    "digamma": (special.digamma, NUMBERS),
    "erf_inv": (special.erfinv, np.linspace(-1, 1, 21).astype(np.float32)),
}  # fmt: skip
CASES |= {
    f"triangular_solve {left} {lower} {turned} {unit}": (
        lambda a, b, left=left, lower=lower, turned=turned, unit=unit: lax.linalg.triangular_solve(
            a, b, left_side=left, lower=lower, transpose_a=turned, unit_diagonal=unit
        ),
        SQUARE,
        RIGHT,
    )
    for left, lower, turned, unit in [(True, True, False, False), (True, False, True, True), (False, True, True, False), (False, False, False, True)]
}  # fmt: skip


def evaluated(jaxpr, consts, arguments, used):
    """The results with every primitive in its plainer form, if it has one."""
    values = dict(zip([*jaxpr.constvars, *jaxpr.invars], [*consts, *arguments], strict=True))
    for equation in jaxpr.eqns:
        given = [one.val if hasattr(one, "val") else values[one] for one in equation.invars]
        inner = equation.params.get("jaxpr") or equation.params.get("call_jaxpr")
        plain = plainer_form(equation)
        if plain is not None:
            used.add(equation.primitive.name)
            found = jax.core.eval_jaxpr(plain.jaxpr, plain.consts, *given)
        elif inner is not None and equation.primitive.name in ("jit", "pjit", "custom_jvp_call"):
            found = evaluated(inner.jaxpr, inner.consts, given, used)
        else:
            found = equation.primitive.bind(*given, **equation.params)
            found = found if equation.primitive.multiple_results else [found]
        values.update(zip(equation.outvars, found, strict=True))
    return [one.val if hasattr(one, "val") else values[one] for one in jaxpr.outvars]


@pytest.mark.parametrize("name", CASES)
def test_a_plainer_form_gives_the_same(name):
    function, *arguments = CASES[name]
    arguments = [jnp.asarray(one) for one in arguments]
    closed, used = jax.make_jaxpr(function)(*arguments), set()
    found = evaluated(closed.jaxpr, closed.consts, arguments, used)
    assert used & {name.split()[0]}
    for one, wanted in zip(found, jax.tree.leaves(function(*arguments)), strict=True):
        assert one.dtype == wanted.dtype and one.shape == wanted.shape
        np.testing.assert_allclose(one, wanted, 1e-4, 1e-4)
