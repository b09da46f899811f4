"""Random numbers: functions. A ``seed`` selects a sequence of the function's own, else the global state is used."""

from __future__ import annotations

from typing import Any

from mindspore._engine.base import dtype as dtypes
from mindspore._engine.execution.value_checks import require_values
from mindspore._engine.operator.registry import register_function
from mindspore._engine.tensor.tensor import Tensor
from mindspore._ops.declaring import random_samples as samples
from mindspore._ops.declaring.random_keys import draw
from mindspore._ops.declaring.requirements import FOUND_BY_KERNEL
from mindspore._ops.declaring.value_rules import not_below, outside_unit
from mindspore._utils import checks
from mindspore._utils.compat.old_names import old_names

Size = Any  # a tuple or list of ints, an int, or a constant Tensor of ints


def _size(arguments: tuple) -> Any:
    """``rand(2, 3)`` and ``rand((2, 3))`` mean the same; no size at all is a scalar."""
    if len(arguments) == 1 and not isinstance(arguments[0], int):
        return arguments[0]
    return arguments or (1,)


def _integers(owner: str, seed: int | None, shape: Size, low: Any, high: Any, dtype: Any) -> Tensor:
    if isinstance(low, int) and isinstance(high, int) and low >= high:
        text = f"For '{owner}', the 'high' must be greater than 'low', but got low={low} and high={high}."
        raise FOUND_BY_KERNEL(text)
    text = "the upper end must be greater than the lower one, but their difference is {}."
    require_values(owner, text, not_below, low, high)
    return draw(owner, seed, samples.randint, shape, low, high, dtype)


# -- the normal distribution -------------------------------------------------------------------------------------------
@old_names(seed2=None)  # a seed is enough
def standard_normal(shape: Size, seed: int | None = None) -> Tensor:
    """Numbers from the normal distribution with mean 0 and standard deviation 1.

    Examples:
        >>> from mindspore import ops
        >>> print(ops.standard_normal((2, 3)).shape)
        (2, 3)
    """
    return draw("standard_normal", seed, samples.standard_normal, shape)


def normal(shape: Size, mean: Any, stddev: Any, seed: int | None = None) -> Tensor:
    """Numbers from normal distributions; mean and standard deviation broadcast with the shape.

    Examples:
        >>> from mindspore import Tensor, ops
        >>> print(ops.normal((2, 1), Tensor([0.0, 100.0, 200.0]), 1.0).shape)
        (2, 3)
    """
    return draw("normal", seed, samples.normal, shape, mean, stddev)


def randn(*size: Any, dtype: Any = None, seed: int | None = None) -> Tensor:
    """Numbers from the normal distribution with mean 0 and standard deviation 1.

    Examples:
        >>> from mindspore import ops
        >>> print(ops.randn(2, 3).shape)
        (2, 3)
    """
    return draw("randn", seed, samples.standard_normal, _size(size), dtypes.float32 if dtype is None else dtype)


def randn_like(input: Tensor, seed: int | None = None, *, dtype: Any = None) -> Tensor:
    """Numbers from the standard normal distribution in the shape (and dtype) of a Tensor.

    Examples:
        >>> from mindspore import ops
        >>> print(ops.randn_like(ops.ones((2, 3))).shape)
        (2, 3)
    """
    checks.check_type("randn_like", "input", input, Tensor)
    return draw("randn_like", seed, samples.standard_normal, input.shape, input.dtype if dtype is None else dtype)


# -- uniform distributions ---------------------------------------------------------------------------------------------
def uniform(shape: Size, minval: Any, maxval: Any, seed: int | None = None, dtype: Any = dtypes.float32) -> Tensor:
    """Numbers from [minval, maxval), integers when ``dtype`` is an integer dtype; the bounds broadcast with the shape.

    Examples:
        >>> from mindspore import Tensor, ops
        >>> numbers = ops.uniform((100,), Tensor(1.0), Tensor(2.0))
        >>> print(bool((numbers >= 1).all()), bool((numbers < 2).all()))
        True True
    """
    if dtypes.to_dtype(dtype, "uniform").is_integer:
        return _integers("uniform", seed, shape, minval, maxval, dtype)
    return draw("uniform", seed, samples.uniform, shape, minval, maxval).astype(dtype)


def rand(*size: Any, dtype: Any = None, seed: int | None = None) -> Tensor:
    """Numbers from [0, 1).

    Examples:
        >>> from mindspore import ops
        >>> print(ops.rand(2, 3).shape)
        (2, 3)
    """
    return draw("rand", seed, samples.uniform_real, _size(size), dtypes.float32 if dtype is None else dtype)


