"""Kernels of whole recurrent layers: against their plain forms, and those against derivatives of the loop."""

from __future__ import annotations

import jax
import jax.numpy as jnp
import numpy as np
import pytest

from mindspore._kernels.cells import CELLS
from mindspore._kernels.primitive import call
from mindspore._kernels.recurrent import Along, Back, Through

random = np.random.RandomState


def layer_case(seed, mode):
    """A layer of random size, with operands, and cotangents of its results."""
    rng = random(seed)
    steps, batch, hidden = int(rng.randint(1, 9)), int(rng.randint(1, 40)), int(rng.randint(1, 70))
    gates = {"GRU": 3, "LSTM": 4}.get(mode, 1) * hidden
    reverse, masked = bool(rng.randint(2)), bool(rng.randint(2))
    state = (batch, hidden)
    memory = state if CELLS[mode].memory else (1, 1)
    shapes = [(steps, batch, gates), state, memory, (batch,), (gates, hidden), (gates,)]
    shares, h, c, lengths, weight, bias = [rng.randn(*shape).astype(np.float32) for shape in shapes]
    lengths[:] = rng.randint(0, steps + 1, batch) if masked else steps
    cotangents = [rng.randn(*shape).astype(np.float32) for shape in ((steps, *state), state, memory)]
    return (mode, reverse, masked), (shares, h, c, lengths, weight / np.sqrt(hidden), bias), cotangents


def agree(kernel, *operands):
    found, wanted = jax.jit(lambda *given: call(kernel, *given))(*operands), jax.jit(kernel.plain)(*operands)
    for one, other in zip(found, wanted, strict=True):
        if one.size > 1:  # what stands for nothing has any value
            np.testing.assert_allclose(one, other, 1e-5, 1e-5)
    return found


def check(seed, mode):
    layer, operands, cotangents = layer_case(seed, mode)
    plain = agree(Through(*layer, False), *operands)
    *results, opened, extra = agree(Through(*layer, True), *operands)
    for one, other in zip(results, plain[:3], strict=True):
        if one.size > 1:
            np.testing.assert_allclose(one, other, 1e-6, 1e-6)
    agree(Back(*layer), opened, extra, operands[3], operands[4], *cotangents)


@pytest.mark.parametrize("mode", CELLS)
@pytest.mark.parametrize("seed", range(4))
def test_layers_and_their_gradients(seed, mode):
    check(seed, mode)


@pytest.mark.heavy
@pytest.mark.parametrize("mode", CELLS)
@pytest.mark.parametrize("seed", range(4, 100))
def test_layers_of_many_sizes(seed, mode):
    check(seed, mode)


@pytest.mark.parametrize("mode", CELLS)
def test_the_derivative_is_that_of_the_loop(mode):
    layer, (shares, h, c, lengths, weight, bias), _ = layer_case(5, mode)

    def loop(shares, h, c):
        return Through(*layer, False).plain(shares, h, c, lengths, weight, bias)[:3]

    changes = [jnp.asarray(random(7).randn(*one.shape), jnp.float32) for one in (shares, h, c)]
    wanted = jax.jvp(loop, (shares, h, c), tuple(changes))[1]
    *_, opened, extra = Through(*layer, True).plain(shares, h, c, lengths, weight, bias)
    by_h = jnp.zeros_like(shares) if CELLS[mode].apart else jnp.zeros((1, 1, 1))
    found = call(Along(*layer), opened, extra, lengths, weight, changes[0], by_h, *changes[1:])
    for one, other in zip(found, wanted, strict=True):
        np.testing.assert_allclose(one, other, 1e-4, 1e-5)


@pytest.mark.parametrize("mode", CELLS)
@pytest.mark.parametrize("value", [np.inf, -np.inf, np.nan, 1e30, -1e30, 1e-30])
def test_unusual_numbers(mode, value):
    layer, (shares, *others), _ = layer_case(3, mode)
    shares[0, 0] = value
    agree(Through(*layer, True), shares, *others)
