"""Operators that only earlier versions have: steps of batch normalization, ReLU with a mask, questions about types."""

from __future__ import annotations

from typing import Any

import jax.numpy as jnp
import numpy as np
from jax import lax

from mindspore._engine.base import python_dtypes
from mindspore._engine.operator.arguments import Array
from mindspore._engine.operator.primitive import Primitive
from mindspore._engine.operator.registry import op, register_function, register_primitive
from mindspore._engine.tensor.tensor import Tensor
from mindspore._ops.declaring.promotion import upcast_half
from mindspore._ops.declaring.requirements import require_float, require_rank, require_shape
from mindspore._ops.effects.state import assign
from mindspore._ops.nn.batch_norm import batch_norm_of_batch
from mindspore._utils import checks
from mindspore._utils.refusals import refused

_IMAGES = (0, 2, 3)  # the axes that a channel's statistics run over


def _per_channel(values: Array) -> Array:
    return values[None, :, None, None]


@op(primitive="BNTrainingReduce", public=False,
    test=lambda t: [t.case(t.normal(2, 3, 2, 2), expect=lambda x: (x.sum((0, 2, 3)), (x * x).sum((0, 2, 3))))])  # fmt: skip
def bn_training_reduce(x: Array):
    """The sum and the sum of squares of every channel of images (N, C, H, W).

    Examples:
        >>> from mindspore import Tensor, ops
        >>> total, squares = ops.BNTrainingReduce()(Tensor([[[[1.0, 3.0]]]]))
        >>> print(total, squares)
        [4.] [10.]
    """
    require_float("x", x)
    require_rank("x", x, 4)
    x = x.astype(jnp.float32)
    return x.sum(_IMAGES), (x * x).sum(_IMAGES)


@op(primitive="BNTrainingUpdate", init=("isRef", "epsilon", "factor"), public=False, old={"offset": "b"},
    test=lambda t: [t.case(t.normal(2, 3, 2, 2), t.normal(3), t.positive(3) + 30.0, t.normal(3), t.normal(3),
                           t.normal(3), t.positive(3))])  # fmt: skip
def bn_training_update(x: Array, sum: Array, square_sum: Array, scale: Array, offset: Array, mean: Array,
                       variance: Array, isRef: bool = True, epsilon: float = 1e-5, factor: float = 0.1):  # fmt: skip
    """Standardize images by the sums that ``BNTrainingReduce`` found; then scale and shift.

    Returns the result, the running mean and variance after this batch, ``(1 - factor) * running + factor * batch``
    with the variance of a sample, and the mean and variance of the batch.

    Examples:
        >>> from mindspore import Tensor, ops
        >>> x, one, zero = Tensor([[[[1.0, 3.0]]]]), Tensor([1.0]), Tensor([0.0])
        >>> y, running, *_ = ops.BNTrainingUpdate(epsilon=3.0)(x, *ops.BNTrainingReduce()(x), one, zero, zero, one)
        >>> print(y, running)
        [[[[-0.5  0.5]]]] [0.2]
    """
    require_rank("x", x, 4)
    for name, vector in (("sum", sum), ("square_sum", square_sum), ("scale", scale), ("offset", offset),
                         ("mean", mean), ("variance", variance)):  # fmt: skip
        require_shape(name, vector, (x.shape[1],))
    count = x.size // x.shape[1]
    batch_mean = sum / count
    batch_variance = square_sum / count - batch_mean * batch_mean
    scaled = _per_channel(scale * lax.rsqrt(batch_variance + epsilon))
    result = (upcast_half(x) - _per_channel(batch_mean)) * scaled + _per_channel(offset)
    unbiased = batch_variance * (count / max(count - 1, 1))
    moved = (old * (1 - factor) + new * factor for old, new in ((mean, batch_mean), (variance, unbiased)))
    return result.astype(x.dtype), *moved, batch_mean, batch_variance


