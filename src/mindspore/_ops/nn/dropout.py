"""Dropout and the other random layers of a network."""

from __future__ import annotations

from typing import Any

from mindspore._engine.operator.registry import register_function, register_primitive
from mindspore._engine.tensor.tensor import Tensor
from mindspore._ops.declaring import random_samples as samples
from mindspore._ops.declaring.random_keys import RandomPrimitive, draw
from mindspore._utils import checks
from mindspore._utils.compat.old_names import old_names


@old_names(x="input", seed0="seed", seed1=None)  # a seed is enough
def dropout(input: Tensor, p: float = 0.5, training: bool = True, seed: int | None = None) -> Tensor:
    """Set elements to 0 with probability ``p`` and divide the others by ``1 - p``; the input itself outside training.

    Examples:
        >>> from mindspore import ops
        >>> print(sorted(set(ops.dropout(ops.ones((100,)), 0.5).tolist())))
        [0.0, 2.0]
    """
    checks.check_float_range("dropout", "p", p, 0.0, 1.0, include_high=False)
    checks.check_bool("dropout", "training", training)
    checks.check_type("dropout", "input", input, Tensor)
    if seed is not None:
        checks.check_non_negative_int("dropout", "seed", seed)
    if not training or p == 0:
        return input
    return draw("dropout", seed, samples.dropout, input, 1.0 - p)[0]


def _drop_channels(owner: str, input: Tensor, p: float, training: bool, ranks: tuple[int, ...]) -> Tensor:
    """Drop whole channels: everything behind the first two axes, or behind the first if there is no batch."""
    checks.check_float_range(owner, "p", p, 0.0, 1.0)
    checks.check_bool(owner, "training", training)
    checks.check_type(owner, "input", input, Tensor)
    if input.ndim not in ranks:
        allowed = " or ".join(map(str, ranks))
        raise ValueError(f"For '{owner}', the 'input' must have {allowed} dimensions, but got shape {input.shape}.")
    if not training or p == 0:
        return input
    leading = input.ndim - (ranks[-1] - 2)  # batch and channel, or the channel alone
    return draw(owner, None, samples.dropout, input, 1.0 - p, leading)[0]


def dropout1d(input: Tensor, p: float = 0.5, training: bool = True) -> Tensor:
    """Set whole channels of (N, C, L) or (C, L) to 0 with probability ``p`` and divide the others by ``1 - p``.

    Examples:
        >>> from mindspore import ops
        >>> print(ops.dropout1d(ops.ones((2, 3, 4))).shape)
        (2, 3, 4)
    """
    return _drop_channels("dropout1d", input, p, training, (2, 3))


@old_names(x="input")
def dropout2d(input: Tensor, p: float = 0.5, training: bool = True) -> Tensor:
    """Set whole channels of (N, C, H, W) to 0 with probability ``p`` and divide the others by ``1 - p``.

    Examples:
        >>> from mindspore import ops
        >>> print(ops.dropout2d(ops.ones((2, 3, 4, 4))).shape)
        (2, 3, 4, 4)
    """
    return _drop_channels("dropout2d", input, p, training, (4,))


@old_names(x="input")
def dropout3d(input: Tensor, p: float = 0.5, training: bool = True) -> Tensor:
    """Set whole channels of (N, C, D, H, W) to 0 with probability ``p`` and divide the others by ``1 - p``.

    Examples:
        >>> from mindspore import ops
        >>> print(ops.dropout3d(ops.ones((2, 3, 4, 4, 4))).shape)
        (2, 3, 4, 4, 4)
    """
    return _drop_channels("dropout3d", input, p, training, (5,))


def rrelu(input: Tensor, lower: float = 1 / 8, upper: float = 1 / 3) -> Tensor:
    """The input where not negative, a random fraction between ``lower`` and ``upper`` of it elsewhere.

    Examples:
        >>> from mindspore import Tensor, ops
        >>> print(ops.rrelu(Tensor([-4.0, 2.0]), 0.5, 0.5))
        [-2.  2.]
    """
    return draw("rrelu", None, samples.rrelu, input, lower, upper)


