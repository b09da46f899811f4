"""The checks of :mod:`mindspore.scipy`."""

from __future__ import annotations

from typing import Any

from mindspore._utils.checks import shown
from mindspore._utils.refusals import WrongObject
from mindspore.common import dtype as mstype
from mindspore.common.tensor import Tensor

__all__ = ["pack"]

REAL = (mstype.int32, mstype.int64, mstype.float32, mstype.float64)
COMPLEX = (mstype.complex64, mstype.complex128)


def pack(*args: Any, **kwargs: Any) -> tuple[tuple[Any, ...], dict[str, Any]]:
    """The arguments of a call packed into a value."""
    return args, kwargs


def check_tensor(owner: str, name: str, value: Any) -> Tensor:
    """The value must be a Tensor."""
    if not isinstance(value, Tensor):
        raise WrongObject(f"For '{owner}', the type of '{name}' should be Tensor, but got {shown(value)}.")
    return value


def check_flags(owner: str, **flags: Any) -> None:
    """All of these must be True or False."""
    for name, value in flags.items():
        if not isinstance(value, bool):
            kind = type(value).__name__
            raise TypeError(f"For '{owner}', the type of '{name}' should be bool, but got '{value}' with type {kind}.")


def check_matrix(owner: str, name: str, value: Any, square: bool = True, complex_too: bool = False) -> Tensor:
    """A matrix of real numbers, or complex ones on request; whole numbers become float64."""
    check_tensor(owner, name, value)
    allowed = REAL + (COMPLEX if complex_too else ())
    if value.dtype not in allowed:
        listed = ", ".join(
            f"mindspore.{dtype}".replace("mindspore.mindspore", "mindspore").lower() for dtype in allowed
        )
        raise TypeError(
            f"For '{owner}', the data type of '{name}' should be one of [{listed}], but got {value.dtype}. "
            "Convert it with astype()."
        )
    if value.ndim != 2:
        raise ValueError(f"For '{owner}', the dimension of '{name}' should be 2, but got {value.ndim}.")
    if square and value.shape[0] != value.shape[1]:
        raise ValueError(
            f"For '{owner}', the matrix '{name}' should be a square matrix like (N, N), but got {value.shape}."
        )
    return value.astype(mstype.float64) if value.dtype in (mstype.int32, mstype.int64) else value
