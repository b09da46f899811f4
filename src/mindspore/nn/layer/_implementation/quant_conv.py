"""Convolutions of quantization-aware training. Import them from ``quant``."""

from __future__ import annotations

from typing import Any

from mindspore import ops
from mindspore._utils.checks import check_bool, check_float_range, check_non_negative_int
from mindspore.common import dtype as mstype
from mindspore.common.initializer import initializer
from mindspore.common.parameter import Parameter
from mindspore.common.quant_dtype import QuantDtype
from mindspore.common.tensor import Tensor
from mindspore.nn.cell import Cell
from mindspore.nn.layer._implementation.batch_norm import BatchNorm2d
from mindspore.nn.layer._implementation.conv_base import _Conv, spatial_sizes
from mindspore.nn.layer._implementation.quant_observer import QuantConfig, observer_of_weight, quant_config_default

Sizes = int | tuple[int, int]


class _QuantConv(_Conv):
    """A convolution of images whose weight has an observer."""

    def _begin(
        self, in_channels: int, out_channels: int, kernel_size: Sizes, stride: Sizes, pad_mode: str, padding: Any,
        dilation: Sizes, group: int, has_bias: bool, weight_init: Any, bias_init: Any,
    ) -> None:  # fmt: skip
        owner = type(self).__name__
        kernel, steps, gaps = spatial_sizes(owner, 2, kernel_size, stride, dilation)
        _Conv.__init__(self, in_channels, out_channels, kernel, steps, pad_mode, padding, gaps, group, has_bias,
                       weight_init, bias_init)  # fmt: skip
        self.conv = ops.Conv2D(out_channels, kernel, 1, pad_mode, self.padding, steps, gaps, group)
        self.bias_add = ops.BiasAdd()

    def _observe(self, quant_config: QuantConfig, quant_dtype: QuantDtype) -> None:
        self.fake_quant_weight = observer_of_weight(self.cls_name, quant_config, self.out_channels, quant_dtype)

    def _convolve(self, x: Tensor, weight: Tensor) -> Tensor:
        output = self.conv(x, weight)
        return self.bias_add(output, self.bias) if self.bias is not None else output

    def extend_repr(self) -> str:
        """The part of the printed form that lists the arguments."""
        return (
            f"in_channels={self.in_channels}, out_channels={self.out_channels}, kernel_size={self.kernel_size}, "
            f"stride={self.stride}, pad_mode={self.pad_mode}, padding={self.padding}, dilation={self.dilation}, "
            f"group={self.group}, has_bias={self.has_bias}"
        )


class Conv2dQuant(_QuantConv):
    """A convolution whose weight is rounded as an integer type would have it.

    Args:
        in_channels, out_channels, kernel_size, stride, pad_mode, padding, dilation, group, has_bias, weight_init,
            bias_init: as for :class:`Conv2d`.
        quant_config: makes the observer of the weight.
        quant_dtype: the type of the weight; other than INT8 it counts before that of ``quant_config``.

    Examples:
        >>> from mindspore import nn, ops
        >>> net = nn.Conv2dQuant(1, 1, (2, 2), pad_mode="valid", weight_init="ones")
        >>> print(net(ops.ones((1, 1, 2, 3))).asnumpy().round(3))
        [[[[3.953 3.953]]]]
    """

    def __init__(
        self,
        in_channels: int,
        out_channels: int,
        kernel_size: Sizes,
        stride: Sizes = 1,
        pad_mode: str = "same",
        padding: int | tuple[int, ...] = 0,
        dilation: Sizes = 1,
        group: int = 1,
        has_bias: bool = False,
        weight_init: Any = "normal",
        bias_init: Any = "zeros",
        quant_config: QuantConfig = quant_config_default,
        quant_dtype: QuantDtype = QuantDtype.INT8,
    ):
        self._begin(in_channels, out_channels, kernel_size, stride, pad_mode, padding, dilation, group, has_bias,
                    weight_init, bias_init)  # fmt: skip
        self._observe(quant_config, quant_dtype)

    @classmethod
    def from_float(cls, conv: Any, quant_config: QuantConfig) -> Conv2dQuant:
        """The layer that does with a rounded weight what ``conv`` does."""
        return cls(**_arguments_of(conv), quant_config=quant_config)

    def construct(self, x: Tensor) -> Tensor:  # type: ignore[override]
        """The convolution of a batch of images with the rounded weight."""
        return self._convolve(x, self.fake_quant_weight(self.weight))


