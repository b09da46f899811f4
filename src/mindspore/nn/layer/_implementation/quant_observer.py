"""Observers: what quantization-aware training puts behind weights and activations. Import them from ``quant``."""

from __future__ import annotations

import functools
from collections.abc import Callable
from typing import Any, ClassVar, NamedTuple

import numpy as np

from mindspore import ops
from mindspore._ops.nn.fake_quant import fake_quantize, learned_scale_quantize, observed_range
from mindspore._utils.checks import (
    check_bool,
    check_float_range,
    check_non_negative_int,
    check_one_of,
    check_positive_int,
    check_type,
    shown,
)
from mindspore._utils.refusals import refused
from mindspore.common import dtype as mstype
from mindspore.common.parameter import Parameter
from mindspore.common.quant_dtype import QuantDtype
from mindspore.common.tensor import Tensor
from mindspore.nn.cell import Cell


class _Factory:
    """Makes observers with some arguments given beforehand; ``partial_init`` adds more of them."""

    def __init__(self, p: functools.partial):
        self.p = p

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        return self.p(*args, **kwargs)

    def __repr__(self) -> str:
        return repr(self.p)

    def partial_init(self, **kwargs: Any) -> _Factory:
        """The same with these arguments given, too."""
        return _Factory(functools.partial(self.p, **kwargs))


class _Observer(Cell):
    """The base of observers."""

    def __init__(self, quant_dtype: QuantDtype):
        super().__init__()
        self.quant_dtype = check_type(self.cls_name, "quant_dtype", quant_dtype, QuantDtype)

    @classmethod
    def partial_init(cls, **kwargs: Any) -> _Factory:
        """What makes observers of this class with these arguments.

        Examples:
            >>> from mindspore import nn
            >>> make = nn.FakeQuantWithMinMaxObserver.partial_init(symmetric=True)
            >>> make(narrow_range=True).symmetric
            True
        """
        return _Factory(functools.partial(cls, **kwargs))

    def extend_repr(self) -> str:
        """The part of the printed form that lists the arguments."""
        return f"quant_dtype={self.quant_dtype}"


class UniformQuantObserver(_Observer):
    """The base of observers whose levels are equally far from each other."""

    min_max_map: ClassVar[dict[QuantDtype, tuple[int, int]]] = {
        **{QuantDtype[f"INT{bits}"]: (-(2 ** (bits - 1)), 2 ** (bits - 1) - 1) for bits in range(2, 9)},
        **{QuantDtype[f"UINT{bits}"]: (0, 2**bits - 1) for bits in range(2, 9)},
    }

    def __init__(
        self,
        quant_dtype: QuantDtype = QuantDtype.INT8,
        per_channel: bool = False,
        symmetric: bool = False,
        narrow_range: bool = False,
        num_channels: int = 1,
    ):
        super().__init__(quant_dtype)
        owner = self.cls_name
        if quant_dtype not in self.min_max_map:
            raise refused(
                ValueError,
                f"For '{owner}', the 'quant_dtype' must be INT2 to INT8 or UINT2 to UINT8, but got {quant_dtype}.",
            )
        self.per_channel = check_bool(owner, "per_channel", per_channel)
        self.symmetric = check_bool(owner, "symmetric", symmetric)
        self.narrow_range = check_bool(owner, "narrow_range", narrow_range)
        self.num_channels = check_positive_int(owner, "num_channels", num_channels)


