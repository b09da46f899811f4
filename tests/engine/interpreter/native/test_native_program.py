"""Programs of the C++ part compute what NumPy's rules compute, for operands of any layout."""

import threading

import jax
import jax.numpy as jnp
import numpy as np
import pytest
from jax import lax

from mindspore._engine.interpreter import native_part, program
from mindspore._engine.interpreter.native import program as native_program

pytestmark = pytest.mark.skipif(native_part.module() is None, reason="the C++ part was not built")

RANDOM = np.random.default_rng(3)
A = RANDOM.normal(size=(4, 5)).astype(np.float32)
B = RANDOM.normal(size=(4, 5)).astype(np.float32)
CUBE = RANDOM.normal(size=(2, 3, 4)).astype(np.float32)
TURNED = RANDOM.normal(size=(2, 4, 3, 5)).astype(np.float32)
INTS = np.array([[3, -2, 7], [0, 5, -9]], np.int32)
STRANGE = np.array([np.nan, np.inf, -np.inf, 1e20, -1e20, -0.0, 2.5], np.float32)

CASES = {
    "chain": (lambda x, y: jnp.tanh(x * y + 1) - jnp.exp(-x) / 2, A, B),
    "narrow and wide": (lambda x, y: x[:, :1] * jnp.exp(y[0]) + y, A, B),
    "a number": (lambda x, y: jnp.where(x > 0, x, y) ** 3, A, np.float32(2)),
    "softmax": (lambda x: jax.nn.softmax(x, 0), A),
    "reductions": (lambda x: (x.sum(1), x.max((0, 2)), x.prod(), x.min(0), x.sum((1, 2))), CUBE),
    "means of turned": (lambda x: x.transpose(2, 0, 1).mean(1), CUBE),
    "truth": (lambda x: ((x > 0).all(1), (x > 1).any(), ~(x > 0)), A),
    "places": (lambda x: (jnp.argmax(x, 1), jnp.argmin(x, 0), jnp.argmax(x)), CUBE),
    "places of NaN": (lambda x: (jnp.argmax(x), jnp.argmin(x), x.max()), STRANGE),
    "conversions": (lambda x: (x.astype(jnp.int32), x.astype(jnp.int8), x.astype(bool), x.astype(jnp.float64)), STRANGE),
    "borders told in NumPy's integers": (lambda x: lax.pad(x, np.float32(0), [(np.int64(1), np.int64(2), 0), (0, np.int64(1), 0)]), A),
    "integers": (lambda x: (x * 2 - x, x & 3, x.astype(jnp.float32) / 2, jnp.abs(x), x // 2, x % 4), INTS),
    "products": (lambda x, y: (x @ y.T, x.T @ y, jnp.einsum("ij,ij->i", x, y)), A, B),
    "batches of products": (lambda x: (jnp.einsum("bij,bkj->bik", x, x), jnp.einsum("bij,cij->bc", x, x)), CUBE),
    "batches apart": (lambda x: jnp.einsum("bsnd,btnd->bnst", x, x), TURNED),
    "running": (lambda x: (jnp.cumsum(x, 1), lax.cummax(x, axis=0), lax.cumsum(x, axis=2, reverse=True)), CUBE),
    "joined": (lambda x, y: (jnp.concatenate([x, y[:2]], 0), jnp.stack([x, y], 1), jnp.pad(x, ((1, 0), (2, 1)))), A, B),
    "parts": (lambda x: (x[::-1, 1:4:2], jnp.split(x, 2, 0)[1], x.T.reshape(-1), x[:, None]), A),
    "rows": (lambda x, i: (x[i[0]], x[:, i[1]], x[i[0], i[1]], jnp.take(x, i, 0)), A, np.array([[1, 3], [0, 9]], np.int64)),
    "rows with gradients": (lambda x, i: jnp.zeros((4, 5), jnp.float32).at[i].add(x[:3]), A, np.array([1, 1, 7], np.int32)),
    "written": (lambda x, y: (x.at[1:3].set(y[0]), x.at[:, 2].multiply(2), lax.dynamic_update_slice(x, y[:2], (3, 0))), A, B),
    "found": (lambda x, i: lax.dynamic_slice(x, (i, jnp.int32(1)), (2, 3)), A, np.int32(3)),
    "the same twice": (lambda x: (x, x + 0, x + 0, x), A),
    "sorted": (lambda x: (jnp.sort(x, 1), lax.top_k(x, 2)), A),
    "nothing": (lambda x: (x[:0] + 1, x[:0].sum(0), jnp.concatenate([x, x[:0]])), A),
}  # fmt: skip


ROUNDED = ("products", "batches of products", "batches apart", "reductions")  # sums in another order


def flattened(function):
    return lambda *operands: tuple(jax.tree.leaves(function(*operands)))


def programs(function, operands):
    """The program of the C++ part and NumPy's, and what XLA says."""
    jitted = jax.jit(flattened(function))
    closed = jitted.trace(*operands).jaxpr
    numbers = [None] * len(operands)
    found = native_program.write(closed, numbers, False)
    assert found is not None
    writer = program.Writer()
    inputs = [program.ProgramValue(f"a{n}", shape=x.shape, view=True) for n, x in enumerate(operands)]
    results = writer.jaxpr(closed.jaxpr, closed.consts, inputs)
    return found.call, writer.source(inputs, numbers, results, False), jitted(*operands)


def check(found, wanted, exact):
    assert [(x.shape, x.dtype) for x in found] == [(x.shape, x.dtype) for x in wanted]
    for one, other in zip(found, wanted, strict=True):
        if exact:
            np.testing.assert_array_equal(one, other)
        else:
            np.testing.assert_allclose(one, other, rtol=2e-6, atol=1e-6)


@pytest.mark.parametrize("name", CASES)
def test_programs_agree(name):
    function, *given = CASES[name]
    operands = [np.asarray(x) for x in given]
    native, by_numpy, wanted = programs(function, operands)
    with np.errstate(all="ignore"):
        check(native(*operands), by_numpy(*operands), name not in ROUNDED)
    check(native(*operands), wanted, False)


def test_operands_of_any_layout_are_taken():
    native, _, wanted = programs(lambda x, y: (x + y, x.sum(0)), [A, B])
    check(native(np.asfortranarray(A), np.repeat(B, 2, 1)[:, ::2]), wanted, False)


def test_results_are_nobody_elses_and_cannot_be_written():
    native, _, _ = programs(lambda x: (x, x.T, x.reshape(-1)), [A])
    for result in native(A):
        assert not result.flags.writeable and result.flags.c_contiguous and not np.shares_memory(result, A)


def test_another_shape_or_type_is_refused():
    native, _, _ = programs(lambda x: (x + 1,), [A])
    for wrong in (A[:2], A.astype(np.float64), A.reshape(-1), 3.0, None):
        with pytest.raises(TypeError):
            native(wrong)
    with pytest.raises(TypeError):
        native(A, A)


def test_elementwise_programs_serve_every_shape():
    closed = jax.jit(lambda x, y, s: jnp.tanh(x * y + s) - jnp.exp(-x) / s).trace(A, B, np.float32(2)).jaxpr
    calls = []

    def instead(*operands):
        calls.append(operands)
        return operands[0]

    native = native_program.write(closed, [None] * 3, True, instead)
    assert native is not None
    for shape in [(), (1,), (3,), (7, 11), (0, 4), (1023,), (1025,), (5, 1000), (2, 3, 4, 5)]:
        x, y = (RANDOM.normal(size=shape).astype(np.float32) for _ in range(2))
        if shape == ():
            continue
        found = native.call(x, y, np.array(2, np.float32))
        np.testing.assert_array_equal(found, np.tanh(x * y + np.float32(2)) - np.exp(-x) / np.float32(2))
    assert not calls
    native.call(A, B[0], np.array(2, np.float32))
    native.call(A.T, B.T, np.array(2, np.float32))
    assert len(calls) == 2  # several shapes, and an order in memory that NumPy keeps


def test_python_numbers_are_converted():
    closed = jax.jit(lambda x, s, n, b: (x * s + n, jnp.where(b, x, n))).trace(A, 0.5, 3, True).jaxpr
    numbers = [None, *[x.dtype for x in closed.in_avals[1:]]]
    native = native_program.write(closed, numbers, False)
    assert native is not None
    check(native.call(A, 0.25, 2, False), [A * np.float32(0.25) + 2, np.full_like(A, 2)], True)
    for wrong in ((A, "a", 2, False), (A, 0.5, 1 << 70, False), (A, 0.5, 2, None)):
        with pytest.raises((TypeError, OverflowError)):
            native.call(*wrong)


def test_one_program_runs_on_several_threads():
    big = RANDOM.normal(size=(40, 60)).astype(np.float32)
    native, _, _ = programs(
        lambda x: (jnp.sort(jnp.exp(x) @ x.T, 1),), [big]
    )  # sorting is Python's and lets others run
    wanted = native(big)
    failures = []

    def run():
        for _ in range(50):
            try:
                check(native(big), wanted, True)
            except AssertionError as error:
                failures.append(error)

    threads = [threading.Thread(target=run) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert not failures
