"""Symbol: what a program knows about a length that it leaves open."""

from __future__ import annotations

from typing import Any


class Symbol:
    """A length of an axis that is not known yet, with what is known of it: its limits, or ``divisor * n + remainder``.

    Graphs adapt to shapes by themselves. Where a graph was asked for, ``set_inputs`` and ``enable_dynamic`` refuse a call whose
    lengths are not as described.

    Args:
        max: the largest length; it counts when it is above ``min``.
        min: the smallest length.
        divisor: a number that divides the length, up to the ``remainder``.
        remainder: what is left over.
        unique: whether axes with this Symbol all have the same length.

    Examples:
        >>> import mindspore as ms
        >>> from mindspore import Symbol, Tensor
        >>> x = Tensor(shape=[3, Symbol(divisor=8, max=64)], dtype=ms.float32)
        >>> x.shape, x.symbolic_shape
        ((3, -1), [3, {'max': 64, 'divisor': 8}])
    """

    def __init__(self, max: int = 0, min: int = 1, divisor: int = 1, remainder: int = 0, unique: bool = False,
                 **kwargs: Any):  # fmt: skip
        for name, value in (("max", max), ("min", min), ("divisor", divisor), ("remainder", remainder)):
            if isinstance(value, bool) or not isinstance(value, int):
                raise TypeError(f"For 'Symbol', the argument '{name}' must be int, but got {type(value)}.")
        if not isinstance(unique, bool):
            raise TypeError(f"For 'Symbol', the argument 'unique' must be bool, but got {type(unique)}.")
        for name, value in (("min", min), ("divisor", divisor)):
            if value <= 0:
                raise ValueError(f"For 'Symbol', the '{name}' value should be positive, but got {value}.")
        if not 0 <= remainder < divisor:
            raise ValueError(
                f"For 'Symbol', the 'remainder' value should be in the range '[0, {divisor})', but got {remainder}."
            )
        self.max, self.min, self.divisor, self.remainder, self.unique = max, min, divisor, remainder, unique

    def to_dict(self) -> dict[str, int]:
        """What is known, without what holds for every length."""
        known = {"max": self.max} if self.max > self.min else {}
        known |= {"min": self.min} if self.min > 1 else {}
        known |= {"divisor": self.divisor} if self.divisor > 1 else {}
        known |= {"remainder": self.remainder} if self.remainder else {}
        return known | ({"id": id(self)} if self.unique else {})

    def __str__(self) -> str:
        return str(self.to_dict())