class FakeQuantWithMinMaxObserver(UniformQuantObserver):
    """Round the input to levels between a minimum and a maximum; in training these follow the input.

    The gradient passes as if nothing had been rounded, and is zero where the input lies beyond the range.

    Args:
        min_init, max_init: the range at the beginning: a number, or a list with a number per channel.
        ema: whether the range follows slowly: ``ema_decay * old + (1 - ema_decay) * new``.
        ema_decay: how slowly.
        per_channel: whether each channel has a range of its own.
        channel_axis, num_channels: which axis has the channels, and how many there are.
        quant_dtype: how many bits a level has.
        symmetric: whether the range is widened until its ends differ in sign alone.
        narrow_range: whether the least level is left out.
        quant_delay: for how many steps of training the input passes unchanged (its range is observed).
        neg_trunc: whether levels are 0 or more; for 'LEARNED_SCALE'.
        mode: 'DEFAULT', or 'LEARNED_SCALE' where the maximum is a trained Parameter and the range is symmetric.

    Examples:
        >>> from mindspore import Tensor, nn
        >>> net = nn.FakeQuantWithMinMaxObserver(min_init=0, max_init=15, quant_dtype=nn.layer.quant.QuantDtype.INT4)
        >>> print(net(Tensor([[1.4, 1.6], [-2.0, 20.0]])))
        [[ 1.  2.]
         [ 0. 15.]]
        >>> y = net.set_train()(Tensor([[3.0, -1.0]]))
        >>> print(net.minq.value(), net.maxq.value())
        [-1.] [3.]
    """

    def __init__(
        self,
        min_init: float | list[Any] = -6,
        max_init: float | list[Any] = 6,
        ema: bool = False,
        ema_decay: float = 0.999,
        per_channel: bool = False,
        channel_axis: int = 1,
        num_channels: int = 1,
        quant_dtype: QuantDtype = QuantDtype.INT8,
        symmetric: bool = False,
        narrow_range: bool = False,
        quant_delay: int = 0,
        neg_trunc: bool = False,
        mode: str = "DEFAULT",
    ):
        super().__init__(quant_dtype, per_channel, symmetric, narrow_range, num_channels)
        owner = self.cls_name
        self.num_bits = quant_dtype.num_bits
        self.ema = check_bool(owner, "ema", ema)
        self.ema_decay = check_float_range(owner, "ema_decay", ema_decay, 0.0, 1.0)
        self.channel_axis = check_type(owner, "channel_axis", channel_axis, int)
        self.quant_delay = check_non_negative_int(owner, "quant_delay", quant_delay)
        self.neg_trunc = check_bool(owner, "neg_trunc", neg_trunc)
        self.mode = check_one_of(owner, "mode", mode, ("DEFAULT", "LEARNED_SCALE"))
        self.min_init, self.max_init = min_init, max_init
        self._axis = channel_axis if per_channel else None
        self._steps = Tensor(0, mstype.int32)
        low, high = self._initial_range(min_init, max_init)
        if mode == "LEARNED_SCALE":
            self._check_learned_scale()
            low = np.zeros_like(low) if neg_trunc else low
            self.minq = Parameter(Tensor(low), name="minq")
            self.maxq = Parameter(Tensor(high), name="maxq")
            self.quant_max = Parameter(Tensor([self._greatest_level()]), name="quant_max", requires_grad=False)
        else:
            self.minq = Parameter(Tensor(low), name="quant_min", requires_grad=False)
            self.maxq = Parameter(Tensor(high), name="quant_max", requires_grad=False)

    def reset(
        self,
        quant_dtype: QuantDtype = QuantDtype.INT8,
        min_init: float | list[Any] = -6,
        max_init: float | list[Any] = 6,
    ) -> None:
        """Begin again with another type and range; for 'LEARNED_SCALE'."""
        if self.mode != "LEARNED_SCALE":
            raise refused(
                ValueError, f"For '{self.cls_name}', 'reset' needs the mode 'LEARNED_SCALE', but it is {self.mode!r}."
            )
        check_type(self.cls_name, "quant_dtype", quant_dtype, QuantDtype)
        min_init = 0 if self.neg_trunc else min_init
        low, high = self._initial_range(min_init, max_init)
        self.quant_dtype, self.num_bits = quant_dtype, quant_dtype.num_bits
        self.min_init, self.max_init = min_init, max_init
        self.minq.set_data(Tensor(low))
        self.maxq.set_data(Tensor(high))
        self.quant_max.set_data(Tensor([self._greatest_level()]))

    def construct(self, x: Tensor) -> Tensor:
        """The rounded input."""
        learned = self.mode == "LEARNED_SCALE"
        if self.training:
            self._follow(x, learned)
        if learned:
            result = learned_scale_quantize(x, self.maxq, self.quant_max, self._axis, self.neg_trunc)
        else:
            result = fake_quantize(
                x, self.minq, self.maxq, self._axis, self.num_bits, self.symmetric, self.narrow_range
            )
        if self.training and self.quant_delay:
            result = ops.select(self._steps > self.quant_delay, result, x)
        return result

    def _follow(self, x: Tensor, learned: bool) -> None:
        """What changes in a step of training besides trained Parameters."""
        if self.quant_delay:
            ops.assign_add(self._steps, 1)
        if not learned:
            low, high = observed_range(x, self.minq, self.maxq, self._axis, self.ema, self.ema_decay)
            ops.assign(self.minq, low)
            ops.assign(self.maxq, high)
        elif not self.neg_trunc:
            ops.assign(self.minq, -self.maxq)

    def _initial_range(self, min_init: float | list[Any], max_init: float | list[Any]) -> tuple[np.ndarray, np.ndarray]:
        count = self.num_channels if self.per_channel else 1
        ends = []
        for name, init in (("min_init", min_init), ("max_init", max_init)):
            check_type(self.cls_name, name, init, (int, float, list))
            values = init if isinstance(init, list) else [init] * count
            if len(values) != count:
                raise refused(
                    ValueError,
                    f"For '{self.cls_name}', the '{name}' must be a number or a list of {count}, but got {shown(init)}.",
                )
            ends.append(np.array(values, np.float32))
        if not (ends[0] < ends[1]).all():
            raise refused(
                ValueError,
                f"For '{self.cls_name}', the 'max_init' must be greater than 'min_init', but got max_init: {max_init}, "
                f"min_init: {min_init}.",
            )
        return ends[0], ends[1]

    def _check_learned_scale(self) -> None:
        text = f"For '{self.cls_name}', the mode 'LEARNED_SCALE' needs "
        if not self.symmetric:
            raise ValueError(f"{text}'symmetric' to be True, but got False.")
        if self.narrow_range == self.neg_trunc:
            raise ValueError(
                f"{text}either 'narrow_range' or 'neg_trunc' to be True, but got narrow_range: {self.narrow_range}, "
                f"neg_trunc: {self.neg_trunc}."
            )

    def _greatest_level(self) -> float:
        return float(2 ** (self.num_bits if self.neg_trunc else self.num_bits - 1) - 1)

    def extend_repr(self) -> str:
        """The part of the printed form that lists the arguments."""
        return (
            f"quant_dtype={self.quant_dtype}, symmetric={self.symmetric}, narrow_range={self.narrow_range}, "
            f"ema={self.ema}({self.ema_decay}), per_channel={self.per_channel}({self.channel_axis}, {self.num_channels}), "
            f"quant_delay={self.quant_delay}, min_init={self.min_init}, max_init={self.max_init}"
        )


