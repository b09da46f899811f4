"""Sums, running values, windows, distances and random bits: the kernels are their plain forms."""

from __future__ import annotations

import jax
import jax.numpy as jnp
import numpy as np
import pytest

import mindspore as ms
from mindspore import Tensor, ops
from mindspore._kernels import library, random_bits
from mindspore._kernels.drawing import Draw
from mindspore._kernels.largest import Largest
from mindspore._kernels.matrices.distances import Distances
from mindspore._kernels.matrices.integer_product import integer_product
from mindspore._kernels.primitive import call, portable
from mindspore._kernels.reductions import (
    Extreme,
    LinearRecurrence,
    RunningExtreme,
    RunningLogSum,
    RunningProduct,
    Total,
    extreme,
    plain_extreme,
    total,
)
from mindspore._kernels.remainders import Remainder, floored_remainder
from mindspore._kernels.sorting import RunningSum
from mindspore._kernels.waves import Wave, wave

SHAPES = [(5, 70, 1), (2, 9, 300), (3, 1, 2), (1, 70_000, 1)]


def same(kernel, *operands, tolerance=0.0):
    found = jax.jit(lambda *given: call(kernel, *given))(*operands)
    for one, other in zip(found, jax.jit(kernel.plain)(*operands), strict=True):
        assert one.dtype == other.dtype and one.shape == other.shape
        if one.dtype == jnp.bfloat16:  # whose NaN NumPy does not know
            one, other = one.astype(jnp.float32), other.astype(jnp.float32)
        if not tolerance:
            np.testing.assert_array_equal(one, other)
        else:
            np.testing.assert_allclose(one.astype(np.float64), other.astype(np.float64), tolerance, tolerance)


def numbers(shape, dtype="float32"):
    return np.random.RandomState(sum(shape)).randn(*shape).astype(np.float32) + np.float32(0.1) * (dtype != "bool")


@pytest.mark.parametrize("dtype", ["int32", "int64", "bool", "float64", "float16", "bfloat16"])
def test_sums_of_every_dtype(dtype):
    tolerance = {"float64": 1e-12, "float16": 2e-3, "bfloat16": 2e-2}.get(dtype, 0.0)
    for shape in SHAPES:
        scale = 1000 if "int" in dtype else 0.01
        x = jnp.asarray(numbers(shape) > 0 if dtype == "bool" else numbers(shape) * scale).astype(dtype)
        same(Total(), x, tolerance=tolerance)


@pytest.mark.skipif(not library.active(), reason="XLA takes subnormal numbers as 0")
def test_halves_are_rounded_as_they_should_be():
    for dtype in (jnp.float16, jnp.bfloat16):
        bits = jnp.arange(1 << 16, dtype=jnp.uint16)
        every = jax.lax.bitcast_convert_type(bits, dtype)[:, None, None]
        found = jax.jit(lambda x: call(Total(), x)[0])(every)  # sums of one number each
        wanted = every[:, 0].astype(jnp.float32)
        np.testing.assert_array_equal(found.astype(jnp.float32), wanted + 0)
        odd = jnp.concatenate([every[1:-1], every[2:]], 1)  # halves of the last digit, small and large ones
        np.testing.assert_array_equal(
            jax.jit(lambda x: call(Total(), x)[0])(odd).astype(jnp.float32),
            odd.astype(jnp.float32).sum(1).astype(dtype).astype(jnp.float32),
        )


def test_a_sum_over_several_axes_has_a_gradient():
    x = jnp.asarray(numbers((6, 30, 40)), jnp.float64)
    found = jax.jit(jax.grad(lambda x: (total(x, (1, 2)) ** 2).sum()))(x)
    np.testing.assert_allclose(found, np.broadcast_to(2 * np.asarray(x).sum((1, 2))[:, None, None], x.shape), 1e-9)
    assert total(x > 0, (0,), keepdims=True).shape == (1, 30, 40)
    np.testing.assert_array_equal(total(x > 0, (0, 2)), (np.asarray(x) > 0).sum((0, 2)))  # not neighbours


