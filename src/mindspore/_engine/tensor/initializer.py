"""Initializers of tensors.

An initializer fills a NumPy array in place. Random ones draw one 64-bit seed from NumPy's global generator when they
fill (so ``mindspore.set_seed`` decides it) and expand it with MindSpore's own generator, see ``_utils/philox.py``.
"""

from __future__ import annotations

import difflib
import math
import numbers
from collections.abc import Callable
from contextvars import ContextVar
from typing import Any, TypeVar

import numpy as np

from mindspore._engine.base.dtype import DType
from mindspore._utils import philox
from mindspore._utils.fan import calculate_fan_in_and_fan_out, calculate_gain, fan_of_mode
from mindspore._utils.hints import ChecksArguments

BY_NAME: dict[str, type[Initializer]] = {}
_Kind = TypeVar("_Kind", bound="Initializer")
_fixed_seed: ContextVar[int | None] = ContextVar("fixed_seed", default=None)


class Initializer(ChecksArguments):
    """The base class of initializers. A subclass overrides ``_initialize`` and fills the array it gets, in place.

    Examples:
        >>> from mindspore.common.initializer import Initializer, initializer
        >>> class Ramp(Initializer):
        ...     def _initialize(self, arr):
        ...         arr[:] = range(len(arr))
        >>> initializer(Ramp(), [3]).init_data().asnumpy().tolist()
        [0.0, 1.0, 2.0]
    """

    def __init__(self, **kwargs: Any):
        self._kwargs = kwargs

    _seed: int | None = None

    @property
    def seed(self) -> int | None:
        """The seed of every fill; None while NumPy's global generator draws one for each."""
        return self._seed

    @seed.setter
    def seed(self, value: int | None) -> None:
        self._seed = value

    def _initialize(self, arr: np.ndarray) -> None:
        raise NotImplementedError(
            f"For '{type(self).__name__}', define '_initialize(self, arr)' in the subclass; it fills 'arr' in place."
        )

    def __call__(self, arr: np.ndarray) -> None:
        if self._seed is None:
            return self._initialize(arr)
        before = _fixed_seed.set(self._seed)
        try:
            return self._initialize(arr)
        finally:
            _fixed_seed.reset(before)

    def __repr__(self) -> str:
        arguments = ", ".join(f"{name}={value!r}" for name, value in vars(self).items() if not name.startswith("_"))
        return f"{type(self).__name__}({arguments})"

    def materialise(self, shape: tuple[int, ...], dtype: DType) -> np.ndarray:
        """A new array of that shape and dtype, filled."""
        array = np.zeros(shape, dtype.np_dtype)
        self(array)
        return array


def register(*aliases: str) -> Callable[[type[_Kind]], type[_Kind]]:
    """Let ``initializer`` find the decorated class by its name in lower case, and by these names."""

    def add(cls: type[_Kind]) -> type[_Kind]:
        for name in (cls.__name__, *aliases):
            BY_NAME[name.lower()] = cls
        return cls

    return add


def to_initializer(init: Any) -> Initializer:
    """Resolve an Initializer, a name such as ``'normal'``, or a number (a constant)."""
    if isinstance(init, Initializer):
        return init
    if isinstance(init, str):
        if init.lower() not in BY_NAME:
            near = difflib.get_close_matches(init.lower(), BY_NAME, n=1)
            hint = f"Did you mean '{near[0]}'?" if near else f"Known names: {', '.join(sorted(BY_NAME))}."
            raise ValueError(f"For 'initializer', the class corresponding to '{init}' was not found. {hint}")
        return BY_NAME[init.lower()]()
    if isinstance(init, numbers.Number):
        return Constant(init)
    raise TypeError(
        "For 'initializer', the type of the 'init' argument should be 'Tensor', 'number', 'string' or 'initializer', "
        f"but got {type(init)}."
    )


def number(owner: str, name: str, value: Any) -> Any:
    """A Python scalar; arrays and tensors of one element are converted."""
    if isinstance(value, numbers.Number):
        return value
    if getattr(value, "size", None) == 1:
        return value.item()
    raise TypeError(f"For '{owner}', the '{name}' must be a number, but got {value!r} of type {type(value).__name__}.")


def deviation(owner: str, sigma: Any) -> Any:
    """Validate a standard deviation."""
    sigma = number(owner, "sigma", sigma)
    if sigma < 0:
        raise ValueError(f"For '{owner}', the 'sigma' must not be negative, but got {sigma}.")
    return sigma


def draw_seed() -> int:
    """The seed of one fill: that of the initializer at work if it has one, or drawn from NumPy's global generator."""
    fixed = _fixed_seed.get()
    if fixed is not None:
        return fixed
    return int(np.random.randint(1, 2**63, dtype=np.int64))


def fill_uniform(arr: np.ndarray, bound: float) -> None:
    """Fill with values between ``-bound`` and ``bound``."""
    arr[...] = philox.uniform(draw_seed(), arr.size, -bound, bound).reshape(arr.shape)


