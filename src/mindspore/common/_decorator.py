"""``deprecated``, at the path libraries import it from."""

from mindspore.ops._utils.deprecation import deprecated

__all__ = ["deprecated"]