def rand_like(input: Tensor, seed: int | None = None, *, dtype: Any = None) -> Tensor:
    """Numbers from [0, 1) in the shape (and dtype) of a Tensor.

    Examples:
        >>> from mindspore import ops
        >>> print(ops.rand_like(ops.ones((2, 3))).shape)
        (2, 3)
    """
    checks.check_type("rand_like", "input", input, Tensor)
    return draw("rand_like", seed, samples.uniform_real, input.shape, input.dtype if dtype is None else dtype)


def randint(low: int, high: int, size: Size, seed: int | None = None, *, dtype: Any = None) -> Tensor:
    """Integers from [low, high).

    Examples:
        >>> from mindspore import ops
        >>> numbers = ops.randint(1, 4, (100,))
        >>> print(numbers.min(), numbers.max(), numbers.dtype)
        1 3 Int64
    """
    return _integers("randint", seed, size, low, high, dtypes.int64 if dtype is None else dtype)


def randint_like(input: Tensor, low: int, high: int, seed: int | None = None, *, dtype: Any = None) -> Tensor:
    """Integers from [low, high) in the shape (and dtype) of a Tensor.

    Examples:
        >>> from mindspore import Tensor, ops
        >>> print(ops.randint_like(Tensor([1, 2, 3]), 0, 5).shape)
        (3,)
    """
    checks.check_type("randint_like", "input", input, Tensor)
    return _integers("randint_like", seed, input.shape, low, high, input.dtype if dtype is None else dtype)


# -- other distributions -----------------------------------------------------------------------------------------------
@old_names(seed2=None)
def standard_laplace(shape: Size, seed: int | None = None) -> Tensor:
    """Numbers from the Laplace distribution with mean 0 and scale 1.

    Examples:
        >>> from mindspore import ops
        >>> print(ops.standard_laplace((2, 3)).shape)
        (2, 3)
    """
    return draw("standard_laplace", seed, samples.standard_laplace, shape)


def laplace(shape: Size, mean: Any, lambda_param: Any, seed: int | None = None) -> Tensor:
    """Numbers from the Laplace distribution with this mean and scale.

    Examples:
        >>> from mindspore import Tensor, ops
        >>> print(ops.laplace((2, 3), Tensor([0.0]), Tensor([1.0])).shape)
        (2, 3)
    """
    return draw("laplace", seed, samples.standard_laplace, shape) * lambda_param + mean


def gamma(shape: Size, alpha: Any, beta: Any, seed: int | None = None) -> Tensor:
    """Numbers from gamma distributions with shape ``alpha`` and rate ``beta``, which broadcast with the shape.

    Examples:
        >>> from mindspore import Tensor, ops
        >>> print(ops.gamma((3, 1, 2), Tensor([[3.0, 4.0], [5.0, 6.0]]), Tensor([1.0])).shape)
        (3, 2, 2)
    """
    return draw("gamma", seed, samples.gamma, shape, alpha, beta)


@old_names(seed2=None)
def random_gamma(shape: Size, alpha: Tensor, seed: int | None = None) -> Tensor:
    """For every element of ``alpha`` a block of this shape from the gamma distribution with rate 1.

    Examples:
        >>> from mindspore import Tensor, ops
        >>> print(ops.random_gamma((4, 5), Tensor([1.0, 2.0])).shape)
        (4, 5, 2)
    """
    checks.check_type("random_gamma", "alpha", alpha, Tensor)
    return draw(
        "random_gamma", seed, samples.gamma, (*as_tuple(shape, "RandomGamma"), *alpha.shape), alpha, 1.0
    ).astype(alpha.dtype)


def poisson(shape: Size, mean: Any, seed: int | None = None) -> Tensor:
    """Counts from Poisson distributions, whose means broadcast with the shape.

    Examples:
        >>> from mindspore import Tensor, ops
        >>> print(ops.poisson((4, 1), Tensor([1.0, 2.0])).shape)
        (4, 2)
    """
    return draw("poisson", seed, samples.poisson, shape, mean)


def random_poisson(shape: Size, rate: Tensor, seed: int | None = None, dtype: Any = dtypes.float32) -> Tensor:
    """For every element of ``rate`` a block of this shape from the Poisson distribution.

    Examples:
        >>> from mindspore import Tensor, ops
        >>> print(ops.random_poisson((4, 5), Tensor([1.0, 2.0])).shape)
        (4, 5, 2)
    """
    checks.check_type("random_poisson", "rate", rate, Tensor)
    kind = dtypes.to_dtype(dtype, "RandomPoisson")
    if not (kind.is_integer or kind.is_floating):
        allowed = "one of [int64, int32, float16, float32, float64] or another real number"
        raise TypeError(f"For 'RandomPoisson', the 'dtype' must be {allowed}, but got {dtype}.")
    return draw("random_poisson", seed, samples.poisson, (*as_tuple(shape, "RandomPoisson"), *rate.shape), rate, dtype)