@pytest.mark.parametrize("dtype", ["float16", "bfloat16", "float64"])
@pytest.mark.parametrize("axes", [(0, 2), (0, 2, 3), (1, 3), (3,), (1, 2)], ids=str)
def test_sums_over_axes_that_are_no_neighbours_are_rounded_once(dtype, axes):
    x = jnp.asarray(numbers((5, 9, 17, 33)) / 8).astype(dtype)
    wide = np.asarray(x.astype(jnp.float64))
    found = jax.jit(lambda x: total(x, axes, keepdims=True))(x)
    assert found.dtype == x.dtype and found.shape == wide.sum(axes, keepdims=True).shape
    limit = {"float16": 2.0**-11, "bfloat16": 2.0**-8, "float64": 1e-14}[dtype]
    np.testing.assert_allclose(found.astype(jnp.float64), wide.sum(axes, keepdims=True), limit, 1e-4)
    gradient = jax.jit(jax.grad(lambda x: (total(x, axes).astype(jnp.float32) * 2).sum()))(x)
    assert gradient.dtype == x.dtype
    np.testing.assert_array_equal(gradient.astype(jnp.float32), np.full(x.shape, 2, np.float32))


@pytest.mark.parametrize("dtype", ["float32", "float64", "float16", "bfloat16", "int32", "int64", "int8", "uint8"])
@pytest.mark.parametrize("largest", [False, True], ids=["smallest", "largest"])
def test_extremes_of_every_dtype(dtype, largest):
    for shape in [*SHAPES, (3, 7, 1100), (9, 517, 1), (41, 130)]:
        x = jnp.asarray((numbers(shape) * 20).round()).astype(dtype)
        if jnp.issubdtype(x.dtype, jnp.inexact):  # NaN counts where it comes first
            x = x.at[0, 0].set(jnp.nan).at[-1, 1:].set(jnp.nan).at[:, -1].set(jnp.inf if not largest else -jnp.inf)
        same(Extreme(largest), x)


def test_equal_extremes_share_the_gradient():
    x = jnp.asarray((numbers((70, 90)) * 2).round()).at[3, 0].set(jnp.nan)
    for axes in ((0,), (1,), (0, 1)):
        found = jax.jit(jax.grad(lambda x, axes=axes: (extreme(x, axes, False, True) ** 2).sum()))(x)
        wanted = jax.jit(jax.grad(lambda x, axes=axes: (plain_extreme(x, axes, True) ** 2).sum()))(x)
        np.testing.assert_allclose(found, wanted, 1e-6)


@pytest.mark.parametrize("largest", [False, True], ids=["smallest", "largest"])
def test_running_extremes(largest):
    for shape in SHAPES:
        x = numbers(shape).round(1)
        x[0, 3::50] = np.nan
        same(RunningExtreme(largest), x)
    for rows in (1, 4, 7, 9):
        same(RunningExtreme(largest), numbers((rows, 33, 1)).round(1))


@pytest.mark.parametrize("reverse", [False, True], ids=["onward", "backward"])
def test_what_runs_along_an_axis(reverse):
    for shape in SHAPES[:3]:
        x, b = numbers(shape), numbers((*shape[:2], shape[2] + 1))[..., :-1]
        same(RunningProduct(reverse), x, tolerance=1e-4)
        same(RunningLogSum(reverse), x, tolerance=1e-5)
        same(LinearRecurrence(reverse), 0.5 * x, b, tolerance=1e-4)
    lost = np.array([-np.inf, -np.inf, 0.5, np.inf, 1.0], np.float32).reshape(1, 5, 1)
    same(RunningLogSum(reverse), lost)


