"""Docstrings get the sections that signatures and declarations know."""

from mindspore._utils.documents.composing import body_of, complete, composed, parameters_of, result_kinds, taken

__all__ = ["body_of", "complete", "composed", "parameters_of", "result_kinds", "taken"]
