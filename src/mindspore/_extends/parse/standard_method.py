"""The methods of Tensors, lists, dicts and numbers as functions of what they are called on.

>>> from mindspore import Tensor
>>> from mindspore._extends.parse import standard_method
>>> print(standard_method.max(Tensor([1.0, 3.0])), standard_method.list_append([1], 2))
3.0 [1, 2]
"""

from __future__ import annotations

from typing import Any

from mindspore._engine.tensor.tensor import Tensor
from mindspore.ops import functional


def list_append(self_: list[Any], list_item: Any) -> list[Any]:
    """A list with one more item at its end."""
    self_.append(list_item)
    return self_


def list_extend(self_: list[Any], obj: Any) -> list[Any]:
    """A list with more items at its end."""
    self_.extend(obj)
    return self_


def list_insert(self_: list[Any], index: int, obj: Any) -> list[Any]:
    """A list with one more item."""
    self_.insert(index, obj)
    return self_


def dict_get(self_: dict[Any, Any], key_index: Any, default_value: Any = None) -> Any:
    """The value of a key."""
    return self_.get(key_index, default_value)


def dict_haskey(self_: dict[Any, Any], key_index: Any) -> bool:
    """Whether a key is there."""
    return key_index in self_


def ms_len(data: Any) -> int:
    """How many members something has."""
    return len(data)


def __getattr__(name: str) -> Any:
    if name.startswith("__"):
        raise AttributeError(name)
    own = name.removesuffix("_") if name in ("all_", "any_", "and_", "bool_", "T_", "itemsize_") else name
    found = getattr(Tensor, own, None)
    return found if callable(found) else getattr(functional, own)