def fill_normal(arr: np.ndarray, mean: float, sigma: float) -> None:
    """Fill with normal values."""
    arr[...] = philox.normal(draw_seed(), arr.size, mean, sigma).reshape(arr.shape)


@register("zeros")
class Zero(Initializer):
    """All zeros. Also known as ``'zeros'`` and ``'zero'``.

    Examples:
        >>> from mindspore.common.initializer import initializer, Zero
        >>> print(initializer(Zero(), [2]).init_data())
        [0. 0.]
    """

    def _initialize(self, arr: np.ndarray) -> None:
        arr[...] = 0


@register("ones")
class One(Initializer):
    """All ones. Also known as ``'ones'`` and ``'one'``.

    Examples:
        >>> from mindspore.common.initializer import initializer
        >>> print(initializer('ones', [2]).init_data())
        [1. 1.]
    """

    def _initialize(self, arr: np.ndarray) -> None:
        arr[...] = 1


class Constant(Initializer):
    """One number everywhere.

    Examples:
        >>> from mindspore.common.initializer import initializer, Constant
        >>> print(initializer(Constant(3), [2]).init_data())
        [3. 3.]
    """

    def __init__(self, value: Any):
        super().__init__(value=value)
        self.value = number("Constant", "value", value)

    def _initialize(self, arr: np.ndarray) -> None:
        arr[...] = self.value


@register()
class Uniform(Initializer):
    """Uniform between ``-scale`` and ``scale``. Also known as ``'uniform'``.

    Examples:
        >>> import mindspore
        >>> from mindspore.common.initializer import initializer, Uniform
        >>> mindspore.set_seed(1)
        >>> print(initializer(Uniform(0.5), [3]).init_data())
        [ 0.29152092 -0.25549805  0.17558618]
    """

    def __init__(self, scale: float = 0.07):
        super().__init__(scale=scale)
        self.scale = number("Uniform", "scale", scale)

    def _initialize(self, arr: np.ndarray) -> None:
        fill_uniform(arr, self.scale)


@register()
class Normal(Initializer):
    """The normal distribution with deviation ``sigma`` around ``mean``. Also known as ``'normal'``.

    Examples:
        >>> import mindspore
        >>> from mindspore.common.initializer import initializer, Normal
        >>> mindspore.set_seed(1)
        >>> print(initializer(Normal(0.01), [3]).init_data())
        [0.00653037 0.01509193 0.00264736]
    """

    def __init__(self, sigma: float = 0.01, mean: float = 0.0):
        super().__init__(sigma=sigma, mean=mean)
        self.sigma = deviation("Normal", sigma)
        self.mean = number("Normal", "mean", mean)

    def _initialize(self, arr: np.ndarray) -> None:
        fill_normal(arr, self.mean, self.sigma)


@register()
class TruncatedNormal(Initializer):
    """The normal distribution without the values below ``a`` and above ``b``. Also known as ``'truncatednormal'``.

    ``a`` and ``b`` are values, not multiples of ``sigma``: to cut at two deviations pass ``a=-2*sigma, b=2*sigma``.

    Examples:
        >>> from mindspore.common.initializer import initializer, TruncatedNormal
        >>> weight = initializer(TruncatedNormal(sigma=1.0, a=-0.5, b=0.5), [100]).init_data().asnumpy()
        >>> bool(abs(weight).max() <= 0.5)
        True
    """

    def __init__(self, sigma: float = 0.01, mean: float = 0.0, a: float = -2.0, b: float = 2.0):
        super().__init__(sigma=sigma, mean=mean, a=a, b=b)
        self.sigma = deviation("TruncatedNormal", sigma)
        if self.sigma == 0:
            raise ValueError(
                "For 'TruncatedNormal', the 'sigma' must be greater than 0, but got 0. Use Constant instead."
            )
        self.mean = number("TruncatedNormal", "mean", mean)
        self.a, self.b = number("TruncatedNormal", "a", a), number("TruncatedNormal", "b", b)

    def _initialize(self, arr: np.ndarray) -> None:
        values = philox.truncated_normal(draw_seed(), arr.size, self.mean, self.sigma, self.a, self.b)
        arr[...] = values.reshape(arr.shape)


class _Xavier(Initializer):
    """Shared base of the Glorot initializers."""

    def __init__(self, gain: float = 1):
        super().__init__(gain=gain)
        self.gain = number(type(self).__name__, "gain", gain)

    def _sigma(self, arr: np.ndarray) -> float:
        return self.gain * math.sqrt(2.0 / sum(calculate_fan_in_and_fan_out(arr.shape)))


@register("xavier_uniform")
class XavierUniform(_Xavier):
    """Uniform in ±gain·sqrt(6 / (fan_in + fan_out)). Also known as ``'xavier_uniform'``.

    Examples:
        >>> from mindspore.common.initializer import initializer, XavierUniform
        >>> initializer(XavierUniform(), [2, 3]).shape
        (2, 3)
    """

    def _initialize(self, arr: np.ndarray) -> None:
        fill_uniform(arr, math.sqrt(3.0) * self._sigma(arr))


