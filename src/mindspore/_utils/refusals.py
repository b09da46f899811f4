"""The exceptions for refused arguments: their types are those that programs written for MindSpore catch."""

from __future__ import annotations

import builtins
import contextlib
import functools
from collections.abc import Iterator
from typing import Any

from mindspore._utils.user_call import called_as


@functools.cache
def several(shown: type[Exception], *others: type[Exception]) -> type[Exception]:
    """An exception that is all of these types at once; tracebacks show the first.

    MindSpore refuses the same mistake with one type where it checks and with another where the argument is used first, and
    programs may catch either.

    >>> try:
    ...     raise several(TypeError, AttributeError)("For 'Abs', the 'input' must be a Tensor, but got 1 of type int.")
    ... except AttributeError as error:
    ...     print(type(error).__name__)
    TypeError
    """
    names = tuple(kind.__name__ for kind in (shown, *others))

    def reduced(error: Exception) -> tuple[Any, ...]:
        return _made, (names, error.args)

    return type(shown.__name__, (shown, *others), {"__module__": "builtins", "__reduce__": reduced})


def _made(names: tuple[str, ...], args: tuple[Any, ...]) -> Exception:
    """The exception again, from its pickle."""
    return several(*(getattr(builtins, name) for name in names))(*args)


# Something else was passed where a Tensor, a Cell or another object of this package belongs: a TypeError where MindSpore checks, an
# AttributeError where it only tries to use the object, a ValueError where it asks for the shape first.
WrongObject = several(TypeError, AttributeError, ValueError)
# A number, bool or text of the wrong type: MindSpore compares some of them with their limits first.
WrongType = several(TypeError, ValueError)


def type_or_value(kind: type[Exception]) -> type[Exception]:
    """An exception that is a TypeError and a ValueError, shown as ``kind``, which is one of them.

    >>> issubclass(type_or_value(TypeError), ValueError), type_or_value(TypeError).__name__
    (True, 'TypeError')
    """
    return several(kind, ValueError if kind is TypeError else TypeError)


@contextlib.contextmanager
def refusing_as(kind: type[Exception]) -> Iterator[None]:
    """What is refused inside is shown as ``kind``, and is of its own type, too."""
    try:
        yield
    except (TypeError, ValueError) as error:
        own = [one for one in (TypeError, ValueError, AttributeError) if isinstance(error, one) and one is not kind]
        raise several(kind, *own)(*error.args) from None


def refused(kind: type[Exception], text: str) -> Exception:
    """The exception for a refused argument; the call as the user wrote it follows the text."""
    return kind(text + called_as())