class QuantConfig(NamedTuple):
    """What makes the observers of weights and of activations."""

    weight: Callable[..., Cell]
    activation: Callable[..., Cell]


quant_config_default = QuantConfig(
    FakeQuantWithMinMaxObserver.partial_init(), FakeQuantWithMinMaxObserver.partial_init()
)


def observer_of_weight(owner: str, config: Any, channels: int, quant_dtype: QuantDtype) -> Cell:
    """The observer of a weight whose first axis has the channels."""
    make = _maker(owner, config, "weight")
    return make(channel_axis=0, num_channels=channels, **_unless_default(owner, quant_dtype))


def observer_of_activation(owner: str, config: Any, quant_dtype: QuantDtype, **options: Any) -> Cell:
    """The observer of an activation."""
    return _maker(owner, config, "activation")(**options, **_unless_default(owner, quant_dtype))


def _maker(owner: str, config: Any, kind: str) -> Callable[..., Any]:
    make = getattr(config, kind, None)
    if not callable(make):
        raise refused(
            TypeError,
            f"For '{owner}', the 'quant_config' must be a QuantConfig, whose '{kind}' makes observers, but got "
            f"{shown(config)}.",
        )
    return make


def _unless_default(owner: str, quant_dtype: QuantDtype) -> dict[str, QuantDtype]:
    """A layer's own type counts before that of the configuration, when it is not the default."""
    check_type(owner, "quant_dtype", quant_dtype, QuantDtype)
    return {} if quant_dtype is QuantDtype.INT8 else {"quant_dtype": quant_dtype}
