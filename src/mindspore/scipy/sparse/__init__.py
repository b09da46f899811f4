"""Equations with sparse matrices."""

from mindspore.scipy.sparse import linalg

__all__ = ["linalg"]
