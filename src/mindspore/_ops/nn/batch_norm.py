"""Normalization over a batch. In training the running mean and variance are updated in place."""

from __future__ import annotations

from typing import Any

import jax.numpy as jnp
from jax import lax

from mindspore._engine.operator.arguments import Array
from mindspore._engine.operator.checked import check_bools
from mindspore._engine.operator.primitive import Primitive
from mindspore._engine.operator.registry import op, register_function, register_primitive
from mindspore._engine.tensor.tensor import Tensor
from mindspore._kernels.channels import ChannelMoments, Spread
from mindspore._kernels.primitive import call
from mindspore._ops.declaring.promotion import upcast_half
from mindspore._ops.declaring.requirements import require, require_choice, require_float, require_rank_from
from mindspore._ops.declaring.windows import largest
from mindspore._ops.nn.normalization import per_channel, scaled, standardize
from mindspore._utils import checks


def _channel_axis(x: Any, data_format: str) -> int:
    require_choice("data_format", data_format, ("NCHW", "NHWC", "NCDHW"))
    require_rank_from("input_x", x, 2)
    require_float("input_x", x)
    return x.ndim - 1 if data_format == "NHWC" else 1


def _check_vectors(x: Any, axis: int, **vectors: Any) -> None:
    for name, vector in vectors.items():
        fits = vector is None or vector.shape == (x.shape[axis],)
        text = f"the '{name}' must have shape ({x.shape[axis]},), one per channel, but got "
        require(fits, text + f"{None if fits else vector.shape}; the input has shape {x.shape}.")
        if vector is not None:
            require_float(name, vector)


@op(public=False,
    test=lambda t: [t.case(t.normal(2, 3, 2), t.normal(3), t.normal(3), t.normal(3), t.positive(3), grad=(0, 1, 2)),
                    t.case(t.normal(2, 2, 2, 3), None, None, t.normal(3), t.positive(3), 1e-3, "NHWC",
                           grad=(0,))])  # fmt: skip
def batch_norm_with_statistics(input_x: Array, scale: Array | None, bias: Array | None, mean: Array, variance: Array,
                               epsilon: float = 1e-5, data_format: str = "NCHW"):  # fmt: skip
    """Standardize with given mean and variance per channel, which get no gradient; then scale and shift."""
    axis = _channel_axis(input_x, data_format)
    _check_vectors(input_x, axis, scale=scale, bias=bias, mean=mean, variance=variance)
    ndim = input_x.ndim
    centre, spread = (per_channel(upcast_half(lax.stop_gradient(s)), ndim, axis) for s in (mean, variance))
    result = (upcast_half(input_x) - centre) * lax.rsqrt(spread + epsilon)
    return scaled(result, per_channel(scale, ndim, axis), per_channel(bias, ndim, axis), input_x.dtype)


@op(public=False,
    test=lambda t: [t.case(t.normal(4, 3, 2), t.normal(3), t.normal(3), t.normal(3), t.positive(3), grad=False),
                    t.case(t.normal(2, 2, 2, 3), None, None, t.normal(3), t.positive(3), 1e-3, 0.9, "NHWC",
                           grad=False)])  # fmt: skip
def batch_norm_of_batch(input_x: Array, scale: Array | None, bias: Array | None, mean: Array, variance: Array,
                        epsilon: float = 1e-5, momentum: float = 0.1, data_format: str = "NCHW"):  # fmt: skip
    """Standardize with the batch's own statistics; then scale and shift.

    Returns the result, the batch's mean and variance, and the running mean and variance after this batch:
    ``(1 - momentum) * running + momentum * batch``, with the variance of a sample (divided by n - 1).
    """
    axis = _channel_axis(input_x, data_format)
    _check_vectors(input_x, axis, scale=scale, bias=bias, mean=mean, variance=variance)
    x = upcast_half(jnp.moveaxis(input_x, axis, 1))
    images = x if x.ndim == 4 else x.reshape(*x.shape[:2], -1, 1)
    batch_mean, batch_variance = call(ChannelMoments(), images)
    factor = lax.rsqrt(batch_variance + epsilon)
    factor = factor if scale is None else factor * upcast_half(scale)
    shift = jnp.zeros_like(factor) if bias is None else upcast_half(bias).astype(factor.dtype)
    (result,) = call(Spread(), images, batch_mean, shift, factor)
    result = jnp.moveaxis(result.reshape(x.shape), 1, axis).astype(input_x.dtype)
    batch_mean, batch_variance = lax.stop_gradient((batch_mean, batch_variance))
    count = input_x.size // input_x.shape[axis]
    unbiased = batch_variance * (count / largest(count - 1, 1))
    running = [_moved(old, new, momentum) for old, new in ((mean, batch_mean), (variance, unbiased))]
    return result, batch_mean, batch_variance, *running


def _moved(old: Any, new: Any, momentum: float) -> Any:
    return ((1 - momentum) * upcast_half(lax.stop_gradient(old)) + momentum * new).astype(old.dtype)


def _normalize(x: Any, scale: Any, bias: Any, mean: Any, variance: Any, training: bool, epsilon: float, momentum: float,
               data_format: str) -> tuple:  # fmt: skip
    """The result with mean and variance used; in training the running ones are replaced."""
    if not training:
        return batch_norm_with_statistics(x, scale, bias, mean, variance, epsilon, data_format), mean, variance
    result, used_mean, used_variance, new_mean, new_variance = batch_norm_of_batch(
        x, scale, bias, mean, variance, epsilon, momentum, data_format
    )
    mean._overwrite(new_mean)
    variance._overwrite(new_variance)
    return result, used_mean, used_variance


