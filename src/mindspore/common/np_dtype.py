"""``mindspore.common.np_dtype``: dtypes that NumPy itself lacks."""

from ml_dtypes import bfloat16

__all__ = ["bfloat16", "np_dtype_valid"]


def np_dtype_valid(log_warning: bool = True) -> bool:
    """Whether NumPy arrays can hold bfloat16; they always can here."""
    return True