@pytest.mark.parametrize("kernel", [RunningProduct, RunningLogSum, LinearRecurrence])
@pytest.mark.parametrize("reverse", [False, True], ids=["onward", "backward"])
def test_gradients_of_every_order_of_what_runs(kernel, reverse):
    x = jnp.asarray(numbers((2, 6, 3)))
    x = x.at[0, 2, 0].set(0.0) if kernel is RunningProduct else x
    weights = jnp.asarray(numbers((2, 6, 4))[..., 1:])

    def value(x):
        return (call(kernel(reverse), *([x, x**2] if kernel is LinearRecurrence else [x]))[0] * weights).sum()

    def twice(x):
        return jax.grad(lambda x: (jax.grad(value)(x) * weights).sum())(x)

    def plain(x):
        return (kernel(reverse).plain(*([x, x**2] if kernel is LinearRecurrence else [x]))[0] * weights).sum()

    wanted = jax.grad(lambda x: (jax.grad(plain)(x) * weights).sum())(x)
    np.testing.assert_allclose(jax.jit(jax.grad(value))(x), jax.grad(plain)(x), 1e-3, 1e-4)
    np.testing.assert_allclose(jax.jit(twice)(x), wanted, 2e-3, 1e-3)


def test_the_largest_of_windows_of_any_kind():
    x = numbers((4, 3, 6, 7)).round(1)  # many are equal
    x[1, 0, 2, 3], x[2, 1, :, :] = np.nan, -np.inf
    overlapping = ((0, 1, 2), (2, 3, 4), (4, 5, -1))
    same(Largest((((0,), (2,)), overlapping, ((-1, 0, 2), (3, 5, -1)))), x)


@pytest.mark.parametrize("form", ["adaptive", "with gaps"])
def test_gradients_go_to_the_largest(mode, form):
    x = Tensor(numbers((2, 3, 7, 5)))

    def pool(x):
        return ops.adaptive_max_pool2d(x, 3) if form == "adaptive" else ops.max_pool2d(x, 2, 1, dilation=2)

    found = ms.grad(lambda x: (pool(x) ** 2).sum())(x).asnumpy()
    with portable():
        wanted = ms.grad(lambda x: (pool(x) ** 2).sum() * 1.0)(x).asnumpy()
    np.testing.assert_allclose(found, wanted, 1e-6)
    np.testing.assert_allclose(found.sum(), 2 * pool(x).asnumpy().sum(), 1e-4)


@pytest.mark.parametrize("norm", ["square", "absolute", "largest"])
def test_distances(norm):
    for batch, rows, columns, depth in ((1, 1, 1, 1), (2, 13, 37, 5), (1, 6, 64, 19)):
        x, y = numbers((batch, rows, depth)), numbers((batch, columns, depth))
        same(Distances(norm), x, y, tolerance=1e-5)
    y[0, 3, 2] = np.nan
    assert norm == "largest" or np.isnan(jax.jit(lambda x, y: call(Distances(norm), x, y)[0])(x, y)[0, :, 3]).all()


@pytest.mark.parametrize("dtype", ["int8", "uint8", "int16", "int32", "int64"])
def test_products_of_integers_wrap_around(dtype):
    rng, info = np.random.RandomState(0), np.iinfo(dtype)
    for x, y in (((70, 90), (90, 77)), ((3, 41, 33), (3, 33, 70)), ((2, 3, 29, 64), (64, 50))):
        x, y = (rng.randint(info.min, info.max, shape, dtype) for shape in (x, y))
        found = jax.jit(integer_product)(x, y)
        assert found.dtype == x.dtype
        np.testing.assert_array_equal(found, x @ y)
    assert integer_product(np.ones((2, 3), dtype), np.ones((3, 2), dtype)) is None


@pytest.mark.parametrize("kind", ["sine", "cosine", "tangent"])
def test_waves_are_within_two_units_of_the_last_digit(kind):
    near = np.linspace(-400, 400, 200_001).astype(np.float32)
    far = np.array(
        [0.0, -0.0, 65536.5, -1e10, 3e38, np.inf, -np.inf, np.nan, 355.0, 103993.0 / 33102 * 33102], np.float32
    )
    for x in (near, np.float32(80) * near, far):
        found = np.asarray(jax.jit(lambda x: call(Wave(kind), x)[0])(x), np.float64)
        with np.errstate(invalid="ignore"):
            wanted = {"sine": np.sin, "cosine": np.cos, "tangent": np.tan}[kind](x.astype(np.float64))
        scale = np.spacing(np.abs(wanted).astype(np.float32)) if kind == "tangent" else np.float32(2**-23)
        np.testing.assert_array_less(
            np.abs(found - wanted)[np.isfinite(wanted)], (3.5 * scale + np.zeros(x.shape))[np.isfinite(wanted)]
        )
        np.testing.assert_array_equal(np.isnan(found), np.isnan(wanted))