def gumbel_softmax(logits: Tensor, tau: float = 1.0, hard: bool = False, dim: int = -1) -> Tensor:
    """The softmax of logits with Gumbel noise: a differentiable draw of a class; ``hard`` makes it one-hot.

    Examples:
        >>> from mindspore import Tensor, ops
        >>> print(ops.gumbel_softmax(Tensor([[-100.0, 100.0]]), hard=True))
        [[0. 1.]]
    """
    return draw("gumbel_softmax", None, samples.gumbel_softmax, logits, tau, hard, dim)


for _function in (dropout, dropout1d, dropout2d, dropout3d, rrelu, gumbel_softmax):
    register_function(_function)


@register_primitive
class Dropout(RandomPrimitive):
    """Set elements to 0 and divide those kept by ``keep_prob``; returns the result and the mask of ones and zeros.

    Examples:
        >>> from mindspore import ops
        >>> result, mask = ops.Dropout(keep_prob=0.5)(ops.ones((100,)))
        >>> print(bool((result == mask * 2).all()))
        True
    """

    def __init__(self, keep_prob: float = 0.5, Seed0: int = 0, Seed1: int = 0):
        checks.check_float_range("Dropout", "keep_prob", keep_prob, 0.0, 1.0, include_low=False)
        super().__init__(Seed0, Seed1, ("Seed0", "Seed1"), keep_prob=keep_prob)

    def __call__(self, x: Tensor) -> tuple[Tensor, Tensor]:
        result, kept = self.draw(samples.dropout, x, self.keep_prob)
        return result, kept.astype(result.dtype)


class _ChannelDropoutPrimitive(RandomPrimitive):
    """Set whole channels to 0 and divide those kept by ``keep_prob``; returns the result and the mask."""

    ndim: int

    def __init__(self, keep_prob: float = 0.5):
        checks.check_float_range(type(self).__name__, "keep_prob", keep_prob, 0.0, 1.0)
        super().__init__(keep_prob=keep_prob)

    def __call__(self, x: Any) -> tuple[Tensor, Tensor]:
        if isinstance(x, Tensor) and x.ndim != self.ndim:
            raise ValueError(f"For '{self.name}', the 'x' must have {self.ndim} dimensions, but got shape {x.shape}.")
        return self.draw(samples.dropout, x, self.keep_prob, 2)


@register_primitive
class Dropout2D(_ChannelDropoutPrimitive):
    """Set whole channels of (N, C, H, W) to 0, divide those kept by ``keep_prob``; returns the result and the mask.

    Examples:
        >>> from mindspore import ops
        >>> output, mask = ops.Dropout2D(keep_prob=0.5)(ops.ones((1, 4, 2, 2)))
        >>> print(output.shape, mask.shape)
        (1, 4, 2, 2) (1, 4, 2, 2)
    """

    ndim = 4


@register_primitive
class Dropout3D(_ChannelDropoutPrimitive):
    """Set whole channels of (N, C, D, H, W) to 0, divide those kept by ``keep_prob``; returns result and mask.

    Examples:
        >>> from mindspore import ops
        >>> output, mask = ops.Dropout3D(keep_prob=0.5)(ops.ones((1, 4, 2, 2, 2)))
        >>> print(output.shape, mask.shape)
        (1, 4, 2, 2, 2) (1, 4, 2, 2, 2)
    """

    ndim = 5


@register_primitive
class DropoutGenMask(RandomPrimitive):
    """A mask of one bit per element, for DropoutDoMask.

    Examples:
        >>> from mindspore import ops
        >>> mask = ops.DropoutGenMask()((4, 5), 0.5)
        >>> print(ops.DropoutDoMask()(ops.ones((4, 5)), mask, 0.5).shape)
        (4, 5)
    """

    def __init__(self, Seed0: int = 0, Seed1: int = 0):
        super().__init__(Seed0, Seed1, ("Seed0", "Seed1"))

    def __call__(self, shape: Any, keep_prob: Any) -> Tensor:
        return self.draw(samples.dropout_gen_mask, shape, keep_prob)
