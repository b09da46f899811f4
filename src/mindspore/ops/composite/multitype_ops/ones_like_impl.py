"""``mindspore.ops.composite.multitype_ops.ones_like_impl``: an old path to ``ones_like``."""

from mindspore.ops.composite.multitype_ops import ones_like

__all__ = ["ones_like"]
