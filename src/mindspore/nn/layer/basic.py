"""Basic layers: fully connected layers, dropout, other shapes and sizes, matrices and norms."""

from __future__ import annotations

from typing import Any

from mindspore.nn.layer._implementation.arranging import (
    Flatten,
    Identity,
    Pad,
    ResizeBilinear,
    Roll,
    Unflatten,
    Unfold,
    Upsample,
)
from mindspore.nn.layer._implementation.arranging import Fold as Fold  # these three are not in nn, but of this module
from mindspore.nn.layer._implementation.arranging import UnfoldExt as UnfoldExt
from mindspore.nn.layer._implementation.arranging import UpsampleExt as UpsampleExt
from mindspore.nn.layer._implementation.dense import Dense, Linear
from mindspore.nn.layer._implementation.dropout import (
    Dropout,
    Dropout1d,
    Dropout2d,
    Dropout2dExt,
    Dropout3d,
    DropoutExt,
)
from mindspore.nn.layer._implementation.matrix import (
    ClipByNorm,
    L1Regularizer,
    MatrixDiag,
    MatrixDiagPart,
    MatrixSetDiag,
    Norm,
    OneHot,
    Tril,
    Triu,
)

__all__ = [
    "ClipByNorm",
    "Dense",
    "Dropout",
    "Dropout1d",
    "Dropout2d",
    "Dropout2dExt",
    "Dropout3d",
    "DropoutExt",
    "Flatten",
    "Identity",
    "L1Regularizer",
    "Linear",
    "MatrixDiag",
    "MatrixDiagPart",
    "MatrixSetDiag",
    "Norm",
    "OneHot",
    "Pad",
    "ResizeBilinear",
    "Roll",
    "Tril",
    "Triu",
    "Unflatten",
    "Unfold",
    "Upsample",
]


def check_dense_input_shape(x: Any, prim_name: str | None = None) -> None:
    """Refuse the shape of an input that Dense of MindSpore 1.x could not take.

    Examples:
        >>> from mindspore.nn.layer.basic import check_dense_input_shape
        >>> check_dense_input_shape((2, 3), "Dense")
    """
    if len(x) < 2:
        prefix = f"For '{prim_name}', the" if prim_name else "The"
        raise ValueError(f"{prefix} dimension of 'x' should not be less than 2, but got {len(x)}.")
