"""Docstrings get the sections that signatures and declarations know."""

from mindspore._utils.documents.composing import complete, composed, parameters_of, result_kinds

__all__ = ["complete", "composed", "parameters_of", "result_kinds"]
