"""Random numbers: Primitive classes. With seeds every object has its own sequence, else the global state is used."""

from __future__ import annotations

from typing import Any

from mindspore._engine.base import dtype as dtypes
from mindspore._engine.execution.value_checks import require_values
from mindspore._engine.operator.registry import register_primitive
from mindspore._engine.tensor.tensor import Tensor
from mindspore._ops.declaring import random_samples as samples
from mindspore._ops.declaring.random_keys import RandomPrimitive, draw
from mindspore._ops.declaring.value_rules import not_below
from mindspore._ops.random.random_ops import as_tuple
from mindspore._utils import checks


@register_primitive
class StandardNormal(RandomPrimitive):
    """Numbers from the normal distribution with mean 0 and standard deviation 1.

    Examples:
        >>> from mindspore import ops
        >>> print(ops.StandardNormal(seed=2)((2, 3)).shape)
        (2, 3)
    """

    def __call__(self, shape: Any) -> Tensor:
        return self.draw(samples.standard_normal, shape)


@register_primitive
class StandardLaplace(RandomPrimitive):
    """Numbers from the Laplace distribution with mean 0 and scale 1.

    Examples:
        >>> from mindspore import ops
        >>> print(ops.StandardLaplace(seed=1)((2, 3)).shape)
        (2, 3)
    """

    def __call__(self, shape: Any) -> Tensor:
        return self.draw(samples.standard_laplace, shape)


@register_primitive
class UniformReal(RandomPrimitive):
    """Numbers from [0, 1).

    Examples:
        >>> from mindspore import ops
        >>> print(ops.UniformReal(seed=2)((2, 3)).shape)
        (2, 3)
    """

    def __call__(self, shape: Any) -> Tensor:
        return self.draw(samples.uniform_real, shape)


@register_primitive
class UniformInt(RandomPrimitive):
    """Integers from [minval, maxval).

    Examples:
        >>> from mindspore import Tensor, ops
        >>> print(ops.UniformInt(seed=2)((2, 3), Tensor(1), Tensor(2)))
        [[1 1 1]
         [1 1 1]]
    """

    def __call__(self, shape: Any, minval: Any, maxval: Any) -> Tensor:
        text = "the 'minval' must be less than 'maxval', but 'maxval' - 'minval' is {}."
        require_values("UniformInt", text, not_below, minval, maxval)
        return self.draw(samples.randint, shape, minval, maxval, dtypes.int32)


@register_primitive
class Gamma(RandomPrimitive):
    """Numbers from gamma distributions with shape ``alpha`` and rate ``beta``, which broadcast with the shape.

    Examples:
        >>> from mindspore import Tensor, ops
        >>> print(ops.Gamma(seed=1)((2, 3), Tensor(2.0), Tensor(1.0)).shape)
        (2, 3)
    """

    def __call__(self, shape: Any, alpha: Any, beta: Any) -> Tensor:
        return self.draw(samples.gamma, shape, alpha, beta)


@register_primitive
class RandomGamma(RandomPrimitive):
    """For every element of ``alpha`` a block of this shape from the gamma distribution with rate 1.

    Examples:
        >>> import mindspore
        >>> from mindspore import Tensor, ops
        >>> print(ops.RandomGamma(seed=1)(Tensor([2], mindspore.int32), Tensor([1.0, 2.0, 3.0])).shape)
        (2, 3)
    """

    def __call__(self, shape: Any, alpha: Tensor) -> Tensor:
        return self.draw(samples.gamma, (*as_tuple(shape, "RandomGamma"), *alpha.shape), alpha, 1.0).astype(alpha.dtype)


@register_primitive
class Poisson(RandomPrimitive):
    """Counts from Poisson distributions, whose means broadcast with the shape.

    Examples:
        >>> from mindspore import Tensor, ops
        >>> print(ops.Poisson(seed=1)((2, 3), Tensor(5.0)).shape)
        (2, 3)
    """

    def __call__(self, shape: Any, mean: Any) -> Tensor:
        return self.draw(samples.poisson, shape, mean)


@register_primitive
class RandomPoisson(RandomPrimitive):
    """For every element of ``rate`` a block of this shape from the Poisson distribution.

    Examples:
        >>> import mindspore
        >>> from mindspore import Tensor, ops
        >>> print(ops.RandomPoisson(seed=1)(Tensor([2], mindspore.int32), Tensor([1.0, 2.0, 3.0])).shape)
        (2, 3)
    """

    def __init__(self, seed: int = 0, seed2: int = 0, dtype: Any = dtypes.int64):
        super().__init__(seed, seed2, dtype=dtype)

    def __call__(self, shape: Any, rate: Tensor) -> Tensor:
        return self.draw(samples.poisson, (*as_tuple(shape, "RandomPoisson"), *rate.shape), rate, self.dtype)


