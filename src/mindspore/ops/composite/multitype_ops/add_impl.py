"""``mindspore.ops.composite.multitype_ops.add_impl``: an old path to ``add``."""

from mindspore.ops.composite.multitype_ops import add

__all__ = ["add"]
