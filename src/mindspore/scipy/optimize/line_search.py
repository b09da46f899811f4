"""The module of MindSpore that :func:`mindspore.scipy.optimize.line_search` comes from."""

from mindspore.scipy.optimize._line_search import line_search

__all__ = ["line_search"]
