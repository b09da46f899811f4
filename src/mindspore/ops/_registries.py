"""Operators by the names that methods of Tensors look them up under."""

from __future__ import annotations

from typing import Any

from mindspore._utils.name_registry import NameRegistry
from mindspore.ops import functional

__all__ = ["Registry", "tensor_operator_registry"]

Registry = NameRegistry


class _Operators(NameRegistry):
    def get(self, obj_str: str, default: Any = None) -> Any:
        """What was registered under a name, or the operator of this name."""
        return self[obj_str] if obj_str in self else getattr(functional, obj_str, None) or super().get(obj_str, default)


tensor_operator_registry = _Operators("tensor_operator_registry")
