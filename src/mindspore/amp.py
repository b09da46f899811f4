"""Mixed precision: automatic conversion of networks, and loss scales for custom training loops."""

from __future__ import annotations

from abc import ABC, abstractmethod
from typing import Any, TypeVar

from mindspore import ops
from mindspore._engine.base import dtype as dtypes
from mindspore._engine.base.pytree import map_leaves
from mindspore._engine.graph.jit import jit_class
from mindspore._engine.tensor.parameter import Parameter
from mindspore._engine.tensor.tensor import Tensor
from mindspore._ops.math.compare import all_finite as _all_finite
from mindspore._utils.checks import check_positive_int, check_type, shown
from mindspore._utils.documented import claim as _claim
from mindspore._utils.refusals import refused
from mindspore.train.amp import (
    auto_mixed_precision,
    build_train_network,
    custom_mixed_precision,
    get_black_list,
    get_white_list,
)
from mindspore.train.loss_scale_manager import DynamicLossScaleManager, FixedLossScaleManager, LossScaleManager

__all__ = [
    "DynamicLossScaleManager",
    "DynamicLossScaler",
    "FixedLossScaleManager",
    "LossScaleManager",
    "LossScaler",
    "StaticLossScaler",
    "all_finite",
    "auto_mixed_precision",
    "build_train_network",
    "custom_mixed_precision",
    "get_black_list",
    "get_white_list",
]


def all_finite(inputs: tuple[Tensor, ...] | list[Tensor]) -> Tensor:
    """Whether no element of any of the Tensors is infinite or NaN: a Bool Tensor.

    Examples:
        >>> from mindspore import Tensor, amp
        >>> print(amp.all_finite((Tensor([1.0]), Tensor([float("inf")]))))
        False
    """
    if not isinstance(inputs, (tuple, list)) or not inputs:
        raise refused(
            TypeError,
            f"For 'all_finite', the 'inputs' must be a tuple or list of Tensors, but got {shown(inputs)}. "
            "Write all_finite((x,)) for a single Tensor.",
        )
    return _all_finite(tuple(inputs))


Tensors = TypeVar("Tensors")  # a Tensor, or Tensors in tuples, lists and dicts


@jit_class
class LossScaler(ABC):
    """Base of the loss scalers; a subclass defines ``scale``, ``unscale`` and ``adjust``.

    Examples:
        >>> from mindspore import Tensor, amp
        >>> scaler = amp.StaticLossScaler(8)
        >>> isinstance(scaler, amp.LossScaler)
        True
    """

    @abstractmethod
    def scale(self, inputs: Tensors) -> Tensors:
        """The loss, or losses, multiplied with the scale."""

    @abstractmethod
    def unscale(self, inputs: Tensors) -> Tensors:
        """Gradients divided by the scale."""

    @abstractmethod
    def adjust(self, grads_finite: Tensor) -> Any:
        """Move the scale, knowing whether all gradients were finite."""


def _checked_scale(owner: str, value: Any) -> Parameter:
    check_type(owner, "scale_value", value, (int, float))
    if value < 1.0:
        raise ValueError(f"The argument 'scale_value' must be > 1, but got {value}")
    return Parameter(Tensor(value, dtypes.float32), name="scale_value")


# Building blocks of custom scalers.
_partial, _hypermap = ops.partial, ops.HyperMap()


def _grad_scale(scale: Tensor, grad: Tensor) -> Tensor:
    return grad * scale.astype(grad.dtype)


def _grad_unscale(scale: Tensor, grad: Tensor) -> Tensor:
    return grad * ops.reciprocal(scale).astype(grad.dtype)


def _grad_scale_map(scale_value: Tensor, inputs: Any) -> Any:
    """Every Tensor multiplied with the scale."""
    return _times(inputs, scale_value)


def _grad_unscale_map(scale_value: Tensor, inputs: Any) -> Any:
    """Every Tensor divided by the scale."""
    return _times(inputs, ops.reciprocal(scale_value))


def _overflow(inputs: Any) -> Tensor:
    """Whether an element is infinite or NaN."""
    return ops.logical_not(_all_finite((inputs,)))


def _times(inputs: Any, factor: Tensor) -> Any:
    """Every Tensor multiplied with the factor, in its own dtype."""
    return map_leaves(lambda x: x * factor.astype(x.dtype) if isinstance(x, Tensor) else x, inputs)


class StaticLossScaler(LossScaler):
    """A scale that stays.

    Args:
        scale_value: the scale, at least 1.

    Examples:
        >>> from mindspore import Tensor, amp
        >>> scaler = amp.StaticLossScaler(8)
        >>> print(scaler.scale(Tensor(2.0)), scaler.unscale((Tensor([16.0]),))[0])
        16.0 [2.]
    """

    def __init__(self, scale_value: float):
        self.scale_value = _checked_scale("StaticLossScaler", scale_value)

    def scale(self, inputs: Tensors) -> Tensors:
        """The loss, or losses, multiplied with the scale."""
        return _grad_scale_map(self.scale_value, inputs)

    def unscale(self, inputs: Tensors) -> Tensors:
        """Gradients divided by the scale."""
        return _grad_unscale_map(self.scale_value, inputs)

    def adjust(self, grads_finite: Tensor) -> bool:
        """The scale stays; returns False."""
        return False


class DynamicLossScaler(LossScaler):
    """A scale that falls when gradients are not finite and grows after ``scale_window`` steps in which they were.

    Args:
        scale_value: the first scale, at least 1.
        scale_factor: what the scale is multiplied with or divided by; it never falls below 1.
        scale_window: number of finite steps in a row after which the scale grows.

    Examples:
        >>> from mindspore import Tensor, amp
        >>> scaler = amp.DynamicLossScaler(1024, 2, 2)
        >>> _ = scaler.adjust(Tensor(False))
        >>> print(scaler.scale_value.asnumpy())
        512.0
    """

    def __init__(self, scale_value: float, scale_factor: int, scale_window: int):
        owner = "DynamicLossScaler"
        self.scale_value = _checked_scale(owner, scale_value)
        self.scale_window = check_positive_int(owner, "scale_window", scale_window)
        self.scale_factor = check_positive_int(owner, "scale_factor", scale_factor)
        self.counter = Parameter(Tensor(0, dtypes.int32), name="counter")

    def scale(self, inputs: Tensors) -> Tensors:
        """The loss, or losses, multiplied with the scale."""
        return _grad_scale_map(self.scale_value, inputs)

    def unscale(self, inputs: Tensors) -> Tensors:
        """Gradients divided by the scale."""
        return _grad_unscale_map(self.scale_value, inputs)

    def adjust(self, grads_finite: Tensor) -> bool:
        """Move the scale; returns True."""
        larger = self.scale_value * self.scale_factor
        grows = ops.logical_and(self.counter == self.scale_window - 1, ops.isfinite(larger))
        kept = ops.select(grows, larger, self.scale_value.value())
        smaller = ops.maximum(self.scale_value / self.scale_factor, 1.0)
        ops.assign(self.scale_value, ops.select(grads_finite, kept, smaller))
        counted = (self.counter + 1) % self.scale_window
        ops.assign(self.counter, ops.select(grads_finite, counted, ops.zeros_like(counted)))
        return True


_claim(__name__)
