"""Helpers around datasets."""

from mindspore.dataset.utils.line_reader import LineReader

__all__ = ["LineReader"]
