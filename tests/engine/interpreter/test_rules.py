"""The rules follow XLA where NumPy would do otherwise: wrap-around, division by zero, NaN, ties, bounds, random bits."""

from __future__ import annotations

from typing import Any

import jax
import jax.numpy as jnp
import ml_dtypes
import numpy as np
import pytest
from jax import lax

from mindspore._engine.base.kernel import Kernel
from mindspore._engine.interpreter import choice

RANDOM = np.random.default_rng(5)
FLOATS = np.array([0.0, -0.0, 1.5, -2.5, 0.5, np.nan, np.inf, -np.inf, 3e38, -7.0], np.float32)
INTS = np.array([0, 1, -1, 7, -7, 2**31 - 1, -(2**31)], np.int32)
ROWS = RANDOM.normal(size=(4, 5)).astype(np.float32)
IMAGES = RANDOM.normal(size=(2, 4, 7, 6)).astype(np.float32)
WEIGHTS = RANDOM.normal(size=(6, 2, 3, 2)).astype(np.float32)
TIES = np.array([[1, 3, 3, 0], [2, np.nan, 2, np.nan]], np.float32)


def gather(mode: str) -> Any:
    return lambda x, i: x.at[i].get(mode=mode)


def pairs(values: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    first, second = np.meshgrid(values, values)
    return first, second


def grouped(x: Any, w: Any) -> Any:
    return lax.conv_general_dilated(x, w, (2, 1), [(1, 2), (0, 1)], (1, 2), (2, 1), feature_group_count=2)


def weights_gradient(x: Any, w: Any) -> Any:
    return jax.grad(lambda w: (grouped(x, w) ** 2).sum())(w)


def pooled(x: Any) -> Any:
    return lax.reduce_window(x, -jnp.inf, lax.max, (1, 1, 3, 2), (1, 1, 2, 2), [(0, 0), (0, 0), (1, 0), (0, 1)])


CASES: dict[str, tuple[Any, ...]] = {
    "integer division": (lax.div, *pairs(INTS)),
    "integer remainder": (lax.rem, *pairs(INTS)),
    "unsigned division": (lax.div, *pairs(np.array([0, 1, 9, 255], np.uint8))),
    "wrap-around": (lambda x, y: x * y + x, *pairs(INTS)),
    "float remainder": (lax.rem, *pairs(FLOATS)),
    "division by zero": (lax.div, *pairs(FLOATS)),
    "maximum of NaN": (lax.max, *pairs(FLOATS)),
    "minimum of NaN": (lax.min, *pairs(FLOATS)),
    "power": (lax.pow, *pairs(FLOATS)),
    "to int32": (lambda x: x.astype(jnp.int32), FLOATS),
    "to int64": (lambda x: (x * 1e10).astype(jnp.int64), FLOATS),
    "to uint8": (lambda x: (x * 100).astype(jnp.uint8), FLOATS),
    "to bool": (lambda x: x.astype(bool), FLOATS),
    "narrow integers": (lambda x: x.astype(jnp.int8), INTS),
    "round": (jnp.round, FLOATS),
    "round away": (lambda x: lax.round(x, lax.RoundingMethod.AWAY_FROM_ZERO), FLOATS),
    "sign": (jnp.sign, FLOATS),
    "shift left": (lax.shift_left, *pairs(np.array([1, 5, 31, 32, -1], np.int32))),
    "shift right": (lax.shift_right_logical, *pairs(np.array([1, 5, 31, 32, -1], np.int32))),
    "negative powers": (lambda x: lax.integer_pow(x, -3), FLOATS),
    "clamp": (lambda x: lax.clamp(np.float32(-1), x, np.float32(2)), FLOATS),
    "population count": (lax.population_count, INTS),
    "half": (lambda x: (x * x + 1) / 3, ROWS.astype(np.float16)),
    "bfloat16": (lambda x: jnp.exp(x) * x, ROWS.astype(ml_dtypes.bfloat16)),
    "sum of bfloat16": (lambda x: lax.reduce_sum_p.bind(x, axes=(0,), out_sharding=None), np.ones((999, 2), ml_dtypes.bfloat16)),
    "sum of halves": (lambda x: x.sum(), np.full(5000, 0.1, np.float16)),
    "sort": (lambda x: jnp.sort(x, axis=1), TIES),
    "argsort": (lambda x: jnp.argsort(x, axis=1), TIES),
    "sort by two keys": (lambda x, y: lax.sort((x, y, x * y), num_keys=2), np.array([1, 0, 1, 0]), np.array([3, 2, 1, 2])),
    "largest": (lambda x: lax.top_k(x, 3), TIES),
    "argmax": (lambda x: jnp.argmax(x, 1), TIES),
    "argmin": (lambda x: jnp.argmin(x, 1), TIES),
    "cumulative": (lambda x: (jnp.cumsum(x, 1), lax.cummax(x, 1, reverse=True), jnp.cumprod(x, 0)), ROWS),
    "nothing": (lambda x: x.sum(0), np.zeros((0, 3), np.float32)),
    "gather, filled": (gather("fill"), ROWS, np.array([0, 9, -1, -9])),
    "gather, clipped": (gather("clip"), ROWS, np.array([0, 9, -1, -9])),
    "gather of pairs": (lambda x, i, j: x[i, j], ROWS, np.array([0, 3, 7]), np.array([4, -1, 2])),
    "gather integers, filled": (gather("fill"), np.arange(4, dtype=np.int16), np.array([[0], [9]])),
    "along an axis": (lambda x, i: jnp.take_along_axis(x, i, 1), ROWS, np.array([[0, 4], [1, 1], [2, 9], [-1, 3]])),
    "scatter": (lambda x, i: x.at[i].set(9.0), ROWS, np.array([0, 9, -1])),
    "scatter twice": (lambda x, i: x.at[i].add(ROWS[:3]), ROWS, np.array([1, 1, 9])),
    "scatter, clipped": (lambda x, i: x.at[i].multiply(2.0, mode="clip"), ROWS, np.array([1, 9])),
    "scatter the largest": (lambda x, i: x.at[:, i].max(0.1), ROWS, np.array([1, 1, 3])),
    "slice at": (lambda x, i: lax.dynamic_slice(x, (i, 2), (2, 2)), ROWS, np.int64(9)),
    "update at": (lambda x, i: lax.dynamic_update_slice(x, x[:2, :2] * 0, (i, -3)), ROWS, np.int64(1)),
    "pad and cut": (lambda x: lax.pad(x, np.float32(7), [(-1, 2, 1), (1, -2, 0)]), ROWS),
    "product": (lambda x, y: jnp.einsum("bij,kjb->bki", x, y), RANDOM.normal(size=(2, 3, 4)), RANDOM.normal(size=(5, 4, 2))),
    "product of integers": (jnp.matmul, np.full((2, 3), 100, np.int8), np.full((3, 2), 100, np.int8)),
    "convolution": (grouped, IMAGES, WEIGHTS),
    "its gradient to the weights": (weights_gradient, IMAGES, WEIGHTS),
    "its gradient to the images": (lambda x, w: jax.grad(lambda x: (grouped(x, w) ** 2).sum())(x), IMAGES, WEIGHTS),
    "pooling": (pooled, IMAGES),
    "its gradient": (lambda x: jax.grad(lambda x: (pooled(x) ** 2).sum())(x), np.round(IMAGES)),
    "loop": (lambda x: lax.fori_loop(0, 5, lambda i, s: s * x + i, x), ROWS),
    "scan": (lambda x: lax.scan(lambda c, row: (c + row, c * row), x[0], x, reverse=True), ROWS),
    "branch": (lambda x: lax.cond(x[0, 0] > 0, jnp.sin, jnp.cos, x), ROWS),
    "transform": (lambda x: jnp.fft.irfft(jnp.fft.rfft(x, axis=1) * 2, 5, axis=1), ROWS),
    "broadcast": (lambda x: (x[:, None] + x[None]) * jnp.ones((1, 1, 1)), ROWS[0]),
    "all narrow": (lambda x: jnp.broadcast_to(jnp.exp(x[0]), (3, 2)) + 1, ROWS[0]),
    "unused": (lambda x: jax.vjp(lambda y: jnp.linalg.norm(y) * 0 + jnp.tanh(y), x)[1](x)[0], ROWS),
}  # fmt: skip
EXACT = (
    "integer",
    "unsigned",
    "wrap",
    "to ",
    "narrow",
    "shift",
    "arg",
    "sort",
    "population",
    "random",
    "gather",
    "largest",
)


def both(function: Any, *operands: Any) -> tuple[list[Any], list[Any]]:
    """The results of NumPy and of XLA."""
    kernel = Kernel("Checked", lambda *given: tuple(jax.tree.leaves(function(*given))))
    form = choice.new_form(kernel, list(operands))
    assert form.call is not None, "left to XLA"
    with np.errstate(all="ignore"):
        return list(form.call(*map(np.asarray, operands))), [np.asarray(one) for one in kernel.jitted(*operands)]


@pytest.mark.parametrize("name", CASES)
def test_numpy_computes_what_xla_computes(name):
    found, wanted = both(*CASES[name])
    for one, other in zip(found, wanted, strict=True):
        assert (one.shape, one.dtype) == (other.shape, other.dtype)
        if name.startswith(EXACT):
            np.testing.assert_array_equal(one, other)
        else:
            wide = one.dtype.itemsize == 2 and one.dtype.kind not in "iu"
            one, other = (x.astype(np.float32) if x.dtype.kind == "V" else x for x in (one, other))
            np.testing.assert_allclose(one, other, *((1e-2, 1e-2) if wide else (1e-5, 1e-6)))


@pytest.mark.parametrize("width", [8, 16, 32, 64])
def test_random_bits_are_the_same(width):
    words = np.array([7, 99], np.uint32)

    def draw(words: Any) -> Any:
        key = jax.random.fold_in(jax.random.wrap_key_data(words), 3)
        return jax.random.bits(key, (3, 5), f"uint{width}")

    found, wanted = both(draw, words)
    np.testing.assert_array_equal(found[0], wanted[0])


def test_what_is_not_exact_is_left_to_xla():
    kernel = Kernel("Decomposition", lambda x: jnp.linalg.eigh(x)[0])
    assert choice.new_form(kernel, [np.eye(3, dtype=np.float32)]).call is None