@register("xavier_normal")
class XavierNormal(_Xavier):
    """Normal with deviation gain·sqrt(2 / (fan_in + fan_out)). Also known as ``'xavier_normal'``.

    Examples:
        >>> from mindspore.common.initializer import initializer, XavierNormal
        >>> initializer(XavierNormal(), [2, 3]).shape
        (2, 3)
    """

    def _initialize(self, arr: np.ndarray) -> None:
        fill_normal(arr, 0.0, self._sigma(arr))


class _He(Initializer):
    """Shared base of the He initializers."""

    def __init__(self, negative_slope: float = 0, mode: str = "fan_in", nonlinearity: str = "leaky_relu"):
        super().__init__(negative_slope=negative_slope, mode=mode, nonlinearity=nonlinearity)
        self.negative_slope, self.mode, self.nonlinearity = negative_slope, mode, nonlinearity
        # Validate eagerly, not when the weight is filled.
        calculate_gain(nonlinearity, negative_slope)
        fan_of_mode((1, 1), mode)

    def _sigma(self, arr: np.ndarray) -> float:
        fan = fan_of_mode(arr.shape, self.mode)
        return calculate_gain(self.nonlinearity, self.negative_slope) / math.sqrt(fan)


@register("he_uniform")
class HeUniform(_He):
    """Uniform in ±sqrt(3)·gain / sqrt(fan). Also known as ``'he_uniform'``.

    Args:
        negative_slope: the slope of ``'leaky_relu'`` below zero; other nonlinearities do not use it.
        mode: ``'fan_in'`` keeps the variance of the forward pass, ``'fan_out'`` that of the backward pass.
        nonlinearity: what follows the layer: ``'relu'``, ``'leaky_relu'``, ``'tanh'``, ``'sigmoid'`` or ``'linear'``.

    Examples:
        >>> from mindspore.common.initializer import initializer, HeUniform
        >>> initializer(HeUniform(mode='fan_out', nonlinearity='relu'), [8, 3, 3, 3]).shape
        (8, 3, 3, 3)
    """

    def _initialize(self, arr: np.ndarray) -> None:
        fill_uniform(arr, math.sqrt(3.0) * self._sigma(arr))


@register("he_normal")
class HeNormal(_He):
    """Normal with deviation gain / sqrt(fan). Also known as ``'he_normal'``. The arguments are those of HeUniform.

    Examples:
        >>> from mindspore.common.initializer import initializer, HeNormal
        >>> initializer(HeNormal(nonlinearity='relu'), [2, 3]).shape
        (2, 3)
    """

    def _initialize(self, arr: np.ndarray) -> None:
        fill_normal(arr, 0.0, self._sigma(arr))


@register()
class VarianceScaling(Initializer):
    """Values whose variance is ``scale`` / fan. Also known as ``'variancescaling'``.

    Args:
        scale: the factor, greater than 0.
        mode: the fan to divide by: ``'fan_in'``, ``'fan_out'`` or their mean ``'fan_avg'``.
        distribution: ``'untruncated_normal'``, ``'uniform'`` or ``'truncated_normal'``. The last one draws uniform
            values too, as it does in every version of MindSpore.

    Examples:
        >>> from mindspore.common.initializer import initializer, VarianceScaling
        >>> initializer(VarianceScaling(2.0, 'fan_avg', 'uniform'), [2, 3]).shape
        (2, 3)
    """

    def __init__(self, scale: float = 1.0, mode: str = "fan_in", distribution: str = "truncated_normal"):
        super().__init__(scale=scale, mode=mode, distribution=distribution)
        self.scale, self.mode, self.distribution = number("VarianceScaling", "scale", scale), mode, distribution
        if self.scale <= 0:
            raise ValueError(f"For 'VarianceScaling', the 'scale' must be greater than 0, but got {scale}.")
        for name, allowed in (("mode", ("fan_in", "fan_out", "fan_avg")),
                              ("distribution", ("uniform", "truncated_normal", "untruncated_normal"))):  # fmt: skip
            given = getattr(self, name)
            if given not in allowed:
                raise ValueError(
                    f"For 'VarianceScaling', the '{name}' must be one of {list(allowed)}, but got {given!r}."
                )

    def _initialize(self, arr: np.ndarray) -> None:
        fan_in, fan_out = calculate_fan_in_and_fan_out(arr.shape)
        fan = {"fan_in": fan_in, "fan_out": fan_out, "fan_avg": (fan_in + fan_out) / 2}[self.mode]
        if self.distribution == "untruncated_normal":
            fill_normal(arr, 0.0, math.sqrt(self.scale / fan))
        else:
            fill_uniform(arr, math.sqrt(3.0 * self.scale / fan))
