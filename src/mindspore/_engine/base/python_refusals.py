"""Mistakes for which Python and MindSpore's graphs raise different exception types: a graph raises one that is both."""

from __future__ import annotations

from mindspore._utils.refusals import several

_BY_GRAPHS = (  # what Python raises, words of its message, and the type that MindSpore's graphs raise
    (ZeroDivisionError, "", ValueError),
    (KeyError, "", ValueError),
    (TypeError, "object is not callable", ValueError),
    (TypeError, "unexpected keyword argument", RuntimeError),
    (TypeError, "the call has no argument", RuntimeError),
    (TypeError, "the arguments must be", RuntimeError),
    (TypeError, "range expected at", RuntimeError),
    (ValueError, "range() arg 3", RuntimeError),
    (TypeError, "has no len()", AttributeError),
    (TypeError, "is not subscriptable", AttributeError),
    (TypeError, "list indices must be", IndexError),
    (ValueError, "not enough values to unpack", IndexError),
    (IndexError, "string index out of range", RuntimeError),
    (TypeError, "instances of 'dict' and 'dict'", RuntimeError),
)


def as_in_graphs(error: Exception, text: str) -> type[Exception]:
    """The class for an error of the program while its graph is compiled."""
    others = [also for kind, words, also in _BY_GRAPHS if isinstance(error, kind) and words in text]
    return several(type(error), *[also for also in others if not isinstance(error, also)]) if others else type(error)
