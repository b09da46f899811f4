"""What MindSpore's boost package has of use here: accumulated gradients, and the switch that programs set."""

from mindspore.boost.boost import AutoBoost
from mindspore.boost.grad_accumulation import GradientAccumulation

__all__ = ["AutoBoost", "GradientAccumulation"]
