"""Errors of a running pipeline."""

from __future__ import annotations

import contextlib
import traceback
from collections.abc import Callable, Iterator


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
    line = "-" * 66
    return RuntimeError(f"{first}\n\n{line}\n- Dataset Pipeline Error Message:\n{line}\n[ERROR] {text}")


def function_name(function: object) -> str:
    """What to call a function in a message."""
    return getattr(function, "__qualname__", type(function).__name__)


def user_error(where: str, error: Exception) -> RuntimeError:
    """The error of a function of the program's own, with its traceback."""
    text = "".join(traceback.format_exception(error))
    reason = f"{type(error).__name__}: {error}".split("\n", 1)[0]
    return pipeline_error(f"Exception thrown from user defined Python function in dataset. {where}. {reason}\n{text}")


@contextlib.contextmanager
def users_code(where: Callable[[], str]) -> Iterator[None]:
    """Around a function of the program's own: errors carry the location of the call."""
    try:
        yield
    except Exception as error:
        raise user_error(where(), error) from error