@pytest.mark.parametrize("kind", ["sine", "cosine", "tangent"])
def test_derivatives_of_waves_are_waves(kind):
    x = jnp.linspace(-1.2, 1.2, 5000).astype(jnp.float32)

    def second(function):
        return jax.jit(jax.grad(lambda x: (jax.grad(lambda x: (function(x) * x).sum())(x) ** 2).sum()))(x)

    plain = {"sine": jnp.sin, "cosine": jnp.cos, "tangent": jnp.tan}[kind]
    np.testing.assert_allclose(second(lambda x: wave(kind, x)), second(plain), 1e-3, 1e-3)


@pytest.mark.parametrize("width", [32, 64])
def test_random_bits_are_those_of_threefry(width):
    for count in (1, 63, 70_001):
        same(random_bits.Bits(count, width), jnp.array([7, 3_000_000_001], jnp.uint32))


@pytest.mark.parametrize("dtype", ["int32", "int64"])
def test_random_integers_are_those_of_jax(dtype):
    words, most = jnp.array([123456789, 42], jnp.uint32), np.iinfo(dtype).max
    bounds = [
        (0, 1),
        (0, 10),
        (-5, 1000),
        (3, 65539),
        (3, 65540),
        (-7, 1 << 30),
        (5, 5),
        (-most, most),
        (-most - 1, most),
    ]
    if dtype == "int32":
        bounds += [(-most - 1, most + 1), (7, 1 << 40)]
    for low, high in bounds:
        drawn = jax.jit(lambda low, high: random_bits.integers(words, (41, 73), low, high, np.dtype(dtype)))(low, high)
        wanted = jax.random.randint(random_bits.threefry_key(words), (41, 73), low, high, dtype)
        assert drawn.dtype == wanted.dtype
        np.testing.assert_array_equal(drawn, wanted, str((low, high)))
        same(
            random_bits.Integers(3001, dtype),
            words,
            jnp.int64(low),
            jnp.uint64((high - low) % 2 ** (8 * wanted.itemsize)),
        )


def test_keys_are_split_and_folded_as_those_of_threefry():
    words = jnp.array([5, 6], jnp.uint32)
    ours, theirs = random_bits.generator(words), jax.random.wrap_key_data(words, impl="threefry2x32")
    for one, other in zip(jax.random.split(ours, 3), jax.random.split(theirs, 3), strict=True):
        np.testing.assert_array_equal(jax.random.key_data(one), jax.random.key_data(other))
    for draw in (jax.random.normal, jax.random.gumbel, jax.random.uniform):
        folded = [jax.random.fold_in(key, 9) for key in (ours, theirs)]
        np.testing.assert_array_equal(*(draw(key, (50, 60), jnp.float32) for key in folded))
    many = jax.vmap(lambda key: jax.random.bits(key, (2000,)))
    np.testing.assert_array_equal(many(jax.random.split(ours, 2)), many(jax.random.split(theirs, 2)))


def test_products_with_zeros_have_their_gradients(mode):
    x = np.array([[2.0, 3.0, 4.0], [0.0, 5.0, 7.0], [0.0, 0.0, 9.0]], np.float32)
    found = ms.grad(lambda x: ops.prod(x, 1).sum())(Tensor(x))
    np.testing.assert_allclose(found.asnumpy(), [[12, 8, 6], [35, 0, 0], [0, 0, 0]])
    second = ms.grad(lambda x: ms.grad(lambda x: ops.prod(x, 1).sum())(x).sum())(Tensor(x))
    np.testing.assert_allclose(second.asnumpy(), [[7, 6, 5], [12, 7, 5], [9, 9, 0]])