@register_primitive
class TruncatedNormal(RandomPrimitive):
    """Numbers from the standard normal distribution between -2 and 2.

    Examples:
        >>> import mindspore
        >>> from mindspore import Tensor, ops
        >>> print(ops.TruncatedNormal(seed=1)(Tensor([2, 3], mindspore.int32)).shape)
        (2, 3)
    """

    def __init__(self, dtype: Any = dtypes.float32, seed: int = 0, seed2: int = 0):
        super().__init__(seed, seed2, dtype=dtype)

    def __call__(self, shape: Any) -> Tensor:
        return self.draw(samples.truncated_normal, shape, self.dtype)


@register_primitive
class Bernoulli(RandomPrimitive):
    """1 with probability ``p``, else 0, in the shape and dtype of ``x``.

    Examples:
        >>> from mindspore import Tensor, ops
        >>> print(ops.Bernoulli()(Tensor([1.0, 2.0]), Tensor(1.0)))
        [1. 1.]
    """

    def __init__(self, seed: int = -1, offset: int = 0):
        super().__init__(max(checks.check_int("Bernoulli", "seed", seed, low=-1), 0), offset, ("seed", "offset"))

    def __call__(self, x: Tensor, p: Any) -> Tensor:
        return self.draw(samples.bernoulli, x, p)


@register_primitive
class Multinomial(RandomPrimitive):
    """Indices drawn with the weights given in each row.

    Examples:
        >>> from mindspore import Tensor, ops
        >>> print(ops.Multinomial(seed=2)(Tensor([0.0, 1.0]), 3))
        [1 1 1]
    """

    def __init__(self, seed: int = 0, seed2: int = 0, dtype: Any = dtypes.int32):
        super().__init__(seed, seed2, dtype=dtype)

    def __call__(self, x: Tensor, num_samples: int) -> Tensor:
        return self.draw(samples.multinomial, x, num_samples, True, self.dtype)


@register_primitive
class RandomCategorical(RandomPrimitive):
    """Indices drawn with the weights ``exp(logits)`` given in each row.

    Examples:
        >>> from mindspore import Tensor, ops
        >>> print(ops.RandomCategorical()(Tensor([[0.0, 50.0]]), 3, 1))
        [[1 1 1]]
    """

    def __init__(self, dtype: Any = dtypes.int64):
        super().__init__(dtype=dtype)

    def __call__(self, logits: Tensor, num_sample: int, seed: int = 0) -> Tensor:
        return draw("RandomCategorical", seed, samples.random_categorical, logits, num_sample, self.dtype)


@register_primitive
class RandomChoiceWithMask(RandomPrimitive):
    """The coordinates of ``count`` random True elements, and which rows are valid: there may be too few.

    Examples:
        >>> from mindspore import Tensor, ops
        >>> indices, valid = ops.RandomChoiceWithMask(count=2)(Tensor([False, True]))
        >>> print(indices.tolist(), valid)
        [[1], [0]] [ True False]
    """

    def __init__(self, count: int = 256, seed: int = 0, seed2: int = 0):
        super().__init__(seed, seed2, count=checks.check_positive_int("RandomChoiceWithMask", "count", count))

    def __call__(self, input_x: Tensor) -> tuple[Tensor, Tensor]:
        return self.draw(samples.choice_with_mask, input_x, self.count)


@register_primitive
class RandomShuffle(RandomPrimitive):
    """A Tensor with its first axis in random order.

    Examples:
        >>> from mindspore import Tensor, ops
        >>> print(ops.RandomShuffle(seed=1)(Tensor([1, 2, 3])).shape)
        (3,)
    """

    def __call__(self, x: Tensor) -> Tensor:
        return self.draw(samples.shuffle, x)


@register_primitive
class RandpermV2(RandomPrimitive):
    """The integers below ``n`` in random order.

    Examples:
        >>> from mindspore import ops
        >>> print(sorted(ops.RandpermV2()(4).asnumpy().tolist()))
        [0, 1, 2, 3]
    """

    def __init__(self, seed: int = 0, offset: int = 0, dtype: Any = dtypes.int64):
        super().__init__(seed, offset, ("seed", "offset"), dtype=dtype)

    def __call__(self, n: Any) -> Tensor:
        return self.draw(samples.randperm, n, self.dtype)


@register_primitive
class Randperm(RandomPrimitive):
    """The integers below ``n`` in random order, filled up with ``pad`` to ``max_length``.

    Examples:
        >>> from mindspore import Tensor, ops
        >>> print(ops.Randperm(max_length=3, pad=-1)(Tensor([1])))
        [ 0 -1 -1]
    """

    def __init__(self, max_length: int = 1, pad: int = -1, dtype: Any = dtypes.int32):
        checks.check_positive_int("Randperm", "max_length", max_length)
        super().__init__(max_length=max_length, pad=pad, dtype=dtype)

    def __call__(self, n: Any) -> Tensor:
        return self.draw(samples.randperm, n, self.dtype, self.max_length, self.pad)
