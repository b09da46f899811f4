"""Tensors from memory, and Tensors that exchange what they hold."""

from __future__ import annotations

import gc
from typing import Any

import numpy as np

from mindspore._engine.base.dtype import DType
from mindspore._engine.tensor.tensor import Tensor
from mindspore._utils.checks import check_type

__all__ = ["frombuffer", "swap_tensors"]


def frombuffer(buffer: Any, dtype: DType, count: int = -1, offset: int = 0) -> Tensor:
    """A Tensor of one axis with the bytes of an object such as ``bytes`` or ``array.array``.

    Args:
        buffer: the object; its data is copied.
        dtype: what the bytes stand for.
        count: how many elements to take; -1 for all.
        offset: how many bytes to leave out first.

    Examples:
        >>> import mindspore as ms
        >>> print(ms.frombuffer(b"\\x01\\x02\\x03", dtype=ms.int8, offset=1))
        [2 3]
    """
    check_type("frombuffer", "dtype", dtype, DType)
    if dtype.np_dtype is None:
        raise TypeError(f"For 'frombuffer', the 'dtype' must be one of numbers, but got {dtype}.")
    try:
        array = np.frombuffer(buffer, dtype.np_dtype, count, offset)
    except (TypeError, AttributeError) as error:
        raise TypeError(
            f"For 'frombuffer', the 'buffer' must be an object that gives access to its bytes, but got {type(buffer).__name__}."
        ) from error
    except ValueError as error:
        raise ValueError(f"For 'frombuffer', {error}.") from None
    return Tensor(array)


def host_bytes() -> int:
    """The bytes of Tensors that are on the host, as small and new ones are; looks at all objects."""
    found = [one.__dict__.get("_value") for one in gc.get_objects() if isinstance(one, Tensor)]
    return sum({id(array): array.nbytes for array in found if isinstance(array, np.ndarray)}.values())


def swap_tensors(t1: Tensor, t2: Tensor) -> None:
    """Exchange what two Tensors hold. A Parameter keeps its name and stays a Parameter.

    Examples:
        >>> import mindspore as ms
        >>> from mindspore import Tensor
        >>> x, y = Tensor([1.0]), Tensor([2.0, 3.0])
        >>> ms.swap_tensors(x, y)
        >>> print(x, y)
        [2. 3.] [1.]
    """
    check_type("swap_tensors", "t1", t1, Tensor)
    check_type("swap_tensors", "t2", t2, Tensor)
    first, second = Tensor.linked(t1._read(), t1._link), Tensor.linked(t2._read(), t2._link)
    t1._become(second)
    t2._become(first)
