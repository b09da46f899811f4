"""Errors of a running pipeline."""

from __future__ import annotations

import contextlib
import os
import traceback
from collections.abc import Callable, Iterator

_LINE = "-" * 66
_STACK = f"- Python Call Stack:\n{_LINE}\n"
_FAILED = "Execute user Python code failed, check 'Python Call Stack' above"


def pipeline_error(text: str) -> RuntimeError:
    """A RuntimeError in the form of real MindSpore: a summary, a banner, the details.

    >>> print(pipeline_error("Invalid data, no data."))
    Invalid data, no data.
    <BLANKLINE>
    ------------------------------------------------------------------
    - Dataset Pipeline Error Message:
    ------------------------------------------------------------------
    [ERROR] Invalid data, no data.
    """
    first = text.split("\n", 1)[0]
    return RuntimeError(first + _block("Dataset Pipeline Error Message", f"[ERROR] {text}"))


def python_error(text: str, lines: str) -> RuntimeError:
    """The same for code of the program's own, whose traceback is a block before the details.

    >>> print(python_error("row 3: division by zero", "ZeroDivisionError: division by zero"))
    Exception thrown from user defined Python function in dataset. row 3: division by zero
    <BLANKLINE>
    ------------------------------------------------------------------
    - Python Call Stack:
    ------------------------------------------------------------------
    ZeroDivisionError: division by zero
    <BLANKLINE>
    ------------------------------------------------------------------
    - Dataset Pipeline Error Message:
    ------------------------------------------------------------------
    [ERROR] Execute user Python code failed, check 'Python Call Stack' above: row 3: division by zero
    """
    details = f"[ERROR] {_FAILED}: {text}"
    return RuntimeError(
        f"Exception thrown from user defined Python function in dataset. {text}"
        + _block("Python Call Stack", lines.rstrip())
        + _block("Dataset Pipeline Error Message", details)
    )


def _block(title: str, text: str) -> str:
    return f"\n\n{_LINE}\n- {title}:\n{_LINE}\n{text}"


def operation_error(where: str, error: BaseException, about: str = "") -> RuntimeError:
    """The error of an operation, which may hold one of its own kind: a function that RandomApply calls."""
    text = str(error)
    reason = text.rsplit("[ERROR] ", 1)[-1].removeprefix(f"{_FAILED}: ")
    if _STACK not in text:
        return pipeline_error(f"{where}. {reason}{about}")
    return python_error(f"{where}. {reason}", text.split(_STACK, 1)[1].split(f"\n\n{_LINE}", 1)[0])


@contextlib.contextmanager
def reading(where: Callable[[], str], expected: str) -> Iterator[None]:
    """Around the code that reads a file: whatever it stumbles over names the file, where in it, and what was expected.

    >>> with reading(lambda: "line 3 of a.csv", "text in UTF-8"):
    ...     b"\\xff".decode()
    Traceback (most recent call last):
    ...
    RuntimeError: Invalid file, line 3 of a.csv could not be read: 'utf-8' codec can't decode byte 0xff in position 0: invalid start byte. Expected text in UTF-8.
    ...
    """
    try:
        yield
    except (ImportError, NotImplementedError):
        raise
    except Exception as error:
        position = where()
        reason = str(error).split("\n", 1)[0]
        if isinstance(error, RuntimeError) and os.path.basename(position.split(" of ")[-1]) in str(error):
            raise
        kind = "" if isinstance(error, (RuntimeError, UnicodeError)) and reason else f"{type(error).__name__}: "
        if isinstance(error, OSError) and error.strerror:
            kind, reason = "", error.strerror
        raise pipeline_error(
            f"Invalid file, {position} could not be read: {f'{kind}{reason}'.rstrip('.: ')}. Expected {expected}."
        ) from error


def function_name(function: object) -> str:
    """What to call a function in a message."""
    return getattr(function, "__qualname__", type(function).__name__)


def user_error(where: str, error: BaseException) -> RuntimeError:
    """The error of a function of the program's own, with its traceback."""
    text = "".join(traceback.format_exception(error))
    reason = f"{type(error).__name__}: {error}".split("\n", 1)[0]
    return python_error(f"{where}. {reason}", text)


@contextlib.contextmanager
def users_code(where: Callable[[], str]) -> Iterator[None]:
    """Around a function of the program's own: errors carry the location of the call."""
    try:
        yield
    except (Exception, SystemExit) as error:
        raise user_error(where(), error) from error
