"""Convolution with distributions for weights."""

from __future__ import annotations

from typing import Any

from mindspore.common.tensor import Tensor
from mindspore.nn.layer.conv import Conv2d
from mindspore.nn.probability.bnn_layers.layer_distribution import (
    NormalPrior,
    divergence,
    normal_post_fn,
    posterior_of,
    prior_of,
)

__all__ = ["ConvReparam"]


class ConvReparam(Conv2d):
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
        owner = self.cls_name
        self.weight.requires_grad = False
        self.weight_prior = prior_of(owner, "weight_prior_fn", weight_prior_fn)
        shape = self.weight.shape
        self.weight_posterior = posterior_of(
            owner, "weight_posterior_fn", weight_posterior_fn, shape, "weight_posterior"
        )
        if self.bias is not None:
            self.bias.requires_grad = False
            self.bias_prior = prior_of(owner, "bias_prior_fn", bias_prior_fn)
            self.bias_posterior = posterior_of(
                owner, "bias_posterior_fn", bias_posterior_fn, (out_channels,), "bias_posterior"
            )

    def construct(self, x: Tensor) -> Tensor:
        """The convolution with a kernel drawn anew."""
        output = self.conv2d(x, self.weight_posterior("sample"))
        return self.bias_add(output, self.bias_posterior("sample")) if self.has_bias else output

    def compute_kl_loss(self) -> Tensor:
        """How far the learned distributions are from those believed before training."""
        loss = divergence(self.weight_prior, self.weight_posterior)
        return loss + divergence(self.bias_prior, self.bias_posterior) if self.has_bias else loss

    def extend_repr(self) -> str:
        """The part of the printed form that lists the arguments."""
        text = (
            f"in_channels={self.in_channels}, out_channels={self.out_channels}, kernel_size={self.kernel_size}, "
            f"stride={self.stride}, pad_mode={self.pad_mode}, padding={self.padding}, dilation={self.dilation}, "
            f"group={self.group}, weight_mean={self.weight_posterior.mean}, "
            f"weight_std={self.weight_posterior.untransformed_std}, has_bias={self.has_bias}"
        )
        if self.has_bias:
            text += f", bias_mean={self.bias_posterior.mean}, bias_std={self.bias_posterior.untransformed_std}"
        return text
