"""Classes of dtypes that programs ask ``isinstance`` of, or make dtypes with: ``Int(32)``, ``TensorType(float32)``."""

from __future__ import annotations

from typing import Any

from mindspore._engine.base.dtype import DType, int8, int16, int32, int64, tensor_type

__all__ = ["Int", "NullType", "TensorType", "null"]

_INTEGERS = {8: int8, 16: int16, 32: int32, 64: int64}
_ANY_INTEGER = DType("Int", "int", None, "meta")
null = DType("Null", "Null", None, "meta")


class _IntKind(type):
    def __instancecheck__(cls, instance: Any) -> bool:
        return isinstance(instance, DType) and (instance.kind == "int" or instance is _ANY_INTEGER)


class Int(metaclass=_IntKind):
    """The signed integers: ``Int(32)`` is ``mindspore.int32``, and every one of them is an instance.

    Examples:
        >>> import mindspore as ms
        >>> ms.Int(32), isinstance(ms.int8, ms.Int), isinstance(ms.uint8, ms.Int)
        (mindspore.int32, True, False)
    """

    def __new__(cls, bits: int | None = None) -> DType:  # type: ignore[misc]
        if bits is None:
            return _ANY_INTEGER
        if bits not in _INTEGERS:
            raise ValueError(f"For 'Int', the number of bits must be one of {list(_INTEGERS)}, but got {bits!r}.")
        return _INTEGERS[bits]


class _TensorKind(type):
    def __instancecheck__(cls, instance: Any) -> bool:
        return isinstance(instance, _TensorOf) or instance is tensor_type


class _TensorOf(DType):
    """The type of Tensors with one element type."""

    __slots__ = ("_element",)

    def __init__(self, element: DType):
        super().__init__(f"Tensor[{element}]", f"tensor[{repr(element).removeprefix('mindspore.')}]", None, "meta")
        self._element = element

    def element_type(self) -> DType:
        """The dtype of the elements."""
        return self._element

    def __reduce__(self) -> tuple:
        return (TensorType, (self._element,))

    def __eq__(self, other: object) -> bool:
        return isinstance(other, _TensorOf) and other._element == self._element

    def __hash__(self) -> int:
        return hash(("Tensor", self._element))


class TensorType(metaclass=_TensorKind):
    """The type of Tensors, of any element type or of one.

    Examples:
        >>> import mindspore as ms
        >>> ms.TensorType(ms.float32), ms.TensorType(ms.float32).element_type()
        (mindspore.tensor[float32], mindspore.float32)
        >>> ms.TensorType() == ms.tensor_type
        True
    """

    def __new__(cls, element: DType | None = None) -> DType:  # type: ignore[misc]
        if element is None:
            return tensor_type
        if not isinstance(element, DType):
            raise TypeError(f"For 'TensorType', the 'element' must be a dtype, but got {type(element).__name__}.")
        return _TensorOf(element)


class NullType:
    """The type of what stands for "nothing given"; there is one such value.

    Examples:
        >>> from mindspore.common import _null, _NullType
        >>> _NullType() is _null
        True
    """

    def __new__(cls) -> DType:  # type: ignore[misc]
        return null
