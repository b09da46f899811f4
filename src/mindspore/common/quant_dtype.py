"""The integer types that quantization rounds to."""

from __future__ import annotations

import enum


@enum.unique
class QuantDtype(enum.Enum):
    """A quantized type: INT1 to INT16, UINT1 to UINT16, and the floating-point types that stand for 'not quantized'.

    Examples:
        >>> from mindspore.nn.layer.quant import QuantDtype
        >>> print(QuantDtype.INT4, QuantDtype.INT4.num_bits, QuantDtype.is_signed(QuantDtype.UINT8))
        INT4 4 False
        >>> QuantDtype.switch_signed(QuantDtype.UINT8).name
        'INT8'
    """

    INT1, INT2, INT3, INT4, INT5, INT6, INT7, INT8 = range(8)
    INT9, INT10, INT11, INT12, INT13, INT14, INT15, INT16 = range(8, 16)
    UINT1, UINT2, UINT3, UINT4, UINT5, UINT6, UINT7, UINT8 = range(100, 108)
    UINT9, UINT10, UINT11, UINT12, UINT13, UINT14, UINT15, UINT16 = range(108, 116)
    FLOAT16, FLOAT32 = 200, 201

    def __str__(self) -> str:
        return self.name

    def value(self) -> int:  # type: ignore[override]
        """The number that stands for the type."""
        return self._value_

    @property
    def num_bits(self) -> int:
        """How many bits a number has."""
        return int(self.name.lstrip("UINTFLOA"))

    @staticmethod
    def is_signed(dtype: QuantDtype) -> bool:
        """Whether the type is an integer with a sign."""
        return dtype.name.startswith("INT")

    @staticmethod
    def switch_signed(dtype: QuantDtype) -> QuantDtype:
        """The integer type of the same size with (without) a sign."""
        if dtype.name.startswith("FLOAT"):
            raise ValueError(f"For 'QuantDtype', the 'dtype' must be an integer type, but got {dtype}.")
        return QuantDtype[dtype.name[1:] if dtype.name.startswith("U") else f"U{dtype.name}"]
