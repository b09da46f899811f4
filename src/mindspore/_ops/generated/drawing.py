"""Random numbers that follow from a seed and an offset given with every call."""

from __future__ import annotations

from typing import Any

import jax
import jax.numpy as jnp
import numpy as np

from mindspore._engine.operator.arguments import Array, Operand, Shape
from mindspore._kernels.random_bits import generator
from mindspore._ops.declaring.requirements import require, require_float
from mindspore._ops.generated.declare import body, generated_op

_WORDS = np.array([7, 1], np.uint32)  # a key for the tests


@generated_op(test=lambda t: [t.case(3, 5, grad=False, expect=lambda s, o: np.array([3, 5], np.uint32))])
def words_of(seed: Operand, offset: Operand):
    """The key of a seed and an offset: another key for every pair."""
    return jnp.stack([jnp.asarray(one).reshape(()).astype(jnp.uint32) for one in (seed, offset)])


def _check_probability(p: float) -> None:
    require(0 <= p <= 1, f"the 'p' must be in [0, 1], but got {p}.")


@generated_op(test=lambda t: [t.case(_WORDS, t.normal(2, 3), 0.0, expect=lambda _, x, p: (x, np.ones_like(x))),
                              t.case(_WORDS, t.normal(2, 3), 1.0, expect=lambda _, x, p: (0 * x, 0 * x))])  # fmt: skip
def dropped(key: Array, input: Array, p: float):
    """The input with elements dropped with a probability, the others scaled up; and 1 where they were kept."""
    _check_probability(p)
    require_float("input", input)
    kept = jax.random.uniform(generator(key), input.shape) >= p
    return body(masked_dropout)(input, kept.astype(input.dtype), p), kept.astype(input.dtype)


@generated_op(test=lambda t: [t.case(t.normal(2, 3), np.array([[1, 0, 1], [0, 0, 1]], np.float32), 0.5, grad=(0,),
                                     expect=lambda x, mask, p: x * mask * 2)])  # fmt: skip
def masked_dropout(input: Array, mask: Array, p: float):
    """The input where the mask is 1, scaled up by the probability that it is."""
    _check_probability(p)
    return jnp.where(mask.astype(bool), input / (1 - p if p < 1 else 1), 0).astype(input.dtype)


@generated_op(
    test=lambda t: [t.case(_WORDS, t.normal(2, 3, 2, 2), 0.0, expect=lambda _, x, p: (x, np.ones((2, 3, 1, 1))))]
)
def dropped_channels(key: Array, input: Array, p: float):
    """The input with whole channels dropped; and 1 where they were kept."""
    _check_probability(p)
    shape = input.shape[:2] + (1,) * (input.ndim - 2)
    kept = (jax.random.uniform(generator(key), shape) >= p).astype(input.dtype)
    return body(masked_dropout)(input, jnp.broadcast_to(kept, input.shape), p), kept


@generated_op(test=lambda t: [t.case(_WORDS, np.array([[0, 1, 0], [0, 0, 5]], np.float32), 2, True, grad=False,
                                     expect=lambda *_: np.array([[1, 1], [2, 2]], np.int64))])  # fmt: skip
def multinomial(key: Array, input: Array, num_samples: int, replacement: bool):
    """Classes drawn with the weights given."""
    require(num_samples > 0, f"the 'num_samples' must be positive, but got {num_samples}.")
    logits = jnp.log(input.astype(jnp.float32))
    if replacement:
        shape = (*input.shape[:-1], num_samples)
        return jax.random.categorical(generator(key), logits[..., None, :], -1, shape).astype(jnp.int64)
    require(num_samples <= input.shape[-1],
            f"the 'num_samples' must be at most {input.shape[-1]} without replacement, but got {num_samples}.")  # fmt: skip
    noisy = logits + jax.random.gumbel(generator(key), input.shape)
    return jax.lax.top_k(noisy, num_samples)[1].astype(jnp.int64)


@generated_op(test=lambda t: [t.case(_WORDS, (2, 3), 1.0, 1.0, expect=lambda *_: np.ones((2, 3), np.float32))])
def uniform_between(key: Array, shape: Shape, low: Operand, high: Operand):
    """Numbers from [low, high)."""
    share: Any = jax.random.uniform(generator(key), shape, jnp.float32)
    return jnp.asarray(low) + (jnp.asarray(high) - jnp.asarray(low)) * share
