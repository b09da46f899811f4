"""Primitive classes of quantization-aware training: they observe ranges, round, and fold batch normalization into weights."""

from __future__ import annotations

from typing import Any, ClassVar

from mindspore._engine.base import dtype as dtypes
from mindspore._engine.operator.primitive import Primitive
from mindspore._engine.tensor.tensor import Tensor
from mindspore._ops.effects.state import assign, assign_add
from mindspore._ops.nn.fake_quant import fake_quantize, learned_scale_quantize, observed_range
from mindspore._utils.checks import check_bool, check_float_range, check_int, check_non_negative_int, check_type

_BITS = (4, 7, 8)


class _Quantization(Primitive):
    """A Primitive whose constructor checks and shows its arguments."""

    def _show(self, **attributes: Any) -> None:
        for name, value in attributes.items():
            if isinstance(value, bool) or name in (
                "ema",
                "symmetric",
                "narrow_range",
                "training",
                "neg_trunc",
                "is_training",
            ):
                check_bool(self.name, name, value)
            elif name in ("quant_delay", "channel_axis", "freeze_bn"):
                check_non_negative_int(self.name, name, value)
            self.add_prim_attr(name, value)

    def _check_average(self, ema: bool, ema_decay: float) -> None:
        check_float_range(self.name, "ema_decay", ema_decay, 0.0, 1.0)
        if ema and not ema_decay:
            raise ValueError(
                f"For '{self.name}', the 'ema_decay' must be above 0 where 'ema' is True, but got {ema_decay}."
            )


class MinMaxUpdatePerLayer(_Quantization):
    """The range of ``x``, 0 included; with ``ema`` it moves there slowly from the range before."""

    def __init__(self, ema: bool = False, ema_decay: float = 0.999):
        super().__init__()
        self._check_average(ema, ema_decay)
        self._show(ema=ema, ema_decay=ema_decay)

    def __call__(self, x: Tensor, min: Tensor, max: Tensor) -> tuple[Tensor, Tensor]:
        return observed_range(x, min, max, None, self.ema, self.ema_decay)


class MinMaxUpdatePerChannel(_Quantization):
    """The ranges of the channels of ``x``, 0 included; with ``ema`` they move there slowly from the ranges before."""

    def __init__(self, ema: bool = False, ema_decay: float = 0.999, channel_axis: int = 1):
        super().__init__()
        self._check_average(ema, ema_decay)
        self._show(ema=ema, ema_decay=ema_decay, channel_axis=channel_axis)

    def __call__(self, x: Tensor, min: Tensor, max: Tensor) -> tuple[Tensor, Tensor]:
        return observed_range(x, min, max, self.channel_axis, self.ema, self.ema_decay)


class _Delayed(_Quantization):
    """In training, the first ``quant_delay`` calls give back what they get."""

    _axis: int | None = None

    def _count_calls(self) -> None:
        self._calls = Tensor(0, dtypes.int32)

    def _after_delay(self, x: Tensor, rounded: Tensor) -> Tensor:
        if not (self.training and self.quant_delay):
            return rounded
        assign_add(self._calls, 1)
        begun = (self._calls > self.quant_delay).astype(x.dtype)
        return rounded * begun + x * (1 - begun)


class FakeQuantPerLayer(_Delayed):
    """``x`` rounded to the levels that ``num_bits`` bits have between ``min`` and ``max``.

    Examples:
        >>> from mindspore import Tensor
        >>> from mindspore.ops.operations import _quant_ops
        >>> fake_quant = _quant_ops.FakeQuantPerLayer(num_bits=4)
        >>> print(fake_quant(Tensor([1.4, 1.6, 20.0]), Tensor([0.0]), Tensor([15.0])))
        [ 1.  2. 15.]
    """

    support_quant_bit: ClassVar[list[int]] = list(_BITS)

    def __init__(self, num_bits: int = 8, ema: bool = False, ema_decay: float = 0.999, quant_delay: int = 0,
                 symmetric: bool = False, narrow_range: bool = False, training: bool = True, **channel: int):  # fmt: skip
        super().__init__()
        if num_bits not in _BITS:
            raise ValueError(f"For '{self.name}', the 'num_bits' must be one of {_BITS}, but got {num_bits!r}.")
        self._check_average(ema, ema_decay)
        self._show(num_bits=num_bits, ema=ema, ema_decay=ema_decay, quant_delay=quant_delay, symmetric=symmetric,
                   narrow_range=narrow_range, training=training, **channel)  # fmt: skip
        self._count_calls()

    def __call__(self, x: Tensor, min: Tensor, max: Tensor) -> Tensor:
        rounded = fake_quantize(x, min, max, self._axis, self.num_bits, self.symmetric, self.narrow_range)
        return self._after_delay(x, rounded)


