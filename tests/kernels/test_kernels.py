"""Our own CPU kernels compute what their plain forms say, for all shapes, derivatives included."""

from __future__ import annotations

import subprocess
import sys

import jax
import jax.numpy as jnp
import numpy as np
import pytest

import mindspore as ms
from mindspore import Tensor, nn, ops
from mindspore._kernels import library
from mindspore._kernels.channels import ChannelMoments, Spread, Sums
from mindspore._kernels.convolution import Convolution, Geometry, InputGradient, WeightGradient
from mindspore._kernels.pooling import MaxPool, MaxPoolGradient
from mindspore._kernels.primitive import call, portable
from mindspore._ops.nn.activation import positive_part

random = np.random.RandomState


def agree(kernel, *operands, tolerance=2e-5):
    """The kernel and its plain form give the same numbers, up to the order of summation."""
    found = jax.jit(lambda *given: call(kernel, *given))(*operands)
    wanted = jax.jit(kernel.plain)(*operands)
    for one, other in zip(found, wanted, strict=True):
        scale = float(jnp.abs(jnp.nan_to_num(other, posinf=0, neginf=0)).max(initial=1e-6))
        np.testing.assert_allclose(one, other, tolerance, tolerance * scale)


def as_pair(values):
    return tuple(int(one) for one in values)


