"""``mindspore.ops.composite.multitype_ops.zeros_like_impl``: an old path to ``zeros_like``."""

from mindspore.ops.composite.multitype_ops import zeros_like

__all__ = ["zeros_like"]
