"""Tensor methods that create a tensor like this tensor, or overwrite all of it; and ``mindspore.tensor``."""

from __future__ import annotations

from typing import Any

from mindspore._engine.base.dtype import DType
from mindspore._engine.operator.checked import check_numbers, check_strings
from mindspore._engine.tensor.members import attach_functions
from mindspore._engine.tensor.tensor import Tensor
from mindspore._ops.array import creation


def tensor(
    input_data: Any = None,
    dtype: DType | None = None,
    shape: Any = None,
    init: Any = None,
    const_arg: bool = False,
    device: str | None = None,
) -> Tensor:
    """A Tensor, by the rules of :class:`mindspore.Tensor`.

    Examples:
        >>> import mindspore as ms
        >>> print(ms.tensor([1, 2], ms.float32))
        [1. 2.]
    """
    return Tensor(input_data, dtype, shape, init, const_arg=const_arg, device=device)


def new_zeros(self: Tensor, size: Any, dtype: DType | None = None) -> Tensor:
    """Zeros of a size, in this tensor's dtype by default.

    Examples:
        >>> from mindspore import Tensor
        >>> print(Tensor([1, 2]).new_zeros((3,)))
        [0 0 0]
    """
    return creation.zeros(size, self.dtype if dtype is None else dtype)


def new_ones(self: Tensor, size: Any, dtype: DType | None = None) -> Tensor:
    """Ones of a size, in this tensor's dtype by default.

    Examples:
        >>> from mindspore import Tensor
        >>> print(Tensor([1, 2]).new_ones((3,)))
        [1 1 1]
    """
    return creation.ones(size, self.dtype if dtype is None else dtype)


def new_full(self: Tensor, size: Any, fill_value: Any, *, dtype: DType | None = None) -> Tensor:
    """A tensor of a size filled with a number, in this tensor's dtype by default.

    Examples:
        >>> from mindspore import Tensor
        >>> print(Tensor([1, 2]).new_full((3,), 7))
        [7 7 7]
    """
    return creation.full(size, fill_value, self.dtype if dtype is None else dtype)


def new_empty(self: Tensor, size: Any, *, dtype: DType | None = None, device: str | None = None) -> Tensor:
    """A tensor of a size whose elements mean nothing yet (here zeros), in this tensor's dtype by default.

    Examples:
        >>> from mindspore import Tensor
        >>> Tensor([1, 2]).new_empty((3,)).shape
        (3,)
    """
    check_strings("new_empty", device=device)
    return creation.zeros(size, self.dtype if dtype is None else dtype)


def fill(self: Tensor, value: Any) -> Tensor:
    """A tensor like this tensor, filled with a number.

    Examples:
        >>> from mindspore import Tensor
        >>> print(Tensor([1, 2]).fill(7))
        [7 7]
    """
    return creation.full_like(self, value)


def fill_(self: Tensor, value: Any) -> Tensor:
    """Fill this tensor with a number; returns the tensor.

    Examples:
        >>> from mindspore import Tensor
        >>> x = Tensor([1, 2])
        >>> print(x.fill_(7), x)
        [7 7] [7 7]
    """
    if isinstance(value, complex) and not self.is_complex():
        check_numbers("fill_", value=value)
    self._write_elements(creation.full_like(self, value))
    return self


def zero_(input: Tensor) -> Tensor:
    """Put 0 everywhere in this tensor; returns the tensor.

    Examples:
        >>> from mindspore import Tensor
        >>> print(Tensor([1, 2]).zero_())
        [0 0]
    """
    return fill_(input, 0)


attach_functions(new_zeros, new_ones, new_full, new_empty, fill, fill_, zero_)