def as_tuple(shape: Size, owner: str) -> tuple:
    """A shape given as an int, a sequence or a constant Tensor."""
    if isinstance(shape, Tensor):
        if shape.ndim != 1:
            raise ValueError(
                f"For '{owner}', the 'shape' must be a 1-D Tensor, but got {shape.ndim} dimensions: {shape.shape}."
            )
        if not shape.dtype.is_integer:
            raise TypeError(f"For '{owner}', the 'shape' must have dtype Int32 or Int64, but got {shape.dtype}.")
        shape = shape.tolist()
    if isinstance(shape, int) and not isinstance(shape, bool):
        return (shape,)
    if not isinstance(shape, (tuple, list)):
        raise TypeError(f"For '{owner}', the 'shape' must be a Tensor, an int or a tuple of ints, but got {shape!r}.")
    return tuple(shape)


# -- choices -----------------------------------------------------------------------------------------------------------
def randperm(n: int, seed: int = 0, offset: int = 0, dtype: Any = dtypes.int64) -> Tensor:
    """The integers below ``n`` in random order.

    Examples:
        >>> from mindspore import ops
        >>> print(sorted(ops.randperm(5).tolist()))
        [0, 1, 2, 3, 4]
    """
    return draw("randperm", (seed, offset), samples.randperm, n, dtype)


def shuffle(x: Tensor, seed: int | None = None) -> Tensor:
    """A Tensor with its first axis in random order.

    Examples:
        >>> from mindspore import Tensor, ops
        >>> print(sorted(ops.shuffle(Tensor([3, 1, 2])).tolist()))
        [1, 2, 3]
    """
    return draw("shuffle", seed, samples.shuffle, x)


@old_names(x="input")
def bernoulli(input: Tensor, p: Any = 0.5, seed: int | None = None) -> Tensor:
    """1 with probability ``p``, else 0, in the shape and dtype of ``input``.

    Examples:
        >>> from mindspore import Tensor, ops
        >>> print(ops.bernoulli(Tensor([0.0, 0.0]), Tensor([1.0, 0.0])))
        [1. 0.]
    """
    if isinstance(p, (int, float)):
        checks.check_float_range("bernoulli", "p", p, 0.0, 1.0)
    require_values("Bernoulli", "the 'p' must be in [0.0, 1.0], but got {}.", outside_unit, p, kind=ValueError)
    return draw("bernoulli", seed, samples.bernoulli, input, p)


@old_names(inputs="input", num_sample="num_samples")
def multinomial(input: Tensor, num_samples: int, replacement: bool = True, seed: int | None = None) -> Tensor:
    """Indices drawn with the weights given in each row.

    Examples:
        >>> from mindspore import Tensor, ops
        >>> print(ops.multinomial(Tensor([0.0, 1.0, 0.0]), 4))
        [1 1 1 1]
    """
    if isinstance(input, Tensor) and not input.dtype.is_floating:
        input = input.astype(dtypes.float32)
    return draw("multinomial", seed, samples.multinomial, input, num_samples, replacement)


def random_categorical(logits: Tensor, num_sample: int, seed: int = 0, dtype: Any = dtypes.int64) -> Tensor:
    """Indices drawn with the weights ``exp(logits)`` given in each row.

    Examples:
        >>> from mindspore import Tensor, ops
        >>> print(ops.random_categorical(Tensor([[-100.0, 0.0]]), 3))
        [[1 1 1]]
    """
    return draw("random_categorical", seed, samples.random_categorical, logits, num_sample, dtype)


def choice_with_mask(input_x: Tensor, count: int = 256, seed: int | None = None) -> tuple[Tensor, Tensor]:
    """The coordinates of ``count`` random True elements, and which rows are valid: there may be too few.

    Examples:
        >>> from mindspore import Tensor, ops
        >>> indices, valid = ops.choice_with_mask(Tensor([False, True]), 2)
        >>> print(indices.tolist(), valid)
        [[1], [0]] [ True False]
    """
    return draw("choice_with_mask", seed, samples.choice_with_mask, input_x, count)


for _function in (standard_normal, normal, randn, randn_like, uniform, rand, rand_like, randint, randint_like,
                  standard_laplace, laplace, gamma, random_gamma, poisson, random_poisson, randperm, shuffle,
                  bernoulli, choice_with_mask):  # fmt: skip
    register_function(_function)
register_function(multinomial, method="multinomial")
register_function(random_categorical, method="random_categorical")
