"""The classes of dtypes: every dtype is an instance of ``Float``, ``Int``, ``List``, ..., and all of these of ``DType``.

>>> from mindspore._engine.base import dtype
>>> isinstance(dtype.float32, Float), isinstance(dtype.bfloat16, Float), Float(32) is dtype.float32
(True, False, True)
"""

from __future__ import annotations

from typing import Any, ClassVar, TypeVar

import numpy as np

_Defined = TypeVar("_Defined", bound="DType")
NAMES: dict[str, DType] = {}  # every dtype by its name, for pickles


class DType:
    """One element type. Instances are singletons: compare with ``==`` or ``is``, use as dict keys.

    Examples:
        >>> import mindspore as ms
        >>> isinstance(ms.float32, ms.Type), ms.Tensor([1.0]).dtype == ms.float32
        (True, True)
    """

    __slots__ = ("_repr", "kind", "name", "np_dtype")

    def __new__(cls, /, *_: Any, **__: Any) -> Any:
        raise TypeError(
            f"'{cls.__name__}' has no constructor. Write mindspore.float32, mindspore.int32 and so on, which are its instances."
        )

    @classmethod
    def define(cls: type[_Defined], name: str, spelling: str, np_dtype: Any = None, kind: str = "meta") -> _Defined:
        """A new dtype of this class."""
        made = object.__new__(cls)
        made.name, made.kind, made._repr = name, kind, f"mindspore.{spelling}"
        if not isinstance(cls.__dict__.get("np_dtype"), property):
            made.np_dtype = None if np_dtype is None else np.dtype(np_dtype)
        NAMES[name] = made
        return made

    def __str__(self) -> str:
        return self.name

    def __repr__(self) -> str:
        return self._repr

    def __reduce__(self) -> tuple[Any, ...]:
        return (by_name, (self.name,))

    def __copy__(self) -> DType:
        return self

    def __deepcopy__(self, memo: dict[Any, Any]) -> DType:
        return self

    def __call__(self, value: Any) -> Any:
        raise TypeError(
            f"'{self!r}' is a dtype, not a function. Write Tensor({value!r}, {self!r}) to make a tensor of that dtype, "
            f"or tensor.astype({self!r}) to convert one."
        )

    @property
    def is_floating(self) -> bool:
        return self.kind == "float"

    @property
    def is_complex(self) -> bool:
        return self.kind == "complex"

    @property
    def is_integer(self) -> bool:
        return self.kind in ("int", "uint")


def by_name(name: str) -> DType:
    return NAMES[name]


class OneOf(DType):
    """A class whose constructor without arguments gives the one dtype that stands for all of its instances."""

    __slots__ = ()
    any: ClassVar[Any]

    def __new__(cls, *_: Any) -> Any:
        return cls.any

    @classmethod
    def generic(cls, name: str, spelling: str, kind: str = "meta") -> DType:
        """Define the dtype that the constructor gives."""
        cls.any = cls.define(name, spelling, None, kind)
        return cls.any


class Number(OneOf):
    """The class of all dtypes of numbers, ``bool`` included."""

    __slots__ = ()
    by_bits: ClassVar[dict[int, DType]] = {}

    def __new__(cls, bits: int | None = None) -> Any:
        if bits is None:
            return cls.any
        if not isinstance(bits, int) or bits not in cls.by_bits:
            raise RuntimeError(
                f"For '{cls.__name__}', the number of bits must be one of {list(cls.by_bits)}, but got {bits!r}."
            )
        return cls.by_bits[bits]

    @property
    def is_floating_point(self) -> bool:
        return self.kind == "float"

    @property
    def is_signed(self) -> bool:
        return self.kind in ("int", "float", "complex")

    @property
    def itemsize(self) -> int:
        """The bytes one element takes."""
        return 0 if self.np_dtype is None else self.np_dtype.itemsize

    def to_complex(self) -> DType:
        """The complex dtype whose parts have this dtype."""
        return self._other("complex", {"Float32": "Complex64", "Float64": "Complex128"})

    def to_real(self) -> DType:
        """The dtype of the parts of a complex one."""
        return self._other(
            "real", {"Complex64": "Float32", "Complex128": "Float64", "Float32": "Float32", "Float64": "Float64"}
        )

    def _other(self, wanted: str, table: dict[str, str]) -> DType:
        if self.name not in table:
            raise TypeError(
                f"For 'to_{wanted}', the dtype must be one of {list(table)}, but got {self.name}: it has no {wanted} counterpart."
            )
        return NAMES[table[self.name]]


class Bool(Number):
    """The class of ``mindspore.bool``."""

    __slots__ = ()


class Int(Number):
    """The signed integers: ``Int(32)`` is ``mindspore.int32``, and every one of them is an instance.

    Examples:
        >>> import mindspore as ms
        >>> ms.Int(32), isinstance(ms.int8, ms.Int), isinstance(ms.uint8, ms.Int)
        (mindspore.int32, True, False)
    """

    __slots__ = ()
    by_bits: ClassVar[dict[int, DType]] = {}


class UInt(Number):
    """The integers without a sign."""

    __slots__ = ()
    by_bits: ClassVar[dict[int, DType]] = {}


class Float(Number):
    """The floating point dtypes but ``bfloat16``."""

    __slots__ = ()
    by_bits: ClassVar[dict[int, DType]] = {}


class BFloat(Number):
    """The class of ``mindspore.bfloat16``."""

    __slots__ = ()
    by_bits: ClassVar[dict[int, DType]] = {}


class Complex(Number):
    """The complex dtypes."""

    __slots__ = ()
    by_bits: ClassVar[dict[int, DType]] = {}


class ForeignDType(Float):
    """A named dtype without a representation: no Tensor can hold it."""

    __slots__ = ()

    @property
    def np_dtype(self) -> Any:  # type: ignore[override]
        raise TypeError(
            f"{self!r} is a format of Ascend's devices that XLA does not have. Write mindspore.float8_e4m3fn, "
            "mindspore.float8_e5m2 or mindspore.bfloat16 instead."
        )

    @property
    def itemsize(self) -> int:
        return 1


class TensorType(OneOf):
    """The type of Tensors, of any element type or of one.

    Examples:
        >>> import mindspore as ms
        >>> ms.TensorType(ms.float32), ms.TensorType(ms.float32).element_type()
        (mindspore.tensor[float32], mindspore.float32)
        >>> ms.TensorType() == ms.tensor_type
        True
    """

    __slots__ = ("_element",)
    _element: DType

    def __new__(cls, element: DType | None = None) -> Any:
        if element is None:
            return TensorType.any
        if not isinstance(element, DType):
            raise TypeError(f"For 'TensorType', the 'element' must be a dtype, but got {type(element).__name__}.")
        made = object.__new__(cls)
        made.name, made.kind, made.np_dtype = f"Tensor[{element}]", "meta", None
        made._repr = f"mindspore.tensor[{repr(element).removeprefix('mindspore.')}]"
        made._element = element
        return made

    def element_type(self) -> DType | None:
        """The dtype of the elements; None if any."""
        return getattr(self, "_element", None)

    def __reduce__(self) -> tuple[Any, ...]:
        return (TensorType, (self.element_type(),))

    def __eq__(self, other: object) -> bool:
        return isinstance(other, TensorType) and other.element_type() == self.element_type()

    def __hash__(self) -> int:
        return hash(("Tensor", self.element_type()))
