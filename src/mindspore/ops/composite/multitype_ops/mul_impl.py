"""``mindspore.ops.composite.multitype_ops.mul_impl``: an old path to ``mul``."""

from mindspore.ops.composite.multitype_ops import mul

__all__ = ["mul"]
