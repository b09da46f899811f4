"""What only moves data keeps every bit, in every dtype: XLA is given the bits where it would convert the numbers."""

from __future__ import annotations

import jax
import jax.numpy as jnp
import numpy as np
import pytest

import mindspore as ms
from mindspore import Tensor, ops

FLOATS = ["bfloat16", "float16", "float32", "float64"]


def every_half(dtype):
    """All numbers of 16 bits, NaN of every kind and subnormal ones among them."""
    return jax.lax.bitcast_convert_type(jnp.arange(1 << 16, dtype=jnp.uint16), dtype).reshape(256, 256)


def bits(x):
    return np.asarray(jax.lax.bitcast_convert_type(x, jnp.uint16))


MOVES = {
    "concatenate": lambda x: jnp.concatenate([x, x[:3]], 0),
    "pad": lambda x: jnp.pad(x, ((1, 2), (0, 3))),
    "tile": lambda x: jnp.tile(x, (2, 3)),
    "roll": lambda x: jnp.roll(x, 5, 1),
    "stack": lambda x: jnp.stack([x, x], 1),
    "reverse": lambda x: x[::-1, ::-2],
    "split": lambda x: jnp.split(x, 4, 1)[2],
    "pick": lambda x: x[jnp.array([3, 0, 255, 3])],
    "put": lambda x: x.at[jnp.array([3, 0, 255])].set(x[5:8]),
    "slice": lambda x: jax.lax.dynamic_slice(x, (3, 4), (100, 200)),
    "update": lambda x: jax.lax.dynamic_update_slice(x, x[:10, :20], (7, 9)),
    "choose": lambda x: jnp.where(jnp.arange(256) % 3 == 0, x, x[::-1]),
}


@pytest.mark.parametrize("name", MOVES)
@pytest.mark.parametrize("dtype", [jnp.bfloat16, jnp.float16])
def test_every_half_keeps_its_bits(name, dtype):
    x = every_half(dtype)
    wanted = jax.jit(MOVES[name])(jnp.asarray(bits(x)))
    np.testing.assert_array_equal(bits(jax.jit(MOVES[name])(x)), np.asarray(wanted))


@pytest.mark.parametrize("dtype", [*FLOATS, "int8", "uint8", "int32", "int64", "uint64", "bool", "complex64"])
def test_every_dtype_is_padded_and_tiled(dtype):
    x = (np.arange(15).reshape(3, 5) * 7 % 5).astype("float32" if dtype == "bfloat16" else dtype)
    given = jnp.asarray(x).astype(dtype)
    padded = jax.jit(lambda x: jax.lax.pad(x, jnp.ones((), x.dtype), ((1, 2, 1), (-1, 3, 0))))(given)
    wanted = np.ones((8, 7), x.dtype)
    wanted[1:6:2, :4] = x[:, 1:]
    np.testing.assert_array_equal(np.asarray(padded.astype(x.dtype)), wanted)
    for reps in ((1, 1), (2, 3), (1, 17), (0, 2)):
        tiled = jax.jit(lambda x, reps=reps: jnp.tile(x, reps))(given)
        np.testing.assert_array_equal(np.asarray(tiled.astype(x.dtype)), np.tile(x, reps))


@pytest.mark.parametrize("dtype", FLOATS)
def test_gradients_of_moves(dtype):
    kind = getattr(ms, dtype)
    x = Tensor(np.arange(12, dtype=np.float32).reshape(3, 4) / 4, kind)

    def moved(x):
        joined = ops.cat((ops.pad(x, (1, 2)), ops.tile(x, (1, 2))[:, :7]), 0)
        return (ops.roll(ops.where(joined > 1, joined, joined * 2), 2, 1) ** 2).sum()

    given = x.astype(ms.float32).asnumpy()
    wanted = np.where(given > 1, 2 * given, 8 * given)  # of one copy
    copies = np.array([[2, 2, 2, 1]])
    copies = 1 + copies[:, [0, 1, 2, 3]]
    found = ms.jit(ms.grad(moved))(x)
    assert found.dtype == kind
    np.testing.assert_allclose(found.astype(ms.float32).asnumpy(), wanted * copies, 2e-2)


def test_products_take_halves_as_they_lie():
    def turned(x, y):
        return jnp.matmul(x, y.mT, preferred_element_type=jnp.float32)

    operands = jnp.ones((1, 64), jnp.bfloat16), jnp.ones((32, 64), jnp.bfloat16)
    assert "bitcast" not in jax.jit(turned).lower(*operands).as_text()
