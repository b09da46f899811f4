"""Products of matrices: the kernel against NumPy, gradients of all forms against those of the plain product."""

from __future__ import annotations

import re

import jax
import jax.numpy as jnp
import numpy as np
import pytest

import mindspore as ms
from mindspore import nn, ops
from mindspore._kernels import library
from mindspore._kernels.matrices.product import Product, Weights, worthwhile
from mindspore._kernels.primitive import call

random = np.random.RandomState
BATCHES = [((), ()), ((3,), ()), ((2, 3), ()), ((4,), (4,)), ((2, 3), (2, 3))]
FORMS = [(*b, x, y) for b in BATCHES for x in (False, True) for y in (False, True) if not x or len(b[0]) == len(b[1])]


def operands(rng, x_batch, y_batch, x_turned, y_turned, rows, columns, depth):
    x = rng.randn(*x_batch, *((depth, rows) if x_turned else (rows, depth))).astype(np.float32)
    y = rng.randn(*y_batch, *((columns, depth) if y_turned else (depth, columns))).astype(np.float32)
    return x, y


def turned(x, is_turned):
    return np.swapaxes(x, -1, -2) if is_turned else x


def check(seed, sizes, form):
    x_turned, y_turned = form[2:]
    x, y = operands(random(seed), *form, *sizes)
    wanted = turned(x, x_turned).astype(np.float64) @ turned(y, y_turned)
    (found,) = jax.jit(lambda x, y: call(Product(x_turned, y_turned), x, y))(x, y)
    np.testing.assert_allclose(found, wanted, 1e-4, 1e-5 * np.sqrt(sizes[2]) + 1e-6)


@pytest.mark.parametrize("form", FORMS, ids=str)
def test_all_forms_at_the_edges_of_tiles(form):
    for seed, sizes in enumerate([(1, 1, 1), (6, 16, 8), (7, 17, 9), (97, 33, 513), (13, 130, 70)]):
        check(seed, sizes, form)


@pytest.mark.heavy
@pytest.mark.parametrize("seed", range(150))
def test_products_of_many_sizes(seed):
    rng = random(seed)
    check(seed, tuple(int(2 ** rng.uniform(0, 10)) for _ in range(3)), FORMS[seed % len(FORMS)])


@pytest.mark.parametrize("form", FORMS, ids=str)
def test_gradients_of_both_orders(form):
    x, y = operands(random(1), *form, 19, 23, 17)

    def score(multiply):
        return lambda x, y: jnp.sin(multiply(x, y)).sum()

    def slopes(multiply):
        first = jax.grad(score(multiply), (0, 1))
        second = jax.grad(lambda x, y: sum((one**2).sum() for one in first(x, y)), (0, 1))
        return [*jax.jit(first)(x, y), *jax.jit(second)(x, y)]

    def plain(x, y):
        return jnp.matmul(x.mT if form[2] else x, y.mT if form[3] else y)

    for one, other in zip(slopes(lambda x, y: call(Product(*form[2:]), x, y)[0]), slopes(plain), strict=True):
        np.testing.assert_allclose(one, other, 1e-3, 1e-3 * float(jnp.abs(other).max()))


def test_sums_over_leading_axes():
    x, y = random(0).randn(3, 5, 20).astype(np.float32), random(1).randn(3, 5, 18).astype(np.float32)
    (found,) = jax.jit(lambda x, y: call(Weights(), x, y))(x, y)
    np.testing.assert_allclose(found, np.einsum("abi,abj->ij", x, y), 1e-5, 1e-5)


@pytest.mark.parametrize("value", [np.inf, -np.inf, np.nan])
def test_numbers_that_are_not_finite_reach_their_row_alone(value):
    x, y = operands(random(0), (), (), False, False, 40, 50, 60)
    x[7, 9] = value
    (found,) = jax.jit(lambda x, y: call(Product(False, False), x, y))(x, y)
    assert not np.isfinite(found[7]).any()
    assert np.isfinite(np.delete(np.asarray(found), 7, 0)).all()


