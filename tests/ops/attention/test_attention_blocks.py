"""Attention of long sequences by blocks of queries is what it is as a whole, gradients included."""

from __future__ import annotations

import jax
import jax.numpy as jnp
import numpy as np
import pytest

from mindspore._ops.attention import attention_blocks
from mindspore._ops.attention.attention_core import attend

CAUSAL = np.arange(96)[:, None] < np.arange(96)
BAND = np.abs(np.arange(96)[:, None] - np.arange(96)) > 9
MASKS = {
    "nothing": None,
    "what follows": CAUSAL,
    "what is far": BAND,
    "everything from some": BAND | (np.arange(96)[:, None] < 40),
    "as the program computes": jnp.asarray(CAUSAL)[None, None],
}


@pytest.mark.parametrize("unrolled", [16, 1], ids=["unrolled", "loop"])
@pytest.mark.parametrize("name", MASKS)
def test_blocks_give_what_the_whole_gives(name, unrolled, monkeypatch):
    rng = np.random.RandomState(0)
    q, k, v = (jnp.asarray(rng.randn(1, heads, 96, 8), jnp.float32) for heads in (4, 2, 2))
    shift = jnp.asarray(rng.randn(1, 1, 96, 96), jnp.float32)

    def loss(q, k, v, shift):
        result, *parts = attend(q, k, v, 0.3, MASKS[name], shift)
        return (result**3).sum(), parts

    def gradients(q, k, v, shift):
        return jax.value_and_grad(loss, (0, 1, 2, 3), has_aux=True)(q, k, v, shift)

    wanted = jax.jit(lambda *given: gradients(*given))(q, k, v, shift)
    monkeypatch.setattr(attention_blocks, "_LARGE", 1)
    monkeypatch.setattr(attention_blocks, "_AT_ONCE", 1)
    monkeypatch.setattr(attention_blocks, "_UNROLLED", unrolled)
    assert attention_blocks.worth_dividing(q.shape, (1, 4, 96, 8))
    found = jax.jit(gradients)(q, k, v, shift)
    for one, other in zip(jax.tree.leaves(found), jax.tree.leaves(wanted), strict=True):
        np.testing.assert_allclose(one, other, 1e-3, 1e-4)


def test_the_whole_matrix_of_a_long_sequence_is_never_there():
    q = jax.ShapeDtypeStruct((1, 2, 4096, 16), jnp.float32)
    program = jax.jit(jax.grad(lambda q: attend(q, q, q, 0.25)[0].sum())).lower(q).compile()
    whole = 2 * 4096 * 4096 * 4
    assert program.memory_analysis().temp_size_in_bytes < whole / 2