class Conv2dBnWithoutFoldQuant(_QuantConv):
    """A convolution with a rounded weight, then batch normalization.

    Args:
        eps, momentum: as for :class:`BatchNorm2d`. The others are those of :class:`Conv2dQuant`.

    Examples:
        >>> from mindspore import nn, ops
        >>> net = nn.Conv2dBnWithoutFoldQuant(1, 2, 3)
        >>> print(net(ops.ones((1, 1, 4, 4))).shape)
        (1, 2, 4, 4)
    """

    def __init__(
        self,
        in_channels: int,
        out_channels: int,
        kernel_size: Sizes,
        stride: Sizes = 1,
        pad_mode: str = "same",
        padding: int | tuple[int, ...] = 0,
        dilation: Sizes = 1,
        group: int = 1,
        has_bias: bool = False,
        eps: float = 1e-5,
        momentum: float = 0.997,
        weight_init: Any = "normal",
        bias_init: Any = "zeros",
        quant_config: QuantConfig = quant_config_default,
        quant_dtype: QuantDtype = QuantDtype.INT8,
    ):
        self._begin(in_channels, out_channels, kernel_size, stride, pad_mode, padding, dilation, group, has_bias,
                    weight_init, bias_init)  # fmt: skip
        self._observe(quant_config, quant_dtype)
        self.batchnorm = BatchNorm2d(out_channels, eps=eps, momentum=momentum)

    @classmethod
    def from_float(cls, convbn: Any, quant_config: QuantConfig) -> Conv2dBnWithoutFoldQuant:
        """The layer that does with a rounded weight what ``convbn``, a Conv2dBnAct, does without its activation."""
        kept = {name: value for name, value in _statistics_of(convbn).items() if name in ("eps", "momentum")}
        return cls(**_arguments_of(convbn.conv), **kept, quant_config=quant_config)

    def construct(self, x: Tensor) -> Tensor:  # type: ignore[override]
        """The normalized convolution of a batch of images."""
        return self.batchnorm(self._convolve(x, self.fake_quant_weight(self.weight)))


class _FoldedConv(_QuantConv):
    """A convolution into whose weight the scale of batch normalization is folded before it is rounded."""

    def __init__(
        self,
        in_channels: int,
        out_channels: int,
        kernel_size: Sizes,
        stride: Sizes = 1,
        pad_mode: str = "same",
        padding: int | tuple[int, ...] = 0,
        dilation: Sizes = 1,
        group: int = 1,
        eps: float = 1e-5,
        momentum: float = 0.997,
        has_bias: bool = False,
        weight_init: Any = "normal",
        bias_init: Any = "zeros",
        beta_init: Any = "zeros",
        gamma_init: Any = "ones",
        mean_init: Any = "zeros",
        var_init: Any = "ones",
        fake: bool = True,
        quant_config: QuantConfig = quant_config_default,
        quant_dtype: QuantDtype = QuantDtype.INT8,
    ):
        self._begin(in_channels, out_channels, kernel_size, stride, pad_mode, padding, dilation, group, has_bias,
                    weight_init, bias_init)  # fmt: skip
        owner = self.cls_name
        self.eps = check_float_range(owner, "eps", eps, 0.0, float("inf"), include_low=False)
        self.momentum = check_float_range(owner, "momentum", momentum, 0.0, 1.0)
        self.fake = check_bool(owner, "fake", fake)
        self.quant_config, self.quant_dtype = quant_config, quant_dtype

        def vector(init: Any, name: str, requires_grad: bool) -> Parameter:
            return Parameter(initializer(init, [out_channels]), name=name, requires_grad=requires_grad)

        self.gamma = vector(gamma_init, "gamma", True)
        self.beta = vector(beta_init, "beta", True)
        self.moving_mean = vector(mean_init, "moving_mean", False)
        self.moving_variance = vector(var_init, "moving_variance", False)
        self._observe(quant_config, quant_dtype)
        self._finish()

    def _finish(self) -> None:
        """What a kind of layer has besides."""

    def _folded_weight(self, running_std: Tensor) -> Tensor:
        weight = self.weight * (self.gamma / running_std).reshape(-1, 1, 1, 1)
        return self.fake_quant_weight(weight) if self.fake else weight

    def extend_repr(self) -> str:
        """The part of the printed form that lists the arguments."""
        text = super().extend_repr().rpartition(", has_bias")[0]
        return f"{text}, fake={self.fake}, momentum={self.momentum}"


