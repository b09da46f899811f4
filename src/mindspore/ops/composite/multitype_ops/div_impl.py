"""``mindspore.ops.composite.multitype_ops.div_impl``: an old path to ``div``."""

from mindspore.ops.composite.multitype_ops import div

__all__ = ["div"]