def convolution_case(seed):
    """A convolution of random shape, with operands."""
    rng = random(seed)
    kernel = rng.randint(1, 6, 2)
    dilation, stride = rng.randint(1, 3, 2), rng.randint(1, 4, 2)
    padding = rng.randint(0, 4, (2, 2))
    reach = (kernel - 1) * dilation + 1
    lengths = np.maximum(rng.randint(1, 20, 2), reach - padding.sum(1))
    groups = int(rng.choice([1, 1, 1, 2, 3]))
    into, out = rng.randint(1, 20) * groups, rng.randint(1, 40) * groups
    if rng.rand() < 0.25:  # every channel on its own
        groups = into = out = rng.randint(2, 40)
    geometry = Geometry(as_pair(stride), tuple(map(as_pair, padding)), as_pair(dilation), int(groups))
    x = rng.randn(rng.randint(1, 5), into, *lengths).astype(np.float32)
    weights = rng.randn(out, into // groups, *kernel).astype(np.float32)
    return geometry, x, weights


def check_convolution(seed):
    geometry, x, weights = convolution_case(seed)
    agree(Convolution(geometry), x, weights)
    dy = random(seed).randn(*jax.eval_shape(geometry.convolve, x, weights).shape).astype(np.float32)
    agree(InputGradient(geometry, x.shape), dy, weights)
    agree(WeightGradient(geometry, weights.shape), x, dy)


@pytest.mark.parametrize("seed", range(8))
def test_convolutions_and_their_gradients(seed):
    check_convolution(seed)


@pytest.mark.heavy
@pytest.mark.parametrize("seed", range(8, 400))
def test_convolutions_of_many_shapes(seed):
    check_convolution(seed)


LARGE = [
    (2, 64, 30, 128, 3, 2),
    (4, 3, 65, 48, 7, 2),
    (1, 256, 14, 72, 1, 1),
    (3, 40, 23, 40, 3, 1),
    (8, 16, 9, 24, 1, 2),
]


@pytest.mark.parametrize("shape", LARGE, ids=str)
def test_convolutions_large_enough_for_several_threads(shape):
    batch, into, length, out, size, stride = shape
    geometry = Geometry((stride, stride), ((size // 2, size // 2),) * 2, (1, 1), 1)
    rng = random(0)
    x = rng.randn(batch, into, length, length).astype(np.float32)
    weights = rng.randn(out, into, size, size).astype(np.float32)
    agree(Convolution(geometry), x, weights)
    dy = rng.randn(*jax.eval_shape(geometry.convolve, x, weights).shape).astype(np.float32)
    agree(InputGradient(geometry, x.shape), dy, weights)
    agree(WeightGradient(geometry, weights.shape), x, dy, tolerance=1e-4)


def test_what_is_not_finite_stays_where_it_belongs():
    geometry, x, weights = convolution_case(3)
    x[0, 0, 0, 0], x[-1, -1, -1, -1] = np.nan, np.inf
    agree(Convolution(geometry), x, weights)
    pool = MaxPool((2, 3), (1, 2), ((0, 1), (1, 1)))
    agree(pool, x)
    agree(ChannelMoments(), x)


def test_no_bits_depend_on_the_threads():
    geometry = Geometry((1, 1), ((1, 1), (1, 1)), (1, 1), 1)
    x, dy = (random(i).randn(8, 24, 20, 20).astype(np.float32) for i in range(2))
    run = jax.jit(lambda x, dy: call(WeightGradient(geometry, (24, 24, 3, 3)), x, dy)[0])
    first = np.asarray(run(x, dy))
    assert all((np.asarray(run(x, dy)) == first).all() for _ in range(10))


@pytest.mark.parametrize("channels", [1, 5, 8, 19])
@pytest.mark.parametrize("windows", [((2, 2), (2, 2), ((0, 0), (0, 0))), ((3, 3), (2, 2), ((1, 1), (0, 1))),
                                     ((2, 5), (1, 3), ((1, 0), (2, 2)))], ids=str)  # fmt: skip
def test_pooling_and_its_gradient(channels, windows):
    x = random(0).randint(-3, 4, (3, channels, 9, 12)).astype(np.float32)  # with equal numbers in a window
    agree(MaxPool(*windows), x, tolerance=0)
    dy = random(1).randn(*jax.eval_shape(MaxPool(*windows).largest, x).shape).astype(np.float32)
    agree(MaxPoolGradient(*windows), x, dy, tolerance=1e-6)


@pytest.mark.parametrize("channels", [3, 6, 8, 12])
@pytest.mark.parametrize("windows", [((2, 2), (2, 2), ((0, 0), (0, 0))), ((3, 3), (2, 2), ((1, 1), (1, 1)))], ids=str)
def test_relu_between_convolution_and_pooling_costs_no_pass_of_its_own(channels, windows):
    rng = random(channels)
    x, weights = rng.randn(3, 4, 12, 12).astype(np.float32), rng.randn(channels, 4, 3, 3).astype(np.float32)
    x[1] = -np.abs(x[1])
    weights[0] = np.abs(weights[0])  # windows that hold nothing above 0

    def loss(x, weights):
        z = call(Convolution(Geometry((1, 1), ((0, 0), (0, 0)), (1, 1), 1)), x, weights)[0]
        pooled = call(MaxPool(*windows), positive_part(z))[0]
        return (pooled * jnp.arange(pooled.size, dtype=np.float32).reshape(pooled.shape)).sum(), pooled

    def compiled():
        return jax.jit(jax.grad(lambda *given: loss(*given), (0, 1), has_aux=True)).lower(x, weights).compile()

    program = compiled()
    with portable():
        plain = compiled()
    text = program.as_text()
    if library.active():
        assert "mycelium_max_pool_relu" in text and "maximum(" not in text
        assert text.count('"mycelium_max_pool_gradient_relu"') == 1
    for one, other in zip(jax.tree.leaves(program(x, weights)), jax.tree.leaves(plain(x, weights)), strict=True):
        np.testing.assert_allclose(one, other, 1e-4, 1e-4 * float(np.abs(other).max()))
    x[0, 0, 3, 3] = np.nan
    np.testing.assert_allclose(program(x, weights)[1], plain(x, weights)[1], 1e-4, 1e-4)


@pytest.mark.parametrize("shape", [(1, 1, 1, 1), (2, 3, 5, 1), (4, 17, 6, 7), (8, 64, 30, 30)], ids=str)
def test_sums_of_channels(shape):
    rng = random(0)
    x, t = (rng.randn(*shape).astype(np.float32) for _ in range(2))
    centre = rng.randn(shape[1]).astype(np.float32)
    agree(ChannelMoments(), x)
    agree(Sums(), x, centre, t)


def test_the_variance_beside_a_large_mean_is_exact():
    x = (random(0).randn(4, 3, 50, 50) + 10_000).astype(np.float32)
    _, variance = jax.jit(lambda x: call(ChannelMoments(), x))(x)
    np.testing.assert_allclose(variance, x.astype(np.float64).var((0, 2, 3)), rtol=1e-4)


GEOMETRY = Geometry((2, 1), ((1, 0), (1, 1)), (1, 1), 1)
FUNCTIONS = {
    "convolution": (lambda x, w: call(Convolution(GEOMETRY), x, w)[0], [(2, 3, 5, 4), (4, 3, 3, 2)]),
    "input gradient": (lambda y, w: call(InputGradient(GEOMETRY, (2, 3, 5, 4)), y, w)[0], [(2, 4, 2, 5), (4, 3, 3, 2)]),
    "weight gradient": (
        lambda x, y: call(WeightGradient(GEOMETRY, (4, 3, 3, 2)), x, y)[0],
        [(2, 3, 5, 4), (2, 4, 2, 5)],
    ),
    "pooling": (lambda x: call(MaxPool((2, 2), (1, 1), ((0, 0), (0, 0))), x)[0], [(2, 3, 5, 4)]),
    "moments": (lambda x: sum(call(ChannelMoments(), x)), [(2, 3, 5, 4)]),
    "sums": (lambda x, c, t: sum(call(Sums(), x, c, t)), [(2, 3, 5, 4), (3,), (2, 3, 5, 4)]),
    "spread": (lambda x, c, a, b: call(Spread(), x, c, a, b)[0], [(2, 3, 5, 4), (3,), (3,), (3,)]),
}


@pytest.mark.parametrize("name", FUNCTIONS)
def test_derivatives_of_every_order_and_direction(name):
    """In double precision, against differences; the rules are the same in every precision."""
    function, shapes = FUNCTIONS[name]
    rng = random(0)
    operands = [rng.randn(*shape) for shape in shapes]
    directions = [rng.randn(*shape) for shape in shapes]
    step = 1e-5

    def along(t, other=0.0):
        moved = [one + t * way + other * way**2 for one, way in zip(operands, directions, strict=True)]
        return jnp.sum(function(*moved) ** 2)

    slope = (along(step) - along(-step)) / (2 * step)
    np.testing.assert_allclose(jax.grad(along)(0.0), slope, 1e-6, 1e-6)
    np.testing.assert_allclose(jax.jvp(along, (0.0,), (1.0,))[1], slope, 1e-6, 1e-6)
    mixed = (jax.grad(along)(0.0, step) - jax.grad(along)(0.0, -step)) / (2 * step)
    np.testing.assert_allclose(jax.grad(jax.grad(along), 1)(0.0, 0.0), mixed, 1e-5, 1e-5)
    np.testing.assert_allclose(jax.jvp(lambda o: jax.grad(along)(0.0, o), (0.0,), (1.0,))[1], mixed, 1e-5, 1e-5)


@pytest.mark.parametrize("name", FUNCTIONS)
def test_many_at_once_equal_one_by_one(name):
    function, shapes = FUNCTIONS[name]
    operands = [random(i).randn(3, *shape).astype(np.float32) for i, shape in enumerate(shapes)]
    found = jax.vmap(function)(*operands)
    wanted = [function(*[one[i] for one in operands]) for i in range(3)]
    np.testing.assert_allclose(found, np.stack(wanted), 1e-4, 1e-4)


def test_a_portable_program_calls_no_kernel():
    x, w = (np.ones(shape, np.float32) for shape in FUNCTIONS["convolution"][1])
    with portable():
        assert "mycelium" not in jax.jit(FUNCTIONS["convolution"][0]).lower(x, w).as_text()


@pytest.mark.heavy
def test_a_network_gives_the_same_without_the_kernels():
    program = """
import numpy as np, mindspore as ms
from mindspore import nn, Tensor
from mindspore._kernels import library
ms.set_seed(1)
net = nn.SequentialCell(nn.Conv2d(3, 8, 3), nn.BatchNorm2d(8), nn.ReLU(), nn.MaxPool2d(2, 2), nn.Flatten(),
                        nn.Dense(128, 2)).set_train()
x = Tensor(np.random.RandomState(0).randn(4, 3, 8, 8).astype(np.float32))
_, gradients = ms.value_and_grad(lambda x: (net(x) ** 2).sum(), None, net.trainable_params())(x)
print(library.status(), *[float((one ** 2).sum().asnumpy()) for one in gradients])
"""

    def run(switch):
        environment = {"MYCELIUM_NATIVE_KERNELS": switch, "PATH": "/usr/bin:/bin"}
        done = subprocess.run(
            [sys.executable, "-c", program], capture_output=True, text=True, env=environment, timeout=120
        )
        assert done.returncode == 0, done.stderr
        return done.stdout

    without = run("0")
    assert without.startswith("switched off")
    numbers = [[float(one) for one in text.split()[-5:]] for text in (run("1"), without)]
    np.testing.assert_allclose(*numbers, rtol=1e-4)


def test_layers_in_both_modes(mode):
    ms.set_seed(3)
    net = nn.SequentialCell(nn.Conv2d(2, 6, 3, stride=2, has_bias=True), nn.BatchNorm2d(6), nn.ReLU())
    net.set_train()
    x = Tensor(random(0).randn(3, 2, 9, 9).astype(np.float32))
    loss, gradients = ms.value_and_grad(lambda x: (net(x) * net(x)).sum(), 0, net.trainable_params())(x)
    assert np.isfinite(loss.asnumpy()) and len(gradients[1]) == 4
    one_row = ops.conv1d(Tensor(np.ones((1, 2, 6), np.float32)), Tensor(np.ones((3, 2, 2), np.float32)), stride=2)
    assert one_row.shape == (1, 3, 3) and (one_row.asnumpy() == 4).all()
