"""``mindspore.dataset.core.datatypes``: dtypes as the pipelines know them, which are NumPy's."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from mindspore._engine.base.dtype import DType, dtype_to_nptype, string

__all__ = ["mstype_to_detype", "mstypelist_to_detypelist", "nptype_to_detype"]


def mstype_to_detype(type_: Any) -> Any:
    """The NumPy dtype of a dtype; what is NumPy's already, or None, stays as it is.

    Examples:
        >>> import mindspore as ms
        >>> from mindspore.dataset.core.datatypes import mstype_to_detype
        >>> str(mstype_to_detype(ms.float32))
        'float32'
    """
    if not isinstance(type_, DType):
        return type_
    return np.dtype(np.str_) if type_ is string else np.dtype(dtype_to_nptype(type_))


def mstypelist_to_detypelist(type_list: Sequence[Any]) -> list[Any]:
    """The NumPy dtypes of several."""
    return [None if one is None else mstype_to_detype(one) for one in type_list]


def nptype_to_detype(type_: Any) -> np.dtype:
    """The NumPy dtype of a NumPy type or its name."""
    return np.dtype(type_)
