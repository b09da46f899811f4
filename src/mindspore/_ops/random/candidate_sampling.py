"""Random classes to compare true ones with, for losses over very many classes."""

from __future__ import annotations

import math
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
from jax import lax

from mindspore._engine.operator.arguments import Array
from mindspore._engine.operator.registry import op, register_primitive
from mindspore._engine.tensor.tensor import Tensor
from mindspore._kernels.random_bits import generator
from mindspore._ops.declaring.random_keys import RandomPrimitive
from mindspore._ops.declaring.requirements import require, require_index_dtype, require_rank
from mindspore._utils import checks

_WORDS = np.array([7, 1], np.uint32)  # a key for the tests


def _drawn(key: Any, range_max: int, log_uniform: bool) -> Any:
    """A random class."""
    if not log_uniform:
        return jax.random.randint(key, (), 0, range_max)
    position = jnp.exp(jax.random.uniform(key, (), jnp.float32) * math.log(range_max + 1)) - 1
    return jnp.clip(position.astype(jnp.int64), 0, range_max - 1)


def _distinct(key: Any, count: int, range_max: int, log_uniform: bool, taken: Any) -> tuple[Any, Any]:
    """``count`` classes that differ from each other and from those ``taken``, and the number of draws they took."""

    def unfinished(state: tuple) -> Any:
        return state[1] < count

    def draw(state: tuple) -> tuple:
        key, found, tries, taken, classes = state
        key, own = jax.random.split(key)
        drawn = _drawn(own, range_max, log_uniform)
        new = ~taken[drawn]
        classes = jnp.where(new, classes.at[found].set(drawn), classes)
        return key, found + new, tries + 1, taken.at[drawn].set(True), classes

    start = (key, jnp.zeros((), jnp.int64), jnp.zeros((), jnp.int64), taken, jnp.zeros(count, jnp.int64))
    _, _, tries, _, classes = lax.while_loop(unfinished, draw, start)
    return classes, tries


def _expected(classes: Any, tries: Any, count: int, range_max: int, log_uniform: bool) -> Any:
    """How often each class is expected among the samples."""
    share = jnp.full(classes.shape, 1 / range_max, jnp.float32)
    if log_uniform:
        position = classes.astype(jnp.float32)
        share = jnp.log((position + 2) / (position + 1)) / math.log(range_max + 1)
    return jnp.where(tries == count, share * count, -jnp.expm1(tries.astype(jnp.float32) * jnp.log1p(-share)))


@op(public=False,
    test=lambda t: [t.case(_WORDS, np.array([[0], [3]], np.int32), 3, True, 5, True, False),
                    t.case(_WORDS, np.array([[0], [3]], np.int64), 2, False, 5, False, False),
                    t.case(_WORDS, np.array([[0], [3]], np.int64), 2, True, 5, False, True)])  # fmt: skip
def sample_candidates(key: Array, true_classes: Array, num_sampled: int, unique: bool, range_max: int, log_uniform: bool,
                      avoid_true: bool):  # fmt: skip
    """Random classes, and how often the true and the random ones are expected among them."""
    require_rank("true_classes", true_classes, 2)
    require_index_dtype("true_classes", true_classes)
    words = generator(key)
    taken = jnp.zeros(range_max, bool)
    if avoid_true:
        enough = range_max - true_classes.size >= num_sampled  # else drawing might never end
        require(enough, f"the 'range_max' must leave {num_sampled} classes beside the true ones, but got {range_max}.")
        taken = taken.at[true_classes.reshape(-1)].set(True)
    if unique:
        classes, tries = _distinct(words, num_sampled, range_max, log_uniform, taken)
    else:
        require(not avoid_true, "the 'remove_accidental_hits' must be False where 'unique' is False.")
        keys = jax.random.split(words, num_sampled)
        classes = jax.vmap(lambda key: _drawn(key, range_max, log_uniform))(keys)
        tries = jnp.asarray(num_sampled)
    expected = [_expected(c, tries, num_sampled, range_max, log_uniform) for c in (true_classes, classes)]
    return classes.astype(true_classes.dtype), *expected


class _CandidateSampler(RandomPrimitive):
    """What the samplers share: their checks and their call."""

    log_uniform = False

    def __init__(self, num_true: int, num_sampled: int, unique: bool, range_max: int, seed: int, avoid_true: bool):
        name = type(self).__name__
        for argument, value in (("num_true", num_true), ("num_sampled", num_sampled), ("range_max", range_max)):
            checks.check_positive_int(name, argument, value)
        checks.check_bool(name, "unique", unique)
        if unique and num_sampled > range_max:
            raise ValueError(
                f"For '{name}', the 'num_sampled' must not exceed 'range_max' where samples are unique, but got "
                f"{num_sampled} and {range_max}."
            )
        super().__init__(seed, num_true=num_true, num_sampled=num_sampled, unique=unique, range_max=range_max)
        self.avoid_true = checks.check_bool(name, "remove_accidental_hits", avoid_true)

    def __call__(self, true_classes: Tensor) -> tuple[Tensor, Tensor, Tensor]:
        return self.draw(
            sample_candidates,
            true_classes,
            self.num_sampled,
            self.unique,
            self.range_max,
            self.log_uniform,
            self.avoid_true,
        )


@register_primitive
class UniformCandidateSampler(_CandidateSampler):
    """Classes drawn with equal chance; the call gets the true classes (N, num_true).

    Returns the sampled classes, and how often the true and the sampled classes are expected to be among them.

    Examples:
        >>> from mindspore import Tensor, ops
        >>> sampler = ops.UniformCandidateSampler(1, 2, True, 3, seed=1)
        >>> print(sampler(Tensor([[0]]))[0].shape)
        (2,)
    """

    def __init__(self, num_true: int, num_sampled: int, unique: bool, range_max: int, seed: int = 0,
                 remove_accidental_hits: bool = False):  # fmt: skip
        super().__init__(num_true, num_sampled, unique, range_max, seed, remove_accidental_hits)


@register_primitive
class LogUniformCandidateSampler(_CandidateSampler):
    """Classes drawn with a chance that falls with their number, like words sorted by how common they are.

    Examples:
        >>> from mindspore import Tensor, ops
        >>> sampler = ops.LogUniformCandidateSampler(2, 5, True, 5, seed=1)
        >>> print(sorted(sampler(Tensor([[1, 7]]))[0].tolist()))
        [0, 1, 2, 3, 4]
    """

    log_uniform = True

    def __init__(self, num_true: int = 1, num_sampled: int = 5, unique: bool = True, range_max: int = 5, seed: int = 0):
        super().__init__(num_true, num_sampled, unique, range_max, seed, False)