class Conv2dBnFoldQuantOneConv(_FoldedConv):
    """A convolution with batch normalization folded into its rounded weight, by the moving statistics.

    In training the result is scaled back and normalized with the statistics of the batch.

    Args:
        eps, momentum, beta_init, gamma_init, mean_init, var_init: as for :class:`BatchNorm2d`.
        fake: whether the weight is rounded. The others are those of :class:`Conv2dQuant`.

    Examples:
        >>> from mindspore import nn, ops
        >>> net = nn.Conv2dBnFoldQuantOneConv(1, 1, (2, 2), pad_mode="valid", weight_init="ones")
        >>> print(net(ops.ones((1, 1, 2, 3))).asnumpy().round(3))
        [[[[3.953 3.953]]]]
    """

    def _finish(self) -> None:
        self.freeze_bn = False
        # The argument weighs the old value, the operator's attribute the new value.
        self.momentum = 1.0 - self.momentum
        self.bn_train = ops.BatchNorm(True, self.eps, self.momentum)
        self.bn_infer = ops.BatchNorm(False, self.eps)

    @classmethod
    def from_float(cls, convbn: Any, quant_config: QuantConfig) -> Conv2dBnFoldQuantOneConv:
        """The layer that does with a rounded weight what ``convbn``, a Conv2dBnAct, does without its activation."""
        return cls(**_arguments_of(convbn.conv), **_statistics_of(convbn), quant_config=quant_config)

    def construct(self, x: Tensor) -> Tensor:  # type: ignore[override]
        """The normalized convolution of a batch of images."""
        running_std = ops.sqrt(self.moving_variance + self.eps)
        output = self.conv(x, self._folded_weight(running_std)) / (self.gamma / running_std).reshape(1, -1, 1, 1)
        if self.bias is not None:
            output = self.bias_add(output, self.bias)
        normalize = self.bn_train if self.training and not self.freeze_bn else self.bn_infer
        return normalize(output, self.gamma, self.beta, self.moving_mean, self.moving_variance)[0]


class BatchNormFoldCell(Cell):
    """Statistics for folding: mean and deviation of the batch, and the moving averages before it.

    From step ``freeze_bn`` on, and outside training, the batch counts as having mean 0 and deviation 1, and the moving
    statistics stay.

    Args:
        momentum: the weight of the old moving statistics.
        epsilon: added to variances.
        freeze_bn: the step.
    """

    def __init__(self, momentum: float = 0.9, epsilon: float = 1e-5, freeze_bn: int = 0):
        super().__init__()
        self.momentum = check_float_range(self.cls_name, "momentum", momentum, 0.0, 1.0)
        self.epsilon = check_float_range(self.cls_name, "epsilon", epsilon, 0.0, float("inf"), include_low=False)
        self.freeze_bn = check_non_negative_int(self.cls_name, "freeze_bn", freeze_bn)

    def construct(self, x: Tensor, mean: Parameter, variance: Parameter, global_step: Tensor) -> tuple[Tensor, ...]:
        """Mean and deviation of the batch, then the moving averages."""
        running_mean, running_std = mean + 0.0, ops.sqrt(variance + self.epsilon)
        if not self.training:
            return ops.zeros_like(running_mean), ops.ones_like(running_std), running_mean, running_std
        frozen = global_step >= self.freeze_bn
        batch_mean = x.mean((0, 2, 3))
        batch_variance = ops.square(x - batch_mean.reshape(1, -1, 1, 1)).mean((0, 2, 3))
        count = x.size // x.shape[1]
        sample_variance = batch_variance * (count / max(count - 1, 1))
        for moving, new in ((mean, batch_mean), (variance, sample_variance)):
            followed = self.momentum * moving + (1 - self.momentum) * ops.stop_gradient(new)
            ops.assign(moving, ops.where(frozen, moving, followed))
        batch_std = ops.sqrt(batch_variance + self.epsilon)
        batch_mean = ops.where(frozen, ops.zeros_like(batch_mean), batch_mean)
        return batch_mean, ops.where(frozen, ops.ones_like(batch_std), batch_std), running_mean, running_std


