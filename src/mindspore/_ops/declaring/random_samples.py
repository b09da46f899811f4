"""Random numbers as functions of a key.

The public functions and Primitives have the same names without the key; errors speak of those.
"""

from __future__ import annotations

from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
from jax import lax

from mindspore._engine.base import dtype as dtypes
from mindspore._engine.operator.arguments import Array, DType, Operand, Shape
from mindspore._engine.operator.registry import op
from mindspore._kernels.drawing import draw_indices
from mindspore._kernels.random_bits import generator, integers, threefry_key
from mindspore._kernels.sorting import sort
from mindspore._ops.declaring import rejection
from mindspore._ops.declaring.dtype_checks import accepts
from mindspore._ops.declaring.promotion import check_broadcast, normal_axis
from mindspore._ops.declaring.requirements import require, require_float, require_rank, require_rank_from

_WORDS = np.array([7, 1], np.uint32)  # a key for the tests
_FEW = 1 << 22  # random numbers of 32 bits: of fewer, less than one in a thousand agrees with another


def _check_shape(shape: tuple[int, ...]) -> None:
    require(all(n >= 0 for n in shape), f"the 'shape' must hold non-negative ints, but got {shape}.")


def _check_dtype(dtype: dtypes.DType, floating: bool) -> Any:
    fits = dtype.is_floating if floating else dtype.is_integer
    kind = "a floating-point" if floating else "an integer"
    require(fits, f"the 'dtype' must be {kind} dtype, but got {dtype}.")
    return dtype.np_dtype


def _common_shape(shape: tuple[int, ...], *parameters: Any) -> tuple[int, ...]:
    """``shape`` widened by the parameters of the distribution."""
    _check_shape(shape)
    return check_broadcast(np.empty(shape, np.bool_), *parameters)


def _permutation(key: Any, count: int) -> Any:
    """The order of random numbers. Many of 32 bits would agree: those are ordered by others before."""
    order = None
    for words in jax.random.bits(key, (2 if count > _FEW else 1, count), jnp.uint32):
        numbers = lax.bitcast_convert_type(words, jnp.int32)
        order = sort(numbers, 0)[1] if order is None else order[sort(numbers[order], 0)[1]]
    return order


@op(public=False, test=lambda t: [t.case(_WORDS, (2, 3))])
def standard_normal(key: Array, shape: Shape, dtype: DType = dtypes.float32):
    """Numbers from the standard normal distribution."""
    _check_shape(shape)
    return jax.random.normal(generator(key), shape, _check_dtype(dtype, floating=True))


@op(public=False, test=lambda t: [t.case(_WORDS, (2, 3), t.normal(3), 2.0)])
def normal(key: Array, shape: Shape, mean: Operand, stddev: Operand):
    """Numbers from normal distributions; the parameters broadcast with the shape."""
    wide = _common_shape(shape, mean, stddev)
    spread, centre = (jnp.asarray(parameter).astype(jnp.float32) for parameter in (stddev, mean))
    return jax.random.normal(generator(key), wide, jnp.float32) * spread + centre


@op(public=False, test=lambda t: [t.case(_WORDS, (2, 3))])
def uniform_real(key: Array, shape: Shape, dtype: DType = dtypes.float32):
    """Numbers from [0, 1)."""
    _check_shape(shape)
    return jax.random.uniform(generator(key), shape, _check_dtype(dtype, floating=True))


@op(public=False, test=lambda t: [t.case(_WORDS, (2, 3), 1.0, 2.0), t.case(_WORDS, (2, 3), t.normal(3), 9.0)])
def uniform(key: Array, shape: Shape, minval: Operand, maxval: Operand):
    """Numbers from [minval, maxval); the bounds broadcast with the shape."""
    low, high = (jnp.asarray(bound).astype(jnp.float32) for bound in (minval, maxval))
    wide = _common_shape(shape, low, high)
    return low + (high - low) * jax.random.uniform(generator(key), wide, jnp.float32)