@pytest.mark.parametrize("dtype", ["int8", "uint8", "int32", "int64"])
@pytest.mark.parametrize("largest", [False, True], ids=["smallest", "largest"])
def test_extremes_of_whole_numbers(dtype, largest):
    for shape in (*SHAPES, (3, 129, 1), (2, 128, 1)):
        same(Extreme(largest), (numbers(shape) * 50).astype(dtype))
    x = Tensor((numbers((40, 130)) * 50).astype(dtype))
    np.testing.assert_array_equal(ops.amax(x, -1).asnumpy(), x.asnumpy().max(-1))
    np.testing.assert_array_equal(ops.amin(x).asnumpy(), x.asnumpy().min())
    np.testing.assert_array_equal(ops.argmax(x, 1).asnumpy(), x.asnumpy().argmax(1))


@pytest.mark.parametrize("dtype", ["float64", "int32", "int64"])
def test_what_runs_along_an_axis_in_every_dtype(dtype):
    for shape in SHAPES[:3]:
        x = (numbers(shape) * 100).astype(dtype)
        same(RunningSum(False), x, tolerance=1e-9 if dtype == "float64" else 0)
        same(RunningSum(True), x, tolerance=1e-9 if dtype == "float64" else 0)
        same(RunningExtreme(True), x)


def test_running_sums_of_halves_are_rounded_once():
    x = np.full((2, 3000), 0.1, np.float16)
    found = ops.cumsum(Tensor(x), 1).asnumpy()
    assert found.dtype == np.float16
    np.testing.assert_allclose(found, np.cumsum(x.astype(np.float64), 1), rtol=1e-3)


def test_places_are_drawn_by_their_weights_and_never_with_weight_0():
    rng = np.random.RandomState(0)
    for length in (1, 7, 8, 1001):
        weights = (rng.rand(3, length) * (rng.rand(3, length) < 0.5) + (np.arange(length) == length // 2)).astype(
            "float32"
        )
        bits = rng.randint(0, 1 << 63, (3, 500)).astype(np.uint64) * 2 + 1
        bits[:, 0], bits[:, 1] = 0, np.uint64(2**64 - 1)
        same(Draw(), weights, bits)
        found = np.asarray(jax.jit(lambda *given: call(Draw(), *given)[0])(weights, bits))
        assert (np.take_along_axis(weights, found, 1) > 0).all()


def test_remainders_are_exact():
    rng = np.random.RandomState(0)
    x = np.ldexp(rng.randn(20_000), rng.randint(-60, 60, 20_000)).astype(np.float32)
    y = np.ldexp(rng.randn(20_000), rng.randint(-60, 60, 20_000)).astype(np.float32)
    odd = np.array([0.0, -0.0, 1.0, -3.0, np.inf, -np.inf, np.nan, 0.1, 3e38], np.float32)
    x[: 81 * 2 : 2], y[: 81 * 2 : 2] = np.repeat(odd, 9), np.tile(odd, 9)
    x[200:300] = y[200:300] * np.arange(100, dtype=np.float32)
    with np.errstate(all="ignore"):
        found, wanted = np.asarray(jax.jit(lambda *given: call(Remainder(), *given)[0])(x, y)), np.fmod(x, y)
        np.testing.assert_array_equal(found, wanted)
        np.testing.assert_array_equal(
            np.signbit(found), np.signbit(wanted) & ~np.isnan(wanted) | np.signbit(found) & np.isnan(wanted)
        )
        np.testing.assert_array_equal(jax.jit(floored_remainder)(x, y), jax.jit(jnp.mod)(x, y))
    gradients = jax.jit(jax.grad(lambda x, y: floored_remainder(x, y).sum(), (0, 1)))(
        np.full(5000, 7.5, np.float32), np.full(5000, 2.0, np.float32)
    )
    assert gradients[0][0] == 1 and gradients[1][0] == -3
