"""What all quantizers have in common."""

from __future__ import annotations

import enum
from abc import ABC, abstractmethod
from collections.abc import Iterable

from mindspore._utils.checks import check_type
from mindspore.nn.cell import Cell

__all__ = ["OptimizeOption", "Quantizer"]


class OptimizeOption(enum.Enum):
    """How ranges are found: QAT follows what is observed, LEARNED_SCALE trains them.

    Examples:
        >>> from mindspore.compression.quant import OptimizeOption
        >>> print(OptimizeOption.LEARNED_SCALE)
        LEARNED_SCALE
    """

    QAT = "QAT"
    LEARNED_SCALE = "LEARNED_SCALE"

    def __str__(self) -> str:
        return self.value


class Quantizer(ABC):
    """The base of quantizers."""

    def __init__(self, optimize_option: OptimizeOption | Iterable[OptimizeOption] = OptimizeOption.QAT):
        options = [optimize_option] if isinstance(optimize_option, OptimizeOption) else list(optimize_option)
        for option in options:
            check_type(type(self).__name__, "optimize_option", option, OptimizeOption)
        self.optimize_option = options

    @abstractmethod
    def quantize(self, network: Cell) -> Cell:
        """The network with quantized layers."""
