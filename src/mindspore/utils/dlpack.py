"""Exchange of memory with other array libraries, without a copy where the device allows it."""

from __future__ import annotations

from typing import Any

from mindspore._ops.methods import tensor_views
from mindspore._utils.checks import check_type, shown
from mindspore.common.tensor import Tensor

__all__ = ["from_dlpack", "to_dlpack"]


def to_dlpack(tensor: Tensor) -> Any:
    """A capsule through which another library can use the memory of a Tensor.

    Libraries that know the protocol (NumPy, PyTorch, JAX) take the Tensor itself as well: ``np.from_dlpack(tensor)``.

    Examples:
        >>> from mindspore import Tensor
        >>> from mindspore.utils import from_dlpack, to_dlpack
        >>> print(from_dlpack(to_dlpack(Tensor([1.0, 2.0]))))
        [1. 2.]
    """
    return tensor_views.to_dlpack(check_type("to_dlpack", "tensor", tensor, Tensor))


def from_dlpack(dlpack: Any) -> Tensor:
    """A Tensor from a capsule, or from an array of another library.

    Examples:
        >>> import numpy as np
        >>> from mindspore.utils import from_dlpack
        >>> print(from_dlpack(np.array([1, 2])))
        [1 2]
    """
    if type(dlpack).__name__ != "PyCapsule" and not hasattr(dlpack, "__dlpack__"):
        raise TypeError(
            f"For 'from_dlpack', the 'dlpack' must be a capsule or an array with __dlpack__, but got {shown(dlpack)}."
        )
    return tensor_views.from_dlpack(dlpack)
