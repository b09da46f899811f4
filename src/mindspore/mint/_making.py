"""Making Tensors, by PyTorch's argument names; random ones from the default or another Generator."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from mindspore import ops
from mindspore._engine.base.dtype import DType
from mindspore._engine.operator.checked import check_bools, check_strings, check_tensors
from mindspore._engine.operator.overloads import overloaded
from mindspore.common.dtype import float32, int64
from mindspore.common.generator import Generator, default_generator
from mindspore.common.tensor import Tensor


def _drawn(owner: str, generator: Any, function: Callable[..., Any], *args: Any, **kwargs: Any) -> Tensor:
    chosen = default_generator if generator is None else generator
    if not isinstance(chosen, Generator):
        raise TypeError(
            f"For '{owner}', the 'generator' must be a mindspore.Generator, but got {type(chosen).__name__}."
        )
    return chosen.run(function, *args, **kwargs)


def _size(size: tuple[Any, ...]) -> tuple[int, ...]:
    return tuple(size[0]) if len(size) == 1 and isinstance(size[0], (tuple, list)) else size


def _empty(size: Any, *, dtype: DType | None = None, device: str | None = None, pin_memory: bool = False) -> Tensor:
    """A Tensor whose elements mean nothing yet; here they are zeros.

    >>> empty(2, 3).shape
    (2, 3)
    """
    check_strings("_empty", device=device)
    return ops.zeros(size, float32 if dtype is None else dtype)


def _empty_numbers(
    *size: Any, dtype: DType | None = None, device: str | None = None, pin_memory: bool = False
) -> Tensor:
    return ops.zeros(size, float32 if dtype is None else dtype)


empty = overloaded("mint.empty", _empty, _empty_numbers)


def empty_like(
    input: Tensor, *, dtype: DType | None = None, device: str | None = None, pin_memory: bool = False
) -> Tensor:
    """A Tensor of the same shape whose elements mean nothing yet; here they are zeros.

    >>> empty_like(Tensor([1.0])).shape
    (1,)
    """
    check_strings("empty_like", device=device)
    check_bools("empty_like", pin_memory=pin_memory)
    return ops.zeros_like(input, dtype=dtype)


def ones(size: Any, *, dtype: DType | None = None) -> Tensor:
    """Ones.

    >>> print(ones(2))
    [1. 1.]
    """
    return ops.ones(size, float32 if dtype is None else dtype)


def zeros(size: Any, *, dtype: DType | None = None) -> Tensor:
    """Zeros.

    >>> print(zeros(2))
    [0. 0.]
    """
    return ops.zeros(size, float32 if dtype is None else dtype)


def full(size: Any, fill_value: Any, *, dtype: DType | None = None) -> Tensor:
    """A tensor filled with a number, in the dtype that a Tensor of it has.

    >>> print(full((2,), 3), full((2,), 0.5))
    [3 3] [0.5 0.5]
    """
    return ops.full(size, fill_value, dtype=Tensor(fill_value).dtype if dtype is None else dtype)


def linspace(start: Any, end: Any, steps: int, *, dtype: DType | None = None) -> Tensor:
    """Numbers at equal distances, both ends included.

    >>> print(linspace(0, 1, 3))
    [0.  0.5 1. ]
    """
    made = ops.linspace(Tensor(start, float32) if not isinstance(start, Tensor) else start, end, steps)
    return made if dtype is None else made.astype(dtype)


def rand(*size: Any, generator: Any = None, dtype: DType | None = None, device: str | None = None) -> Tensor:
    """Numbers from [0, 1).

    >>> rand(2, 3).shape
    (2, 3)
    """
    check_strings("rand", device=device)
    return _drawn("rand", generator, ops.rand, *_size(size), dtype=dtype)


def randn(*size: Any, generator: Any = None, dtype: DType | None = None, device: str | None = None) -> Tensor:
    """Numbers of the standard normal distribution.

    >>> randn(2, 3).shape
    (2, 3)
    """
    check_strings("randn", device=device)
    return _drawn("randn", generator, ops.randn, *_size(size), dtype=dtype)


def randint(
    *args: Any, generator: Any = None, dtype: DType | None = None, device: str | None = None, **given: Any
) -> Tensor:
    """Whole numbers from [low, high): ``randint(high, size)`` or ``randint(low, high, size)``.

    >>> randint(0, 10, (2, 3)).shape
    (2, 3)
    """
    check_strings("randint", device=device)
    low, high, size = _bounds("randint", "size", args, given)
    return _drawn("randint", generator, ops.randint, low, high, tuple(size), dtype=int64 if dtype is None else dtype)


def randint_like(
    input: Tensor, *args: Any, dtype: DType | None = None, device: str | None = None, **given: Any
) -> Tensor:
    """Whole numbers from [low, high) in the shape of a Tensor: ``randint_like(input, high)`` or with ``low`` before it.

    >>> randint_like(Tensor([1, 2]), 10).shape
    (2,)
    """
    check_strings("randint_like", device=device)
    check_tensors("randint_like", input=input)
    low, high, size = _bounds("randint_like", "", (*args, input.shape), given)
    return ops.randint(low, high, size, dtype=input.dtype if dtype is None else dtype)


def _bounds(owner: str, last: str, args: tuple[Any, ...], given: dict[str, Any]) -> tuple[int, int, Any]:
    names = ("high", last) if len(args) + len(given) == 2 else ("low", "high", last)
    values = dict(zip(names, args)) | given
    if set(values) != set(names):
        raise TypeError(
            f"For '{owner}', the arguments must be high or low and high, then {last or 'nothing'}, but got {args} {given}."
        )
    return values.get("low", 0), values["high"], values[last]


def rand_like(input: Tensor, *, dtype: DType | None = None, device: str | None = None) -> Tensor:
    """Numbers from [0, 1) in the shape of a Tensor.

    >>> rand_like(Tensor([1.0, 2.0])).shape
    (2,)
    """
    check_strings("rand_like", device=device)
    return ops.rand_like(input, dtype=dtype)


def randn_like(input: Tensor, *, dtype: DType | None = None, device: str | None = None) -> Tensor:
    """Numbers of the standard normal distribution in the shape of a Tensor.

    >>> randn_like(Tensor([1.0, 2.0])).shape
    (2,)
    """
    check_strings("randn_like", device=device)
    return ops.randn_like(input, dtype=dtype)


def randperm(n: int, *, generator: Any = None, dtype: DType = int64) -> Tensor:
    """The numbers below ``n`` in random order.

    >>> print(randperm(3).sort()[0])
    [0 1 2]
    """
    return _drawn("randperm", generator, ops.randperm, n, dtype=dtype)


def normal(mean: Any = 0.0, std: Any = 1.0, size: Any = None, generator: Any = None) -> Tensor:
    """Numbers of normal distributions with these means and standard deviations.

    >>> normal(0.0, 1.0, (2,)).shape, normal(Tensor([1.0, 2.0]), 0.5).shape
    ((2,), (2,))
    """
    if size is None:
        size = (ops.zeros_like(mean) if isinstance(mean, Tensor) else 0) + (
            ops.zeros_like(std) if isinstance(std, Tensor) else 0
        )
        size = size.shape if isinstance(size, Tensor) else ()
    return _drawn("normal", generator, ops.randn, *size) * std + mean


def bernoulli(input: Tensor, *, generator: Any = None) -> Tensor:
    """Ones with these probabilities, else zeros.

    >>> print(bernoulli(Tensor([0.0, 1.0])))
    [0. 1.]
    """
    check_tensors("bernoulli", input=input)
    return (_drawn("bernoulli", generator, ops.rand, *input.shape) < input).astype(input.dtype)


def multinomial(input: Tensor, num_samples: int, replacement: bool = False, *, generator: Any = None) -> Tensor:
    """Indices drawn with probabilities in these proportions.

    >>> multinomial(Tensor([0.5, 0.5]), 2).shape
    (2,)
    """
    return _drawn("multinomial", generator, ops.multinomial, input, num_samples, replacement).long()
