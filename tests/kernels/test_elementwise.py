"""What Parameters get is computed by custom calls, with the results of XLA's loops."""

from __future__ import annotations

import jax
import jax.numpy as jnp
import numpy as np
import pytest

import mindspore as ms
from mindspore import Parameter, Tensor, nn, ops
from mindspore._kernels import elementwise, library

pytestmark = pytest.mark.skipif(not library.has_elementwise(), reason="the C++ part is not there")
SHAPES = [(3,), (4, 5), (2, 3, 3, 3), (700,), (1,), ()]


@pytest.fixture
def calls(monkeypatch):
    """How many calls each program got."""
    found = []
    write = elementwise.write_updates
    monkeypatch.setattr(elementwise, "write_updates", lambda *given: found.append(write(*given)))
    return found


@pytest.fixture
def without(monkeypatch):
    """A function that switches them off."""
    return lambda: monkeypatch.setattr(elementwise, "write_updates", lambda *_: 0)


def parameters(shapes=SHAPES):
    random = np.random.RandomState(1)
    return [
        Parameter(Tensor(np.asarray(random.rand(*shape), np.float32)), name=f"p{i}") for i, shape in enumerate(shapes)
    ]


OPTIMIZERS = {
    "SGD": lambda p: nn.SGD(p, 0.1, momentum=0.9, weight_decay=0.01),
    "Momentum": lambda p: nn.Momentum(p, 0.1, 0.9, weight_decay=0.01, use_nesterov=True, loss_scale=2.0),
    "Adam": lambda p: nn.Adam(p, 0.1),
    "AdamWeightDecay": lambda p: nn.AdamWeightDecay(p, 0.1, weight_decay=0.01),
    "AMSGrad": lambda p: nn.Adam(p, 0.1, use_amsgrad=True),
    "AdaMax": lambda p: nn.AdaMax(p, 0.1),
    "RMSProp": lambda p: nn.RMSProp(p, 0.1, centered=True),
    "Adagrad": lambda p: nn.Adagrad(p, 0.1),
    "Adadelta": lambda p: nn.Adadelta(p, 0.1),
    "Rprop": lambda p: nn.Rprop(p, 0.1),
}


def trained(make):
    owned = parameters()
    optimizer = make(owned)
    random = np.random.RandomState(2)
    for _ in range(3):
        optimizer(tuple(Tensor(np.asarray(random.randn(*one.shape), np.float32)) for one in owned))
    return [one.asnumpy() for one in optimizer.get_parameters()] + [one.asnumpy() for one in owned]


@pytest.mark.parametrize("name", OPTIMIZERS)
def test_optimizers_agree_with_loops_of_xla(name, calls, without):
    ms.set_context(mode=ms.GRAPH_MODE)
    found = trained(OPTIMIZERS[name])
    assert sum(calls) >= len([shape for shape in SHAPES if np.prod(shape) > 1])
    without()
    for got, wanted in zip(found, trained(OPTIMIZERS[name]), strict=True):
        np.testing.assert_allclose(got, wanted, 2e-5, 1e-6)


def test_one_call_for_all_values_of_a_parameter(calls):
    ms.set_context(mode=ms.GRAPH_MODE)
    owned = parameters([(40, 50)])
    nn.Adam(owned, 0.1)((Tensor(np.ones((40, 50), np.float32)),))
    assert calls == [1]


X = np.array([-2, -0.0, 0.0, 1.5, np.nan, np.inf, -np.inf, 3], np.float32)
Y = np.array([1, 0.0, -0.0, np.nan, 2, -np.inf, -np.inf, -3], np.float32)
STEPS = {
    "arithmetic": lambda x, y: ((x + y) * x - y / 3, (X + Y) * X - Y / np.float32(3)),
    "extremes": lambda x, y: (ops.maximum(x, y) - 2 * ops.minimum(x, y), np.maximum(X, Y) - 2 * np.minimum(X, Y)),
    "roots": lambda x, y: (ops.sqrt(x) + ops.rsqrt(ops.abs(y)), np.sqrt(X) + 1 / np.sqrt(np.abs(Y))),
    "zeros": lambda x, y: (x * -0.0 - 0.0 / y, X * np.float32(-0.0) - np.float32(0) / Y),
    "choices": lambda x, y: (
        ops.where((x > y) | (x == 0), ops.where(x <= -0.5, x, y), ops.where(~(y != 2), -x, x * 2)),
        np.where((X > Y) | (X == 0), np.where(X <= -0.5, X, Y), np.where(~(Y != 2), -X, X * 2)),
    ),
    "signs": lambda x, y: (ops.sign(x) * ops.abs(y) - (-y), np.sign(X) * np.abs(Y) + Y),
}


@pytest.mark.filterwarnings("ignore:invalid value:RuntimeWarning", "ignore:divide by zero:RuntimeWarning")
@pytest.mark.parametrize("name", STEPS)
def test_every_step(name, calls):
    p = Parameter(Tensor(np.zeros(8, np.float32)), name="p")

    @ms.jit
    def update(x, y):
        ops.assign(p, STEPS[name](x, y)[0])
        return x.sum()

    update(Tensor(X), Tensor(Y))
    assert calls == [1]
    wanted = STEPS[name](Tensor(X), Tensor(Y))[1]
    np.testing.assert_allclose(p.asnumpy(), wanted, 1e-6)
    np.testing.assert_array_equal(np.signbit(p.asnumpy()) & ~np.isnan(wanted), np.signbit(wanted) & ~np.isnan(wanted))


def test_what_else_is_read_stays_with_xla(calls):
    p = Parameter(Tensor(np.ones(8, np.float32)), name="p")

    @ms.jit
    def update(x):
        new = p * 0.5 + x
        ops.assign(p, new)
        return new.sum()

    assert update(Tensor(np.ones(8, np.float32))).asnumpy() == 12
    assert calls == [0]