@register_primitive
class BatchNorm(Primitive):
    """Standardize every channel over a batch; then scale and shift.

    Called with the input, scale, bias, running mean and running variance. Returns five Tensors: the result, and the
    mean and variance that were used, twice. In training these are the batch's, and the running ones are updated in
    place: ``(1 - momentum) * running + momentum * batch``.

    Examples:
        >>> from mindspore import Tensor, ops
        >>> mean, variance = Tensor([0.0]), Tensor([1.0])
        >>> normalize = ops.BatchNorm(is_training=True, epsilon=7.0)
        >>> print(normalize(Tensor([[-3.0], [3.0]]), Tensor([1.0]), Tensor([0.0]), mean, variance)[0])
        [[-0.75]
         [ 0.75]]
        >>> print(variance)
        [2.7]
    """

    def __init__(self, is_training: bool = False, epsilon: float = 1e-5, momentum: float = 0.1,
                 data_format: str = "NCHW"):  # fmt: skip
        super().__init__()
        checks.check_bool("BatchNorm", "is_training", is_training)
        checks.check_float_range("BatchNorm", "epsilon", epsilon, 0.0, float("inf"), include_low=False)
        checks.check_float_range("BatchNorm", "momentum", momentum, 0.0, 1.0)
        checks.check_one_of("BatchNorm", "data_format", data_format, ("NCHW", "NHWC", "NCDHW"))
        for name, value in (("is_training", is_training), ("epsilon", epsilon), ("momentum", momentum),
                            ("data_format", data_format)):  # fmt: skip
            self.add_prim_attr(name, value)

    def __call__(self, input_x: Any, scale: Any, bias: Any, mean: Any, variance: Any) -> tuple:
        result, *used = _normalize(input_x, scale, bias, mean, variance, self.is_training, self.epsilon, self.momentum,
                                   self.data_format)  # fmt: skip
        return result, *used, *used


def batch_norm(input_x: Tensor, running_mean: Tensor, running_var: Tensor, weight: Tensor | None = None,
               bias: Tensor | None = None, training: bool = False, momentum: float = 0.1,
               eps: float = 1e-5) -> Tensor:  # fmt: skip
    """Standardize every channel over a batch; then scale and shift.

    In training the running mean and variance are updated in place: ``(1 - momentum) * running + momentum * batch``.

    Examples:
        >>> from mindspore import Tensor, ops
        >>> print(ops.batch_norm(Tensor([[3.0]]), Tensor([1.0]), Tensor([1.0]), Tensor([2.0]), Tensor([0.5]), eps=3.0))
        [[2.5]]
    """
    check_bools("batch_norm", training=training)
    checks.check_float_range("batch_norm", "momentum", momentum, 0.0, 1.0)
    checks.check_float_range("batch_norm", "eps", eps, 0.0, float("inf"), include_low=False)
    return _normalize(input_x, weight, bias, running_mean, running_var, training, eps, momentum, "NCHW")[0]


register_function(batch_norm)


@op(public=False,
    test=lambda t: [t.case(t.normal(2, 3, 4), t.normal(3), t.normal(3), t.normal(3), t.positive(3),
                           grad=False)])  # fmt: skip
def instance_norm_of_batch(input_x: Array, gamma: Array, beta: Array, mean: Array, variance: Array,
                           epsilon: float = 1e-5, momentum: float = 0.1):  # fmt: skip
    """Standardize every channel of every sample; returns the result and the running mean and variance after it."""
    axis = _channel_axis(input_x, "NCHW")
    require_rank_from("input_x", input_x, 3)
    _check_vectors(input_x, axis, gamma=gamma, beta=beta, mean=mean, variance=variance)
    ndim = input_x.ndim
    result, used_mean, used_variance = standardize(input_x, tuple(range(2, ndim)), epsilon)
    result = scaled(result, per_channel(gamma, ndim), per_channel(beta, ndim), input_x.dtype)
    count = input_x.size // (input_x.shape[0] * input_x.shape[1])
    new_mean, new_variance = (lax.stop_gradient(jnp.mean(s, axis=0)).reshape(-1) for s in (used_mean, used_variance))
    unbiased = new_variance * (count / largest(count - 1, 1))
    return result, _moved(mean, new_mean, momentum), _moved(variance, unbiased, momentum)


@register_primitive
class InstanceNorm(Primitive):
    """Standardize every channel of every sample; the running mean and variance are updated in place.

    Examples:
        >>> from mindspore import Tensor, ops
        >>> normalize = ops.InstanceNorm(epsilon=7.0)
        >>> scale, zero = Tensor([1.0]), Tensor([0.0])
        >>> print(normalize(Tensor([[[-3.0, 3.0]]]), scale, zero, Tensor([0.0]), Tensor([1.0]))[0])
        [[[-0.75  0.75]]]
    """

    def __init__(self, epsilon: float = 1e-5, momentum: float = 0.1):
        super().__init__()
        checks.check_float_range("InstanceNorm", "epsilon", epsilon, 0.0, float("inf"), include_low=False)
        checks.check_float_range("InstanceNorm", "momentum", momentum, 0.0, 1.0)
        self.add_prim_attr("epsilon", epsilon)
        self.add_prim_attr("momentum", momentum)

    def __call__(self, input_x: Any, gamma: Any, beta: Any, mean: Any, variance: Any) -> tuple:
        result, new_mean, new_variance = instance_norm_of_batch(
            input_x, gamma, beta, mean, variance, self.epsilon, self.momentum
        )
        mean._overwrite(new_mean)
        variance._overwrite(new_variance)
        return result, new_mean, new_variance