@op(public=False, test=lambda t: [t.case(_WORDS, (2, 3), 0, 10), t.case(_WORDS, (2, 3), 0, t.ints(3, low=5))])
def randint(key: Array, shape: Shape, low: Operand, high: Operand, dtype: DType = dtypes.int64):
    """Integers from [low, high); the bounds broadcast with the shape."""
    wide = _common_shape(shape, low, high)
    return integers(key, wide, low, high, _check_dtype(dtype, floating=False))


@op(public=False, test=lambda t: [t.case(_WORDS, (2, 3))])
def standard_laplace(key: Array, shape: Shape):
    """Numbers from the Laplace distribution with mean 0 and scale 1."""
    _check_shape(shape)
    return jax.random.laplace(generator(key), shape, jnp.float32)


@op(public=False, test=lambda t: [t.case(_WORDS, (2, 3))])
def truncated_normal(key: Array, shape: Shape, dtype: DType = dtypes.float32):
    """Numbers from the standard normal distribution between -2 and 2."""
    _check_shape(shape)
    return jax.random.truncated_normal(generator(key), -2, 2, shape, _check_dtype(dtype, floating=True))


@op(public=False, test=lambda t: [t.case(_WORDS, (2, 3), t.positive(3), 2.0, grad=False)])
def gamma(key: Array, shape: Shape, alpha: Operand, beta: Operand):
    """Numbers from gamma distributions with shape ``alpha`` and rate ``beta``, which broadcast with the shape."""
    wide = _common_shape(shape, alpha, beta)
    shape_of_each = jnp.broadcast_to(jnp.asarray(alpha).astype(jnp.float32), wide)
    return rejection.gamma(generator(key), shape_of_each) / jnp.asarray(beta).astype(jnp.float32)


@op(public=False, test=lambda t: [t.case(_WORDS, (2, 3), t.positive(3), grad=False)])
def poisson(key: Array, shape: Shape, mean: Operand, dtype: DType = dtypes.int32):
    """Numbers from Poisson distributions, whose means broadcast with the shape."""
    wide = _common_shape(shape, mean)
    means = jnp.broadcast_to(jnp.asarray(mean), wide)
    return rejection.poisson(generator(key), threefry_key(key), means).astype(dtype.np_dtype)


# -- choices -----------------------------------------------------------------------------------------------------------
@op(public=False, test=lambda t: [t.case(_WORDS, 5), t.case(_WORDS, 5, dtypes.int32, 7, -1)])
def randperm(key: Array, n: int, dtype: DType = dtypes.int64, length: int | None = None, pad: int = -1):
    """The integers below ``n`` in random order; on request filled up with ``pad`` to ``length``."""
    length = n if length is None else length
    require(0 < n <= length, f"the 'n' must be positive (and at most 'max_length' where there is one), but got {n}.")
    numbers = _permutation(generator(key), n).astype(dtype.np_dtype)
    return jnp.pad(numbers, (0, length - n), constant_values=pad)


@op(public=False, test=lambda t: [t.case(_WORDS, t.normal(4, 2))])
def shuffle(key: Array, x: Array):
    """``x`` with its first axis in random order."""
    require_rank_from("x", x, 1)
    return jnp.take(x, _permutation(generator(key), x.shape[0]), axis=0)


@op(public=False, test=lambda t: [t.case(_WORDS, t.normal(2, 3), 0.5, grad=False)])
@accepts("bif", "input")
def bernoulli(key: Array, input: Array, p: Operand):
    """1 with probability ``p``, else 0, in the shape and dtype of ``input``."""
    p = jnp.asarray(p).astype(jnp.float32)
    text = f"the 'p' must have the shape of the input {input.shape} or one element, but got {p.shape}."
    require(p.shape == input.shape or p.size == 1, text)
    p = p if p.shape == input.shape else p.reshape(())
    return (jax.random.uniform(generator(key), input.shape, jnp.float32) < p).astype(input.dtype)


