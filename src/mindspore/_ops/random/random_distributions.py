"""Random numbers: Primitives of further distributions."""

from __future__ import annotations

from typing import Any

import jax
import jax.numpy as jnp
import numpy as np

from mindspore._engine.base import dtype as dtypes
from mindspore._engine.operator.arguments import Array, DType, Shape
from mindspore._engine.operator.primitive import Primitive
from mindspore._engine.operator.registry import op, register_function, register_primitive
from mindspore._engine.tensor.tensor import Tensor
from mindspore._kernels.random_bits import generator as key_of
from mindspore._ops.declaring import random_samples as samples
from mindspore._ops.declaring.random_keys import RandomPrimitive, draw
from mindspore._ops.declaring.requirements import require, require_float
from mindspore._ops.random.in_place_random import cauchy_samples, log_normal_samples
from mindspore._utils import checks

_WORDS = np.array([7, 1], np.uint32)  # a key for the tests


@register_primitive
class Cauchy(RandomPrimitive):
    """Numbers from the Cauchy distribution, in a shape fixed at construction.

    Examples:
        >>> from mindspore import ops
        >>> print(ops.Cauchy([2, 3])().shape)
        (2, 3)
    """

    def __init__(self, size: Any, median: float = 0.0, sigma: float = 1.0):
        size = tuple(checks.check_type("Cauchy", "size", size, (list, tuple)))
        super().__init__(size=size, median=float(median), sigma=float(sigma))

    def __call__(self) -> Tensor:
        return self.draw(cauchy_samples, self.size, self.median, self.sigma)


@register_primitive
class LogNormalReverse(RandomPrimitive):
    """Numbers whose logarithm has a normal distribution, in the shape and dtype of a tensor.

    Examples:
        >>> from mindspore import Tensor, ops
        >>> print(ops.LogNormalReverse(0.0, 1.0)(Tensor([1.0, 2.0])).shape)
        (2,)
    """

    def __init__(self, mean: float = 1.0, std: float = 2.0):
        for name, value in (("mean", mean), ("std", std)):
            checks.check_type("LogNormalReverse", name, value, (int, float))
        super().__init__(mean=float(mean), std=float(std))

    def __call__(self, input: Tensor) -> Tensor:
        return self.draw(log_normal_samples, input.shape, self.mean, self.std).astype(input.dtype)


@op(public=False, test=lambda t: [t.case(_WORDS, (2, 3), dtypes.int64)])
def any_integers(key: Array, shape: Shape, dtype: DType):
    """Integers from the whole range of their dtype."""
    kinds = {dtypes.int32: jnp.int32, dtypes.int64: jnp.int64, dtypes.uint32: jnp.uint32, dtypes.uint64: jnp.uint64}
    require(dtype in kinds, f"the 'dtype' must be int32, int64, uint32 or uint64, but got {dtype}.", TypeError)
    return jax.random.bits(key_of(key), shape, f"uint{8 * dtype.np_dtype.itemsize}").astype(kinds[dtype])


@register_primitive
class NonDeterministicInts(RandomPrimitive):
    """Integers from the whole range of their dtype.

    Examples:
        >>> from mindspore import ops
        >>> print(ops.NonDeterministicInts()((2, 3)).shape)
        (2, 3)
    """

    def __init__(self, dtype: Any = dtypes.int64):
        super().__init__(dtype=dtype)

    def __call__(self, shape: Any) -> Tensor:
        return self.draw(any_integers, shape, self.dtype)


@op(public=False,
    test=lambda t: [t.case(_WORDS, (2, 3), *[np.array([v], np.float32) for v in (0, 1, -1, 2)], grad=False)])  # fmt: skip
def truncated_between(key: Array, shape: Shape, mean: Array, stdevs: Array, min: Array, max: Array):
    """Numbers from normal distributions between two bounds, each parameter a scalar or per row."""
    require_float("mean", mean)
    require(len(shape) > 0, f"the 'shape' must have at least 1 axis, but got {shape}.")

    def per_row(parameter: Any) -> Any:
        return parameter.reshape((-1,) + (1,) * (len(shape) - 1)) if parameter.size > 1 else parameter.reshape(())

    centre, spread, low, high = (per_row(parameter) for parameter in (mean, stdevs, min, max))
    low, high = ((bound - centre) / spread for bound in (low, high))
    drawn = jax.random.truncated_normal(key_of(key), low, high, shape, jnp.float32)
    return (drawn * spread + centre).astype(mean.dtype)


@register_primitive
class ParameterizedTruncatedNormal(RandomPrimitive):
    """Numbers from normal distributions between ``min`` and ``max``; each parameter a scalar, or one per row.

    Examples:
        >>> from mindspore import Tensor, ops
        >>> parameters = [Tensor([value]) for value in (0.0, 1.0, -1.0, 1.0)]
        >>> print(ops.ParameterizedTruncatedNormal(seed=1)((2, 3), *parameters).shape)
        (2, 3)
    """

    def __call__(self, shape: Any, mean: Tensor, stdevs: Tensor, min: Tensor, max: Tensor) -> Tensor:
        return self.draw(truncated_between, shape, mean, stdevs, min, max)


def multinomial_with_replacement(x: Tensor, seed: Any, offset: Any, numsamples: int,
                                 replacement: bool = False) -> Tensor:  # fmt: skip
    """Indices drawn with the weights given in each row; int64.

    Args:
        seed, offset: select a sequence of the function's own; both 0 use the global state.
        replacement: whether an index may be drawn again.

    Examples:
        >>> from mindspore import Tensor, ops
        >>> print(ops.multinomial_with_replacement(Tensor([[0.0, 9.0]]), 2, 5, 3, True))
        [[1 1 1]]
    """
    seeds = tuple(int(value) for value in (seed, offset))
    return draw("multinomial_with_replacement", seeds, samples.multinomial, x, numsamples, replacement, dtypes.int64)


register_function(multinomial_with_replacement)


@register_primitive
class MultinomialWithReplacement(Primitive):
    """Indices drawn with the weights given in each row, see :func:`multinomial_with_replacement`.

    Examples:
        >>> import mindspore
        >>> from mindspore import Tensor, ops
        >>> draw = ops.MultinomialWithReplacement(3, replacement=True)
        >>> print(draw(Tensor([0.0, 1.0]), Tensor(1, mindspore.int64), Tensor(0, mindspore.int64)))
        [1 1 1]
    """

    def __init__(self, numsamples: int, replacement: bool = False):
        super().__init__()
        self.add_prim_attr("numsamples", checks.check_positive_int(self.name, "numsamples", numsamples))
        self.add_prim_attr("replacement", checks.check_bool(self.name, "replacement", replacement))

    def __call__(self, x: Tensor, seed: Any, offset: Any) -> Tensor:
        return multinomial_with_replacement(x, seed, offset, self.numsamples, self.replacement)