def test_other_dtypes_and_large_arrays_stay_with_xla(calls):
    ms.set_context(mode=ms.GRAPH_MODE)
    halves = Parameter(Tensor(np.ones(8, np.float16)), name="halves")
    whole = Parameter(Tensor(np.ones(8, np.int32)), name="whole")
    large = Parameter(Tensor(np.ones(elementwise._MOST, np.float32)), name="large")

    @ms.jit
    def update():
        for one in (halves, whole, large):
            ops.assign(one, one * 2 + one)

    update()
    assert calls == [0]
    assert (halves.asnumpy() == 3).all() and (whole.asnumpy() == 3).all() and (large.asnumpy() == 3).all()


def test_a_failed_check_changes_nothing():
    class Network(nn.Cell):
        def __init__(self):
            super().__init__()
            self.table, self.dense = nn.Embedding(5, 4), nn.Dense(4, 3)

        def construct(self, words):
            return self.dense(self.table(words)).sum()

    ms.set_context(mode=ms.GRAPH_MODE)
    network = Network()
    optimizer = nn.Adam(network.trainable_params(), 0.1)
    step = nn.TrainOneStepCell(network, optimizer).set_train()
    step(Tensor([1, 2], ms.int32))
    before = [one.asnumpy().copy() for one in optimizer.get_parameters()]
    with pytest.raises(RuntimeError):
        step(Tensor([1, 5], ms.int32)).asnumpy()
    for got, wanted in zip(optimizer.get_parameters(), before, strict=True):
        np.testing.assert_array_equal(got.asnumpy(), wanted)
    step(Tensor([1, 4], ms.int32))
    assert any((one.asnumpy() != old).any() for one, old in zip(optimizer.get_parameters(), before, strict=True))


def test_memory_that_the_program_may_overwrite_is_overwritten(monkeypatch):
    ms.set_context(mode=ms.GRAPH_MODE)
    texts = []
    write = elementwise.write_updates
    monkeypatch.setattr(
        elementwise,
        "write_updates",
        lambda lowered, places: (write(lowered, places), texts.append(str(lowered.compiler_ir()))),
    )
    owned = parameters([(300, 300)] * 12)  # together more than from where on memory is overwritten
    optimizer = nn.Adam(owned, 0.1)
    gradients = tuple(Tensor(np.ones((300, 300), np.float32)) for _ in owned)
    optimizer(gradients)
    assert texts[0].count("output_operand_alias<") == 3 * 12
    first = owned[0].asnumpy().copy()
    optimizer(gradients)
    held = owned[0].asnumpy()
    optimizer(gradients)
    assert (held != owned[0].asnumpy()).all() and (first != held).all()


def test_a_program_with_other_than_its_own_shapes_is_unchanged_by_threads():
    """Pieces that several threads compute have the bits of one."""
    steps, results = np.array([11, 0, 1, 0, 6, 3, 3, 3], np.int32), np.array([4], np.int32)
    x = np.random.RandomState(0).rand(1 << 16).astype(np.float32)
    (got,) = called([x, np.float32(3)], [x.shape], steps, results)
    np.testing.assert_allclose(got, np.sqrt(x * 3 + x), 1e-6)


def test_truth_values_are_numbers():
    random = np.random.RandomState(0)
    truths, x = random.rand(40_000) < 0.5, random.rand(40_000).astype(np.float32)
    (got,) = called([truths, x, np.float32(3)], [x.shape], [13, 0, 1, 2], [4])
    np.testing.assert_array_equal(got, np.where(truths, x, np.float32(3)))


def called(operands, shapes, steps, results, constants=(0.0,), dtype=jnp.float32):
    run = jax.ffi.ffi_call(library.ELEMENTWISE, [jax.ShapeDtypeStruct(shape, dtype) for shape in shapes])
    numbers = {"steps": np.array(steps, np.int32), "results": np.array(results, np.int32)}
    return jax.block_until_ready(
        jax.jit(lambda *x: run(*x, constants=np.array(constants, np.float32), **numbers))(*operands)
    )


FOUR, GOOD = np.ones(4, np.float32), [0, 0, 0, 0]


@pytest.mark.parametrize(
    ("operands", "shapes", "steps", "results", "dtype"),
    [
        ([FOUR], [(4,)], [99, 0, 0, 0], [2], jnp.float32),  # no such step
        ([FOUR], [(4,)], [0, 2, 0, 0], [2], jnp.float32),  # reads itself
        ([FOUR], [(4,)], [0, -1, 0, 0], [2], jnp.float32),
        ([FOUR], [(4,)], [0, 0, 0], [1], jnp.float32),  # three numbers
        ([FOUR], [(4,)], GOOD, [3], jnp.float32),  # no such value
        ([FOUR], [(4,)], GOOD, [-1], jnp.float32),
        ([FOUR], [(4,)], GOOD, [2, 2], jnp.float32),  # two results, one array
        ([FOUR], [(5,)], GOOD, [2], jnp.float32),  # operands of another size
        ([FOUR], [(4,), (3,)], GOOD, [2, 2], jnp.float32),  # results of two sizes
        ([FOUR.astype(np.int32)], [(4,)], GOOD, [2], jnp.float32),
        ([FOUR], [(4,)], GOOD, [2], jnp.int32),
        ([FOUR], [(4,)], GOOD * 1024, [2], jnp.float32),  # too many
    ],
)
def test_operands_that_do_not_fit_are_refused(operands, shapes, steps, results, dtype):
    with pytest.raises(Exception, match="For 'mycelium_elementwise', "):
        called(operands, shapes, steps, results, dtype=dtype)
