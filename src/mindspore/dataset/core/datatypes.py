"""Names of dtypes in data pipelines, from dtypes of Tensors and of NumPy.

>>> import mindspore as ms
>>> mstype_to_detype(ms.float32)
'float32'
"""

from __future__ import annotations

from typing import Any

import numpy as np

__all__ = ["mstype_to_detype", "mstypelist_to_detypelist", "nptype_to_detype"]

_NAMES = {"bool": "bool", "string": "string"}


def nptype_to_detype(type_: Any) -> str:
    """The name of a NumPy dtype."""
    dtype = np.dtype(type_)
    return "string" if dtype.kind in "SU" else dtype.name


def mstype_to_detype(type_: Any) -> str:
    """The name of the dtype of a Tensor, or of text."""
    name = str(type_).lower()
    if type_ is None or name.startswith("bfloat"):
        raise NotImplementedError(
            f"For 'mstype_to_detype', the 'type_' must be a dtype that data pipelines have, such as mindspore.int32, but got "
            f"{type_!r}."
        )
    return _NAMES.get(name) or nptype_to_detype(name)


def mstypelist_to_detypelist(type_list: list[Any]) -> list[str]:
    """The names of several."""
    return [mstype_to_detype(type_) for type_ in type_list]