@op(primitive="ReLUV2", public=False, old={"input_x": "x"}, test=lambda t: [t.case(t.normal(2, 18, 2, 2))])
def relu_with_mask(input_x: Array):
    """The input where it is positive, else 0; and which elements of each 16 channels are positive, as bits of two bytes.

    Examples:
        >>> from mindspore import Tensor, ops
        >>> output, mask = ops.ReLUV2()(Tensor([[[[1.0, -2.0]], [[-5.0, 6.0]]]]))
        >>> print(output.flatten(), mask.flatten())
        [1. 0. 0. 6.] [1 0 2 0]
    """
    require_rank("input_x", input_x, 4)
    batch, channels, height, width = input_x.shape
    blocks = -(-channels // 16)
    positive = jnp.pad(input_x > 0, ((0, 0), (0, blocks * 16 - channels), (0, 0), (0, 0)))
    bits = positive.reshape(batch, blocks, 2, 8, height, width).astype(jnp.uint8)
    mask = (bits << jnp.arange(8, dtype=jnp.uint8)[:, None, None]).sum(3, dtype=jnp.uint8)
    return jnp.maximum(input_x, 0), jnp.moveaxis(mask, 2, -1)


class _FusedBatchNorm(Primitive):
    """Batch normalization in training that moves the running statistics: ``(1 - momentum) * running + momentum * batch``."""

    def __init__(self, mode: int = 0, epsilon: float = 1e-5, momentum: float = 0.1):
        super().__init__()
        self.add_prim_attr("mode", checks.check_one_of(self.name, "mode", mode, (0, 1)))
        checks.check_float_range(self.name, "epsilon", epsilon, 0.0, 1.0, include_low=False)
        self.add_prim_attr("epsilon", epsilon)
        self.add_prim_attr("momentum", checks.check_float_range(self.name, "momentum", momentum, 0.0, 1.0))

    def __call__(self, input_x: Tensor, scale: Tensor, bias: Tensor, mean: Tensor, variance: Tensor) -> tuple:
        result, batch_mean, batch_variance, *_ = batch_norm_of_batch(input_x, scale, bias, mean, variance, self.epsilon)
        moved = []
        for running, batch in ((mean, batch_mean), (variance, batch_variance)):
            new = running * (1 - self.momentum) + batch * self.momentum
            moved.append(assign(running, new))
        return result, *moved, batch_mean, batch_variance


@register_primitive
class FusedBatchNorm(_FusedBatchNorm):
    """Standardize every channel by the batch's mean and variance; then scale and shift. The running statistics move.

    Returns the result, the running mean and variance after this batch, and the mean and variance of the batch (not of a
    sample: divided by n).

    Examples:
        >>> from mindspore import Parameter, Tensor, ops
        >>> mean, variance = Parameter(Tensor([0.0]), name="mean"), Parameter(Tensor([1.0]), name="variance")
        >>> y, *_ = ops.FusedBatchNorm(momentum=0.5)(Tensor([[[[-2.0, 2.0]]]]), Tensor([1.0]), Tensor([0.0]), mean, variance)
        >>> print(y.round(3), variance.value())
        [[[[-1.  1.]]]] [2.5]
    """


@register_primitive
class FusedBatchNormEx(_FusedBatchNorm):
    """``FusedBatchNorm`` with a sixth result, which holds nothing: other devices keep there what the gradient needs.

    Examples:
        >>> from mindspore import Tensor, ops
        >>> zero, one = Tensor([0.0]), Tensor([1.0])
        >>> len(ops.FusedBatchNormEx()(Tensor([[[[-2.0, 2.0]]]]), one, zero, zero, one))
        6
    """

    def __call__(self, input_x: Tensor, scale: Tensor, bias: Tensor, mean: Tensor, variance: Tensor) -> tuple:
        return *super().__call__(input_x, scale, bias, mean, variance), Tensor(np.zeros(scale.shape, np.float32))


# -- types -------------------------------------------------------------------------------------------------------------
def same_type_shape(input_x: Tensor, input_y: Tensor) -> Tensor:
    """The first Tensor, if both have the same dtype and shape.

    Examples:
        >>> from mindspore import Tensor, ops
        >>> print(ops.same_type_shape(Tensor([1.0]), Tensor([2.0])))
        [1.]
    """
    for name, value in (("input_x", input_x), ("input_y", input_y)):
        checks.check_type("SameTypeShape", name, value, Tensor)
    if input_x.dtype != input_y.dtype:
        text = f"For 'SameTypeShape', both dtypes must be the same, but got {input_x.dtype} and {input_y.dtype}."
        raise refused(TypeError, text)
    if input_x.shape != input_y.shape:
        text = f"For 'SameTypeShape', both shapes must be the same, but got {input_x.shape} and {input_y.shape}."
        raise refused(ValueError, text)
    return input_x


def issubclass_(sub_type: Any, type_: Any) -> bool:
    """Whether a type is the other one or one of its kind.

    Examples:
        >>> import mindspore as ms
        >>> from mindspore import ops
        >>> ops.issubclass_(ms.int32, ms.number)
        True
    """
    return python_dtypes.issubclass_(sub_type, type_)


def isinstance_(inst: Any, type_: Any) -> bool:
    """Whether the type of a value is this one or one of its kind.

    Examples:
        >>> import mindspore as ms
        >>> from mindspore import ops
        >>> ops.isinstance_(1.5, ms.number), ops.isinstance_((1, 2), ms.number)
        (True, False)
    """
    return python_dtypes.issubclass_(python_dtypes.get_py_obj_dtype(inst), type_)


class _Asking(Primitive):
    """A question about types as a Primitive."""

    _answer: Any = None

    def __call__(self, first: Any, second: Any) -> Any:
        return type(self)._answer(first, second)


@register_primitive
class SameTypeShape(_Asking):
    """The first Tensor, if both have the same dtype and shape.

    Examples:
        >>> from mindspore import Tensor, ops
        >>> print(ops.SameTypeShape()(Tensor([1.0]), Tensor([2.0])))
        [1.]
    """

    _answer = staticmethod(same_type_shape)


@register_primitive
class IsSubClass(_Asking):
    """Whether a type is the other one or one of its kind.

    Examples:
        >>> import mindspore as ms
        >>> from mindspore import ops
        >>> ops.IsSubClass()(ms.int32, ms.number)
        True
    """

    _answer = staticmethod(issubclass_)


@register_primitive
class IsInstance(_Asking):
    """Whether the type of a value is this one or one of its kind.

    Examples:
        >>> import mindspore as ms
        >>> from mindspore import ops
        >>> ops.IsInstance()(1, ms.int_)
        True
    """

    _answer = staticmethod(isinstance_)


for _function in (same_type_shape, issubclass_, isinstance_):
    register_function(_function)