class FakeQuantPerChannel(FakeQuantPerLayer):
    """:class:`FakeQuantPerLayer` with a range for each channel."""

    def __init__(self, num_bits: int = 8, ema: bool = False, ema_decay: float = 0.999, quant_delay: int = 0,
                 symmetric: bool = False, narrow_range: bool = False, training: bool = True, channel_axis: int = 1):  # fmt: skip
        super().__init__(
            num_bits, ema, ema_decay, quant_delay, symmetric, narrow_range, training, channel_axis=channel_axis
        )
        self._axis = channel_axis


class FakeLearnedScaleQuantPerLayer(_Delayed):
    """``input_x`` rounded in parts of ``alpha / quant_max``, between ``-alpha`` (0 with ``neg_trunc``) and ``alpha``."""

    def __init__(self, quant_delay: int = 0, neg_trunc: bool = False, training: bool = True):
        super().__init__()
        self._show(quant_delay=quant_delay, neg_trunc=neg_trunc, training=training)
        self._count_calls()

    def __call__(self, input_x: Tensor, alpha: Tensor, quant_max: Tensor) -> Tensor:
        rounded = learned_scale_quantize(input_x, alpha, quant_max, self._axis, self.neg_trunc)
        return self._after_delay(input_x, rounded)


class FakeLearnedScaleQuantPerChannel(FakeLearnedScaleQuantPerLayer):
    """:class:`FakeLearnedScaleQuantPerLayer` with an ``alpha`` for each channel."""

    def __init__(self, quant_delay: int = 0, neg_trunc: bool = False, training: bool = True, channel_axis: int = 1):
        super().__init__(quant_delay, neg_trunc, training)
        self._show(channel_axis=channel_axis)
        self._axis = channel_axis


class FakeQuantParam(_Quantization):
    """The input as it is, with what a converter must know of its quantization as attributes."""

    attr_key_linear_quant_scale = "linear_quant_scale"
    attr_key_linear_quant_zero_point = "linear_quant_zero_point"
    attr_value_linear_quant_algo_name = "linear_quant_algo"

    def __init__(self, quant_dtype: Any, quant_algo_name: str, is_per_channel: bool, **kwargs: Any):
        super().__init__()
        check_type(self.name, "quant_algo_name", quant_algo_name, str)
        check_bool(self.name, "is_per_channel", is_per_channel)
        self._show(quant_dtype=quant_dtype.value(), quant_algo_name=quant_algo_name, is_per_channel=is_per_channel,
                   kwargs=kwargs, **kwargs)  # fmt: skip

    @classmethod
    def linear_quant_param(
        cls, quant_dtype: Any, scale: Any, zp: Any, is_per_channel: bool = False, **kwargs: Any
    ) -> FakeQuantParam:
        """Of a quantization by scale and zero point."""
        lists = {cls.attr_key_linear_quant_scale: scale, cls.attr_key_linear_quant_zero_point: zp}
        kwargs |= {name: value if isinstance(value, list) else [value] for name, value in lists.items()}
        return cls(quant_dtype, cls.attr_value_linear_quant_algo_name, is_per_channel, **kwargs)

    def __call__(self, input_x: Tensor) -> Tensor:
        return input_x


# -- batch normalization as a part of weights --------------------------------------------------------------------------
def _along(vector: Tensor, rank: int, axis: int) -> Tensor:
    """A vector that broadcasts along an axis."""
    return vector.reshape(*(-1 if dim == axis else 1 for dim in range(rank)))


