"""``mindspore.common.dump``: choosing what other back ends write to files while they compute."""

from __future__ import annotations

from typing import Any

from mindspore._engine.operator.primitive import Primitive
from mindspore._utils import log
from mindspore._utils.checks import check_bool

__all__ = ["set_dump"]


def set_dump(target: Any, enabled: bool = True) -> None:
    """Mark a Cell or Primitive whose values are to be written to files.

    Nothing is written here: look at the values with ``cell.register_forward_hook``, in both modes.

    Examples:
        >>> import mindspore as ms
        >>> from mindspore import nn
        >>> ms.set_dump(nn.ReLU(), enabled=False)
    """
    is_cell = callable(getattr(target, "cells_and_names", None))
    if not (is_cell or isinstance(target, Primitive)):
        raise ValueError(
            f"For 'set_dump', the \"target\" parameter must be an instance of Cell or Primitive, but got an instance of {type(target)}."
        )
    check_bool("set_dump", "enabled", enabled)
    if isinstance(target, Primitive):
        target.add_prim_attr("dump", enabled)
    else:
        target.add_flags_recursive(dump=enabled)
    if enabled:
        log.once("set_dump", "set_dump: no files are written here. Print values with cell.register_forward_hook.")
