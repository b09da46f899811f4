"""``mindspore.ops.composite.multitype_ops.sub_impl``: an old path to ``sub``."""

from mindspore.ops.composite.multitype_ops import sub

__all__ = ["sub"]
