"""Random numbers written into the tensor itself, and random tensors like this tensor."""

from __future__ import annotations

from typing import Any

import jax
import jax.numpy as jnp
import numpy as np

from mindspore._engine.execution.generators import Generator
from mindspore._engine.operator.arguments import Array, Shape
from mindspore._engine.operator.registry import op, register_function
from mindspore._engine.tensor.members import attach_functions
from mindspore._engine.tensor.tensor import Tensor
from mindspore._kernels.random_bits import generator as key_of
from mindspore._ops.declaring import random_samples as samples
from mindspore._ops.declaring.random_keys import draw
from mindspore._ops.declaring.requirements import require, require_float
from mindspore._ops.methods.in_place import keep
from mindspore._ops.random import random_ops
from mindspore._utils import checks

_WORDS = np.array([7, 1], np.uint32)  # a key for the tests
_LARGEST_EXACT = {"float16": 2**11, "bfloat16": 2**8, "float32": 2**24, "float64": 2**53, "bool": 2}


@op(public=False, test=lambda t: [t.case(_WORDS, (2, 3), 2.0)])
def exponential_samples(key: Array, shape: Shape, rate: float):
    """Numbers from the exponential distribution."""
    require(rate > 0, f"the 'lambd' must be positive, but got {rate}.")
    return jax.random.exponential(key_of(key), shape, jnp.float32) / rate


@op(public=False, test=lambda t: [t.case(_WORDS, (2, 3), 1.0, 2.0)])
def cauchy_samples(key: Array, shape: Shape, median: float, sigma: float):
    """Numbers from the Cauchy distribution."""
    require(sigma > 0, f"the 'sigma' must be positive, but got {sigma}.")
    return jax.random.cauchy(key_of(key), shape, jnp.float32) * sigma + median


@op(public=False, test=lambda t: [t.case(_WORDS, (2, 3), 1.0, 2.0)])
def log_normal_samples(key: Array, shape: Shape, mean: float, std: float):
    """Numbers whose logarithm has a normal distribution."""
    require(std > 0, f"the 'std' must be positive, but got {std}.")
    return jnp.exp(jax.random.normal(key_of(key), shape, jnp.float32) * std + mean)


@op(public=False, test=lambda t: [t.case(_WORDS, t.uniform(0, 1, 2, 3), grad=False)])
def bernoulli_of(key: Array, input: Array):
    """1 with the probability given by each element, else 0."""
    require_float("input", input)
    return (jax.random.uniform(key_of(key), input.shape, jnp.float32) < input).astype(input.dtype)


def _drawn(owner: str, generator: Any, sampler: Any, *arguments: Any) -> Tensor:
    """Samples from the given generator or from the default generator."""
    if generator is None:
        return draw(owner, None, sampler, *arguments)
    checks.check_type(owner, "generator", generator, Generator)
    return generator.run(draw, owner, None, sampler, *arguments)


def _filled(owner: str, tensor: Any, generator: Any, sampler: Any, *arguments: Any) -> Tensor:
    """Store what the sampler gives for the tensor's shape."""
    checks.check_type(owner, "input", tensor, Tensor)
    return keep(owner, tensor, _drawn(owner, generator, sampler, tensor.shape, *arguments).astype(tensor.dtype))


def normal_(input: Tensor, mean: Any = 0, std: Any = 1, *, generator: Any = None) -> Tensor:
    """Fill a tensor with numbers from the normal distribution; returns the tensor.

    Examples:
        >>> from mindspore import ops
        >>> print(ops.normal_(ops.zeros((2, 3)), 5.0, 0.1).shape)
        (2, 3)
    """
    return _filled("normal_", input, generator, samples.normal, float(mean), float(std))


def uniform_(input: Tensor, from_: Any = 0, to: Any = 1, *, generator: Any = None) -> Tensor:
    """Fill a tensor with numbers from [from_, to); returns the tensor.

    Examples:
        >>> from mindspore import ops
        >>> x = ops.uniform_(ops.zeros((100,)), 1.0, 2.0)
        >>> print(bool((x >= 1).all()), bool((x < 2).all()))
        True True
    """
    if from_ > to:
        raise ValueError(f"For 'uniform_', the 'from_' must not be greater than 'to', but got {from_} and {to}.")
    return _filled("uniform_", input, generator, samples.uniform, float(from_), float(to))