class CorrectionMul(_Quantization):
    """A weight times ``batch_std / running_std``, channel by channel."""

    def __init__(self, channel_axis: int = 0):
        super().__init__()
        check_int(self.name, "channel_axis", channel_axis)
        self._show(channel_axis=channel_axis)

    def __call__(self, x: Tensor, batch_std: Tensor, running_std: Tensor) -> Tensor:
        return x * _along(batch_std / running_std, x.ndim, self.channel_axis)


class BatchNormFold(_Quantization):
    """Mean and deviation of a batch, then the moving mean and deviation; the moving ones take the batch in.

    From the step ``freeze_bn`` on, and outside training, the batch counts as having mean 0 and deviation 1.
    """

    channel_axis = 1

    def __init__(self, momentum: float = 0.9, epsilon: float = 1e-5, is_training: bool = True, freeze_bn: int = 0):
        super().__init__()
        for name, value in (("momentum", momentum), ("epsilon", epsilon)):
            check_type(self.name, name, value, float)
        self._show(momentum=check_float_range(self.name, "momentum", momentum, 0.0, 1.0), epsilon=epsilon,
                   is_training=is_training, freeze_bn=freeze_bn)  # fmt: skip

    def __call__(self, x: Tensor, mean: Tensor, variance: Tensor, global_step: Tensor) -> tuple[Tensor, ...]:
        running_mean, running_std = mean * 1.0, (variance + self.epsilon).sqrt()
        live = (global_step.reshape(()) < self.freeze_bn).astype(x.dtype) * self.is_training
        axes = tuple(axis for axis in range(x.ndim) if axis != self.channel_axis)
        batch_mean = x.mean(axes)
        batch_variance = ((x - _along(batch_mean, x.ndim, self.channel_axis)) ** 2).mean(axes)
        step = live * (1 - self.momentum)
        for moving, now in ((mean, batch_mean), (variance, batch_variance)):
            assign(moving, moving + (now - moving) * step)
        batch_std = (batch_variance + self.epsilon).sqrt()
        return batch_mean * live, batch_std * live + (1 - live), running_mean, running_std


class BatchNormFold2(_Quantization):
    """What a convolution with a folded weight still lacks: scale and offset of the batch, or of the moving statistics."""

    channel_axis = 1

    def __init__(self, freeze_bn: int = 0):
        super().__init__()
        self._show(freeze_bn=freeze_bn)

    def __call__(self, x: Tensor, beta: Tensor, gamma: Tensor, batch_std: Tensor, batch_mean: Tensor,
                 running_std: Tensor, running_mean: Tensor, global_step: Tensor) -> Tensor:  # fmt: skip
        live = (global_step.reshape(()) < self.freeze_bn).astype(x.dtype)
        scale = live * (running_std / batch_std) + (1 - live)
        offset = beta - gamma * (live * (batch_mean / batch_std) + (1 - live) * (running_mean / running_std))
        return x * _along(scale, x.ndim, self.channel_axis) + _along(offset, x.ndim, self.channel_axis)


class BatchNormFold2D(BatchNormFold2):
    """:class:`BatchNormFold2` by the statistics of the batch, whatever the step."""

    def __call__(  # type: ignore[override] - other inputs
        self, x: Tensor, beta: Tensor, gamma: Tensor, batch_std: Tensor, batch_mean: Tensor, running_std: Tensor
    ) -> Tensor:
        scale, offset = running_std / batch_std, beta - gamma * batch_mean / batch_std
        return x * _along(scale, x.ndim, self.channel_axis) + _along(offset, x.ndim, self.channel_axis)


class BatchNormFoldD(BatchNormFold):
    """:class:`BatchNormFold` from the sums of a batch and of its squares; gives the moved averages back, behind the input."""

    def __call__(  # type: ignore[override] - other inputs
        self, x: Tensor, x_sum: Tensor, x_square_sum: Tensor, mean: Tensor, variance: Tensor
    ) -> tuple[Tensor, ...]:
        count = x.size // x.shape[self.channel_axis]
        batch_mean = x_sum / count
        batch_variance = x_square_sum / count - batch_mean * batch_mean
        moved = [
            old * self.momentum + now * (1 - self.momentum)
            for old, now in ((mean, batch_mean), (variance, batch_variance))
        ]
        return (
            x,
            batch_mean,
            (batch_variance + self.epsilon).sqrt(),
            mean * 1.0,
            (variance + self.epsilon).sqrt(),
            *moved,
        )
