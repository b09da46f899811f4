"""The types of values that are no numbers: lists, functions, ``None``, sparse Tensors. Programs ask ``isinstance`` of them.

>>> from mindspore._engine.base import dtype
>>> isinstance(dtype.list_, List), List() is dtype.list_
(True, True)
"""

from __future__ import annotations

from mindspore._engine.base.dtype_classes import DType, OneOf, TensorType


class String(OneOf):
    """The type of texts."""

    __slots__ = ()


class List(OneOf):
    """The type of lists."""

    __slots__ = ()


class Tuple(OneOf):
    """The type of tuples."""

    __slots__ = ()


class Dict(OneOf):
    """The type of dicts."""

    __slots__ = ()


class Slice(OneOf):
    """The type of slices."""

    __slots__ = ()


class Keyword(OneOf):
    """The type of arguments given by name."""

    __slots__ = ()


class FunctionType(OneOf):
    """The type of functions."""

    __slots__ = ()


class TypeType(OneOf):
    """The type of dtypes."""

    __slots__ = ()


class TypeNone(OneOf):
    """The type of ``None``."""

    __slots__ = ()


class TypeNull(OneOf):
    """The type of what stands for "nothing given"; there is one such value.

    Examples:
        >>> from mindspore.common import _null, _NullType
        >>> _NullType() is _null
        True
    """

    __slots__ = ()


class TypeAny(OneOf):
    """The type of anything."""

    __slots__ = ()


class TypeEllipsis(OneOf):
    """The type of ``...``."""

    __slots__ = ()


class TypeMsClassType(OneOf):
    """The type of instances of classes under ``jit_class``."""

    __slots__ = ()


class UndeterminedType(OneOf):
    """The type of what is not known yet."""

    __slots__ = ()


class SymbolicKeyType(OneOf):
    """The type of names of values in a graph."""

    __slots__ = ()


class EnvType(OneOf):
    """The type of tables of gradients in a graph."""

    __slots__ = ()


class RefKeyType(OneOf):
    """The type of names of Parameters in a graph."""

    __slots__ = ()


class RefType(TensorType):
    """The type of Parameters in a graph."""

    __slots__ = ()


class _SparseType(OneOf):
    __slots__ = ()

    def element_type(self) -> DType | None:
        """The dtype of the elements; None for any."""
        return None

    ElementType = element_type


class RowTensorType(_SparseType):
    """The type of Tensors of which some rows are given."""

    __slots__ = ()


class COOTensorType(_SparseType):
    """The type of sparse Tensors in coordinate form."""

    __slots__ = ()


class CSRTensorType(_SparseType):
    """The type of sparse Tensors in compressed rows."""

    __slots__ = ()


string = String.generic("String", "string_", "string")
list_, tuple_ = List.generic("List", "list_"), Tuple.generic("Tuple", "tuple_")
dict_, slice_type, keyword = (
    Dict.generic("Dictionary", "Dictionary"),
    Slice.generic("Slice", "Slice"),
    Keyword.generic("Keyword", "Keyword"),
)
function, type_type = FunctionType.generic("Func", "function"), TypeType.generic("TypeType", "type_type")
type_none, null = TypeNone.generic("None", "type_none"), TypeNull.generic("Null", "Null")
type_any, type_ellipsis = TypeAny.generic("Any", "Any"), TypeEllipsis.generic("Ellipsis", "Ellipsis")
ms_class_type = TypeMsClassType.generic("MsClassType", "MsClassType")
undetermined = UndeterminedType.generic("Undetermined", "Undetermined")
symbolic_key = SymbolicKeyType.generic("Object:SymbolicKey", "symbolic_key")
env_type = EnvType.generic("Object:EnvType", "env_type")
type_refkey = RefKeyType.generic("Object:RefKey", "type_refkey")
index_slices = RowTensorType.generic("RowTensor", "RowTensor")
coo_tensor = COOTensorType.generic("COOTensor", "COOTensor")
csr_tensor = CSRTensorType.generic("CSRTensor", "CSRTensor")
