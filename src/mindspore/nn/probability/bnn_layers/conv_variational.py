"""Convolution with distributions for weights."""

from __future__ import annotations

from typing import Any

from mindspore.common.tensor import Tensor
from mindspore.nn.layer.conv import Conv2d
from mindspore.nn.probability.bnn_layers.layer_distribution import NormalPrior, VariationalWeights, normal_post_fn

__all__ = ["ConvReparam"]


class ConvReparam(VariationalWeights, Conv2d):
    """A convolution of images that draws one kernel for each call (Auto-Encoding Variational Bayes).

    Its ``weight`` (and ``bias``) are those of :class:`mindspore.nn.Conv2d`, kept for checkpoints and not trained.

    Args:
        in_channels, out_channels, kernel_size, stride, pad_mode, padding, dilation, group, has_bias: as for
            :class:`mindspore.nn.Conv2d`.
        weight_prior_fn, bias_prior_fn: make the distribution believed before training.
        weight_posterior_fn, bias_posterior_fn: make the distribution that is trained, from a name and a shape.

    Examples:
        >>> from mindspore import ops
        >>> from mindspore.nn.probability import bnn_layers
        >>> print(bnn_layers.ConvReparam(3, 8, 4)(ops.ones((1, 3, 16, 10))).shape)
        (1, 8, 16, 10)
    """

    def __init__(self, in_channels: int, out_channels: int, kernel_size: Any, stride: Any = 1, pad_mode: str = "same",
                 padding: Any = 0, dilation: Any = 1, group: int = 1, has_bias: bool = False,
                 weight_prior_fn: Any = NormalPrior, weight_posterior_fn: Any = normal_post_fn,
                 bias_prior_fn: Any = NormalPrior, bias_posterior_fn: Any = normal_post_fn):  # fmt: skip
        super().__init__(in_channels, out_channels, kernel_size, stride, pad_mode, padding, dilation, group, has_bias,
                         "normal", "zeros")  # fmt: skip
        self.weight.requires_grad = False
        if self.bias is not None:
            self.bias.requires_grad = False
        self._init_distributions(self.weight.shape, (out_channels,), weight_prior_fn, weight_posterior_fn, bias_prior_fn,
                                 bias_posterior_fn)  # fmt: skip

    def construct(self, inputs: Tensor) -> Tensor:  # type: ignore[override]
        """The convolution with a kernel drawn anew."""
        output = self.conv2d(inputs, self.weight_posterior("sample"))
        return self.bias_add(output, self.bias_posterior("sample")) if self.has_bias else output

    def extend_repr(self) -> str:
        """The part of the printed form that lists the arguments."""
        return (
            f"in_channels={self.in_channels}, out_channels={self.out_channels}, kernel_size={self.kernel_size}, "
            f"stride={self.stride}, pad_mode={self.pad_mode}, padding={self.padding}, dilation={self.dilation}, "
            f"group={self.group}, {self._distributions_repr()}"
        )