class Conv2dBnFoldQuant(_FoldedConv):
    """A convolution with batch normalization folded into its rounded weight.

    In training a first convolution with the weight as it is gives the statistics of the batch. The weight is folded with
    the moving statistics, which do not jump from batch to batch, and the result is corrected by those of the batch until
    step ``freeze_bn``.

    Args:
        eps, momentum, beta_init, gamma_init, mean_init, var_init: as for :class:`BatchNorm2d`.
        fake: whether the weight is rounded.
        freeze_bn: the step of training from which on the moving statistics are used. The others are those of
            :class:`Conv2dQuant`.

    Examples:
        >>> from mindspore import nn, ops
        >>> net = nn.Conv2dBnFoldQuant(1, 1, (2, 2), pad_mode="valid", weight_init="ones")
        >>> print(net(ops.ones((1, 1, 2, 3))).asnumpy().round(3))
        [[[[3.953 3.953]]]]
    """

    def __init__(
        self,
        in_channels: int,
        out_channels: int,
        kernel_size: Sizes,
        stride: Sizes = 1,
        pad_mode: str = "same",
        padding: int | tuple[int, ...] = 0,
        dilation: Sizes = 1,
        group: int = 1,
        eps: float = 1e-5,
        momentum: float = 0.997,
        has_bias: bool = False,
        weight_init: Any = "normal",
        bias_init: Any = "zeros",
        beta_init: Any = "zeros",
        gamma_init: Any = "ones",
        mean_init: Any = "zeros",
        var_init: Any = "ones",
        fake: bool = True,
        quant_config: QuantConfig = quant_config_default,
        quant_dtype: QuantDtype = QuantDtype.INT8,
        freeze_bn: int = 100000,
    ):
        super().__init__(in_channels, out_channels, kernel_size, stride, pad_mode, padding, dilation, group, eps, momentum,
                         has_bias, weight_init, bias_init, beta_init, gamma_init, mean_init, var_init, fake,
                         quant_config, quant_dtype)  # fmt: skip
        self.freeze_bn = check_non_negative_int(self.cls_name, "freeze_bn", freeze_bn)
        self.batchnorm_fold = BatchNormFoldCell(self.momentum, self.eps, freeze_bn)
        self.step = Parameter(initializer("zeros", [1], mstype.int32), name="step", requires_grad=False)

    @classmethod
    def from_float(cls, convbn: Any, quant_config: QuantConfig, extra_args: dict[str, Any]) -> Conv2dBnFoldQuant:
        """The layer that does with a rounded weight what ``convbn``, a Conv2dBnAct, does without its activation."""
        arguments = {**_arguments_of(convbn.conv), **_statistics_of(convbn), **extra_args}
        return cls(**arguments, quant_config=quant_config)

    def construct(self, x: Tensor) -> Tensor:  # type: ignore[override]
        """The normalized convolution of a batch of images."""
        plain = self._convolve(x, self.weight) if self.training else x
        batch_mean, batch_std, running_mean, running_std = self.batchnorm_fold(
            plain, self.moving_mean, self.moving_variance, self.step
        )
        output = self.conv(x, self._folded_weight(running_std))
        if self.bias is not None:
            output = self.bias_add(output, self.bias * self.gamma / running_std)
        shift = self.beta - self.gamma * running_mean / running_std
        if self.training:
            frozen = self.step >= self.freeze_bn
            factor = ops.where(frozen, ops.ones_like(batch_std), running_std / batch_std)
            shift = ops.where(frozen, shift, self.beta - self.gamma * batch_mean / batch_std)
            output = output * factor.reshape(1, -1, 1, 1)
            ops.assign_add(self.step, 1)
        return self.bias_add(output, shift)

    def extend_repr(self) -> str:
        """The part of the printed form that lists the arguments."""
        text, _, momentum = super().extend_repr().rpartition(", momentum")
        return f"{text}, freeze_bn={self.freeze_bn}, momentum{momentum}"


def _arguments_of(conv: Any) -> dict[str, Any]:
    """The arguments that make a convolution like ``conv``, with its present weights."""
    names = (
        "in_channels",
        "out_channels",
        "kernel_size",
        "stride",
        "pad_mode",
        "padding",
        "dilation",
        "group",
        "has_bias",
    )
    arguments = {name: getattr(conv, name) for name in names}
    arguments["weight_init"] = conv.weight.value()
    if conv.has_bias:
        arguments["bias_init"] = conv.bias.value()
    return arguments


def _statistics_of(convbn: Any) -> dict[str, Any]:
    """The arguments that make a batch normalization like that of a Conv2dBnAct; empty without batch normalization."""
    norm = getattr(convbn, "batchnorm", None)
    if norm is None:
        return {}
    return {
        "eps": norm.eps,
        "momentum": 1.0 - norm.momentum,  # the layer keeps the weight of the new value
        "beta_init": norm.beta.value(),
        "gamma_init": norm.gamma.value(),
        "mean_init": norm.moving_mean.value(),
        "var_init": norm.moving_variance.value(),
    }