@op(public=False, test=lambda t: [t.case(_WORDS, t.positive(3), 4, grad=False),
                                  t.case(_WORDS, t.positive(2, 5), 3, False, grad=False)])  # fmt: skip
def multinomial(key: Array, input: Array, num_samples: int, replacement: bool = True,
                       dtype: DType = dtypes.int32):  # fmt: skip
    """Indices of a row of weights, drawn with these weights."""
    require_rank("input", input, 1, 2)
    require_float("input", input)
    require(num_samples > 0, f"the 'num_samples' must be positive, but got {num_samples}.")
    kind = _check_dtype(dtype, floating=False)
    if replacement or num_samples == 1:
        return _drawn_with_replacement(key, input, num_samples).astype(kind)
    return _draw(key, jnp.log(input), num_samples).astype(kind)


@op(public=False, test=lambda t: [t.case(_WORDS, t.normal(2, 3), 4, grad=False)])
def random_categorical(key: Array, logits: Array, num_sample: int, dtype: DType = dtypes.int64):
    """Indices of a row of logits, drawn with the weights ``exp(logits)``."""
    require_rank("logits", logits, 2)
    require_float("logits", logits)
    require(num_sample > 0, f"the 'num_sample' must be positive, but got {num_sample}.")
    wide = logits.astype(jnp.float32)
    weights = jnp.exp(wide - wide.max(-1, keepdims=True, initial=-jnp.inf))
    return _drawn_with_replacement(key, weights, num_sample).astype(_check_dtype(dtype, floating=False))


def _drawn_with_replacement(words: Any, weights: Any, count: int) -> Any:
    """Indices drawn with replacement, each from one random number."""
    rows = weights.reshape(-1, weights.shape[-1])
    bits = jax.random.bits(generator(words), (rows.shape[0], count), jnp.uint64)
    return draw_indices(rows, bits).reshape(*weights.shape[:-1], count)


def _draw(words: Any, logits: Any, count: int) -> Any:
    """Indices drawn without replacement."""
    key, logits = generator(words), logits.astype(jnp.float32)
    size = logits.shape[-1]
    text = f"the 'num_samples' must be at most the last axis {size} without 'replacement', but got {count}."
    require(count <= size, text)
    # the largest of logits with Gumbel noise are a draw without replacement
    return lax.top_k(logits + jax.random.gumbel(key, logits.shape, jnp.float32), count)[1]


@op(public=False, test=lambda t: [t.case(_WORDS, t.bools(3, 4), 2), t.case(_WORDS, t.bools(2, 2), 6)])
def choice_with_mask(key: Array, input_x: Array, count: int):
    """The coordinates of ``count`` random True elements, and which rows are valid: there may be too few."""
    require(input_x.dtype == jnp.bool_, f"the 'input_x' must have dtype Bool, but got {input_x.dtype}.", TypeError)
    require_rank_from("input_x", input_x, 1)
    require(count > 0, f"the 'count' must be positive, but got {count}.")
    scores = jax.random.uniform(generator(key), (input_x.size,), jnp.float32)
    best, positions = lax.top_k(jnp.where(input_x.ravel(), scores, -1), min(count, input_x.size))
    missing = count - best.shape[0]
    real = jnp.pad(best >= 0, (0, missing))
    rows = jnp.stack(jnp.unravel_index(jnp.pad(positions, (0, missing)), input_x.shape), axis=-1)
    return jnp.where(real[:, None], rows, 0).astype(jnp.int32), real


# -- noise in a network ------------------------------------------------------------------------------------------------
@op(public=False, test=lambda t: [t.case(_WORDS, t.normal(3, 4), 0.5), t.case(_WORDS, t.normal(2, 3, 2), 0.8, 2)])
def dropout(key: Array, x: Array, keep_prob: float, per_channel: int = 0):
    """``x / keep_prob`` with some elements 0, and the mask of those kept.

    With ``per_channel`` leading axes given, all elements behind them are kept or dropped together.
    """
    require_float("x", x)
    if keep_prob == 0:
        return jnp.zeros_like(x), jnp.zeros(x.shape, jnp.bool_)
    shape = x.shape if not per_channel else x.shape[:per_channel] + (1,) * (x.ndim - per_channel)
    kept = jax.random.uniform(generator(key), shape, jnp.float32) < keep_prob
    mask = jnp.broadcast_to(kept, x.shape)
    return jnp.where(mask, x / np.asarray(keep_prob, x.dtype), 0).astype(x.dtype), mask