def random_(input: Tensor, from_: int = 0, to: int | None = None, *, generator: Any = None) -> Tensor:
    """Fill a tensor with whole numbers from [from_, to), by default all that its dtype holds exactly; returns it.

    Examples:
        >>> from mindspore import ops
        >>> x = ops.random_(ops.zeros((100,)), 1, 4)
        >>> print(x.min(), x.max())
        1.0 3.0
    """
    checks.check_type("random_", "input", input, Tensor)
    if to is None:
        name = input.dtype.np_dtype.name
        to = _LARGEST_EXACT[name] if name in _LARGEST_EXACT else int(np.iinfo(name).max)
    if from_ >= to:
        raise ValueError(f"For 'random_', the 'from_' must be less than 'to', but got {from_} and {to}.")
    return _filled("random_", input, generator, samples.randint, from_, to)


def bernoulli_(input: Tensor, p: Any = 0.5, *, generator: Any = None) -> Tensor:
    """Fill a tensor with 1 with probability ``p`` (a number, or one per element), else 0; returns the tensor.

    Examples:
        >>> from mindspore import ops
        >>> print(ops.bernoulli_(ops.zeros((3,)), 1.0))
        [1. 1. 1.]
    """
    checks.check_type("bernoulli_", "input", input, Tensor)
    if isinstance(p, (int, float)) and not 0 <= p <= 1:
        raise ValueError(f"For 'bernoulli_', the 'p' must be in [0, 1], but got {p}.")
    return keep("bernoulli_", input, _drawn("bernoulli_", generator, samples.bernoulli, input, p))


def exponential_(input: Tensor, lambd: float = 1, *, generator: Any = None) -> Tensor:
    """Fill a tensor with numbers from the exponential distribution with this rate; returns the tensor.

    Examples:
        >>> from mindspore import ops
        >>> print(bool((ops.exponential_(ops.zeros((100,)), 2.0) >= 0).all()))
        True
    """
    return _filled("exponential_", input, generator, exponential_samples, float(lambd))


for _function in (normal_, uniform_, random_, bernoulli_, exponential_):
    register_function(_function, method=_function.__name__)


# -- tensors like this tensor ------------------------------------------------------------------------------------------
def bernoulli(self: Tensor, p: Any = None, seed: int | None = None, *, generator: Any = None) -> Tensor:
    """1 with the probability given by each element, else 0; with ``p`` or ``seed``, as in 2.0, :func:`bernoulli` of ``ops``.

    Examples:
        >>> from mindspore import Tensor
        >>> print(Tensor([0.0, 1.0]).bernoulli())
        [0. 1.]
    """
    if p is not None or seed is not None:
        return random_ops.bernoulli(self, 0.5 if p is None else p, seed)
    return _drawn("bernoulli", generator, bernoulli_of, self)


def uniform(self: Tensor, from_: float = 0.0, to: float = 1.0, generator: Any = None) -> Tensor:
    """Numbers from [from_, to) in the shape and dtype of this tensor.

    Examples:
        >>> from mindspore import Tensor
        >>> print(Tensor([0.0, 1.0]).uniform(3.0, 3.0))
        [3. 3.]
    """
    return _drawn("uniform", generator, samples.uniform, self.shape, float(from_), float(to)).astype(self.dtype)


def cauchy(self: Tensor, median: float = 0.0, sigma: float = 1.0) -> Tensor:
    """Numbers from the Cauchy distribution in the shape of this tensor.

    Examples:
        >>> from mindspore import Tensor
        >>> print(Tensor([0.0, 1.0]).cauchy().shape)
        (2,)
    """
    return draw("cauchy", None, cauchy_samples, self.shape, float(median), float(sigma))


def log_normal(self: Tensor, mean: float = 1.0, std: float = 2.0) -> Tensor:
    """Numbers whose logarithm has a normal distribution, in the shape of this tensor.

    Examples:
        >>> from mindspore import Tensor
        >>> print(bool((Tensor([0.0, 1.0]).log_normal() > 0).all()))
        True
    """
    return draw("log_normal", None, log_normal_samples, self.shape, float(mean), float(std)).astype(self.dtype)


attach_functions(bernoulli, uniform, cauchy, log_normal)
