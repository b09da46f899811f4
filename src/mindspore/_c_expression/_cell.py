"""The class that every Cell is an instance of in MindSpore's compiled part, and the float types it may compute in."""

import enum

__all__ = ["Cell_", "MixedPrecisionType"]


class Cell_:  # noqa: N801 - MindSpore's name
    """The base class of ``mindspore.nn.Cell``.

    Examples:
        >>> from mindspore import nn
        >>> from mindspore._c_expression import Cell_
        >>> isinstance(nn.ReLU(), Cell_)
        True
    """


class MixedPrecisionType(enum.IntEnum):
    """The float type a Cell computes in."""

    NOTSET, FP16, FP32, BF16 = range(4)