@op(public=False, test=lambda t: [t.case(_WORDS, t.normal(3, 4), 0.1, 0.3)])
def rrelu(key: Array, input: Array, lower: float, upper: float):
    """The input where not negative, a random fraction between ``lower`` and ``upper`` of it elsewhere."""
    require_float("input", input)
    text = f"the 'lower' and 'upper' must be in [0, 1] with lower <= upper, but got {lower} and {upper}."
    require(0 <= lower <= upper <= 1, text)
    slopes = jax.random.uniform(generator(key), input.shape, jnp.float32, lower, upper).astype(input.dtype)
    return jnp.where(input >= 0, input, slopes * input)


@op(public=False, test=lambda t: [t.case(_WORDS, t.normal(3, 4), 2.0),
                                  t.case(_WORDS, t.normal(3, 4), 1.0, True, 0, grad=False)])  # fmt: skip
def gumbel_softmax(key: Array, logits: Array, tau: float = 1.0, hard: bool = False, dim: int = -1):
    """The softmax of logits with Gumbel noise; ``hard`` makes it one-hot but keeps the gradient."""
    require_float("logits", logits)
    require(tau > 0, f"the 'tau' must be positive, but got {tau}.")
    axis = normal_axis(dim, logits.ndim, "dim")
    noise = jax.random.gumbel(generator(key), logits.shape, jnp.float32).astype(logits.dtype)
    soft = jax.nn.softmax((logits + noise) / tau, axis=axis)
    if not hard:
        return soft
    hard_sample = jax.nn.one_hot(jnp.argmax(soft, axis=axis), logits.shape[axis], dtype=soft.dtype, axis=axis)
    return hard_sample - lax.stop_gradient(soft) + soft


# -- masks of single bits ----------------------------------------------------------------------------------------------
@op(public=False, test=lambda t: [t.case(_WORDS, (3, 5), 0.5)])
def dropout_gen_mask(key: Array, shape: Shape, keep_prob: Operand):
    """A mask of one bit per element, packed into bytes; the number of bits is rounded up to 128."""
    _check_shape(shape)
    bits = -(-int(np.prod(shape)) // 128) * 128
    kept = jax.random.uniform(generator(key), (bits,), jnp.float32) < jnp.asarray(keep_prob).reshape(())
    return jnp.packbits(kept, bitorder="little")


@op(primitive="DropoutDoMask", public=False,
    test=lambda t: [t.case(t.normal(3, 5), np.arange(16, dtype=np.uint8), 0.5)])  # fmt: skip
def dropout_do_mask(x: Array, mask: Array, keep_prob: Operand):
    """``x / keep_prob`` where the packed mask has a 1, else 0.

    Examples:
        >>> from mindspore import Tensor, ops
        >>> mask = ops.DropoutGenMask()((4,), Tensor(1.0))
        >>> print(ops.DropoutDoMask()(Tensor([1.0, 2.0, 3.0, 4.0]), mask, Tensor(1.0)))
        [1. 2. 3. 4.]
    """
    require_float("x", x)
    text = f"the 'mask' must be a packed mask of dtype UInt8, but got {mask.dtype}."
    require(mask.dtype == jnp.uint8, text, TypeError)
    require(mask.size * 8 >= x.size, f"the 'mask' must have {x.size} bits, but got {mask.size * 8}.")
    kept = jnp.unpackbits(mask, bitorder="little")[: x.size].reshape(x.shape)
    return jnp.where(kept == 1, x / jnp.asarray(keep_prob).astype(x.dtype).reshape(()), 0).astype(x.dtype)
