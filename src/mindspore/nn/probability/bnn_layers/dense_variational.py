"""Fully connected layers with distributions for weights."""

from __future__ import annotations

from typing import Any

from mindspore import ops
from mindspore._utils.checks import check_bool, check_positive_int, shown
from mindspore._utils.refusals import refused
from mindspore.common.tensor import Tensor
from mindspore.nn.cell import Cell
from mindspore.nn.layer.activation import get_activation
from mindspore.nn.probability.bnn_layers.layer_distribution import NormalPrior, VariationalWeights, normal_post_fn
from mindspore.nn.probability.distribution.normal import Normal

__all__ = ["DenseLocalReparam", "DenseReparam"]


class _DenseVariational(VariationalWeights):
    """What the layers share; ``_drawn`` differs."""

    def __init__(self, in_channels: int, out_channels: int, activation: Any = None, has_bias: bool = True,
                 weight_prior_fn: Any = NormalPrior, weight_posterior_fn: Any = normal_post_fn,
                 bias_prior_fn: Any = NormalPrior, bias_posterior_fn: Any = normal_post_fn):  # fmt: skip
        super().__init__()
        owner = self.cls_name
        self.in_channels = check_positive_int(owner, "in_channels", in_channels)
        self.out_channels = check_positive_int(owner, "out_channels", out_channels)
        self.has_bias = check_bool(owner, "has_bias", has_bias)
        self._init_distributions((out_channels, in_channels), (out_channels,), weight_prior_fn, weight_posterior_fn,
                                 bias_prior_fn, bias_posterior_fn)  # fmt: skip
        self.activation = get_activation(activation) if isinstance(activation, str) else activation
        if activation is not None and not isinstance(self.activation, Cell):
            raise refused(
                ValueError, f"For '{owner}', the 'activation' must be a str or a Cell, but got {shown(activation)}."
            )
        self.activation_flag = self.activation is not None

    def construct(self, x: Tensor) -> Tensor:
        """The layer's answer with weights drawn anew."""
        output = self._drawn(x)
        if self.has_bias:
            output = output + self.bias_posterior("sample")
        return self.activation(output) if self.activation_flag else output  # type: ignore[misc]

    def _drawn(self, x: Tensor) -> Tensor:
        raise NotImplementedError

    def extend_repr(self) -> str:
        """The part of the printed form that lists the arguments."""
        text = f"in_channels={self.in_channels}, out_channels={self.out_channels}, {self._distributions_repr()}"
        return f"{text}, activation={self.activation}" if self.activation_flag else text


class DenseReparam(_DenseVariational):
    """A fully connected layer that draws one matrix of weights for each call (Auto-Encoding Variational Bayes).

    Args:
        in_channels, out_channels: lengths of the last axis of input and output.
        activation: a name or a Cell applied to the result.
        has_bias: whether a vector, drawn too, is added.
        weight_prior_fn, bias_prior_fn: make the distribution believed before training.
        weight_posterior_fn, bias_posterior_fn: make the distribution that is trained, from a name and a shape.

    Examples:
        >>> from mindspore import ops
        >>> from mindspore.nn.probability import bnn_layers
        >>> net = bnn_layers.DenseReparam(3, 4)
        >>> print(net(ops.ones((2, 3))).shape, net.compute_kl_loss().shape)
        (2, 4) ()
    """

    def _drawn(self, x: Tensor) -> Tensor:
        return ops.matmul(x, self.weight_posterior("sample").swapaxes(0, 1))


class DenseLocalReparam(_DenseVariational):
    """A fully connected layer that draws its outputs (the local reparameterization trick): gradients vary less.

    The sum of normally distributed products is normally distributed, so each row of the input has draws of its own.
    Arguments are those of :class:`DenseReparam`.

    Examples:
        >>> from mindspore import ops
        >>> from mindspore.nn.probability import bnn_layers
        >>> print(bnn_layers.DenseLocalReparam(3, 4)(ops.ones((2, 3))).shape)
        (2, 4)
    """

    def __init__(self, *args: Any, **kwargs: Any):
        super().__init__(*args, **kwargs)
        self.normal = Normal()

    def _drawn(self, x: Tensor) -> Tensor:
        mean = ops.matmul(x, self.weight_posterior("mean").swapaxes(0, 1))
        variance = ops.matmul(ops.square(x), ops.square(self.weight_posterior("sd")).swapaxes(0, 1))
        return self.normal("sample", (), mean, ops.sqrt(variance))
