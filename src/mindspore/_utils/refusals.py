"""The exceptions for refused arguments: their types are those that programs written for MindSpore catch."""

from __future__ import annotations

from typing import Any

from mindspore._utils.user_call import called_as


class WrongObject(TypeError, AttributeError):
    """Something else was passed where a Tensor, a Cell or another object of this package belongs.

    MindSpore calls this a TypeError where it checks, and an AttributeError where it only tries to use the object: programs may
    catch either. Tracebacks show what it is to a reader, a TypeError.

    >>> try:
    ...     raise WrongObject("For 'Abs', the 'input' must be a Tensor, but got 1 of type int.")
    ... except AttributeError as error:
    ...     print(type(error).__name__)
    TypeError
    """

    def __reduce__(self) -> tuple[Any, ...]:
        return _wrong_object, self.args


WrongObject.__name__ = WrongObject.__qualname__ = "TypeError"
WrongObject.__module__ = "builtins"


def _wrong_object(*args: Any) -> WrongObject:
    return WrongObject(*args)


class _TypeOrValue(TypeError, ValueError):
    """Something of another type among the elements of a sequence, or in the place of one of a few words.

    MindSpore calls some of these wrong types and some wrong values.
    """

    def __reduce__(self) -> tuple[Any, ...]:
        return _type_or_value, (type(self).__name__, self.args)


_SHOWN_AS = {
    kind.__name__: type(kind.__name__, (_TypeOrValue,), {"__module__": "builtins", "__doc__": _TypeOrValue.__doc__})
    for kind in (TypeError, ValueError)
}


def type_or_value(kind: type[Exception]) -> type[Exception]:
    """An exception that is a TypeError and a ValueError, shown as ``kind``, which is one of them.

    >>> issubclass(type_or_value(TypeError), ValueError), type_or_value(TypeError).__name__
    (True, 'TypeError')
    """
    return _SHOWN_AS[kind.__name__]


def _type_or_value(name: str, args: tuple[Any, ...]) -> Exception:
    return _SHOWN_AS[name](*args)


def refused(kind: type[Exception], text: str) -> Exception:
    """The exception for a refused argument; the call as the user wrote it follows the text."""
    return kind(text + called_as())