def test_which_products_have_a_kernel():
    assert worthwhile((128, 128), (128, 128))
    assert worthwhile((8, 16, 64), (64, 256))  # one matrix for a batch of few rows each
    assert worthwhile((64, 128, 64), (64, 64, 128))
    assert not worthwhile((4, 4), (4, 4))
    assert worthwhile((1, 4096), (4096, 4096))  # as fast as the matrix can be read
    assert not worthwhile((1, 64), (64, 64))
    assert not worthwhile((2, 1, 128, 64), (1, 3, 64, 128))  # batches that are spread
    assert not worthwhile((4096,), (4096, 4096))
    assert not worthwhile((100_000, 64), (64, 64))


@pytest.mark.skipif(not library.active(), reason="without the C++ part XLA multiplies")
def test_no_matrix_is_turned_for_a_dense_layer():
    ms.set_context(mode=ms.GRAPH_MODE)
    net = nn.Dense(128, 256)
    step = nn.TrainOneStepCell(nn.WithLossCell(net, nn.MSELoss()), nn.SGD(net.trainable_params(), 0.1))
    step(ops.ones((64, 128)), ops.ones((64, 256)))
    (graphs,) = step._graphs_of().graphs.values()
    text = graphs[0].executable.as_text()
    assert len(re.findall('custom_call_target="mycelium_product"', text)) == 2  # forward, and the weights' gradient
    assert not re.search(r"= \S+ transpose\(", text)


@pytest.mark.skipif(not library.active(), reason="without the C++ part XLA multiplies")
def test_a_turned_operand_is_read_as_it_lies():
    query, key = (random(seed).randn(4, 64, 64).astype(np.float32) for seed in (0, 1))
    for scores in (lambda q, k: call(Product(False, False), q, k.mT), lambda q, k: call(Product(True, True), q.mT, k)):
        compiled = jax.jit(scores).lower(query, key).compile()
        np.testing.assert_allclose(compiled(query, key)[0], query @ key.swapaxes(-1, -2), 1e-4, 1e-4)
        assert "transpose(" not in compiled.as_text()


@pytest.mark.skipif(not library.has(library.BFLOAT16_PRODUCT), reason="the processor has no instruction for bfloat16")
@pytest.mark.parametrize("form", FORMS, ids=str)
def test_bfloat16_is_rounded_once(form):
    kernel = Product(*form[2:])
    for seed, sizes in enumerate([(16, 16, 16), (17, 33, 9), (97, 65, 513), (13, 130, 1500)]):
        x, y = (jnp.asarray(a, jnp.bfloat16) for a in operands(random(seed), *form, *sizes))
        (found,) = jax.jit(lambda x, y: call(kernel, x, y))(x, y)
        wanted = turned(np.asarray(x, np.float64), form[2]) @ turned(np.asarray(y, np.float64), form[3])
        assert found.dtype == jnp.bfloat16
        np.testing.assert_allclose(np.asarray(found, np.float64), wanted, 2**-8, 1e-4 * np.sqrt(sizes[2]))


@pytest.mark.skipif(not library.has(library.BFLOAT16_PRODUCT), reason="the processor has no instruction for bfloat16")
def test_products_and_gradients_of_bfloat16_use_the_kernel():
    x, y = (ms.Tensor(random(i).randn(3, 128, 128), ms.bfloat16) for i in range(2))
    step = ms.value_and_grad(lambda x, y: (ops.matmul(x, y) ** 2).sum(), (0, 1))
    found = [part.astype(ms.float32).asnumpy() for part in step(x, y)[1]]
    wide = ms.value_and_grad(lambda x, y: (ops.matmul(x, y) ** 2).sum(), (0, 1))(
        x.astype(ms.float32), y.astype(ms.float32)
    )[1]
    for one, other in zip(found, wide, strict=True):
        np.testing.assert_allclose(one, other.asnumpy(), 0.05, 0.02 * np.abs(other.asnumpy()).max())
    traced = jax.jit(lambda x, y: ops.matmul(ms.Tensor.wrap(x), ms.Tensor.wrap(y))._value).lower(x._value, y._value)
    assert library.BFLOAT16_PRODUCT in traced.as_text()
